# SPDX-License-Identifier: BSD-3-Clause
"""Assembly: close the loops from an approximate pose, then make the start velocities consistent.

Newton's method on the loop rows with the smallest step in velocity space. Loops that share no coordinate are closed
apart, so that one which cannot be closed spoils no other. Coordinates with a start value of their own are kept if the
others can close their loops alone, then those that are driven; otherwise all move. Velocities likewise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knuckleboom.engine import run
from knuckleboom.mechanics.motions import Motion
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.rows.driven import RODS
from knuckleboom.mechanics.rows.geometry import LENGTH, ROW_B, ROW_D, ROW_KIND
from knuckleboom.plan.rotation import Matrix

TOLERANCE = 1e-12  # m or rad; what rounding allows at the size of a machine
GOOD = 1e-9  # m or rad; accepted when rounding stops Newton earlier
ITERATIONS = 60
LARGEST = 0.5  # rad or m; a longer Newton step is shortened to this


def close_once(plan: Any, work: Any) -> None:
    """Fill s of all rows and Φ_q of the loops from q."""
    state, motion = work.state, work.motion
    tables = plan.links, plan.rows, plan.system, plan.natural
    run.close_once(*tables, state.q, motion, state.angle, work.rows, work.system.phi)


def jacobian(plan: Any, work: Any, loops: Sequence[int] | None = None) -> Matrix:
    """Φ_q of all loop rows, or of some, as a full matrix, after close_once."""
    table = plan.system
    J = np.zeros((len(table.loop_slot), work.state.v.shape[0]))
    row = np.repeat(np.arange(len(J)), np.diff(table.path_first))
    np.add.at(J, (row, table.path_dof.astype(np.intp)), work.system.phi)
    return J if loops is None else J[list(loops)]


def mass_matrix(plan: Any, work: Any) -> Matrix:
    """M as a full matrix, while it stands unfactored in L, without the rows that were added to it there."""
    table, n = plan.system, work.state.v.shape[0]
    velocity, ancestor = np.repeat(np.arange(n), np.diff(table.pair_first)), table.pair_ancestor.astype(np.intp)
    values = work.system.L[table.pair_address.astype(np.intp)]
    if len(plan.stiffened.row):
        held = jacobian(plan, work, plan.stiffened.row.tolist())
        added = held.T @ (plan.stiffened.sigma[:, None] * held)
        values = plan.natural.mass if len(plan.natural.mass) else values - added[velocity, ancestor]
    M = np.zeros((n, n))
    M[velocity, ancestor] = M[ancestor, velocity] = values
    return M


def residual(plan: Any, work: Any) -> Matrix:
    """Values of the loop rows, after close_once."""
    return np.array(work.rows.s[: len(plan.system.loop_slot)])


def separate_loops(plan: Any, held: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Loop rows that are held with the velocities on their paths, in sets that share no velocity."""
    found: list[tuple[list[int], set[int]]] = []
    for r in np.flatnonzero(held).tolist():
        first, last = plan.system.path_first[r], plan.system.path_first[r + 1]
        loops, velocities = [r], {int(v) for v in plan.system.path_dof[first:last]}
        for other in [other for other in found if other[1] & velocities]:
            found.remove(other)
            loops, velocities = other[0] + loops, velocities | other[1]
        found.append((loops, velocities))
    return [(sorted(loops), sorted(velocities)) for loops, velocities in found]


def newton(plan: Any, work: Any, loops: list[int], moving: np.ndarray) -> float:
    """Close some loops by moving some coordinates; leaves the best q in work and returns its worst residual."""
    best_q, best = work.state.q.copy(), np.inf
    for _ in range(ITERATIONS):
        close_once(plan, work)
        phi = residual(plan, work)[loops]
        worst = float(np.max(np.abs(phi), initial=0.0))
        if worst < best:
            best_q, best = work.state.q.copy(), worst
        if worst < TOLERANCE or not np.isfinite(worst):
            break
        J = jacobian(plan, work, loops)
        J[:, ~moving] = 0.0
        u = np.linalg.lstsq(J, -phi, rcond=1e-10)[0]  # 1e-10: redundant rows give no direction
        size = float(np.max(np.abs(u), initial=0.0))
        if size > LARGEST:
            u *= LARGEST / size
        run.advance_once(plan.links.index, work.state.q.copy(), u, work.state.q)
    work.state.q[:] = best_q
    close_once(plan, work)
    return best


def fill_rod_lengths(plan: Any, work: Any) -> None:
    """Rods without a length take the distance at the start pose."""
    held = range(len(plan.system.loop_slot))
    missing = [r for r in held if is_rod(plan, r) and np.isnan(plan.rows.number[r, LENGTH])]
    if not missing:
        return
    plan.rows.number[missing, LENGTH] = 1.0
    close_once(plan, work)
    for r in missing:
        # with L = 1 the row's value is (d² − 1)/2
        plan.rows.number[r, LENGTH] = np.sqrt(max(2.0 * work.rows.s[r] + 1.0, 0.0))
        if r in plan.rows.driven and plan.rows.number[r, LENGTH] < GOOD:
            plan.rows.number[r, LENGTH] = 1.0  # any length: here it is only the scale of the row


