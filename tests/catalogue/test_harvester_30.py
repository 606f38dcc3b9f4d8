# SPDX-License-Identifier: BSD-3-Clause
"""harvester-30 as described: its counts, its weight, and a start pose in which the cylinders fit."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.harvester_30 import bare_harvester, harvester_30
from knuckleboom.interface.parts import Effort
from knuckleboom.mechanics.parts import Body, Joint


@pytest.fixture(scope="module")
def planned():
    return kb.build(harvester_30().machine)


def test_counts(planned):
    """30 bodies, 35 coordinates, 8 loop equations, 27 degrees of freedom, none redundant."""
    assert len(planned.machine.of(Body)) == 30
    assert planned.topology.nv == 35
    assert planned.loop_equations == 8
    assert planned.dof == 27
    assert planned.redundant == []


def test_cuts_are_the_rod_end_pins(planned):
    assert {joint.name for joint in planned.topology.cut} == {"lift_pin", "fold_pin", "tilt_pin", "steer_pin"}


def test_weight(planned):
    assert sum(body.mass for body in planned.machine.of(Body)) == pytest.approx(19005.0)


def test_pose_is_assembled_as_described(planned):
    """Assembly finds nothing to do: every coordinate is its start."""
    for joint in planned.machine.of(Joint):
        if joint.name in planned.topology.tree and joint.KIND != "free":
            columns, _ = planned.joint_columns(joint.name)
            assert planned.work.state.q[columns] == pytest.approx(joint.start, abs=1e-12)


def test_every_independent_coordinate_of_the_bare_machine_has_an_effort():
    planned = kb.build(bare_harvester().machine)
    columns = {planned.joint_columns(part.joint)[1][part.coordinate] for part in planned.machine.of(Effort)}
    assert len(columns) == planned.dof == len(planned.layout.inputs)

    # independent: with these coordinates held still, the loops leave nothing that could move
    dependent = [column for column in range(planned.topology.nv) if column not in columns]
    assert np.linalg.matrix_rank(planned.jacobian()[:, dependent]) == 8


def test_hangs_together():
    """No two joints start alike, so that a mixed-up index cannot hide."""
    starts = [joint.start for joint in harvester_30().machine.of(Joint) if joint.start and not joint.cut]
    assert len(set(starts)) == len(starts)
