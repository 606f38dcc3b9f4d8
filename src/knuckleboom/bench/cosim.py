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
those with `jumps` published and inputs a step late, as its solution has them, and its printed ones. `jacobi` is its
own scheme, both sides at once with held rates, semi-implicit Euler and forward Euler with 0.2 ms or less: the largest
step with which the whole manoeuvre stays stable, and the errors of the length at 5.99 s, against the late solution as
the printed ones are. `study` are limits of an earlier study on another arm with the dimensions of `peiret-arm`;
`machines` two complete ones at 5 ms, `cosimulated` with two steps of the oil. Complete machines are held by the ground
here, for `cosimulated` has no contact.
Keys: docs/cli.md. Ctrl-C keeps what was done. Tested in tests/bench/test_cosim.py
"""

from __future__ import annotations

import itertools
import math
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom import catalogue
from knuckleboom.bench.machines import Cycle, cycle_of, held
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
BOTH_AT_ONCE = {"coupling": "cosimulated", "order": "jacobi", "course": "hold", "handed": "end",
                "integrator": "semi-implicit-euler", "power_integrator": "euler"}  # fmt: skip
EULER_STEP = 2e-4  # s: the longest of the benchmark's forward Euler rule
LIMITS_MS = {"force-displacement": range(5, 26), "pressure-displacement": range(30, 61)}
ERRORS_MS, ERRORS_AT = (0.05, 0.2, 1.0), 5.99  # ms, s
PUBLISHED_JACOBI: dict[tuple[str, str], tuple[float, dict[str, float]]] = {
    ("m1", "force-displacement"): (15.0, {"0.05": 5.3, "0.2": 16.0, "1": 57.0}),
    ("m1", "pressure-displacement"): (40.0, {"0.05": 3.0, "0.2": 6.9, "1": 9.1}),
    ("m2", "force-displacement"): (19.0, {}),
    ("m2", "pressure-displacement"): (53.0, {}),
}
"""Of the benchmark: step on the verge of instability, ms, and errors of the length, µm."""
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
LAWS = {"m1": cosim_arm.steps(), "m2": cosim_arm.sine}
LARGE, LARGE_STEP, LARGE_SECONDS = ("excavator", "harvester-30"), 5e-3, 10.0
LARGE_OIL_STEPS = (1e-4, 2.5e-4)  # s


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
        "jacobi": [], "machines": [], "published": PUBLISHED,
        "study": [dict(zip(STUDIED, (*words, limit), strict=True)) for words, limit in STUDY_MS.items()],
        "stable": {"angle_rad": MOST_RAD, "pressure_bar": MOST_BAR}, "oil_step_ms": 1e3 * SMALL,
    }  # fmt: skip
    wanted = [(name, damped) for name in arms for damped in (False, True)]
    try:
        found["reduced_by_machine"] = {name: reduced_of(name, MOVED.get(name, BEGINS)) for name in (*arms, *machines)}
        found["reduced_against_full"] = max(found["reduced_by_machine"].values())
        exact = {law: benchmark_run(law) for law in LAWS}
        late = {law: benchmark_run(law, published=True) for law in LAWS}
        found["cosim_arm"] = {law: benchmark_values(exact[law], late[law]) for law in LAWS}
        found["jacobi"] = [parallel(law, variables, late[law]) for law, variables in PUBLISHED_JACOBI]
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
    machine = held(catalogue.machine(name))
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


def benchmark_run(law: str, *, published: bool = False, record: float = 0.01, **words: Any) -> Results:
    """A manoeuvre of `cosim-arm`, by `unified` at 0.05 ms unless words say otherwise; published is with inputs late."""
    given = {"step": EXACT_STEP, "coupling": "unified", "jumps": "published" if published else "reinitialised"}
    inputs = {"valve": delayed(LAWS[law], EXACT_STEP if published else 0.0)}
    machine = catalogue.machine("cosim-arm")
    return WholeRun(machine, TIMES[-1], record=record, inputs=inputs, **(words or given)).recorded()


def benchmark_values(exact: Results, late: Results) -> dict[str, Any]:
    """Length and upper pressure at some moments, by time as text: in time, and with published jumps."""

    def values(run: Results) -> dict[str, dict[str, float]]:
        paths = {"s": "lift.length", "p1": "lift.b.pressure"}
        return {name: {f"{at:g}": float(run[path].at(at)) for at in TIMES} for name, path in paths.items()}

    return {"step_ms": 1e3 * EXACT_STEP, **values(exact), "published_jumps": values(late)}


def parallel(law: str, variables: str, late: Results) -> dict[str, Any]:
    """The benchmark's own scheme: the largest stable step of a manoeuvre, and its errors at small ones."""
    verge, published = PUBLISHED_JACOBI[law, variables]
    limit, errors = 0.0, {}
    for step in LIMITS_MS[variables]:
        if not stays_close(law, variables, 1e-3 * step, late):
            break
        limit = float(step)
    for step_ms in ERRORS_MS:
        run = parallel_run(law, variables, 1e-3 * step_ms)
        errors[f"{step_ms:g}"] = 1e6 * float(run["lift.length"].at(ERRORS_AT) - late["lift.length"].at(ERRORS_AT))
    return {
        "law": law, "variables": variables, "largest_stable_ms": limit, "published_verge_ms": verge,
        "errors_um": errors, "published_errors_um": published,
    }  # fmt: skip


