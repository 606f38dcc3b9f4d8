# SPDX-License-Identifier: BSD-3-Clause
"""The library of mechanisms: each run as the catalogue says, with its cost, its energy drift and its position error.

Errors are against reference solutions made without our engine (bench/references): closed forms where there are, else
few coordinates, energy and SciPy at 1e-12. `energy_drift` is the largest energy that appeared from nowhere
(J; stored + dissipated − applied, against the start; the IFToMM library compares the same). `position_error` is the
largest distance of one point, `point`, from the reference over 201 times (m). `cpu_ms` is the processor time of the
one thread that computes, for the whole run without recording, compiled code warm: the median of a few runs.

Keys: problems (list of problem, duration_s, step_ms, method, cpu_ms, energy_drift, position_error, point, reference,
published_error; andrews also final: its seven angles in rad), enforcements (list of problem, enforcement, status,
energy_drift, position_error): every problem with loops under every enforcement, so that what fails shows too; index3
(list of problem, coordinates, step_ms, status, energy_drift, position_error): those with singular poses and redundant
equations in every set of coordinates at 10 ms for 10 s, which is a long step and a long time for them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from knuckleboom.bench.ours import Ours
from knuckleboom.bench.references import andrews, bricard, four_bar, governor, gyroscope, n_four_bar, slider_crank
from knuckleboom.bench.references.one_dof import Array
from knuckleboom.bench.rounds import Progress, medians, per_call
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.catalogue.andrews import ANGLES, REFERENCE
from knuckleboom.errors import SimulationError
from knuckleboom.mechanics.accelerations import ENFORCEMENTS
from knuckleboom.methods import choices
from knuckleboom.results import Results
from knuckleboom.simulation import simulate

RECORDS = 200
ROUNDS = 3
INDEX3 = ("n-four-bar", "bricard")
INDEX3_STEP, INDEX3_DURATION = 0.01, 10.0  # s


@dataclass(frozen=True)
class Comparison:
    """A mechanism of the catalogue, the point that is compared, and where it should be."""

    name: str
    point: str
    path: Callable[[Array], Array]
    reference: str
    loops: bool = True
    published: Callable[[Results], float] | None = None


def printed_angles(run: Results) -> float:
    """Largest relative deviation of Andrews' seven angles at the end from the test set's."""
    return max(abs(angle / REFERENCE[name] - 1.0) for name, angle in final_angles(run).items())


def final_angles(run: Results) -> dict[str, float]:
    """Andrews' seven angles at the end, rad, in the test set's order and definition."""
    return {name: float(run[f"{name}.angle"].values[-1]) for name in ANGLES}


PROBLEMS = (
    Comparison("four-bar", "rocker.end", four_bar.path, "one coordinate, two circles"),
    Comparison("slider-crank", "slider", slider_crank.path, "one coordinate, closed form of the slider"),
    Comparison("andrews", "K2.E", andrews.path, "one coordinate, three pairs of circles", published=printed_angles),
    Comparison("n-four-bar", "crank_0.B0", n_four_bar.path, "one turning pendulum"),
    Comparison("bricard", "rod_3.P3", bricard.path, "one coordinate, spherical triangle"),
    Comparison("governor", "slider", governor.path, "two coordinates, conserved momentum", loops=False),
    Comparison("gyroscope", "top.centre", gyroscope.path, "vector equation of the axis; elliptic height", loops=False),
)


def measure(
    progress: Progress | None = None, *, rounds: int = ROUNDS, problems: Sequence[Comparison] = PROBLEMS
) -> dict[str, Any]:
    """Run every problem, see the card."""
    report = progress or (lambda fraction: None)
    solved, enforcements, implicit = [], [], []
    for number, problem in enumerate(problems):
        case = NAMES[problem.name]()
        expected = problem.path(np.linspace(0.0, case.duration, RECORDS + 1))
        row = solve(problem, case, expected)
        row["cpu_ms"] = cost(case, rounds)
        solved.append(row)
        report((number + 0.7) / len(problems))
        if problem.loops:
            enforcements += [attempt(problem, case, expected, enforcement=word) for word in ENFORCEMENTS]
        report((number + 0.9) / len(problems))
        if problem.name in INDEX3:
            implicit += index3_runs(problem, case)
        report((number + 1.0) / len(problems))
    return {"problems": solved, "enforcements": enforcements, "index3": implicit}


def solve(problem: Comparison, case: Case, expected: Array) -> dict[str, Any]:
    """Run a problem as the catalogue says and compare it."""
    run = run_case(case)
    row: dict[str, Any] = {
        "problem": problem.name,
        "duration_s": case.duration,
        "step_ms": 1e3 * case.step,
        "cpu_ms": None,
        "energy_drift": energy_drift(run),
        "position_error": position_error(run, problem.point, expected),
        "point": problem.point,
        "method": f"{run.meta['integrator']}, {run.meta['enforcement']}, {run.meta['factorisation']}",
        "reference": problem.reference,
        "published_error": problem.published(run) if problem.published else None,
    }
    if problem.name == "andrews":
        row["final"] = final_angles(run)
    return row


def index3_runs(problem: Comparison, case: Case) -> list[dict[str, Any]]:
    """Run a problem with the implicit rule in every set of coordinates that it has."""
    other = {"duration": INDEX3_DURATION, "step": INDEX3_STEP, "method": {"coupling": "unified"}}
    long = case.model_copy(update=other)
    expected = problem.path(np.linspace(0.0, long.duration, RECORDS + 1))
    found = [attempt(problem, long, expected, coordinates=word) for word in choices("coordinates")]
    return [{**row, "step_ms": 1e3 * long.step} for row in found]


def attempt(problem: Comparison, case: Case, expected: Array, **method: str) -> dict[str, Any]:
    """Run a problem with another method; what fails says when."""
    row: dict[str, Any] = {"problem": problem.name, **method}
    try:
        run = run_case(case, **method)
    except SimulationError as error:
        times = [] if error.results is None else error.results.time
        reached = float(times[-1]) if len(times) else 0.0
        return {**row, "status": f"failed after {reached:g} s", "energy_drift": None, "position_error": None}
    error_m = position_error(run, problem.point, expected)
    return {**row, "status": "done", "energy_drift": energy_drift(run), "position_error": error_m}


def run_case(case: Case, **method: str) -> Results:
    """Run a case for its duration at its step; 201 records."""
    words: dict[str, Any] = {**case.method, **method}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # energy that does not add up is reported as a number here
        return simulate(
            case.machine, case.duration, step=case.step, record=case.duration / RECORDS, inputs=case.inputs, **words
        )


def cost(case: Case, rounds: int) -> float:
    """Processor time of the whole run, ms."""
    ours = Ours(case.machine, **case.method)
    steps = round(case.duration / case.step)
    task = per_call(ours.reset, lambda count: ours.step(count, case.step), steps)
    return 1e-3 * steps * medians({"run": task}, rounds)["run"]


def energy_drift(run: Results) -> float:
    """Largest energy from nowhere, J."""
    return float(np.abs(run["energy.residual"].values).max())


def position_error(run: Results, point: str, expected: Array) -> float:
    """Largest distance of a point from where it should be, m."""
    return float(np.linalg.norm(run[f"{point}.position"].values - expected, axis=1).max())
