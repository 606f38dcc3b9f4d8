# SPDX-License-Identifier: BSD-3-Clause
"""The report of bench/loop_time.py: one HTML file with the tables, loop durations over time and their means.

Curves show the largest of the steps in each of a few hundred stretches, so that no peak is lost. Logarithmic, as our
methods are two orders apart. The file opens without a network and has no scripts.
"""

from __future__ import annotations

import base64
import datetime
import io
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.plots.figure import COLOURS, new_figure
from knuckleboom.report.tables import number, table
from knuckleboom.report.write import page_file, section
from knuckleboom.results.files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Loops = Mapping[str, Mapping[str, tuple[Array, Array]]]
"""Times [s] and loop durations [µs] by machine and method."""

SIZE_IN = (7.2, 3.6)
STRETCHES = 400
HEADING = ("", *(f"{side} {who}" for side in ("AL", "SR") for who in ("thesis", "ours", "ours as theirs")))
HINT = "<p class='hint'>AL augmented Lagrangian, SR semi-recursive; ours as theirs: counted as the thesis does.</p>"
COLUMNS = ("lagrangian", "recursive")


def write_report(path: Path, data: Mapping[str, Any], loops: Loops) -> Path:
    """Write the report and return its path."""
    sections = [one for row in data["machines"] for one in machine_sections(row, loops.get(row["machine"], {}))]
    if data["machines"]:
        sections.append(section("Averages, as Fig. 4.7", picture(averages(data))))
    today = datetime.date.today().isoformat()
    page = (
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'><link rel='icon' href='data:,'>"
        f"<title>Loop durations · Knuckleboom</title><style>{page_file('style.css')}</style></head>"
        "<body class='comparison'><header>"
        "<h1>Loop durations and sparsity, beside Baharudin's thesis</h1><p class='facts'>"
        f"{data['seconds']:g} s of the work cycle, RK4, processor time of one thread; {escape(data['status'])}</p>"
        f"</header><main>{''.join(sections)}</main><footer><p>Written by Knuckleboom on {today}. Published numbers: "
        "Baharudin 2016, Table 4.1 and text to Fig. 4.7.</p></footer></body></html>"
    )
    return replace_file(path, page.encode())


def machine_sections(row: Mapping[str, Any], loops: Mapping[str, tuple[Array, Array]]) -> list[str]:
    """Counts, loop durations and the verdict for one machine."""
    lines = [
        (
            one["what"].replace("_", " "),
            *("–" if one[f"{who}_{side}{how}"] is None else one[f"{who}_{side}{how}"]
              for side in COLUMNS
              for who, how in (("published", ""), ("ours", ""), ("ours", "_as_published"))),
        )
        for one in row["counts"]
    ]  # fmt: skip
    methods = [
        (f"{one['method']}, {one['factorisation']}", number(one["loop_us_mean"]), number(one["loop_us_p999"]),
         number(one["loop_us_worst"]), number(one["call_us"]), number(one["replays"]),
         number(one["acceleration_error"]), one["message"] or one["status"])
        for one in row["methods"]
    ]  # fmt: skip
    heading = (
        *("method", "mean [µs]", "99.9 % [µs]", "worst [µs]", "call taken off [µs]", "replays"),
        *("bodies' accelerations off by [m/s², rad/s²]", ""),
    )
    facts = (
        f"{row['states']} steps of {row['step_ms']:g} ms, each from a state of realtime, which is "
        f"{number(row['difference_mm'])} mm from its converged run at most."
    )
    shown = f"<p>{escape(row['sentence'])}</p><p>{escape(facts)}</p>{table(methods, heading, 'numbers')}"
    if loops:
        shown += picture(over_time(row, loops))
    name, sparsity = row["machine"], HINT + table(lines, HEADING, "numbers")
    return [section(f"{name}: loop durations", shown), section(f"{name}: sparsity", sparsity)]


def over_time(row: Mapping[str, Any], loops: Mapping[str, tuple[Array, Array]]) -> Figure:
    """Loop durations over time with the step as a line, as Fig. 4.6."""
    figure = new_figure(*SIZE_IN)
    axes = figure.add_subplot()
    for k, (name, (times, durations)) in enumerate(loops.items()):
        if not len(times):
            continue  # it failed
        stretches = min(STRETCHES, len(times))
        starts = np.linspace(0, len(times), stretches, endpoint=False).astype(int)
        axes.plot(times[starts], np.maximum.reduceat(durations, starts), color=COLOURS[k], label=name, linewidth=0.9)
    axes.axhline(1e3 * row["step_ms"], color="0.4", linestyle="--", label="published step")
    axes.set_yscale("log")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("loop duration [µs]")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small", frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.tight_layout()
    return figure


def averages(data: Mapping[str, Any]) -> Figure:
    """Mean loop durations of all methods on every machine, with the steps, as Fig. 4.7."""
    figure = new_figure(SIZE_IN[0], 1.0 + 2.2 * len(data["machines"]))
    for k, row in enumerate(data["machines"]):
        axes = figure.add_subplot(len(data["machines"]), 1, k + 1)
        done = [one for one in row["methods"] if one["loop_us_mean"] is not None]
        names = [f"{one['method']}, {one['factorisation']}" for one in done]
        axes.barh(names, [one["loop_us_mean"] for one in done], color=COLOURS[: len(done)])
        axes.axvline(1e3 * row["step_ms"], color="0.4", linestyle="--")
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(left=1.0)
        axes.set_title(f"{row['machine']}; dashed: published step", fontsize="medium")
        axes.set_xlabel("mean loop duration [µs]")
    figure.tight_layout()
    return figure


def picture(figure: Figure) -> str:
    """A figure inside the page."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg")
    text = base64.b64encode(drawn.getvalue()).decode()
    return f"<img alt='the numbers of the table' style='max-width:100%' src='data:image/svg+xml;base64,{text}'>"
