# SPDX-License-Identifier: BSD-3-Clause
"""The half of a run that another process computes: what the step loop calls, and what goes wrong there as a sentence.

The step loop calls `_call` through its address (engine/elsewhere.py) once in an exchange. With the power side elsewhere
it sends where the rows go and how they respond, and waits for their forces; with the mechanics elsewhere it sends
forces, and waits for the rows of the next exchange. How numbers travel is the link's business, by the protocol `Link`:
nothing here knows of sockets. docs/foreign_halves.md has the numbers in their order. Nothing is believed: time, size,
count and finiteness are checked. Tested in tests/halves/.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knuckleboom.engine.elsewhere import ADDRESS, CALL
from knuckleboom.errors import MachineError, Problem
from knuckleboom.kernels import plain
from knuckleboom.layout import HALF_FAILED, OK
from knuckleboom.mechanics.rows.kinds import has_value
from knuckleboom.methods import COSIMULATED, Method
from knuckleboom.plan import Planned
from knuckleboom.plan.exchange import shared_name

Array = NDArray[np.float64]

POWER, MECHANICS = "power", "mechanics"
TITLES = {POWER: "the power side", MECHANICS: "the mechanics"}
TO_POWER, TO_MECHANICS = 6, 5
"""Numbers of each row: s, w, three of its course, a; then mean force, end force, ∫ (H/2 − t) λ dt, value, work."""
SAME = 1e-9
"""Part of an exchange by which times of both halves may differ."""
REDUCED = ("reduced", "published")
ALONE = "the halves of the machine"


class Message(NamedTuple):
    """What one half sends the other: number of the exchange, its time and size [s], and numbers."""

    sequence: int
    time: float
    size: float
    values: Sequence[float]


class LinkError(Exception):
    """Another half that cannot be reached, or not any more: what happened, and what to try."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


class Ended(LinkError):
    """The other half has come to its end, and says where its rows are, values and rates, if it has the mechanics."""

    def __init__(self, what: str, remedy: str, rows: tuple[Sequence[float], Sequence[float]] | None = None) -> None:
        super().__init__(what, remedy)
        self.rows = rows


@runtime_checkable
class Link(Protocol):
    """The way to another half; every call raises LinkError where that is lost."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of what both share, if the user gave them."""

    def open(self, greeting: Mapping[str, Any]) -> list[str]:
        """Wait for the other half, and return the names of the rows in the order in which they travel."""

    def send(self, message: Message) -> None:
        """Send the numbers of an exchange."""

    def receive(self, count: int) -> Message:
        """Wait for those of the other half."""

    def end(self, message: str = "", rows: tuple[Sequence[float], Sequence[float]] | None = None) -> None:
        """Say that this half has ended, and where its rows are, or why it failed."""


class HalfFault(Exception):
    """What another half did wrong: a sentence, when, and what to try."""

    def __init__(self, text: str, time: float, remedy: str) -> None:
        super().__init__(text)
        self.time, self.remedy = time, remedy


