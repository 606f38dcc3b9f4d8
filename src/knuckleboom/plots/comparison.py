# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a comparison of methods: cost against error, both logarithmic, one line for each method over its steps.

Down is more accurate, to the left is cheaper; each point is labelled with its step. One panel for places and, where
there is oil, one for pressures. The grey band is what the reference does not resolve. `kinematic`, which is given what
the others find, has no errors of its own and is left out. Attached to Comparison
as `.plot()` in `knuckleboom/__init__.py`. Tested in tests/analysis/test_compare.py.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knuckleboom.plots.figure import COLOURS, DASHES, new_figure
from knuckleboom.results.comparison import FOLLOWS, Comparison, Row, milliseconds
from knuckleboom.results.files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL_IN, LEGEND_IN = (4.8, 4.4), 2.3
LEAST = 1e-15  # of any error: a logarithm has no zero


def plot_comparison(comparison: Comparison) -> "Figure":
    """Draw what every method costs and how far it is off."""
    done = [row for row in comparison.rows if row.done and row.coupling != FOLLOWS]
    known = comparison.reference
    panels = [("position_error", "largest error of a place [mm]", 1e3, known.position_difference)]
    if known.pressure_difference_percent is not None:
        label = "largest error of a pressure [% of the largest]"
        panels.append(("pressure_error_percent", label, 1.0, known.pressure_difference_percent))
    width = PANEL_IN[0] * len(panels) + LEGEND_IN
    figure = new_figure(width, PANEL_IN[1])
    for number, (key, label, factor, floor) in enumerate(panels, start=1):
        ax = figure.add_subplot(1, len(panels), number)
        _panel(ax, done, key, factor)
        if floor > 0.0:
            ax.axhspan(LEAST, max(factor * floor, LEAST), color="0.92", zorder=0)
        ax.set_xlabel("processor time [ms] for a simulated second")
        ax.set_ylabel(label)
    if done:
        # beside the curves, never on them
        lines = figure.axes[0].get_legend_handles_labels()
        figure.legend(*lines, loc="upper right", fontsize="small", frameon=False)
    figure.suptitle(f"{comparison.machine}, {comparison.duration:g} s", x=0.02, ha="left", fontsize="large")
    figure.tight_layout(rect=(0.0, 0.0, 1.0 - LEGEND_IN / width, 1.0))
    return figure


def write_comparison(comparison: Comparison, path: str | Path) -> Path:
    """Write the picture as PNG, or as SVG or PDF if the file's name ends so."""
    target, picture = Path(path), io.BytesIO()
    plot_comparison(comparison).savefig(picture, format=target.suffix.lstrip(".").lower() or "png")
    return replace_file(target, picture.getvalue())


def _panel(ax: Any, rows: list[Row], key: str, factor: float) -> None:
    methods = list(dict.fromkeys((row.coupling, row.integrator) for row in rows))
    low = LEAST
    for number, method in enumerate(methods):
        own = [row for row in rows if (row.coupling, row.integrator) == method and getattr(row, key) is not None]
        if not own:
            continue
        costs, errors = [1e3 * (row.cpu_per_s or 0.0) for row in own], [factor * getattr(row, key) for row in own]
        style = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number // len(COLOURS) % len(DASHES)]}
        ax.plot(
            costs, [max(error, LEAST) for error in errors], marker="o", markersize=4, label=" ".join(method), **style
        )
        for row, cost, error in zip(own, costs, errors, strict=True):
            place = {"textcoords": "offset points", "xytext": (3, 3), "fontsize": 6, "color": "0.4"}
            ax.annotate(milliseconds(row.step), (cost, max(error, LEAST)), **place)
        low = min(error for error in [*errors, low if low > LEAST else errors[0]])
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(bottom=max(0.3 * low, LEAST))
    ax.grid(True, which="major", color="0.88", linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
