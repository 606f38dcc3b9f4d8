# SPDX-License-Identifier: BSD-3-Clause
"""Pictures like Figs 3 to 9 of [Naya 2011], from the runs of bench/naya.py at 10 ms.

Black is the unified method as published, grey the co-integration with forward Euler steps of 0.2 ms in the oil, dotted
the converged run. Joint coordinates leave nothing to violate but the guided length, so that Fig. 9 has that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.plots.figure import new_figure
from knuckleboom.results import Results

Array = NDArray[np.float64]
STEP = 0.01
WIDTH, PANEL, MARGIN = 7.0, 2.4, 0.9  # inches
BLACK, GREY, BLUE, RED = "#000000", "#999999", "#0072B2", "#D55E00"
Line = tuple[Array, Array, str, str, str]
"""Times, values, colour, dash and label of a line."""


def panels(path: Path, title: str, parts: Sequence[tuple[str, Sequence[Line]]]) -> None:
    """Write one picture: a panel for each part, which is the label of its axis with the unit, and its lines."""
    figure = new_figure(WIDTH, MARGIN + PANEL * len(parts))
    for number, (label, lines) in enumerate(parts):
        axes = figure.add_subplot(len(parts), 1, number + 1)
        for times, values, colour, dash, name in lines:
            axes.plot(times, values, color=colour, linestyle=dash, label=name or None)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        if any(line[-1] for line in lines):
            axes.legend(loc="best", fontsize="small", frameon=False)
    axes.set_xlabel("time [s]")
    figure.suptitle(title, fontsize="medium")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def write_plots(
    folder: str | Path, runs: Mapping[Any, Results | None], exact: Mapping[str, Array], guides: Mapping[float, Results]
) -> list[Path]:
    """Write those pictures whose runs are there; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def found(coupling: str, **fields: Any) -> Results | None:
        for one, results in runs.items():
            same = all(getattr(one, name) == value for name, value in fields.items())
            if one.coupling == coupling and one.step == STEP and same:
                return results
        return None

    unified = found("unified", jumps="published", coordinates="relative")
    euler = found("cointegrated", power_integrator="euler")
    kinematic = found("kinematic")
    written = []

    def write(number: int, title: str, *parts: tuple[str, Sequence[Line]]) -> None:
        path = folder / f"fig{number}.png"
        panels(path, title, parts)
        written.append(path)

    if unified is not None:
        times = unified.time
        black = (BLACK, "-", "unified, 10 ms")
        dotted = (BLUE, ":", "converged")
        write(
            3, "Fig. 3: length of the cylinder and its rate",
            ("s [m]", [(times, unified["lift.length"].values, *black), (exact["time"], exact["s"], *dotted)]),
            ("ds/dt [m/s]", [(times, unified["lift.speed"].values, *black), (exact["time"], exact["sdot"], *dotted)]),
        )  # fmt: skip
        pressures = (("p1 [bar]", "lift.b.pressure", "p1"), ("p2 [bar]", "lift.a.pressure", "p2"))
        write(
            5, "Fig. 5: pressures of the upper (p1) and lower (p2) chamber",
            *(
                (label, [(times, 1e-5 * unified[name].values, *black), (exact["time"], 1e-5 * exact[key], *dotted)])
                for label, name, key in pressures
            ),
        )  # fmt: skip
        write(
            7, "Fig. 7: force of the actuator, friction included",
            ("force [kN]", [(times, 1e-3 * unified["lift.force"].values, *black)]),
        )  # fmt: skip
        kinetic, potential = unified["energy.kinetic"].values, unified["energy.potential"].values
        potential = potential - potential[0]
        work = unified["lift.work"].values - unified["lift.work"].values[0]
        write(
            8, "Fig. 8: energies of the rod and work of the actuator, friction included",
            ("energy [J]", [
                (times, potential, BLUE, "-", "potential, above the start"), (times, kinetic, RED, "-", "kinetic"),
                (times, work, BLACK, "--", "work of the actuator"),
            ]),
            ("kinetic + potential − work [J]", [(times, kinetic + potential - work, BLACK, "-", "")]),
        )  # fmt: skip
    if unified is not None and euler is not None:
        apart = 1e3 * (euler["lift.length"].values - unified["lift.length"].values)
        write(
            4, "Fig. 4: length by co-integration (Euler, 0.2 ms) minus length by the unified method",
            ("difference [mm]", [(times, apart, BLACK, "-", "")]),
        )  # fmt: skip
        near, close = (times >= 5.9) & (times <= 6.5), (exact["time"] >= 5.9) & (exact["time"] <= 6.5)
        lines = [
            (times[near], 1e-5 * euler["lift.b.pressure"].values[near], GREY, "-", "co-integrated, Euler 0.2 ms"),
            (times[near], 1e-5 * unified["lift.b.pressure"].values[near], BLACK, "-", "unified, 10 ms"),
            (exact["time"][close], 1e-5 * exact["p1"][close], BLUE, ":", "converged"),
        ]
        write(6, "Fig. 6: p1 after the jump at 6 s", ("p1 [bar]", lines))
    if kinematic is not None and STEP in guides:
        guide = guides[STEP]
        rows = (("|s − s(t)| [m]", "lift.length"), ("|ds/dt − ds(t)/dt| [m/s]", "lift.speed"))
        write(
            9, "Fig. 9: violation of the guided length, and of its rate against the record it follows",
            *(
                (label, [(kinematic.time, np.abs(kinematic[name].values - guide[name].values), BLACK, "-", "")])
                for label, name in rows
            ),
        )  # fmt: skip
    return written
