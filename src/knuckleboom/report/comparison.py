# SPDX-License-Identifier: BSD-3-Clause
"""comparison.report("x.html"): one HTML file of a comparison of methods that opens without a network.

What to take on top, then cost against any kind of error as a plot, every method at its best step, what was not run and
why, every run, how it was measured, and the sources. The page is page/comparison.html, made as that of a run is
(report/write.py). Tested in tests/report/test_comparison_report.py.
"""

import datetime
import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from knuckleboom.report.citations import cite, html_list
from knuckleboom.report.tables import number, table
from knuckleboom.report.write import page_file, plotly_script, script, section, sources
from knuckleboom.results import Comparison
from knuckleboom.results import comparison_text as text
from knuckleboom.results.comparison import FOLLOWS, GOOD, LEAST_TRAVEL, Row, cost
from knuckleboom.results.files import replace_file

SECTIONS = ("advice", "cost", "best", "factorisations", "not_run", "every", "measured", "sources")
HEADINGS = ("coordinates", *text.METHOD[:3], "factorisation", *text.NUMBERS)
KINDS = (
    # key, title, unit, factor
    ("position_error", "largest error of a place", "mm", 1e3),
    ("pressure_error_percent", "largest error of a pressure", "% of the largest", 1.0),
    ("constraint_error", "constraint violation |Φ|", "m or rad", 1.0),
    ("constraint_rate_error", "constraint violation |Φ̇|", "m/s or rad/s", 1.0),
    ("constraint_acceleration_error", "constraint violation |Φ̈|", "m/s² or rad/s²", 1.0),
    ("energy_residual_percent", "energy from nowhere", "% of the work done", 1.0),
)
MEASURED = (
    ("cpu µs/s",
     "Processor time of the thread that computes, for a simulated second: the steps alone, nothing recorded, compiled "
     "code warm. 1,000,000 is as fast as the machine itself."),
    ("eval", "How often the forces and masses of the whole machine are computed in a step, mean."),
    ("iter",
     "Newton iterations in a step, mean. A method without them costs the same in every step, but for augmented, which "
     "iterates over the multipliers, and conjugate gradients."),
    ("place, pressure",
     "Largest error on the grid against the reference: of the origin, the centre of mass and the named points of every "
     "body, and of every volume of oil. Below what the reference resolves it is a bound."),
    ("|Φ|, |Φ̇|, |Φ̈|",
     "Largest violation of any constraint equation at the level of positions, velocities and accelerations, of the "
     "state that the method itself carries: m or rad, per s, per s²."),
    ("energy", "Largest energy that appeared from nowhere, in % of the work done."),
    ("stable to",
     "The largest step tried at which the run comes to its end with errors and energy below 100 %, as at all smaller "
     "ones; ≥ where no larger one was seen to fail."),
)  # fmt: skip
BEST = (
    f"<p class='hint'>The cheapest step within {100.0 * GOOD:g} %, else the most accurate one, with the cheapest "
    "factorisation. A click on a heading sorts.</p>"
)


def write_comparison_report(comparison: Comparison, path: str | Path) -> Path:
    """Write a comparison as one HTML file and return its path."""
    return replace_file(Path(path), page(comparison).encode())


def page(comparison: Comparison) -> str:
    """Return the whole page."""
    cited = cite(comparison.machine, "", comparison.sources)
    best = [row for rows in text.groups(comparison).values() for row in rows]
    every = runs_table(comparison, comparison.rows)
    folded = f"<details><summary>{len(comparison.rows)} runs, every method at every step</summary>{every}</details>"
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.factorisations(comparison))
    parts = {
        "title": escape(comparison.machine or "machine"),
        "status": escape(comparison.status),
        "facts": escape(facts(comparison)),
        "advice": section("What to take", advice(comparison)),
        "best": section("Every method at its best step", BEST + runs_table(comparison, best)),
        "factorisations": section("Factorisations", lines),
        "not_run": section("Not run", not_run(comparison)),
        "every": section("All runs", folded),
        "measured": section("How it was measured", how(comparison)),
        "sources": sources(html_list(cited), cited.bibtex(), "Sources of these methods"),
        "footer": escape(f"Written by Knuckleboom on {datetime.date.today().isoformat()}."),
        "data": json.dumps(plotted(comparison), allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
        "style": page_file("style.css"),
        "script": script(page_file("comparison.js")),
        "plotly": script(plotly_script()),
    }
    template = page_file("comparison.html")
    shown = "".join(parts.get(name, "<section id='cost'><h2>Cost against error</h2>") for name in SECTIONS)
    links = re.findall(r"<section id='([\w-]+)'><h2>(.*?)</h2>", shown)
    parts["sections"] = "".join(f"<a href='#{name}'>{title}</a>" for name, title in links)
    # one pass: what is put in is never looked through again
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place.group(1)], template)


