# SPDX-License-Identifier: BSD-3-Clause
"""States of a cycle in joint coordinates and in those of bodies: the same places, speeds and accelerations."""

import time

import numpy as np
import pytest

from knuckleboom.bench.cycle_states import CycleStates, angle_columns
from knuckleboom.bench.loop_time import FORMULATIONS, LAGRANGIAN, PUBLISHED, RECURSIVE, acceleration_error
from knuckleboom.bench.machines import cycle_of
from knuckleboom.plan import build
from knuckleboom.plan.reference_point import free_links, poses_of, start_angles
from knuckleboom.simulation.whole import WholeRun

SECONDS = 1.6


@pytest.fixture(scope="module", params=PUBLISHED, ids=lambda one: one.machine)
def states(request):
    """States of the first seconds, in which levers are moved already."""
    cycle = cycle_of(request.param.machine)
    run = WholeRun(cycle.machine, SECONDS, step=request.param.step, inputs=cycle.inputs, **cycle.realtime)
    found = CycleStates(cycle.machine, run.steps)
    run.each(time.thread_time_ns, found.keep(run.planned))
    assert np.abs(found.v[-1]).max() > 1e-2
    found.q, found.v, found.x = found.q[::20], found.v[::20], found.x[::20]
    return found


def test_bodies_stand_and_move_as_the_joints_say(states):
    # the way of a start in these coordinates, which makes a joint of every pose
    freed = build(states.relative.machine, coordinates="reference-point")
    put, angles = states.put(freed), angle_columns(states.relative, freed)[:, 0]
    assert len(freed.work.state.angle) - len(angles) == len(states.relative.topology.cut)
    for k in (0, len(states.q) // 2, len(states.q) - 1):
        states.relative.set_state(states.q[k], states.v[k])
        topology = free_links(states.relative.machine, poses_of(states.relative), vectors=False)
        put(k)
        state = freed.work.state
        assert np.allclose(state.v, topology.v_start, rtol=0.0, atol=1e-12)
        for body in topology.bodies:
            if body != "ground":
                q, _ = freed.joint_columns(f"{body}.pose")
                place, turn = topology.q_start[q[:3]], topology.q_start[q[3:]]
                assert np.allclose(state.q[q[:3]], place, rtol=0.0, atol=1e-12)
                # a quaternion and its negative are one orientation
                assert abs(turn @ state.q[q[3:]]) == pytest.approx(1.0, abs=1e-14)
        wanted = start_angles(states.relative, freed.layout)[angles]
        assert np.allclose(state.angle[angles], wanted, rtol=0.0, atol=1e-12)
        assert np.array_equal(state.x, states.x[k])


def test_accelerations_of_bodies_agree(states):
    # Newton and Euler of all bodies with all joints as constraints, against differences of speeds along the joints
    machine = states.relative.machine
    for factorisation in ("dense", "sparse"):
        freed = build(machine, factorisation=factorisation, **FORMULATIONS[LAGRANGIAN])
        assert acceleration_error(states, freed, states.put(freed)) < 1e-6
        # penalties leave what they are made for: a small error
        joints = build(machine, factorisation=factorisation, **FORMULATIONS[RECURSIVE])
        assert 0.0 < acceleration_error(states, joints, states.put(joints)) < 1e-3


def test_a_wrong_state_is_seen(states):
    freed = build(states.relative.machine, **FORMULATIONS[LAGRANGIAN])
    put = states.put(freed)

    def off(k):
        put(k)
        freed.work.state.x[:] += 1e-5  # 0.15 bar of a bulk modulus of 1.5 GPa

    assert acceleration_error(states, freed, off) > 1e-2
