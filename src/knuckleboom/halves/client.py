# SPDX-License-Identifier: BSD-3-Clause
"""PowerHalf and MechanicsHalf: a program of one's own that computes one half of a machine that Knuckleboom runs.

    with kb.PowerHalf(8362) as half:                         forces are mine, the mechanics is there
        for exchange in half:
            x = exchange.integrate(rates, forces, x)         SciPy, rows on their course
            # or, in steps of one's own:  exchange.advance(force, h)

    with kb.MechanicsHalf(8362) as half:                     the mechanics is mine, the oil is there
        force = half.start(s, w).mean
        force = half.exchange(s, w, size=0.005).mean

On a course `reduced` rows answer to the forces within an exchange, ẇ = a + Y λ: `integrate` and `advance` do that. The
mean force that goes back is the one that drove them, so that both halves end with the same rates. The other side is
kb.OtherHalf. Needs NumPy, `integrate` also SciPy; no compiler. docs/foreign_halves.md. Tested in tests/halves/.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from knuckleboom.halves import messages
from knuckleboom.halves.messages import LOOPBACK, PORT, WAIT, Gone, HalfError, Lost, Wire, WireError

Array = NDArray[np.float64]
Rates = Callable[[float, Array, Array, Array], ArrayLike]
"""Of time [s], own states, values and rates of the rows."""
COURSES = ("hold", "linear", "quadratic", "reduced")
SAME = 1e-9
"""Part of an exchange that may be missing when it is answered."""
RTOL = 1e-7


class SharedRow(NamedTuple):
    """A row that both halves share: its name, the unit of its value, that of its force."""

    name: str
    unit: str
    force: str


class Forces(NamedTuple):
    """What a power side did in an exchange, of each row: mean and last force, and ∫ (H/2 − t) λ dt."""

    mean: Array
    end: Array
    lean: Array


class Half:
    """A connection to a run of Knuckleboom; `rows`, `step` [s], `course` and `machine` are what it says of itself."""

    COMPUTES = ""

    def __init__(
        self, port: int = PORT, host: str = LOOPBACK, *, token: str = "", patience: float | str = WAIT
    ) -> None:
        """Connect; the run may be silent for `patience`, also before its greeting, as it may have to compile."""
        self.patience = messages.seconds("patience", patience)
        self._sequence, port = 0, messages.port_number(port)
        try:
            connection = messages.connect(host, port, self.patience)
        except OSError as error:
            reason = error.strerror or str(error)
            fix = f"Start it there: kb.OtherHalf({port})"
            raise HalfError(f"There is no run at port {port} of {host}: {reason}. {fix}") from error
        self._wire: Wire = Wire(connection, messages.LARGEST, messages.HALVES)
        try:
            self.hello = self._told(lambda: messages.join(self._wire, self.COMPUTES, token, self.patience))
            self.rows = [SharedRow(row["name"], row["unit"], row["force"]) for row in self.hello["rows"]]
            self._valued = np.array([bool(row["valued"]) for row in self.hello["rows"]], bool)
            self.machine, self.step = str(self.hello["machine"]), float(self.hello["step"])
            self.course = str(self.hello["course"])
        except BaseException:
            self.close()
            raise

    @property
    def names(self) -> list[str]:
        """Names of the rows, in the order of all arrays."""
        return [row.name for row in self.rows]

    def _told(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except Lost as error:
            raise HalfError(f"The other half is lost: {error}.") from error
        except TimeoutError as error:
            raise HalfError(f"Nothing came from the other half for {self.patience:g} s.") from error
        except Gone as error:
            raise HalfError("The other half has closed the connection.") from error
        except WireError as error:
            raise HalfError(f"This is not a half of a machine: {error}.") from error

    def _send(self, time: float, size: float, values: Sequence[float]) -> None:
        body = messages.pack(self._sequence, time, size, values)
        self._told(lambda: self._wire.send(messages.NUMBERS, body, self.patience))

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(Gone, TimeoutError):
            if error is None:
                self._wire.send_text("end", 1.0)
            else:
                self._wire.send_text("failed", 1.0, reason=f"{type(error).__name__}: {error}")
        self.close()


class PowerHalf(Half):
    """A power side of one's own: iterate over the exchanges; each is answered when the next is asked for."""

    COMPUTES = "power"

    def __init__(
        self, port: int = PORT, host: str = LOOPBACK, *, token: str = "", patience: float | str = WAIT
    ) -> None:
        super().__init__(port, host, token=token, patience=patience)
        if self.course not in COURSES:
            self.close()
            raise HalfError(f"Course '{self.course}' is not offered here. Run with one of {', '.join(COURSES)}.")

    def __iter__(self) -> Iterator[PowerExchange]:
        count, kept = len(self.rows), None
        while True:
            try:
                found = self._told(lambda: messages.receive(self._wire, count * (6 + count), self.patience))
            except HalfError as error:
                if isinstance(error.__cause__, Lost) and error.__cause__.ended:
                    return
                raise
            self._sequence, time, size, values = found
            table = np.array(values[: 6 * count]).reshape(count, 6)
            Y = np.array(values[6 * count :]).reshape(count, count)
            exchange = PowerExchange(time, size, table, Y, self._valued, self.course == "reduced")
            if kept is not None:
                exchange.s = kept  # what its own rates added up to, so that no oil is lost
            yield exchange
            self._send(time, size, exchange.answer())
            kept = exchange.s


