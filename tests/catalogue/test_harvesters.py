# SPDX-License-Identifier: BSD-3-Clause
"""The harvesters as described: counts, which cuts give them, weight, and a start pose that fits and rests."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.harvester_25 import harvester_25
from knuckleboom.catalogue.harvester_30 import bare_harvester, harvester_30
from knuckleboom.interface.parts import Effort
from knuckleboom.mechanics.parts import Body, Joint
from knuckleboom.plan import counts

INPUTS = {f"{name}_valve" for name in ("steer", "slew", "lift", "fold", "telescope", "tilt", "rotator", "grip")}


@pytest.fixture(scope="module")
def thirty():
    return kb.build(harvester_30().machine)


def test_counts_of_30(thirty):
    """30 bodies, 35 coordinates, 8 loop equations, 27 degrees of freedom, none redundant: the thesis' Table 4.1."""
    assert len(thirty.machine.of(Body)) == 30
    assert (thirty.topology.nv, thirty.loop_equations, thirty.dof) == (35, 8, 27)
    assert counts.constraint_equations(thirty) == 153
    assert thirty.redundant == []


def test_cuts_of_30_are_the_rod_end_pins(thirty):
    assert {joint.name for joint in thirty.topology.cut} == {"lift_pin", "fold_pin", "tilt_pin", "steer_pin"}


def test_operators_inputs_of_30(thirty):
    names = {signal.path for signal in thirty.layout.inputs}
    assert names >= INPUTS | {"feed_valve", "saw_valve"}
    assert set(harvester_30().inputs) == INPUTS | {"feed_valve", "saw_valve"}
    assert set(harvester_25().inputs) == INPUTS


def test_weight_of_30(thirty):
    assert sum(body.mass for body in thirty.machine.of(Body)) == pytest.approx(18.9e3, abs=50.0)


@pytest.mark.parametrize("make", [harvester_25, harvester_30])
def test_starts_at_rest(make):
    """Pressures and tires of the closed forms carry the weight: hardly an acceleration is left, of g."""
    assert np.abs(kb.build(make().machine).accelerations()).max() < 1e-9


def test_pose_is_assembled_as_described(thirty):
    """Assembly finds nothing to do: every coordinate is its start."""
    for joint in thirty.machine.of(Joint):
        if joint.name in thirty.topology.tree and joint.KIND != "free":
            columns, _ = thirty.joint_columns(joint.name)
            assert thirty.work.state.q[columns] == pytest.approx(joint.start, abs=1e-12)


def test_every_independent_coordinate_of_the_bare_machine_has_an_effort():
    planned = kb.build(bare_harvester().machine)
    columns = {planned.joint_columns(part.joint)[1][part.coordinate] for part in planned.machine.of(Effort)}
    assert len(columns) == planned.dof == len(planned.layout.inputs)

    # independent: with these coordinates held still, the loops leave nothing that could move
    dependent = [column for column in range(planned.topology.nv) if column not in columns]
    assert np.linalg.matrix_rank(planned.jacobian()[:, dependent]) == 8


def test_no_two_joints_of_the_bare_machine_start_alike():
    """So that a mixed-up index cannot hide."""
    starts = [joint.start for joint in bare_harvester().machine.of(Joint) if joint.start and not joint.cut]
    assert len(set(starts)) == len(starts)
