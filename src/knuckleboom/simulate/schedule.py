# SPDX-License-Identifier: BSD-3-Clause
"""When steps begin and end, and after which of them something is recorded.

Steps end at t = k·h, at declared jumps and at the end of the run. The times are computed from k, not summed, and a
whole step is exactly h, so that neither rounding nor block size changes a bit of the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.simulate.inputs import SAME

Array = NDArray[np.float64]
MOST_STEPS = 10**9
MOST_BYTES = 4 * 2**30
RECORDS = 1000
"""Without a recording interval a run is recorded about this many times."""


@dataclass(frozen=True)
class Schedule:
    """Times of all step ends (the first is the start), sizes of the steps, and lines of the record (−1 none)."""

    times: Array
    steps: Array
    lines: NDArray[np.int64]
    records: int
    interval: float


def check_times(duration: float, step: float, record: float | None) -> None:
    """Refuse times that make no sense, all at once."""
    problems = []
    for what, value in (("duration", duration), ("step", step), ("record", record)):
        if value is not None and not 0.0 < value < math.inf:
            problems.append(Problem(f"{what} is {value} s; it must be longer than 0 s and finite."))
    if not problems and duration / step > MOST_STEPS:
        rule = f"{duration:g} s in steps of {step:g} s are more than {MOST_STEPS:g} steps."
        problems.append(Problem(rule, fix="Use a larger step."))
    if problems:
        raise MachineError(problems, "the times")


def make_schedule(duration: float, step: float, record: float | None, jumps: Iterable[float], columns: int) -> Schedule:
    """Lay out a run; jumps that fall on a step's end need no extra step."""
    check_times(duration, step, record)
    count = max(1, math.ceil(duration / step - SAME))
    every = max(1, round((record or max(step, duration / RECORDS)) / step))
    number = np.arange(count + 1)
    times = np.asarray(number * step, np.float64)
    times[-1] = duration
    whole = np.full(count, step)
    if abs(duration - count * step) > SAME * step:
        whole[-1] = duration - (count - 1) * step

    inside = sorted({jump for jump in jumps if SAME * step < jump < duration - SAME * step})
    extra = [jump for jump in inside if abs(jump - step * round(jump / step)) > SAME * step]
    recorded = (number % every == 0) | (number == count)
    if extra:
        places = np.searchsorted(times, extra)
        times = np.insert(times, places, extra)
        recorded = np.insert(recorded, places, False)
        between = np.diff(times)
        whole = np.where(np.isclose(between, step, rtol=SAME, atol=0.0), step, between)

    lines = np.where(recorded, np.cumsum(recorded) - 1, -1).astype(np.int64)
    records = int(recorded.sum())
    if records * columns * 8 > MOST_BYTES:  # 8 bytes a number
        size = records * columns * 8 / 2**30
        fix = f"Record less often, e.g. every {duration / RECORDS:.3g} s."
        raise MachineError([Problem(f"The record would take {size:.1f} GiB.", fix=fix)], "the times")
    return Schedule(times, whole, lines, records, every * step)
