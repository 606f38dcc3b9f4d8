# SPDX-License-Identifier: BSD-3-Clause
"""Tables and figures of [Baharudin 2016], Table 4.1 and Figs 4.6 and 4.7 (publ. V: Table 1, Figs 7 to 9), once more.

Counts: entries and non-zeros of Φ_q, M and R of our machines beside the published ones, counted as we do (by structure,
in the coordinates that are solved for) and as they do (plan/counts.py, docs/theory/sparsity.md).

Loop durations: what a step takes along 20 s of the work cycle, for RK4 in
    augmented Lagrangian   coordinates of all bodies, all joints as constraints, iterated multipliers
    semi-recursive         joint coordinates, cut joints by penalty
each with dense and with sparse factors, mechanics and oil in one step; beside them `realtime` at the same step. Their
solver is another, on another computer, with machines whose data are not published: what can be compared are ratios. And
these compare implementations, too: our dense factors are plain loops (Cholesky of M, then of the constraints' Schur
complement) without LAPACK, theirs those of LAPACK; our sparse ones know their pattern in advance, theirs UMFPACK's do
not.

RK4 does not run our harvester-30 in the published steps (`rk4_runs`): it has all its oil. What a step takes does not
depend on that: `realtime` runs the cycle in the published steps, its state at the start of every step is put into each
method (bench/cycle_states.py), and one RK4 step of the published size is timed from there. That all methods then have
the same machine before them is seen in the accelerations of its bodies (`acceleration_error`), that the cycle is right
in `difference_mm`. Every step is a call of its own, what an empty call takes is taken off; processor time of one
thread; of each step the smallest of three replays in which all methods take turns (one of what takes a minute).
Keys: docs/cli.md; docs/decisions/loop_time.md. Ctrl-C keeps what was measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.cycle_states import CycleStates
from knuckleboom.bench.loop_time_report import write_report
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.realtime import EMPTY_CALLS, RARE, farthest, places
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.errors import SimulationError
from knuckleboom.mechanics.parts import Body
from knuckleboom.plan import Planned, build, counts
from knuckleboom.plan.reference_point import POSE
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

SECONDS = 20.0
GRID = 0.08  # s: a multiple of both steps
CONVERGED = 1e-4  # s: step of the run that the cycle is compared with
SAME = 10.0  # mm: RK4 that is farther off does not run the machine
PUBLISHED_GAIN = 2.0  # of the semi-recursive method, in words only
REPLAYS, LONG = 3, 60.0  # how often, unless it takes longer than this, s
LOOKS = 20  # states at which accelerations are compared
LAGRANGIAN, RECURSIVE = "augmented Lagrangian", "semi-recursive"
FORMULATIONS = {
    LAGRANGIAN: {"coordinates": "reference-point", "enforcement": "augmented"},
    RECURSIVE: {"coordinates": "relative", "enforcement": "penalty"},
}
FACTORISATIONS = ("dense", "sparse")
NUMBERS = (
    *("bodies", "generalised_coordinates", "joint_coordinates", "constraint_equations", "dof"),
    *("phi_q_entries", "phi_q_nonzeros", "M_entries", "M_nonzeros", "R_entries", "R_nonzeros"),
)


@dataclass(frozen=True)
class Published:
    """A machine of the thesis: ours of that kind, its RK4 step [s], Table 4.1, and what sparse factors changed [%]."""

    machine: str
    step: float
    lagrangian: tuple[int | None, ...]
    recursive: tuple[int | None, ...]
    sparse_change: Mapping[str, float]


PUBLISHED = (
    Published(
        "concrete-sprayer", 0.8e-3, (11, 66, None, 56, 10, 3696, 432, 4356, 330, None, None),
        (11, 66, 12, 2, 10, 132, 24, 4356, 330, 792, 66), {LAGRANGIAN: 42.52, RECURSIVE: 9.16},
    ),
    Published(
        "harvester-30", 1.6e-3, (30, 180, None, 153, 27, 27540, 1128, 32400, 900, None, None),
        (30, 180, 35, 8, 27, 1440, 78, 32400, 900, 6300, 450), {LAGRANGIAN: -5.75, RECURSIVE: 4.55},
    ),
)  # fmt: skip
"""Publ. V's text contradicts itself on the sprayer; its percentages, taken here, say that sparse factors cost time."""


