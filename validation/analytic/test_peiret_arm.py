# SPDX-License-Identifier: BSD-3-Clause
"""peiret-arm, two links on two cylinders with valve steps, against Lagrange's equations of its two angles by SciPy.

Rank: second formulation (src/knuckleboom/bench/references/peiret_arm.py: absolute angles, complex numbers, Radau at
1e-10; its numbers are typed there anew). The arm oscillates at 88 and 213 rad/s after steps of a spool. Over 3 s:
RK4 at 0.1 ms 4e-11 rad and 0.1 Pa, `unified` at 0.1 ms 1.4e-6 rad and 1.5 kPa, which is a slightly long period of the
oscillation and a quarter of that at half the step. Tolerances: 1e-9 rad and 10 Pa; 2e-6 rad and 2 kPa; at 0.05 ms
5e-7 rad and 0.5 kPa.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import peiret_arm as reference
from knuckleboom.catalogue.peiret_arm import LIGHT, peiret_arm

INTERVAL = 0.01  # s
PRESSURES = {"p1a": "lift.a.pressure", "p1b": "lift.b.pressure", "p2a": "fold.a.pressure", "p2b": "fold.b.pressure"}
VARIANTS = {
    "light": {},
    "heavy": {"damping": 1e5},
    "stiffer": {"outer_mass": 15.0, "dead_volume": 2e-5},
    "undamped": {"damping": 0.0},
}
OTHERS = [one for one in VARIANTS if one != "light"]


def simulate(step, variant="light", **words):
    case = peiret_arm(**VARIANTS[variant])
    return kb.simulate(case.machine, case.duration, step=step, record=INTERVAL, inputs=case.inputs, **words)


def apart(run, variant="light"):
    """Largest differences in an angle, rad, and in a pressure, Pa."""
    exact = reference.solve(reference.Arm(**VARIANTS[variant]))
    assert run.time == pytest.approx(exact["time"], abs=1e-9)
    inner = run["pin.angle"].values
    angles = max(
        np.abs(inner - exact["theta1"]).max(), np.abs(inner + run["hinge.angle"].values - exact["theta2"]).max()
    )
    return float(angles), max(float(np.abs(run[path].values - exact[name]).max()) for name, path in PRESSURES.items())


def test_its_numbers_are_those_of_the_reference():
    assert reference.Arm().damping == LIGHT
    run = simulate(1e-4, coupling="explicit")
    exact = reference.solve()
    for valve, name in (("lift_valve", "u1"), ("fold_valve", "u2")):
        assert np.array_equal(run[f"{valve}.input"].values, exact[name])
    for cylinder, name in (("lift", "s1"), ("fold", "s2")):
        assert run[f"{cylinder}.length"].values == pytest.approx(exact[name], abs=1e-9)


@pytest.mark.parametrize("variant", ["light", *(pytest.param(one, marks=pytest.mark.slow) for one in OTHERS)])
def test_rk4(variant):
    angles, pressures = apart(simulate(1e-4, variant, coupling="explicit"), variant)
    assert angles < 1e-9 and pressures < 10.0


def test_unified():
    angles, pressures = apart(simulate(1e-4, coupling="unified"))
    assert angles < 2e-6 and pressures < 2e3

    half_angles, half_pressures = apart(simulate(5e-5, coupling="unified"))
    assert half_angles < 5e-7 and half_pressures < 5e2
    assert angles / half_angles == pytest.approx(4.0, rel=0.1)
    assert pressures / half_pressures == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_frequencies(variant):
    """Shut valves, without friction: those of the reference's stiffness and masses, 1e-6."""
    case = peiret_arm(**VARIANTS[variant])
    found = sorted(mode.frequency * 2.0 * math.pi for mode in kb.modes(case.machine, damped=False))
    assert found == pytest.approx(reference.Arm(**VARIANTS[variant]).locked(), rel=1e-6)


@pytest.mark.parametrize(
    ("variant", "frequencies", "damping"),
    [("light", (87.9, 212.9), (0.004, 0.017)), ("heavy", (87.9, 212.8), (0.12, 0.56)),
     ("stiffer", (122.7, 563.4), (0.005, 0.040))],
)  # fmt: skip
def test_the_card_says_what_it_has(variant, frequencies, damping):
    modes = [mode for mode in kb.modes(peiret_arm(**VARIANTS[variant]).machine) if mode.frequency]
    assert [mode.frequency * 2.0 * math.pi for mode in modes] == pytest.approx(frequencies, rel=1e-3)
    assert [mode.damping for mode in modes] == pytest.approx(damping, abs=0.0055)


def test_pressures_stay_where_the_card_says():
    run = simulate(1e-4, coupling="explicit")
    pressures = np.array([run[path].values for path in PRESSURES.values()])
    assert pressures.min() > 5e5 and pressures.max() < 205e5
    assert run.warnings == []


def test_energy_audit():
    audit = simulate(1e-4, coupling="explicit").energy()
    assert abs(audit.residual) < 1e-6 * audit.work_done
