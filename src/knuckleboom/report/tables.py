# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report as HTML: what was run, where the energy went, extremes, differences to measured data.

Every text that a user may have given (names, messages) is escaped here. Tested in tests/report/test_report.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from knuckleboom.methods import WORDS
from knuckleboom.report.curves import Curve
from knuckleboom.report.measured import Measured
from knuckleboom.results import EnergyAudit, Results
from knuckleboom.results.energy import STORED, TITLES

VISIBLE = 1e-6
"""Part of the largest energy below which a number of the table is as good as none."""


def table(rows: Iterable[Sequence[Any]], heading: Sequence[str] = (), kind: str = "") -> str:
    """Return rows as an HTML table; the first column heads its row, numbers are aligned to the right."""
    top = "".join(f"<th scope='col'>{escape(text)}</th>" for text in heading)
    head = f"<thead><tr>{top}</tr></thead>" if top else ""
    body = []
    for first, *others in rows:
        cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in others)
        # a long name may be broken within, between its words
        name = re.sub(r"(?<=\w[._])(?=\w)", "<wbr/>", escape(str(first)))
        body.append(f"<tr><th scope='row' style='text-align:left'>{name}</th>{cells}</tr>")
    return f"<div class='scroll'><table class='{escape(kind)}'>{head}<tbody>{''.join(body)}</tbody></table></div>"


def number(value: float | None, digits: int = 4) -> str:
    """Return a number with a few digits, a dash for none."""
    if value is None or not np.isfinite(value):
        return "–"
    return f"{value:.{digits}g}".replace("-", "−")


def three_digits(value: float) -> str:
    """Return a number with three digits that all columns have alike: 275, 11.0, 0.0433; with an exponent below that."""
    size = abs(value)
    places = 0 if size >= 99.95 else 1 if size >= 9.995 else 2
    text = f"{value:.{places}f}" if size >= 1.0 else f"{value:#.3g}"
    return text.replace("-", "−")


def energy_audit(results: Results) -> EnergyAudit | None:
    """Return the run's energy audit, or None where its file has not what it takes."""
    if len(results.time) == 0 or "ledger" not in results.meta:
        return None
    return results.energy()


def warning_list(warnings: Sequence[str]) -> str:
    """Return what a run warns of as a list, or nothing."""
    if not warnings:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in warnings)
    title = "1 warning" if len(warnings) == 1 else f"{len(warnings)} warnings"
    return f"<section class='warnings' id='warnings' role='status'><h2>{title}</h2><ul>{items}</ul></section>"


def summary_rows(results: Results, audit: EnergyAudit | None) -> list[tuple[str, str]]:
    """Return what was run and how it went, one row each."""
    meta = results.meta
    rows: list[tuple[str, Any]] = [("status", results.status), ("message", results.message)]
    if len(results.time):
        meant = f" of {meta['duration']:g} s" if results.status != "done" and "duration" in meta else ""
        rows.append(("simulated time", f"{results.time[-1] - results.time[0]:g} s{meant}"))
    rows.append(("recorded", f"{len(results)} quantities at {len(results.time)} times"))
    rows += [(name, count) for name, count in meta.get("counts", {}).items()]
    method = [str(meta[word]) for word in WORDS if meta.get(word)]
    rows.append(("method", ", ".join(method)))
    rows.append(("step", f"{1e3 * meta['step']:g} ms" if "step" in meta else ""))
    rows.append(("steps", meta.get("steps", "")))
    cpu = meta.get("cpu_seconds")
    if cpu is not None:
        rows.append(("processor time", f"{cpu:.3g} s"))
        if cpu > 0.0 and len(results.time) > 1:
            times = float(results.time[-1] - results.time[0]) / cpu
            rows.append(("real-time factor", f"{times:.3g} s simulated per second of processor time"))
    if audit is not None:
        share = audit.relative_residual
        rows.append(("energy residual", f"{share:.1e} of the work done" if share is not None else "no energy moved"))
    rows.append(("largest loop residual", largest_gap(results)))
    rows.append(("Knuckleboom", meta.get("version", "")))
    return [(name, str(value)) for name, value in rows if str(value)]


