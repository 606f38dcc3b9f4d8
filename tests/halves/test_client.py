# SPDX-License-Identifier: BSD-3-Clause
"""What a program of one's own is given: exchanges against closed forms, a mechanics of one's own, the page's examples.

Rank of evidence: closed forms; second way through our own code.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from halves.programs import ended, program
from knuckleboom.halves.client import PowerExchange

PAGE = Path(__file__).parents[2] / "docs" / "foreign_halves.md"
H = 0.01  # s


def exchange(reduced=True, course=(0.3, 0.0, 0.0), size=H):
    """An exchange with one row at 1.2 m, 0.3 m/s, which gets 2 m/s² by itself and 1/50 kg by force."""
    table = np.array([[1.2, course[0], *course, 2.0]])
    return PowerExchange(0.0, size, table, np.array([[0.02]]), np.array([True]), reduced)


def test_a_constant_force_on_a_reduced_course():
    one = exchange()
    for _ in range(4):
        one.advance([-30.0], H / 4)
    mean, end, lean, value, work = one.answer()
    gain = 2.0 - 0.02 * 30.0

    assert (mean, end) == (pytest.approx(-30.0), -30.0) and lean == pytest.approx(0.0, abs=1e-15)
    assert one.w[0] == pytest.approx(0.3 + H * gain, rel=1e-14)
    assert value == pytest.approx(1.2 + 0.3 * H + 0.5 * gain * H**2, rel=1e-14)
    assert work == pytest.approx(-30.0 * (value - 1.2), rel=1e-12)


@pytest.mark.parametrize("method", ["LSODA", "RK45"])
def test_a_spring_on_a_reduced_course(method):
    """λ = −k (s − 1.2) makes a harmonic motion about s₀ = 1.2 + a/(Y k), with ω² = Y k."""
    stiffness = 4e6
    one = exchange()

    def forces(t, x, s, w):
        return -stiffness * (s - 1.2)

    x = one.integrate(lambda t, x, s, w: [s[0]], forces, [0.0], method=method, rtol=1e-9)
    omega, away = np.sqrt(0.02 * stiffness), 2.0 / (0.02 * stiffness)
    phase = omega * H
    s = 1.2 + away - away * np.cos(phase) + 0.3 / omega * np.sin(phase)
    w = away * omega * np.sin(phase) + 0.3 * np.cos(phase)
    mean, end, lean, value, work = one.answer()

    assert value == pytest.approx(s, abs=1e-9) and one.w[0] == pytest.approx(w, abs=1e-6)
    # what drove it is what goes back: both halves end with the same rate, and the way follows from it and its lean
    assert one.w[0] == pytest.approx(0.3 + H * (2.0 + 0.02 * mean), abs=1e-12)
    assert value == pytest.approx(1.2 + 0.5 * H * (0.3 + one.w[0]) + 0.02 * lean, abs=1e-9)
    assert end == pytest.approx(-stiffness * (s - 1.2), abs=1e-2)
    assert work == pytest.approx(-0.5 * stiffness * (s - 1.2) ** 2, abs=1e-4)
    swept = H * (1.2 + away) - away / omega * np.sin(phase) + 0.3 / omega**2 * (1.0 - np.cos(phase))
    assert x[0] == pytest.approx(swept, abs=1e-8)


def test_rates_that_are_extrapolated_do_not_answer_to_force():
    for go in (
        lambda one: [one.advance([1e3], H / 1000) for _ in range(1000)],
        lambda one: one.integrate(lambda t, x, s, w: x, lambda t, x, s, w: [1e3], [1.0]),
    ):
        one = exchange(reduced=False, course=(0.3, 0.06, -0.03))
        go(one)
        assert one.w[0] == pytest.approx(0.33)
        assert one.s[0] == pytest.approx(1.2 + H * (0.3 + 0.03 - 0.01), abs=1e-9)
        assert one.now == pytest.approx(H)


def test_an_exchange_of_no_size_asks_for_forces():
    one = exchange(size=0.0)
    assert one.integrate(lambda t, x, s, w: x, lambda t, x, s, w: 7.0 * s, [5.0]).tolist() == [5.0]
    assert one.answer() == [pytest.approx(8.4), pytest.approx(8.4), 0.0, 1.2, 0.0]


def press():
    """A mass on a standing cylinder, which a valve lifts."""
    m = kb.Machine("press")
    ram = m.body("ram", mass=500.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("guide", m.ground, ram, axis="z", start="1 m")
    oil = m.oil(kb.fluids.constant())
    lift = m.cylinder("lift", m.ground.at(0, 0, 0), ram.at(0, 0, 0), bore="63 mm", rod="40 mm", stroke="600 mm",
                      oil=oil, viscous="2 kN s/m", pressure_a="30 bar", pressure_b="22 bar")  # fmt: skip
    pump, tank = oil.pressure("pump", "100 bar"), oil.tank("tank")
    m.valve_4_3("valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("20 l/min", "35 bar"))
    return m


MOVES = {"valve": kb.steps({0: 0.0, 0.1: 0.5, 0.6: -0.4})}
MASS = """
import sys
import numpy as np
import knuckleboom as kb

s, w, a, Y, path = 1.0, 0.0, -9.81, 1.0 / 500.0, []
with kb.MechanicsHalf(int(sys.argv[1])) as half:
    force, h = half.start([s], [w]), half.step
    for _ in range(200):
        path.append(s)
        force = half.exchange([s], [w], a=[a], Y=[[Y]])
        before, w = w, w + h * (a + Y * force.mean[0])
        s += 0.5 * h * (before + w) + Y * force.lean[0]
    half.finish([s], [w])
np.save(sys.argv[2], [*path, s])
"""


def test_a_mechanics_of_ones_own(tmp_path):
    """The mass in plain Python, our oil: as both in one process, to rounding."""
    words = {"step": "5 ms", "record": "5 ms", "inputs": MOVES}
    one = kb.simulate(press(), "1 s", coupling="cosimulated", **words)

    with kb.OtherHalf(0, wait="60 s") as half, program(MASS, half.port, tmp_path / "path.npy") as mass:
        run = kb.simulate(press(), "1 s", mechanics=half, **words)
        assert ended(mass)[0] == 0

    assert abs(one["lift.length"].values - 1.0).max() > 0.03
    np.testing.assert_allclose(np.load(tmp_path / "path.npy"), one["lift.length"].values, atol=1e-11)
    np.testing.assert_allclose(run["lift.length"].values, one["lift.length"].values, atol=1e-11)
    np.testing.assert_allclose(run["lift.speed"].values, one["lift.speed"].values, atol=1e-9)
    np.testing.assert_allclose(run["lift.a.pressure"].values, one["lift.a.pressure"].values, atol=1.0)
    assert run["lift.a.pressure"].values.max() - run["lift.a.pressure"].values.min() > 5e5


def test_the_examples_of_the_page(monkeypatch, tmp_path):
    """docs/foreign_halves.md as printed, but for the port; programs that belong together run together."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    pairs = [(one, other) for one, other in zip(blocks[::2], blocks[1::2], strict=True)]
    assert len(pairs) >= 3
    for run, other in pairs:
        with kb.OtherHalf(0) as free:
            port = str(free.port)
        assert "8362" in run and "8362" in other
        names = {}
        with program(other.replace("8362", port)) as half:
            exec(run.replace("8362", port), names)
            code, said = ended(half)
        assert code == 0, said
        assert names["run"].status == "done"
        assert names["run"]["lift.length"].values[-1] == pytest.approx(1.1, abs=0.01)
