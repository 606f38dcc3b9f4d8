# SPDX-License-Identifier: BSD-3-Clause
"""What an import gives: the machine, and a list of everything in the file that it has not, or has otherwise."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from knuckleboom.errors import Problem
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Body, Joint


@dataclass(frozen=True)
class LeftOut:
    """Something that was left out or changed: what, where in which file, and why or into what."""

    what: str
    file: str
    line: int | None
    why: str

    def __str__(self) -> str:
        return self.text()

    def text(self, known_file: str = "") -> str:
        """Return the entry as one line; the file is named when it is not the known one."""
        place = [self.file] if self.file != known_file else []
        place += [f"line {self.line}"] if self.line is not None else []
        told = f"{self.what}: {self.why}"
        return f"{' '.join(place)}  {told}" if place else told

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain data, for `--json`."""
        return asdict(self)


@dataclass(frozen=True)
class Imported:
    """A machine made from a robot's file, and what was left out or changed on the way; print it to read both."""

    machine: Machine
    left_out: tuple[LeftOut, ...]

    def __str__(self) -> str:
        machine = self.machine
        head = f"machine '{machine.name}': {_count(machine.of(Body), 'bod', 'y', 'ies')}"
        head += f", {_count(machine.of(Joint), 'joint', '', 's')}, {_count(machine.parts, 'part', '', 's')} in all"
        if not self.left_out:
            return f"{head}\nNothing was left out."
        return "\n".join([head, "Left out or changed:", *(f"  {entry.text(machine.file)}" for entry in self.left_out)])


class Notes:
    """Collects, while a file is read, what is wrong with it and what will not be in the machine."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.left_out: list[LeftOut] = []
        self.problems: list[Problem] = []

    def leave_out(self, what: str, line: int | None, why: str, file: str = "") -> None:
        """Note something that the machine has not, or has otherwise."""
        self.left_out.append(LeftOut(what, file or self.file, line, why))

    def complain(self, rule: str, line: int | None, fix: str = "", closest: tuple[str, ...] = ()) -> None:
        """Note something that is wrong with the file."""
        lines = None if line is None else (line, line)
        self.problems.append(Problem(rule, file=self.file, lines=lines, fix=fix, closest=closest))


def _count(items: Any, word: str, one: str, many: str) -> str:
    return f"{len(items)} {word}{one if len(items) == 1 else many}"
