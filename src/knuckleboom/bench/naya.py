# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod with every coupling: errors, peaks, iterations and cost beside the paper, Exudyn and SciPy's LSODA.

The rod and its 10 s are naya-rod of the catalogue [Naya 2011]. Errors are the largest over a grid of 10 ms against the
hand-written equations of bench/references/naya_rod.py, solved by SciPy's Radau at 1e-10; how far DOP853 and our own
explicit steps of 0.05 ms are from that is `reference`. `ringing_bar` is the largest second difference of the pressures'
errors from step to step, from two steps after a jump on. `cpu_ms` is the processor time of the thread that computes
for the whole 10 s without recording and with compiled code warm: the smallest of rounds in which all runs and programs
take turns. `constraint_norm` is the largest norm of all constraint equations: joint coordinates have nothing to
violate but a guided length. Runs with `alpha` are as published: the same index-3 step in coordinates that have
constraints, with the paper's penalty α (ours is far larger; the multipliers make up for the difference).

`equal_error` has the largest step with which each of our methods stays within 0.07 mm on that grid, and `peers` the
largest step or tolerance of each peer. Between the ends of steps the length is the cubic with the lengths and speeds
there; LSODA has an interpolant of its own. These lengths are compared with SciPy's LSODA at 1e-10, which is within
2e-10 m of Radau and takes a fiftieth of its time. Keys: docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline

from knuckleboom.bench.naya_plots import write_plots
from knuckleboom.bench.peers.exudyn_rod import ExudynRod
from knuckleboom.bench.peers.lsoda_rod import LsodaRod
from knuckleboom.bench.peers.tree import PeerError
from knuckleboom.bench.references import naya_rod as exact
from knuckleboom.bench.rounds import Progress, Task, per_run, smallest
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.errors import SimulationError
from knuckleboom.methods import TABLE
from knuckleboom.results import Results
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]
GRID, FINE = 0.01, 0.001  # s: where errors are taken, and where peaks are
ROUNDS = 15
LIMIT_MM = 0.07
SETTLING = 2
"""Steps after a jump whose errors are the jump's own transient, which is shorter than a step, and not yet ringing."""
STEPS_MS = (10.0, 5.0, 2.0, 1.0)
STOPPING = "Newton stops at changes below " + ", ".join(
    f"{row.tolerance[0]:g} m (rad) and {row.tolerance[1]:g} Pa ({row.coupling})" for row in TABLE if row.jumps
)
PAPER = {"kinematic": 0.338, "unified": 0.389, "euler": 5.895, "trapezoidal 10 ms": 0.672, "trapezoidal 5 ms": 1.021}
"""Processor times of [Naya 2011, Tables 1 and 2], s, in Matlab; the mechanics' step is 10 ms."""
CANDIDATES = (10, 20, 24, 28, 32, 36, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200, 240, 280, 320, 400, 410, 500, 800)
"""Steps in 2 s that are tried for equal error: a step ends at the jumps."""
TOLERANCES = tuple(1e-3 * 0.5**k for k in range(16))
ALPHA = 1e10
"""Penalty of [Naya 2011, §5]; in our matrices it is h²α/4, see docs/theory/natural.md."""


@dataclass(frozen=True)
class Contestant:
    """A method at a step [s]."""

    coupling: str
    step: float
    integrator: str = "trapezoidal"
    jumps: str = "reinitialised"
    power_integrator: str | None = None
    power_step: float | None = None
    coordinates: str = "relative"
    alpha: float | None = None

    @property
    def words(self) -> dict[str, Any]:
        """What WholeRun takes."""
        words: dict[str, Any] = {"coupling": self.coupling, "integrator": self.integrator, "step": self.step}
        words["coordinates"] = self.coordinates
        if self.alpha is not None:
            words["penalty"] = 0.25 * self.alpha * self.step**2
        if self.jumps != "reinitialised":
            words["jumps"] = self.jumps
        if self.power_integrator is not None:
            words |= {"power_integrator": self.power_integrator, "power_step": self.power_step}
        return words


UNIFIED, PUBLISHED = ([Contestant("unified", 1e-3 * step, jumps=jumps) for step in STEPS_MS] for jumps in (
    "reinitialised", "published"))  # fmt: skip
