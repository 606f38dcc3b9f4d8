# SPDX-License-Identifier: BSD-3-Clause
"""Oil whose mass follows the stroke of a cylinder: momentum, angular momentum, weight, energies, orders of methods.

    pushed along a line     M(x) ẍ = F + p_a A_a − p_b A_b − … − κ_a ẋ² (ẋ > 0) + κ_b ẋ² (ẋ < 0),   ṗ = B (Q − V̇)/V
    driven along a line     force = d(M ẋ)/dt of what grows, m ẍ of what shrinks; its powers by quadrature
    barrel that turns       J(s) ω = const with the bottom of its bore on the axis, d(J ω) = (κ_a r_a² − κ_b r_b²) ω ds
    at rest                 p_a A_a − p_b A_b = g (M + κ_a x + κ_b (stroke − x)), and the moment of the columns at a pin
    standing still          bodies of the same lines

with κ = ρ A. Rank: closed forms, quadratures, balances that were integrated elsewhere (SciPy); second formulations in
our own code for coordinates and methods. Tolerances: rounding and RK4 at the step; orders of others are measured.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import knuckleboom as kb
from analytic.implicit_orders import errors, every_method
from knuckleboom.errors import MachineError

G, DENSITY, BULK, AMBIENT = 9.81, 900.0, 1e7, 101325.0
BORE, ROD, STROKE, CLOSED, BASE = 0.2, 0.1, 0.6, 1.0, 0.15
AREA_A, AREA_B = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)
KAPPA_A, KAPPA_B = DENSITY * AREA_A, DENSITY * AREA_B
DEAD, GAP = 2e-3, 1e-6
MASS = 12.0
COORDINATES = ("relative", "reference-point")
EXPLICIT = {"coupling": "explicit", "step": 2e-4}


def cylinder(m, a, b, *, single=False, base=BASE, oil_mass=True, bulk=BULK):
    """A cylinder that breathes through laminar gaps, from pressures of both sides."""
    oil = m.oil(kb.fluids.constant(DENSITY, bulk))
    words = {"bore": BORE, "stroke": STROKE, "closed": CLOSED, "dead_a": DEAD, "oil_mass": oil_mass}
    words |= {"base": base} if oil_mass else {}
    if single:
        lift = m.single_acting_cylinder("lift", a, b, oil=oil, **words)
    else:
        lift = m.cylinder("lift", a, b, oil=oil, rod=ROD, dead_b=DEAD, **words)
    for side in ("a",) if single else ("a", "b"):
        source = oil.pressure(f"source_{side}", AMBIENT)
        oil.laminar_restrictor(f"gap_{side}", source, getattr(lift, side), conductance=GAP)
    return lift


def piston(axis="x", start=1.2, speed=0.0, gravity=G, **words):
    m = kb.Machine("piston", gravity=(0.0, 0.0, -gravity))
    rod = m.body("rod", mass=MASS, com=(-0.2, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    m.prismatic("slide", m.ground, rod, axis=axis, start=start, speed=speed)
    cylinder(m, m.ground, rod, **words)
    return m


def lengths(s):
    """Of the columns on the bore and on the rod side."""
    return s - CLOSED, CLOSED + STROKE - s


# along a line


def pushed(times, force, start, speed):
    """Position and speed of a piston on oil, by SciPy."""

    def rates(t, y):
        s, w, p_a, p_b = y
        x_a, x_b = lengths(s)
        V_a, V_b = DEAD + AREA_A * x_a, DEAD + AREA_B * x_b
        Q_a, Q_b = GAP * (AMBIENT - p_a), GAP * (AMBIENT - p_b)
        oil = (p_a - AMBIENT) * AREA_A - (p_b - AMBIENT) * AREA_B
        coming_in = KAPPA_A * w * w if w > 0.0 else -KAPPA_B * w * w
        acceleration = (force(t) + oil - coming_in) / (MASS + KAPPA_A * x_a + KAPPA_B * x_b)
        return w, acceleration, BULK * (Q_a - AREA_A * w) / V_a, BULK * (Q_b + AREA_B * w) / V_b

    given = {"rtol": 1e-12, "atol": 1e-12, "t_eval": times, "method": "DOP853", "max_step": 1e-3}
    return solve_ivp(rates, (0.0, times[-1]), (start, speed, AMBIENT, AMBIENT), **given).y


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_piston_that_is_pushed_to_and_fro(coordinates):
    def force(t):
        return 2e3 * math.cos(20.0 * t)

    m = piston(start=1.3, speed=0.5)
    m.force("push", "rod", "x")
    found = kb.simulate(m, 0.6, record=1e-2, inputs={"push": force}, coordinates=coordinates, **EXPLICIT)
    s, w, p_a, p_b = pushed(found.time, force, 1.3, 0.5)

    assert w.min() < -0.5 and w.max() > 0.5 and np.ptp(s) > 0.05
    assert found["lift.length"].values == pytest.approx(s, abs=1e-8)
    assert found["lift.speed"].values == pytest.approx(w, abs=1e-7)
    assert found["lift.a.pressure"].values == pytest.approx(p_a, rel=1e-7)
    assert found["lift.b.pressure"].values == pytest.approx(p_b, rel=1e-7)
    x_a, x_b = lengths(s)
    assert found["lift.a.mass"].values == pytest.approx(KAPPA_A * x_a, abs=1e-5)
    assert found["lift.b.mass"].values == pytest.approx(KAPPA_B * x_b, abs=1e-5)
    audit = found.energy()
    assert abs(audit.residual) < 1e-7 * audit.work_done


def test_the_force_that_a_motion_needs_and_its_powers():
    """Upwards and back: momentum, loss where oil comes in, and what comes and goes with it at both ends."""
    amplitude, omega = 0.2, 8.0
    m = piston("z", start=1.3)
    m.driver("pull", joint="slide", start=1.3, amplitude=amplitude, frequency=omega / (2.0 * math.pi))
    found = kb.simulate(m, 0.7, record=5e-3, coupling="explicit", step=5e-5)
    t = found.time
    s, w = 1.3 + amplitude * np.sin(omega * t), amplitude * omega * np.cos(omega * t)
    a = -omega * omega * (s - 1.3)
    x_a, x_b = lengths(s)
    wanted = (MASS + KAPPA_A * x_a + KAPPA_B * x_b) * (a + G) + np.where(w > 0.0, KAPPA_A, -KAPPA_B) * w * w

    given = found["pull.force"].values + found["lift.force"].values
    assert given == pytest.approx(wanted, abs=1e-8 * np.abs(wanted).max())

    def rate(t):
        return amplitude * omega * math.cos(omega * t)

    def integral(power):
        turns = [k * math.pi / (2.0 * omega) for k in range(1, 4)]
        return quad(power, 0.0, 0.7, points=turns, limit=200, epsabs=1e-10)[0]

    def supplied(kappa, grows, height):
        def power(t):
            growth = kappa * grows * rate(t)
            return growth * G * height + (0.5 * growth * rate(t) ** 2 if growth < 0.0 else 0.0)

        return integral(power)

    audit = found.energy()
    lost = {
        "a": integral(lambda t: 0.5 * KAPPA_A * max(rate(t), 0.0) ** 3),
        "b": integral(lambda t: 0.5 * KAPPA_B * max(-rate(t), 0.0) ** 3),
    }
    came = {"a": supplied(KAPPA_A, 1.0, BASE), "b": supplied(KAPPA_B, -1.0, BASE + STROKE)}
    for side in ("a", "b"):
        assert found[f"lift.{side}.mass_loss"].values[-1] == pytest.approx(lost[side], rel=1e-8)
        assert found[f"lift.{side}.mass_supplied"].values[-1] == pytest.approx(came[side], rel=1e-7)
    assert audit.dissipated["lift"] == pytest.approx(sum(lost.values()), rel=1e-8)
    assert audit.supplied["lift"] == pytest.approx(sum(came.values()), rel=1e-7)
    assert abs(audit.residual) < 1e-9 * audit.work_done


# a barrel that turns


def turning(base, single, speed=0.9):
    """A barrel about the vertical z, with a rod that is driven out and in."""
    m = kb.Machine("turning", gravity=(0.0, 0.0, 0.0))
    barrel = m.body("barrel", mass=5.0, com=(0.4, 0.0, 0.0), inertia=(0.1, 0.3, 0.3))
    rod = m.body("rod", mass=MASS, com=(-0.4, 0.0, 0.0), inertia=(0.1, 0.5, 0.5))
    m.revolute("pivot", m.ground, barrel, axis="z", speed=speed)
    m.prismatic("slide", barrel, rod, axis="x", start=1.3)
    m.driver("pull", joint="slide", start=1.3, amplitude=0.25, frequency=1.5)
    cylinder(m, barrel, rod, single=single, base=base)
    return m


def inertia(s, base, single):
    """About the axis, with what the columns do."""
    x, far = base + s - CLOSED, base + STROKE
    J = 0.3 + 5.0 * 0.4**2 + 0.5 + MASS * (s - 0.4) ** 2 + KAPPA_A * (x**3 - base**3) / 3.0
    return J if single else J + KAPPA_B * (far**3 - x**3) / 3.0


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_oil_that_comes_in_on_the_axis_brings_no_angular_momentum(coordinates):
    found = kb.simulate(turning(0.0, True), 0.6, record=1e-2, coordinates=coordinates, **EXPLICIT)
    omega, s = found["barrel.angular_velocity"].values[:, 2], found["lift.length"].values

    assert np.ptp(omega) > 0.2
    assert inertia(s, 0.0, True) * omega == pytest.approx(inertia(1.3, 0.0, True) * 0.9, rel=1e-8)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("base", [0.15, -0.4])
def test_oil_that_comes_in_beside_the_axis_brings_its_own(base, coordinates):
    """ω follows s alone, on the way out and back: d ln ω = ((κ_a r_a² − κ_b r_b²) − dJ/ds) ds/J."""
    words = {"coupling": "explicit", "step": 5e-5, "coordinates": coordinates}
    found = kb.simulate(turning(base, False), 0.6, record=1e-2, **words)
    omega, s = found["barrel.angular_velocity"].values[:, 2], found["lift.length"].values
    brought = KAPPA_A * base**2 - KAPPA_B * (base + STROKE) ** 2

    def slope(s):
        x = base + s - CLOSED
        by_s = 2.0 * MASS * (s - 0.4) + (KAPPA_A - KAPPA_B) * x**2
        return (brought - by_s) / inertia(s, base, False)

    wanted = [0.9 * math.exp(quad(slope, 1.3, end, epsabs=1e-13)[0]) for end in s]
    assert np.ptp(omega) > 0.2
    assert omega == pytest.approx(wanted, rel=1e-8)
    assert abs(found.energy().residual) < 1e-9 * found.energy().work_done


# weight


@pytest.mark.parametrize("start", [1.05, 1.3, 1.55])
def test_its_weight_follows_the_stroke(start):
    m = piston("z", start=start)
    m.driver("hold", joint="slide", start=start)
    x_a, x_b = lengths(start)
    found = kb.simulate(m, 1e-2, step=1e-3)
    held = found["hold.force"].values + found["lift.force"].values

    assert held == pytest.approx(G * (MASS + KAPPA_A * x_a + KAPPA_B * x_b), rel=1e-9)


def test_oil_carries_itself_in_the_equilibrium():
    """A locked piston stands where it does; pressure on the bore side carries rod and both columns."""
    m = kb.Machine("standing")
    rod = m.body("rod", mass=MASS, com=(0.0, 0.0, 0.0), inertia=(0.1, 0.1, 0.1))
    m.prismatic("slide", m.ground, rod, axis="z", start=1.4)
    oil = m.oil(kb.fluids.constant(DENSITY, 1.4e9))
    lift = m.cylinder(
        "lift", m.ground, rod, oil=oil, bore=BORE, rod=ROD, stroke=STROKE, closed=CLOSED, oil_mass=True, base=BASE
    )
    oil.restrictor("open", lift.b, oil.tank("tank", AMBIENT), area="1 mm^2")
    state = kb.equilibrium(m)
    x_a, x_b = lengths(state["lift.length"])

    carried = (state["lift.a.pressure"] - AMBIENT) * AREA_A
    assert carried == pytest.approx(G * (MASS + KAPPA_A * x_a + KAPPA_B * x_b), rel=1e-8)
    assert state["lift.length"] == pytest.approx(1.4, abs=1e-4)


@pytest.mark.parametrize("s", [1.1, 1.5])
def test_its_moment_about_a_pin(s):
    """A cylinder that lies level: the pin of its barrel holds barrel, rod and columns where these are."""
    m = kb.Machine("level")
    barrel = m.body("barrel", mass=5.0, com=(0.4, 0.0, 0.0), inertia=(0.1, 0.3, 0.3))
    rod = m.body("rod", mass=MASS, com=(-0.4, 0.0, 0.0), inertia=(0.1, 0.5, 0.5))
    m.revolute("pin", m.ground, barrel, axis="-y")
    m.prismatic("slide", barrel, rod, axis="x", start=s)
    cylinder(m, barrel, rod)
    found = kb.inverse_dynamics(m, {"pin": lambda t: 0.0 * t, "slide": lambda t: s + 0.0 * t}, times=np.zeros(1))
    x_a, x_b = lengths(s)
    columns = KAPPA_A * x_a * (BASE + 0.5 * x_a) + KAPPA_B * x_b * (BASE + STROKE - 0.5 * x_b)

    assert found["pin"].values == pytest.approx(G * (5.0 * 0.4 + MASS * (s - 0.4) + columns), rel=1e-9)


def test_weight_that_grows_with_the_stroke_is_a_stiffness():
    """∂ẍ/∂x = −(k + g·dM/dx)/M of a rod that stands on a spring, its chambers open."""
    columns, stiffness = sum(kappa * x for kappa, x in zip((KAPPA_A, KAPPA_B), lengths(1.3), strict=True)), 2e5
    m = piston("z", start=1.3)
    m.joint_spring("spring", "slide", stiffness=stiffness, rest=1.3 + (MASS + columns) * G / stiffness)
    linear = kb.linearise(m, kb.equilibrium(m))
    found = linear.A.values[linear.states.index("slide.travel_rate"), linear.states.index("slide.travel")]

    assert found == pytest.approx(-(stiffness + G * (KAPPA_A - KAPPA_B)) / (MASS + columns), rel=1e-9)


# in space


def flung(speed=0.8, oil_mass=True, driver=None):
    """A barrel in a ball at its end, with a rod that slides and oil in it."""
    m = kb.Machine("flung")
    barrel = m.body("barrel", mass=5.0, com=(0.4, 0.02, 0.0), inertia=(0.1, 0.2, 0.3))
    points = {"pin": (0.0, 0.0, 0.0), "inner": (-1.0, 0.0, 0.0), "centre": (-0.3, 0.0, 0.05)}
    rod = m.body("rod", mass=MASS, com=(-0.3, 0.0, 0.05), inertia=(0.1, 0.4, 0.5), points=points)
    m.spherical("foot", m.ground.at(0, 0, 0.2), barrel, start=(0.1, 0.3, 0.2), speed=(0.5, -0.9, 1.6))
    m.prismatic("slide", barrel, rod, axis="x", start=1.3, speed=speed)
    cylinder(m, barrel, rod, oil_mass=oil_mass)
    if driver is not None:
        m.driver("hold", joint="slide", start=driver)
    return m


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_oil_that_stands_still_is_two_bars(coordinates):
    """Held at one length, columns are thin bars on the rod: as bodies welded to it."""
    words = {"record": 1e-2, "coordinates": coordinates, **EXPLICIT}
    heavy = flung(oil_mass=False, driver=1.3)
    rod, ends = heavy["rod"], (-1.3 + BASE, -1.3 + BASE + STROKE)
    for name, kappa, low, high in (("bar_a", KAPPA_A, ends[0], -1.0 + BASE), ("bar_b", KAPPA_B, -1.0 + BASE, ends[1])):
        long = high - low
        bar = heavy.body(name, mass=kappa * long, inertia=(1e-12, kappa * long**3 / 12, kappa * long**3 / 12))
        heavy.fixed(f"weld_{name}", rod.at(0.5 * (low + high), 0, 0), bar)
    found, wanted = (kb.simulate(m, 0.4, **words) for m in (flung(driver=1.3), heavy))

    for path in ("barrel.orientation", "rod.velocity", "foot.reaction_force", "slide.reaction_moment"):
        assert found[path].values == pytest.approx(wanted[path].values, abs=1e-6), path
    for form in ("kinetic", "potential"):
        assert found[f"energy.{form}"].values == pytest.approx(wanted[f"energy.{form}"].values, abs=1e-6)


@pytest.mark.parametrize("speed", [0.8, -2.0])
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_reactions_are_what_barrel_rod_and_columns_need(coordinates, speed):
    """By accelerations of recorded points: those of a column's middle lie on the line of the rod."""
    m = flung(speed)
    m.put(m.parts["barrel"].model_copy(update={"points": {"centre": (0.4, 0.02, 0.0)}}))
    found = kb.simulate(m, 0.3, record=1e-2, coordinates=coordinates, **EXPLICIT)
    up, s, w = np.array([0.0, 0.0, G]), found["lift.length"].values[:, None], found["lift.speed"].values[:, None]
    pin, inner = (found[f"rod.{point}.acceleration"].values for point in ("pin", "inner"))
    places = [found[f"rod.{point}.position"].values for point in ("pin", "inner")]
    n = places[0] - places[1]

    def needed(kappa, near, length):
        """Of a column from `near` behind the pin on, that grows backwards."""
        middle = near + 0.5 * length
        return kappa * length * (pin + middle * (inner - pin) + up)

    x_a, x_b = lengths(s)
    reach = 1.0 - BASE
    wanted = 5.0 * (found["barrel.centre.acceleration"].values + up)
    wanted = wanted + MASS * (found["rod.centre.acceleration"].values + up)
    wanted = wanted + needed(KAPPA_A, reach, x_a) + needed(KAPPA_B, reach - x_b, x_b)
    wanted = wanted + np.where(w > 0.0, KAPPA_A, -KAPPA_B) * w * w * n
    assert np.linalg.norm(n, axis=1) == pytest.approx(np.ones(len(n)), abs=1e-9)
    assert abs(w[0, 0]) > 0.7
    assert found["foot.reaction_force"].values == pytest.approx(wanted, abs=1e-7)


