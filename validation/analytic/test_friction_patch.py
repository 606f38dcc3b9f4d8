# SPDX-License-Identifier: BSD-3-Clause
"""A patch with friction: a block that rests and slides on an incline, and one that spins while it slides.

    a = (w₁, w₂, ρω),  e = (z₁, z₂, ρζ),  v = |a|,  φ = exp(−(v/v_s)²),  μ = μ_c + (μ_s − μ_c) φ,  r = σ₀|e|/μ
    ż = w − hold(r, v) σ₀ v/μ z,        λ = −N (1, 1, ρ) (σ₀ e + σ₁ φ ė + σ₂ a),        N ≥ 0

Source: the card of interface/elements/friction_patch.py; bristles of [Canudas de Wit 1995] with laws/hold.py, written
here once more from the equations. Rank: closed form for rest (σ₀|z| = tan α, no slip), sliding (g (sin α − μ cos α),
straight), the limit that slip and spin share, and the slopes at rest; another program for motion that slips, spins and
comes to rest (SciPy's DOP853 at rtol 1e-12).

Tolerances. At rest 0.1 mm in ten minutes are asked for; measured are 0 under a constant load and 3e-8 m under one that
swings by ± 10 % (0.75 m without hold): 1e-7 m is asserted. Acceleration: 1e-3 is asked for; once bristles are bent it
is constant, and 1e-6 is asserted. The way is straight to rounding, but for `realtime`, whose tangent is kept from being
negative row by row (interface/coupling.py), which depends on the axes: 1e-8 m of 0.85 m, falling with the step. Against
SciPy 1e-6 is asked for; RK4 at 0.025 ms is 2e-10 off, or 2e-7 with the corners that N has where a spring pulls. At 1 ms
`realtime` is 0.07 µm and 9 µm/s off, `unified` 0.7 µm and 14 µm/s, of 54 mm and 0.36 m/s; both are of order 2, asserted
from 1.7. RK4 is of order 4 without hold, whose smooth step has corners in its slope.
Energy: 1e-5 of the work where it slides from rest. A block that starts at 0.7 m/s on bristles that are not bent bends
them within 0.7 ms, less than a step: 4e-5 at 1 ms, 1e-4 is asserted. Where it only settles, all the work is 7 mJ, and
the bound 1e-3 of that.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb
from knuckleboom.describe import BodyName, JointName, Net, Part, Place, param
from knuckleboom.machine import kinds

G, MASS, INERTIA = 9.81, 2.0, 0.03
MU, STRIBECK, SIGMA0, SIGMA1, HOLD, ARM = 0.5, 0.01, 1000.0, 20.0, 0.05, 0.1
STIFFNESS, DAMPING = 5e4, 100.0  # of the spring that presses
STEPS = {"explicit": 1e-4, "realtime": 1e-3, "unified": 1e-3, "cointegrated": 1e-3}
SPINS = {"degrees": 15.0, "speed": (0.3, -0.2, 6.0)}
"""A start on which slip and spin matter alike, |a| = 0.7 m/s; it comes to rest after 0.3 s."""
pressed = pytest.mark.parametrize("sprung", [False, True], ids=["signal", "spring"])


class PressedPatch(Part):
    """A patch on a body in the plane z = 0: pressed by an input, or by a spring on the third coordinate of a joint."""

    at: Place = param("its centre")
    body: BodyName = param("the body that spins")
    coulomb: float = param("sliding friction", MU)
    breakaway: float = param("friction at rest", MU)
    stribeck: float = param("Stribeck speed", STRIBECK)
    viscous: float = param("viscous part", 0.0)
    hold_speed: float = param("below it bristles hold", HOLD)
    load: float = param("force that presses, at the height 0", 0.0)
    lift: JointName | None = param("free joint of the body, for a spring", None)

    def expand(self, net: Net) -> None:
        along, across = (net.direction(self.at, axis, "world") for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
        spin = net.turn(self.body, (0.0, 0.0, 1.0), "world")
        if self.lift is None:
            normal = net.direction(self.at, (0.0, 0.0, 1.0), "world")
            net.push(normal, net.input(self.load, unit="N", meaning="force that presses"))
        else:
            normal = net.coordinate(self.lift, 2)
            net.spring(normal, STIFFNESS, self.load / STIFFNESS, DAMPING, 0.0)
        net.element(
            "friction_patch", along, across, spin, normal, coulomb=self.coulomb, breakaway=self.breakaway,
            stribeck=self.stribeck, stiffness=SIGMA0, damping=SIGMA1, viscous=self.viscous, hold_speed=self.hold_speed,
            arm=ARM,
        )  # fmt: skip


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The part exists for these tests only."""
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(PressedPatch)


