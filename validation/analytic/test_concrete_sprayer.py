# SPDX-License-Identifier: BSD-3-Clause
"""The concrete sprayer as its designer would check it by hand, and its counts against a paper's table.

Holding pressures: moments and forces summed up here from masses and places of the drawing, level by level, within 1e-9
(closed form). Speeds: continuity, flow of the open edge over the piston's area, and the edge's drop within the
compensator's band. Counts: [Baharudin 2016, table 4.1]. Cycle: a run with a fifth of the
step, which bench realtime found converged to 0.01 mm.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.oil_forces import oil_force
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue import concrete_sprayer as sprayer
from knuckleboom.catalogue.load_sensing import EDGE, EDGE_BAND, TANK
from knuckleboom.catalogue.standing_cylinder import areas
from knuckleboom.mechanics.parts import Body
from knuckleboom.plan import counts

GRAVITY = 9.81
RAMS = ("lift", "telescope_1_ram", "telescope_2_ram", "tilt", "lance_ram")
TIP = 0.3 + 0.5 + 0.25 + 0.4 + 3.15  # m, hinge of the head along the boom in the start pose
# masses, and centres from the head's hinge, which carries everything level
HEAD = ((70.0, 0.15), (60.0, 0.30), (65.0, 0.30 + 0.3 + 0.7), (18.0, 2.30 + 0.08 * math.cos(math.radians(60.0))))
# nozzle: bracket of 0.2 m at 60°, then half of 0.45 m at 68°
NOZZLE = (12.0, 2.30 + 0.2 * math.cos(math.radians(60.0)) + 0.225 * math.cos(math.radians(68.0)))
BOOM = ((480.0, 1.6), (230.0, 0.3 + 0.5 + 1.5), (170.0, 0.3 + 0.5 + 0.25 + 0.4 + 1.6))


@pytest.fixture(scope="module")
def rest():
    return kb.equilibrium(NAMES["concrete-sprayer"]().machine)


@pytest.fixture(scope="module")
def cycle():
    case = NAMES["concrete-sprayer"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=0.02, inputs=case.inputs, **case.method)


@pytest.mark.parametrize(("kind", "coordinates", "equations"), [("relative", 12, 2), ("reference-point", 66, 56)])
def test_counts_are_those_of_the_table(kind, coordinates, equations):
    planned = kb.build(NAMES["concrete-sprayer"]().machine, coordinates=kind)
    assert len(planned.machine.of(Body)) == 11
    assert (planned.topology.nv, planned.loop_equations, planned.dof) == (coordinates, equations, 10)
    assert counts.constraint_equations(planned) == 56
    published = counts.published(planned)
    entries, filled = {"relative": (132, 24), "reference-point": (3696, 420)}[kind]
    # 432 of 3696 in the table: its joints are not published, and a row's non-zeros depend on how a joint is written
    assert (published["phi_q"].entries, published["phi_q"].nonzeros) == (entries, filled)
    assert (published["M"].entries, published["M"].nonzeros) == (4356, 330)


def test_telescopes_carry_what_slides_on_them(rest):
    carried = sum(mass for mass, _ in (*HEAD, NOZZLE))
    along = GRAVITY * math.sin(math.radians(20.0))
    assert oil_force(rest, "telescope_2_ram", sprayer.TELESCOPE) == pytest.approx((carried + 170.0) * along, rel=1e-9)
    assert oil_force(rest, "telescope_1_ram", sprayer.TELESCOPE) == pytest.approx((carried + 400.0) * along, rel=1e-9)


def test_tilt_cylinder_carries_the_head(rest):
    moment = GRAVITY * sum(mass * out for mass, out in (*HEAD, NOZZLE))
    # the eye stands 0.2 m from the hinge, turned back by 20°; the foot lies on the telescope
    turned = math.radians(-20.0)
    eye = (
        math.cos(turned) * -0.068 - math.sin(turned) * 0.188,
        math.sin(turned) * -0.068 + math.cos(turned) * 0.188,
    )
    foot = (2.41 - 3.15, 0.13)
    line = (eye[0] - foot[0], eye[1] - foot[1])
    arm = (eye[0] * line[1] - eye[1] * line[0]) / math.hypot(*line)
    assert oil_force(rest, "tilt", sprayer.TILT) == pytest.approx(moment / arm, rel=1e-9)


def test_lift_cylinder_carries_boom_and_its_own_halves(rest):
    """Moment balance about the boom's hinge; the barrel's pin carries what the cylinder's weight leaves over."""
    c, s = math.cos(math.radians(20.0)), math.sin(math.radians(20.0))
    moment = GRAVITY * c * sum(mass * along for mass, along in BOOM)
    moment += GRAVITY * sum(mass * (TIP * c + out) for mass, out in (*HEAD, NOZZLE))
    hinge, foot = (-0.35, 1.45), (0.20, 0.10)
    eye = (hinge[0] + 0.735 * c + 0.15 * s, hinge[1] + 0.735 * s - 0.15 * c)
    line = (eye[0] - foot[0], eye[1] - foot[1])
    length = math.hypot(*line)
    way = (line[0] / length, line[1] / length)

    # across the cylinder the eye carries the weight's moment about the foot; along it the rod's weight
    centres = ((55.0, 0.45), (30.0, length - 1.105 + 0.6))
    across = GRAVITY * way[0] * sum(mass * at for mass, at in centres) / length
    arm = (eye[0] - hinge[0], eye[1] - hinge[1])
    lever = arm[0] * way[1] - arm[1] * way[0]
    beside = arm[0] * way[0] + arm[1] * way[1]  # lever of a force square to the cylinder
    force = (moment + across * beside) / lever + 30.0 * GRAVITY * way[1]
    assert oil_force(rest, "lift", sprayer.LIFT) == pytest.approx(force, rel=1e-9)
    assert 40e5 < rest["lift.a.pressure"] < 70e5