def crane(moving_oil=True, stiff=2e8):
    """A boom on a cylinder with bodies, which a flow extends, on a tower that turns."""
    m = kb.Machine("crane")
    tower = m.body("tower", mass=50.0, com=(0.1, 0.0, 0.3), inertia=(3.0, 3.0, 3.0))
    boom = m.body("boom", mass=80.0, com=(1.2, 0.0, 0.0), inertia=(1.0, 40.0, 40.0))
    m.revolute("slew", m.ground, tower, axis="z", speed=0.8)
    m.revolute("foot", tower, boom, axis="-y", start=0.2)
    oil = m.oil(kb.fluids.constant(DENSITY, stiff))
    lift = m.cylinder(
        "lift", tower.at(0.4, 0.0, -0.9), boom.at(1.2, 0.0, -0.1), oil=oil, bore="90 mm", rod="50 mm", stroke=0.6,
        pressure_a="28 bar", pressure_b="1 bar", viscous=4e3,
    )  # fmt: skip
    tank = oil.tank("tank", AMBIENT)
    oil.flow_source("feed", tank, lift.a, 0.0, frequency="3 Hz", damping=1.0)
    oil.laminar_restrictor("drain", lift.b, tank, conductance=1e-9)
    kb.cylinder_bodies(m, "lift", barrel_mass=20.0, rod_mass=12.0, axis="y", base=0.1, moving_oil=moving_oil)
    return m


