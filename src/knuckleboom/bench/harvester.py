# SPDX-License-Identifier: BSD-3-Clause
"""The harvester with its levers slammed: what a step of each coupling costs and how far it is from a converged run.

The machine is harvester-30 of the catalogue with all its hydraulics, its front frame held, as not all couplings have
tires; 4 s with 14 steps of four valves, cylinders into their stops. Errors are the largest over a grid of 10 ms against
explicit RK4 steps of 0.01 ms; how far those are from steps of 0.0125 ms is `reference`. Its galleries and load-sensing
lines are stiff: explicit steps of 0.02 ms are already too long. `step_us` is the processor time of the one thread that
computes, per step, for the whole run without recording and with compiled code warm: the smallest of a few rounds in
which all runs take turns. `real_time_factor` is how much faster than the machine itself that is.
`energy_residual_percent` is the largest energy that appeared from nowhere, as a part of the pumps' work. `order` is
that of fw2 from 2 to 0.5 ms, seen in the largest errors of head and pressures.
Its own work cycle: `bench realtime`. Keys: docs/cli.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.machines import cycle_of, held
from knuckleboom.bench.rounds import Progress, per_run, smallest
from knuckleboom.errors import SimulationError
from knuckleboom.machine import Machine
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]
GRID = 0.01  # s
ROUNDS = 5
RAMS = ("lift", "fold", "tilt", "steer")
ERRORS = ("stroke_error_mm", "head_error_mm", "pressure_error_bar", "energy_residual_percent")


@dataclass(frozen=True)
class Contestant:
    """A method at a step [s]."""

    coupling: str
    integrator: str
    step: float

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.coupling} {self.integrator} {self.step}"


DURATION = 4.0  # s
LEVERS = {
    "lift_valve": {0.0: 0.0, 0.2: 0.6, 1.0: 0.0, 1.3: -0.8, 2.2: 1.0},
    "fold_valve": {0.0: 0.0, 0.4: -0.8, 1.2: 0.7, 2.4: -1.0},
    "tilt_valve": {0.0: 0.0, 0.3: 1.0, 1.6: -1.0, 3.0: 0.3},
    "steer_valve": {0.0: 0.0, 0.6: 0.8, 1.5: -1.0, 2.6: 1.0, 3.4: 0.0},
}
REFERENCE = Contestant("explicit", "rk4", 1e-5)
COARSER = Contestant("explicit", "rk4", 1.25e-5)
CONTESTANTS = (
    *(Contestant("realtime", "fw2", step) for step in (5e-4, 1e-3, 2e-3, 5e-3)),
    *(Contestant("realtime", "lim", step) for step in (5e-4, 1e-3, 2e-3)),
    *(Contestant("realtime", "lie", step) for step in (5e-4, 1e-3, 2e-3)),
    *(Contestant("unified", "trapezoidal", step) for step in (5e-4, 1e-3, 2e-3)),
    *(Contestant("explicit", "rk4", step) for step in (1e-5, 2e-5, 5e-5)),
)


def prepared(machine: Machine, one: Contestant, seconds: float) -> WholeRun:
    """The levers laid out for one method."""
    words = {"coupling": one.coupling, "integrator": one.integrator}
    return WholeRun(machine, seconds, step=one.step, record=GRID, inputs=LEVERS, **words)


def histories(run: WholeRun) -> dict[str, Array] | None:
    """Strokes, head and pressures on the grid, and the energy from nowhere; None when the run failed."""
    try:
        results = run.recorded()
    except SimulationError:
        return None

    def values(*paths: str) -> Array:
        return np.stack([results[path].values for path in paths], axis=1)

    return {
        "stroke": values(*(f"{ram}.length" for ram in RAMS)),
        "head": results["head.position"].values,
        "pressure": values(*(f"{ram}.{side}.pressure" for ram in RAMS for side in "ab")),
        "residual": values("energy.residual"),
        "supplied": values("energy.supplied"),
    }


def compare(ours: dict[str, Array] | None, exact: dict[str, Array]) -> dict[str, float | None]:
    """Largest errors over the grid, and the energy from nowhere."""
    if ours is None:
        return dict.fromkeys(ERRORS)
    apart = {name: ours[name] - exact[name] for name in ("stroke", "head", "pressure")}
    return {
        "stroke_error_mm": 1e3 * float(np.abs(apart["stroke"]).max()),
        "head_error_mm": 1e3 * float(np.linalg.norm(apart["head"], axis=1).max()),
        "pressure_error_bar": 1e-5 * float(np.abs(apart["pressure"]).max()),
        "energy_residual_percent": 100.0 * float(np.abs(ours["residual"]).max() / ours["supplied"][-1, 0]),
    }


def observed_orders(runs: Sequence[dict[str, Any]]) -> dict[str, float] | None:
    """Order of fw2 from 2 to 0.5 ms, or None when these steps were not run."""
    by_step = {run["step_ms"]: run for run in runs if run["integrator"] == "fw2" and run["status"] == "done"}
    if 2.0 not in by_step or 0.5 not in by_step:
        return None
    return {
        what: math.log(by_step[2.0][key] / by_step[0.5][key], 4.0)
        for what, key in (("head", "head_error_mm"), ("pressure", "pressure_error_bar"))
    }


def measure(
    progress: Progress | None = None, *, rounds: int = ROUNDS, duration: float | None = None,
    contestants: Sequence[Contestant] = CONTESTANTS,
) -> dict[str, Any]:  # fmt: skip
    """Run every contestant, see the card."""
    report = progress or (lambda fraction: None)
    machine = held(cycle_of("harvester-30").machine)
    seconds = DURATION if duration is None else duration
    exact, coarser = (histories(prepared(machine, one, seconds)) for one in (REFERENCE, COARSER))
    if exact is None:
        raise ArithmeticError("the converged run of harvester-30 failed")
    report(0.3)  # of the time, by experience

    runs: list[dict[str, Any]] = []
    cycles = {one.name: prepared(machine, one, seconds) for one in contestants}
    for one in contestants:
        found = histories(cycles[one.name])
        status = "done" if found is not None else "failed"
        head = {"coupling": one.coupling, "integrator": one.integrator, "step_ms": 1e3 * one.step, "status": status}
        runs.append(head | {"step_us": None, "real_time_factor": None} | compare(found, exact))
    report(0.5)
    tasks = {
        one.name: per_run(cycles[one.name].reset, cycles[one.name].unrecorded)
        for one, run in zip(contestants, runs, strict=True)
        if run["status"] == "done"
    }
    costs = smallest(tasks, rounds, lambda fraction: report(0.5 + 0.5 * fraction))
    for one, run in zip(contestants, runs, strict=True):
        if one.name in costs:
            cost = costs[one.name] / cycles[one.name].steps
            run |= {"step_us": cost, "real_time_factor": 1e6 * one.step / cost}
    difference = compare(coarser, exact)
    return {
        "duration_s": seconds,
        "reference": {
            "integrator": REFERENCE.integrator,
            "step_ms": 1e3 * REFERENCE.step,
            "coarser_step_ms": 1e3 * COARSER.step,
            "stroke_difference_mm": difference["stroke_error_mm"],
            "head_difference_mm": difference["head_error_mm"],
            "pressure_difference_bar": difference["pressure_error_bar"],
        },
        "order": observed_orders(runs),
        "runs": runs,
    }
