# SPDX-License-Identifier: BSD-3-Clause
"""Payloads that grow and shrink: balance of momentum, energies, reactions, in every coupling and in two coordinates.

    grows at rest        M(t) v = p₀ + F t                      lost ½ ∫ ṁ v² dt
    falls on an arm      I(t) ω = L,   L̇ = −g S(t) cos φ − ṁ x √(2 g H),   S the first moment      by SciPy
    shrinks              M(t) v̇ = F,   I(t) φ̈ = −g S(t) sin φ: what leaves pushes nothing            by SciPy
    does not change      a body that is heavier by it

with the mass m(t) = u + (m₀ − u) e^(−t/T) behind an input u. Rank: closed form and balances of momentum and angular
momentum that were integrated elsewhere; coordinates and couplings: second formulations in our own code. Tolerances:
rounding and RK4 at the step, some 1e-9; orders of the implicit methods are measured.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import knuckleboom as kb
from knuckleboom.errors import MachineError

G, CART, T = 9.81, 2.0, 0.1
COORDINATES = ("relative", "reference-point")


def cart(force=3.0, mass=0.0, speed=1.0, **payload):
    m = kb.Machine("cart")
    body = m.body("cart", mass=CART, com=(0.1, 0.0, 0.2), inertia=(0.1, 0.1, 0.1))
    m.prismatic("slide", m.ground, body, axis="x", speed=speed)
    m.force("push", body, "x", value=force)
    m.payload("ore", body.at(0.3, 0.1, 0.5), most=20.0, mass=mass, time_constant=T, **payload)
    return m


def mass_of(t, before, after):
    """What a payload has after its input went from one value to another."""
    return after + (before - after) * np.exp(-np.asarray(t) / T)


def run(machine, ore, duration=0.5, step=1e-3, **words):
    words = {"coupling": "explicit"} | words
    return kb.simulate(machine, duration, step=step, record=1e-2, inputs={"ore": ore}, **words)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_payload_that_grows_takes_momentum(coordinates):
    found = run(cart(), 5.0, coordinates=coordinates)
    t, v = found.time, found["cart.velocity"].values[:, 0]
    mass = mass_of(t, 0.0, 5.0)

    assert found["ore.mass"].values == pytest.approx(mass, abs=1e-8)
    assert (CART + mass) * v == pytest.approx(CART * 1.0 + 3.0 * t, abs=1e-7)


def test_what_is_lost_where_it_joins():
    audit = run(cart(), 5.0).energy()

    def power(t):
        return 0.5 * (5.0 / T) * math.exp(-t / T) * ((CART + 3.0 * t) / (CART + mass_of(t, 0.0, 5.0))) ** 2

    assert audit.dissipated["ore"] == pytest.approx(quad(power, 0.0, 0.5)[0], rel=1e-8)
    # ore that lay at its height
    assert audit.supplied["ore"] == pytest.approx(mass_of(0.5, 0.0, 5.0) * G * 0.5, rel=1e-8)
    assert abs(audit.residual) < 1e-6 * audit.work_done


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_payload_that_shrinks_pushes_nothing(coordinates):
    found = run(cart(mass=8.0), 0.0, coordinates=coordinates)

    def velocity(t):
        return 1.0 + quad(lambda s: 3.0 / (CART + mass_of(s, 8.0, 0.0)), 0.0, t, epsabs=1e-12)[0]

    v = found["cart.velocity"].values[:, 0]
    assert v == pytest.approx([velocity(t) for t in found.time], abs=1e-8)
    audit = found.energy()
    took = quad(lambda t: (8.0 / T) * math.exp(-t / T) * (G * 0.5 + 0.5 * velocity(t) ** 2), 0.0, 0.5)[0]
    assert audit.dissipated["ore"] == 0.0
    assert audit.supplied["ore"] == pytest.approx(-took, rel=1e-7)
    assert abs(audit.residual) < 1e-6 * audit.work_done


def test_an_input_that_grows_evenly():
    """A ramp of 10 kg/s is followed one time constant late."""
    found = run(cart(), lambda t: 10.0 * t)
    mass = 10.0 * (found.time - T * (1.0 - np.exp(-found.time / T)))

    assert (CART + mass) * found["cart.velocity"].values[:, 0] == pytest.approx(CART + 3.0 * found.time, abs=1e-6)


# an arm about the pin, from the x-axis up


ARM, CENTRE, ABOUT, PLACE, BOX = 4.0, 0.5, 0.3, 1.2, (0.4, 0.2, 0.3)
OWN = (BOX[0] ** 2 + BOX[2] ** 2) / 12.0


def arm(mass=0.0, start=0.4, speed=0.5, reverse=False, **payload):
    m = kb.Machine("arm")
    body = m.body("arm", mass=ARM, com=(CENTRE, 0.0, 0.0), inertia=(0.1, ABOUT, ABOUT))
    m.revolute("pin", m.ground, body, axis="-y", start=start, speed=speed)
    m.payload("ore", body.at(PLACE, 0.0, 0.0), most=20.0, mass=mass, box=BOX, time_constant=T, **payload)
    return m


def swing(times, before, after, height=0.0, start=0.4, speed=0.5):
    """Angle and speed of the arm by the balance of its angular momentum."""

    def inertia(m):
        return ABOUT + ARM * CENTRE**2 + m * (OWN + PLACE**2)

    def rates(t, y):
        angle, L = y
        m, growth = mass_of(t, before, after), (after - before) / T * math.exp(-t / T)
        omega = L / inertia(m)
        weight = -G * math.cos(angle) * (ARM * CENTRE + m * PLACE)
        if growth > 0.0:
            change = -growth * PLACE * math.cos(angle) * math.sqrt(2.0 * G * height)
        else:
            change = growth * (OWN + PLACE**2) * omega  # it takes its own along
        return omega, weight + change

    given = {"rtol": 1e-11, "atol": 1e-12, "t_eval": times, "method": "DOP853"}
    angle, L = solve_ivp(rates, (0.0, times[-1]), (start, speed * inertia(before)), **given).y
    return angle, L / inertia(mass_of(times, before, after))


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("before", "after", "height"), [(0.0, 6.0, 0.0), (1.0, 6.0, 0.8), (6.0, 1.0, 0.0)])
def test_an_arm_that_is_filled_and_emptied(before, after, height, coordinates):
    found = run(arm(before, falling_from=height), after, coordinates=coordinates)
    angle, omega = swing(found.time, before, after, height)

    turned = found["arm.orientation"].values
    assert 2.0 * np.arctan2(-turned[:, 2], turned[:, 0]) == pytest.approx(angle, abs=1e-7)
    assert -found["arm.angular_velocity"].values[:, 1] == pytest.approx(omega, abs=1e-6)
    audit = found.energy()
    assert abs(audit.residual) < 1e-6 * audit.work_done


def test_what_falls_brings_its_height():
    """Supplied is the weight times the height at which it began to fall."""
    found = run(cart(falling_from=0.7), 5.0)
    audit = found.energy()
    assert audit.supplied["ore"] == pytest.approx(mass_of(0.5, 0.0, 5.0) * G * 1.2, rel=1e-8)
    lost = audit.dissipated["ore"] - run(cart(), 5.0).energy().dissipated["ore"]
    assert lost == pytest.approx(mass_of(0.5, 0.0, 5.0) * G * 0.7, rel=1e-8)  # and loses all of that


# in space


def chain(payload=True):
    """A spherical joint, a hinge and a weld, with payloads on two bodies; or bodies that are heavier by them."""
    m = kb.Machine("chain")
    one = m.body("one", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    two = m.body("two", mass=2.0, com=(0.3, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    three = m.body("three", mass=1.0, com=(0.1, 0.0, 0.1), inertia=(0.02, 0.03, 0.04))
    m.spherical("foot", m.ground.at(0, 0, 0.2), one, start=(0.1, 0.3, 0.2), speed=(0.5, -0.4, 0.6))
    m.revolute("knee", one.at(0.5, 0, 0), two, axis="y", start=0.2, speed=0.7)
    m.fixed("weld", two.at(0.4, 0, 0.1), three)
    place = {"body": "three", "at": (0.4, 0.05, 0.1), "rpy": (0.3, 0.2, -0.5)}
    if payload:
        m.payload("ore", place, mass=2.0, most=20.0, box=(0.2, 0.3, 0.5), time_constant=T)
        m.payload("rope", one.at(0.3, 0.1, 0.2), mass=1.5, most=20.0, time_constant=T)
    else:
        about = np.array([0.3**2 + 0.5**2, 0.2**2 + 0.5**2, 0.2**2 + 0.3**2]) * 2.0 / 12.0
        crate = m.body("crate", mass=2.0, inertia=tuple(about))
        m.fixed("nail", place, crate)
        m.body("knot", mass=1.5, inertia=(1e-9, 1e-9, 1e-9))
        m.fixed("tie", one.at(0.3, 0.1, 0.2), "knot")
    return m


STEPS = {"ore": kb.steps({"0 s": 9.0, "0.2 s": 1.0}), "rope": kb.steps({"0 s": 1.0, "0.1 s": 4.0})}


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_one_that_does_not_change_is_a_body(coordinates):
    words = {"step": 5e-4, "record": 1e-2, "coupling": "explicit", "coordinates": coordinates}
    found, wanted = (kb.simulate(chain(payload), 0.3, **words) for payload in (True, False))

    for path in ("one.position", "two.orientation", "three.velocity", "foot.reaction_force", "knee.reaction_moment"):
        assert found[path].values == pytest.approx(wanted[path].values, abs=1e-6), path
    for form in ("kinetic", "potential"):
        assert found[f"energy.{form}"].values == pytest.approx(wanted[f"energy.{form}"].values, abs=1e-6)


def test_coordinates_agree_in_space_and_energy_is_kept():
    words = {"step": 5e-4, "record": 1e-2, "coupling": "explicit", "inputs": STEPS}
    found, other = (kb.simulate(chain(), 0.4, coordinates=name, **words) for name in COORDINATES)

    for path in ("one.position", "two.orientation", "three.velocity", "foot.reaction_force", "weld.reaction_moment"):
        assert found[path].values == pytest.approx(other[path].values, abs=1e-6), path
    for one in (found, other):
        assert abs(one.energy().residual) < 1e-6 * one.energy().work_done


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_reactions_are_what_the_bodies_beyond_need(coordinates):
    """The weld gives the third body m a of its own, and of the ore m (a + g) + ṁ v: by the recorded point."""
    m = chain()
    m.parts["three"] = m.parts["three"].model_copy(update={"points": {"ore": (0.4, 0.05, 0.1), "own": (0.1, 0.0, 0.1)}})
    words = {"step": 5e-4, "record": 1e-2, "coupling": "explicit", "inputs": STEPS, "coordinates": coordinates}
    found = kb.simulate(m, 0.4, **words)

    up = np.array([0.0, 0.0, G])
    mass = found["ore.mass"].values[:, None]
    growth = np.maximum((found["ore.input"].values[:, None] - mass) / T, 0.0)
    wanted = mass * (found["three.ore.acceleration"].values + up) + growth * found["three.ore.velocity"].values
    wanted = wanted + 1.0 * (found["three.own.acceleration"].values + up)
    assert np.abs(growth).max() > 50.0
    assert found["weld.reaction_force"].values == pytest.approx(wanted, abs=1e-8)


# other methods


METHODS = {
    "realtime": {"coupling": "realtime"},
    "realtime, reference-point": {"coupling": "realtime", "coordinates": "reference-point"},
    "unified": {"coupling": "unified"},
    "unified, reference-point, sparse": {"coupling": "unified", "coordinates": "reference-point"},
    "unified, damped": {"coupling": "unified", "integrator": "generalised-alpha"},
    "cointegrated": {"coupling": "cointegrated"},
    "cosimulated": {"coupling": "cosimulated"},
    "cosimulated, reference-point": {"coupling": "cosimulated", "coordinates": "reference-point"},
}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_implicit_steps_are_of_order_2(method):
    """While the mass changes smoothly: the input is one value from the start, and the jump there is not asked for."""
    inputs = {"ore": lambda t: 6.0 + 4.0 * math.sin(8.0 * t), "rope": lambda t: 1.5 + 2.0 * t}
    path, words = "three.position", {"record": 2e-2, "inputs": inputs}
    exact = kb.simulate(chain(), 0.2, step=1e-4, coupling="explicit", **words)[path].values
    coarse, fine = (
        np.abs(kb.simulate(chain(), 0.2, step=step, **METHODS[method], **words)[path].values - exact).max()
        for step in (2e-3, 1e-3)
    )
    assert fine < 2e-5
    assert math.log2(coarse / fine) > 1.7


# what goes with it


@pytest.mark.parametrize(("given", "acts"), [(-5.0, 0.0), (50.0, 20.0)])
def test_an_input_out_of_range_acts_as_the_nearest_end(given, acts):
    with pytest.warns(RuntimeWarning, match=rf"Input 'ore' was {given:.3g}\S* kg .* it acts as {acts:g} does"):
        found = run(cart(mass=2.0), given)
    wanted = run(cart(mass=2.0), acts)

    assert np.array_equal(found["cart.velocity"].values, wanted["cart.velocity"].values)
    assert np.array_equal(found["ore.mass"].values, wanted["ore.mass"].values)


def test_methods_that_cannot_have_it_say_so():
    with pytest.raises(MachineError, match="payload 'ore': coordinates natural have a constant mass matrix"):
        kb.build(cart(), coordinates="natural")


def test_its_weight_is_in_the_equilibrium():
    m = kb.Machine("scales")
    pan = m.body("pan", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.prismatic("guide", m.ground, pan, axis="z", start=0.5)
    m.joint_spring("spring", "guide", stiffness=1000.0, rest=0.5, damping=10.0)
    m.payload("ore", pan, most=20.0)

    for given, mass in ((4.0, 4.0), (-3.0, 0.0), (30.0, 20.0)):
        state = kb.equilibrium(m, inputs={"ore": given})
        assert state["guide.travel"] == pytest.approx(0.5 - (1.0 + mass) * G / 1000.0, abs=1e-9)
        assert state["ore.mass"] == mass


def test_inverse_dynamics_carries_what_the_input_says():
    times = np.array([0.0, 0.3, 0.7])
    inputs = {"ore": lambda t: 5.0 + 10.0 * t, "push": 0.0}
    found = kb.inverse_dynamics(cart(), {"slide": lambda t: 2.0 * t * t}, times=times, inputs=inputs)

    assert found["slide"].values == pytest.approx((CART + 5.0 + 10.0 * times) * 4.0, rel=1e-6)


def scales():
    m = kb.Machine("scales")
    pan = m.body("pan", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.prismatic("guide", m.ground, pan, axis="z", start=0.5)
    m.joint_spring("spring", "guide", stiffness=1000.0, rest=0.5)
    m.payload("ore", pan, most=20.0, mass=3.0)
    return m


def test_it_swings_with_the_rest():
    """ω² = k/(m + 3 kg); more mass pulls the pan down by g/(m + 3 kg) per kg, and decays with its lag."""
    state = kb.equilibrium(scales(), inputs={"ore": 3.0})
    linear = kb.linearise(scales(), state)

    assert linear.states == ["guide.travel", "guide.travel_rate", "ore.mass"]
    wanted = [[0.0, 1.0, 0.0], [-1000.0 / 4.0, 0.0, -G / 4.0], [0.0, 0.0, -10.0]]
    assert linear.A.values == pytest.approx(np.array(wanted), abs=1e-6)


def test_it_is_there_where_forces_are_given():
    found = kb.evaluate(scales(), forces={"spring.force": 100.0})

    assert found["guide.travel_acceleration"] == pytest.approx(100.0 / 4.0 - G)


def test_a_parameter_changes_while_it_runs():
    sim = kb.Simulation(scales(), step=1e-3)
    sim.step({"ore": 30.0}, n=10)
    sim.tune("ore.most", 40.0)
    sim.tune("ore.time_constant", 0.01)
    sim.step(n=200)

    assert sim["ore.mass"] == pytest.approx(30.0, abs=1e-6)


@pytest.mark.slow
def test_an_excavator_digs_with_it():
    """The bucket's load with its inertia: filled while it digs, carried round, dumped; the audit closes."""
    case = kb.catalogue.NAMES["excavator"]()
    machine, bucket = case.machine, case.machine.parts["load"].at
    machine.payload("ore", bucket, most="3 t", box=(0.8, 1.0, 0.6))
    inputs = dict(case.inputs) | {"load": 0.0, "ore": kb.steps({"0 s": 0.0, "3 s": 1500.0, "10.2 s": 0.0})}
    found = kb.simulate(machine, 13.0, step=1e-3, record=2e-2, coupling="realtime", inputs=inputs)

    audit = found.energy()
    assert found["ore.mass"].values[[0, 400, -1]] == pytest.approx([0.0, 1500.0, 0.0], abs=1.0)
    assert audit.relative_residual < 1e-3
    # it was lifted: what left took more along than what came had
    assert audit.supplied["ore"] < -1500.0 * G * 1.0 < 0.0 < audit.dissipated["ore"]
