# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of methods as text: one line for each method at its best step, grouped by coordinates, cheapest first.

A method stands with its cheapest factorisation; below the table is what the others cost, what was not run and why, and
the advice. Tested in tests/analysis/test_comparison.py.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knuckleboom.results.comparison import Comparison, MethodName, NotRun, Row
    from knuckleboom.results.step_limits import ExchangeStep, NearStep

METHOD = ("coupling", "integrator", "enforcement", "solver")
NUMBERS = (
    "step", "cpu µs/s", "eval", "iter", "place mm", "press. %", "|Φ|", "|Φ̇|", "|Φ̈|", "energy %", "stable to",
)  # fmt: skip
HEADINGS = METHOD + NUMBERS
WIDTHS = (13, 20, 12, 7, 9, 10, 6, 6, 14, 14, 7, 7, 7, 9, 11)
LEFT = len(METHOD)
"""Columns with words: aligned to the left."""
FACTORISATION = 4
"""Place of this word in a method."""
STILL, STILL_PRESSURE = 1e-9, 1e3
"""m and Pa: changes below these are rounding, or oil that settles."""
MOST_NAMES = 8
"""Methods that are named in a line of what was not run; all of them are in the plain data."""


def whole(comparison: Comparison) -> str:
    """Everything: the table, the reference, what was not run, the advice."""
    lines = [title(comparison), ""]
    for coordinates, rows in groups(comparison).items():
        group = f"{coordinates} coordinates".upper()
        heading = [group[: WIDTHS[0]], group[WIDTHS[0] :], *HEADINGS[2:]]
        lines += [line(heading), *(line(cells(comparison, row)) for row in rows), ""]
    lines += notes(comparison)
    return "\n".join([*lines, str(comparison.reference), comparison.advice])


def title(comparison: Comparison) -> str:
    """What the table is of."""
    shorter = "" if comparison.meant is None else f" (of {comparison.meant:g} s, to keep to the time)"
    grid = milliseconds(comparison.grid)
    return f"{what_was_run(comparison)}{shorter}; largest errors on a grid of {grid}"


def what_was_run(comparison: Comparison) -> str:
    """The machine, its case and how long it was run: naya-rod, case published, 3 s."""
    case = f", case {comparison.case}" if comparison.case else ""
    return f"{comparison.machine}{case}, {comparison.duration:g} s"


def groups(comparison: Comparison) -> dict[str, list[Row]]:
    """For each coordinates the run to show of every method: good ones first, by cost; what failed comes last."""
    found: dict[str, list[Row]] = {}
    methods: dict[tuple[str, ...], list[Row]] = {}
    for row in comparison.rows:
        methods.setdefault(row.method[:FACTORISATION], []).append(row)
    for words, own in methods.items():
        shown = comparison.best(own) or min(own, key=lambda row: row.step)
        found.setdefault(words[0], []).append(shown)
    for rows in found.values():
        rows.sort(key=lambda row: order(comparison, row))
    return found


def order(comparison: Comparison, row: Row) -> tuple[int, float]:
    """Where a run stands in its group."""
    from knuckleboom.results.comparison import FOLLOWS, GOOD, cost

    if not row.done:
        return 3, 0.0
    if row.method.coupling == FOLLOWS:
        return 2, cost(row)
    error = comparison.error(row)
    return (0, cost(row)) if error <= GOOD else (1, error)


def cells(comparison: Comparison, row: Row) -> list[str]:
    """One line of the table, in the units people read."""
    words = [row.method.coupling, row.method.integrator, row.method.enforcement, row.method.factorisation]
    head = [*words, milliseconds(row.step)]
    if not row.done:
        return [*head, f"  {row.status}: {row.reason}"]
    gaps = (row.constraint_error, row.constraint_rate_error, row.constraint_acceleration_error)
    return [
        *head, microseconds(row.cpu_per_s), digits(row.evaluations_per_step), digits(row.iterations),
        *errors(comparison, row), *("-" if gap is None else f"{gap:.0e}" for gap in gaps),
        digits(row.energy_residual_percent, 2), stable_to(comparison, row.method),
    ]  # fmt: skip


