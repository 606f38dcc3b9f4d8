# SPDX-License-Identifier: BSD-3-Clause
"""All kinds of rows, in the order of plan.rows: this is the list. One loop per kind, made in contract.py.

Held rows come first: those with a wrench, those made of other rows, those of products, those of velocities.
"""

from types import ModuleType

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows import (
    angle,
    axis_dot,
    contract,
    coordinate,
    direction,
    distance,
    gear,
    held_angle,
    length,
    point_dot,
    rigid,
    rotation,
    row_sum,
    travel,
)
from knuckleboom.mechanics.rows.contract import FORCE, HELD, PATH, ROWS, VELOCITIES
from knuckleboom.mechanics.rows.geometry import ROW_A, ROW_B, ROW_KIND, TERM_ROW
from knuckleboom.solvers.vectors import fill, fill_rows

KINDS: tuple[ModuleType, ...] = (
    point_dot, axis_dot, distance, held_angle, row_sum, rigid, gear,
    length, travel, angle, coordinate, direction, rotation,
)  # fmt: skip
NUMBERED = list(enumerate(KINDS))
NUMBER = {contract.name_of(module): kind for kind, module in NUMBERED}
WITH_WRENCH = contract.spans(NUMBERED, HELD, PATH)[0][1]
"""Held rows before this kind have a wrench."""
OF_ROWS, OF_ROWS_END = contract.spans(NUMBERED, HELD, ROWS)[0]
OF_VELOCITIES, OF_VELOCITIES_END = contract.spans(NUMBERED, HELD, VELOCITIES)[0]
PUSHING = contract.spans(NUMBERED, FORCE, PATH)
VALUELESS = tuple(kind for kind, module in NUMBERED if not module.ROW.value)

positions = contract.positions(NUMBERED)
velocities = contract.velocities(NUMBERED)
accelerate = contract.accelerate(NUMBERED)
moved_wrench = contract.moved_wrench(NUMBERED)
push_velocities = contract.push_velocities(NUMBERED)


@kernel
def has_value(plan_rows, r):
    """Whether row r has a value s: directions, turns of a body and components of ω have a rate only."""
    return plan_rows.index[r, ROW_B] >= 0 and plan_rows.index[r, ROW_KIND] not in VALUELESS


@kernel
def apply_forces(plan_rows, rows, f, effort):
    """Hand Aᵀλ of all interface rows to the mechanism: f gets minus the wrenches. Writes f, effort."""
    index, first, W, force = plan_rows.index, plan_rows.first, rows.W, rows.force
    fill_rows(0.0, f)
    fill(0.0, effort)
    for begin, end in PUSHING:
        for r in range(first[begin], first[end]):
            a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
            for k in range(6):
                f[b, k] -= force[r] * W[r, k]
                f[a, k] += force[r] * W[r, k]
    push_velocities(plan_rows, force, effort)


@kernel
def put_forces_of_rows(plan_rows, multiplier, rows):
    """Show in rows what held rows do that are made of them, for the reactions of joints. Writes rows.force."""
    for r in range(plan_rows.first[OF_ROWS], plan_rows.first[OF_ROWS_END]):
        for t in range(plan_rows.index[r, ROW_A], plan_rows.index[r, ROW_B]):
            rows.force[plan_rows.term[t, TERM_ROW]] -= plan_rows.weight[t] * multiplier[r]
