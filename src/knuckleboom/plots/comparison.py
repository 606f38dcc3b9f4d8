# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a comparison of methods: cost against error, both logarithmic, one line for each method over its steps.

Down is more accurate, to the left is cheaper. A column of panels for each set of coordinates, all with the same axes; a
row for places and, where there is oil, one for pressures. The colour is the coupling with its integrator, the dashes
are the enforcement; each method has its cheapest factorisation. The grey band is what the reference does not resolve.
`kinematic`, which is given what the others find, has no errors of its own and is left out. Attached to Comparison as
`.plot()` in `knuckleboom/__init__.py`. Tested in tests/analysis/test_compare.py.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knuckleboom.plots.figure import COLOURS, DASHES, new_figure
from knuckleboom.results.comparison import FOLLOWS, Comparison, MethodName, Row, cost
from knuckleboom.results.comparison_text import milliseconds, what_was_run
from knuckleboom.results.files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL_IN, LEGEND_IN = (4.6, 4.2), 2.6
LEAST = 1e-15  # of any error: a logarithm has no zero
MARKERS = "os^vDP"
PALETTE = (*COLOURS, "#8C564B", "#7F7F7F", "#BCBD22")
"""One for each coupling with its integrator."""
LABELLED = 8
"""More methods than this in a panel, and their points are not labelled with the steps."""


def plot_comparison(comparison: Comparison) -> "Figure":
    """Draw what every method costs and how far it is off."""
    lines = curves(comparison)
    known = comparison.reference
    kinds = [("position_error", "largest error of a place [mm]", 1e3, known.position_error)]
    if known.pressure_error_percent is not None:
        label = "largest error of a pressure [% of the largest]"
        kinds.append(("pressure_error_percent", label, 1.0, known.pressure_error_percent))
    columns = list(dict.fromkeys(method.coordinates for method in lines)) or [""]
    width, height = PANEL_IN[0] * len(columns) + LEGEND_IN, PANEL_IN[1] * len(kinds)
    figure = new_figure(width, height)
    styles = {name: PALETTE[n % len(PALETTE)] for n, name in enumerate(dict.fromkeys(map(rule, lines)))}
    marks = {name: n for n, name in enumerate(dict.fromkeys(method.enforcement for method in lines))}
    for down, (key, label, scale, floor) in enumerate(kinds):
        first = None
        for across, coordinates in enumerate(columns):
            place = 1 + down * len(columns) + across
            first = ax = figure.add_subplot(len(kinds), len(columns), place, sharex=first, sharey=first)
            own = {method: rows for method, rows in lines.items() if method.coordinates == coordinates}
            for method, rows in own.items():
                mark = marks[method.enforcement]
                dashes = DASHES[mark % len(DASHES)]
                style = {"color": styles[rule(method)], "linestyle": dashes, "marker": MARKERS[mark]}
                draw(ax, [row for row in rows if getattr(row, key) is not None], key, scale, style, len(own))
            if floor > 0.0:
                ax.axhspan(LEAST, max(scale * floor, LEAST), color="0.92", zorder=0)
            finish(ax, lines, key, scale)
            ax.set_title(f"{coordinates} coordinates" if coordinates else "", fontsize="medium")
            if down == len(kinds) - 1:
                ax.set_xlabel("processor time [µs] for a simulated second")
            if across == 0:
                ax.set_ylabel(label)
    legend(figure, styles, marks)
    figure.suptitle(what_was_run(comparison), x=0.02, ha="left", fontsize="large")
    figure.tight_layout(rect=(0.0, 0.0, 1.0 - LEGEND_IN / width, 1.0))
    return figure


def write_comparison(comparison: Comparison, path: str | Path) -> Path:
    """Write the picture as PNG, or as SVG or PDF if the file's name ends so."""
    target, picture = Path(path), io.BytesIO()
    plot_comparison(comparison).savefig(picture, format=target.suffix.lstrip(".").lower() or "png")
    return replace_file(target, picture.getvalue())


def rule(method: MethodName) -> str:
    """What has one colour."""
    return f"{method.coupling} {method.integrator}"


def curves(comparison: Comparison) -> dict[MethodName, list[Row]]:
    """For every method its runs that are done, at each step with the cheapest factorisation."""
    found: dict[MethodName, list[Row]] = {}
    for formulation in comparison.formulations:
        if formulation.coupling == FOLLOWS:
            continue
        cheapest: dict[float, Row] = {}
        for row in comparison.of(formulation):
            if row.done and (row.step not in cheapest or cost(row) < cost(cheapest[row.step])):
                cheapest[row.step] = row
        if cheapest:
            found[formulation] = [cheapest[step] for step in sorted(cheapest, reverse=True)]
    return found


def draw(ax: Any, rows: list[Row], key: str, scale: float, style: dict[str, Any], count: int) -> None:
    """One method over its steps."""
    costs = [1e6 * cost(row) for row in rows]
    errors = [max(scale * getattr(row, key), LEAST) for row in rows]
    ax.plot(costs, errors, markersize=3.5, linewidth=1.0, **style)
    if count <= LABELLED:
        for row, x, y in zip(rows, costs, errors, strict=True):
            place = {"textcoords": "offset points", "xytext": (3, 3), "fontsize": 6, "color": "0.4"}
            ax.annotate(milliseconds(row.step), (x, y), **place)


def finish(ax: Any, lines: dict[MethodName, list[Row]], key: str, scale: float) -> None:
    """Axes, and below what there is something to see."""
    errors = [scale * (getattr(row, key) or 0.0) for rows in lines.values() for row in rows]
    low = min((error for error in errors if error > LEAST), default=LEAST)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(bottom=0.3 * low)
    ax.grid(True, which="major", color="0.88", linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def legend(figure: "Figure", styles: dict[str, str], marks: dict[str, int]) -> None:
    """Colours and dashes, beside the curves and never on them."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=colour, label=name) for name, colour in styles.items()]
    for name, n in marks.items():
        style: dict[str, Any] = {"linestyle": DASHES[n % len(DASHES)], "marker": MARKERS[n], "markersize": 4}
        handles.append(Line2D([], [], color="0.3", label=name, **style))
    if handles:
        figure.legend(handles=handles, loc="upper right", fontsize="small", frameon=False)
