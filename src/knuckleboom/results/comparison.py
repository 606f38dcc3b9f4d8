# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of methods on one machine: what each costs, how far it is from a converged run, and which to take.

`print(comparison)` is the table and the advice, `comparison.rows` has the numbers in SI, `comparison.to_dict()` plain
data. `.plot()` (cost against error) is attached in `knuckleboom/__init__.py`. Tested in tests/analysis/test_compare.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

GOOD = 0.005
"""Error, as a part of the motion and of the largest pressure, that is good enough for real time."""
NEAR = 2.0
"""Errors, or costs, within this factor of the smallest count as equally small: the other one then decides."""
STILL = 1e-9  # m: a way that is rounding
LEAST_TRAVEL = 1e-3  # m: a machine that moves less is judged by this
FOLLOWS = "kinematic"
"""The coupling that is given what the others find: never advised."""

HEADINGS = ("coupling", "integrator", "step", "cpu ms/s", "place mm", "pressure %", "loops", "energy %", "iterations")
WIDTHS = (13, 20, 9, 10, 12, 12, 10, 10, 11)
LEFT = 2
"""Columns with words: aligned to the left."""


@dataclass(frozen=True)
class Reference:
    """The run that counts as exact, and by how much halving its step last moved positions (m) and pressures (%)."""

    coupling: str
    integrator: str
    step: float
    position_difference: float
    pressure_difference_percent: float | None
    converged: bool

    def __str__(self) -> str:
        moved = f"{1e3 * self.position_difference:.1e} mm"
        if self.pressure_difference_percent is not None:
            moved += f" and {self.pressure_difference_percent:.1e} % of the largest pressure"
        doubt = "" if self.converged else "; it is NOT converged: smaller errors than this mean nothing"
        method = f"{self.coupling} ({self.integrator}) at {milliseconds(self.step)}"
        return f"Reference: {method}; halving its step moved it by {moved}{doubt}."


@dataclass(frozen=True)
class Row:
    """One method at one step: cost and errors; None where there is no such thing, or the run failed."""

    coupling: str
    integrator: str
    step: float
    """s"""
    status: str
    """One of done, failed (the run stopped) and refused (the method does not suit the machine)."""
    reason: str = ""
    """Why it is not done."""
    cpu_per_s: float | None = None
    """Processor time for a simulated second, s."""
    position_error: float | None = None
    """Largest over origins, centres of mass and points of all bodies on the grid, m."""
    pressure_error_percent: float | None = None
    """Largest over all oil volumes, in % of the largest pressure."""
    constraint_error: float | None = None
    """How far the worst loop was open: m, or rad for axes."""
    energy_residual_percent: float | None = None
    """Largest energy that appeared from nowhere, in % of the work done."""
    iterations: float | None = None
    """Mean number of Newton iterations in a step."""

    @property
    def done(self) -> bool:
        """Whether it ran to its end."""
        return self.status == "done"

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return f"{self.coupling} ({self.integrator}) at {milliseconds(self.step)}"


