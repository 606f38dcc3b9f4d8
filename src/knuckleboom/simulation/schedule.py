# SPDX-License-Identifier: BSD-3-Clause
"""When steps begin and end, and after which of them something is recorded.

Steps end at t = k·h, at declared jumps and at the end of the run. The times are computed from k, not summed, and a
whole step is exactly h, so that neither rounding nor block size changes a bit of the result. Only the part that is run
next is written out, so that a long run needs no memory for its schedule.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.simulation.inputs import SAME

Array = NDArray[np.float64]
MOST_STEPS = 10**9
MOST_BYTES = 4 * 2**30
RECORDS = 1000
"""Without a recording interval a run is recorded about this many times."""


@dataclass(frozen=True)
class Schedule:
    """`count` steps of size `step` up to `duration`, of which every `every`-th end is recorded, and the last.

    `jumps` are the times between these ends at which a step ends too, `places` their numbers among all ends.
    """

    duration: float
    step: float
    count: int
    every: int
    jumps: Array
    places: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Number of steps, with those that end at a jump."""
        return self.count + len(self.jumps)

    @property
    def records(self) -> int:
        """Number of lines of the record."""
        return 1 + -(-self.count // self.every)

    @property
    def interval(self) -> float:
        """Time between two records, s."""
        return self.every * self.step

    def steps_until(self, time: float) -> int:
        """Number of steps whose end is not after a time."""
        k = self.count if time >= self.duration else math.floor(time / self.step + SAME)
        return k + int(np.searchsorted(self.jumps, time, side="right"))

    def part(self, first: int, steps: int) -> tuple[Array, Array, NDArray[np.int64]]:
        """Times of the ends from number `first` on, sizes of the steps between, and lines of the record (−1 none)."""
        number = np.arange(first, first + steps + 1)
        passed = np.searchsorted(self.places, number)
        at_jump = np.isin(number, self.places)
        k = number - passed
        times = np.where(k == self.count, self.duration, k * self.step)
        times[at_jump] = self.jumps[passed[at_jump]]

        # a step from one k·h to the next is h, not the rounded difference
        sizes = np.diff(times)
        whole = ~(at_jump[:-1] | at_jump[1:])
        if abs(self.duration - self.count * self.step) > SAME * self.step:
            whole &= k[1:] < self.count
        sizes[whole] = self.step

        recorded = ~at_jump & ((k % self.every == 0) | (k == self.count))
        return times, sizes, np.where(recorded, -(-k // self.every), -1).astype(np.int64)


def check_times(duration: float, step: float, record: float | None) -> list[Problem]:
    """Times that make no sense, all at once."""
    problems = []
    for what, value in (("duration", duration), ("step", step), ("record", record)):
        if value is not None and not 0.0 < value < math.inf:
            problems.append(Problem(f"{what} is {value:g} s; it must be longer than 0 s and finite."))
    if not problems and duration / step > MOST_STEPS:
        rule = f"{duration:g} s in steps of {step:g} s are more than {MOST_STEPS:g} steps."
        problems.append(Problem(rule, fix="Use a larger step or a shorter duration."))
    return problems


def make_schedule(duration: float, step: float, record: float | None, jumps: Iterable[float], columns: int) -> Schedule:
    """Lay out a run; jumps that fall on a step's end need no extra step."""
    problems = check_times(duration, step, record)
    if problems:
        raise MachineError(problems, "the times")
    count = max(1, math.ceil(duration / step - SAME))
    every = min(count, max(1, round((record or max(step, duration / RECORDS)) / step)))

    extra: list[float] = []
    for jump in sorted(jumps):
        inside = SAME * step < jump < duration - SAME * step
        on_end = abs(jump - step * round(jump / step)) <= SAME * step
        if inside and not on_end and (not extra or jump - extra[-1] > SAME * step):
            extra.append(jump)
    # before a jump are the ends 0 … ⌊jump/h⌋ and the earlier jumps
    places = [math.floor(jump / step) + 1 + earlier for earlier, jump in enumerate(extra)]
    schedule = Schedule(duration, step, count, every, np.array(extra, np.float64), np.array(places, np.int64))

    size = schedule.records * columns * 8  # 8 bytes a number
    if size > MOST_BYTES:
        rule = f"The record would take {size / 2**30:.1f} GiB: {schedule.records} lines of {columns} numbers."
        fix = f"Record less often, e.g. every {duration / RECORDS:.3g} s."
        raise MachineError([Problem(rule, fix=fix)], "the times")
    return schedule