def incline(degrees, towards=0.7, speed=(0.0, 0.0, 0.0), height=0.0, sprung=False, **words):
    """A block on a plane that falls towards a direction in the plane [rad]: gravity is tilted, not the plane."""
    angle = math.radians(degrees)
    down = G * math.sin(angle)
    machine = kb.Machine("block", gravity=(down * math.cos(towards), down * math.sin(towards), -G * math.cos(angle)))
    block = machine.body("block", mass=MASS, inertia=(0.02, 0.02, INERTIA))
    words = {"load": MASS * G * math.cos(angle)} | words
    if sprung:
        start, speed = (0.0, 0.0, height, 0.0, 0.0, 0.0), (*speed[:2], 0.0, 0.0, 0.0, speed[2])
        machine.free("plane", machine.ground, block, start=start, speed=speed)
        words |= {"lift": "plane"}
    else:
        machine.planar("plane", machine.ground, block, speed=speed)
    machine.pressed_patch("patch", block, block, **words)
    return machine


def friction(w, z, normal, hold_speed=HOLD, coulomb=MU, breakaway=MU, stribeck=STRIBECK, viscous=0.0):
    """ż and the forces of the three rows."""
    arms = np.array([1.0, 1.0, ARM])
    a, e = arms * w, arms * z
    v = math.sqrt(a @ a)
    fall = math.exp(-((v / stribeck) ** 2))
    mu = coulomb + (breakaway - coulomb) * fall
    hold = 1.0
    if hold_speed > 0.0:
        part = min(max((SIGMA0 * math.sqrt(e @ e) / mu - 0.9) / 0.1, 0.0), 1.0)
        hold = 1.0 - (1.0 - part**2 * (3.0 - 2.0 * part)) / (1.0 + (v / hold_speed) ** 4)
    c = hold * SIGMA0 * v / mu
    return w - c * z, -max(normal, 0.0) * arms * (SIGMA0 * e + SIGMA1 * fall * (a - c * e) + viscous * a)


def reference(times, degrees, towards=0.7, speed=(0.0, 0.0, 0.0), height=0.0, sprung=False, **law):
    """Velocities (3), places (2), bends (3) and heat by SciPy, a row each."""
    angle = math.radians(degrees)
    pull = MASS * G * math.sin(angle) * np.array([math.cos(towards), math.sin(towards), 0.0])
    masses, weight = np.array([MASS, MASS, INERTIA]), MASS * G * math.cos(angle)

    def presses(s, s_dot):
        return weight - (STIFFNESS * s + DAMPING * s_dot if sprung else 0.0 * s)

    def rates(_, y):
        w, z, (s, s_dot) = y[0:3], y[5:8], y[9:11]
        normal = presses(s, s_dot)
        z_dot, force = friction(w, z, normal, **law)
        lost = -force @ w + DAMPING * s_dot**2
        return np.concatenate([(pull + force) / masses, w[:2], z_dot, [lost, s_dot, (normal - weight) / MASS]])

    y = np.concatenate([speed, np.zeros(6), [height, 0.0]])
    words = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14, "max_step": 1e-3}
    found = solve_ivp(rates, (0.0, times[-1]), y, t_eval=times, **words).y
    # heat is what was taken less what the bristles store: N σ₀|e|²/2
    square = found[5] ** 2 + found[6] ** 2 + (ARM * found[7]) ** 2
    found[8] -= 0.5 * SIGMA0 * np.maximum(presses(found[9], found[10]), 0.0) * square
    return found[:9]


