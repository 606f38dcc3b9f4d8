# SPDX-License-Identifier: BSD-3-Clause
"""harvester-30 as its designer would check it by hand.

Holding pressures: moments summed up here from masses and places of the drawing, within 1e-9 (closed form). Capacity:
the crane's moment and the tightest pressures against those of the class. Wheel loads: six equations of statics
(harvester_loads.py), within 0.1 %. Speeds: continuity, flow of the open edge over the piston's area, with the edge's
drop within the compensator's band. Touch: forces up on ground and log against the weight. Cycle: a run with a tenth of
the step (second run of our own), and the ranges of such machines: 1 to 250 bar, pumps at most at their full flow.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.harvester_loads import standing
from analytic.harvester_statics import (
    FOLD_SIZES,
    GRAVITY,
    LIFT,
    LIFT_SIZES,
    TELESCOPE_SIZES,
    fold_force,
    lift_force,
    ram,
    telescope_force,
    turned,
)
from analytic.oil_forces import oil_force
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.harvester_oil import CUTOFF, SECTION_BAND, SECTION_MARGIN, TANK
from knuckleboom.catalogue.standing_cylinder import AMBIENT, areas

LOG = 850.0 * math.pi * 0.14**2 * 5.0
HANGING = 45.0 + 60.0 + 130.0 + 800.0 + 2 * 45.0 + 25.0 + LOG + 18.0 + 11.0  # link to log, with the tilt cylinder
MASS = HANGING + 5600.0 + 6000.0 + 2 * 420.0 + 4 * 330.0 + 2 * 480.0  # frames, bogies, wheels
MASS += 700.0 + 900.0 + 500.0 + 250.0 + (95.0 + 60.0) + (90.0 + 58.0) + (45.0 + 28.0)  # crane, its cylinders, steering
CYLINDERS = ("lift", "fold", "tilt", "steer", "telescope_cylinder", "grip_left_cylinder", "saw_cylinder")


@pytest.fixture(scope="module")
def rest():
    return kb.equilibrium(NAMES["harvester-30"]().machine)


@pytest.fixture(scope="module")
def cycle():
    case = NAMES["harvester-30"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=0.02, inputs=case.inputs, **case.method)


def test_crane_carries_its_weight(rest):
    assert oil_force(rest, "telescope_cylinder", TELESCOPE_SIZES) == pytest.approx(telescope_force(HANGING), rel=1e-9)
    assert oil_force(rest, "fold", FOLD_SIZES) == pytest.approx(fold_force(HANGING), rel=1e-9)
    assert oil_force(rest, "lift", LIFT_SIZES) == pytest.approx(lift_force(HANGING), rel=1e-9)
    assert 80e5 < rest["lift.a.pressure"] < 160e5


@pytest.mark.parametrize("start", [{}, {"slew": 1.0}, {"slew": -0.8, "articulation": 0.4}])
def test_wheel_loads(start):
    """With the log in its head: ahead, slewed, and bent with the crane to the other side."""
    state, loads, expected = standing("harvester-30", start)
    assert loads == pytest.approx(expected, rel=1e-3)
    assert sum(loads) == pytest.approx(GRAVITY * MASS, rel=1e-6)
    assert all(state[f"{name}.normal_force"] == 0.0 for name in ("log_bark", "head_frame", "cab", "hood"))
    if start:
        assert max(loads) > 2.0 * min(loads)


def test_bounces_on_its_tires(rest):
    """Heave of 18.9 t on six springs of 500 kN/m, 2.0 Hz, with pitch beside it: modes from 0.5 to 3 Hz, all damped."""
    modes = kb.modes(NAMES["harvester-30"]().machine, rest)
    assert max(mode.eigenvalue.real for mode in modes.oscillations) < 1e-6
    on_tires = [one for one in modes.oscillations if 0.5 < abs(one.eigenvalue) / (2.0 * math.pi) < 3.0]
    assert len(on_tires) >= 3


def test_lifts_its_head_with_a_log_at_full_reach():
    """Boom at 20°, jib level and fully out: 9.1 m; the lift cylinder at the pump's cut-off has a third in reserve."""
    angle = math.radians(20.0)
    reach = 4.0 * math.cos(angle) + 0.3 + 2.0 + 2.6
    moment = GRAVITY * (HANGING * reach + 250.0 * (reach - 2.6 + 1.25) + 500.0 * (4.0 * math.cos(angle) + 1.15))
    moment += GRAVITY * 900.0 * 1.85 * math.cos(angle)
    eye, foot = turned((1.25, -0.18), angle), LIFT[0]
    _, way, _ = ram(foot, eye, 1.20, 95.0, 60.0)
    lever = eye[0] * way[1] - eye[1] * way[0]
    capacity = lever * (areas(*LIFT_SIZES)[0] * (CUTOFF - AMBIENT))
    assert 150e3 < moment < 200e3 and capacity > 1.33 * moment


def levered(duration, **levers):
    """A run with levers that jump."""
    inputs = {f"{name}_valve": kb.steps(moves) for name, moves in levers.items()}
    machine = NAMES["harvester-30"]().machine
    return kb.simulate(machine, duration, step=1e-3, record=0.01, inputs=inputs)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The oil at:RuntimeWarning")
