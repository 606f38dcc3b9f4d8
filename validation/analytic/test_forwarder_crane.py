# SPDX-License-Identifier: BSD-3-Clause
"""The forwarder crane as its designer would check it by hand.

Holding pressures: virtual work, (∂s/∂q)ᵀ·F = ∂V/∂q, with places, masses and both four-bars typed from the drawing and
solved here by bisection, slopes by central differences: an independent formulation that shares nothing with the engine.
The issue asks for 0.1 %; differences of 1e-5 give about 1e-8, so 1e-6 is taken. Cycle: a run with a tenth of the step.
"""

import math
import time

import numpy as np
import pytest

import knuckleboom as kb
from analytic.oil_forces import oil_force
from knuckleboom.bench.machines import held
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.forwarder_crane import FEET
from knuckleboom.catalogue.forwarder_crane_circuit import RATED, RELIEF
from knuckleboom.hydraulics.parts.counterbalance_valve import CounterbalanceValve
from knuckleboom.hydraulics.parts.pressure_compensator import PressureCompensator
from knuckleboom.mechanics.parts import Body, Joint
from knuckleboom.plan import counts

G = 9.81
SIZES = {"lift": (0.125, 0.075), "fold": (0.110, 0.070), "telescope": (0.063, 0.040), "grip": (0.080, 0.050)}
LOG = 600.0 * G


def machine():
    return NAMES["forwarder-crane"]().machine