def notes(comparison: Comparison) -> list[str]:
    """What the table does not show."""
    lines = factorisations(comparison)
    for reason, methods in by_reason(comparison.not_run).items():
        named = ", ".join(methods[:MOST_NAMES])
        more = f" and {len(methods) - MOST_NAMES} more (--json names them)" if len(methods) > MOST_NAMES else ""
        lines.append(f"Not run, {reason}: {named}{more}.")
    lines += comparison.notes
    return [*lines, ""] if lines else []


def factorisations(comparison: Comparison) -> list[str]:
    """How many times as much the other factorisations cost, for each coordinates: the same errors at the same step."""
    from knuckleboom.results.comparison import cost

    ratios: dict[tuple[str, str, str], list[float]] = {}
    first = {(row.method[:FACTORISATION], row.step): row for row in reversed(comparison.rows) if row.done}
    for row in comparison.rows:
        base = first.get((row.method[:FACTORISATION], row.step))
        if row.done and base is not None and base.method != row.method and 0.0 < cost(base) < math.inf:
            newton = " with index3" if row.method.enforcement == "index3" else ""
            where = f"{row.method.coordinates} coordinates{newton}"
            names = (where, row.method.factorisation, base.method.factorisation)
            ratios.setdefault(names, []).append(cost(row) / cost(base))
    lines = []
    for (where, name, base_name), found in ratios.items():
        usual = factor(statistics.median(found))
        lines.append(f"In {where} {name} costs {usual} times what {base_name} does (median).")
    return lines


def by_reason(not_run: Sequence[NotRun]) -> dict[str, list[str]]:
    """What was not run for each reason: whole couplings with their number of methods, others by name and step."""
    found: dict[str, dict[str, int]] = {}
    for one in not_run:
        name = one.method.coupling if one.step is None else f"{one.method} at {milliseconds(one.step)}"
        names = found.setdefault(one.reason, {})
        names[name] = names.get(name, 0) + 1
    return {
        reason: [name if count == 1 else f"{name} ({count} methods)" for name, count in names.items()]
        for reason, names in found.items()
    }


def stable_to(comparison: Comparison, method: MethodName) -> str:
    """The largest stable step as people read it; ≥ where no larger one was seen to fail."""
    stable = comparison.stability(method.formulation)
    if stable.step is None:
        return "-"
    return f"{'' if stable.bounded else '≥ '}{milliseconds(stable.step)}"


def errors(comparison: Comparison, row: Row) -> tuple[str, str]:
    """Both errors as texts, mm and %; below the uncertainty of the reference they are only bounded."""
    known = comparison.reference
    return (
        bounded(row.position_error, known.position_error, 1e3),
        bounded(row.pressure_error_percent, known.pressure_error_percent, 1.0),
    )


def bounded(value: float | None, known: float | None, scale: float) -> str:
    """A value, or what it is below."""
    if value is not None and known is not None and value < known:
        return f"below {round_up(scale * known)}"
    return digits(None if value is None else scale * value)


def round_up(value: float) -> str:
    """A bound in two digits, never smaller than the value: 0.013, 570."""
    if value <= 0.0 or not math.isfinite(value):
        return digits(value, 2)
    size = math.floor(math.log10(value)) - 1
    above = math.ceil(value / 10.0**size * (1.0 - 1e-9)) * 10.0**size
    return f"{above:.0f}" if above >= 100.0 else f"{above:.2g}"


def off_by(place: float, pressure: float | None) -> str:
    """Errors of places and pressures as people read them: 0.4 mm and 3.1 bar; not below zero, and rounded up."""
    return f"{round_up(1e3 * place)} mm" + ("" if pressure is None else f" and {round_up(1e-5 * pressure)} bar")


def no_advice(comparison: Comparison) -> str:
    """Why nothing is advised, and what to do."""
    from knuckleboom.results.comparison import resolution

    known = comparison.reference
    pressure = comparison.pressure_of(known)
    own = f"be off by {off_by(known.position_error, pressure)}"
    if not math.isfinite(known.position_error + (pressure or 0.0)):
        own = "be off by any amount, as its step was not halved often enough to tell"
    needed = off_by(*resolution(comparison.travel, comparison.largest_pressure))
    shorter = f"a shorter time (--for {0.2 * comparison.duration:.1g}s)"
    fix = {
        "time": f"allow more processor time (--within), or compare for {shorter}",
        "steps": f"compare for {shorter} or in smaller steps (--steps), as it is already made of very many",
        "interruption": "let it run to its end",
    }.get(known.limit, f"compare for {shorter}")
    return (
        f"Nothing is advised: the reference, {known.method.coupling} at {milliseconds(known.step)}, may itself "
        f"{own}, and {needed} is the most that would let it judge other methods; {fix}."
    )


