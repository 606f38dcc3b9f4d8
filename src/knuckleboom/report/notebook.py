# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of results: tables, and a small picture of a quantity as SVG that fits light and dark pages.

The functions become `_repr_html_` in `knuckleboom/__init__.py`. What a machine shows is in machine/notebook.py.
Tested in tests/report/test_notebook.py.
"""

from collections.abc import Iterable
from html import escape

import numpy as np

from knuckleboom.errors import MachineError, Problem
from knuckleboom.plots.figure import COLOURS
from knuckleboom.report import tables
from knuckleboom.report.curves import curves_of, thinned
from knuckleboom.results import Comparison, EnergyAudit, Quantity, Results, comparison_text
from knuckleboom.results.comparison_text import HEADINGS

WIDTH, HEIGHT, LEFT, BELOW = 460.0, 150.0, 70.0, 34.0
MOST_POINTS = 400
MOST_ROWS = 60


def results_html(results: Results) -> str:
    """Return how a run went and what it recorded."""
    rows = tables.summary_rows(results, tables.energy_audit(results))
    shown = [(signal.path, signal.unit, signal.meaning) for signal in results.names][:MOST_ROWS]
    left = len(results) - len(shown)
    more = f"<p>and {left} more: list(run) names them all</p>" if left > 0 else ""
    listed = tables.table(shown, ("quantity", "unit", "meaning"))
    folded = f"<details><summary>{len(results)} quantities</summary>{listed}{more}</details>"
    warned = tables.warning_list(results.warnings)
    return f"<b>{escape(results.machine)}</b>{warned}{tables.table(rows)}{folded}"


def quantity_html(quantity: Quantity) -> str:
    """Return a small plot over time."""
    curves = curves_of(quantity)
    title = f"<b>{escape(quantity.path)}</b> <span>{escape(quantity.meaning)}</span><br>"
    if len(quantity.time) == 0:
        return f"{title}nothing recorded"
    low, high = (float(find([find(curve.values) for curve in curves])) for find in (np.min, np.max))
    pad = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    low, high, start = low - pad, high + pad, float(quantity.time[0])
    span = float(quantity.time[-1]) - start or 1.0
    lines = []
    for number, curve in enumerate(curves):
        time, values = thinned(curve.time, curve.values, MOST_POINTS)
        x = LEFT + (time - start) / span * (WIDTH - LEFT - 5.0)
        y = 5.0 + (high - values) / (high - low) * (HEIGHT - BELOW - 5.0)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        colour = COLOURS[number % (len(COLOURS) - 1)]
        lines.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='1.5'/>")
    bottom = HEIGHT - BELOW
    frame = f"<path d='M{LEFT:g} 5V{bottom:g}H{WIDTH - 5:g}' fill='none' stroke='currentColor' opacity='0.5'/>"
    end = f"{start + span:g} s"
    marks = [
        (LEFT - 6, 14, "end", tables.number(high - pad)),
        (LEFT - 6, bottom, "end", tables.number(low + pad)),
        (LEFT - 6, 0.5 * bottom, "end", f"[{curves[0].unit or '1'}]"),
        (LEFT, bottom + 16, "start", f"{start:g} s"),
        (WIDTH - 5, bottom + 16, "end", end),
    ]
    texts = "".join(
        f"<text x='{x:g}' y='{y:g}' text-anchor='{anchor}' font-size='11' fill='currentColor'>{escape(text)}</text>"
        for x, y, anchor, text in marks
    )
    label = escape(f"{quantity.path} from {start:g} s to {end}", quote=True)
    picture = f"<svg viewBox='0 0 {WIDTH:g} {HEIGHT:g}' width='{WIDTH:g}' role='img' aria-label='{label}'>"
    return f"{title}{picture}{frame}{''.join(lines)}{texts}</svg>"


def audit_html(audit: EnergyAudit) -> str:
    """Return the energy audit as a table."""
    span = f"from {audit.start_time:g} s to {audit.end_time:g} s"
    return f"<b>Energy of {escape(audit.machine or 'the machine')} {span}</b>{tables.energy_table(audit)}"


def comparison_html(comparison: Comparison) -> str:
    """Return every method at its best step, grouped by coordinates, and the advice below."""
    parts = [f"<b>{escape(comparison_text.title(comparison))}</b>"]
    for coordinates, rows in comparison_text.groups(comparison).items():
        lines = [comparison_text.cells(comparison, row) for row in rows]
        shown = [tuple(line) + ("",) * (len(HEADINGS) - len(line)) for line in lines]
        parts.append(f"<p>{escape(coordinates)} coordinates</p>{tables.table(shown, HEADINGS)}")
    below = [*comparison_text.notes(comparison), str(comparison.reference), comparison.advice]
    return "".join([*parts, *(f"<p>{escape(text)}</p>" for text in below if text)])


def problem_html(problem: Problem) -> str:
    """Return one problem: the rule, and below it the fix and the closest names."""
    return _problems([problem], problem.file)


def error_html(error: MachineError) -> str:
    """Return all problems of a machine as a numbered list."""
    count = f"{len(error.problems)} problem" + ("" if len(error.problems) == 1 else "s")
    return f"<b>{count} in {escape(error.where)}</b>{_problems(error.problems, error.where)}"


def _problems(problems: Iterable[Problem], where: str) -> str:
    items = "".join(f"<li style='white-space:pre-line'>{escape(problem.text(where))}</li>" for problem in problems)
    return f"<ol>{items}</ol>"
