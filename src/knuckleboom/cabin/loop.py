# SPDX-License-Identifier: BSD-3-Clause
"""The real-time loop: one compiled call without the interpreter, from one command to the next.

For each step it waits until the step is due, takes the levers, lets the external interface answer, calls the machine's
step and counts what that took. 60 times a second a line of everything goes to who watches, and at once when a lever was
moved. It ends when a command waits, a step fails or enough are done; Python (worker.py) then does what is asked and
calls it again.

The step is an entry_point of engine/run.py, called by its address: linked in, it would be optimised once more for a
minute, and its bits might be others than those of kb.Simulation. Waiting is a sleep until shortly before the time and
then a look at the clock over and over. A step that is more than 100 ms late shifts all later ones, so that a slow
computer shows slow time, not haste. Words that others write are read with acquire and written with release order.

Nothing of ours is used but its options and numbers handed over: Numba's cache watches this file only. Linux, 64 bits.
Tested in tests/cabin/test_loop.py.
"""

import time
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from knuckleboom.kernels import OPTIONS, keep_on_disk
from knuckleboom.layout import CORRECTED_STEPS, PARTED_STEPS, UNRESOLVED_STEPS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

COMMAND, FAILED, ENOUGH = 0, 1, 2
"""Why the loop ended: a command waits, a step failed, or as many steps as were asked for are done."""

LOCKSTEP = 1
SPIN = 50_000  # ns before it is due that a step is awaited awake: a twentieth of a processor at 1 kHz
SLICE = 5_000_000  # ns that it sleeps at most before it looks for commands
FORGET = 100_000_000  # ns of lateness that are not caught up
SECOND = 1_000_000_000  # ns
LINE = SECOND // 60  # ns between lines
SOONEST = 5_000_000  # ns between lines at least, when levers move
WINDOW = 250_000_000  # ns over which the reached speed is taken
POLL = 20_000  # ns between looks for an answer
AWAKE, REST = 50_000_000, 3_000_000  # ns: with real-time priority and no time to sleep, rest after so long for so long
MICROSECOND = 1e3  # ns
TRIES = 4  # to read levers that are just being written


class Desk(NamedTuple):
    """What the loop keeps between calls, in this process."""

    held: Floats  # a line of inputs at rest, NaN for what controllers write
    column: Integers  # where each lever stands in it
    ratio: Integers  # steps after which each controller is due
    levers: Floats  # as the operator has them
    outer: Floats  # as the external interface has them, NaN for what is left to the operator
    applied: Floats  # what the last step had
    seen: Integers  # counts of the newest levers of both, the step of the last exchange
    sums: Floats  # steps, their time, their lateness [µs]
    heed: Integers  # commands that are known: one more ends the loop
    leave: Integers  # not 0: end, whatever is asked
    marks: Integers  # when the last line was given, and when it last slept, ns; whether a moved lever is not shown yet
    work_time: Floats  # the machine's own time
    work_count: Floats  # its steps corrected, halved, left though in doubt


class Journal(NamedTuple):
    """Changes of the inputs on their way to the recording: a ring, `head` written and `tail` taken."""

    on: Integers
    head: Integers
    tail: Integers
    lost: Integers
    step: Integers
    values: Floats


class Mail(NamedTuple):
    """The words of the shared block; a pair are the two slots."""

    status: Any
    sent: Integers
    lever_count: Integers
    lever_sequence: tuple[Integers, Integers]
    levers: tuple[Floats, Floats]
    line_count: Integers
    line: Any  # of LineSlots, two
    mode: Integers
    exchange: Integers
    patience: Integers
    answered: Integers
    drops: Integers
    stalls: Integers
    outer_count: Integers
    outer_sequence: tuple[Integers, Integers]
    outer: tuple[Floats, Floats]
    outer_line_count: Integers
    outer_line: Any


class LineSlot(NamedTuple):
    """One slot of a line."""

    sequence: Integers
    step: Integers
    time: Floats
    applied: Integers
    values: Floats
    levers: Floats


# --- what the system and the processor offer ---


