# SPDX-License-Identifier: BSD-3-Clause
"""Speed on harvester-30 without its oil, beside MuJoCo, Pinocchio and Exudyn, in one run, one thread, from one state.

The state is the start pose with random velocities that keep the loops closed, under random joint efforts; both are
drawn from a fixed seed, the efforts scaled with the mass matrix. Every round resets each contestant to this state and
times a block of RK4 steps and a block of evaluations; the median over the rounds counts.

Of each program the fastest converged setting is reported. Converged means two things, both to 1e-3: its accelerations
are ours at the start (MuJoCo's loops are soft even at their hardest), and after every timed step they are what an exact
solve in the same program gives. The second matters: with a warm start MuJoCo's CG stops early, so that one that is
right from a cold start can be wrong by several per cent along the motion. Exudyn has neither RK4 with constraints nor
an evaluation of its own: its step is an implicit one.

Keys: bodies, coordinates, loop_equations, dof, evaluation_us, rk4_step_us, dense_rk4_step_us, peers (list of name,
setting, evaluation_us, step_us, constraint_error in m after the timed steps), ratio_to_fastest_peer, cold_start_s,
warm_start_s, scaling (list of bodies, evaluation_us), scaling_exponent (of the total time over bodies).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from knuckleboom.bench.comb import comb
from knuckleboom.bench.ours import Ours
from knuckleboom.bench.peers.exudyn_model import ExudynModel
from knuckleboom.bench.peers.mujoco_model import MujocoModel
from knuckleboom.bench.peers.peer import Peer
from knuckleboom.bench.peers.pinocchio_model import PinocchioModel
from knuckleboom.bench.peers.tree import Array, read_tree
from knuckleboom.bench.rounds import Progress, Task, medians, per_call
from knuckleboom.bench.start_time import start_times
from knuckleboom.catalogue.harvester_30 import bare_harvester
from knuckleboom.interface.parts import Effort

STEP = 1e-3  # s
STEPS = 100  # per block: 0.1 s of motion
EVALUATIONS = 400  # per block
ROUNDS = 21
CONVERGED = 1e-3  # of the largest acceleration
CG_TOLERANCES = (1e-5, 1e-8, 1e-10, 1e-12)
SIZES = (10, 30, 100, 300)
SEED = 20
SPEED_SCALE, EFFORT_SCALE = 0.2, 0.5  # rad/s or m/s; rad/s² or m/s² on the diagonal of the mass matrix
EXUDYN_SKIPPED = 5  # steps of a second, shorter run, which takes off what a call costs before its first step


@dataclass
class Situation:
    """What every contestant starts from."""

    q: Array
    v: Array
    inputs: dict[str, float]
    efforts: Array
    accelerations: Array


def measure(progress: Progress | None = None, *, rounds: int = ROUNDS, starts: bool = True) -> dict[str, Any]:
    """Measure everything, see the card; `starts` False leaves out the two start times, which take a minute."""
    report = progress or (lambda fraction: None)
    machine = bare_harvester().machine
    ours, dense = Ours(machine), Ours(machine, factorisation="dense")
    situation = random_situation(ours)
    for own in (ours, dense):
        own.start_from(situation.q, situation.v, situation.inputs)
    peers, exudyn = _peers(ours, situation)

    tasks: dict[str, Task] = {
        "ours step": per_call(ours.reset, lambda n: ours.step(n, STEP), STEPS),
        "ours evaluation": per_call(ours.reset, ours.evaluate, EVALUATIONS),
        "dense step": per_call(dense.reset, lambda n: dense.step(n, STEP), STEPS),
    }
    for peer in peers:
        tasks[f"{peer.setting} step"] = per_call(_resetter(peer, situation), _stepper(peer), STEPS)
        tasks[f"{peer.setting} evaluation"] = per_call(_resetter(peer, situation), peer.evaluate, EVALUATIONS)
    for model in exudyn:
        tasks[f"{model.setting} step"] = _exudyn_stepper(model)
    combs = {bodies: Ours(comb(bodies)) for bodies in SIZES}
    for bodies, own in combs.items():
        tasks[f"comb {bodies}"] = per_call(own.reset, own.evaluate, EVALUATIONS)
    times = medians(tasks, rounds, lambda fraction: report(0.7 * fraction))

    found = _fastest(peers, situation, times)
    quickest = min(exudyn, key=lambda model: times[f"{model.setting} step"])
    quickest.step(STEPS, STEP)
    step = times[f"{quickest.setting} step"]
    found.append(_row(quickest.name, quickest.setting, None, step, quickest.constraint_error()))
    scaling = [{"bodies": bodies, "evaluation_us": times[f"comb {bodies}"]} for bodies in SIZES]
    slope = np.polyfit(np.log(SIZES), np.log([times[f"comb {bodies}"] for bodies in SIZES]), 1)[0]
    cold, warm = start_times() if starts else (None, None)
    report(1.0)
    return {
        "bodies": len(ours.planned.topology.bodies) - 1,
        "coordinates": ours.planned.topology.nv,
        "loop_equations": ours.planned.loop_equations,
        "dof": ours.planned.dof,
        "evaluation_us": times["ours evaluation"],
        "rk4_step_us": times["ours step"],
        "dense_rk4_step_us": times["dense step"],
        "peers": found,
        "ratio_to_fastest_peer": min(row["step_us"] for row in found) / times["ours step"],
        "cold_start_s": cold,
        "warm_start_s": warm,
        "scaling": scaling,
        "scaling_exponent": float(slope),
    }


def random_situation(ours: Ours) -> Situation:
    """Start pose, velocities on the loops, efforts; and our accelerations there."""
    random = np.random.default_rng(SEED)
    planned = ours.planned
    q = np.array(planned.work.state.q)
    wanted = SPEED_SCALE * random.normal(size=planned.topology.nv)
    J = planned.jacobian()
    v = wanted - np.linalg.lstsq(J, J @ wanted, rcond=None)[0]
    size = np.diag(planned.mass_matrix())
    inputs = {}
    for part in planned.machine.of(Effort):
        column = planned.joint_columns(part.joint)[1][part.coordinate]
        inputs[part.name] = float(EFFORT_SCALE * size[column] * random.normal())
    ours.start_from(q, v, inputs)
    return Situation(q, v, inputs, ours.efforts(inputs), planned.accelerations())


def _peers(ours: Ours, situation: Situation) -> tuple[list[Peer], list[ExudynModel]]:
    """All settings worth trying: MuJoCo's and Pinocchio's, and Exudyn's."""
    tree = read_tree(ours.planned.machine, ours.columns)
    peers: list[Peer] = [
        MujocoModel(tree, solver="newton", jacobian="dense", iterations=1),
        MujocoModel(tree, solver="newton", jacobian="sparse", iterations=1),
        *(MujocoModel(tree, solver="cg", jacobian="dense", tolerance=tolerance) for tolerance in CG_TOLERANCES),
        *(MujocoModel(tree, solver="cg", jacobian="sparse", tolerance=tolerance) for tolerance in CG_TOLERANCES),
        PinocchioModel(tree, algorithm="constraintDynamics", iterations=1),
        PinocchioModel(tree, algorithm="lcaba", iterations=1),
    ]
    solvers = ("trapezoidal rule of index 2", "generalised-alpha")
    return peers, [ExudynModel(tree, situation.q, situation.v, situation.efforts, solver=solver) for solver in solvers]