class PowerExchange:
    """One exchange of a power side: where the rows are now, and what has gone through them so far.

    `time` and `size` [s] are those of the exchange, `s` and `w` the rows' values and rates now; a size of 0 asks for
    the forces at the start of the run.
    """

    def __init__(
        self, time: float, size: float, table: Array, Y: Array, valued: NDArray[np.bool_], reduced: bool
    ) -> None:
        self.time, self.size = time, size
        self.s, self.w = table[:, 0].copy(), table[:, 2].copy()
        self.a, self.Y = table[:, 5].copy(), Y
        self._course, self._valued, self._reduced = table[:, 2:5].copy(), valued, reduced
        count = len(self.s)
        self.force = np.full(count, np.nan)
        self.impulse, self._lean, self._work = np.zeros(count), np.zeros(count), np.zeros(count)
        self._gone = 0.0

    @property
    def now(self) -> float:
        """Time that has been reached, s."""
        return self.time + self._gone

    def rates_at(self, gone: float) -> Array:
        """Rates of the rows on their course, so long after the start of the exchange [s]; not for `reduced`."""
        part = gone / self.size if self.size > 0.0 else 0.0
        first, second, third = self._course.T
        return np.asarray(first + part * (second + part * third), float)

    def advance(self, force: ArrayLike, h: float) -> None:
        """Go on by a small step of h [s] in which these forces act on the rows."""
        force = np.asarray(force, float)
        self._check(force)
        before, rest = self.w, 0.5 * self.size - self._gone - 0.5 * h
        gone = self._gone + h
        self.w = before + h * (self.a + self.Y @ force) if self._reduced else self.rates_at(gone)
        mean = 0.5 * (before + self.w)
        self.s = self.s + h * mean
        self.impulse += h * force
        self._lean += h * rest * force
        self._work += h * force * mean
        self.force, self._gone = force, gone

    def integrate(self, rates: Rates, forces: Rates, x: ArrayLike, **options: Any) -> Array:
        """Integrate ẋ = rates(t, x, s, w) to the end of the exchange with forces(t, x, s, w) on the rows, by SciPy's
        solve_ivp; return x there. `options` are those of solve_ivp, method LSODA and rtol 1e-7 unless given.
        """
        from scipy.integrate import solve_ivp

        x, count = np.asarray(x, float), len(self.s)
        begins, rest = self._gone, self.size - self._gone
        self.force = np.asarray(forces(self.now, x, self.s, self.w), float)
        self._check(self.force)
        if rest <= 0.0:
            return x
        cuts = np.cumsum([len(x), count, count, count, count])

        def slopes(t: float, y: Array) -> Array:
            own, s, w, _, _, _ = np.split(y, cuts)
            rate = w if self._reduced else self.rates_at(begins + t)
            force = np.asarray(forces(self.time + begins + t, own, s, rate), float)
            faster = self.a + self.Y @ force if self._reduced else np.zeros(count)
            lean = (0.5 * self.size - begins - t) * force
            own_rates = np.asarray(rates(self.time + begins + t, own, s, rate), float)
            return np.concatenate([own_rates, rate, faster, force, lean, force * rate])

        size = np.abs(self.force) + 1.0
        scale = np.concatenate([np.abs(x) + 1e-3, np.abs(self.s) + 1e-3, np.abs(self.w) + 1e-2,
                                rest * size, rest**2 * size, rest * size])  # fmt: skip
        rtol = options.pop("rtol", RTOL)
        given = {"method": "LSODA", "rtol": rtol, "atol": rtol * scale, **options}
        start = np.concatenate([x, self.s, self.w, self.impulse, self._lean, self._work])
        found = solve_ivp(slopes, (0.0, rest), start, **given)
        if not found.success:
            raise HalfError(f"SciPy found no end of the exchange at t = {self.time:.6g} s: {found.message}")
        x, self.s, self.w, self.impulse, self._lean, self._work = np.split(found.y[:, -1], cuts)
        self._gone = self.size
        if not self._reduced:
            self.w = self.rates_at(self._gone)
        self.force = np.asarray(forces(self.now, x, self.s, self.w), float)
        return np.asarray(x)

    def _check(self, force: Array) -> None:
        if force.shape != self.s.shape:
            rule = f"There are {force.size} forces for {len(self.s)} rows."
            raise HalfError(f"{rule} Give one for each row, in their order.")

    def answer(self) -> list[float]:
        """The numbers that go back; a HalfError where the exchange has not been carried out to its end."""
        if np.isnan(self.force).all() and len(self.force) and self._gone == 0.0:
            rule = f"No forces were given for the exchange at t = {self.time:.6g} s."
            raise HalfError(f"{rule} Call exchange.advance(force, h) or exchange.integrate(...) in the loop.")
        if abs(self.size - self._gone) > SAME * self.size:
            rule = f"{self._gone:g} s of the exchange at t = {self.time:.6g} s were carried out; it has {self.size:g} s"
            raise HalfError(f"{rule}. Let the small steps add up to exchange.size.")
        mean = self.impulse / self.size if self.size > 0.0 else self.force
        value = np.where(self._valued, self.s, 0.0)
        return np.column_stack([mean, self.force, self._lean, value, self._work]).ravel().tolist()


