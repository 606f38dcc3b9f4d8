# SPDX-License-Identifier: BSD-3-Clause
"""Names: which record columns a path such as `lift.a.pressure` stands for, its unit and one line of meaning.

The plan builds one `Names` from the machine; results, plots, the command line, FMU variables and messages all read it,
so that the name a user gave a part is the name that comes back. Units are SI and written in ASCII as `pint` reads them
("Pa", "m^3/s", "rad/s", "1"); columns count into the record, whose column 0 is time. A path with more than one column
has a dimension: `xyz` (3, world axes unless the meaning says otherwise), `wxyz` (4, a unit quaternion) or `row` (one
per constraint equation). Tested in tests/results/test_names.py.
"""

import difflib
import fnmatch
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knuckleboom.errors import KnuckleboomError, offer

SIZES: dict[str, int] = {"xyz": 3, "wxyz": 4}
"""Number of columns of each dimension whose length is fixed; a `row` signal has one column or more."""

MAX_CLOSEST = 5
MAX_COMPARED = 300


class UnknownName(KnuckleboomError, KeyError):
    """A path that the machine does not have; the text offers the closest ones."""

    def __init__(self, path: str, known: Iterable[str]) -> None:
        self.path = path
        self.closest = closest(path, known)
        super().__init__(path)

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[str, list[str]]]:
        return type(self), (self.path, self.closest)

    def __str__(self) -> str:
        return f"There is no quantity named '{self.path}'.{offer(self.closest)}"


def closest(name: str, known: Iterable[str], count: int = MAX_CLOSEST) -> list[str]:
    """Return at most `count` of the known names that look most like `name`, the best first."""
    choices = list(known)
    likely = choices
    if len(choices) > MAX_COMPARED:
        # a slip of the finger leaves the beginning and the end of a word; comparing all of thousands takes long
        likely = heapq.nlargest(MAX_COMPARED, choices, key=lambda choice: _same_ends(name, choice))
    found = difflib.get_close_matches(name, likely, n=count, cutoff=0.6)

    # a path cut short or given in other capitals is closer to its owner's quantities than spelling distance says
    lowered = name.lower()
    for choice in choices:
        if len(found) >= count:
            break
        inside = bool(lowered) and (choice.lower() == lowered or choice.lower().startswith(f"{lowered}."))
        if inside and choice not in found:
            found.append(choice)
    return found


def _same_ends(one: str, other: str) -> int:
    """Return how many letters two words share at their beginning and at their end."""
    count = 0
    for letters in (zip(one, other, strict=False), zip(reversed(one), reversed(other), strict=False)):
        for first, second in letters:
            if first != second:
                break
            count += 1
    return count


@dataclass(frozen=True)
class Signal:
    """One quantity of a machine: its path, SI unit, one line of meaning and its columns of the record."""

    path: str
    unit: str
    meaning: str
    columns: tuple[int, ...]
    dim: str | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError(f"signal '{self.path}' has no column")
        if self.dim is None and len(self.columns) != 1:
            raise ValueError(f"signal '{self.path}' has {len(self.columns)} columns but no dimension")
        if self.dim is not None and self.dim != "row" and self.dim not in SIZES:
            raise ValueError(f"signal '{self.path}' has the dimension '{self.dim}'; use xyz, wxyz or row")
        if self.dim in SIZES and len(self.columns) != SIZES[self.dim]:
            raise ValueError(f"signal '{self.path}' is '{self.dim}' but has {len(self.columns)} columns")


class Names:
    """All signals of a plan, in the order they were added, found by path."""

    def __init__(self, signals: Iterable[Signal] = ()) -> None:
        self._signals: dict[str, Signal] = {}
        for signal in signals:
            self._insert(signal)

    def _insert(self, signal: Signal) -> None:
        if signal.path in self._signals:
            raise ValueError(f"signal '{signal.path}' is named twice")
        self._signals[signal.path] = signal

    def add(self, path: str, unit: str, meaning: str, columns: int | Iterable[int], dim: str | None = None) -> Signal:
        """Append a signal and return it; `columns` is one column or several."""
        wanted = (columns,) if isinstance(columns, int) else tuple(int(column) for column in columns)
        signal = Signal(path, unit, meaning, wanted, dim)
        self._insert(signal)
        return signal

    def __getitem__(self, path: str) -> Signal:
        try:
            return self._signals[path]
        except KeyError:
            raise UnknownName(path, self._signals) from None

    def __contains__(self, path: object) -> bool:
        return path in self._signals

    def __iter__(self) -> Iterator[Signal]:
        return iter(self._signals.values())

    def __len__(self) -> int:
        return len(self._signals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"Names({len(self)} signals, {self.width} columns)"

    @property
    def paths(self) -> list[str]:
        """All paths in order."""
        return list(self._signals)

    @property
    def width(self) -> int:
        """Columns the record needs, time included."""
        return 1 + max((max(signal.columns) for signal in self), default=0)

    def find(self, wanted: str) -> list[Signal]:
        """Return the signals whose path matches a shell pattern (`lift.*`, `boom.ti?.position`) or has all words.

        Words are looked for in paths and meanings, capitals or not; signals with all of them in the path come first.
        """
        if any(sign in wanted for sign in "*?["):
            return [signal for signal in self if fnmatch.fnmatchcase(signal.path, wanted)]
        words = wanted.lower().split()
        found = [
            signal for signal in self if all(word in f"{signal.path} {signal.meaning}".lower() for word in words)
        ]
        return sorted(found, key=lambda signal: not all(word in signal.path.lower() for word in words)) if words else []

    def column_labels(self) -> list[str]:
        """Return one label per record column: `time`, then the path with `.x` or `[0]` where it has components."""
        labels = ["time"] + [""] * (self.width - 1)
        for signal in self:
            for column, label in zip(signal.columns, component_labels(signal), strict=True):
                labels[column] = label
        return labels


def component_labels(signal: Signal) -> list[str]:
    """Return the names of a signal's components: the path itself, `path.x`, or `path[0]` for rows."""
    if signal.dim is None:
        return [signal.path]
    if signal.dim == "row":
        return [f"{signal.path}[{index}]" for index in range(len(signal.columns))]
    return [f"{signal.path}.{letter}" for letter in signal.dim]
