# SPDX-License-Identifier: BSD-3-Clause
"""A picture of bench/scaling.py: the cost of a step over the number of bodies, both logarithmic, one line a method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knuckleboom.plots.figure import COLOURS, new_figure

SIZE_IN = (6.4, 4.4)


def write_plot(path: Path, series: Sequence[tuple[str, Sequence[int], Sequence[float]]]) -> None:
    """Write the picture of series given by name, numbers of bodies and microseconds of a step."""
    figure = new_figure(*SIZE_IN)
    ax = figure.add_subplot()
    for number, (name, bodies, step_us) in enumerate(series):
        ax.loglog(bodies, step_us, marker="o", markersize=4, color=COLOURS[number % len(COLOURS)], label=name)
    ax.set_xlabel("bodies of a chain")
    ax.set_ylabel("one RK4 step [µs]")
    ax.grid(True, which="major", color="0.88", linewidth=0.6)
    ax.legend(loc="upper left", fontsize="small", frameon=False)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
