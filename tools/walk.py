# SPDX-License-Identifier: BSD-3-Clause
"""The walk of one pressure: which files have it in hand on its way from a machine's file to the results, in order.

    NUMBA_DISABLE_JIT=1 PYTHONPATH=src python tools/walk.py [--all]

Runs `knuckleboom run excavator.yaml` for four steps with `realtime`, the start pressure of one chamber changed to a
number that nothing else has, and looks at every call of a function of ours. A file has the pressure in hand when an
argument, a variable or the answer of one of its functions is that number or the part that has it, the strain or the
pressure that the chamber has at that moment, or a list, table or array with one of these; of a family of arrays only
those that the function names count. A re-entry is a file whose room was on the list already, after a file of another
room; files outside of rooms do not count for that, and the parts of all rooms are one room. `--all` lists every file
that has a function called instead. Then come calls from one room into another that hand the pressure over, each pair of
rooms once: again, where the room was entered before and is not among the callers.
What was found: docs/decisions/walk_of_a_pressure.md. Tested in tests/docs/test_walk.py.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import knuckleboom
from knuckleboom.cli import main

ROOT = str(Path(knuckleboom.__file__).parent) + os.sep
MACHINE, PORT, FIELD, NUMBER = "excavator", "boom_left.a", "pressure_a", 10392941.25
TIMES = ["--for", "4ms", "--step", "1ms", "--record", "2ms"]
ARGUMENTS = [*TIMES, "--coupling", "realtime", "--no-plots", "--no-report", "--json"]
LAST = ("simulation/simulate.py", "simulate")
LARGEST = 400
"""Lists and tables that are longer are not looked through."""
DEEPEST = 4
"""How far into lists of lists and objects in objects is looked."""


class Walk:
    """Files in the order in which they had a function called, and in which they had the pressure in hand."""

    def __init__(self) -> None:
        self.called: dict[str, str] = {}
        self.in_hand: dict[str, str] = {}
        self.calls: dict[tuple[str, str], str] = {}
        self.again: list[tuple[str, str]] = []
        self._entered: set[str] = set()
        self._planned: Any = None
        self._strain = np.nan
        self._over = False

    def __call__(self, frame: FrameType, event: str, answer: Any) -> None:
        """What `sys.setprofile` calls."""
        code = frame.f_code
        if self._over or event not in ("call", "return") or not code.co_filename.startswith(ROOT):
            return
        name = code.co_filename[len(ROOT) :]
        self.called.setdefault(name, code.co_qualname)
        if event == "call":
            self._cross(frame, room_of(name))
            if name not in self.in_hand and self._has(frame):
                above = frame.f_back  # who hands it over has it, too
                if above is not None and above.f_code.co_filename.startswith(ROOT) and self._has(above):
                    self._note(above)
                self._note(frame)
            return
        if code.co_name == "start_strain" and frame.f_locals["node"].start == NUMBER:
            self._strain = answer
        if name not in self.in_hand and (self._has(frame) or self._holds(answer)):
            self._note(frame)
        if code.co_name == "build" and name == "plan/planned.py":
            self._planned = answer
        self._over = (name, code.co_name) == LAST

    def _cross(self, frame: FrameType, room: str) -> None:
        """Note the first call from a room into another that hands the pressure over."""
        callers = [above for above in _above(frame) if room_of(file_of(above))]
        rooms = [room_of(file_of(above)) for above in callers]
        if not room or not rooms or rooms[0] == room or (rooms[0], room) in self.calls:
            return
        if not any(self._holds(value, None) for value in frame.f_locals.values()):
            return
        self.calls[rooms[0], room] = f"{file_of(callers[0])} calls {frame.f_code.co_qualname} of {file_of(frame)}"
        if room in self._entered and room not in rooms:
            self.again.append((rooms[0], room))
        self._entered |= {room, rooms[0]}

    def _note(self, frame: FrameType) -> None:
        self.in_hand.setdefault(frame.f_code.co_filename[len(ROOT) :], frame.f_code.co_qualname)

    def _numbers(self) -> tuple[float, ...]:
        """What the pressure is at this moment: as it began, and as the chamber has it."""
        if self._planned is None:
            return (NUMBER, self._strain)
        place = [node.port for node in self._planned.layout.nodes].index(PORT)
        return (NUMBER, self._strain, self._planned.work.state.x[place], self._planned.work.oil.p[place])

    def _has(self, frame: FrameType) -> bool:
        return any(self._holds(value, frame.f_code.co_names) for value in frame.f_locals.values())

    def _holds(self, value: Any, named: tuple[str, ...] | None = (), depth: int = 0) -> bool:
        """Whether a value is the pressure or has it in it; of objects of ours, in what is named (None: all)."""
        if isinstance(value, float):
            return value in self._numbers()
        if isinstance(value, str):
            return value == str(NUMBER)
        if isinstance(value, np.ndarray):
            return value.dtype == np.float64 and bool(np.isin(value, self._numbers()).any())
        if depth == DEEPEST:
            return False
        if type(value).__module__.startswith("knuckleboom.") and hasattr(value, "__dict__"):
            if NUMBER in [one for one in vars(value).values() if isinstance(one, float)]:
                return True
            inside = [one for name, one in vars(value).items() if named is None or name in named]
            return any(self._holds(one, named, depth + 1) for one in inside)
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple) and len(value) < LARGEST:
            return any(self._holds(one, named, depth + 1) for one in value)
        return False


def file_of(frame: FrameType) -> str:
    """The file of a call, from our folder on."""
    return frame.f_code.co_filename[len(ROOT) :]


def _above(frame: FrameType) -> Iterator[FrameType]:
    """Calls of ours that are under way above one, the nearest first."""
    above = frame.f_back
    while above is not None:
        if above.f_code.co_filename.startswith(ROOT):
            yield above
        above = above.f_back


def room_of(name: str) -> str:
    """The room of a file, nothing for one outside of rooms; the parts of all rooms are one."""
    folders = name.split("/")[:-1]
    return "parts" if "parts" in folders else folders[0] if folders else ""


def re_entries(files: list[str]) -> list[str]:
    """The files with which a walk comes back into a room that it had left."""
    found, left, last = [], set(), ""
    for name in files:
        room = room_of(name)
        if not room:
            continue
        if room != last:
            if room in left:
                found.append(name)
            left.add(last)
        last = room
    return found


def import_all() -> None:
    """Import whatever the run might, so that only the run is seen; benches need other programs."""
    for module in pkgutil.walk_packages(knuckleboom.__path__, "knuckleboom."):
        if ".bench" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def walk() -> Walk:
    """Run the machine and return what was seen."""
    text = (Path(ROOT) / "catalogue" / f"{MACHINE}.yaml").read_text(encoding="utf-8")
    before, found, after = text.partition(f"{FIELD}: ")
    changed = before + found + str(NUMBER) + after[after.index("\n") :]
    import_all()
    seen = Walk()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path(f"{MACHINE}.yaml").write_text(changed, encoding="utf-8")
        sys.setprofile(seen)
        code = main(["run", f"{MACHINE}.yaml", *ARGUMENTS])
        sys.setprofile(None)
        os.chdir(ROOT)
    assert code == 0
    return seen


if __name__ == "__main__":
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        sys.exit("Compiled functions cannot be looked at: set NUMBA_DISABLE_JIT=1.")
    seen = walk()
    files = seen.called if "--all" in sys.argv else seen.in_hand
    again = re_entries(list(files))
    for name, function in files.items():
        print(f"{'again' if name in again else '':6}{name:45}{function}")
    for pair, text in seen.calls.items():
        print(f"{'again' if pair in seen.again else '':6}{pair[0]} to {pair[1]}: {text}")
    rooms = {room_of(name) for name in files} - {""}
    print(f"{len(files)} files, {len(rooms)} rooms, {len(again)} re-entries")
    print(f"{len(seen.calls)} calls into rooms, {len(seen.again)} again")
