# SPDX-License-Identifier: BSD-3-Clause
"""The co-simulation of any machine in plain NumPy (``references/cosimulation_machine.py``), checked by other routes.

Rank on the ladder: second formulation (the matrices of ``references/cosimulation.py`` on a linear machine; a machine
in joint coordinates against the same one with its joint as a loop) and another program (SciPy's Radau on mechanics and
oil as one system, to which every scheme must tend as H → 0).
"""

import functools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from references.cosimulation import Oscillator, Scheme, every_scheme, macro_step
from references.cosimulation_machine import Cosimulation, Mechanics, Power

OSC = Oscillator(2.0, spring=30.0, damping=0.7, area=0.1, volume=0.3, bulk=4000.0, leak=1e-5, rubbing=0.4)


def linear_machine(osc: Oscillator) -> tuple[Mechanics, Power]:
    """The oscillator as functions."""
    mechanics = Mechanics(
        mass=lambda q: np.array([[osc.mass]]),
        force=lambda q, v: -osc.spring * q - osc.damping * v,
        rows=lambda q: np.array([[1.0]]),
        values=lambda q: q,
    )
    power = Power(
        rate=lambda x, s, w, t: osc.bulk / osc.volume * (osc.area * w - osc.leak * x),
        force=lambda x, s, w: -osc.area * x,
        friction=lambda s, w: -osc.rubbing * w,
    )
    return mechanics, power


@pytest.mark.parametrize("interface", ["force-displacement", "pressure-displacement"])
@pytest.mark.parametrize("balance", ["carried", "staggered", "none"])
def test_steps_are_the_matrices(balance, interface):
    """Three macro steps of a random state in all 240 schemes against powers of the matrix, 1e-9 of the largest."""
    H, z = 0.02, np.array([0.3, -0.2, 4.0, 0.5, -0.1, 0.7, 0.01])
    for scheme in every_scheme(2, interface, balance):
        if balance == "none":
            z[6] = 0.0
        run = Cosimulation(*linear_machine(OSC), scheme, H, z[:1], z[1:2], z[2:3])
        run.past, run.given, run.carried = [z[4:5], z[3:4], z[1:2]], z[5:6], z[6:7]
        expected = z
        for _ in range(3):
            run.step()
            expected = macro_step(scheme, OSC, H) @ expected
        found = np.concatenate([run.q, run.v, run.x, run.past[-2], run.past[-3], run.given, run.carried])
        assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max()), scheme


# a boom with a cylinder: one angle, two chambers behind orifices, friction of the piston
BASE, ARM, LOAD, TIP, GRAVITY = 0.8, 0.6, 150.0, 1.5, 9.81
AREAS, STROKE, BULK, DEAD = np.array([2e-3, 1.2e-3]), (0.55, 1.35), 1.2e9, 2e-4
SUPPLY, TANK, OPENING, LEAK = 120e5, 1e5, 4e-8, 2e-12
FIRST = np.array([0.5])


def lever(q):
    """Length of the cylinder from the base point at the origin's foot to the arm, and its slope by the angle."""
    length = np.sqrt(BASE**2 + ARM**2 + 2.0 * BASE * ARM * np.sin(q))
    return length, BASE * ARM * np.cos(q) / length


def turning(q, v):
    """Ȧ v = A′ v², with s s″ + s′² = −b a sin q."""
    length, slope = lever(q)
    return (-BASE * ARM * np.sin(q) - slope**2) / length * v * v


def oil_rates(x, s, w, t):
    """ṗ = β/V (Q − A w) of both chambers; a valve that lets the length follow 0.1 m sin πt."""
    volumes = DEAD + AREAS * np.array([s[0] - STROKE[0], STROKE[1] - s[0]])
    opening = np.tanh(10.0 * (lever(FIRST)[0][0] + 0.1 * np.sin(np.pi * t) - s[0]))
    given = np.array([SUPPLY, TANK]) if opening > 0 else np.array([TANK, SUPPLY])
    drop = given - x
    flow = abs(opening) * OPENING * drop / (drop**2 + 1e10) ** 0.25
    leak = LEAK * (x[0] - x[1])
    return BULK / volumes * (flow + np.array([-leak, leak]) + AREAS * np.array([-w[0], w[0]]))


