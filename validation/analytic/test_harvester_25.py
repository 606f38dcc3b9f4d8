# SPDX-License-Identifier: BSD-3-Clause
"""harvester-25 as its designer would check it by hand: as test_harvester_30.py, and its counts against a paper's table.

Counts: [Baharudin 2016, publication III, table 1], whose 23 degrees of freedom do not follow from its 31 − 7.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.harvester_loads import standing
from analytic.harvester_statics import (
    FOLD_SIZES,
    LIFT_SIZES,
    TELESCOPE_SIZES,
    fold_force,
    lift_force,
    telescope_force,
)
from analytic.oil_forces import oil_force
from knuckleboom.catalogue import NAMES
from knuckleboom.mechanics.parts import Body, Gear, Joint

HANGING = 105.0 + 130.0 + 800.0 + 2 * 45.0 + 18.0 + 11.0  # link to arms, with the tilt cylinder
CYLINDERS = ("lift", "fold", "tilt", "steer_left", "steer_right", "telescope_cylinder", "grip_left_cylinder")


@pytest.fixture(scope="module")
def cycle():
    case = NAMES["harvester-25"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=0.02, inputs=case.inputs, **case.method)


def test_counts_are_those_of_the_table():
    planned = kb.build(NAMES["harvester-25"]().machine)
    assert len(planned.machine.of(Body)) == 25
    assert len(planned.machine.of(Joint)) + len(planned.machine.of(Gear)) == 29
    assert (planned.topology.nv, planned.loop_equations, planned.dof) == (31, 7, 24)
    assert {joint.name for joint in planned.topology.cut} == {"lift_pin", "fold_pin", "tilt_pin"}
    assert planned.redundant == []


def test_crane_carries_its_weight():
    rest = kb.equilibrium(NAMES["harvester-25"]().machine)
    assert oil_force(rest, "telescope_cylinder", TELESCOPE_SIZES) == pytest.approx(telescope_force(HANGING), rel=1e-9)
    assert oil_force(rest, "fold", FOLD_SIZES) == pytest.approx(fold_force(HANGING), rel=1e-9)
    assert oil_force(rest, "lift", LIFT_SIZES) == pytest.approx(lift_force(HANGING), rel=1e-9)


@pytest.mark.parametrize("start", [{}, {"slew": 1.0}, {"slew": -0.8, "articulation": 0.4}])
def test_wheel_loads(start):
    """By six equations of statics (harvester_loads.py), within 0.1 %: ahead, slewed, and bent."""
    state, loads, expected = standing("harvester-25", start)
    assert loads == pytest.approx(expected, rel=1e-3)
    assert all(state[f"{name}.normal_force"] == 0.0 for name in ("head_frame", "cab", "hood"))


@pytest.mark.slow
class TestCycle:
    def test_pressures_and_flows_are_those_of_the_class(self, cycle):
        assert all(one.values.min() > 0.2e5 and one.values.max() < 260e5 for one in cycle.find("*.pressure"))
        flow = cycle["crane_pump.flow"].values
        assert 0.3 * 145e-6 * 25.0 < flow.max() <= 145e-6 * 25.0 and flow.min() >= 0.0

    def test_arms_close_alike_and_the_crane_swings(self, cycle):
        left, right = cycle["grip_left_hinge.angle"].values, cycle["grip_right_hinge.angle"].values
        assert left == pytest.approx(right, abs=1e-9)
        assert math.degrees(left.max()) > 4.8 > math.degrees(left.min())
        assert math.degrees(cycle["head_hinge.angle"].values.max()) > 60.0
        assert math.degrees(cycle["slew.angle"].at(10.5)) > 40.0

    def test_energy(self, cycle):
        residual, supplied = cycle["energy.residual"].values, cycle["energy.supplied"].values
        assert np.abs(residual).max() < 1e-3 * supplied[-1]

    def test_positions_are_those_of_a_tenth_of_the_step(self, cycle):
        case = NAMES["harvester-25"]()
        fine = kb.simulate(case.machine, case.duration, step=1e-4, record=0.02, inputs=case.inputs, **case.method)
        for name in CYLINDERS:
            assert np.abs(cycle[f"{name}.length"].values - fine[f"{name}.length"].values).max() < 1e-3, name
        assert np.abs(cycle["slew.angle"].values - fine["slew.angle"].values).max() < 1e-3
