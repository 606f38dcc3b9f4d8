# SPDX-License-Identifier: BSD-3-Clause
"""How a spool or a pump's setting follows its command: at once, with a lag, or like a mass on a spring.

time_constant τ:   τ·ẋ = u − x          frequency f, damping ζ:   ẍ = ω²·(u − x) − 2·ζ·ω·ẋ,  ω = 2π·f
"""

from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import Fault, Net
from knuckleboom.net import NetSignal


def following_faults(part: Any) -> Iterator[Fault]:
    """Yield what is wrong with the part's time_constant, frequency and damping together."""
    given = part.model_fields_set
    if part.frequency is not None and "time_constant" in given:
        yield Fault(
            "it has both time_constant and frequency.",
            "Give one of them: time_constant: 20 ms   or   frequency: 20 Hz, damping: 0.8",
            field="frequency",
        )
    if part.frequency is None and "damping" in given:
        yield Fault("damping has no effect without frequency.", "Add frequency: 20 Hz", field="damping")


def follow(
    net: Net, command: NetSignal, time_constant: float, frequency: float | None, damping: float, name: str
) -> NetSignal:  # fmt: skip
    """Return the state that follows a command, or the command itself."""
    if frequency is not None:
        return net.second_order(command, frequency, damping, name=name)
    return net.spool(command, time_constant, name=name)
