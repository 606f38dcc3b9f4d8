# SPDX-License-Identifier: BSD-3-Clause
"""Draw docs/picture.png, the picture of the README: the excavator from the side, and what its cycle asks of the oil.

    .venv/bin/python tools/picture.py

Both are real, from one run.
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
from knuckleboom.interface.parts import Cylinder
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


def draw_side(axes: Any, machine: kb.Machine, run: kb.Results, time: float) -> None:
    """Every shape's outline in the x-z plane at a time, the far ones first, and the cylinders as lines."""
    k = int(np.searchsorted(run.time, time))
    poses = {
        body: (run[f"{body}.position"].values[k], matrices(run[f"{body}.orientation"].values[k : k + 1])[0])
        for body in machine.appearance
    }
    drawn = [(body, shape) for body, shapes in machine.appearance.items() for shape in shapes]
    for body, shape in sorted(drawn, key=lambda one: -one[1].at[1]):
        place, turn = poses[body]
        points = (place + corners(shape) @ turn.T)[:, [0, 2]]
        outline = points[ConvexHull(points).vertices]
        axes.add_patch(Polygon(outline, closed=True, facecolor=shape.colour, edgecolor="black", lw=0.2))
    for cylinder in machine.of(Cylinder):
        ends = []
        for place in (cylinder.a, cylinder.b):
            spot = machine.locate(place)
            p, turn = poses[spot.body]
            ends.append((p + turn @ np.array(spot.at))[[0, 2]])
        a, b = np.array(ends)
        neck = a + (b - a) * cylinder.closed / np.linalg.norm(b - a)
        axes.plot(*np.array([a, b]).T, color="#9aa0a8", lw=2.0)
        axes.plot(*np.array([a, neck]).T, color="#3f444b", lw=3.5)
    axes.axhline(0.0, color="#7d6a4f", lw=1.0, zorder=0)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set(xlabel="x [m]", ylabel="z [m]", title=f"excavator, 20 t, at {time:g} s: 7 bodies on oil")


def main() -> None:
    """Draw and write the picture."""
    case = kb.catalogue.NAMES["excavator"]()
    method: Any = case.method
    run = kb.simulate(case.machine, case.duration, step=case.step, record="10 ms", inputs=case.inputs, **method)
    figure = plt.figure(figsize=(11, 4.4), layout="constrained")
    halves: Any = figure.subfigures(1, 2, width_ratios=(1.25, 1.0))
    left, right = halves
    draw_side(left.subplots(), case.machine, run, 4.0)
    top, bottom = right.subplots(2, 1, sharex=True)
    for port, name in (
        ("boom_left.a", "boom"), ("stick_cylinder.a", "stick"), ("bucket_cylinder.a", "bucket"), ("supply", "pump"),
    ):  # fmt: skip
        top.plot(run.time, run[f"{port}.pressure"].to("bar").values, label=name, lw=1.2)
    top.set(ylabel="pressure [bar]", title="digs, lifts, slews, dumps, returns")
    top.legend(ncols=2, fontsize=8)
    bottom.plot(
        run.time, run["bucket_shell.teeth.position"].values[:, 2], color="black", label="height of the teeth [m]"
    )
    bottom.plot(run.time, run["slewing.angle"].values, color="#c9a227", label="slewing [rad]")
    bottom.set(xlabel="time [s]")
    bottom.legend(fontsize=8)
    for axes in (top, bottom):
        axes.grid(alpha=0.3)
    figure.savefig(OUT, dpi=110)


if __name__ == "__main__":
    main()
