# SPDX-License-Identifier: BSD-3-Clause
"""The power side in smaller steps while the mechanics moves as Newton's iteration has it [Naya 2011, §5: multi-rate
integration]. The course of the rows and the rules are those of engine/power_side.py. Bristles of what touches belong to
the mechanics: Newton solves for their bends with the motion.
"""

import math

from knuckleboom.engine.power_side import keep_rows, small_step
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK
from knuckleboom.solvers.vectors import copy, fill


@kernel
def keep_bends(bends, x, kept):
    """Keep the bends of what touches. Writes kept."""
    for i in range(bends.shape[0]):
        kept[i] = x[bends[i]]


@kernel
def put_bends(bends, kept, x):
    """Put them back. Writes x."""
    for i in range(bends.shape[0]):
        x[bends[i]] = kept[i]


@kernel
def leave_bends(bends, kept, residual):
    """Of what x lacks Newton sees that of bends only: the rest was just integrated. Writes kept, residual."""
    keep_bends(bends, residual, kept)
    fill(0.0, residual)
    put_bends(bends, kept, residual)


@kernel
def advance(plan, work, h, share):
    """Integrate the power side over the mechanics' step h [s], up to the given rows; inputs are left as at its end.
    Return a status. Writes work.

    `share` is the weight on the end: 1/2, or 1 in the steps after a jump, which are damped here too.
    """
    course, bends = work.course, plan.touch.bends
    keep_rows(work.rows, course.row_s1, course.row_w1)
    keep_bends(bends, work.state.x, course.bends)
    copy(work.stage.x0, work.state.x)
    count = max(1, math.ceil(h / plan.course.step[0] - 1e-9))  # 1e-9: rounding of the ratio
    width, status = 1.0 / count, OK
    for i in range(count):
        status = small_step(plan, work, h, i * width, width, share)
        if status != OK:
            break
    put_bends(bends, course.bends, work.state.x)
    copy(course.row_s1, work.rows.s)
    copy(course.row_w1, work.rows.w)
    copy(course.u1, work.state.u)
    return status
