# SPDX-License-Identifier: BSD-3-Clause
"""Co-simulation: how far apart the exchanges of mechanics and oil can be, scheme by scheme, on two arms.

`schemes` are all combinations of order, course, force handed over and variables on `cosim-arm` and `peiret-arm`, each
lightly and heavily damped (the viscous friction of its cylinders is stated with every limit: none is worth anything
without it). The mechanics is semi-implicit Euler, the oil RK4 in steps of 0.1 ms or less. A scheme is stable at a step
where its run ends and the root mean square of its errors stays below 0.1 rad and 30 bar; steps are tried upwards from
0.05 ms, and the largest stable one is the last before the first that is not. Errors are those at 10 ms, or at the
largest stable step where that is shorter, against `realtime` at 0.05 ms.

`reduced_against_full` is the largest difference between the reduced model's rates at the end of an exchange and those
of the step that the mechanics then made with that force, over the largest rate, on four machines while they move.
`cosim_arm` are values of the public benchmark [González 2021], by `unified` at 0.05 ms with inputs in time; beside them
those with `jumps` published and inputs a step late, as its solution has them, and its printed ones. `study` are limits
of an earlier study on another arm with the dimensions of `peiret-arm`; `machines` two complete ones at 5 ms.
Keys: docs/cli.md. Ctrl-C keeps what was done. Tested in tests/bench/test_cosim.py
"""

from __future__ import annotations

import itertools
import math
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom import catalogue
from knuckleboom.bench.machines import cycle_of
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.catalogue import cosim_arm
from knuckleboom.errors import SimulationError
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.over_time import table
from knuckleboom.mechanics.parts.revolute import Revolute
from knuckleboom.methods import COSIMULATED, TABLE
from knuckleboom.results import Results
from knuckleboom.simulation.session import Simulation
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

STEPS_MS = (0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40, 50, 60, 80, 100)
USEFUL_MS = 10.0
SMALL = 1e-4  # s: the longest step of the oil
REFERENCE = 5e-5  # s
MOST_RAD, MOST_BAR = 0.1, 30.0
LIGHT = {"cosim-arm": 1e3, "peiret-arm": 1e3}  # N·s/m
HEAVY = {"cosim-arm": 1e5, "peiret-arm": 1e5}
SECONDS = {"cosim-arm": 1.2, "peiret-arm": 3.0}
"""From the first move of a valve on, s: lightly damped `cosim-arm` reaches the end of its stroke after 1.4 s."""
PUBLISHED = {"m1": {"s": {"4": 0.53918989, "6": 0.59603536, "8": 0.56266526, "10": 0.51536899},
                    "p1": {"4": 3061370.4, "6": 3075063.8}}}  # fmt: skip
"""Of the benchmark's reference, as far as it is printed here: m and Pa."""
TIMES = (4.0, 6.0, 8.0, 10.0)  # s
EXACT_STEP = 5e-5  # s
STUDY_MS = {
    ("jacobi", "hold", "end"): 0.05, ("power-first", "hold", "mean"): 0.1, ("power-first", "hold", "end"): 6.0,
    ("power-first", "linear", "end"): 4.0, ("power-first", "linear", "mean"): 2.0,
    ("power-first", "quadratic", "end"): 3.0, ("power-first", "quadratic", "mean"): 3.0,
    ("power-first", "reduced", "end"): 5.0, ("jacobi", "reduced", "mean"): 0.1,
    ("power-first", "reduced", "mean"): 50.0,
}  # fmt: skip
STUDIED = ("order", "course", "handed", "largest_stable_ms")
"""Largest stable steps of that study, lightly damped, without contact, by force and displacement."""
MOVED = {"cosim-arm": 2.2, "peiret-arm": 0.2, "excavator": 1.0, "harvester-30": 1.0}
BEGINS = 0.1
"""From when on a machine's reduced model is compared with the step, s: where its valves are open; else BEGINS."""
STEPS_COMPARED = 50
LARGE, LARGE_STEP, LARGE_SECONDS = ("excavator", "harvester-30"), 5e-3, 10.0


class Scheme(NamedTuple):
    """One way to exchange."""

    order: str
    course: str
    handed: str
    variables: str


@dataclass
class Arm:
    """An arm with its friction: what is compared of it, and its converged run."""

    name: str
    machine: Machine
    inputs: Mapping[str, Any]
    seconds: float
    viscous: float
    damped: bool
    exact: Results

    @property
    def angles(self) -> list[str]:
        """Paths of its joints' angles."""
        return [f"{joint.name}.angle" for joint in self.machine.of(Revolute)]

    @property
    def chambers(self) -> list[str]:
        """Paths of its cylinders' pressures."""
        return [f"{ram.name}.{port}.pressure" for ram in self.machine.of(Ram) for port in ram.PORTS]


