# SPDX-License-Identifier: BSD-3-Clause
"""Plots of results, labelled in the units people read: bar, mm, deg, l/min, kN.

`plot(run, "lift.*.pressure", "foot.angle")` draws what is named, `plot_quantity(run["foot.angle"])` one quantity, and
`write_overview(run, path)` the picture that `knuckleboom run` leaves behind, `write_pictures(run, folder)` one of each
kind. Matplotlib is imported on first use; no display is needed. Nothing that computes imports this room.
"""

from knuckleboom.plots.figure import plot, plot_quantity
from knuckleboom.plots.overview import write_overview, write_pictures

__all__ = ["plot", "plot_quantity", "write_overview", "write_pictures"]