def boom() -> tuple[Mechanics, Power]:
    mechanics = Mechanics(
        mass=lambda q: np.array([[LOAD * TIP**2]]),
        force=lambda q, v: -LOAD * GRAVITY * TIP * np.cos(q) - 40.0 * v,
        rows=lambda q: lever(q)[1][None, :],
        values=lambda q: lever(q)[0],
        bias=turning,
    )
    power = Power(
        rate=oil_rates,
        force=lambda x, s, w: np.array([AREAS[0] * x[0] - AREAS[1] * x[1]]),
        friction=lambda s, w: -400.0 * np.tanh(w / 0.05) - 2e3 * w,
        sizes=1e6,
    )
    return mechanics, power


def start() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At rest, the boom carried by the oil."""
    push = LOAD * GRAVITY * TIP * np.cos(FIRST[0]) / lever(FIRST)[1][0]
    return FIRST, np.zeros(1), np.array([(push + AREAS[1] * 20e5) / AREAS[0], 20e5])


@functools.cache
def exact(end: float) -> np.ndarray:
    """q, v, p_a, p_b by SciPy, mechanics and oil as one system."""
    mechanics, power = boom()

    def rates(t, y):
        q, v, x = y[:1], y[1:2], y[2:]
        s, A = mechanics.values(q), mechanics.rows(q)
        w = A @ v
        lam = power.force(x, s, w) + power.friction(s, w)
        a = np.linalg.solve(mechanics.mass(q), mechanics.force(q, v) + A.T @ lam)
        return np.concatenate([v, a, power.rate(x, s, w, t)])

    return solve_ivp(rates, (0.0, end), np.concatenate(start()), method="Radau", rtol=1e-10, atol=1e-9).y[:, -1]


def run_boom(scheme: Scheme, H: float, end: float) -> tuple[Cosimulation, list]:
    run = Cosimulation(*boom(), scheme, H, *start())
    return run, [run.step() for _ in range(round(end / H))]


@pytest.mark.parametrize(
    ("mechanics", "interface"),
    [("semi-implicit-euler", "force-displacement"), ("trapezoidal", "pressure-displacement")],
)
@pytest.mark.parametrize(
    ("order", "course", "handed", "power"),
    [
        ("jacobi", "hold", "end", "euler"),
        ("jacobi", "reduced", "mean", "lie"),
        ("power-first", "hold", "mean", "rk4"),
        ("power-first", "quadratic", "mean", "trapezoidal"),
        ("power-first", "reduced", "end", "rk4"),
        ("power-first", "reduced", "mean", "euler"),
        ("mechanics-first", "linear", "mean", "lie"),
        ("mechanics-first", "quadratic", "end", "euler"),
    ],
)
def test_tends_to_the_unified_solution(order, course, handed, power, mechanics, interface):
    """The error over 0.2 s falls with H at least in first order: by 0.62 and less at half the step."""
    end, sizes = 0.2, np.array([1.0, 1.0, 1e7, 1e7])
    errors = []
    for H in (1e-3, 5e-4):
        scheme = Scheme(order, course, handed, mechanics, power, 4, interface)
        run, _ = run_boom(scheme, H, end)
        errors.append(np.abs((np.concatenate([run.q, run.v, run.x]) - exact(end)) / sizes).max())
    assert errors[0] < 5e-2
    assert errors[1] < 0.62 * errors[0]


def test_orders_of_the_scheme_that_balances():
    """Trapezoidal mechanics, hydraulics first, mean force, balance: order 2 with every course, also with held w.

    Half the step leaves a quarter of the error; 0.35 is order 1.5 and more, far from the 0.5 of order 1.
    """
    end, sizes = 0.2, np.array([1.0, 1.0, 1e7, 1e7])
    for course in ("hold", "linear", "quadratic"):
        errors = []
        for H in (1e-3, 5e-4):
            run, _ = run_boom(Scheme("power-first", course, "mean", "trapezoidal", "rk4", 2), H, end)
            errors.append(np.abs((np.concatenate([run.q, run.v, run.x]) - exact(end)) / sizes).max())
        assert errors[1] < 0.35 * errors[0], course


@pytest.mark.parametrize("mechanics", ["semi-implicit-euler", "trapezoidal"])
@pytest.mark.parametrize("balance", ["carried", "staggered", "none"])
def test_balance_over_ten_seconds(balance, mechanics):
    """Δs − ∫w over 10 s of a moving boom, 0.29 m of travel, H = 2 ms.

    Balanced it is what is carried (and ½H Δw where staggered), to 1e-9 of the travel, and of the size of H² a; without
    balance the rows' change of direction adds ½H² Ȧv in every step, 20 times as much after ten seconds.
    """
    H = 2e-3
    run, steps = run_boom(Scheme("power-first", "hold", "mean", mechanics, "euler", 2, balance=balance), H, 10.0)
    travel = sum(float(np.abs(step.swept[0])) for step in steps)
    deficit = sum(float(step.swept[0] - step.seen[0]) for step in steps)
    first, last = mechanics_speed(start()), float(run.w[0])
    left = float(run.carried[0]) + (0.5 * H * (last - first) if balance == "staggered" else 0.0)
    if balance == "none":
        assert deficit > (4e-5 if mechanics == "semi-implicit-euler" else 1e-5)
    else:
        assert deficit == pytest.approx(left, abs=1e-9 * travel)
        assert abs(run.carried[0]) < 1e-6


def mechanics_speed(state: tuple) -> float:
    """w at the start."""
    return float((lever(state[0])[1] * state[1])[0])


def test_energy_at_the_interface():
    """With balance, the mean force on Δs misses no more than Σ h (λ − λ̄)(w − w̄) and what is carried; the force of an
    end misses ½H λ̇ w in every step: at least fifty times as much over 2 s.
    """
    made = {}
    for order, handed in (("power-first", "mean"), ("power-first", "end"), ("jacobi", "end")):
        _, steps = run_boom(Scheme(order, "linear", handed, "trapezoidal", "rk4", 2), 2e-3, 2.0)
        made[order, handed] = abs(sum(step.residual for step in steps))
    assert made["power-first", "mean"] < 0.02 * made["power-first", "end"]
    assert made["power-first", "mean"] < 0.02 * made["jacobi", "end"]


def tip_mass() -> Mechanics:
    """The boom's mass as a point in the plane, held at its distance by two equal loops of small compliance."""

    def angle(q):
        return np.array([np.arctan2(q[1], q[0])])

    def turn(q):
        return np.array([[-q[1], q[0]]]) / (q @ q)

    def loops(q, H):
        r = np.sqrt(q @ q)
        return np.array([q, q]) / r, np.full(2, 1e-9), np.full(2, (r - TIP) / H)

    return Mechanics(
        mass=lambda q: LOAD * np.eye(2),
        force=lambda q, v: np.array([0.0, -LOAD * GRAVITY]) - 40.0 * turn(q)[0] * (turn(q) @ v),
        rows=lambda q: lever(angle(q))[1][:, None] * turn(q),
        values=lambda q: lever(angle(q))[0],
        loops=loops,
    )


