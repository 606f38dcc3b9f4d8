# SPDX-License-Identifier: BSD-3-Clause
"""Controller: a function that is called at its own sample time, what it reads and what it writes.

    def hold(time, reads, writes, memory, parameters):
        writes[0] = parameters[0] * (reads[1] - reads[0])

    kb.Controller(hold, reads=["boom.angle"], references={"wanted": "30 deg"}, units={"wanted": "rad"},
                  writes=["spool"], every="5 ms", parameters={"gain": 2.0})

The four arrays are of 64-bit floats, in SI, in the order in which the names were given: `reads` the quantities, then
the references; `writes` the inputs, then the controller's own signals, filled with what is held so far; `memory` is the
controller's own and part of the state. Signals, references and parameters are named `controller.name`; parameters can
be tuned while it runs, `constants` stand behind them in the same array and cannot. Tested in
tests/simulate/test_controllers.py and tests/control/test_blocks.py.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from knuckleboom import units
from knuckleboom.control.compiled import is_compiled
from knuckleboom.errors import MachineError, Problem

AS_READ = "as read"
"""The unit of what is compared with the first quantity that is read."""


class Controller:
    """A function at its own sample time."""

    def __init__(
        self, function: Any, *, reads: str | Iterable[str], writes: str | Iterable[str] = (), every: float | str,
        name: str = "", signals: Mapping[str, str] | None = None, references: Mapping[str, Any] | None = None,
        memory: int | Sequence[float] = 0, parameters: Mapping[str, Any] | None = None,
        constants: Mapping[str, float] | None = None, units: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.function = function
        self.given: tuple[str, dict[str, Any]] | None = None
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.reads = _names(reads)
        self.writes = _names(writes)
        self.signals = dict(signals or {})
        self.references = dict(references or {})
        self.units = dict(units or {})
        problems: list[Problem] = []
        if not callable(function):
            problems.append(
                self.problem(f"{function!r} is not a function.", "Give f(time, reads, writes, memory, parameters).")
            )
        self.every = self._time(every, problems)
        self.memory = self._memory(memory, problems)
        self.parameters = {key: self._number(key, value, problems) for key, value in (parameters or {}).items()}
        self.constants = {key: float(value) for key, value in (constants or {}).items()}
        if not self.writes and not self.signals:
            problems.append(
                self.problem("it writes nothing.", "Name the inputs that it writes, or signals of its own.")
            )
        own = [*self.signals, *self.references, *self.parameters]
        for key in sorted({key for key in own if own.count(key) > 1}):
            problems.append(self.problem(f"'{key}' is the name of two things.", "Use each name for one thing."))
        problems = problems or list(self.faults(self.parameters))
        if problems:
            raise MachineError(problems, f"controller '{self.name}'")

    def faults(self, parameters: Mapping[str, float]) -> Iterator[Problem]:
        """What is wrong with these parameters, at the start and when one is tuned; blocks have rules of their own."""
        yield from ()

    @property
    def compiled(self) -> bool:
        """Whether it runs inside the step loop."""
        return is_compiled(self.function)

    def problem(self, rule: str, fix: str = "", closest: tuple[str, ...] = ()) -> Problem:
        """A problem of this controller."""
        return Problem(f"controller '{self.name}': {rule}", part=self.name, kind="controller", fix=fix, closest=closest)

    def path(self, own: str) -> str:
        """The full name of a signal, reference or parameter."""
        return f"{self.name}.{own}"

    def _time(self, value: Any, problems: list[Problem]) -> float:
        try:
            time = units.parse(value, "s") if isinstance(value, str) else float(value)
        except (TypeError, ValueError) as error:
            problems.append(self.problem(f"every: {error}.", 'Write it like "5 ms".'))
            return 1.0
        if not 0.0 < time < math.inf:
            problems.append(self.problem(f"every is {time:g} s; it must be longer than 0 s and finite."))
        return time

    def _memory(self, given: Any, problems: list[Problem]) -> tuple[float, ...]:
        if isinstance(given, int):
            given = (0.0,) * given
        try:
            memory = tuple(float(value) for value in given)
        except (TypeError, ValueError):
            problems.append(
                self.problem(f"memory is {given!r}.", "Give how many numbers it keeps, or their start values.")
            )
            return ()
        if not all(map(math.isfinite, memory)):
            problems.append(self.problem(f"memory starts with {memory}, which is not finite."))
        return memory

    def _number(self, key: str, value: Any, problems: list[Problem]) -> float:
        try:
            return self.read_parameter(key, value)
        except ValueError as error:
            problems.append(self.problem(f"{key}: {error}."))
        return 0.0

    def read_parameter(self, key: str, value: Any) -> float:
        """The SI number of what was given for a parameter, which may be infinite; a ValueError when it is none."""
        unit = self.units.get(key, "1")
        if isinstance(value, str):
            return units.parse(value, unit)
        if isinstance(value, bool) or not hasattr(value, "__float__") or math.isnan(float(value)):
            raise ValueError(f"{value!r} is not a number")
        return float(value)

    def __repr__(self) -> str:
        return f"<Controller '{self.name}' every {units.format_si(self.every, 's')}>"


def ready(make: Callable[..., Controller]) -> Callable[..., Controller]:
    """Let the maker of a ready block remember what it was given, so that files can hold it."""

    @functools.wraps(make)
    def remembering(name: str, **settings: Any) -> Controller:
        made = make(name, **settings)
        made.given = make.__name__, settings
        return made

    return remembering


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several; what has a name, such as the handle of a part, stands for it."""
    several = [given] if isinstance(given, str) or hasattr(given, "name") else list(given)
    return tuple(str(getattr(item, "name", item)) for item in several)