def put(origin, angle, point):
    """A point of a body in a plane: the body's origin, its angle, where it is on the body."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array(origin) + (c * point[0] - s * point[1], s * point[0] + c * point[1])


def root(function, low, high):
    """Zero of a function between two signs, by halving."""
    rising = function(high) > 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if (function(middle) > 0.0) == rising else (middle, high)
    return 0.5 * (low + high)


def crane(q, log):
    """Potential energy, J, and lengths of lift, fold, telescope and grip, m; q: boom, jib, travel, right arm."""
    boom, jib, out, right = q
    hinge = (-0.05, 3.20)
    knuckle = put(hinge, boom, (3.6, 0.0))
    ear = put(knuckle, boom + jib, (0.2954, -0.0521))
    pivot = put(hinge, boom, (3.25, -0.10))
    # rocker angle against the boom: the link keeps its 0.55 m
    turn = root(lambda a: np.linalg.norm(put(pivot, boom + a, (0.48, 0.0)) - ear) - 0.55, *BRACKET)
    end = put(pivot, boom + turn, (0.48, 0.0))
    aim = math.atan2(*(ear - end)[::-1])
    slide_1 = put(knuckle, boom + jib, (0.30 + out, 0.0))
    slide_2 = put(slide_1, boom + jib, (0.20 + out, 0.0))
    tip = put(slide_2, boom + jib, (2.40, 0.0))
    lumps = [
        (520.0, put(hinge, boom, (1.75, 0.03))), (35.0, put(pivot, boom + turn, (0.24, 0.0))),
        (32.0, put(end, aim, (0.275, 0.0))), (310.0, put(knuckle, boom + jib, (1.15, 0.03))),
        (140.0, put(slide_1, boom + jib, (1.15, 0.0))), (105.0, put(slide_2, boom + jib, (1.25, 0.0))),
    ]  # fmt: skip
    # what hangs plumb: link, rotator, grapple, and seen from behind, (right, up), arms and coupler
    below = tip[1] - 0.46
    energy = G * (sum(mass * at[1] for mass, at in lumps) + 35.0 * (tip[1] - 0.08) + 65.0 * (tip[1] - 0.33))
    pins, tie = np.array([[-0.35, -0.30], [0.35, -0.30]]), 2.0 * math.hypot(0.35, 0.12)
    lower = put(pins[1], -right, (0.0, -0.12))
    left = root(lambda a: np.linalg.norm(put(pins[0], a, (0.0, 0.12)) - lower) - tie, -0.9, 0.9)
    upper = put(pins[0], left, (0.0, 0.12))
    arms = put(pins[0], left, (-0.10, -0.36))[1] + put(pins[1], -right, (0.10, -0.36))[1]
    energy += G * (115.0 * (below - 0.18) + 68.0 * (2.0 * below + arms) + 12.0 * (below + 0.5 * (upper + lower)[1]))
    energy += log * below
    lean, ear_at = math.radians(17.5), 0.18
    ears = [
        put(pins[0], left, (-ear_at * math.sin(lean), ear_at * math.cos(lean))),
        put(pins[1], -right, (ear_at * math.sin(lean), ear_at * math.cos(lean))),
    ]  # fmt: skip
    lengths = (
        np.linalg.norm(put(hinge, boom, (0.51, -0.10)) - (0.15, 1.865)),
        np.linalg.norm(end - put(hinge, boom, (1.70, -0.30))),
        2.10 + out,
        np.linalg.norm(ears[1] - ears[0]),
    )
    return energy, np.array(lengths)


BRACKET = (-2.6, -1.2)  # rad: the rocker stands below the boom, leaning back


def forces(q, log):
    """Cylinder forces that hold a pose, N."""
    slopes, pulls, h = np.zeros((4, 4)), np.zeros(4), 1e-5
    for k in range(4):
        (v_plus, s_plus), (v_minus, s_minus) = (crane(q + sign * h * np.eye(4)[k], log) for sign in (1.0, -1.0))
        slopes[k], pulls[k] = (s_plus - s_minus) / (2.0 * h), (v_plus - v_minus) / (2.0 * h)
    return np.linalg.solve(slopes, pulls)


@pytest.fixture(scope="module")
def cycle():
    return kb.simulate(machine(), case="load", record=0.01)


def test_counts():
    m, planned = machine(), kb.build(machine())
    assert (len(m.of(Body)), len(m.of(Joint))) == (14, 16)
    assert counts.sizes(planned) == counts.Sizes(coordinates=19, loop_equations=5, dof=14, shafts=1)
    assert planned.redundant == []
    assert {joint.name for joint in planned.topology.cut} == {"ear_pin", "coupler_right_pin"}
    assert (len(m.of(PressureCompensator)), len(m.of(CounterbalanceValve))) == (6, 5)


@pytest.mark.parametrize("log", [0.0, LOG])
def test_holding_pressures_are_those_of_virtual_work(log):
    """At the pose of the equilibrium, whichever it is; every length of ours is that of the engine.

    The base is held: on its feet it leans under the log.
    """
    state = kb.equilibrium(held(machine()), inputs={"log": log / G})
    joints = ("boom_hinge.angle", "jib_hinge.angle", "telescope_1_slide.travel", "arm_right_pin.angle")
    q = np.array([state[path] for path in joints])
    lengths = crane(q, log)[1]
    for name, force, length in zip(SIZES, forces(q, log), lengths, strict=True):
        assert state[f"{name}.length"] == pytest.approx(length, abs=1e-9)
        assert oil_force(state, name, SIZES[name]) == pytest.approx(force, rel=1e-6)
    for motor in ("slew_motor", "rotator_motor"):
        assert state[f"{motor}.a.pressure"] == pytest.approx(state[f"{motor}.b.pressure"], rel=1e-6)
    assert state.stability == "stable"


@pytest.mark.parametrize("log", [0.0, LOG])
@pytest.mark.parametrize("slewed", [0.0, 1.2])
def test_feet_carry_it_by_statics(slewed, log):
    """Sum and both moments of what the feet carry, of weights typed above and the log, at the pose as it leans."""
    m = machine()
    m["slew"].start = slewed
    m.driver("lock", "slew", start=slewed)  # its motor lets it turn
    for body in m.of(Body):
        m[body.name].point("centre", body.com)
    state = kb.equilibrium(m, inputs={"log": log / G})
    weights = [(G * body.mass, state[f"{body.name}.centre.position"]) for body in m.of(Body)]
    weights.append((log, state["grapple.log.position"]))
    total, loads = sum(weight for weight, _ in weights), state.loads
    assert sum(loads.values()) == pytest.approx(total, rel=1e-6)
    for axis in (0, 1):
        wanted = sum(weight * at[axis] for weight, at in weights)
        found = sum(load * state[f"{foot}.point"][axis] for foot, load in loads.items() if load > 0.0)
        assert found == pytest.approx(wanted, abs=1e-3 * total)  # m·N: 1 mm of the weight
    assert {foot for foot, load in loads.items() if load > 0.0} == set(FEET)


def test_equilibrium_takes_less_than_a_second():
    m = machine()
    kb.equilibrium(m)  # compiles
    begun = time.perf_counter()
    kb.equilibrium(m)
    assert time.perf_counter() - begun < 1.0


def test_starts_at_rest():
    assert np.abs(kb.build(machine()).accelerations()).max() < 1e-9


def test_levers_at_rest_hold_it():
    run = kb.simulate(machine(), case="hold", record=0.01)
    assert run.warnings == []
    assert max(float(np.ptp(run[f"{name}.length"].values)) for name in SIZES) < 1e-6


def test_gross_lift_and_reach_are_those_of_the_class():
    """Cylinder at the pump's cut-off times its lever, by differences; tip with extensions out and all straight."""
    area = 0.25 * math.pi * 0.125**2
    moments = []
    for angle in np.radians(np.arange(-20.0, 76.0, 5.0)):
        low, high = (crane(np.array([angle + h, -1.3, 0.4, 0.0]), 0.0)[1][0] for h in (-1e-5, 1e-5))
        moments.append(RATED * area * (high - low) / 2e-5)
    assert 120e3 < max(moments) < 155e3
    reach = -0.05 + 3.6 + 0.3 + 0.2 + 2.4 + 2.0 * 1.7
    assert reach == pytest.approx(9.85)