AS_PUBLISHED = [
    Contestant("unified", 0.01, jumps="published", coordinates=word, alpha=ALPHA)
    for row in TABLE
    if row.coupling == "unified"
    for word in row.coordinates
    if word != "relative"
]
CONTESTANTS = (
    *(Contestant("kinematic", 1e-3 * step) for step in STEPS_MS),
    *PUBLISHED,
    *AS_PUBLISHED,
    *UNIFIED,
    *(Contestant("cointegrated", 1e-3 * step, power_integrator="euler", power_step=2e-4) for step in STEPS_MS),
    Contestant("cointegrated", 0.01, power_integrator="trapezoidal", power_step=0.01),
    Contestant("cointegrated", 0.01, power_integrator="trapezoidal", power_step=0.005),
    Contestant("cointegrated", 0.005, power_integrator="trapezoidal", power_step=0.005),
    *(Contestant("realtime", 1e-3 * step, "fw2") for step in STEPS_MS),
    *(Contestant("explicit", step, "rk4") for step in (2.5e-4, 1e-4, 5e-5)),
)


def prepared(case: Case, one: Contestant, earlier: Results | None = None) -> WholeRun:
    """The 10 s laid out for one method; `kinematic` follows the cylinder of an earlier run."""
    inputs = case.inputs if earlier is None else earlier
    return WholeRun(case.machine, case.duration, record=max(one.step, FINE), inputs=inputs, **one.words)


def constraint_norm(run: Results) -> float:
    """Largest norm of all constraint equations, m and rad; 0 without any."""
    found = [one for one in run.find("*.residual") if not one.path.startswith("energy.")]
    squares = [np.square(one.values.reshape(len(run.time), -1)).sum(axis=1) for one in found]
    return float(np.sqrt(sum(squares, np.zeros(len(run.time)))).max())


def recorded(run: WholeRun) -> Results | None:
    """What a run recorded; None when it failed."""
    try:
        return run.recorded()
    except SimulationError:
        return None


def second_difference(error: Array, step: float) -> float:
    """Largest second difference of an error from step to step, from SETTLING steps after a jump on."""
    bends = np.abs(error[2:] - 2.0 * error[1:-1] + error[:-2])
    for begin, _, _ in exact.JUMPS[1:]:
        jump = round(begin / step)
        bends[jump - 1 : jump + SETTLING] = 0.0
    return float(bends.max())


def errors(one: Contestant, run: Results, fine: dict[str, Array], guide: Results | None) -> dict[str, float | None]:
    """What a record tells against the converged run's on a grid of 1 ms; a guided run has no oil, so no pressures."""
    at = np.round(run.time / FINE).astype(int)
    on_grid = at % round(GRID / FINE) == 0
    length = run["lift.length"].values
    found: dict[str, float | None] = {"max_ds_mm": 1e3 * float(np.abs(length - fine["s"][at])[on_grid].max())}
    has_oil = "lift.a.pressure" in run
    pressures = {"p1": "lift.b.pressure", "p2": "lift.a.pressure"} if has_oil else {}
    apart = {name: run[path].values - fine[name][at] for name, path in pressures.items()}
    relative = [np.abs(apart[name] / fine[name][at])[on_grid].max() for name in apart]
    found["max_dp_percent"] = 100.0 * float(max(relative)) if has_oil else None
    for name in ("p1", "p2"):
        found[f"peak_{name}"] = float(run[pressures[name]].values.max()) if has_oil else None
    found["iterations_mean"] = run.meta.get("iterations")
    guided = 0.0 if guide is None else float(np.abs(length - guide["lift.length"].values).max())
    found["constraint_norm"] = constraint_norm(run) if guide is None else guided
    found["energy_error_J"] = float(np.abs(run["energy.residual"].values).max())
    every_step = has_oil and one.step >= FINE
    found["ringing_bar"] = (
        1e-5 * max(second_difference(error, one.step) for error in apart.values()) if every_step else None
    )
    return found