def largest_gap(results: Results) -> str:
    """Return how far the worst loop was ever open, and which."""
    gaps = [
        (float(np.abs(quantity.values).max()), quantity.path.removesuffix(".residual"))
        for quantity in results.find("*.residual")
        if len(quantity) and not quantity.path.startswith("energy.")
    ]
    if not gaps:
        return ""
    size, part = max(gaps)
    return f"{size:.1e} m or rad, at {part}"


def energy_table(audit: EnergyAudit) -> str:
    """Return the audit as an HTML table in one unit with three digits, and the shafts of pumps below it."""
    unit, factor = audit.unit_and_factor(1.0)
    largest = max(audit.largest, audit.work_done)

    def shown(value: float) -> str:
        return three_digits(value / factor) if abs(value) >= VISIBLE * largest else "≈ 0" if value else "0"

    rows: list[tuple[str, ...]] = []
    for form in STORED:
        rows.append((f"stored: {form}", *(shown(value) for value in audit.row(form))))
    start, end = (sum(audit.row(form)[place] for form in STORED) for place in (0, 1))
    rows.append(("stored: sum", shown(start), shown(end), shown(audit.change)))
    for section, title in TITLES.items():
        values = getattr(audit, section)
        rows += [(f"{title} {name}", "", "", shown(value)) for name, value in audit.shown_rows(section)]
        if len(values) > 1:
            rows.append((f"{title.split()[0]}: sum", "", "", shown(sum(values.values()))))
    rows.append(("residual", "", "", three_digits(audit.residual / factor) if audit.residual else "0"))
    if audit.exchanged is not None:
        rows.append(("residual: made by exchanges", "", "", three_digits(audit.exchanged / factor)))
    share = audit.relative_residual
    if share is not None:
        rows.append(("residual / work done", "", "", number(share, 3)))
    whole = table(rows, ("", f"start [{unit}]", f"end [{unit}]", f"change [{unit}]"), "numbers")
    shafts = [(name, *(shown(value) for value in shaft)) for name, shaft in audit.shafts.items()]
    heading = ("shaft of pump", f"took [{unit}]", f"friction [{unit}]", f"to the oil [{unit}]")
    return whole + (table(shafts, heading, "numbers") if shafts else "")


def extremes_table(curves: Sequence[Curve], same: Mapping[str, str]) -> str:
    """Return smallest, largest and last values of curves, and when the extremes were; those that are the same once."""
    rows = []
    names: dict[str, list[str]] = {}
    for curve in curves:
        names.setdefault(same.get(curve.name, curve.name), []).append(curve.name)
    by_name = {curve.name: curve for curve in curves}
    for alike in names.values():
        curve = by_name[alike[0]]
        if len(curve.values) == 0:
            continue
        low, high = int(curve.values.argmin()), int(curve.values.argmax())
        rows.append(
            (
                " =\n".join(alike), curve.unit or "1", number(float(curve.values[low])), f"{curve.time[low]:.4g}",
                number(float(curve.values[high])), f"{curve.time[high]:.4g}", number(float(curve.values[-1])),
            )
        )  # fmt: skip
    heading = ("quantity", "unit", "least", "at [s]", "most", "at [s]", "end")
    return table(rows, heading, "numbers") if rows else ""


def measured_table(measured: Sequence[Measured]) -> str:
    """Return how far measured and computed curves are apart."""
    heading = ("quantity", "unit", "points compared", "RMS difference", "largest difference", "at [s]")
    return table(measured_rows(measured), heading, "numbers")


def measured_rows(measured: Sequence[Measured]) -> list[tuple[str, ...]]:
    """Return one line of words for each measured curve: how many points, how far apart, and when."""
    return [
        (one.name, one.unit or "1", f"{one.compared} of {len(one.values)}", number(one.rms), number(one.largest),
         number(one.largest_at))
        for one in measured
    ]  # fmt: skip
