# SPDX-License-Identifier: BSD-3-Clause
"""Inputs within a step, and what controllers and stop conditions do: they read a line of the record, controllers write.

Inputs are given at points equally far apart over a step, the first at its start and the last at its end, and go in
straight lines between them. What is held over the step has the same value at all of them.

A line is that of engine/observe.py with the control signals after it. At a sample time the state is evaluated with the
inputs held so far; the controllers that are due read that line one after the other, later ones also what earlier ones
wrote into control signals; what they write is held from then on. simulation/control.py does the same in Python.
"""

import math

from knuckleboom.control.compiled import call_controller
from knuckleboom.kernels import kernel
from knuckleboom.layout import CONTROLLER_FAILED, CONTROLLER_NOT_FINITE, OK, STOPPED

# columns of plan.control.first
ADDRESS, READ, WRITE, MEMORY, PARAMETER = 0, 1, 2, 3, 4


@kernel
def hold_at(fraction, given, u, signal):
    """Take inputs and control signals at a fraction of the step, from those given at its points; NaN leaves one to its
    controller. Exact at the points, and equal values stay as they are to the bit. Writes u, signal.
    """
    nu, pieces = u.shape[0], given.shape[0] - 1
    piece = min(int(fraction * pieces), pieces - 1)
    part = fraction * pieces - piece
    for i in range(given.shape[1]):
        before, after = given[piece, i], given[piece + 1, i]
        value = after if part == 1.0 else before + part * (after - before)
        if math.isnan(value):
            continue
        if i < nu:
            u[i] = value
        else:
            signal[i - nu] = value


@kernel
def append(signal, line):
    """Put the control signals at the end of a line. Writes line."""
    tail = line.shape[0] - signal.shape[0]
    for i in range(signal.shape[0]):
        line[tail + i] = signal[i]


@kernel
def sample(plan_control, due, state, scratch):
    """Let the controllers whose bit is set in `due` read the line and write. Return a status. Writes state, scratch."""
    first, line = plan_control.first, scratch.line
    nu = state.u.shape[0]
    tail = line.shape[0] - state.signal.shape[0]
    for c in range(first.shape[0] - 1):
        if (due >> c) & 1 == 0:
            continue
        for i in range(first[c, READ], first[c + 1, READ]):
            scratch.reads[i] = line[plan_control.read[i]]
        for i in range(first[c, WRITE], first[c + 1, WRITE]):
            target = plan_control.write[i]
            scratch.writes[i] = state.u[target] if target < nu else state.signal[target - nu]

        failed = call_controller(
            first[c, ADDRESS],
            state.time[0],
            scratch.reads[first[c, READ] : first[c + 1, READ]],
            scratch.writes[first[c, WRITE] : first[c + 1, WRITE]],
            state.memory[first[c, MEMORY] : first[c + 1, MEMORY]],
            plan_control.parameter[first[c, PARAMETER] : first[c + 1, PARAMETER]],
        )
        state.fault[0] = c
        if failed != 0:
            return CONTROLLER_FAILED
        for i in range(first[c, WRITE], first[c + 1, WRITE]):
            if not math.isfinite(scratch.writes[i]):
                return CONTROLLER_NOT_FINITE
            target = plan_control.write[i]
            if target < nu:
                state.u[target] = scratch.writes[i]
            else:
                state.signal[target - nu] = scratch.writes[i]
                line[tail + target - nu] = scratch.writes[i]
    return OK


@kernel
def stop_or_ok(plan_control, line, fault):
    """Whether a line fulfils a stop condition, sign·(value − threshold) > 0; fault gets its number. Writes fault."""
    for i in range(plan_control.stop_column.shape[0]):
        if plan_control.stop_number[i, 0] * (line[plan_control.stop_column[i]] - plan_control.stop_number[i, 1]) > 0.0:
            fault[0] = i
            return STOPPED
    return OK
