# SPDX-License-Identifier: BSD-3-Clause
"""Tables and figures of [Baharudin 2016], Table 4.1 and Figs 4.6 and 4.7 (publ. V: Table 1, Figs 7 to 9), once more.

Counts: entries and non-zeros of Φ_q, M and R of our machines beside the published ones, counted as we do (by structure,
in the coordinates that are solved for) and as they do (plan/counts.py, docs/theory/sparsity.md).

Loop durations: what a step takes over 20 s of the work cycle, every step by a call of its own, what an empty call takes
taken off; processor time of one thread, of each step the smallest of three replays in which all methods take turns (one
for what takes long; what would take minutes covers a part of the time, `covered_s`). RK4 at the published step in
    augmented Lagrangian   coordinates of all bodies, all joints as constraints, iterated multipliers
    semi-recursive         joint coordinates, cut joints by penalty
each with dense and with sparse factors, mechanics and oil in one step; beside them `realtime` at the same step. Their
solver is another, on another computer, with machines whose data are not published: what can be compared are ratios. And
these compare implementations, too: our dense factors are plain loops (Cholesky of M, then of the constraints' Schur
complement) without LAPACK, theirs those of LAPACK; our sparse ones know their pattern in advance, theirs UMFPACK's do
not.
RK4 is taken at the published step if it is stable there on our machine: cylinders and motors (on a radius of 1 m) stay
within 10 mm of `realtime` at 1 ms over the time; else at the largest of its halves that is, which is said.
Keys: docs/cli.md. Ctrl-C keeps what was measured.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.loop_time_report import write_report
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.realtime import EMPTY_CALLS, RARE, farthest, places
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.errors import SimulationError
from knuckleboom.mechanics.parts import Body
from knuckleboom.plan import build, counts
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

SECONDS = 20.0
GRID = 0.08  # s: a multiple of both steps
HALVINGS = 8
SAME = 10.0  # mm
PUBLISHED_GAIN = 2.0  # of the semi-recursive method, in words only
REPLAYS, LONG = 3, 5.0  # how often, unless it takes longer than this, s
LONGEST, PROBED = 120.0, 5  # s: what would take longer covers less of the cycle; steps that tell
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
    row |= {"published_step_ms": 1e3 * one.step, "step_ms": None, "difference_mm": None, "counts": [], "methods": []}
    cycle = replace(cycle_of(one.machine), duration=seconds)
    row["counts"] = compared_counts(one, cycle)
    step, apart = stable_step(cycle, one.step)
    row |= {"step_ms": 1e3 * step, "difference_mm": apart}
    ways = [
        (name, {"coupling": "explicit", "integrator": "rk4", "factorisation": factors, **words})
        for name, words in FORMULATIONS.items()
        for factors in FACTORISATIONS
    ]
    ways.append(("realtime", cycle.realtime))
    ways.sort(key=lambda way: way[0] == LAGRANGIAN)  # the cheap ones first: an interruption then leaves most
    runs: list[Loops] = []
    for number in range(REPLAYS):
        for k, (name, words) in enumerate(ways):
            if number == 0:
                at = one.step if name == "realtime" else step
                runs.append(Loops(name, at, WholeRun(cycle.machine, seconds, step=at, inputs=cycle.inputs, **words)))
                row["methods"].append(runs[k].method)
            runs[k].replay()
            loops[f"{name}, {runs[k].method['factorisation']}"] = runs[k].over_time
            progress((number * len(ways) + k + 1) / (REPLAYS * len(ways)))


class Loops:
    """Loop durations of one method: of each step the smallest of its replays, µs."""

    def __init__(self, name: str, step: float, run: WholeRun) -> None:
        self.run, self.step = run, step
        covered = self.shorten()
        self.durations = np.full(run.steps, np.inf)
        self.method: dict[str, Any] = {
            "method": name, "factorisation": str(run.planned.method.factorisation), "step_ms": 1e3 * step,
            "covered_s": covered, "status": "done", "message": "",
            "loop_us_mean": None, "loop_us_p999": None, "loop_us_worst": None,
        }  # fmt: skip
        self.over = False

    def shorten(self) -> float:
        """Lay out only as much of the time as does not take too long; return how much that is, s."""
        meant = self.step * self.run.steps
        began = time.thread_time()
        try:
            self.run.unrecorded(PROBED)
        except SimulationError:
            return meant
        finally:
            self.run.reset()
        steps = min(self.run.steps, max(PROBED, int(LONGEST * PROBED / (time.thread_time() - began))))
        if steps < self.run.steps:
            self.run.lay_out(self.step * steps, step=self.step, record=GRID)
        return self.step * steps

    @property
    def over_time(self) -> tuple[Array, Array]:
        """Times and durations."""
        return np.asarray(self.step * np.arange(len(self.durations)), np.float64), self.durations

    def replay(self) -> None:
        """Run once more, unless it failed or takes long."""
        if self.over:
            return
        clock, began = time.thread_time_ns, time.thread_time()
        try:
            call = float(np.median(self.run.empty_calls(clock, EMPTY_CALLS)))
            self.run.reset()
            self.durations = np.minimum(self.durations, 1e-3 * (self.run.each(clock) - call))
        except SimulationError as error:
            self.method |= {"status": "failed", "message": str(error).splitlines()[0]}
            self.over, self.durations = True, np.zeros(0)
            return
        self.over = time.thread_time() - began > LONG
        found = self.durations
        self.method["loop_us_mean"], self.method["loop_us_worst"] = float(found.mean()), float(found.max())
        self.method["loop_us_p999"] = float(np.quantile(found, RARE))


def stable_step(cycle: Cycle, published: float) -> tuple[float, float]:
    """The published step or the largest of its halves at which RK4 is stable, and how far it then is off, mm."""
    exact = WholeRun(
        cycle.machine, cycle.duration, step=1e-3, record=GRID, inputs=cycle.inputs, **cycle.realtime
    ).recorded()
    there, step, apart = places(cycle, exact), published, np.inf
    words = FORMULATIONS[RECURSIVE]
    run = WholeRun(cycle.machine, cycle.duration, step=step, record=GRID, inputs=cycle.inputs, **words)
    for _ in range(HALVINGS + 1):
        try:
            apart = farthest(there, places(cycle, run.recorded()))[0]
        except SimulationError:
            apart = np.inf
        if apart < SAME:
            return step, apart
        step *= 0.5
        run.lay_out(cycle.duration, step=step, record=GRID)
    raise SimulationError(f"RK4 is not stable on {cycle.name}, not even in steps of {2e3 * step:g} ms.")


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
    if row["step_ms"] is not None and row["step_ms"] < row["published_step_ms"]:
        words.append(
            f"RK4 is not stable on our {row['machine']} at the published {row['published_step_ms']:g} ms: "
            f"it was run at {row['step_ms']:g} ms."
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