def motion(run):
    """The same of a run."""
    moves = [run["block.velocity"].values[:, :2].T, run["block.angular_velocity"].values[:, 2:].T]
    bends = [run[f"patch.bend_{name}"].values for name in ("along", "across", "spin")]
    return np.vstack([*moves, run["block.position"].values[:, :2].T, bends, run["patch.dissipated"].values])


def errors(machine, exact, duration, coupling, step, **words):
    """The largest error of velocities, places and bends over a run of 5 ms to a record."""
    run = kb.simulate(machine, duration, step=step, record=5e-3, coupling=coupling, **words)
    worst = np.abs(motion(run) - exact).max(axis=1)
    return np.array([worst[0:2].max(), worst[3:5].max(), worst[5:7].max()]), worst, run


# rest


def walk(swing, **words):
    """How far a block on 20° slips from the fifth second to the end of ten minutes; and the run."""
    pull, end = MASS * G * math.sin(math.radians(20.0)), 600.0
    machine = incline(20.0, **{key: words.pop(key) for key in ("sprung", "hold_speed") if key in words})
    machine.force("swing", machine["block"], direction=(math.cos(0.7), math.sin(0.7), 0.0))
    times = np.arange(0.0, end + 1.0, 5e-3)
    waves = kb.table(times, swing * pull * np.sin(10.0 * math.pi * times) * np.minimum(times, 1.0))
    run = kb.simulate(machine, end, step=1e-3, record=1.0, coupling="realtime", inputs={"swing": waves}, **words)
    way = run["block.position"].values[:, :2]
    return math.hypot(*(way[-1] - way[5])), run


@pytest.mark.slow
@pressed
@pytest.mark.parametrize("swing", [0.0, 0.1], ids=["constant", "swinging"])
def test_a_block_rests_on_an_incline(swing, sprung):
    """Below the angle of friction nothing creeps; the bristles carry the weight, at rest σ₀|z| = tan α."""
    walked, run = walk(swing, sprung=sprung)
    assert walked < 1e-7
    bend = math.hypot(run["patch.bend_along"].values[-1], run["patch.bend_across"].values[-1])
    if swing == 0.0:
        assert bend == pytest.approx(math.tan(math.radians(20.0)) / SIGMA0, rel=1e-9)
        assert np.abs(run["block.velocity"].values[-1]).max() < 1e-12
    assert np.diff(run["patch.dissipated"].values).min() >= 0.0
    assert run.energy().relative_residual < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
def test_a_block_rests_in_other_coordinates(coordinates):
    assert walk(0.1, coordinates=coordinates)[0] < 1e-7


@pytest.mark.slow
def test_plain_lugre_walks():
    """What hold is for."""
    assert walk(0.1, hold_speed=0.0)[0] > 0.5


# sliding


def slide(coupling, towards, sprung=False):
    """Acceleration of a block on 35° from 0.5 s to 1 s, how far it ever is from the straight line, and the run."""
    machine = incline(35.0, towards, sprung=sprung)
    run = kb.simulate(machine, 1.0, step=STEPS[coupling], record=1e-1, coupling=coupling)
    down, aside = np.array([math.cos(towards), math.sin(towards)]), np.array([-math.sin(towards), math.cos(towards)])
    velocity, way = run["block.velocity"].values[:, :2], run["block.position"].values[:, :2]
    return (velocity[-1] - velocity[5]) @ down / 0.5, np.abs(way @ aside).max(), run