def test_starts_at_rest():
    assert np.abs(kb.build(NAMES["concrete-sprayer"]().machine).accelerations()).max() < 1e-9


def test_nothing_drifts_from_rest():
    run = kb.simulate(NAMES["concrete-sprayer"]().machine, 0.05, step=1e-3, coupling="realtime", start="equilibrium")
    assert max(float(np.ptp(one.values)) for one in run.find("*.pressure")) < 0.05


def test_boom_fully_out_and_level_can_be_lifted():
    """Worst moment, all slides out and the boom level, against the lift cylinder at the pump's rated pressure."""
    c, s = 1.0, 0.0
    out = (0.3 + 2.0, 0.25 + 2.0, 3.15)
    moment = 480.0 * 1.6 + 230.0 * (out[0] + 1.5) + 170.0 * (out[0] + out[1] + 1.6)
    moment += sum(mass * (sum(out) + at + 0.9) for mass, at in (*HEAD, NOZZLE))
    eye = (-0.35 + 0.735 * c + 0.15 * s, 1.45 + 0.735 * s - 0.15 * c)
    line = (eye[0] - 0.20, eye[1] - 0.10)
    lever = (0.735 * line[1] + 0.15 * line[0]) / math.hypot(*line)
    pressure = GRAVITY * moment / lever / areas(0.100, 0.060)[0]
    assert 70e5 < pressure < 0.7 * sprayer.BOOM_RATED


def test_telescope_speed_is_flow_over_area():
    """At full lever: the pump gives what the edge lets through, the compensator keeps its drop within its band."""
    case = NAMES["concrete-sprayer"]()
    run = kb.simulate(case.machine, 2.0, step=1e-3, record=0.01, inputs={"telescope_1_valve": 1.0}, **case.method)
    speed = (run["telescope_1_ram.length"].at(2.0) - run["telescope_1_ram.length"].at(1.5)) / 0.5
    flow = run["telescope_1_valve.PA.flow"].at(1.8)
    drop = run["telescope_1_gallery.pressure"].at(1.8) - run["telescope_1_ram.a.pressure"].at(1.8)
    assert speed * areas(0.063, 0.045)[0] == pytest.approx(flow, rel=0.01)
    assert EDGE - EDGE_BAND < drop < EDGE
    assert flow == pytest.approx(20e-3 / 60.0 * math.sqrt(drop / 10e5), rel=0.01)
    assert 0.08 < speed < 0.13


def test_cycle_is_that_of_such_a_machine(cycle):
    assert abs(cycle.energy().relative_residual) < 1e-3
    pressures = {one.path: one.values for one in cycle.find("*.pressure")}
    assert min(values.min() for values in pressures.values()) > 0.5e5
    assert pressures["supply.pressure"].max() < sprayer.BOOM_RATED + TANK
    # ends near where it began, after a sweep of 30° and more
    for ram in RAMS:
        assert cycle[f"{ram}.length"].values[-1] == pytest.approx(cycle[f"{ram}.length"].values[0], abs=0.05)
    assert np.ptp(cycle["swing_bearing.angle"].values) > math.radians(30.0)
    assert cycle["wobble.angle"].values[-1] > 20.0 * 2.0 * math.pi
    # slewing at some degrees per second
    assert 4.0 < math.degrees(cycle["slew.angle"].at(8.5) - cycle["slew.angle"].at(7.5)) < 10.0


@pytest.mark.slow
def test_cycle_is_within_a_millimetre_of_a_converged_run(cycle):
    case = NAMES["concrete-sprayer"]()
    fine = kb.simulate(case.machine, case.duration, step=2e-4, record=0.02, inputs=case.inputs, **case.method)
    for ram in RAMS:
        assert np.abs(fine[f"{ram}.length"].values - cycle[f"{ram}.length"].values).max() < 1e-3


@pytest.mark.slow
def test_runge_kutta_follows_with_the_step_of_the_paper(cycle):
    """rk4 in steps of 0.8 ms, as published; the stiffest oil volume is just within its stability."""
    case = NAMES["concrete-sprayer"]()
    run = kb.simulate(case.machine, case.duration, step=0.8e-3, record=0.02, inputs=case.inputs)
    assert abs(run.energy().relative_residual) < 2e-3
    for ram in RAMS:
        assert np.abs(run[f"{ram}.length"].values - cycle[f"{ram}.length"].values).max() < 1e-3
