# SPDX-License-Identifier: BSD-3-Clause
"""Driven rows: held rows that follow a motion f(t), s − f, but for a rod: s = (|d|² − f²)/2L, with L its length at the
start. A driven coordinate is a gear with ratio 0.
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.geometry import LENGTH, ROW_KIND
from knuckleboom.mechanics.rows.kinds import KINDS

RODS = tuple(kind for kind, module in enumerate(KINDS) if module.ROW.rod)


@kernel
def is_rod(plan_rows, r):
    """Whether row r keeps a distance."""
    return plan_rows.index[r, ROW_KIND] in RODS


@kernel
def pull(plan_rows, rows, d):
    """∂s/∂f of driver d, but for its sign: f/L for a rod, else 1."""
    r = plan_rows.driven[d]
    return rows.target[d, 0] / plan_rows.number[r, LENGTH] if is_rod(plan_rows, r) else 1.0


@kernel
def follow_positions(plan_rows, rows):
    """Let the driven rows follow their motion. Writes rows.s."""
    for d in range(plan_rows.driven.shape[0]):
        r, f = plan_rows.driven[d], rows.target[d, 0]
        if is_rod(plan_rows, r):
            length = plan_rows.number[r, LENGTH]
            rows.s[r] -= 0.5 * (f * f / length - length)
        else:
            rows.s[r] -= f


@kernel
def follow_velocities(plan_rows, rows):
    """The same for rates and bias accelerations. Writes rows.w, rows.bias."""
    for d in range(plan_rows.driven.shape[0]):
        r, rate, acceleration = plan_rows.driven[d], rows.target[d, 1], rows.target[d, 2]
        slope = pull(plan_rows, rows, d)
        rows.w[r] -= slope * rate
        rows.bias[r] -= slope * acceleration
        if is_rod(plan_rows, r):
            rows.bias[r] -= rate * rate / plan_rows.number[r, LENGTH]


@kernel
def driver_powers(plan_rows, rows, multiplier, power):
    """Power of each driver on the mechanism [W], the last entries of power. Writes power."""
    first = power.shape[0] - plan_rows.driven.shape[0]
    for d in range(plan_rows.driven.shape[0]):
        power[first + d] = -multiplier[plan_rows.driven[d]] * pull(plan_rows, rows, d) * rows.target[d, 1]
