# SPDX-License-Identifier: BSD-3-Clause
"""Assembly: close the loops from an approximate pose, then make the start velocities consistent.

Newton's method on the loop rows with the smallest step in velocity space. Coordinates with a start value of their own
are kept if the others can close the loops alone; otherwise all move. Velocities likewise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.engine import run
from knuckleboom.mechanics import rows
from knuckleboom.plan.rotation import Matrix

TOLERANCE = 1e-12  # m or rad; what rounding allows at the size of a machine
GOOD = 1e-9  # m or rad; accepted when rounding stops Newton earlier
ITERATIONS = 60
LARGEST = 0.5  # rad or m; a longer Newton step is shortened to this


def close_once(plan: Any, work: Any) -> None:
    """Fill s of all rows and Φ_q of the loops from q."""
    run.close_once(plan.links, plan.rows, plan.system, work.state.q, work.motion, work.rows, work.system.phi)


def jacobian(plan: Any, work: Any) -> Matrix:
    """Φ_q of the loop rows as a full matrix, after close_once."""
    J = np.zeros((len(plan.system.loop_slot), work.state.v.shape[0]))
    for r in range(J.shape[0]):
        for e in range(plan.system.path_first[r], plan.system.path_first[r + 1]):
            J[r, plan.system.path_dof[e]] += work.system.phi[e]
    return J


def residual(plan: Any, work: Any) -> Matrix:
    """Values of the loop rows, after close_once."""
    return np.array(work.rows.s[: len(plan.system.loop_slot)])


def newton(plan: Any, work: Any, moving: np.ndarray) -> float:
    """Close the loops by moving some coordinates; leaves the best q in work and returns its worst residual."""
    best_q, best = work.state.q.copy(), np.inf
    for _ in range(ITERATIONS):
        close_once(plan, work)
        phi = residual(plan, work)
        worst = float(np.max(np.abs(phi)))
        if worst < best:
            best_q, best = work.state.q.copy(), worst
        if worst < TOLERANCE or not np.isfinite(worst):
            break
        J = jacobian(plan, work)
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
    first = plan.rows.first
    missing = [r for r in range(first[rows.DISTANCE], first[rows.GEAR]) if np.isnan(plan.rows.number[r, 6])]
    if not missing:
        return
    plan.rows.number[missing, 6] = 1.0
    close_once(plan, work)
    for r in missing:
        # with L = 1 the row's value is (d² − 1)/2
        plan.rows.number[r, 6] = np.sqrt(max(2.0 * work.rows.s[r] + 1.0, 0.0))


def close_loops(plan: Any, work: Any, given: np.ndarray) -> float:
    """Assemble from the pose in work.state.q; return the worst residual."""
    fill_rod_lengths(plan, work)
    close_once(plan, work)
    if len(plan.system.loop_slot) == 0:
        return 0.0
    start = work.state.q.copy()
    worst = newton(plan, work, ~given) if not given.all() else np.inf
    if worst > GOOD:
        work.state.q[:] = start
        worst = newton(plan, work, np.ones_like(given))
    return worst


def consistent_velocities(plan: Any, work: Any, given: np.ndarray) -> None:
    """Change the start velocities as little as needed to satisfy Φ_q v = 0; given speeds are kept if possible."""
    if len(plan.system.loop_slot) == 0:
        return
    J = jacobian(plan, work)
    for moving in (~given, np.ones_like(given)):
        part = np.where(moving, J, 0.0)
        change = np.linalg.lstsq(part, -J @ work.state.v, rcond=1e-10)[0]  # 1e-10: redundant rows give no direction
        if np.max(np.abs(J @ (work.state.v + change))) <= GOOD * max(1.0, float(np.max(np.abs(work.state.v)))):
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
