# SPDX-License-Identifier: BSD-3-Clause
"""run.report("x.html"): one HTML file with animation, plots, tables and sources that opens without a network.

The page is page/page.html with its style, its scripts, the data and plotly's script put into it; nothing is built
and nothing is fetched: a content security policy in the page forbids it. plotly's script is read from the installed
package `plotly`, whose Python side is not imported. Tested in tests/report/.
"""

import datetime
import importlib.util
import json
import re
from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from knuckleboom.drawing.draw import circuit_svg
from knuckleboom.drawing.svg import SPACE
from knuckleboom.machine.kept_circuit import recalled
from knuckleboom.report import tables
from knuckleboom.report.citations import citations, html_list
from knuckleboom.report.curves import MOST_POINTS, all_curves, packed, page_curves, panels, same_curves, thinned
from knuckleboom.report.measured import Measured, measured_of_case, read_measured
from knuckleboom.report.scene import scene
from knuckleboom.results import EnergyAudit, FileError, Results
from knuckleboom.results.files import replace_file

PLOTLY = "package_data/plotly.min.js"
SECTIONS = ("summary", "energy", "measured", "extremes", "circuit", "sources")
COUNTED = (
    ("bodies", "body", "bodies"),
    ("loose bodies", "loose body", "loose bodies"),
    ("joints", "joint", "joints"),
    ("degrees of freedom", "degree of freedom", "degrees of freedom"),
)
DRAWING_BUTTONS = (("+", "+", "Zoom in"), ("-", "−", "Zoom out"), ("0", "reset", "Whole circuit"))
DRAWING_HINT = "<span class='hint'>wheel or two fingers zoom · drag moves · keys: + − arrows, 0 resets</span>"
NO_ANIMATION = "There is no animation: this result file does not say what the machine looks like."
NO_RECORD = "There is no animation and no plot: nothing was recorded."


def write_report(
    results: Results, path: str | Path, *, measured: str | Path | Sequence[Measured] | None = None
) -> Path:
    """Write a run as one HTML file and return its path.

    `measured` is a CSV file to lay over the plots; by default that of the run's case, an empty tuple for none.
    """
    if measured is None:
        measured = measured_of_case(results) or ()
    if isinstance(measured, str | Path):
        measured = read_measured(measured, results)
    return replace_file(Path(path), page(results, measured).encode())


def page(results: Results, measured: Sequence[Measured] = ()) -> str:
    """Return the whole page."""
    curves = all_curves(results) if len(results.time) else []
    same = same_curves(curves)
    shown = panels(results, same) if curves else []
    drawn = scene(results)
    audit = tables.energy_audit(results)
    main = dict.fromkeys(name for panel in shown for name in panel["curves"])
    cited = citations(results)
    data = {
        "machine": results.machine,
        "time": packed(results.time) if curves else "",
        "curves": page_curves(curves, same),
        "panels": measured_panels(measured, shown),
        "measured": [measured_points(one) for one in measured],
        "scene": drawn,
    }
    parts = {
        "title": escape(results.machine or "run"),
        "status": escape(results.status),
        "message": message(results),
        "warnings": tables.warning_list(results.warnings),
        "facts": escape(facts(results, audit)),
        "no_animation": "" if drawn else f"<p class='note'>{NO_ANIMATION if curves else NO_RECORD}</p>",
        "summary": section("Summary", tables.table(tables.summary_rows(results, audit))),
        "energy": section("Energy", tables.energy_table(audit)) if audit is not None else "",
        "measured": section("Measured and computed", tables.measured_table(measured)) if measured else "",
        "extremes": section("Extremes", tables.extremes_table([curve for curve in curves if curve.name in main], same)),
        "circuit": section("Circuit", circuit_picture(results)),
        "sources": sources(html_list(cited), cited.bibtex()),
        "footer": escape(f"Written by Knuckleboom on {datetime.date.today().isoformat()}."),
        "data": json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
        "style": page_file("style.css"),
        "viewer": script(page_file("viewer.js")),
        "drawing": script(page_file("drawing.js")),
        "report": script(page_file("report.js")),
        "plotly": script(plotly_script()),
    }
    named = re.findall(r"<section id='([\w-]+)'><h2>(.*?)</h2>", "".join(parts[part] for part in SECTIONS))
    links = ([("curves", "Plots")] if curves else []) + named
    parts["sections"] = "".join(f"<a href='#{name}'>{title}</a>" for name, title in links)
    # one pass: what is put in is never looked through again
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place.group(1)], page_file("page.html"))


