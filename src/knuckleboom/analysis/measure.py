# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison measures of one run: places and pressures, constraints at three levels, energy, cost.

Constraint violations are those of the state that the method itself carries: Φ(q), Φ̇ = Φ_q v and Φ̈ = Φ_q v̇ + Φ̇_q v.
Here v̇ is that of an index-3 step after its projections, which it hands to the next one, and what the equations give
for all others. They are looked at in up to a hundred moments. Cost is the processor time of steps that record nothing,
with compiled code warm: of the first part of the run that takes long enough to be timed, weighed by Newton's iterations
where there are any. Tested in tests/analysis/test_measure.py.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.errors import SimulationError
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Body
from knuckleboom.methods import COSIMULATED
from knuckleboom.plan import Planned
from knuckleboom.plan.naming import EXCHANGED
from knuckleboom.results import Results
from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]
LOOKS = 100
"""Moments at which the constraints are looked at."""
ROUNDS, PIECE, LONG = 3, 0.015, 0.25
"""Runs, the fastest of which counts as the cost; how long each should take, s; one longer than LONG is not repeated."""


@dataclass(frozen=True)
class Seen:
    """What is compared of a run by name, one line for each recorded time: places (m), pressures (Pa)."""

    time: Array
    places: Mapping[str, Array]
    pressures: Mapping[str, Array]

    @property
    def travel(self) -> float:
        """The longest path of any place from its start, m."""
        return max((farthest(place, place[0]) for place in self.places.values()), default=0.0)

    @property
    def largest_pressure(self) -> float | None:
        """Pa; None without oil."""
        return max((float(np.abs(values).max()) for values in self.pressures.values()), default=None)

    @property
    def pressure_swing(self) -> float | None:
        """The largest change of any pressure from its start, Pa; None without oil."""
        return max((float(np.abs(values - values[0]).max()) for values in self.pressures.values()), default=None)

    def distance(self, other: Seen) -> tuple[float, float | None]:
        """Largest difference of places, m, and of pressures in % of the largest there; None without oil in both.

        The other may have more times than this one.
        """
        lines = np.searchsorted(other.time, self.time - 0.5 * np.diff(other.time, append=np.inf).min())
        shared = self.places.keys() & other.places.keys()
        apart = max((farthest(self.places[name], other.places[name][lines]) for name in shared), default=0.0)
        oil = self.pressures.keys() & other.pressures.keys()
        if not oil:
            return apart, None
        off = max(float(np.abs(self.pressures[name] - other.pressures[name][lines]).max()) for name in oil)
        return apart, 100.0 * off / max(float(np.abs(other.pressures[name]).max()) for name in oil)


def farthest(places: Array, others: Array) -> float:
    """The largest distance between places and others, line by line, m."""
    return float(np.linalg.norm(places - others, axis=1).max(initial=0.0))


def look(machine: Machine, results: Results) -> Seen:
    """What is compared of results: origin, centre of mass and named points of every body; every volume of oil."""
    names = [signal.path for signal in results.names]
    places = {path: results[path].values for path in names if path.endswith(".position")}
    for body in machine.of(Body):
        if f"{body.name}.position" in results:
            origin, axes = places[f"{body.name}.position"], results[f"{body.name}.orientation"].values
            places[body.name] = origin + turned(axes, np.array(body.com))
    oil = [path for path in names if path.endswith(".pressure") and path.replace(".pressure", ".volume") in results]
    return Seen(np.asarray(results.time), places, {path: results[path].values for path in oil})


def turned(axes: Array, vector: Array) -> Array:
    """A vector of a body in the world, for every unit quaternion (w, x, y, z): v + 2w(u × v) + 2u × (u × v)."""
    w, u = axes[:, :1], axes[:, 1:]
    across = np.cross(u, vector)
    return np.asarray(vector + 2.0 * (w * across + np.cross(u, across)))