@pytest.mark.parametrize(("course", "handed"), [("hold", "end"), ("reduced", "mean")])
def test_loops_lead_to_the_same_motion(course, handed):
    """The boom as a point with redundant loops: error of first order, its distance kept to (H v)²/2 of a step."""
    end, errors = 0.2, []
    q, v, x = start()
    for H in (1e-3, 5e-4):
        scheme = Scheme("power-first", course, handed, power="rk4", micro=4)
        place = TIP * np.array([np.cos(q[0]), np.sin(q[0])])
        run = Cosimulation(tip_mass(), boom()[1], scheme, H, place, np.zeros(2), x)
        for _ in range(round(end / H)):
            run.step()
        assert np.hypot(*run.q) == pytest.approx(TIP, abs=0.5 * (H * 0.3) ** 2)
        found = np.concatenate([[np.arctan2(run.q[1], run.q[0])], run.x / 1e7])
        errors.append(np.abs(found - exact(end)[[0, 2, 3]] / np.array([1.0, 1e7, 1e7])).max())
    assert errors[0] < 1e-2
    assert errors[1] < 0.62 * errors[0]


def test_courses_begin_with_what_is_known():
    """The first step of every extrapolation holds w, the second is a straight line, the third a parabola."""
    runs = [
        Cosimulation(*boom(), Scheme("power-first", course, "end", "trapezoidal", "rk4", 2), 1e-3, *start())
        for course in ("hold", "linear", "quadratic")
    ]
    for equal, runs_equal in ((1, ((0, 1), (0, 2))), (2, ((1, 2),))):
        for run in runs:
            run.step()
        for one, other in runs_equal:
            assert np.array_equal(runs[one].x, runs[other].x), equal
        assert not np.array_equal(runs[0].x, runs[1].x) or equal == 1
    for run in runs:
        run.step()
    assert not np.array_equal(runs[1].x, runs[2].x)


def test_loops_are_refused_where_they_are_not_held():
    q, _, x = start()
    scheme = Scheme("jacobi", "hold", "end", "trapezoidal")
    with pytest.raises(ValueError, match="loops are held at velocity level, which 'trapezoidal' mechanics does not do"):
        Cosimulation(tip_mass(), boom()[1], scheme, 1e-3, TIP * np.array([np.cos(q[0]), np.sin(q[0])]), np.zeros(2), x)
