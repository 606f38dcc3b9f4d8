# SPDX-License-Identifier: BSD-3-Clause
"""When steps begin and end, after which of them something is recorded, and when controllers are due.

Steps end at t = k·h, at declared jumps, at the sample times m·every of controllers and where a run ends. The times are
computed from k and m, not summed, and a whole step is exactly h, so that neither rounding nor the size of a block
changes a bit of the result. Only the stretch that is run next is written out: a long run needs no memory.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.layout import CONTROLLERS, JUMP, WRITTEN
from knuckleboom.simulation.inputs import SAME

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_STEPS = 10**9
MOST_BYTES = 4 * 2**30
RECORDS = 1000
"""Without a recording interval a run of known length is recorded about this many times."""
BLOCK_SECONDS = 0.1
"""Wall time that a block of steps should take: short enough for Ctrl-C, long enough to cost nothing."""
ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
"""Relative error of a time that is a product of a whole number and a period, with some to spare."""


class Position(NamedTuple):
    """Where a run stands: k·h is the last whole multiple that was reached; `off` says that the time is beyond it."""

    k: int
    time: float
    off: bool = False


class Stretch(NamedTuple):
    """Some ends of steps that follow each other, the present one first: one entry each, and one size less."""

    times: Array
    sizes: Array
    k: Integers
    off: NDArray[np.bool_]
    due: Integers
    recorded: NDArray[np.bool_]

    def position(self, number: int) -> Position:
        """The position after so many steps."""
        return Position(int(self.k[number]), float(self.times[number]), bool(self.off[number]))


@dataclass(frozen=True)
class Schedule:
    """Steps of size `step`; every `every`-th whole multiple is recorded. `jumps` are the declared times between them;
    `marks` are those, on a multiple or not, at which what is carried from step to step begins anew (JUMP in `due`).

    Bit c of `due` is set at the sample times of controller c: every `ratios[c]` steps, or at multiples of `periods[c]`
    where that is no whole number of steps (ratio 0).
    """

    step: float
    every: int
    jumps: Array
    marks: Array
    periods: tuple[float, ...] = ()
    ratios: tuple[int, ...] = ()

    @property
    def interval(self) -> float:
        """Time between two records, s."""
        return self.every * self.step

    @property
    def irregular(self) -> bool:
        """Whether a sample time can lie between two whole multiples."""
        return 0 in self.ratios

    def slack(self, time: float) -> float:
        """How far apart two times may be that are taken to be the same."""
        return SAME * self.step + ROUNDING * abs(time)

    def place(self, time: float) -> Position:
        """The position at a time, on a whole multiple where it is the same."""
        k = round(time / self.step)
        if abs(time - k * self.step) <= self.slack(time):
            return Position(k, k * self.step)
        return Position(math.floor(time / self.step), time, True)

    def due_at(self, k: int) -> int:
        """What is due at a whole multiple, when all controllers have a whole ratio."""
        due = sum(1 << c for c, ratio in enumerate(self.ratios) if k % ratio == 0)
        if len(self.marks):
            time = k * self.step
            near = self.marks[np.searchsorted(self.marks, time - self.slack(time)) :][:1]
            due |= JUMP if len(near) and near[0] <= time + self.slack(time) else 0
        return due

    def lines_before(self, at: Position) -> int:
        """Number of recorded multiples from 0 to a position, without the position itself."""
        return at.k // self.every + 1 if at.off else -(-at.k // self.every)

    def nothing_between(self, at: Position, k: int) -> bool:
        """Whether all ends from a position to a whole multiple are whole multiples."""
        if at.off or self.irregular:
            return False
        if not len(self.jumps):
            return True
        after = np.searchsorted(self.jumps, [at.time, k * self.step])
        return bool(after[0] == after[1])

    def stretch(self, at: Position, end: Position, count: int) -> Stretch:
        """At most `count` steps from a position on, not beyond the end."""
        k = np.arange(at.k if not at.off else at.k + 1, min(at.k + count, end.k) + 1)
        until = end.time if at.k + count > end.k else float(k[-1]) * self.step
        times: Array = (k * self.step).astype(np.float64)
        due = np.zeros(len(k), np.int64)
        for c, ratio in enumerate(self.ratios):
            if ratio:
                due[k % ratio == 0] |= 1 << c
        off = np.zeros(len(k), bool)

        extra, flags = self._between(at, end, until, k, due)
        if len(extra):
            order = np.argsort(np.concatenate([times, extra]), kind="stable")
            k = np.concatenate([k, np.floor(extra / self.step).astype(np.int64)])[order]
            off = np.concatenate([off, np.ones(len(extra), bool)])[order]
            due = np.concatenate([due, flags])[order]
            times = np.concatenate([times, extra])[order]
        kept = slice(0, count + 1)
        times, k, off, due = times[kept], k[kept], off[kept], due[kept]

        slack = self.slack(float(times[-1]))
        first, last = np.searchsorted(self.marks, [times[0] - slack, times[-1] + slack])
        due[np.searchsorted(times, self.marks[first:last] - slack)] |= JUMP

        # a step from one k·h to the next is h, not the rounded difference
        sizes: Array = np.where(off[:-1] | off[1:], np.diff(times), self.step)
        return Stretch(times, sizes, k, off, due, ~off & (k % self.every == 0))

    def _between(self, at: Position, end: Position, until: float, k: Integers, due: Integers) -> tuple[Array, Integers]:
        """Times off the whole multiples with their flags; flags of those on a multiple are put into `due`."""
        slack = self.slack(until)
        first, last = np.searchsorted(self.jumps, [at.time + slack, until + slack])
        times, flags = [self.jumps[first:last]], [np.zeros(last - first, np.int64)]
        for special in (position for position in (at, end) if position.off and position.time <= until):
            times.append(np.array([special.time]))
            flags.append(np.zeros(1, np.int64))
        for c, (period, ratio) in enumerate(zip(self.periods, self.ratios, strict=True)):
            if ratio:
                continue
            m = np.arange(math.ceil((at.time - slack) / period), math.floor((until + slack) / period) + 1)
            samples: Array = (m * period).astype(np.float64)
            nearest = np.round(samples / self.step).astype(np.int64)
            on = np.abs(samples - nearest * self.step) <= SAME * self.step + ROUNDING * samples
            due[np.isin(k, nearest[on])] |= 1 << c
            times.append(samples[~on])
            flags.append(np.full(int((~on).sum()), 1 << c, np.int64))
        found, marks = np.concatenate(times), np.concatenate(flags)
        if len(found) == 0:
            return found, marks
        order = np.argsort(found, kind="stable")
        found, marks = found[order], marks[order]
        starts = np.flatnonzero(np.concatenate([[True], np.diff(found) > slack]))
        found, marks = found[starts], np.bitwise_or.reduceat(marks, starts)
        if at.off:
            found[0] = at.time  # whatever is the same time as the present one
        return found, marks


def make_schedule(
    step: float, record: float, jumps: Collection[float], periods: Sequence[float] = (), *, marked: bool = True
) -> Schedule:
    """Lay out a run; jumps that fall on a step's end need no extra step, and are only marked."""
    every = max(1, round(record / step))
    schedule = Schedule(step, every, np.zeros(0), np.zeros(0))
    extra: list[float] = []
    for jump in sorted(jumps):
        if jump > 0.0 and schedule.place(jump).off and (not extra or jump - extra[-1] > schedule.slack(jump)):
            extra.append(jump)
    ratios = [round(period / step) for period in periods]
    whole = [
        ratio if ratio and abs(period / step - ratio) <= SAME * ratio else 0
        for period, ratio in zip(periods, ratios, strict=True)
    ]
    marks = np.unique(np.array([jump for jump in jumps if jump > 0.0 and marked], np.float64))
    return Schedule(step, every, np.array(extra, np.float64), marks, tuple(periods), tuple(whole))


def due_after_acting(due: int) -> int:
    """What is due once controllers acted: what they wrote is not in the rates that an implicit step carries over."""
    return due & (JUMP | WRITTEN) | (WRITTEN if due & CONTROLLERS else 0)


def next_block(count: int, took: float) -> int:
    """Number of steps for the next block, from what this one took."""
    if took < 0.5 * BLOCK_SECONDS:
        return 2 * count
    return max(1, math.floor(count * BLOCK_SECONDS / took))


def refuse_too_large(lines: int, columns: int, duration: float) -> None:
    """Refuse a record that would not fit into memory."""
    size = lines * columns * 8  # 8 bytes a number
    if size > MOST_BYTES:
        rule = f"The record would take {size / 2**30:.1f} GiB: {lines} lines of {columns} numbers."
        fix = f"Record less often, e.g. every {duration / RECORDS:.3g} s."
        raise MachineError([Problem(rule, fix=fix)], "the times")