@dataclass
class Violations:
    """The largest violations of the constraints over a run, to be called at its moments."""

    planned: Planned
    worst: Array = field(default_factory=lambda: np.zeros(3))

    def __call__(self) -> None:
        """Look at the state that was just evaluated."""
        self.worst = np.maximum(self.worst, violations(self.planned))

    def to_row(self) -> dict[str, Any]:
        """The three numbers under the names that a row of a comparison has for them; None without constraints."""
        levels = ("constraint_error", "constraint_rate_error", "constraint_acceleration_error")
        some = self.planned.loop_equations > 0
        return {level: float(size) if some else None for level, size in zip(levels, self.worst, strict=True)}


def violations(planned: Planned) -> Array:
    """Largest |Φ|, |Φ̇| and |Φ̈| of the state that was just evaluated, see the card."""
    table, work, n = planned.plan.system, planned.work, planned.loop_equations
    v_dot = work.state.true_v if planned.method.enforcement == "index3" else work.system.v_dot
    entries = slice(table.path_first[0], table.path_first[n]) if n else slice(0, 0)
    row = np.repeat(np.arange(n), np.diff(table.path_first[: n + 1].astype(np.intp)))
    pushed = work.system.phi[entries] * v_dot[table.path_dof[entries].astype(np.intp)]
    acceleration = np.bincount(row, pushed, minlength=n)[:n] + work.rows.bias[:n]
    return np.array([np.abs(level).max(initial=0.0) for level in (work.rows.s[:n], work.rows.w[:n], acceleration)])


def energy_errors(results: Results) -> dict[str, Any]:
    """The energy that appeared from nowhere, in % of the work done: the most at any time, and at the end; and the most
    that exchanges had made, where there are some.
    """
    work, nowhere = energy(results).work_done, results["energy.residual"].values
    if work <= 0.0:
        return {}
    found = {
        "energy_residual_percent": 100.0 * float(np.abs(nowhere).max()) / work,
        "energy_drift_percent": 100.0 * float(nowhere[-1]) / work,
    }
    if EXCHANGED in results:
        found["exchanged_percent"] = 100.0 * float(np.abs(results[EXCHANGED].values).max()) / work
    return found


def evaluations(run: WholeRun) -> float:
    """How often the machine is evaluated in a step, mean of the steps just made."""
    planned, method = run.planned, run.planned.method
    if method.coupling == "explicit":
        return float(INTEGRATORS[method.integrator].STAGES)
    if run.planned.work.tableau:
        table = planned.plan.tableau
        return 1.0 + float(np.sum(table.fresh[1 : table.stages[0]] == 1))
    if method.coupling == COSIMULATED.coupling:
        return 1.0 + (newton_iterations(run, run.steps) or 0.0)  # of the mechanics: its oil has steps of its own
    iterations, parts = planned.work.newton.count
    apart = planned.plan.course.integrator[0] >= 0
    # Newton evaluates once an iteration, with oil apart once more around it, and so at the start; each projection once
    extra = 2 * (planned.loop_equations > 0) + apart
    return float((1 + apart) * iterations + extra * parts) / run.steps


def newton_iterations(run: WholeRun, steps: int) -> float | None:
    """Iterations per step of the steps just made; None for methods without."""
    counted = run.planned.iterations
    return None if counted is None else float(counted[0]) / steps


def cost_of(run: WholeRun, iterations: float | None) -> float:
    """Processor time of a step with nothing recorded, s; `iterations` are those of a step in the whole run."""
    took, _ = timed(run, 1)
    steps = min(run.steps, max(1, round(PIECE / max(took, 1e-9))))
    times: list[float] = []
    seen: float | None = None
    while len(times) < ROUNDS and sum(times) < LONG:
        took, seen = timed(run, steps)
        times.append(took)
    share = iterations / seen if iterations and seen else 1.0
    return share * min(times) / steps


def timed(run: WholeRun, steps: int) -> tuple[float, float | None]:
    """Processor time of the first steps, s, and Newton's iterations in each of them."""
    run.reset()
    began = clock.thread_time()
    run.unrecorded(steps)
    return clock.thread_time() - began, newton_iterations(run, steps)


def probe(run: WholeRun) -> float:
    """About what a step costs, s: of a few steps, whether or not they succeed."""
    took = 0.0
    for steps in (1, 30):
        try:
            took = timed(run, steps)[0] / steps
        except SimulationError:
            break
        if took * 30 > PIECE:
            break
    return took
