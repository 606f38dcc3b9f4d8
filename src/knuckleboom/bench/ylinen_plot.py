# SPDX-License-Identifier: BSD-3-Clause
"""The picture of bench/ylinen.py: the start of the loaded cylinder, and the lifting boom with three actuators."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knuckleboom.plots.figure import new_figure
from knuckleboom.results import Results

Array = NDArray[np.float64]
WIDTH, PANEL, MARGIN = 8.0, 2.3, 0.6  # inches
TURNS = "pin.angle_acceleration"
STYLES = (("#000000", "-", 1.6), ("#D55E00", "-", 0.8), ("#0072B2", "-", 1.2))


def write_figure(
    path: Path, moving: Mapping[str, Results], booms: Mapping[str, Results], forces: Mapping[str, Array],
    lengths: Mapping[str, Array],
) -> None:  # fmt: skip
    """Write the picture: accelerations of the load from two starts; length, force and acceleration of the boom."""
    figure = new_figure(WIDTH, MARGIN + 4.0 * PANEL)
    axes = [figure.add_subplot(4, 1, number) for number in range(1, 5)]
    for (start, run), (colour, dash, wide) in zip(moving.items(), (STYLES[2], STYLES[1]), strict=True):
        values = run["guide.travel_acceleration"].values
        axes[0].plot(run.time, values, dash, color=colour, lw=wide, label=f"start: {start}")
    axes[0].set_title("loaded cylinder, set in motion by a flow at 0.5 s", fontsize="medium")
    axes[0].set_ylabel("acceleration\nof the load [m/s²]")
    axes[1].set_title("lifting boom, the same flow with three models of the cylinder", fontsize="medium")
    panels = (
        ("length − ∫Q dt/A\n[mm]", lengths),
        ("force of the\nactuator [kN]", {model: 1e-3 * force for model, force in forces.items()}),
        ("acceleration of\nthe boom [rad/s²]", {name: run[TURNS].values for name, run in booms.items()}),
    )
    for here, (label, curves) in zip(axes[1:], panels, strict=True):
        for (model, values), (colour, dash, wide) in zip(curves.items(), STYLES, strict=True):
            here.plot(booms[model].time, values, dash, color=colour, lw=wide, label=model)
        here.set_ylabel(label)
    for here in axes:
        here.grid(alpha=0.3)
    for here in axes[:2]:
        here.legend(loc="upper left", fontsize="small", frameon=False, ncols=3)
    axes[-1].set_xlabel("time [s]")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
