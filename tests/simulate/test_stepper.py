# SPDX-License-Identifier: BSD-3-Clause
"""Stepper: arrays in, arrays out, bit by bit those of a Simulation. Rank: a second way in our own code."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.layout import JUMP, OK, schedule_family
from knuckleboom.simulation.settings import read_settings
from knuckleboom.simulation.stepper import NOW, Stepper

STEP, COUNT = 1e-3, 20


def boom():
    m = kb.Machine("boom")
    rod = m.body("rod", mass=30.0, com=(1.0, 0, 0), inertia=(0.1, 10.0, 10.0))
    m.revolute("foot", m.ground, rod, axis="y")
    m.joint_spring("spring", "foot", stiffness="2 kN*m/rad")
    return m


@pytest.mark.parametrize("coupling", ["explicit", "unified", "realtime", "cosimulated"])
def test_its_steps_are_those_of_a_simulation(coupling):
    sim = kb.Simulation(boom(), step=STEP, record=STEP, coupling=coupling)
    sim.run_for(COUNT * STEP)
    stepper = Stepper(read_settings(boom(), step=STEP, coupling=coupling))
    stepper.reserve(COUNT + 1)
    times = STEP * np.arange(COUNT + 1.0)
    due = np.zeros(COUNT + 1, np.int64)
    due[0] = JUMP  # nothing is carried over to the start
    schedule = schedule_family(
        times, np.full(COUNT, STEP), np.zeros((COUNT + 1, stepper.holding.points, 0)), np.zeros((COUNT + 1, 0, 3)), due,
        np.arange(1, COUNT + 2), stepper.record,
    )  # fmt: skip

    assert stepper.advance(schedule, COUNT) == (OK, COUNT)

    ours, theirs = stepper.planned.snapshot(), sim.planned.snapshot()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_the_record_grows_and_one_step_fills_it():
    stepper = Stepper(read_settings(boom(), step=STEP, coupling="explicit"))
    planned = stepper.planned
    assert stepper.evaluate() == OK
    before, one = planned.snapshot(), stepper.one
    stepper.reserve(50)
    assert len(stepper.record) >= 51 and stepper.one.record is stepper.record and stepper.one.times is one.times

    stepper.one.times[:], stepper.one.lines[:] = (0.0, STEP), (-1, NOW)
    assert stepper.advance(stepper.one, 1) == (OK, 1)

    assert stepper.record[NOW, 0] == STEP and planned.work.state.time[0] == STEP
    assert not np.array_equal(planned.snapshot()["v"], before["v"])


def test_reset_returns_to_the_start():
    stepper = Stepper(read_settings(boom(), step=STEP, coupling="realtime"))
    before = stepper.planned.snapshot()
    stepper.one.times[:] = 0.0, STEP
    stepper.advance(stepper.one, 1)
    stepper.reset()
    assert all(np.array_equal(values, before[name]) for name, values in stepper.planned.snapshot().items())


def test_a_failure_is_a_sentence_with_what_was_kept():
    stepper = Stepper(read_settings(boom(), step=STEP, coupling="explicit"))
    stepper.planned.work.state.v[:] = np.inf
    stepper.one.times[:] = 0.0, STEP
    status, done = stepper.advance(stepper.one, 1)
    results = stepper.results(
        stepper.record[:0], status="failed", message="", duration=STEP, steps=done, cpu_seconds=0.0
    )  # fmt: skip

    error = stepper.failure(status, None, results)

    assert done == 0 and error.results is results and results.message == str(error)
    assert str(error).startswith("Simulation stopped at t = 0 s: the motion of joint 'foot' is no longer finite.")