def section(title: str, content: str) -> str:
    """Return a titled section, or nothing without content."""
    name = title.split()[0].lower()
    return f"<section id='{name}'><h2>{escape(title)}</h2>{content}</section>" if content else ""


def circuit_picture(results: Results) -> str:
    """Return the machine's circuit, or nothing without oil."""
    data = results.meta.get("circuit")
    if not data or not data["parts"]:
        return ""
    buttons = "".join(
        f"<button type='button' data-drawing='{key}' title='{title}' aria-label='{title}'>{sign}</button>"
        for key, sign, title in DRAWING_BUTTONS
    )
    tools = f"<div class='circuit-tools' role='toolbar' aria-label='Circuit'>{buttons}{DRAWING_HINT}</div>"
    return f"{tools}<div class='circuit'>{circuit_svg(recalled(data)).replace(SPACE, '', 1)}</div>"


def message(results: Results) -> str:
    """Return the run's own words, when there are any."""
    if not results.message:
        return ""
    return f"<pre class='message {escape(results.status)}' role='status'>{escape(results.message)}</pre>"


def facts(results: Results, audit: EnergyAudit | None) -> str:
    """Return the line below the title."""
    meta, words = results.meta, []
    counts = meta.get("counts", {})
    words += [counted(counts[name], one, several) for name, one, several in COUNTED if name in counts]
    if len(results.time):
        words.append(f"{results.time[-1] - results.time[0]:g} s")
    if "step" in meta:
        words.append(f"step {1e3 * meta['step']:g} ms")
    words += [str(meta[key]) for key in ("integrator", "enforcement") if key in meta]
    if audit is not None and audit.relative_residual is not None:
        words.append(f"energy residual {audit.relative_residual:.1e}")
    return " · ".join(words)


def counted(number: int, one: str, several: str) -> str:
    """Return a number with its noun: 1 body, 2 bodies."""
    return f"{number} {one if number == 1 else several}"


def sources(listed: str, bibtex: str, title: str = "Sources of this run") -> str:
    """Return the section of sources, with their BibTeX folded away."""
    if not listed:
        return ""
    folded = f"<details><summary>BibTeX</summary><pre>{escape(bibtex)}</pre></details>" if bibtex else ""
    return section(title, "{}").replace("{}", listed + folded)


def measured_panels(measured: Sequence[Measured], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the panels with those of measured quantities on top, one for each unit."""
    by_unit: dict[str, list[str]] = {}
    for one in measured:
        by_unit.setdefault(one.unit, []).append(one.name)
    top = [{"title": "measured and computed", "unit": unit, "curves": names} for unit, names in by_unit.items()]
    return [*top, *others]


def measured_points(one: Measured) -> dict[str, Any]:
    """Return the points of a measured curve as the page reads them."""
    time, values = thinned(one.time, one.values, MOST_POINTS)
    return {"name": one.name, "t": packed(time), "y": packed(values)}


def page_file(name: str) -> str:
    """Return one of the page's own files."""
    return resources.files("knuckleboom.report").joinpath("page", name).read_text(encoding="utf-8")


def script(text: str) -> str:
    """Return a script that can stand inside a page: nothing in it ends the page's script."""
    return re.sub(r"<(?=/script|!--)", r"\\x3c", text, flags=re.IGNORECASE)


def plotly_script() -> str:
    """Return plotly's script from the installed package, without importing it."""
    found = importlib.util.find_spec("plotly")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        file = Path(folder) / PLOTLY
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise FileError("A report needs the package 'plotly', which is not installed here: pip install plotly")