def facts(comparison: Comparison) -> str:
    """Return the line below the title."""
    methods = len({row.method for row in comparison.rows})
    words = [text.title(comparison).partition(", ")[2], f"{methods} methods, {len(comparison.rows)} runs"]
    return " · ".join(words)


def advice(comparison: Comparison) -> str:
    """Return the advice as two cards, its sentences, and the reference."""
    cards = []
    for title, row in (("For real time", comparison.realtime), ("For accuracy", comparison.accurate)):
        if row is None:
            continue
        name = row.method
        words = ", ".join((name.integrator, name.enforcement, name.factorisation, name.coordinates))
        place, pressure = text.errors(comparison, row)
        oil = f", {pressure} % of the largest pressure" if pressure != "-" else ""
        off = f"{place} mm{oil} off; {text.microseconds(row.cpu_per_s)} µs of processor time for a simulated second"
        cards.append(
            f"<div class='card'><h3>{title}</h3><strong>{escape(row.method.coupling)} at "
            f"{escape(text.milliseconds(row.step))}</strong><span>{escape(words)}</span><p>{escape(off)}.</p></div>"
        )
    shown = f"<div class='cards'>{''.join(cards)}</div>" if cards else ""
    return f"{shown}<p>{escape(comparison.advice)}</p><p class='hint'>{escape(str(comparison.reference))}</p>"


def runs_table(comparison: Comparison, rows: Iterable[Row]) -> str:
    """Return runs as a table that can be sorted; those that are advised stand out."""
    taken = [comparison.realtime, comparison.accurate]
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in HEADINGS)
    body = []
    for row in rows:
        cells = [row.method.coordinates, *text.cells(comparison, row)]
        last = f"<td colspan='{len(HEADINGS) - len(cells) + 1}'>{escape(cells[-1].strip())}</td>"
        shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells[1:-1]) + last
        kind = "taken" if any(row is one for one in taken) else "" if row.done else "not-done"
        body.append(f"<tr class='{kind}'><th scope='row'>{escape(cells[0])}</th>{shown}</tr>")
    return (
        f"<div class='scroll'><table class='numbers sortable methods'><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def not_run(comparison: Comparison) -> str:
    """Return every method, or step, that was not run, with its reason."""
    rows = [
        (*one.method, "all" if one.step is None else text.milliseconds(one.step), one.reason)
        for one in comparison.not_run
    ]
    heading = ("coordinates", *text.METHOD[:3], "factorisation", "step", "why")
    return table(rows, heading) if rows else ""


def how(comparison: Comparison) -> str:
    """Return what the columns mean, and against what was measured."""
    known = comparison.reference
    shorter = (
        f" It is shorter than the {comparison.meant:g} s of the machine, so that all methods could be run."
        if comparison.meant
        else ""
    )
    first = (
        f"Every run begins at the start and lasts {comparison.duration:g} s.{shorter} Errors are taken on a grid of "
        f"{text.milliseconds(comparison.grid)}, which all steps meet. The longest path of any place is "
        f"{number(1e3 * comparison.travel)} mm. {known}"
    )
    return f"<p>{escape(first)}</p>{table(MEASURED)}"


def plotted(comparison: Comparison) -> dict[str, Any]:
    """Return the numbers of the plot: each method with its cheapest factorisation at every step."""
    known = comparison.reference
    floors = {
        "position_error": 1e3 * known.position_error, "pressure_error_percent": known.pressure_error_percent
    }  # fmt: skip
    good = {"position_error": 1e3 * GOOD * max(comparison.travel, LEAST_TRAVEL), "pressure_error_percent": 100.0 * GOOD}
    done = [row for row in comparison.rows if row.done and row.method.coupling != FOLLOWS]
    kinds = [
        {"key": key, "title": title, "unit": unit, "good": good.get(key), "floor": floors.get(key)}
        for key, title, unit, _ in KINDS
        if any(getattr(row, key) is not None for row in done)
    ]
    methods = []
    for method in dict.fromkeys(row.method.formulation for row in done):
        own = [row for row in done if row.method.formulation == method]
        steps = sorted({row.step for row in own}, reverse=True)
        cheapest = [min((row for row in own if row.step == step), key=cost) for step in steps]
        methods.append(
            {
                "rule": f"{method.coupling} {method.integrator}", "coordinates": method.coordinates,
                "coupling": method.coupling, "enforcement": method.enforcement,
                "runs": [point(row) for row in cheapest],
            }
        )  # fmt: skip
    return {"methods": methods, "kinds": kinds}


def point(row: Row) -> dict[str, Any]:
    """Return one point of the plot, in the units of its axes."""
    step = f"{text.milliseconds(row.step)} {row.method.factorisation}"
    found: dict[str, Any] = {"step": step, "cost": 1e6 * cost(row)}
    for key, _, _, factor in KINDS:
        value = getattr(row, key)
        found[key] = None if value is None else factor * value
    return found
