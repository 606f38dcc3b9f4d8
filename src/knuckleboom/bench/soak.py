# SPDX-License-Identifier: BSD-3-Clause
"""Ten minutes with a reckless operator on every machine: does anything break that must not, whatever is done to it?

`realtime` at 1 ms or another step, inputs of bench/operator.py: levers held and at random, valves slammed at full
speed, cylinders driven into their stops and oil through relief valves, pumps stalled, loads pushed. Every step is
recorded and looked at, in chunks of a few seconds, so that the record stays small: whether all is finite (a run that is
not ends there), the least absolute pressure of any volume, how far loops are open (angles on a radius of 1 m), the
energy from nowhere in % of what pumps and pressure sources gave, which stops were touched and which relief valves
opened; of the others, how near they were and what keeps them (`not_reached`). A machine that stands on the ground is
shoved and rolled over, too, and what touches is looked at: soak_ground.py. Keys: docs/cli.md. Ctrl-C keeps what was
done so far.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from knuckleboom.bench.machines import Cycle, complete, cycle_of
from knuckleboom.bench.operator import operate
from knuckleboom.bench.reached import Reached
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.bench.soak_ground import OnGround, shoved
from knuckleboom.errors import SimulationError
from knuckleboom.plan import Planned, build
from knuckleboom.results import Results
from knuckleboom.simulation import Simulation
from knuckleboom.simulation.audit import energy

STEP = 1e-3  # s, where none is given
CHUNK = 5.0  # s
SECONDS, SEED = 600.0, 1


def measure(
    progress: Progress | None = None, *, cycles: Sequence[Cycle] | None = None, seconds: float = SECONDS,
    seed: int = SEED, step: float = STEP,
) -> dict[str, Any]:  # fmt: skip
    """Soak all complete machines, or the given ones; see the card."""
    report = progress or (lambda fraction: None)
    wanted = [cycle_of(name) for name in complete()] if cycles is None else list(cycles)
    found: list[dict[str, Any]] = []
    for number, cycle in enumerate(wanted):
        share = Part(report, number / len(wanted), (number + 1) / len(wanted))
        found.append(soak(cycle, seconds, seed, step, share))
        if found[-1]["status"] == "interrupted":
            break
    return {
        "status": "interrupted" if found and found[-1]["status"] == "interrupted" else "done",
        "seconds": seconds,
        "seed": seed,
        "step_ms": 1e3 * step,
        "machines": found,
        "not_run": [cycle.name for cycle in wanted[len(found) :]],
    }


@dataclass
class Seen:
    """What was seen of a machine so far."""

    planned: Planned
    reached: Reached
    ground: OnGround
    time: float = 0.0
    least: tuple[float, str, float] = (np.inf, "", 0.0)
    highest: tuple[float, str, float] = (-np.inf, "", 0.0)
    opened: tuple[float, str, float] = (0.0, "", 0.0)
    nowhere: float = 0.0
    worst_nowhere: float = 0.0
    given: float = 0.0

    def look(self, results: Results) -> None:
        """Take a chunk of the run into account."""
        if not len(results.time):
            return
        self.time = float(results.time[-1])
        for path in (f"{node.port}.pressure" for node in self.planned.layout.nodes if node.source is None):
            values = np.asarray(results[path].values)
            for end, better in ((int(values.argmin()), "least"), (int(values.argmax()), "highest")):
                found, so_far = float(values[end]), getattr(self, better)[0]
                if found < so_far if better == "least" else found > so_far:
                    setattr(self, better, (found, path.removesuffix(".pressure"), float(results.time[end])))
        for part in {row.part for row in self.planned.layout.loops.kept}:
            values = np.abs(results[f"{part}.residual"].values).reshape(len(results.time), -1).max(axis=1)
            end = int(values.argmax())
            if values[end] > self.opened[0]:
                self.opened = (float(values[end]), part, float(results.time[end]))
        self.reached.look(results)
        self.ground.look(results)
        residual = np.asarray(results["energy.residual"].values)
        self.worst_nowhere = max(self.worst_nowhere, float(np.abs(self.nowhere + residual).max()))
        self.nowhere += float(residual[-1])
        self.given += sum(work for work in energy(results).supplied.values() if work > 0.0)

    def to_row(self) -> dict[str, Any]:
        """The numbers of a machine."""
        some = self.time > 0.0
        return {
            "time_s": self.time,
            "least_pressure_bar": 1e-5 * self.least[0] if some else None,
            "least_pressure_at": self.least[1],
            "least_pressure_time_s": self.least[2],
            "highest_pressure_bar": 1e-5 * self.highest[0] if some else None,
            "highest_pressure_at": self.highest[1],
            "highest_pressure_time_s": self.highest[2],
            "closure_mm": 1e3 * self.opened[0] if self.planned.loop_equations and some else None,
            "closure_of": self.opened[1],
            "energy_residual_percent": 100.0 * self.worst_nowhere / self.given if self.given > 0.0 else None,
            **self.ground.to_row(self.given),
            **self.reached.to_row(),
        }


def soak(cycle: Cycle, seconds: float, seed: int, step: float, progress: Progress) -> dict[str, Any]:
    """One machine for so long; how it ended and what was seen until then."""
    planned = build(cycle.machine, **cycle.realtime)
    cycle, shoving = shoved(cycle, planned, seconds, seed)
    planned = build(cycle.machine, **cycle.realtime) if shoving.inputs else planned
    seen = Seen(planned, Reached(planned), OnGround(planned))
    operated = {**operate(cycle, planned, seconds, seed), **shoving.inputs}
    inputs = {**cycle.inputs, **operated}
    status, message = "done", ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # cavitated oil is reported as its pressure
            sim = Simulation(
                cycle.machine, step=step, record=step, inputs=inputs, controllers=shoving.controllers, **cycle.realtime
            )
            while sim.time < seconds - 0.5 * step:
                sim.run_for(min(CHUNK, seconds - sim.time))
                seen.look(sim.results())
                sim.restore(sim.snapshot())  # the record begins anew
                progress(sim.time / seconds)
    except SimulationError as error:
        status, message = "failed", str(error)
        if error.results is not None:
            seen.look(error.results)
    except KeyboardInterrupt:
        status = "interrupted"
    return {
        "machine": cycle.name,
        "status": status,
        "message": message,
        "inputs": len(operated),
        "changes": sum(len(steps) - 1 for steps in operated.values()),
        **seen.to_row(),
    }
