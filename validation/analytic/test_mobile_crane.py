# SPDX-License-Identifier: BSD-3-Clause
"""The mobile crane as its designer would check it by hand.

Holding pressures: moments and forces summed up here from masses and places of the drawing, within 1e-9 (closed form).
Swing of the hook: a compound pendulum on a crane that hardly gives way, 1 %. Speeds: continuity, within what oil and
friction take, 1 %. Cycle: a run with a fifth of the step, which bench realtime found converged to 0.01 mm.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.oil_forces import oil_force
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue import mobile_crane as crane
from knuckleboom.catalogue.standing_cylinder import areas
from knuckleboom.mechanics.parts import Body
from knuckleboom.plan import counts

GRAVITY = 9.81
COS = SIN = math.sqrt(0.5)  # boom at 45°
# centres along the boom from its hinge: half a length after the root of each section
SECTIONS = ((3000.0, 5.1), (1700.0, 2.1 + 4.8), (1300.0, 4.0 + 4.7), (950.0, 5.9 + 4.65))
HEAD, HOOK, ROPE = 5.9 + 9.3, 6350.0, 60.0  # m along the boom; kg
FOLLOWED = ("lift_left", "lift_right", "telescope", "winch")


@pytest.fixture(scope="module")
def rest():
    return kb.equilibrium(NAMES["mobile-crane"]().machine)


@pytest.fixture(scope="module")
def cycle():
    case = NAMES["mobile-crane"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=0.02, inputs=case.inputs, **case.method)


def lift_lever(angle):
    """Lever of the lift cylinders about the boom's hinge, m."""
    c, s = math.cos(angle), math.sin(angle)
    eye = (3.5 * c + 0.5 * s, 3.5 * s - 0.5 * c)
    line = (eye[0] - 0.70, eye[1] + 1.65)  # the foot is 0.7 m ahead of the hinge and 1.65 m below it
    return (eye[0] * line[1] - eye[1] * line[0]) / math.hypot(*line)


def boom_moment(hook):
    """Moment of boom and hook about the boom's hinge in the start pose, N·m."""
    return GRAVITY * COS * (sum(mass * along for mass, along in SECTIONS) + (hook + ROPE) * HEAD)


@pytest.mark.parametrize(("kind", "coordinates", "equations"), [("relative", 14, 2), ("reference-point", 48, 36)])
def test_counts(kind, coordinates, equations):
    planned = kb.build(NAMES["mobile-crane"]().machine, coordinates=kind)
    assert len(planned.machine.of(Body)) == 8
    assert counts.sizes(planned) == counts.Sizes(coordinates, equations, dof=12, shafts=1)
    assert counts.constraint_equations(planned) == 36


def test_two_lift_cylinders_carry_boom_and_load(rest):
    force = 0.5 * boom_moment(HOOK) / lift_lever(math.radians(45.0))
    for side in ("left", "right"):
        assert oil_force(rest, f"lift_{side}", crane.LIFT) == pytest.approx(force, rel=1e-9)
    assert 90e5 < rest["lift_left.a.pressure"] < 130e5


def test_telescope_cylinder_carries_what_cables_move_with_it(rest):
    """The second section moves twice as fast as the first, the third and the hook three times."""
    force = GRAVITY * SIN * (1700.0 + 2.0 * 1300.0 + 3.0 * (950.0 + HOOK + ROPE))
    assert oil_force(rest, "telescope", crane.TELESCOPE) == pytest.approx(force, rel=1e-9)


def test_winch_carries_the_hook(rest):
    oil = 80e-6 / (2.0 * math.pi) * 30.0 * 4.0 / 0.2
    drop = rest["winch.a.pressure"] - rest["winch.b.pressure"]
    assert drop == pytest.approx(HOOK * GRAVITY / oil, rel=1e-9)


def test_hook_swings_like_a_pendulum(rest):
    """ω² = Σ m·g·l/I about the boom's head: load 12.2 m below it, block 10.3 m, rope 3 m."""
    moment = 6000.0 * 12.2 + 350.0 * 10.3 + 60.0 * 3.0
    inertia = 6000.0 * (12.2**2 + 1.36**2 / 6.0) + 350.0 * 10.3**2 + 60.0 * (3.0**2 + 3.0)
    assert rest.stiffness == pytest.approx(GRAVITY * moment / inertia, rel=0.01)