def measure(
    progress: Progress | None = None, *, seconds: float = SECONDS, report: Path | None = None,
    published: Sequence[Published] = PUBLISHED,
) -> dict[str, Any]:  # fmt: skip
    """Count and measure both machines; see the card."""
    tell = progress or (lambda fraction: None)
    there = list(published)
    found: list[dict[str, Any]] = []
    loops: dict[str, dict[str, tuple[Array, Array]]] = {}
    status = "done"
    for number, one in enumerate(there):
        row: dict[str, Any] = {"machine": one.machine, "status": "done", "message": ""}
        share = Part(tell, number / len(there), (number + 1) / len(there))
        try:
            measured(one, seconds, share, row, loops.setdefault(one.machine, {}))
        except SimulationError as error:
            row |= {"status": "failed", "message": str(error)}
        except KeyboardInterrupt:
            status = row["status"] = "interrupted"
        found.append(finished(one, row))
        if status == "interrupted":
            break
    left = [one.machine for one in there[len(found) :]]
    data: dict[str, Any] = {"status": status, "seconds": seconds, "machines": found, "not_run": left, "report": None}
    if report is not None:
        data["report"] = str(write_report(report, data, loops))
    return data


def measured(
    one: Published, seconds: float, progress: Progress, row: dict[str, Any], loops: dict[str, tuple[Array, Array]]
) -> None:
    """Fill the row of a machine, piece by piece, and its loop durations over time by method."""
    row |= dict.fromkeys(("states", "difference_mm", "rk4_runs"))
    row |= {"step_ms": 1e3 * one.step, "counts": [], "methods": []}
    cycle = replace(cycle_of(one.machine), duration=seconds)
    row["counts"] = compared_counts(one, cycle)
    run = prepared(cycle, one.step, cycle.realtime)
    states = CycleStates(cycle.machine, run.steps)
    run.each(time.thread_time_ns, states.keep(run.planned))
    row |= {"states": run.steps, **checked(cycle, run, one.step)}
    contest = [Loops("realtime", run, None)]
    row["methods"].append(contest[0].method)
    contest[0].replay()
    ways = [(name, factors) for name in reversed(FORMULATIONS) for factors in FACTORISATIONS]
    for number in range(REPLAYS):
        for k, (name, factors) in enumerate(ways):
            if number == 0:
                words = {"coupling": "explicit", "integrator": "rk4", "factorisation": factors, **FORMULATIONS[name]}
                run = prepared(cycle, one.step, words)
                put = states.put(run.planned)
                contest.append(Loops(name, run, put))
                contest[-1].method["acceleration_error"] = acceleration_error(states, run.planned, put)
                row["methods"].append(contest[-1].method)
            contest[k + 1].replay()
            progress((number * len(ways) + k + 1) / (REPLAYS * len(ways)))
        if number > 0:
            contest[0].replay()
        loops |= {each.title: each.over_time for each in contest}


def prepared(cycle: Cycle, step: float, words: Mapping[str, Any]) -> WholeRun:
    """A machine's cycle laid out for a method and a step."""
    return WholeRun(cycle.machine, cycle.duration, step=step, record=GRID, inputs=cycle.inputs, **words)


def checked(cycle: Cycle, run: WholeRun, step: float) -> dict[str, Any]:
    """How far the cycle is from a converged run, mm, and whether RK4 runs it in joint coordinates at the same step."""
    exact = places(cycle, prepared(cycle, CONVERGED, cycle.realtime).recorded())
    try:
        words = {"coupling": "explicit", "integrator": "rk4", **FORMULATIONS[RECURSIVE]}
        runs = farthest(exact, places(cycle, prepared(cycle, step, words).recorded()))[0] < SAME
    except SimulationError:
        runs = False
    return {"difference_mm": farthest(exact, places(cycle, run.recorded()))[0], "rk4_runs": runs}


def acceleration_error(states: CycleStates, planned: Planned, put: Callable[[int], None]) -> float:
    """How far bodies' accelerations are from those of joint coordinates with exact loops, m/s² and rad/s², at most."""
    apart = 0.0
    for k in np.linspace(0, len(states.q) - 1, LOOKS).astype(int).tolist():
        if planned.method.coordinates == "relative":
            found = states.body_accelerations(planned, k)
        else:
            put(k)
            columns = [planned.joint_columns(body.name + POSE)[1] for body in planned.machine.of(Body)]
            found = planned.accelerations()[np.array(columns)]
        apart = max(apart, float(np.abs(found - states.body_accelerations(states.relative, k)).max()))
    return apart