def converged() -> tuple[dict[str, Array], dict[str, Any]]:
    """The converged run on a grid of 1 ms, and how far two other integrations are from it on that of 10 ms."""
    fine, other = exact.solve("Radau", False, FINE), exact.solve("DOP853", False, FINE)
    ours = prepared(NAMES["naya-rod"](), Contestant("explicit", 5e-5, "rk4")).recorded()
    paths = {"s": "lift.length", "p1": "lift.b.pressure", "p2": "lift.a.pressure"}
    every = slice(None, None, round(GRID / FINE))

    def apart(histories: dict[str, Array]) -> tuple[float, float]:
        far = {name: float(np.abs(histories[name] - fine[name])[every].max()) for name in paths}
        return 1e3 * far["s"], 1e-5 * max(far["p1"], far["p2"])

    dop853, explicit = apart(other), apart({name: ours[path].values for name, path in paths.items()})
    return fine, {
        "method": "SciPy Radau, rtol 1e-10, equations written by hand",
        "dop853_ds_mm": dop853[0],
        "dop853_dp_bar": dop853[1],
        "explicit_ds_mm": explicit[0],
        "explicit_dp_bar": explicit[1],
        "peak_p1": float(fine["p1"].max()),
        "peak_p2": float(fine["p2"].max()),
    }


@dataclass(frozen=True)
class Rival:
    """A method or program at one setting: how it is called, and how far it is from the converged run."""

    name: str
    setting: str
    max_ds_mm: float
    prepare: Callable[[], None]
    run: Callable[[], None]


def nothing() -> None:
    """What a solver without a state needs before it runs again."""


def error_between(step: float, lengths: Array, speeds: Array, bulk: float = 0.0) -> float:
    """Largest error on the grid, mm, of the cubics through lengths [m] and speeds [m/s] at the ends of steps."""
    converged_run = exact.solve("LSODA", False, GRID, bulk)
    cubics = CubicHermiteSpline(step * np.arange(len(lengths)), lengths, speeds)
    return 1e3 * float(np.abs(cubics(converged_run["time"]) - converged_run["s"]).max())


def largest_step(what: str, make: Callable[[float], Rival]) -> Rival:
    """The first of the candidates, from large to small, that stays within the limit."""
    for count in CANDIDATES:
        try:
            rival = make(2.0 / count)
        except (PeerError, SimulationError):
            continue
        if rival.max_ds_mm <= LIMIT_MM:
            return rival
    raise ArithmeticError(f"no step of {what} comes within {LIMIT_MM} mm")


def our_rival(case: Case, coupling: str, integrator: str) -> Rival:
    """One of our methods at the largest step within the limit."""
    what = f"{coupling} {integrator}"

    def make(step: float) -> Rival:
        words = {"coupling": coupling, "integrator": integrator}
        run = WholeRun(case.machine, case.duration, step=step, record=step, inputs=case.inputs, **words)
        found = run.recorded()
        error = error_between(step, found["lift.length"].values, found["lift.speed"].values)
        return Rival(what, f"step {1e3 * step:.4g} ms", error, run.reset, run.unrecorded)

    return largest_step(what, make)


def exudyn_rival(rates_given: bool) -> Rival:
    """Exudyn at the largest step within the limit."""

    def make(step: float) -> Rival:
        model = ExudynRod(step, rates_given=rates_given)
        error = error_between(step, *model.motion(), model.bulk)
        return Rival(model.name, model.setting, error, model.reset, model.run)

    return largest_step("Exudyn", make)


def lsoda_rival(loop: str, fine: dict[str, Array]) -> Rival:
    """LSODA at the largest tolerance within the limit."""
    grid = fine["s"][:: round(GRID / FINE)]
    for tolerance in TOLERANCES:
        model = LsodaRod(tolerance, loop=loop)
        error = 1e3 * float(np.abs(exact.length(model.angles(GRID)) - grid).max())
        if error <= LIMIT_MM:
            return Rival(model.name, model.setting, error, nothing, model.run)
    raise ArithmeticError(f"no tolerance of LSODA comes within {LIMIT_MM} mm")