FEED = {"feed": lambda t: 8e-4 * math.sin(6.0 * t)}


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_crane_keeps_its_energy(coordinates):
    words = {"coupling": "explicit", "step": 1e-4, "coordinates": coordinates}
    found = kb.simulate(crane(), 1.0, record=2e-2, inputs=FEED, **words)

    audit = found.energy()
    assert found["lift.speed"].values.min() < -0.05 and found["lift.speed"].values.max() > 0.05
    assert audit.dissipated["lift"] > 0.0
    assert abs(audit.residual) < 1e-9 * audit.work_done


def test_coordinates_agree():
    words = {"record": 2e-2, "inputs": FEED, **EXPLICIT}
    found, other = (kb.simulate(crane(), 0.5, coordinates=name, **words) for name in COORDINATES)

    for path in ("boom.orientation", "lift_rod.velocity", "lift_base.reaction_force", "lift_slide.reaction_moment"):
        size = np.abs(found[path].values).max()
        assert found[path].values == pytest.approx(other[path].values, abs=1e-6 * size), path


@pytest.mark.slow
@every_method
def test_implicit_steps_are_of_order_2(method):
    coarse, fine = errors(flung, "rod.position", method, small=5e-5)
    assert fine < 1e-5
    assert math.log2(coarse / fine) > 1.7


# what goes with it


def test_a_single_acting_cylinder_has_one_column():
    found = kb.simulate(piston(single=True, speed=0.1), 1e-2, step=1e-3)
    assert found["lift.a.mass"].values == pytest.approx(KAPPA_A * (found["lift.length"].values - CLOSED), rel=1e-12)
    assert "lift.b.mass" not in found


def test_natural_coordinates_cannot_have_it():
    with pytest.raises(MachineError, match="cylinder 'lift': coordinates natural have a constant mass matrix"):
        kb.build(piston(), coordinates="natural")


def test_a_density_changes_while_it_runs():
    sim = kb.Simulation(piston(), step=1e-3)
    sim.step(n=2)
    sim.tune("oil.fluid.density", 450.0)
    sim.step()

    assert sim["lift.a.mass"] == pytest.approx(0.5 * KAPPA_A * (sim["lift.length"] - CLOSED), rel=1e-12)