@pytest.mark.slow
def test_cycle_is_that_of_such_a_machine(cycle):
    assert cycle.status == "done" and cycle.warnings == []
    assert set(cycle.energy().supplied) == {"engine", "log", "tank"}
    assert abs(cycle.energy().relative_residual) < 2e-4
    at = cycle["grapple.log.position"]
    assert np.hypot(*at.at(5.2)[:2]) > np.hypot(*at.at(0.0)[:2]) + 0.8  # out
    assert at.at(5.2)[2] < 1.3  # down
    assert at.at(10.5)[2] > at.at(6.8)[2] + 1.0  # up with the log
    assert 75.0 < math.degrees(cycle["slew.angle"].at(20.0)) < 100.0
    assert at.at(16.9)[2] < at.at(14.0)[2] - 0.2  # down
    assert cycle["arm_left_pin.angle"].at(6.9) > 0.1 > 0.0 > cycle["arm_left_pin.angle"].at(19.0)
    # the coupler keeps the arms alike within 1°
    difference = cycle["arm_left_pin.angle"].values - cycle["arm_right_pin.angle"].values
    assert np.degrees(np.abs(difference)).max() < 1.0
    pressures = {one.path: one.values for one in cycle.find("*.pressure")}
    assert min(values.min() for values in pressures.values()) > 0.5e5
    assert pressures["supply.pressure"].max() < RELIEF
    # counterbalance valves open from 270 bar on, 200 bar above that wide
    assert max(values.max() for values in pressures.values()) < 300e5


def test_load_checks_keep_loads_from_the_supply(cycle):
    """No oil goes back from a feed to its gallery."""
    for name in ("slew", "lift", "fold", "telescope", "rotator", "grip"):
        assert cycle[f"{name}_check.flow"].values.min() >= 0.0


@pytest.mark.slow
def test_cycle_is_within_a_seventh_of_a_millimetre_of_a_converged_run(cycle):
    fine = kb.simulate(machine(), case="load", record=0.01, step=1e-4)
    for name in SIZES:
        assert np.abs(fine[f"{name}.length"].values - cycle[f"{name}.length"].values).max() < 0.15e-3