def schemes() -> Iterator[Scheme]:
    """Every combination of the table of methods."""
    for row in TABLE:
        if row.coupling == COSIMULATED.coupling:
            yield from itertools.starmap(Scheme, itertools.product(row.order, row.course, row.handed, row.variables))


def measure(
    progress: Progress | None = None, *, seconds: Mapping[str, float] = SECONDS, steps_ms: Sequence[float] = STEPS_MS,
    arms: Sequence[str] = tuple(LIGHT), machines: Sequence[str] = LARGE,
) -> dict[str, Any]:  # fmt: skip
    """Try every scheme on every arm; see the card."""
    report = progress or (lambda fraction: None)
    rows: list[dict[str, Any]] = []
    found: dict[str, Any] = {
        "status": "done", "reduced_against_full": None, "reduced_by_machine": {}, "schemes": rows, "cosim_arm": {},
        "machines": [], "published": PUBLISHED,
        "study": [dict(zip(STUDIED, (*words, limit), strict=True)) for words, limit in STUDY_MS.items()],
        "stable": {"angle_rad": MOST_RAD, "pressure_bar": MOST_BAR}, "oil_step_ms": 1e3 * SMALL,
    }  # fmt: skip
    wanted = [(name, damped) for name in arms for damped in (False, True)]
    try:
        found["reduced_by_machine"] = {name: reduced_of(name, MOVED.get(name, BEGINS)) for name in (*arms, *machines)}
        found["reduced_against_full"] = max(found["reduced_by_machine"].values())
        found["cosim_arm"] = {law: benchmark_values(law) for law in ("m1", "m2")}
        report(0.1)
        for number, (name, damped) in enumerate(wanted):
            share = Part(report, 0.1 + 0.8 * number / len(wanted), 0.1 + 0.8 * (number + 1) / len(wanted))
            arm = prepared(name, damped, seconds[name])
            every = list(schemes())
            for place, scheme in enumerate(every):
                rows.append(tried(arm, scheme, steps_ms))
                share((place + 1) / len(every))
        found["machines"] = [row for name in machines for row in large_machine(name)]
        report(1.0)
    except KeyboardInterrupt:
        found["status"] = "interrupted"
    return found


# --- limits of the schemes ---


def prepared(name: str, damped: bool, seconds: float) -> Arm:
    """An arm with light or heavy friction in its cylinders, its fast valve laws, and its converged run."""
    machine = catalogue.machine(name)
    viscous = (HEAVY if damped else LIGHT)[name]
    for ram in machine.of(Ram):
        machine[ram.name].viscous = viscous
    case = next(iter(machine.cases.values()))
    late = min(case.duration, seconds + first_move(case.inputs))
    run = WholeRun(machine, late, step=REFERENCE, record=1e-3, inputs=case.inputs, coupling="realtime")
    return Arm(name, machine, case.inputs, late, viscous, damped, run.recorded())


def first_move(inputs: Mapping[str, Any]) -> float:
    """When something first happens in a case, s: its declared jumps and corners after the start."""
    times = [time for value in inputs.values() for time in getattr(value, "times", ()) if time > 0.0]
    return float(min(times, default=0.0))


def tried(arm: Arm, scheme: Scheme, steps_ms: Sequence[float]) -> dict[str, Any]:
    """The largest stable step of a scheme, and its errors at a useful one."""
    limit, kept = 0.0, (math.nan, math.nan, 0.0)
    for step in steps_ms:
        errors = errors_of(arm, scheme, 1e-3 * step)
        if errors is None:
            break
        limit = step
        if step <= USEFUL_MS:
            kept = (*errors, step)
    angle, pressure, at = (None if math.isnan(value) else value for value in kept)
    return {
        "machine": arm.name, "damped": arm.damped, "viscous_N_s_m": arm.viscous, "contact": False,
        **scheme._asdict(), "largest_stable_ms": limit, "largest_tried": limit == steps_ms[-1],
        "angle_error": angle, "pressure_error_bar": pressure, "at_ms": at,
    }  # fmt: skip


def errors_of(arm: Arm, scheme: Scheme, step: float) -> tuple[float, float] | None:
    """Root mean squares of the errors of all angles (rad) and pressures (bar); None where the run is not stable."""
    try:
        run = WholeRun(
            arm.machine, arm.seconds, step=step, record=max(step, 1e-3), inputs=arm.inputs, coupling="cosimulated",
            integrator="semi-implicit-euler", power_integrator="rk4", power_step=oil_step(step), **scheme._asdict(),
        ).recorded()  # fmt: skip
    except SimulationError:
        return None
    angle = rms(arm.exact, run, arm.angles)
    pressure = 1e-5 * rms(arm.exact, run, arm.chambers)
    stable = angle <= MOST_RAD and pressure <= MOST_BAR
    return (angle, pressure) if stable else None


def oil_step(step: float) -> float:
    """The longest step of the oil that divides an exchange."""
    return step / math.ceil(step / SMALL - 1e-9)  # 1e-9: rounding of the ratio


