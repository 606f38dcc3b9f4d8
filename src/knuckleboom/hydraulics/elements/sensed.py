# SPDX-License-Identifier: BSD-3-Clause
"""Sensed state: follows a weighted sum of pressures, such as what a pressure transducer shows.

    T ẋ = w_1 p_1 + w_2 p_2 + w_3 p_3 + w_4 p_4 − x

Nodes       four                                  States  x, Pa
Validated by: validation/analytic/test_sensors.py
"""

from knuckleboom.kernels import kernel

KIND = 1
COLUMNS = ("time", "weight_1", "weight_2", "weight_3", "weight_4")


@kernel
def law(p_1, p_2, p_3, p_4, w_1, w_2, w_3, w_4):
    """Return what the state goes to."""
    return w_1 * p_1 + w_2 * p_2 + w_3 * p_3 + w_4 * p_4