def test_starts_at_rest_and_does_not_drift():
    machine = NAMES["mobile-crane"]().machine
    assert np.abs(kb.build(machine).accelerations()).max() < 1e-9
    run = kb.simulate(machine, 0.05, step=1e-3, coupling="realtime", start="equilibrium")
    assert max(float(np.ptp(one.values)) for one in run.find("*.pressure")) < 0.05


def test_outriggers_carry_the_weight(rest):
    mass = 22e3 + 9e3 + sum(section for section, _ in SECTIONS) + HOOK + ROPE
    loads = [abs(rest[f"stand_{foot}.force"]) for foot in crane.FEET]
    assert sum(loads) == pytest.approx(mass * GRAVITY, rel=1e-6)
    assert min(loads) > 0.05 * mass * GRAVITY  # it does not tip


def test_lift_capacity_at_rated_pressure_is_that_of_the_class():
    """At a radius of 9 m oil holds 1.2 to 1.6 times the 13 t of such cranes' charts, which stability limits."""
    moment = 2.0 * lift_lever(math.radians(45.0)) * areas(0.200, 0.140)[0] * crane.RATED
    hook = (moment - boom_moment(0.0)) / (GRAVITY * COS * HEAD)
    assert 9.0 < HEAD * COS - 1.6 < 9.2
    assert 1.2 * 13e3 < hook < 1.6 * 13e3


def test_winch_speed_is_flow_over_oil_per_length():
    case = NAMES["mobile-crane"]()
    run = kb.simulate(case.machine, 4.0, step=1e-3, record=0.01, inputs={"winch_valve": 1.0}, **case.method)
    speed = (run["hoist.travel"].at(2.0) - run["hoist.travel"].at(4.0)) / 2.0
    flow = np.mean(run["winch_valve.PA.flow"].values[200:])
    assert speed * crane.WINCH_OIL == pytest.approx(flow, rel=0.01)
    assert 0.2 < speed < 0.3


def test_cycle_is_that_of_such_a_machine(cycle):
    assert set(cycle.energy().supplied) == {"engine", "tank", "slew_tank"}
    assert abs(cycle.energy().relative_residual) < 2e-4
    pressures = {one.path: one.values for one in cycle.find("*.pressure")}
    assert min(values.min() for values in pressures.values()) > 0.5e5
    assert max(values.max() for values in pressures.values()) < crane.RATED
    assert pressures["lift_left.a.pressure"] == pytest.approx(pressures["lift_right.a.pressure"], rel=1e-3)
    # up, then slewed by 30° and more with the hook swinging behind, then out, then down
    height, out = cycle["hook.load.position"].values[:, 2], cycle["telescope_1_slide.travel"].values
    assert height[:350].max() - height[0] > 1.0
    assert math.degrees(cycle["slew.angle"].values[-1]) > 30.0
    assert 0.03 < np.ptp(cycle["swing.angle_2"].values) < 0.3
    assert out[-1] - out[0] > 0.3
    assert cycle["boom_hinge.angle"].at(17.0) - cycle["boom_hinge.angle"].at(24.0) > math.radians(3.0)


def test_held_between_movements(cycle):
    """Counterbalance valves hold while the levers rest: no creep of a cylinder in 5 s beyond the swinging."""
    length = cycle["lift_left.length"]
    assert length.at(13.5) == pytest.approx(length.at(8.5), abs=3e-3)
    assert cycle["hoist.travel"].at(13.0) == pytest.approx(cycle["hoist.travel"].at(7.0), abs=1e-3)


@pytest.mark.slow
def test_cycle_is_within_a_millimetre_of_a_converged_run(cycle):
    case = NAMES["mobile-crane"]()
    fine = kb.simulate(case.machine, case.duration, step=2e-4, record=0.02, inputs=case.inputs, **case.method)
    for part in FOLLOWED:
        assert np.abs(fine[f"{part}.length"].values - cycle[f"{part}.length"].values).max() < 1e-3
