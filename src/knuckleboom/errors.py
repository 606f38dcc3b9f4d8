# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, as sentences: a `Problem` of a description, and the exceptions that carry them.

A machine is checked as a whole, so a `MachineError` holds every problem found; its text numbers them, gives the line
in the file, the rule broken in one sentence, a fix that can be pasted and the closest names of an unknown name.
The golden texts are in tests/errors/, one folder per message.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

MOST_SHOWN = 50
"""Problems that one text lists; a program gets them all."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a machine: which part, where, the rule in one sentence, and how to mend it.

    `rule` is the whole sentence, with the kind and name of the part in it; `part`, `kind` and `field` (such as `bore`
    or `flow[1]`) repeat them for programs. `lines` are the first and last line in `file`, counted from 1.
    """

    rule: str
    part: str = ""
    kind: str = ""
    field: str = ""
    file: str = ""
    lines: tuple[int, int] | None = None
    fix: str = ""
    closest: tuple[str, ...] = ()

    def placed(self, file: str, lines: tuple[int, int] | None) -> Problem:
        """Return the same problem with its place in a file."""
        return replace(self, file=file, lines=lines)

    def text(self, known_file: str = "") -> str:
        """Return the problem as one paragraph; the file is named when it is not the known one."""
        place = [self.file] if self.file and self.file != known_file else []
        if self.lines is not None:
            first, last = self.lines
            place.append(f"line {first}" if first == last else f"lines {first}-{last}")
        head = f"{' '.join(place)}  {self.rule}" if place else self.rule

        below = self.fix.splitlines()
        if self.closest:
            below.append(offer(self.closest).strip())
        return "\n   ".join(printable(line) for line in [head, *below])

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as plain data, for `--json`."""
        return asdict(self)


def offer(near: Iterable[str]) -> str:
    """Return the sentence that follows on an unknown name: its closest names, nothing where there are none."""
    names = ", ".join(f"'{name}'" for name in near)
    return f" Closest names: {names}." if names else ""


def lower_first(sentence: str) -> str:
    """Return a sentence as it goes on after a colon: its first letter small, unless it is that of an abbreviation."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


class KnuckleboomError(Exception):
    """Base of everything this package raises on purpose."""


class UnitError(KnuckleboomError, ValueError):
    """A quantity that cannot be read: an unknown unit, a wrong dimension, no unit at all."""


class MachineError(KnuckleboomError):
    """A description that cannot be simulated; `problems` holds all that was found."""

    def __init__(self, problems: Iterable[Problem], where: str) -> None:
        self.problems = list(problems)
        self.where = where
        super().__init__(report(self.problems, where))

    def __reduce__(self) -> tuple[type[MachineError], tuple[list[Problem], str]]:
        return type(self), (self.problems, self.where)


class SimulationError(KnuckleboomError):
    """A run that stopped early; `results` holds what was computed before, `text` says why and what to try."""

    def __init__(self, text: str, results: Any = None) -> None:
        self.results = results
        super().__init__(text)

    def __reduce__(self) -> tuple[type[SimulationError], tuple[str, Any]]:
        return type(self), (str(self), self.results)


def report(problems: list[Problem], where: str, word: str = "problem") -> str:
    """Return all problems as one numbered text; `where` is a file, or a machine's or part's name in words."""
    count = f"{len(problems)} {word}" if len(problems) == 1 else f"{len(problems)} {word}s"
    shown = problems[:MOST_SHOWN]
    paragraphs = [f"{number}. {problem.text(where)}" for number, problem in enumerate(shown, start=1)]
    if len(problems) > MOST_SHOWN:
        paragraphs.append(f"Only the first {MOST_SHOWN} are shown.")
    return "\n\n".join([f"{count} in {where}", *paragraphs])


def printable(text: str) -> str:
    """Return a text on one line, without letters that would move a terminal's cursor; names come from files."""
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)