def too_small(comparison: Comparison) -> str:
    """That there is nothing to choose by, with how little happened, and what to do."""
    fix = "compare for longer (--for), or with inputs or a case (--case) that move the machine"
    swing = comparison.pressure_swing
    if comparison.travel < STILL and (swing or 0.0) < STILL_PRESSURE:
        return f"Nothing moved, so there is nothing to compare: {fix}."
    moved = f"no place moved by more than {1e3 * comparison.travel:.2g} mm"
    moved += "" if swing is None else f" and no pressure by more than {1e-5 * swing:.2g} bar"
    return f"The motion is too small to tell methods apart, so none is advised: {moved}; {fix}."


def nothing_done(comparison: Comparison) -> str:
    """Why there is no method to advise: none was run, or none came to its end."""
    if not comparison.rows and comparison.status == "interrupted":
        return "Nothing is advised: no method was run; let it run to its end."
    if not comparison.rows:
        return "Nothing is advised: there was no time to run any method; allow more processor time (--within)."
    return "No method ran to its end at these steps: try smaller ones."


def cosimulated_step(found: ExchangeStep | None) -> str:
    """How far apart exchanges can be, stable and near enough; nothing where that is not known."""
    if found is None:
        return ""
    if found.stable is None:
        return "cosimulated is not stable at any step that was run; smaller ones may be."
    more = "" if found.unstable_above else " at least"
    made = f"energy of exchanges {round_up(found.exchanged_percent or 0.0)} % of the work"
    first = f"cosimulated: stable up to H = {milliseconds(found.stable)}{more} ({made})"
    near = found.accurate
    if near is None:
        return f"{first}."
    allowed = off_by(near.position_tolerance, None if near.pressure_error is None else near.pressure_tolerance)
    if near.enough:
        more = "" if found.inaccurate_above else " at least"
        return f"{first}, accurate to {allowed} up to {milliseconds(near.step)}{more}."
    off = off_by(near.position_error, near.pressure_error)
    return f"{first}, not accurate to {allowed} at any of them: nearest is {milliseconds(near.step)}, off by {off}."


def realtime_step(found: NearStep | None) -> str:
    """Which step `realtime` needs, and what it is then off by; nothing where that is not known."""
    if found is None:
        return ""
    allowed = off_by(found.position_tolerance, None if found.pressure_error is None else found.pressure_tolerance)
    place, pressure = f"{round_up(1e3 * found.position_error)} mm", found.pressure_error
    oil = "" if pressure is None else f" and pressures by {round_up(1e-5 * pressure)} bar"
    step = milliseconds(found.step)
    if found.enough:
        return (
            f"realtime needs steps of {step} on this machine: places are then off by {place}{oil} at most "
            f"(allowed: {allowed})."
        )
    return (
        f"realtime is not near enough at any step that was run (allowed: {allowed}): nearest is {step}, with places "
        f"off by {place}{oil}."
    )


def milliseconds(step: float) -> str:
    """A step as people read it."""
    return f"{1e3 * step:.4g} ms"


def microseconds(seconds: float | None) -> str:
    """A cost as people read it: 42.1, 1,230,000."""
    if seconds is None:
        return "-"
    value = float(f"{1e6 * seconds:.3g}")
    return f"{value:g}" if value < 1e3 else f"{value:,.0f}"


def factor(value: float) -> str:
    """A factor in two digits: 1.3, 25, 17,000."""
    return f"{value:.2g}" if value < 10.0 else f"{float(f'{value:.2g}'):,.0f}"


def digits(value: float | None, count: int = 3) -> str:
    """A number with a few digits, a dash for none."""
    return "-" if value is None else f"{value:.{count}g}"


def line(texts: Sequence[str]) -> str:
    """Cells in their columns."""
    padded = [
        cell.ljust(width) if number < LEFT else cell.rjust(width + combining(cell))
        for number, (cell, width) in enumerate(zip(texts, WIDTHS, strict=False))
    ]
    return "".join(padded).rstrip()


def combining(cell: str) -> int:
    """Marks above other letters, which take no room."""
    return sum(letter in "\u0307\u0308" for letter in cell)