def parallel_run(law: str, variables: str, step: float) -> Results:
    """A manoeuvre by the benchmark's own scheme."""
    small = step / math.ceil(step / EULER_STEP - 1e-9)  # 1e-9: rounding of the ratio
    words: dict[str, Any] = {**BOTH_AT_ONCE, "step": step, "power_step": small, "variables": variables}
    return benchmark_run(law, record=max(step, 0.01), **words)


def stays_close(law: str, variables: str, step: float, late: Results) -> bool:
    """Whether the benchmark's own scheme is stable over the whole manoeuvre."""
    try:
        run = parallel_run(law, variables, step)
    except SimulationError:
        return False
    angle, chambers = rms(late, run, ["pin.angle"]), ["lift.a.pressure", "lift.b.pressure"]
    return angle <= MOST_RAD and 1e-5 * rms(late, run, chambers) <= MOST_BAR


def delayed(law: Any, late: float) -> Any:
    """A law of the benchmark that acts later: in the published solution by a step."""
    if callable(law):
        return lambda time: law(max(time - late, 0.0))
    return table([time + late if time else 0.0 for time in law.times], law.values)


# --- complete machines ---


def large_machine(name: str) -> list[dict[str, Any]]:
    """Errors and cost of a complete machine with exchanges of 5 ms, beside `realtime` and `unified` at that step.

    Its frame is held: exchanges have no contact.
    """
    cycle = cycle_of(name)
    cycle = replace(cycle, machine=held(cycle.machine))
    seconds = min(cycle.duration, LARGE_SECONDS)
    exact = WholeRun(
        cycle.machine, seconds, step=2e-4, record=0.01, inputs=cycle.inputs, coupling="realtime"
    ).recorded()  # fmt: skip
    apart = [("cosimulated", small) for small in LARGE_OIL_STEPS]
    return [large_row(cycle, exact, *words) for words in (*apart, ("realtime", None), ("unified", None))]


def large_row(cycle: Cycle, exact: Results, coupling: str, oil: float | None) -> dict[str, Any]:
    """One coupling of it, with a step of the oil where that has steps of its own."""
    row: dict[str, Any] = {
        "machine": cycle.name, "coupling": coupling, "step_ms": 1e3 * LARGE_STEP,
        "oil_step_ms": None if oil is None else 1e3 * oil,
    }  # fmt: skip
    words = {} if oil is None else {"power_step": oil}
    run = WholeRun(
        cycle.machine, float(exact.time[-1]), step=LARGE_STEP, record=0.01, inputs=cycle.inputs, coupling=coupling,
        **words,
    )  # fmt: skip
    try:
        results = run.recorded()
        run.reset()
        began = clock.thread_time()
        run.unrecorded()
        cost = (clock.thread_time() - began) / run.steps
    except SimulationError as error:
        return row | {"status": "failed", "message": str(error), "mm": None, "bar": None, "us_step": None}
    rams = list(cycle.machine.of(Ram))
    lengths = [results[f"{ram.name}.length"].values - exact[f"{ram.name}.length"].values for ram in rams]
    chambers = [f"{ram.name}.{port}.pressure" for ram in rams for port in ram.PORTS]
    row |= {"status": "done", "message": "", "mm": 1e3 * float(np.max(np.abs(lengths)))}
    return row | {"bar": 1e-5 * rms(exact, results, chambers), "us_step": 1e6 * cost}