class TestTouch:
    def test_the_head_is_set_down(self):
        """It stands on a grip arm and the saw bar, which reach below the log: forces up are the weight."""
        run = levered(10.0, grip={0.0: 0.8, 1.2: 0.0}, lift={0.0: 0.0, 0.5: -0.4, 3.4: -0.15, 5.8: 0.0})
        until, last = np.searchsorted(run.time, 3.0), slice(np.searchsorted(run.time, 8.0), None)
        touching = [run[f"{name}.normal_force"].values for name in ("grip_left_tip", "grip_right_tip", "saw_bar")]
        assert all((force[:until] == 0.0).all() for force in touching)
        set_down = sum(touching)[last]
        assert set_down.mean() > 5e3
        tires = sum(one.values for one in run.find("tire_*.normal_force"))[last]
        assert (set_down + tires).mean() == pytest.approx(GRAVITY * MASS, rel=2e-3)
        assert max(run[f"{name}.depth"].values.max() for name in ("grip_right_tip", "saw_bar")) < 0.03
        assert abs(run.energy().residual) < 1e-3 * sum(run.energy().supplied.values())

    def test_the_log_does_not_go_through_the_cab(self):
        """Turned along the machine and drawn in by the jib, it meets the cab's front at x = 0.6 m and goes back."""
        run = levered(
            7.0, grip={0.0: 0.8, 1.2: 0.0}, rotator={0.0: -0.5, 1.2: 0.0}, telescope={0.0: -0.5, 3.0: 0.0},
            fold={0.0: 0.0, 0.8: -0.4, 6.0: 0.0}, lift={0.0: 0.3, 2.0: -0.2, 6.0: 0.0},
        )  # fmt: skip
        force = run["cab.log_bark.normal_force"].values
        assert 5e3 < force.max() < 200e3 and force[-1] == 0.0
        # the cab stays within centimetres of where it was
        assert run["log.position"].values[:, 0].min() - 2.5 > 0.6 - 0.1
        assert abs(run.energy().residual) < 5e-3 * sum(run.energy().supplied.values())


@pytest.mark.slow
class TestCycle:
    def test_lever_gives_the_speed(self, cycle):
        """Lift at 0.4 of the stroke: the edge beyond the overlap, at a drop within the compensator's band."""
        opening = (0.4 - 0.08) / (1.0 - 0.08)
        edge = 140.0 / 60e3 * opening / math.sqrt(SECTION_MARGIN - 0.5 * SECTION_BAND)
        slow, fast = (edge * math.sqrt(drop) for drop in (SECTION_MARGIN - SECTION_BAND, SECTION_MARGIN))
        speed = (cycle["lift.length"].at(11.0) - cycle["lift.length"].at(10.4)) / 0.6
        assert slow < speed * areas(*LIFT_SIZES)[0] < fast

    def test_pressures_and_flows_are_those_of_the_class(self, cycle):
        assert all(one.values.min() > 0.3e5 and one.values.max() < 260e5 for one in cycle.find("*.pressure"))
        for pump, full in (("crane", 145e-6 * 25.0), ("head", 165e-6 * 25.0)):
            flow = cycle[f"{pump}_pump.flow"].values
            assert 0.3 * full < flow.max() <= full and flow.min() >= 0.0
        assert 40e3 < cycle["crane_pump.shaft_power"].values.max() < 120e3

    def test_the_log_is_gripped_fed_and_brought_elsewhere(self, cycle):
        """Both arms press on the log at the limit of their section, 120 bar above the tank and its override."""
        pressed = cycle["grip_left_cylinder.a.pressure"].at(9.0) - TANK
        assert 110e5 < pressed < 150e5
        assert cycle["grip_left_hinge.angle"].at(9.0) > touching() > cycle["grip_left_hinge.angle"].at(2.0)
        assert 0.7 < cycle["log_slide.travel"].at(8.0) - cycle["log_slide.travel"].at(6.0) < 1.5
        assert math.degrees(cycle["slew.angle"].at(13.5)) > 40.0
        assert math.degrees(cycle["saw_hinge.angle"].values.max()) > 60.0

    def test_ends_near_where_it_began(self, cycle):
        moved = cycle["head.position"].values[-1] - cycle["head.position"].values[0]
        assert np.linalg.norm(moved) < 1.0

    def test_energy(self, cycle):
        residual, supplied = cycle["energy.residual"].values, cycle["energy.supplied"].values
        assert np.abs(residual).max() < 1e-3 * supplied[-1]

    def test_positions_are_those_of_a_tenth_of_the_step(self, cycle):
        case = NAMES["harvester-30"]()
        fine = kb.simulate(case.machine, case.duration, step=1e-4, record=0.02, inputs=case.inputs, **case.method)
        for name in CYLINDERS:
            assert np.abs(cycle[f"{name}.length"].values - fine[f"{name}.length"].values).max() < 1e-3, name
        assert np.abs(cycle["log_slide.travel"].values - fine["log_slide.travel"].values).max() < 1e-3
        assert np.abs(cycle["slew.angle"].values - fine["slew.angle"].values).max() < 1e-3


def touching():
    """Angle at which an arm touches the log, from the distance of the log's axis to the arm's line: 0.14 m."""
    return math.acos(0.14 / math.hypot(0.16, 0.23)) - math.atan2(0.23, 0.16)
