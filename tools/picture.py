# SPDX-License-Identifier: BSD-3-Clause
"""Draw docs/picture.png, the picture of the README: harvester-30 from the side, and the run of naya-rod.

    .venv/bin/python tools/picture.py

Both are real: the poses come from planned machines, the curves from a run.
"""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Polygon
from scipy.spatial import ConvexHull

import knuckleboom as kb
from knuckleboom.machine.appearance import Shape
from knuckleboom.machine.placement import rotation
from knuckleboom.simulation.cut_joints import matrices

OUT = Path(__file__).parents[1] / "docs" / "picture.png"


def corners(shape: Shape) -> np.ndarray:
    """Points whose hull is the shape, in body axes."""
    turn = np.array(rotation(shape.rpy))
    if shape.shape == "box":
        grid = np.array(np.meshgrid(*([-0.5, 0.5],) * 3)).reshape(3, -1).T * np.array(shape.size)
    else:
        radius, length = (*shape.size, 0.0)[:2]
        angle = np.linspace(0.0, 2.0 * np.pi, 24)
        ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros_like(angle)])
        grid = np.vstack([ring + (0, 0, 0.5 * length), ring - (0, 0, 0.5 * length)])
    return np.asarray(np.array(shape.at) + grid @ turn.T)


def draw_side(axes: Any, machine: kb.Machine) -> None:
    """Every shape's outline in the x-z plane at the start pose."""
    run = kb.simulate(machine, "1 ms")
    for body, shapes in machine.appearance.items():
        place = run[f"{body}.position"].values[0]
        turn = matrices(run[f"{body}.orientation"].values[:1])[0]
        for shape in shapes:
            points = (place + corners(shape) @ turn.T)[:, [0, 2]]
            outline = points[ConvexHull(points).vertices]
            axes.add_patch(Polygon(outline, closed=True, facecolor=shape.colour, edgecolor="black", lw=0.6, alpha=0.85))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set(xlabel="x [m]", ylabel="z [m]", title="harvester-30: 30 bodies, 35 coordinates, 4 closed loops")


def main() -> None:
    """Draw and write the picture."""
    case = kb.catalogue.NAMES["naya-rod"]()
    run = kb.simulate(case.machine, case.duration, step=case.step, inputs=case.inputs)
    figure = plt.figure(figsize=(11, 4.4), layout="constrained")
    halves: Any = figure.subfigures(1, 2, width_ratios=(1.25, 1.0))
    left, right = halves
    draw_side(left.subplots(), kb.catalogue.NAMES["harvester-30"]().machine)
    top, bottom = right.subplots(2, 1, sharex=True)
    for port, name in (("lift.a", "lower chamber"), ("lift.b", "upper chamber")):
        top.plot(run.time, run[f"{port}.pressure"].to("bar").values, label=name)
    top.set(ylabel="pressure [bar]", title="naya-rod: a rod lifted by oil")
    top.legend()
    bottom.plot(run.time, run["lift.length"].to("mm").values, color="black")
    bottom.set(xlabel="time [s]", ylabel="cylinder length [mm]")
    for axes in (top, bottom):
        axes.grid(alpha=0.3)
    figure.savefig(OUT, dpi=110)


if __name__ == "__main__":
    main()