@intrinsic
def clock(typing: Any) -> Any:
    """The monotonic clock, ns."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word, short = ir.IntType(64), ir.IntType(32)
        moment = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        kind = ir.FunctionType(short, [short, moment.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [short(time.CLOCK_MONOTONIC), moment])
        seconds, rest = (builder.extract_value(builder.load(moment), number) for number in (0, 1))
        return builder.add(builder.mul(seconds, word(1_000_000_000)), rest)

    return types.int64(), generate


@intrinsic
def sleep_until(typing: Any, moment: Any) -> Any:
    """Sleep until the monotonic clock shows a time, ns."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word, short = ir.IntType(64), ir.IntType(32)
        until = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        second, zero = word(1_000_000_000), short(0)
        for number, part in enumerate((builder.sdiv(values[0], second), builder.srem(values[0], second))):
            builder.store(part, builder.gep(until, [zero, short(number)]))
        kind = ir.FunctionType(short, [short, short, until.type, until.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_nanosleep")
        absolute = short(1)
        return builder.call(function, [short(time.CLOCK_MONOTONIC), absolute, until, until.type(None)])

    return types.int32(types.int64), generate


@intrinsic
def read_word(typing: Any, words: Any) -> Any:
    """The first integer of an array, read before all that is read later."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(words), generate


@intrinsic
def write_word(typing: Any, words: Any, value: Any) -> Any:
    """Put the first integer of an array, after all that was written earlier."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, values[0]).data
        builder.store_atomic(values[1], place, "release", 8)
        return context.get_dummy_value()

    return types.void(words, types.int64), generate


@intrinsic
def call_at(typing: Any, address: Any, plan: Any, work: Any, schedule: Any, n: Any) -> Any:
    """Call the run at an address with plan, work, schedule and n; return its status and the steps done."""
    answer = types.UniTuple(types.int64, 2)  # type: ignore[attr-defined]
    arguments = (plan, work, schedule, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(answer, arguments)
        function = builder.inttoptr(values[0], kind.as_pointer())
        # kernels raise nothing, so there is nothing but the answer
        return context.call_conv.call_function(builder, function, answer, arguments, values[1:])[1]

    return answer(types.int64, *arguments), generate


# --- the loop ---


def part(function: Any) -> Any:
    """Compile a piece of the loop."""
    return numba.njit(**OPTIONS)(function)


@part
def newest(count, seen, labels, slots, out):
    """Copy the newest slot, if there is one that was not seen. Return its count, or 0, and its label. Writes out."""
    for _ in range(TRIES):
        now = read_word(count)
        if now == seen:
            return 0, 0
        source, label = slots[now % 2], labels[now % 2][0]
        for i in range(out.shape[0]):
            out[i] = source[i]
        if read_word(count) == now:
            return now, label
    return 0, 0


@part
def put_line(record, levers, step, time, applied, count, slots):
    """Put the line of this moment where others read it, after what they may be reading. Writes count, slots."""
    now = count[0] + 1
    slot = slots[now % 2]
    write_word(slot.sequence, 0)
    for i in range(slot.values.shape[0]):
        slot.values[i] = record[0, i]
    for i in range(levers.shape[0]):
        slot.levers[i] = levers[i]
    slot.step[0], slot.time[0], slot.applied[0] = step, time, applied
    write_word(slot.sequence, now)
    write_word(count, now)


@part
def compose(desk, rows):
    """Put levers, and what the external interface has in their place, into the line of inputs. Return whether one
    moved. Writes desk, rows.
    """
    moved = False
    for i in range(desk.held.shape[0]):
        rows[0, :, i] = desk.held[i]
    for i in range(desk.column.shape[0]):
        value = desk.levers[i] if np.isnan(desk.outer[i]) else desk.outer[i]
        moved = moved or value != desk.applied[i]
        desk.applied[i] = value
        rows[0, :, desk.column[i]] = value  # held over the whole step
    return moved


@part
def take_levers(mail, desk, rows):
    """Take the operator's newest levers into the line of inputs. Writes desk, mail, rows."""
    count, label = newest(mail.lever_count, desk.seen[0], mail.lever_sequence, mail.levers, desk.levers)
    if count > 0:
        desk.seen[0], mail.status[0].applied = count, label
    if compose(desk, rows):
        desk.marks[2] = 1


@part
def disturbed(desk, mail):
    """Whether a command waits or the end has come."""
    return read_word(mail.sent) != desk.heed[0] or desk.leave[0] != 0


@part
def exchange_due(k, mail, desk):
    """Whether the external interface has its turn at this step; without one its levers are the operator's. Writes
    desk.
    """
    if read_word(mail.mode) == 0:
        for i in range(desk.outer.shape[0]):
            desk.outer[i] = np.nan
        return False
    return k % max(mail.exchange[0], 1) == 0


@part
def answer(desk, mail):
    """Take what the external interface answered, in lockstep after waiting for it. Return whether to go on. Writes
    desk, mail.
    """
    if read_word(mail.mode) == LOCKSTEP:
        began = clock()
        while read_word(mail.answered) < mail.outer_line_count[0]:
            now = clock()
            if disturbed(desk, mail) or read_word(mail.mode) == 0:
                return False
            if now - began > mail.patience[0]:
                mail.stalls[0] += 1
                write_word(mail.mode, 0)
                return False
            sleep_until(now + POLL)
    elif read_word(mail.answered) < mail.outer_line_count[0] - 1:
        mail.drops[0] += 1  # not even the line before this one was answered
    count, _ = newest(mail.outer_count, desk.seen[1], mail.outer_sequence, mail.outer, desk.outer)
    desk.seen[1] = count if count > 0 else desk.seen[1]
    return True


@part
def note_change(step, applied, journal):
    """Keep the inputs of this step for the recording, if they changed. Writes journal."""
    head, room = journal.head[0], journal.step.shape[0]
    last = (head - 1) % room
    same = head > 0
    for i in range(applied.shape[0]):
        same = same and journal.values[last, i] == applied[i]
    if same:
        return
    if head - read_word(journal.tail) >= room - 1:
        journal.lost[0] = 1
        return
    for i in range(applied.shape[0]):
        journal.values[head % room, i] = applied[i]
    journal.step[head % room] = step
    write_word(journal.head, head + 1)


@part
def due_at(ratio, k):
    """A bit for each controller that is due at step k."""
    due = np.int64(0)
    for c in range(ratio.shape[0]):
        if k % ratio[c] == 0:
            due |= np.int64(1) << c
    return due


@part
def wait(until, desk, mail):
    """Wait until a time. Return whether it came before a command did."""
    while True:
        now = clock()
        if disturbed(desk, mail):
            return False
        if now >= until:
            return True
        if until - now > SPIN:
            sleep_until(min(until - SPIN, now + SLICE))


@part
def rest(due, mail, desk):
    """With real-time priority let others run now and then, when there is no time to sleep. Writes desk."""
    now = clock()
    if due > now:
        desk.marks[1] = due
    elif mail.status[0].priority != 0 and now - desk.marks[1] > AWAKE:
        sleep_until(now + REST)
        desk.marks[1] = clock()


@part
def count_figures(took, late, status, sums):
    """Add the times of a step [ns] to the figures. Writes sums, status."""
    step, lateness = took / MICROSECOND, late / MICROSECOND
    sums[0] += 1.0
    sums[1] += step
    sums[2] += lateness
    status.step_mean_us, status.lateness_mean_us = sums[1] / sums[0], sums[2] / sums[0]
    status.step_worst_us = max(status.step_worst_us, step)
    status.lateness_worst_us = max(status.lateness_worst_us, lateness)


@part
def count_corrections(count, status):
    """Tell how many steps the machine has corrected, made in parts and left though in doubt. Writes status."""
    status.corrected = np.int64(count[CORRECTED_STEPS])
    status.halved = np.int64(count[PARTED_STEPS])
    status.unresolved = np.int64(count[UNRESOLVED_STEPS])


def run_loop(address, plan, work, schedule, desk, journal, mail, step, most):
    """Make steps of size `step` [s] from the present one on, `most` at most, and give a line of where that ends. Return
    why it ended and a status. Writes work, schedule, desk, journal, mail.
    """
    status, times, lines = mail.status[0], schedule.times, schedule.lines
    lines[0] = lines[1] = -1
    first, period = status.steps, SECOND * step / status.asked
    began = clock()
    desk.marks[1] = began
    window, window_steps = began, first
    reason = ENOUGH
    while status.steps - first < most:
        k = status.steps
        due = began + np.int64((k - first) * period)
        rest(due, mail, desk)
        if not wait(due, desk, mail):
            reason = COMMAND
            break
        late = clock() - due
        if late > FORGET:
            status.forgotten += 1
            began += late

        # inputs of this step; who answers sees the operator's new ones and its own of before, as a controller would
        times[0], times[1] = k * step, (k + 1) * step
        desk.work_time[0] = times[0]
        take_levers(mail, desk, schedule.inputs)
        if exchange_due(k, mail, desk):
            if desk.seen[2] != k:
                lines[0] = 0
                failure = call_at(address, plan, work, schedule, 0)[0]
                lines[0] = -1
                if failure != 0:
                    return FAILED, failure
                put_line(
                    schedule.record, desk.applied, k, times[0], status.applied, mail.outer_line_count, mail.outer_line
                )
                desk.seen[2] = k
            if not answer(desk, mail):
                continue
        compose(desk, schedule.inputs)
        if journal.on[0] != 0:
            note_change(k, desk.applied, journal)
        schedule.due[0] = due_at(desk.ratio, k)

        started = clock()
        failure = call_at(address, plan, work, schedule, 1)[0]
        ended = clock()
        if failure != 0:
            return FAILED, failure
        status.steps, status.time = k + 1, times[1]
        count_figures(ended - started, late, status, desk.sums)
        count_corrections(desk.work_count, status)

        # a line for who watches
        since = ended - desk.marks[0]
        if since >= LINE or (desk.marks[2] != 0 and since >= SOONEST):
            desk.marks[0], desk.marks[2] = ended, 0
            lines[0] = 0
            failure = call_at(address, plan, work, schedule, 0)[0]
            lines[0] = -1
            if failure != 0:
                return FAILED, failure
            put_line(schedule.record, desk.applied, k + 1, times[1], status.applied, mail.line_count, mail.line)
        ended = clock()
        if ended > began + np.int64((k + 1 - first) * period) and mail.mode[0] != LOCKSTEP:
            status.missed += 1  # in lockstep time is the program's
        status.alive = ended
        if ended - window >= WINDOW:
            status.reached = (k + 1 - window_steps) * step * SECOND / (ended - window)
            window, window_steps = ended, k + 1

    compose(desk, schedule.inputs)
    lines[0] = 0
    failure = call_at(address, plan, work, schedule, 0)[0]
    lines[0] = -1
    if failure != 0:
        return FAILED, failure
    time = status.steps * step
    put_line(schedule.record, desk.applied, status.steps, time, status.applied, mail.line_count, mail.line)
    return reason, 0


loop = keep_on_disk(run_loop, **OPTIONS, no_cfunc_wrapper=True)