def _resetter(peer: Peer, situation: Situation) -> Callable[[], None]:
    def reset() -> None:
        peer.set_state(situation.q, situation.v)
        peer.accelerations(situation.efforts)

    return reset


def _stepper(peer: Peer) -> Callable[[int], None]:
    return lambda count: peer.step(count, STEP)


def _exudyn_stepper(model: ExudynModel) -> Task:
    """Microseconds of one step: the difference of a long and a short run, since each call sets itself up first."""

    def task() -> float:
        taken = []
        for count in (EXUDYN_SKIPPED, EXUDYN_SKIPPED + STEPS):
            start = time.thread_time()
            model.step(count, STEP)
            taken.append(time.thread_time() - start)
        return (taken[1] - taken[0]) / STEPS * 1e6

    return task


def _fastest(peers: list[Peer], situation: Situation, times: dict[str, float]) -> list[dict[str, Any]]:
    """Of each program the setting with the fastest step among those whose accelerations have converged."""
    best: dict[str, dict[str, Any]] = {}
    for peer in peers:
        step = times[f"{peer.setting} step"]
        error, along = convergence(peer, situation)
        if not max(error, along) < CONVERGED or (peer.name in best and best[peer.name]["step_us"] <= step):
            continue
        setting = f"{peer.setting}; accelerations within {error:.0e} of ours, solved to {along:.0e} along the motion"
        evaluation = times[f"{peer.setting} evaluation"]
        best[peer.name] = _row(peer.name, setting, evaluation, step, peer.constraint_error())
    return list(best.values())


def convergence(peer: Peer, situation: Situation) -> tuple[float, float]:
    """How far accelerations are from ours at the start, and at worst from an exact solve after each timed step."""
    peer.set_state(situation.q, situation.v)
    difference = np.max(np.abs(peer.accelerations(situation.efforts) - situation.accelerations))
    along = 0.0
    for _ in range(STEPS):
        peer.step(1, STEP)
        along = max(along, peer.solution_error())
    return float(difference / np.max(np.abs(situation.accelerations))), along


def _row(name: str, setting: str, evaluation_us: float | None, step_us: float, error: float) -> dict[str, Any]:
    return {
        "name": name,
        "setting": setting,
        "evaluation_us": evaluation_us,
        "step_us": step_us,
        "constraint_error": error,
    }