class Loops:
    """Loop durations of one method: of each step the smallest of its replays, µs. `put` gives it every state."""

    def __init__(self, name: str, run: WholeRun, put: Callable[[int], None] | None) -> None:
        self.run, self.put, self.over = run, put, False
        self.durations = np.full(run.steps, np.inf)
        factors = str(run.planned.method.factorisation)
        self.title = f"{name}, {factors}"
        self.method: dict[str, Any] = {"method": name, "factorisation": factors, "status": "done", "message": ""}
        self.method |= dict.fromkeys(
            ("acceleration_error", "loop_us_mean", "loop_us_p999", "loop_us_worst", "call_us", "replays")
        )

    @property
    def over_time(self) -> tuple[Array, Array]:
        """Times and durations."""
        return self.run.times[: len(self.durations)], self.durations

    def replay(self) -> None:
        """Go through all steps once more, unless that failed or takes long."""
        if self.over:
            return
        clock, began = time.thread_time_ns, time.thread_time()
        try:
            call = float(np.median(self.run.empty_calls(clock, EMPTY_CALLS)))
            self.run.reset()
            self.durations = np.minimum(self.durations, 1e-3 * (self.run.each(clock, self.put) - call))
        except SimulationError as error:
            self.method |= {"status": "failed", "message": str(error).splitlines()[0]}
            self.over, self.durations = True, np.zeros(0)
            return
        self.over = time.thread_time() - began > LONG
        found = self.durations
        self.method |= {"call_us": 1e-3 * call, "replays": (self.method["replays"] or 0) + 1}
        self.method["loop_us_mean"], self.method["loop_us_worst"] = float(found.mean()), float(found.max())
        self.method["loop_us_p999"] = float(np.quantile(found, RARE))


def compared_counts(one: Published, cycle: Cycle) -> list[dict[str, Any]]:
    """Table 4.1: for each line the published numbers, ours, and ours counted as published."""
    ours: dict[str, list[int | None]] = {}
    for name, words in FORMULATIONS.items():
        planned = build(cycle.machine, coordinates=words["coordinates"])
        bodies, joints = len(cycle.machine.of(Body)), planned.topology.nv if name == RECURSIVE else None
        generalised, equations = counts.BODY * bodies, planned.loop_equations
        for way, matrices in (("", counts.counted(planned)), (" published", counts.published(planned))):
            entries: list[int | None] = []
            for matrix in ("phi_q", "M", "R"):
                found = matrices[matrix]
                entries += [None, None] if found is None else [found.entries, found.nonzeros]
            ours[name + way] = [bodies, generalised, joints, equations, planned.dof, *entries]
    return [
        {
            "what": what,
            "published_lagrangian": one.lagrangian[k],
            "ours_lagrangian": ours[LAGRANGIAN][k],
            "ours_lagrangian_as_published": ours[LAGRANGIAN + " published"][k],
            "published_recursive": one.recursive[k],
            "ours_recursive": ours[RECURSIVE][k],
            "ours_recursive_as_published": ours[RECURSIVE + " published"][k],
        }
        for k, what in enumerate(NUMBERS)
    ]


def finished(one: Published, row: dict[str, Any]) -> dict[str, Any]:
    """The row with the ratios that can be compared with the published ones, and a sentence about them."""
    mean = {(each["method"], each["factorisation"]): each["loop_us_mean"] for each in row["methods"]}

    def ratio(over: Any, under: Any) -> float | None:
        return mean[over] / mean[under] if mean.get(over) and mean.get(under) else None

    gain = {word: ratio((LAGRANGIAN, word), (RECURSIVE, word)) for word in FACTORISATIONS}
    change = {
        key: None if (part := ratio((name, "sparse"), (name, "dense"))) is None else 100.0 * (part - 1.0)
        for key, name in (("lagrangian", LAGRANGIAN), ("recursive", RECURSIVE))
    }
    told = {"lagrangian": one.sparse_change[LAGRANGIAN], "recursive": one.sparse_change[RECURSIVE]}
    ratios = {"semi_recursive_gain": gain, "published_gain": PUBLISHED_GAIN}
    ratios |= {"sparse_change_percent": change, "published_sparse_change_percent": told}
    return {**row, **ratios, "sentence": sentence(row, gain, change, told)}


def sentence(
    row: Mapping[str, Any], gain: Mapping[str, Any], change: Mapping[str, Any], told: Mapping[str, float]
) -> str:
    """The verdict in words."""
    words = []
    if row["rk4_runs"] is False:
        words.append(
            f"RK4 does not run our {row['machine']} in steps of {row['step_ms']:g} ms: each of its steps begins at a "
            "state of realtime."
        )
    if gain["dense"] and gain["sparse"]:
        words.append(
            f"Semi-recursive is {gain['dense']:.3g} times faster than augmented Lagrangian with dense factors and "
            f"{gain['sparse']:.3g} times with sparse ones (published: about twice)."
        )
    if change["lagrangian"] is not None and change["recursive"] is not None:
        words.append(
            f"Sparse factors change the time by {change['lagrangian']:+.3g} % for augmented Lagrangian and by "
            f"{change['recursive']:+.3g} % for semi-recursive (published: {told['lagrangian']:+.4g} and "
            f"{told['recursive']:+.4g} %)."
        )
    return " ".join(words)
