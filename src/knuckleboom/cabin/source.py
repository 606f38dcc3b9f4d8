# SPDX-License-Identifier: BSD-3-Clause
"""What a server shows: a machine that runs (live.py) or a run that is played again (player.py), seen alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.known import Known
from knuckleboom.cabin.limits import Message

Array = NDArray[np.float64]

COUNTS = ("steps", "corrected", "halved", "unresolved")
"""How many steps were made, had their oil made again, were made in parts, were left though in doubt."""


@dataclass(frozen=True)
class Sight:
    """The machine at one time: a line of its record, levers as applied, and how it runs; flags as in frame.py."""

    time: float
    line: Array
    levers: Array
    flags: int
    applied: int = 0
    missed: int = 0
    reached: float = 0.0


class Source(Protocol):
    """A machine that can be looked at and asked for something. Calls return at once but for `open` and `close`."""

    mode: str
    known: Known | None
    duration: float | None

    def open(self) -> None:
        """Make the machine ready; may take long and is called in a thread of its own. Sets `known`."""

    def close(self) -> None:
        """End everything."""

    def look(self) -> Sight | None:
        """Return the newest moment; None before the first."""

    def is_new(self) -> bool:
        """Return whether `look` would show something that it has not shown yet."""

    def status(self) -> dict[str, Any]:
        """Return the message `status` without its type."""

    def steer(self, levers: Array, sequence: int) -> None:
        """Hold the levers so; values are within their ranges already."""

    def centre(self) -> None:
        """Let all levers return to rest."""

    def ask(self, message: Message) -> str:
        """Carry out pause, resume, step, speed, reset, record or seek; return why not, empty when it is done."""
