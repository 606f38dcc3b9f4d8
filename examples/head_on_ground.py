# SPDX-License-Identifier: BSD-3-Clause
"""A harvester presses its head to the ground and swings: fig. 16 of publication III of [Baharudin 2016].

    python examples/head_on_ground.py

The crane lies along x, the arms are closed; the boom is lowered until the arms stand on the ground and the crane
presses them down, its valves shut again, then the crane swings to the left. Written are `head_on_ground.html`, a report
with the machine in motion, and `head_on_ground.png`, the force of the ground over time. The publication prints a curve
without numbers: that it stays bounded while the head is dragged. Levers and machine, harvester-25, are ours.
Tested in validation/literature/test_baharudin_2016_head_on_ground.py
"""

import numpy as np

import knuckleboom as kb
from knuckleboom.plots.figure import new_figure

PARTS = ("head_frame", "grip_left_tip", "grip_right_tip")
TOUCHES, SWINGS, ENDS = 4.6, 8.0, 13.0  # s
LEVERS = {
    "grip_valve": {0.0: 0.8, 1.2: 0.0},
    "lift_valve": {0.0: 0.0, 0.5: -0.4, 3.2: -0.15, 5.4: -0.11, 5.8: 0.0},
    "slew_valve": {0.0: 0.0, SWINGS: 0.3, 12.0: 0.0},
}


def pressed_and_swung(step: str = "1 ms") -> kb.Results:
    """Run it."""
    inputs = {name: kb.steps(moves) for name, moves in LEVERS.items()}
    return kb.simulate(kb.catalogue.machine("harvester-25"), ENDS, step=step, record="5 ms", inputs=inputs)


def force(run: kb.Results) -> np.ndarray:
    """Force of the ground on the head and its arms, N."""
    return np.sum([run[f"{part}.normal_force"].values for part in PARTS], axis=0)


def main() -> None:
    """Run, and write report and picture."""
    run = pressed_and_swung()
    run.report("head_on_ground.html")
    figure = new_figure(8.0, 4.0)
    axes = figure.add_subplot()
    axes.plot(run.time, 1e-3 * force(run))
    axes.axvline(SWINGS, color="grey", lw=0.8)
    axes.annotate(" swings", (SWINGS, 0.0))
    axes.set_xlabel("time [s]")
    axes.set_ylabel("normal force of the ground on the head [kN]")
    axes.grid(alpha=0.3)
    figure.savefig("head_on_ground.png", dpi=120)


if __name__ == "__main__":
    main()