def close_loops(plan: Any, work: Any, given: np.ndarray, *, driven: bool) -> None:
    """Assemble from the pose in work.state.q, with or without what drivers want."""
    held = np.ones(len(plan.system.loop_slot), bool)
    if not driven:
        held[plan.rows.driven] = False
    kept = np.zeros_like(given)
    kept[[plan.rows.index[r, ROW_D] for r in plan.rows.driven if not is_rod(plan, r)]] = True
    close_once(plan, work)
    for loops, velocities in separate_loops(plan, held):
        start, worst = work.state.q.copy(), np.inf
        on_path = np.isin(np.arange(len(given)), velocities)
        for moving in (on_path & ~given & ~kept, on_path & ~kept, on_path):
            if worst > GOOD and moving.any():
                work.state.q[:] = start
                worst = newton(plan, work, loops, moving)


def is_rod(plan: Any, row: int) -> bool:
    """Whether a row keeps a distance."""
    return plan.rows.index[row, ROW_KIND] in RODS


def guess_driven(plan: Any, work: Any, drivers: Sequence[Driver], motions: Mapping[str, Motion]) -> None:
    """Put driven coordinates where their drivers want them, as far as these say so, and lengths to those of the start.

    As long as a distance is held at its own length and a coordinate at zero, rows have their undriven values.
    """
    for d, (r, driver) in enumerate(zip(plan.rows.driven, drivers, strict=True)):
        work.rows.target[d] = float(is_rod(plan, r)), 0.0, 0.0
        if not is_rod(plan, r):
            q = plan.rows.index[r, ROW_B]
            motion = motions.get(driver.name) or driver.motion(float(work.state.q[q]))
            work.state.q[q] = motion.at(np.zeros(1))[0, 0]
    fill_rod_lengths(plan, work)
    for d, r in enumerate(plan.rows.driven):
        if is_rod(plan, r):
            work.rows.target[d, 0] = plan.rows.number[r, LENGTH]


def start_motions(
    plan: Any, work: Any, drivers: Sequence[Driver], given: Mapping[str, Motion]
) -> list[Motion]:  # fmt: skip
    """The motions of all drivers, from the pose that the loops alone allow; fills their targets at time 0."""
    motions = []
    for d, (r, driver) in enumerate(zip(plan.rows.driven, drivers, strict=True)):
        if is_rod(plan, r):
            # the row's value is (|d|² − L²)/2L
            length = plan.rows.number[r, LENGTH]
            pose = np.sqrt(max(length * (length + 2.0 * work.rows.s[r]), 0.0))
        else:
            pose = work.state.q[plan.rows.index[r, ROW_B]]
        motion = given.get(driver.name) or driver.motion(float(pose))
        motions.append(motion)
        work.rows.target[d] = motion.at(np.zeros(1))[0]
        if not is_rod(plan, r):
            work.state.v[plan.rows.index[r, ROW_D]] = work.rows.target[d, 1]
    return motions


def driven_rates(plan: Any, work: Any) -> Matrix:
    """What Φ_q v is to be: zero, but for driven rows."""
    wanted = np.zeros(len(plan.system.loop_slot))
    for d, r in enumerate(plan.rows.driven):
        target = work.rows.target[d]
        wanted[r] = target[1] * (target[0] / plan.rows.number[r, LENGTH] if is_rod(plan, r) else 1.0)
    return wanted


def consistent_velocities(plan: Any, work: Any, given: np.ndarray) -> None:
    """Change the start velocities as little as needed to satisfy the loops; given speeds are kept if possible."""
    if len(plan.system.loop_slot) == 0:
        return
    J, wanted = jacobian(plan, work), driven_rates(plan, work)
    for moving in (~given, np.ones_like(given)):
        part = np.where(moving, J, 0.0)
        change = np.linalg.lstsq(part, wanted - J @ work.state.v, rcond=1e-10)[
            0
        ]  # 1e-10: redundant rows give no direction
        if np.max(np.abs(J @ (work.state.v + change) - wanted)) <= GOOD * max(1.0, float(np.max(np.abs(work.state.v)))):
            break
    work.state.v[:] += change


def independent_rows(J: Matrix) -> list[bool]:
    """Which rows add to the rank, taken one after the other."""
    basis: list[Matrix] = []
    kept = []
    for row in J:
        rest = row.copy()
        for _ in range(2):  # twice is enough against rounding
            for direction in basis:
                rest -= (rest @ direction) * direction
        size = float(np.linalg.norm(rest))
        new = size > 1e-8 * float(np.linalg.norm(row))  # 1e-8: square root of rounding
        if new:
            basis.append(rest / size)
        kept.append(new)
    return kept
