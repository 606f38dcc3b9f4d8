# SPDX-License-Identifier: BSD-3-Clause
"""What sensors and pumps show: one value from a flow, a pressure difference and a speed, for the record only.

    g₀ Q Δp + g₁ Δp + g₂ Q + n (g₃ Δp + g₄ + g₅ n) + x (g₆ Δp + g₇ |Δp| + n (g₈ + g₉ Δp + g₁₀ |Δp|))

Δp = p_high − p_low. A power has g₀ alone, a pressure g₁, a flow g₂; torque and power of a shaft with the setting x take
the rest. The speed n is a signal, or the rate of a row.
"""

from knuckleboom.kernels import kernel
from knuckleboom.layout import signal_value

READING_BRANCH, READING_HIGH, READING_LOW, READING_SPEED, READING_ROW, READING_SETTING = range(6)
"""Columns of plan_oil.reading_index."""


@kernel
def observe_readings(plan_oil, u, x, row_rate, oil, at, record):
    """Put all readings into the record from column `at` on; return the next column. Writes record."""
    index, gain = plan_oil.reading_index, plan_oil.reading_number
    for i in range(index.shape[0]):
        branch, high, low, speed = (
            index[i, READING_BRANCH],
            index[i, READING_HIGH],
            index[i, READING_LOW],
            index[i, READING_SPEED],
        )
        flow = oil.Q[branch] if branch >= 0 else 0.0
        drop = oil.p[high] if high >= 0 else 0.0
        if low >= 0:
            drop -= oil.p[low]
        turning = signal_value(u, x, speed) if speed >= 0 else 0.0
        if index[i, READING_ROW] >= 0:
            turning = row_rate[index[i, READING_ROW]]
        setting = signal_value(u, x, index[i, READING_SETTING]) if index[i, READING_SETTING] >= 0 else 1.0
        record[at + i] = (
            gain[i, 0] * flow * drop
            + gain[i, 1] * drop
            + gain[i, 2] * flow
            + turning * (gain[i, 3] * drop + gain[i, 4] + gain[i, 5] * turning)
        )
        scaled = gain[i, 6] * drop + gain[i, 7] * abs(drop)  # torque, with friction
        scaled += turning * (gain[i, 8] + gain[i, 9] * drop + gain[i, 10] * abs(drop))  # flow, power
        if scaled != 0.0:
            record[at + i] += setting * scaled
    return at + index.shape[0]