class MechanicsHalf(Half):
    """A mechanics of one's own: say where the rows are and get forces, exchange by exchange."""

    COMPUTES = "mechanics"
    time = 0.0
    """When the next exchange begins, s."""

    def start(self, s: ArrayLike, w: ArrayLike) -> Forces:
        """Say where the rows are at the start, and return the forces there."""
        return self._exchange(s, w, 0.0, None, None)

    def exchange(
        self, s: ArrayLike, w: ArrayLike, size: float | None = None, a: ArrayLike | None = None,
        Y: ArrayLike | None = None,
    ) -> Forces:  # fmt: skip
        """Say where the rows are now, and return the forces over the next `size` [s], the step of the power side unless
        given. `a` and `Y` say how the rows respond, ẇ = a + Y λ: on course `reduced` they are needed.
        """
        return self._exchange(s, w, self.step if size is None else size, a, Y)

    def finish(self, s: ArrayLike, w: ArrayLike) -> None:
        """Say where the rows are at the end, for the last line of the power side's record."""
        self._send(self.time, 0.0, self._numbers(s, w, None, None))

    def _numbers(self, s: ArrayLike, w: ArrayLike, a: ArrayLike | None, Y: ArrayLike | None) -> list[float]:
        count = len(self.rows)
        table = np.full((count, 6), np.nan)
        square = np.full((count, count), np.nan) if Y is None else np.asarray(Y, float)
        for column, given in ((0, s), (1, w), (5, a)):
            if given is not None:
                table[:, column] = self._sized(given, (count,))
        return [*table.ravel().tolist(), *self._sized(square, (count, count)).ravel().tolist()]

    def _sized(self, given: ArrayLike, shape: tuple[int, ...]) -> Array:
        found = np.atleast_1d(np.asarray(given, float))
        if found.shape != shape:
            raise HalfError(f"{found.shape} numbers were given for the rows {', '.join(self.names)}: it takes {shape}.")
        return found

    def _exchange(
        self, s: ArrayLike, w: ArrayLike, size: float, a: ArrayLike | None, Y: ArrayLike | None
    ) -> Forces:
        self._send(self.time, size, self._numbers(s, w, a, Y))
        count = len(self.rows)
        sequence, _, _, values = self._told(lambda: messages.receive(self._wire, 5 * count, self.patience))
        if sequence != self._sequence:
            raise HalfError(f"An answer to exchange {sequence} came where that to {self._sequence} is due.")
        self._sequence += 1
        self.time += size
        table = np.array(values).reshape(count, 5)
        return Forces(table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy())