@dataclass(frozen=True)
class Comparison:
    """All methods that were run on a machine; `status` is "interrupted" when not all were."""

    machine: str
    duration: float
    grid: float
    travel: float
    """The longest way of any place from its start, m."""
    reference: Reference
    rows: Sequence[Row]
    status: str = "done"

    plot: ClassVar[Callable[..., Any]]

    def error(self, row: Row | Reference) -> float:
        """The worse of both errors: of places as a part of the motion, of pressures as a part of the largest."""
        if isinstance(row, Reference):
            return relative_error(row.position_difference, row.pressure_difference_percent, self.travel)
        return relative_error(row.position_error, row.pressure_error_percent, self.travel)

    @property
    def realtime(self) -> Row | None:
        """Of those whose steps all cost the same the best of the cheapest with good errors; else the best fast one."""
        fixed = [row for row in self._judged() if not row.iterations and (row.cpu_per_s or 0.0) < 1.0]
        good = [row for row in fixed if self.error(row) <= GOOD]
        least = min((row.cpu_per_s or 0.0 for row in good), default=0.0)
        near = [row for row in good if (row.cpu_per_s or 0.0) <= NEAR * least]
        return min(near or fixed, key=self.error, default=None)

    @property
    def accurate(self) -> Row | None:
        """The cheapest of those with the smallest error, the reference's own uncertainty counting as equal."""
        rows = self._judged()
        if not rows:
            return None
        limit = NEAR * max(min(self.error(row) for row in rows), self.error(self.reference))
        return min((row for row in rows if self.error(row) <= limit), key=lambda row: row.cpu_per_s or 0.0)

    def _judged(self) -> list[Row]:
        return [row for row in self.rows if row.done and row.coupling != FOLLOWS]

    @property
    def advice(self) -> str:
        """Which to use for real time and which for accuracy, and why."""
        fast, exact = self.realtime, self.accurate
        if exact is None:
            return "No method ran to its end at these steps: try smaller ones."
        if self.travel < STILL:
            return "Nothing moved, so there is nothing to choose by: compare for longer, or with other inputs."
        if fast is None:
            first = "None of these with a fixed cost per step is fast enough for real time."
        else:
            why = f"{self._speed(fast)}, every step costs the same, and it is {self._off(fast)} off"
            doubt = "" if self.error(fast) <= GOOD else "; no smaller error was seen in real time"
            first = f"For real time take {fast.name}: {why}{doubt}."
        if fast is exact:
            return f"{first} It also has the smallest error seen."
        return f"{first} For accuracy take {exact.name}: the smallest error, {self._off(exact)}; {self._speed(exact)}."

    def _speed(self, row: Row) -> str:
        cost = row.cpu_per_s or math.nan
        return f"{_times(1.0 / cost)} times faster than the machine" if cost < 1.0 else f"{_times(cost)} times slower"

    def _off(self, row: Row) -> str:
        place, pressure = self._errors(row)
        return f"{place} mm" + (f" and {pressure} % of the largest pressure" if pressure != "-" else "")

    def _errors(self, row: Row) -> tuple[str, str]:
        """Both errors as texts; below the uncertainty of the reference they are only bounded."""
        known = self.reference
        return (
            _bounded(row.position_error, known.position_difference, 1e3),
            _bounded(row.pressure_error_percent, known.pressure_difference_percent, 1.0),
        )

    def cells(self, row: Row) -> list[str]:
        """One line of the table, in the units people read."""
        head = [row.coupling, row.integrator, milliseconds(row.step)]
        if not row.done:
            return [*head, f"  {row.status}: {row.reason}"]
        cost = None if row.cpu_per_s is None else 1e3 * row.cpu_per_s
        numbers = (row.constraint_error, row.energy_residual_percent, row.iterations)
        return [*head, _digits(cost), *self._errors(row), *map(_digits, numbers)]

    @property
    def title(self) -> str:
        """What the table is of."""
        return f"{self.machine}, {self.duration:g} s; largest errors on a grid of {milliseconds(self.grid)}"

    def __str__(self) -> str:
        lines = [_line(HEADINGS), *(_line(self.cells(row)) for row in self.rows)]
        left = "" if self.status == "done" else f"\n{self.status.capitalize()}: the methods that follow were not run."
        return "\n".join([self.title, "", *lines, "", f"{self.reference}{left}", self.advice])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data under stable keys, described in docs/cli.md."""
        fast, exact = self.realtime, self.accurate
        return {
            "machine": self.machine,
            "status": self.status,
            "duration": self.duration,
            "grid": self.grid,
            "travel": self.travel,
            "reference": asdict(self.reference),
            "runs": [asdict(row) for row in self.rows],
            "realtime": None if fast is None else list(self.rows).index(fast),
            "accurate": None if exact is None else list(self.rows).index(exact),
            "advice": self.advice,
        }


def relative_error(position: float | None, pressure_percent: float | None, travel: float) -> float:
    """The worse of an error of places (m), as a part of the motion, and one of pressures; infinite without one."""
    if position is None:
        return math.inf
    return max(position / max(travel, LEAST_TRAVEL), 0.01 * (pressure_percent or 0.0))


def milliseconds(step: float) -> str:
    """A step as people read it."""
    return f"{1e3 * step:.4g} ms"


def _times(factor: float) -> str:
    """A factor in two digits: 1.3, 25, 17,000."""
    return f"{factor:.2g}" if factor < 10.0 else f"{float(f'{factor:.2g}'):,.0f}"


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def _bounded(value: float | None, known: float | None, factor: float) -> str:
    if value is not None and known is not None and value < known:
        return f"< {factor * known:.2g}"
    return _digits(None if value is None else factor * value)


def _line(cells: Sequence[str]) -> str:
    padded = [
        cell.ljust(width) if number < LEFT else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, WIDTHS, strict=False))
    ]
    return "".join(padded).rstrip()
