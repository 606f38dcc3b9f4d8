# SPDX-License-Identifier: BSD-3-Clause
"""Low-pass filter of first or second order, discretised exactly for an input held over each sample.

    τ·ẏ = u − y:                  y ← u + a·(y − u),   a = exp(−h/τ)
    ÿ = ω²·(u − y) − 2·ζ·ω·ẏ:     (y − u, ẏ) ← exp(A·h)·(y − u, ẏ),   A = [0, 1; −ω², −2ζω]
                                           zero-order hold [Astrom Wittenmark 1997, ch. 2]; exp(A·h) written out: own

Reads       u (the quantity)              Writes  y: the signal `name.output`, in the unit of u, or an input
Memory      y, ẏ, u before, whether it has begun: it begins at rest with y = u
The output at a sample is that of the continuous filter at that time when its input was held from sample to sample, so
it lags by up to one sample more than a filter of the continuous quantity. Validated by:
validation/analytic/test_low_pass.py
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from knuckleboom.control.compiled import block
from knuckleboom.control.controller import AS_READ, Controller, ready
from knuckleboom.errors import MachineError, Problem

OUTPUT, RATE, BEFORE, BEGUN = 0, 1, 2, 3  # memory
LAG, EVERY = 0, 1  # parameters of the first order
FREQUENCY, DAMPING, EVERY_2 = 0, 1, 2  # parameters of the second order


@block
def first_order_step(time: Any, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
    """One sample of the first order. Writes writes, memory."""
    if memory[BEGUN] == 0.0:
        memory[BEGUN] = 1.0
        memory[OUTPUT] = reads[0]
        memory[BEFORE] = reads[0]
    left = memory[OUTPUT] - memory[BEFORE]
    memory[OUTPUT] = memory[BEFORE] + math.exp(-parameters[EVERY] / parameters[LAG]) * left
    memory[BEFORE] = reads[0]
    writes[0] = memory[OUTPUT]


@block
def second_order_step(time: Any, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
    """One sample of the second order. Writes writes, memory."""
    if memory[BEGUN] == 0.0:
        memory[BEGUN] = 1.0
        memory[OUTPUT] = reads[0]
        memory[BEFORE] = reads[0]
        memory[RATE] = 0.0
    h, omega, zeta = parameters[EVERY_2], 2.0 * math.pi * parameters[FREQUENCY], parameters[DAMPING]
    decay = zeta * omega
    left, rate = memory[OUTPUT] - memory[BEFORE], memory[RATE]

    # exp(A·h) = e^(−ζωh)·(c·1 + s·(A + ζω·1)) with c, s from ω_d² = ω²·(1 − ζ²)
    square = omega * omega * (1.0 - zeta * zeta)
    if square > 0.0:
        turning = math.sqrt(square)
        c, s = math.cos(turning * h), math.sin(turning * h) / turning
    elif square < 0.0:
        turning = math.sqrt(-square)
        c, s = math.cosh(turning * h), math.sinh(turning * h) / turning
    else:
        c, s = 1.0, h
    fading = math.exp(-decay * h)
    memory[OUTPUT] = memory[BEFORE] + fading * (c * left + s * (decay * left + rate))
    memory[RATE] = fading * (c * rate - s * (omega * omega * left + decay * rate))
    memory[BEFORE] = reads[0]
    writes[0] = memory[OUTPUT]


class LowPass(Controller):
    """A low-pass filter, whose parameters are above zero."""

    def faults(self, parameters: Mapping[str, float]) -> Iterator[Problem]:
        for key, value in parameters.items():
            if not value > 0.0:
                yield self.problem(f"{key} is {value:g}; it must be above 0.")


@ready
def low_pass(
    name: str, *, reads: str, every: float | str, time_constant: float | str | None = None,
    frequency: float | str | None = None, damping: float | None = None, writes: str | None = None,
) -> Controller:  # fmt: skip
    """A low-pass filter of the quantity `reads`: of first order with `time_constant`, of second with `frequency`.

    `frequency` is that of the undamped filter in Hz, `damping` its damping ratio (1/√2 by default). The parameters
    `name.time_constant`, or `name.frequency` and `name.damping`, can be tuned while it runs.
    """
    signals = {"output": AS_READ} if writes is None else {}
    common: dict[str, Any] = {"name": name, "reads": reads, "writes": writes or (), "signals": signals, "memory": 4}
    plain = Controller(first_order_step, **common, every=every)
    first = time_constant is not None
    if first == (frequency is not None) or (first and damping is not None):
        fix = 'Give time_constant="50 ms", or frequency="10 Hz" with or without damping.'
        raise MachineError([plain.problem("a low-pass is of first or of second order.", fix)], f"controller '{name}'")
    common |= {"every": plain.every, "constants": {"every": plain.every}}
    if first:
        return LowPass(
            first_order_step, **common, parameters={"time_constant": time_constant}, units={"time_constant": "s"}
        )
    ratio = math.sqrt(0.5) if damping is None else damping
    parameters = {"frequency": frequency, "damping": ratio}
    return LowPass(second_order_step, **common, parameters=parameters, units={"frequency": "1/s"})
