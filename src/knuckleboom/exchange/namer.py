# SPDX-License-Identifier: BSD-3-Clause
"""Names: those of a file made into names that a machine allows, each once, and every change noted.

A machine has one set of names for all parts; URDF and MJCF have one per kind, and any letters.
"""

from __future__ import annotations

import re

from knuckleboom.exchange.imported import Notes
from knuckleboom.machine.naming import LONGEST, name_faults

ROOM = 20  # letters kept free for what is added to a long name


class Namer:
    """Gives every name once."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.taken: set[str] = set()

    def take(self, wanted: str, kind: str, line: int | None = None, file: str = "") -> str:
        """Return a free name close to the one wanted; a change is noted, but not that of a name that was empty."""
        name = valid(wanted, kind)
        if name in self.taken:
            name = f"{name}_{kind}"
        free, number = name, 2
        while free in self.taken:
            free, number = f"{name}_{number}", number + 1
        self.taken.add(free)
        if wanted and free != wanted:
            why = f"it is named '{free}' here, as names are unique and made of letters, digits, _ and -."
            self.notes.leave_out(f"the name '{short(wanted)}' of a {kind}", line, why, file)
        return free


def valid(name: str, kind: str) -> str:
    """Return a name with everything that is not allowed in it replaced."""
    plain = re.sub(r"[^\w-]+", "_", name)[: LONGEST - ROOM]
    if not plain.strip("_"):
        return kind
    return f"{kind}_{plain.lstrip('_')}" if any(name_faults(plain)) else plain


def short(text: str) -> str:
    """Return a text of a file as it is quoted in a note: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