def table_1(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Our costs at 10 ms beside the paper's, each as a multiple of kinematic guidance; as published at the jumps."""
    costs: dict[str, float] = {}
    for run in runs:
        if run["step_ms"] != 10.0 or run["cpu_ms"] is None or run["coordinates"] != "relative":
            continue
        name = run["coupling"]
        if name == "cointegrated":
            name = "euler" if run["power_integrator"] == "euler" else f"trapezoidal {run['power_step_ms']:g} ms"
        if name in PAPER and (name != "unified" or run["jumps"] == "published"):
            costs[name] = run["cpu_ms"]
    if "kinematic" not in costs:
        return []
    return [
        {
            "simulation": name,
            "paper_cpu_s": PAPER[name],
            "paper_ratio": PAPER[name] / PAPER["kinematic"],
            "cpu_ms": costs[name],
            "ratio": costs[name] / costs["kinematic"],
        }
        for name in PAPER
        if name in costs
    ]


def measure(
    progress: Progress | None = None, *, rounds: int = ROUNDS, contestants: Sequence[Contestant] = CONTESTANTS,
    rivals: bool = True, plots: str | Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Run everything, see the card; `plots` is a folder for pictures like the paper's Figs 3 to 9."""
    report = progress or (lambda fraction: None)
    case = NAMES["naya-rod"]()
    fine, reference = converged()
    report(0.1)

    # kinematic guidance follows the unified run at the same step
    guides: dict[float, Results] = {}
    for step in {one.step for one in contestants if one.coupling == "kinematic"}:
        guides[step] = prepared(case, Contestant("unified", step)).recorded()
    runs: list[dict[str, Any]] = []
    tasks: dict[str, Task] = {}
    kept: list[Results | None] = []
    for number, one in enumerate(contestants):
        guide = guides[one.step] if one.coupling == "kinematic" else None
        run = prepared(case, one, guide)
        results = recorded(run)
        kept.append(results)
        runs.append(head(one) | (errors(one, results, fine, guide) if results is not None else dict.fromkeys(MEASURED)))
        if results is not None:
            tasks[f"run {number}"] = per_run(run.reset, run.unrecorded)
        report(0.1 + 0.2 * (number + 1) / len(contestants))
    if plots is not None:
        write_plots(plots, dict(zip(contestants, kept, strict=True)), fine, guides)

    peers = [exudyn_rival(False), exudyn_rival(True)] if rivals else []
    peers += [lsoda_rival(loop, fine) for loop in ("odeint", "solve_ivp")] if rivals else []
    methods = (("unified", "trapezoidal"), ("realtime", "fw2"), ("realtime", "lim")) if rivals else ()
    ours = [our_rival(case, *words) for words in methods]
    tasks |= {rival.name: per_run(rival.prepare, rival.run) for rival in (*ours, *peers)}
    report(0.4)

    costs = smallest(tasks, rounds, lambda fraction: report(0.4 + 0.6 * fraction))
    for number, run_data in enumerate(runs):
        if f"run {number}" in costs:
            run_data["cpu_ms"] = 1e-3 * costs[f"run {number}"]

    def shown(rival: Rival) -> dict[str, Any]:
        cost = 1e-3 * costs[rival.name]
        return {"name": rival.name, "cpu_ms": cost, "max_ds_mm": rival.max_ds_mm, "setting": rival.setting}

    best = min((costs[rival.name] for rival in ours), default=0.0)
    p1, p2, kappa = exact.equilibrium()
    return {
        "kappa0": kappa,
        "p1_0": p1,
        "p2_0": p2,
        "s": {str(time): float(fine["s"][round(time / FINE)]) for time in (2, 4, 6, 8, 10)},
        "reference": reference,
        "peers": [shown(rival) | {"ratio": best / costs[rival.name]} for rival in peers],
        "equal_error": [shown(rival) for rival in ours],
        "runs": runs,
        "stopping_rule": STOPPING,
        "table1": table_1(runs),
    }


MEASURED = (
    "max_ds_mm", "max_dp_percent", "peak_p1", "peak_p2", "iterations_mean", "constraint_norm", "energy_error_J",
    "ringing_bar",
)  # fmt: skip


def head(one: Contestant) -> dict[str, Any]:
    """What a run is."""
    return {
        "coordinates": one.coordinates,
        "integrator": one.integrator,
        "coupling": one.coupling,
        "jumps": one.jumps,
        "alpha": one.alpha,
        "step_ms": 1e3 * one.step,
        "power_integrator": one.power_integrator,
        "power_step_ms": None if one.power_step is None else 1e3 * one.power_step,
        "cpu_ms": None,
    }