@pressed
@pytest.mark.parametrize("towards", range(7, 360, 30))
def test_it_slides_down_an_incline(towards, sprung):
    """Above the angle of friction: g (sin α − μ cos α), straight, whatever the direction in the plane."""
    angle = math.radians(35.0)
    found, aside, run = slide("realtime", math.radians(towards), sprung)
    assert found == pytest.approx(G * (math.sin(angle) - MU * math.cos(angle)), rel=1e-6)
    assert aside < 2e-8
    assert np.abs(run["block.angular_velocity"].values).max() < 1e-12
    assert run.energy().relative_residual < 1e-5


@pytest.mark.parametrize("coupling", ["explicit", "unified"])
def test_it_slides_straight_to_rounding(coupling):
    assert slide(coupling, math.radians(67.0))[1] < 1e-13


@pytest.mark.parametrize("coupling", STEPS)
def test_what_pulls_has_no_friction(coupling):
    """N = 0 where the fourth row pulls: g sin α."""
    run = kb.simulate(incline(20.0, load=-5.0), 0.5, step=STEPS[coupling], record=1e-1, coupling=coupling)
    speed = np.linalg.norm(run["block.velocity"].values[-1])
    assert speed == pytest.approx(0.5 * G * math.sin(math.radians(20.0)), rel=1e-12)


# slip and spin


@pytest.mark.parametrize("coupling", STEPS)
@pytest.mark.parametrize(
    "w", [(0.3, 0.0, 0.0), (0.3, 0.0, 5.0), (-0.1, 0.2, -30.0), (0.02, -0.03, 0.4), (0.0, 0.0, 2.0)], ids=str
)
def test_slip_and_spin_share_one_limit(w, coupling):
    """Steadily λ = −N (μ/v + σ₂) (w₁, w₂, ρ² ω): the force along the slip is smaller when it spins as well."""
    machine = kb.Machine("driven", gravity=(0.0, 0.0, 0.0))
    below = machine.ground
    for kind, name, axis, speed in zip(
        ("prismatic", "prismatic", "revolute"), ("x", "y", "spin"), ("x", "y", "z"), w, strict=True
    ):
        body = machine.body(f"body_{name}", mass=1.0, inertia=(0.1, 0.1, 0.1))
        getattr(machine, kind)(name, below, body, axis=axis, speed=speed)
        machine.driver(f"drive_{name}", name, speed=speed)
        below = body
    load, law = 30.0, {"coulomb": 0.5, "breakaway": 0.7, "stribeck": 0.05, "viscous": 0.1}
    machine.pressed_patch("patch", below, below, load=load, **law)
    run = kb.simulate(machine, 1.0, step=STEPS[coupling], record=1e-1, coupling=coupling)

    v = math.hypot(w[0], w[1], ARM * w[2])
    mu = 0.5 + 0.2 * math.exp(-((v / 0.05) ** 2))
    exact = -load * (mu / v + 0.1) * np.array([w[0], w[1], ARM**2 * w[2]])
    forces = [run[f"patch.{name}"].values[-1] for name in ("along_force", "across_force", "spin_torque")]
    assert forces == pytest.approx(exact, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("height", "sprung"), [(0.0, False), (1e-4, True), (2e-3, True)], ids=str)
@pytest.mark.parametrize("hold_speed", [0.0, HOLD], ids=["LuGre", "hold"])
def test_sliding_and_spinning_to_rest(height, sprung, hold_speed):
    """Against SciPy; pressed by a spring N swings, from 2 mm on it pulls for a while."""
    case = SPINS | {"height": height, "sprung": sprung, "hold_speed": hold_speed}
    exact = reference(np.arange(0.0, 0.4001, 5e-3), **case)
    _, worst, run = errors(incline(**case), exact, 0.4, "explicit", 2.5e-5)
    assert worst.max() < 1e-6
    if height < 1e-3:
        assert worst.max() < 1e-8  # without corners of N
    assert np.hypot(*exact[:2, -1]) < 1e-3 < np.hypot(*exact[3:5, -1])
    assert run.energy().relative_residual < 1e-9


