# SPDX-License-Identifier: BSD-3-Clause
"""Energy audit: where the energy of a run came from, where it is now and where it was lost.

    residual = Δ(kinetic + potential + elastic + oil) + dissipated − supplied − applied

All values in J over the whole run. Supplied is what each pressure source, tank or pump put into the oil (negative when
it took oil back), applied is the work of each force, torque, effort, servo or held row on the mechanism, dissipated is
what each part turned into heat (never negative for a sound part). Friction of a pump's shaft never reaches the oil: it
is given beside the balance, shaft = friction + to the oil, and is not among the work that a residual is compared with.
An exact run has residual 0: what is left is the error of the integrator and of constraint stabilisation. It is compared
with the work done, the sum of the absolute work of all sources and applied forces; where nothing is driven, with the
sum of absolute changes of stored energy. Of a co-simulated run a line below says how much of the residual the exchanges
made: work that the mechanics got less what the power side gave.
The table lists parts by size, springs such as those of a stand last, and folds what is below 0.1 % of the work done
into one row; `to_dict` has every part. The table only adds; the engine integrates the powers. Tested in
tests/results/test_energy.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

STORED = ("kinetic", "potential", "elastic", "oil")
"""The forms in which a machine stores energy, in the order of the table."""

TITLES = {"supplied": "supplied by", "applied": "applied by", "dissipated": "dissipated in"}

UNITS = (("GJ", 1e9), ("MJ", 1e6), ("kJ", 1e3))
MOST_DIGITS = 100.0
"""A unit is taken when the largest number is at least this many of it, so that small numbers keep their digits."""

NOISE = 1e-3
"""Part of the work done below which the rows of a section are folded into one."""

ROUNDING = 1e-12
"""Part of the stored energy below which work is rounding: a machine that stands still does none."""

NAME_WIDTH = 34
NUMBER_WIDTH = 14


class Shaft(NamedTuple):
    """Work that the shaft of a pump took, what of it its friction turned into heat, and what it gave to the oil, J.

    The pump's leakage is among what the oil lost.
    """

    work: float
    friction: float
    to_oil: float


class Stored(NamedTuple):
    """One form of stored energy at the start and the end of a run, and its change, J."""

    start: float
    end: float
    change: float


@dataclass(frozen=True)
class EnergyAudit:
    """The energy of one run, J: stored in four forms, supplied and applied by name, dissipated by name."""

    stored: Mapping[str, Stored | tuple[float, ...]]
    supplied: Mapping[str, float] = field(default_factory=dict)
    applied: Mapping[str, float] = field(default_factory=dict)
    dissipated: Mapping[str, float] = field(default_factory=dict)
    shafts: Mapping[str, Shaft] = field(default_factory=dict)
    machine: str = ""
    start_time: float = 0.0
    end_time: float = 0.0
    swing: float = 0.0
    """The most that kinetic, potential or elastic energy changed within the run, J."""
    springs: frozenset[str] = frozenset()
    """Names of springs: they come last in their section."""
    exchanged: float | None = None
    """What exchanges of a co-simulation made from nothing, J, a part of the residual; None where there are none."""

    def __post_init__(self) -> None:
        unknown = [form for form in self.stored if form not in STORED]
        if unknown:
            raise ValueError(f"stored energy has no form '{unknown[0]}'; the forms are {', '.join(STORED)}")
        rows = {form: _stored(self.stored.get(form, (0.0, 0.0))) for form in STORED}
        object.__setattr__(self, "stored", rows)
        for section in TITLES:
            values = {name: float(value) for name, value in getattr(self, section).items()}
            object.__setattr__(self, section, values)

    @property
    def change(self) -> float:
        """Change of all stored energy, J."""
        return sum(self.row(form).change for form in STORED)

    @property
    def work_done(self) -> float:
        """Sum of the absolute work of all sources and applied forces, J; of the stores' changes if there are none.

        At least what a store took up and gave back meanwhile: a drive that swings does no work from end to end.
        """
        driven = sum(abs(value) for value in (*self.supplied.values(), *self.applied.values()))
        return max(driven or sum(abs(self.row(form).change) for form in STORED), self.swing)

    @property
    def largest(self) -> float:
        """The largest of the stored energies at the start and the end, J, whatever its sign."""
        return max(abs(value) for form in STORED for value in self.row(form)[:2])

    @property
    def residual(self) -> float:
        """Energy that appeared from nowhere (positive) or vanished (negative), J."""
        lost = sum(self.dissipated.values())
        given = sum(self.supplied.values()) + sum(self.applied.values())
        return self.change + lost - given

    @property
    def relative_residual(self) -> float | None:
        """Absolute residual over the work done; None when no energy moved, or only rounding of what is stored."""
        return abs(self.residual) / self.work_done if self.work_done > ROUNDING * self.largest else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under stable keys, J and s, ready for JSON."""
        return {
            "machine": self.machine,
            "unit": "J",
            "start_time": self.start_time,
            "end_time": self.end_time,
            "stored": {form: dict(self.row(form)._asdict()) for form in STORED},
            "stored_change": self.change,
            "supplied": dict(self.supplied),
            "supplied_sum": sum(self.supplied.values()),
            "shafts": {name: dict(shaft._asdict()) for name, shaft in self.shafts.items()},
            "applied": dict(self.applied),
            "applied_sum": sum(self.applied.values()),
            "dissipated": dict(self.dissipated),
            "dissipated_sum": sum(self.dissipated.values()),
            "work_done": self.work_done,
            "residual": self.residual,
            "exchanged": self.exchanged,
            "relative_residual": self.relative_residual,
        }

    def __str__(self) -> str:
        unit, factor = self.unit_and_factor()
        title = f"Energy of '{self.machine}'" if self.machine else "Energy"
        lines = [f"{title} from {self.start_time:g} s to {self.end_time:g} s, {unit}", ""]

        # what is stored: three numbers a row
        lines.append(_line("stored", "start", "end", "change"))
        for form in STORED:
            row = self.row(form)
            lines.append(_line(f"  {form}", *(_number(value / factor) for value in row)))
        start, end = (sum(self.row(form)[index] for form in STORED) for index in (0, 1))
        lines.append(_line("  sum", *(_number(value / factor) for value in (start, end, self.change))))

        # what drives the pumps: work = friction + to the oil, which is supplied below
        if self.shafts:
            lines.append(_line("shafts of pumps", "took", "friction", "to the oil"))
        for name, shaft in self.shafts.items():
            lines.append(_line(f"  {name}", *(_number(value / factor) for value in shaft)))

        # what came in and what went out: one number a row, under the change
        for section, heading in TITLES.items():
            values: Mapping[str, float] = getattr(self, section)
            if not values:
                continue
            lines.append(heading)
            rows = self.shown_rows(section)
            lines.extend(_line(f"  {name}", "", "", _number(value / factor)) for name, value in rows)
            if len(values) > 1:
                lines.append(_line("  sum", "", "", _number(sum(values.values()) / factor)))

        lines.append(_line("residual", "", "", _number(self.residual / factor)))
        if self.exchanged is not None:
            lines.append(_line("  made by exchanges", "", "", _number(self.exchanged / factor)))
        if self.relative_residual is not None:
            lines.append(_line("residual / work done", "", "", f"{self.relative_residual:.2e}"))
        return "\n".join(lines)

    def row(self, form: str) -> Stored:
        """Return one form of stored energy."""
        row = self.stored[form]
        assert isinstance(row, Stored)
        return row

    def shown_rows(self, section: str) -> list[tuple[str, float]]:
        """Return names and values of a section as a table shows them: by size, noise in one row, springs last."""
        values: Mapping[str, float] = getattr(self, section)
        noise = {name for name, value in values.items() if abs(value) < NOISE * self.work_done}
        if len(noise) < 2:  # one row for one row would only lose its name
            noise = set()
        by_size = sorted(values, key=lambda name: -abs(values[name]))
        rows = [(name, values[name]) for name in by_size if name not in noise]
        title = f"{len(noise)} others, each below {100.0 * NOISE:g} %"
        folded = [(title, sum(values[name] for name in noise))] if noise else []
        parts = [row for row in rows if row[0] not in self.springs]
        return [*parts, *folded, *(row for row in rows if row[0] in self.springs)]

    def unit_and_factor(self, least: float = MOST_DIGITS) -> tuple[str, float]:
        """Return one unit for the whole table and its size in J, so that columns can be compared and added by eye.

        The largest number is at least `least` of it.
        """
        sections = (self.supplied, self.applied, self.dissipated)
        values = [abs(value) for section in sections for value in section.values()]
        values += [abs(value) for form in STORED for value in self.row(form)]
        values += [shaft.work for shaft in self.shafts.values()]
        largest = max(values, default=0.0)
        for unit, factor in UNITS:
            if largest >= least * factor:
                return unit, factor
        return "J", 1.0


def _stored(row: tuple[float, ...]) -> Stored:
    if len(row) == len(Stored._fields):
        return Stored(*(float(value) for value in row))
    start, end = row
    return Stored(float(start), float(end), float(end) - float(start))


def _line(name: str, *numbers: str) -> str:
    """Put a name and right-aligned numbers on one line; a name too long for its column is cut, never the numbers."""
    if len(name) > NAME_WIDTH:
        name = name[: NAME_WIDTH - 1] + "…"
    return (name.ljust(NAME_WIDTH) + "".join(number.rjust(NUMBER_WIDTH) for number in numbers)).rstrip()


def _number(value: float) -> str:
    """Write a number with three decimals, or with an exponent where decimals would show nothing of it."""
    size = abs(value)
    if size == 0.0:
        return "0"
    return f"{value:.3f}" if 1e-2 <= size < 1e7 else f"{value:.2e}"
