# SPDX-License-Identifier: BSD-3-Clause
"""Reactions: the force and moment that b gets from a in every joint.

    reaction = Σ (I A + V ×* I V) over the bodies beyond the joint − Σ wrenches of the rows that cross its border

Everything that the joint passes on is in it, also the efforts, springs and friction that act in the joint itself. A cut
joint has no body beyond it: its reaction is what its own rows hold. Rows that hold by structure (planar loops) hold
nothing: the forces across the plane are then those of the tree's joints. World axes, moments about b's place. Computed
only for the lines of the record. Newton and Euler body by body, as in [Featherstone 2008, §5.3]; checked by
validation/analytic/test_reactions.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.dynamics import add_needed, spatial_inertia
from knuckleboom.mechanics.rows.geometry import cross
from knuckleboom.solvers.vectors import fill


@kernel
def body_wrenches(inertia, link, motion):
    """What each body's motion needs, from full accelerations; link is that of each body. Writes motion."""
    for i in range(link.shape[0]):
        spatial_inertia(inertia, i, motion.R_WL, motion.p_OL, link[i], motion.body_inertia)
        fill(0.0, motion.body_wrench[i])
        add_needed(motion.body_inertia, i, motion.V_WL, motion.A_WL, link[i], motion.body_wrench)


@kernel
def reactions(plan_reactions, rows, multiplier, motion, at, record):
    """Force and moment of every joint on its b, from `body_wrenches`; return the next column. Writes record."""
    R, p, nloop = motion.R_WL, motion.p_OL, multiplier.shape[0]
    for j in range(plan_reactions.index.shape[0]):
        nx, ny, nz, fx, fy, fz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for e in range(plan_reactions.body_first[j], plan_reactions.body_first[j + 1]):
            wrench = motion.body_wrench[plan_reactions.body[e]]
            nx += wrench[0]
            ny += wrench[1]
            nz += wrench[2]
            fx += wrench[3]
            fy += wrench[4]
            fz += wrench[5]
        for e in range(plan_reactions.row_first[j], plan_reactions.row_first[j + 1]):
            r = plan_reactions.row[e]
            force = plan_reactions.row_sign[e] * (-multiplier[r] if r < nloop else rows.force[r])
            nx -= force * rows.W[r, 0]
            ny -= force * rows.W[r, 1]
            nz -= force * rows.W[r, 2]
            fx -= force * rows.W[r, 3]
            fy -= force * rows.W[r, 4]
            fz -= force * rows.W[r, 5]

        link, sign = plan_reactions.index[j, 0], plan_reactions.index[j, 1]
        x, y, z = plan_reactions.place[j, 0], plan_reactions.place[j, 1], plan_reactions.place[j, 2]
        mx, my, mz = cross(
            p[link, 0] + R[link, 0] * x + R[link, 1] * y + R[link, 2] * z,
            p[link, 1] + R[link, 3] * x + R[link, 4] * y + R[link, 5] * z,
            p[link, 2] + R[link, 6] * x + R[link, 7] * y + R[link, 8] * z,
            fx,
            fy,
            fz,
        )
        record[at] = sign * fx
        record[at + 1] = sign * fy
        record[at + 2] = sign * fz
        record[at + 3] = sign * (nx - mx)
        record[at + 4] = sign * (ny - my)
        record[at + 5] = sign * (nz - mz)
        at += 6  # width of a joint in BLOCKS
    return at
