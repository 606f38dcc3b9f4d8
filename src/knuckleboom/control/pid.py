# SPDX-License-Identifier: BSD-3-Clause
"""PID controller in parallel form, with a filtered derivative, limits, and an integral that does not wind up.

    v = kp·(r − y) + I + D,   u = v limited to [low, high]                        [Astrom Murray 2008, §10.5]
    I ← I + h·(ki·(r − y) + (u − v)/tracking)                forward difference, back-calculation at a limit
    D ← (filter·D − kd·(y − y before))/(filter + h)          backward difference of kd·s/(1 + filter·s), of −y only

Reads       y (the quantity), r (the setpoint: `name.setpoint`, or another quantity)
Writes      u: an input, or the signal `name.output`
Memory      I, D, y before, whether it has begun
Units       kp in units of u per unit of y, ki in that per s, kd in that times s.
The derivative acts on the measurement only, so that a jump of the setpoint gives no kick. With ki ≠ 0 the integral
begins where u = what was held before (bumpless); without it the controller has no bias. While u is at a limit, I is
drawn to where v is at the limit within the time `tracking` (default |kp/ki|, at least one sample). A negative kp makes
it act in reverse. Validated by: validation/analytic/test_pid.py
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from knuckleboom.control.compiled import block
from knuckleboom.control.controller import AS_READ, Controller, ready
from knuckleboom.errors import Problem

INTEGRAL, DERIVATIVE, BEFORE, BEGUN = 0, 1, 2, 3  # memory
KP, KI, KD, FILTER, LOW, HIGH, TRACKING, BUMPLESS, EVERY = 0, 1, 2, 3, 4, 5, 6, 7, 8  # parameters


@block
def pid_step(time: Any, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
    """One sample. Writes writes, memory."""
    h, kp, ki = parameters[EVERY], parameters[KP], parameters[KI]
    y = reads[0]
    error = reads[1] - y
    if memory[BEGUN] == 0.0:
        memory[BEGUN] = 1.0
        memory[BEFORE] = y
        if parameters[BUMPLESS] != 0.0 and ki != 0.0:
            memory[INTEGRAL] = writes[0] - kp * error

    lag = parameters[FILTER] * memory[DERIVATIVE] - parameters[KD] * (y - memory[BEFORE])
    derivative = lag / (parameters[FILTER] + h)
    wanted = kp * error + memory[INTEGRAL] + derivative
    output = min(max(wanted, parameters[LOW]), parameters[HIGH])
    if ki != 0.0:
        memory[INTEGRAL] += h * (ki * error + (output - wanted) / parameters[TRACKING])
    memory[DERIVATIVE] = derivative
    memory[BEFORE] = y
    writes[0] = output


class Pid(Controller):
    """A PID controller, which refuses parameters that make no sense together."""

    def faults(self, parameters: Mapping[str, float]) -> Iterator[Problem]:
        low, high = parameters["low"], parameters["high"]
        if low > high:
            yield self.problem(f"low ({low:g}) is above high ({high:g}).", "Write limits=(low, high).")
        for key, above in (("tracking", True), ("derivative_filter", False)):
            value = parameters[key]
            if not (value > 0.0 if above else value >= 0.0):
                yield self.problem(f"{key} is {value:g}; it must be {'above 0' if above else '0 or more'}.")


@ready
def pid(
    name: str, *, reads: str, writes: str | None = None, setpoint: Any, every: float | str, kp: float = 0.0,
    ki: float = 0.0, kd: float = 0.0, limits: tuple[Any, Any] = (-math.inf, math.inf),
    derivative_filter: float | str = 0.0, tracking: float | str | None = None, unit: str = "1",
) -> Controller:  # fmt: skip
    """A PID controller of the quantity `reads`; `setpoint` is a number, steps, a table, a function or a quantity.

    A quantity is meant by a text that is no number with a unit, such as "level.output". `unit` is that of the output
    where no input is written. Parameters (`name.kp`, `name.high`, …) can be tuned while it runs.
    """
    other = isinstance(setpoint, str) and _is_path(setpoint)
    sample = Controller(pid_step, reads=reads, signals={"output": unit}, every=every, name=name).every
    slow = abs(kp / ki) if ki else sample
    return Pid(
        pid_step,
        name=name,
        reads=[reads, setpoint] if other else [reads],
        references={} if other else {"setpoint": setpoint},
        writes=[] if writes is None else [writes],
        signals={"output": unit} if writes is None else {},
        every=sample,
        memory=4,
        parameters={
            "kp": kp, "ki": ki, "kd": kd, "derivative_filter": derivative_filter, "low": limits[0], "high": limits[1],
            "tracking": max(slow, sample) if tracking is None else tracking,
        },
        constants={"bumpless": float(writes is not None), "every": sample},
        units={"setpoint": AS_READ, "derivative_filter": "s", "tracking": "s"},
    )  # fmt: skip


def _is_path(text: str) -> bool:
    """Whether a text names a quantity: a number with a unit begins with a digit, a sign or a point."""
    return text.lstrip()[:1].isalpha() or text.lstrip()[:1] == "_"