def rms(exact: Results, run: Results, paths: Sequence[str]) -> float:
    """Root mean square of the differences of some quantities, at the moments of a run."""
    off = [run[path].values - np.interp(run.time, exact.time, exact[path].values) for path in paths]
    return float(np.sqrt(np.mean(np.square(off)))) if np.all(np.isfinite(off)) else math.inf


# --- the reduced model ---


def reduced_of(name: str, begins: float) -> float:
    """The largest difference of rates by the reduced model and by the step, over the largest rate, from a moment on."""
    machine = catalogue.machine(name)
    case = next(iter(machine.cases.values()))
    sim = Simulation(machine, inputs=case.inputs, step=1e-3, coupling="cosimulated", integrator="semi-implicit-euler")
    sim.run_for(begins)
    planned, worst = sim.planned, 0.0
    course, rows = planned.work.course, planned.plan.course.row
    for _ in range(STEPS_COMPARED):
        planned.accelerations()
        w, bias = planned.work.rows.w[rows].copy(), planned.work.rows.bias[rows].copy()
        sim.step()
        predicted = w + 1e-3 * (course.free + course.Y @ course.handed)
        full = entries(planned) @ planned.work.state.v + 1e-3 * bias
        scale = np.abs(w).max() + 1e-3 * np.abs(course.Y @ course.handed).max()
        worst = max(worst, float(np.abs(predicted - full).max() / scale))
    return worst


def entries(planned: Any) -> Array:
    """A of the rows that are exchanged, as the last step had it."""
    plan, entry = planned.plan, planned.work.tangent.row_entry
    matrix = np.zeros((len(plan.course.stiff), planned.topology.nv))
    for i, k in enumerate(plan.course.stiff):
        for e in range(plan.tangent.path_first[k], plan.tangent.path_first[k + 1]):
            matrix[i, plan.tangent.path_dof[e]] += entry[e]
    return matrix


# --- the public benchmark ---


def benchmark_values(law: str) -> dict[str, Any]:
    """Length and upper pressure of `cosim-arm` at some moments, by time as text: in time, and with published jumps."""
    found: dict[str, Any] = {"step_ms": 1e3 * EXACT_STEP}
    laws = {"m1": cosim_arm.steps(), "m2": cosim_arm.sine}
    for place, jumps in (("", "reinitialised"), ("published_jumps", "published")):
        late = EXACT_STEP if place else 0.0
        inputs = {"valve": delayed(laws[law], late)}
        run = WholeRun(
            catalogue.machine("cosim-arm"), TIMES[-1], step=EXACT_STEP, record=0.01, inputs=inputs,
            coupling="unified", jumps=jumps,
        ).recorded()  # fmt: skip
        values = {
            "s": {f"{at:g}": float(run["lift.length"].at(at)) for at in TIMES},
            "p1": {f"{at:g}": float(run["lift.b.pressure"].at(at)) for at in TIMES},
        }
        found |= {place: values} if place else values
    return found


def delayed(law: Any, late: float) -> Any:
    """A law of the benchmark that acts later: in the published solution by a step."""
    if callable(law):
        return lambda time: law(max(time - late, 0.0))
    return table([time + late if time else 0.0 for time in law.times], law.values)


# --- complete machines ---


def large_machine(name: str) -> list[dict[str, Any]]:
    """Errors and cost of a complete machine with exchanges of 5 ms, beside `realtime` and `unified` at that step."""
    cycle = cycle_of(name)
    seconds = min(cycle.duration, LARGE_SECONDS)
    exact = WholeRun(
        cycle.machine, seconds, step=2e-4, record=0.01, inputs=cycle.inputs, coupling="realtime"
    ).recorded()  # fmt: skip
    found = []
    for coupling in ("cosimulated", "realtime", "unified"):
        row: dict[str, Any] = {"machine": name, "coupling": coupling, "step_ms": 1e3 * LARGE_STEP}
        run = WholeRun(
            cycle.machine, seconds, step=LARGE_STEP, record=0.01, inputs=cycle.inputs, coupling=coupling
        )
        try:
            results = run.recorded()
            run.reset()
            began = clock.thread_time()
            run.unrecorded()
            cost = (clock.thread_time() - began) / run.steps
        except SimulationError as error:
            found.append(row | {"status": "failed", "message": str(error), "mm": None, "bar": None, "us_step": None})
            continue
        rams = list(cycle.machine.of(Ram))
        lengths = [results[f"{ram.name}.length"].values - exact[f"{ram.name}.length"].values for ram in rams]
        chambers = [f"{ram.name}.{port}.pressure" for ram in rams for port in ram.PORTS]
        row |= {"status": "done", "message": "", "mm": 1e3 * float(np.max(np.abs(lengths)))}
        row |= {"bar": 1e-5 * rms(exact, results, chambers), "us_step": 1e6 * cost}
        found.append(row)
    return found
