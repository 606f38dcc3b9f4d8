# SPDX-License-Identifier: BSD-3-Clause
"""Timing in interleaved rounds: every contestant runs once in each round; the median or the smallest time counts.

A slow spell of the computer then falls on all alike, and no contestant profits from its place in the order. What counts
is the processor time of the one thread that computes: on a quiet computer that is the time that passes, on a busy one
it leaves out the share of other processes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Task = Callable[[], float]
Progress = Callable[[float], None]


@dataclass
class Part:
    """The share of the progress that one piece of the work has."""

    report: Progress
    low: float
    high: float

    def __call__(self, fraction: float) -> None:
        self.report(self.low + (self.high - self.low) * fraction)


def per_call(prepare: Callable[[], None], work: Callable[[int], None], count: int) -> Task:
    """A task that prepares (untimed), does `work(count)` and returns the microseconds of one of the `count`."""

    def task() -> float:
        prepare()
        start = time.thread_time()
        work(count)
        return (time.thread_time() - start) / count * 1e6

    return task


def per_run(prepare: Callable[[], None], work: Callable[[], None]) -> Task:
    """A task that prepares (untimed), does the work once and returns its microseconds."""
    return per_call(prepare, lambda count: work(), 1)


def timed(tasks: Mapping[str, Task], rounds: int, progress: Progress | None = None) -> dict[str, list[float]]:
    """Run every task once per round, after one round to warm up, and return what each took in every round."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            taken = task()
            if number > 0:
                times[name].append(taken)
        if progress is not None:
            progress((number + 1) / (rounds + 1))
    return times


def medians(tasks: Mapping[str, Task], rounds: int, progress: Progress | None = None) -> dict[str, float]:
    """The median of each task."""
    return {name: statistics.median(values) for name, values in timed(tasks, rounds, progress).items()}


def smallest(tasks: Mapping[str, Task], rounds: int, progress: Progress | None = None) -> dict[str, float]:
    """The smallest of each task: for tasks so short that a busy computer disturbs every other round."""
    return {name: min(values) for name, values in timed(tasks, rounds, progress).items()}