class Elsewhere:
    """The other half of a planned machine; `start` opens its link."""

    def __init__(self, planned: Planned, link: Link, step: float) -> None:
        self.planned, self.link = planned, link
        self.side = planned.method.elsewhere
        self.fault: BaseException | None = None
        self._step, self._sequence, self._last = step, 0, math.nan
        self._ready, self._ended = False, ""
        layout, course = planned.layout, planned.plan.course
        self._rows = course.row.astype(np.intp)
        self.names = [shared_name(layout, layout.rows[row]) for row in self._rows]
        valued = plain(has_value)
        self._valued = np.array([bool(valued(planned.plan.rows, int(row))) for row in self._rows])
        self._order = np.arange(len(self.names))
        # the columns of q and v on which a mechanics elsewhere puts the rows of a power side
        columns = self._columns() if self.side == MECHANICS else np.zeros((0, 2), np.intp)
        self._q, self._v = columns[:, 0].copy(), columns[:, 1].copy()
        self._asked = 0.0
        self._kept = CALL(self._call)  # as long as its address is in the plan
        course.elsewhere[ADDRESS] = ctypes.cast(self._kept, ctypes.c_void_p).value

    def _columns(self) -> NDArray[np.intp]:
        stands, found = dict(self.planned.method.stands), []
        for name in self.names:
            joint = self.planned.machine.parts[stands[name]].joint  # type: ignore[attr-defined]
            columns = self.planned.joint_columns(joint)
            found.append((columns[0][0], columns[1][0]))
        return np.array(found, np.intp).reshape(-1, 2)

    # --- the beginning ---

    def start(self, evaluate: Callable[[], int]) -> int:
        """Wait for the other half and exchange what holds at the start; `evaluate` fills Work from the state.

        Returns the status of that evaluation.
        """
        try:
            self._order = self._wire_order(self.link.open(self._greeting()))
            if self.side == MECHANICS:
                self._put_rows(self._receive(self._to_power), 0.0)
            status = evaluate()
            if status != OK:
                return status
            rows, course = self.planned.work.rows, self.planned.work.course
            course.s[:] = np.where(self._valued, rows.s[self._rows], 0.0)
            course.w[:] = rows.w[self._rows]
            if self.side == POWER:
                course.rate[:] = 0.0
                course.rate[:, 0] = course.w
                course.free[:] = course.Y[:] = course.mean[:] = 0.0
                self._ask_power(0.0)
                self.planned.work.state.u[self.planned.plan.course.stand_input.astype(np.intp)] = course.force
            else:
                course.mean[:] = course.force[:] = rows.force[self._rows]
                course.lean[:] = course.work[:] = 0.0
                self._send(0.0, self._forces(course.s))
        except LinkError as error:
            raise self._lost(error) from error
        return OK

    def _greeting(self) -> dict[str, Any]:
        method = self.planned.method
        units = [self.planned.layout.rows[row].unit for row in self._rows]
        force = {"m": "N", "rad": "N*m"}
        return {
            "machine": self.planned.machine.name, "computes": MECHANICS if self.side == POWER else POWER,
            "rows": [
                {"name": name, "unit": unit, "force": force.get(unit, ""), "valued": bool(valued)}
                for name, unit, valued in zip(self.names, units, self._valued, strict=True)
            ],
            "step": self._step, "course": method.course, "order": method.order, "handed": method.handed,
        }  # fmt: skip

    def _wire_order(self, names: list[str]) -> NDArray[np.intp]:
        if sorted(names) != sorted(self.names):
            raise LinkError(
                f"it shares {', '.join(names) or 'nothing'}, and this half {', '.join(self.names)}",
                "halves of the same machine, or name what both share: kb.OtherHalf(rows=[...])",
            )
        return np.array([self.names.index(name) for name in names], np.intp)

    # --- an exchange ---

    def ready(self) -> bool:
        """Wait for the rows that the next step begins with, if the mechanics is elsewhere; False when that failed."""
        if self.side == POWER or self._ready:
            return True
        return self._guarded(lambda: self._next_rows(self._moment))

    def _call(self) -> int:
        """What the step loop calls. Return a status."""
        return OK if self._guarded(self._exchange) else HALF_FAILED

    def _guarded(self, function: Callable[[], None]) -> bool:
        """Call a function; what it raises is kept for who called the step loop, as compiled code passes nothing on."""
        try:
            function()
        except LinkError as error:
            self.fault = self._lost(error)
        except BaseException as error:
            self.fault = error
        else:
            return True
        return False

    def _exchange(self) -> None:
        course = self.planned.work.course
        size = float(course.size[0])
        if self.side == POWER:
            self._ask_power(size)
            return
        if abs(size - self._asked) > SAME * self._step:
            what = f"asked for an exchange of {self._asked:g} s where this half steps {size:g} s"
            raise self._wrong(what, self._sizes)
        self._send(size, self._forces(self.planned.work.state.exchange))
        self._ready = False
        try:
            self._next_rows(self._moment + size)
        except Ended as error:
            # the last forces have reached it: this half ends where it says, or where its own rows led
            self._ended = str(error)
            own = self.planned.work.state.exchange[: len(self.names)], course.speed
            self._put_values(*(own if error.rows is None else map(self._ordered, error.rows)))

    def _ask_power(self, size: float) -> None:
        """Send where the rows go, and take the forces. Writes work.course."""
        course, order = self.planned.work.course, self._order
        columns = np.column_stack([course.s, course.w, course.rate, course.free])[order]
        self._send(size, np.concatenate([columns.ravel(), course.Y[np.ix_(order, order)].ravel()]))
        found = self._receive(TO_MECHANICS * len(order))
        table = self._finite(found.values, TO_MECHANICS, ("force",) * 2 + ("∫ (H/2 − t) λ dt", "value", "work"))
        course.mean[order], course.force[order], course.lean[order] = table[:, 0], table[:, 1], table[:, 2]
        course.reached[order], course.work[order] = table[:, 3], table[:, 4]

    def _forces(self, reached: Array) -> Array:
        """The numbers that the mechanics gets."""
        course = self.planned.work.course
        columns = (course.mean, course.force, course.lean, reached[: len(self.names)], course.work)
        return np.column_stack(columns)[self._order].ravel()

    @property
    def _to_power(self) -> int:
        return len(self.names) * (TO_POWER + len(self.names))

    def _next_rows(self, due: float) -> None:
        if self._ended:
            raise LinkError(self._ended, "the same duration for both halves")
        self._put_rows(self._receive(self._to_power), due)
        self._ready = True

    def _put_rows(self, found: Message, due: float) -> None:
        """Put the rows where the other half says at a time [s], with their response. Writes work."""
        if not abs(found.time - due) <= SAME * (self._step + abs(due)):
            raise self._wrong(f"sent rows of t = {found.time:.9g} s where those of {due:.9g} s are due", self._sizes)
        count, course, order = len(self.names), self.planned.work.course, self._order
        values = np.asarray(found.values, float)
        table = values[: TO_POWER * count].reshape(count, TO_POWER)
        self._finite(table[:, :2].ravel(), 2, ("value", "rate"))
        if self.planned.method.course in REDUCED and found.size > 0.0:
            if not np.isfinite(table[:, 5]).all() or not np.isfinite(values[TO_POWER * count :]).all():
                method = self.planned.method.course
                raise self._wrong(
                    f"sent no a and Y, which course '{method}' needs",
                    "course hold, linear or quadratic, or a mechanics that sends a and Y",
                )
            course.free[order] = table[:, 5]
            course.Y[np.ix_(order, order)] = values[TO_POWER * count :].reshape(count, count)
        s, w = np.empty(count), np.empty(count)
        s[order], w[order] = table[:, 0], table[:, 1]
        self._put_values(s, w)
        self._asked = found.size

    def _ordered(self, values: Sequence[float]) -> Array:
        """Numbers that came in the order in which rows travel."""
        found = np.full(len(self.names), np.nan)
        if len(values) == len(found):
            found[self._order] = values
        return np.asarray(self._finite(found, 1, ("its last rows",))[:, 0])

    def finish(self) -> None:
        """Tell the other half that this one has ended, and where its rows are in Work."""
        rows, order = self.planned.work.rows, self._order
        s, w = np.where(self._valued, rows.s[self._rows], 0.0), rows.w[self._rows]
        self.link.end(rows=(s[order].tolist(), w[order].tolist()) if self.side == POWER else None)

    def _put_values(self, s: Array, w: Array) -> None:
        state = self.planned.work.state
        state.q[self._q] = s
        state.v[self._v] = w

    # --- numbers, checked ---

    @property
    def _moment(self) -> float:
        """Time of the exchange that is meant, s."""
        return float(self.planned.work.state.time[0])

    @property
    def _sizes(self) -> str:
        return "the same step for both halves, and inputs that jump where exchanges end"

    def _send(self, size: float, values: Array) -> None:
        self.link.send(Message(self._sequence, self._moment, size, values.tolist()))
        if self.side == MECHANICS:
            self._last, self._sequence = self._moment, self._sequence + 1

    def _receive(self, count: int) -> Message:
        found = self.link.receive(count)
        if found.sequence != self._sequence:
            raise self._wrong(
                f"is out of turn: exchange {found.sequence} where {self._sequence} is due",
                "an answer to every exchange, in its order",
            )
        if self.side == POWER:
            self._last, self._sequence = self._moment, self._sequence + 1
        return found

    def _finite(self, values: Any, width: int, columns: Sequence[str]) -> Array:
        """The numbers as a table of rows; a fault that names the first that is not finite."""
        table = np.asarray(values, float).reshape(-1, width)
        wild = np.argwhere(~np.isfinite(table.T))
        if len(wild):
            column, row = wild[0]  # forces first: what follows from them is no news
            name = self.names[self._order[row]]
            what = columns[column]
            raise self._wrong(
                f"sent {table[row, column]} as {what} of '{name}'",
                "a smaller exchange or smaller steps in that process, or see what it does then",
            )
        return table

    def _wrong(self, what: str, remedy: str) -> HalfFault:
        return HalfFault(f"{TITLES[self.side]}, in another process, {what}{self._since}.", self._moment, remedy)

    def _lost(self, error: LinkError) -> HalfFault:
        text = f"{TITLES[self.side]}, in another process, is lost: {error}{self._since}."
        held = self.side == POWER and self.planned.method.course not in REDUCED and self._sequence > 1
        more = ", or course 'reduced', should forces have grown from exchange to exchange" if held else ""
        return HalfFault(text, self._moment, error.remedy + more)

    @property
    def _since(self) -> str:
        if math.isnan(self._last):
            return "; there was no exchange yet"
        return f"; the last good exchange was at t = {self._last:.6g} s"


def split_method(method: Method, side: str, stands: tuple[tuple[str, str], ...]) -> Method:
    """The method of a run with one half elsewhere; raise MachineError with what halves cannot have."""
    problems = []
    if method.coupling != COSIMULATED.coupling:
        rule = f"coupling '{method.coupling}' has no halves apart."
        problems.append(Problem(rule, fix=f"Write coupling='{COSIMULATED.coupling}'."))
    if method.order == "mechanics-first":
        rule = "order 'mechanics-first' is for halves in one process: the power side would get rows that are not sent."
        problems.append(Problem(rule, fix="Write order='power-first' or 'jacobi'."))
    if method.variables == "pressure-displacement":
        rule = "variables 'pressure-displacement' are for halves in one process: others exchange forces."
        problems.append(Problem(rule, fix="Write variables='force-displacement'."))
    if problems:
        raise MachineError(problems, ALONE)
    return replace(method, elsewhere=side, stands=stands)
