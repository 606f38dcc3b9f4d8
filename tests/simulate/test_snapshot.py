# SPDX-License-Identifier: BSD-3-Clause
"""snapshot and restore: the state is exactly layout.STATE, and a run that continues from it is the same bit by bit."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.run import run_explicit
from knuckleboom.layout import OK, STATE, flatten, schedule_family
from machine.example import lifting_boom

STEP, COUNT = 1e-4, 40


def advance(planned, first, count, spool=0.05):
    """Run some steps from a step's number; return the record and the state reached."""
    times = STEP * np.arange(first, first + count + 1)
    record = np.full((count + 1, planned.work_size["nrecord"]), np.nan)
    inputs = np.tile(planned.work.state.u, (count + 1, 2, 1))
    inputs[:, :, [signal.part for signal in planned.layout.inputs].index("spool")] = spool
    none, lines = np.zeros(count + 1, np.int64), np.arange(count + 1)
    motions = planned.motions_at(times)
    steps = np.full(count, STEP)
    schedule = schedule_family(times, steps, inputs, motions, none, lines, record)
    status, done = run_explicit(planned.plan, planned.work, schedule, count)
    assert (status, done) == (OK, count)
    return record, planned.snapshot()


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit-euler"])
def test_continuing_after_restore_is_the_same_bit_by_bit(integrator):
    planned = kb.build(lifting_boom(), integrator=integrator)
    advance(planned, 0, COUNT)
    middle = planned.snapshot()
    record, end = advance(planned, COUNT, COUNT)

    advance(planned, 2 * COUNT, COUNT, spool=-0.2)
    planned.restore(middle)
    again, end_again = advance(planned, COUNT, COUNT)

    assert np.isfinite(record).all()
    assert np.array_equal(record, again)
    assert same(end, end_again)


def test_a_snapshot_continues_in_another_plan_of_the_same_machine():
    one, other = kb.build(lifting_boom()), kb.build(lifting_boom())
    advance(one, 0, COUNT)

    other.restore(one.snapshot())

    assert np.array_equal(advance(one, COUNT, COUNT)[0], advance(other, COUNT, COUNT)[0])


def test_nothing_but_the_state_carries_over():
    """All of Work but the state is overwritten with NaN: the ground's rows apart, the run must not notice."""
    planned = kb.build(lifting_boom())
    advance(planned, 0, COUNT)
    middle = planned.snapshot()
    record, end = advance(planned, COUNT, COUNT)

    planned.restore(middle)
    for name, array in flatten(planned.work).items():
        family, field = name.split(".")
        if family == "state" or array.dtype != np.float64:
            continue
        kept = array[0].copy() if name in ("motion.R_WL", "motion.V_WL", "motion.A_WL") else None
        array[...] = np.nan
        if kept is not None:
            array[0] = kept
    again, end_again = advance(planned, COUNT, COUNT)

    assert np.array_equal(record, again)
    assert same(end, end_again)


def test_a_snapshot_has_exactly_the_fields_of_the_state():
    snapshot = kb.build(lifting_boom()).snapshot()

    carried = ("rate_v", "rate_x", "true_v", "true_x", "multiplier", "power", "exchange", "pressing", "active")
    state = ("q", "v", "angle", "x", "energy", "u", "signal", "memory", "time", *carried)
    assert state == STATE and tuple(snapshot) == (*STATE, "z")


def test_a_snapshot_is_a_copy():
    planned = kb.build(lifting_boom())
    snapshot = planned.snapshot()
    before = {name: values.copy() for name, values in snapshot.items()}

    advance(planned, 0, COUNT)
    assert same(snapshot, before)

    planned.restore(snapshot)
    advance(planned, 0, COUNT)
    assert same(snapshot, before)
