# SPDX-License-Identifier: BSD-3-Clause
"""The power side in smaller steps while the mechanics moves as Newton's iteration has it [Naya 2011, §5: multi-rate
integration]. The course of the rows and the rules are those of engine/power_side.py.
"""

import math

from knuckleboom.engine.power_side import keep_rows, small_step
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK
from knuckleboom.solvers.vectors import copy


@kernel
def advance(plan, work, h, share):
    """Integrate the power side over the mechanics' step h [s], up to the given rows; inputs are left as at its end.
    Return a status. Writes work.

    `share` is the weight on the end: 1/2, or 1 in the steps after a jump, which are damped here too.
    """
    course = work.course
    keep_rows(work.rows, course.row_s1, course.row_w1)
    copy(work.stage.x0, work.state.x)
    count = max(1, math.ceil(h / plan.course.step[0] - 1e-9))  # 1e-9: rounding of the ratio
    width, status = 1.0 / count, OK
    for i in range(count):
        status = small_step(plan, work, h, i * width, width, share)
        if status != OK:
            break
    copy(course.row_s1, work.rows.s)
    copy(course.row_w1, work.rows.w)
    copy(course.u1, work.state.u)
    return status
