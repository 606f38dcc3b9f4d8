# SPDX-License-Identifier: BSD-3-Clause
"""A half of the machine that another process computes: the call out of the step, and what goes across.

    power side elsewhere    it gets s, w on its course, a and Y of the rows, and returns force, ∫ (H/2 − t) λ dt, work
    mechanics elsewhere     it gets the forces, and returns where the rows are and how they respond, for the next step

Either is one call, through the address of a C function without arguments that returns a status. The numbers stand in
Work, family `course`; who is called reads and writes them there (simulation/elsewhere.py). All else is that of
engine/cosimulate.py: same course, same mechanics, same order. Values that the power side has reached come back with
its forces, so that its course takes up what they are apart from those of the mechanics. On each row a push stands for
the other half; its energy is that of the exchange, its input the force that was handed last.
Validated by: tests/halves/test_split.py
"""

import ctypes

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from knuckleboom.engine.course import END, WHAT, advance_power, lay_course
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics.rows.kinds import has_value

HERE, POWER_ELSEWHERE, MECHANICS_ELSEWHERE = 0, 1, 2
ELSEWHERE = {"": HERE, "power": POWER_ELSEWHERE, "mechanics": MECHANICS_ELSEWHERE}
WHO, ADDRESS = 0, 1  # columns of plan.course.elsewhere
CALL = ctypes.CFUNCTYPE(ctypes.c_int64)
"""What stands at the address: a status without arguments."""


@intrinsic
def _call_compiled(typing_context, address):
    """Call the C function at an address and return its status."""

    def generate(context, builder, signature, values):
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), [])

    return types.int64(types.int64), generate


def _call_plain(address):
    return int(CALL(int(address))())


call_other = _call_plain if numba.config.DISABLE_JIT else _call_compiled


@kernel
def move_power(plan, h, work):
    """Advance the power side over the step of h [s], here or elsewhere. Return a status. Writes work."""
    if plan.course.elsewhere[WHO] != POWER_ELSEWHERE:
        return advance_power(plan, h, work)
    course, state = work.course, work.state
    lay_course(plan, h, state.exchange, work)
    course.size[0] = h
    status = call_other(plan.course.elsewhere[ADDRESS])
    if status != OK:
        return status
    for i in range(plan.course.stand_input.shape[0]):
        if plan.course.exchange[WHAT] == END:
            course.mean[i] = course.force[i]
        if has_value(plan.rows, plan.course.row[i]):
            state.exchange[i] = course.reached[i]
        state.energy[plan.course.stand_power[i]] += course.work[i]
        course.u_end[plan.course.stand_input[i]] = course.mean[i]
    return status


@kernel
def hand_forces(plan, h, work):
    """Hand the forces of the step of h [s] to the mechanics elsewhere, which says where the rows then are. Return a
    status. Writes work.
    """
    work.course.size[0] = h
    for i in range(plan.course.stand_power.shape[0]):
        work.state.energy[plan.course.stand_power[i]] -= work.course.work[i]
    return call_other(plan.course.elsewhere[ADDRESS])