@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
@pytest.mark.parametrize(("coupling", "bound"), [("explicit", 1e-8), ("realtime", 2e-5), ("unified", 2e-5)])
def test_sliding_and_spinning_in_other_coordinates(coupling, bound, coordinates):
    exact = reference(np.arange(0.0, 0.4001, 5e-3), **SPINS)
    found, _, _ = errors(incline(**SPINS), exact, 0.4, coupling, STEPS[coupling], coordinates=coordinates)
    assert found.max() < bound


@pressed
@pytest.mark.parametrize(
    ("coupling", "step", "least"),
    [("explicit", 2e-4, 3.5), ("realtime", 1e-3, 1.7), ("unified", 1e-3, 1.7), ("cointegrated", 1e-3, 1.7)],
)
def test_order(coupling, step, least, sprung):
    """Velocities, places and bends, each halving; until it rests, and for RK4 without hold."""
    case = SPINS | {"sprung": sprung, "height": 1e-4 * sprung, "hold_speed": 0.0 if coupling == "explicit" else HOLD}
    duration = 0.05 if coupling == "explicit" else 0.4
    exact = reference(np.arange(0.0, duration + 1e-4, 5e-3), **case)
    found = np.array([errors(incline(**case), exact, duration, coupling, step / part)[0] for part in (1, 2, 4)])
    assert (np.log2(found[:-1]) - np.log2(found[1:])).min() > least, found


@pytest.mark.parametrize("coupling", ["realtime", "unified"])
def test_accuracy_at_1_ms(coupling):
    exact = reference(np.arange(0.0, 0.4001, 5e-3), **SPINS)
    (speed, place, bend), worst, run = errors(incline(**SPINS), exact, 0.4, coupling, 1e-3)
    assert speed < 2e-5 and place < 1e-6 and bend < 3e-7
    assert worst[8] < 1e-4 * exact[8, -1]  # heat
    assert run.energy().relative_residual < 1e-4


@pytest.mark.parametrize("coupling", STEPS)
@pytest.mark.parametrize("hold_speed", [0.0, HOLD], ids=["LuGre", "hold"])
def test_it_makes_no_energy(coupling, hold_speed):
    """At constant N and σ₁ φ v ≤ 0.1 < 4 μ = 2 no step gives back more than was stored."""
    step = STEPS[coupling]
    run = kb.simulate(incline(**SPINS, hold_speed=hold_speed), 0.5, step=step, record=step, coupling=coupling)
    heat = run["patch.dissipated"].values
    assert np.diff(heat).min() > -1e-9 * heat[-1]


# analyses


def test_slopes_at_rest():
    """On bristles that are not bent ż = w, so m s² + N (σ₁ s + σ₀) = 0, and the same with I/ρ² for the spin."""
    found = kb.linearise(incline(15.0))
    weight = MASS * G * math.cos(math.radians(15.0))
    roots = np.concatenate(
        [np.roots([mass, weight * SIGMA1, weight * SIGMA0]) for mass in (MASS, MASS, INERTIA / ARM**2)]
        + [np.zeros(3)]  # where it stands does not matter
    )
    # rounded, so that conjugates have one order
    values = np.round(np.linalg.eigvals(found.A.values), 7)
    assert np.sort_complex(values) == pytest.approx(np.sort_complex(np.round(roots, 7)), abs=1e-5)


def test_equilibrium_says_that_friction_holds_nothing():
    """Friction holds a range of places; an equilibrium without it does not exist on an incline, on a plane anywhere."""
    with pytest.raises(kb.AnalysisError, match=r"'plane\.[xy]' runs away"):
        kb.equilibrium(incline(15.0))
    assert "indifferent" in str(kb.equilibrium(incline(0.0)))
