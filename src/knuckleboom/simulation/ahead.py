# SPDX-License-Identifier: BSD-3-Clause
"""Sources sampled ahead of the run: every time is asked for once and in order, so that a function may have a memory.

A block of steps asks for its times; what it did not use is kept for the next one, which begins with it. Only a run that
was stopped within a block, and goes on in other steps than it would have, asks for earlier times again.
Tested in validation/analytic/test_input_timing.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knuckleboom.simulation.inputs import Array, InputFault, Source, sample


class Ahead:
    """Samples of some sources at the times that were asked for and have not passed."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = list(sources)
        self.times, self.values = np.zeros(0), np.zeros((0, sum(source.width for source in sources)))

    def at(self, times: Array, slack: float) -> tuple[Array, InputFault | None]:
        """A line of values for each time; where a source fails, those before and the fault."""
        fault = None
        known = min(len(self.times), len(times))
        same = self.times[:known] == times[:known]
        known = known if same.all() else int(same.argmin())
        if known < len(times):
            more, fault = sample(self.sources, times[known:], slack)
            self.values = np.vstack([self.values[:known], more])
            self.times = times[: len(self.values)].copy()
        return self.values[: len(times)], fault

    def leave_out(self, number: int) -> None:
        """Ask one source, of a single column as all are, no more; samples of the others are kept."""
        del self.sources[number]
        self.values = np.delete(self.values, number, axis=1)

    def passed(self, time: float) -> None:
        """Samples before a time are not needed any more."""
        later = self.times >= time
        self.times, self.values = self.times[later], self.values[later]
