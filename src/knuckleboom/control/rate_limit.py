# SPDX-License-Identifier: BSD-3-Clause
"""Rate limiter: the output follows a quantity, but no faster than given.

    y ← y + (u − y limited to [−falling·h, rising·h])                                                            (own)

Reads       u (the quantity, or `name.command`: a number, steps, a table or a function)
Writes      y: an input, or the signal `name.output` in the unit of u
Memory      y, whether it has begun: it begins at what is held, or at u where it writes no input
Tested in tests/control/test_blocks.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from knuckleboom.control.compiled import block
from knuckleboom.control.controller import AS_READ, Controller, ready
from knuckleboom.errors import MachineError, Problem

OUTPUT, BEGUN = 0, 1  # memory
RISING, FALLING, FROM_HELD, EVERY = 0, 1, 2, 3  # parameters


@block
def rate_limit_step(time: Any, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
    """One sample. Writes writes, memory."""
    h = parameters[EVERY]
    if memory[BEGUN] == 0.0:
        memory[BEGUN] = 1.0
        memory[OUTPUT] = writes[0] if parameters[FROM_HELD] != 0.0 else reads[0]
    change = reads[0] - memory[OUTPUT]
    memory[OUTPUT] += min(max(change, -parameters[FALLING] * h), parameters[RISING] * h)
    writes[0] = memory[OUTPUT]


class RateLimit(Controller):
    """A rate limiter, whose rates are finite and not negative."""

    def faults(self, parameters: Mapping[str, float]) -> Iterator[Problem]:
        for key, value in parameters.items():
            if not 0.0 <= value < math.inf:
                yield self.problem(f"{key} is {value:g}; it must be 0 or more, and finite.")


@ready
def rate_limit(
    name: str, *, rising: float, falling: float | None = None, every: float | str, reads: str | None = None,
    command: Any = None, writes: str | None = None, unit: str = "1",
) -> Controller:  # fmt: skip
    """A rate limiter of the quantity `reads`, or of a `command` of its own in `unit`; rates are in that unit per s.

    `falling` is `rising` unless given. Both (`name.rising`, `name.falling`) can be tuned while it runs.
    """
    signals = {"output": unit if reads is None else AS_READ} if writes is None else {}
    references = {"command": command} if reads is None else {}
    found = RateLimit(
        rate_limit_step, name=name, reads=reads or (), references=references, units={"command": unit}, every=every,
        writes=writes or (), signals=signals, memory=2,
        parameters={"rising": rising, "falling": rising if falling is None else falling},
    )  # fmt: skip
    if (reads is None) == (command is None):
        problem = found.problem("it follows a quantity or a command.", "Give one of reads and command.")
        raise MachineError([problem], f"controller '{name}'")
    found.constants = {"from_held": float(writes is not None), "every": found.every}
    return found
