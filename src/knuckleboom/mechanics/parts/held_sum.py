# SPDX-License-Identifier: BSD-3-Clause
"""Held sum: coordinates of shafts, or of columns of oil, whose sum with coefficients stays what it is.

    Σ c_i·s_i = value,   Σ c_i·ṡ_i = 0          one held row; its multiplier λ acts on each as −c_i·λ

Differential    of: {cage: 1, left: -0.5, right: -0.5}         λ/2 is the torque of each side
Planetary gear  of: {sun: z_s, ring: z_r, carrier: -z_s - z_r} with the numbers of teeth: Willis' equation
Junction        of: {in: 1, one: -1, other: -1}, columns of oil that end there (b left out) and that begin there (a
                left out): no volume, and λ is the pressure there above ambient
Results         multiplier, N·m of shafts and Pa of columns; residual and residual_rate, how far the sum has drifted
It loses nothing and stores nothing. Sums that leave what they name no freedom are refused.
Validated by: validation/analytic/test_held_sum.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, MovingName, Part, param
from knuckleboom.quantities import Number


class HeldSum(Part):
    """A sum of rates that is held at zero: a differential, a planetary gear, a junction of columns of oil."""

    of: dict[MovingName, Number] = param("names of shafts, or of columns of oil, each with its coefficient")
    value: Number | None = param("of the sum, in rad or m³; default: what it is at the start", None)

    def faults(self) -> Iterator[Fault]:
        if len(self.of) < 2:
            yield Fault("of has fewer than two terms.", "Give two or more: {cage: 1, left: -0.5, right: -0.5}", "of")
        for name, factor in self.of.items():
            if factor == 0.0:
                yield Fault(f"the coefficient of '{name}' is 0.", "Leave it out, or give another.", field="of")
