# SPDX-License-Identifier: BSD-3-Clause
"""Gear stage between two shafts, without mass and play.

    ω_b = ratio·ω_a,   T_a + ratio·T_b = 0            one held row; b is given minus its multiplier

A ratio below 1 slows b down and raises its torque; a negative one reverses it. It loses nothing: what meshing and
bearings take is a drag on a shaft (`shaft_spring` to a housing, or `friction` of the joint). Its inertia is added to
one of the shafts.
Validated by: validation/analytic/test_shafts.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Part, ShaftName, param
from knuckleboom.quantities import Number


class GearStage(Part):
    """A constant ratio between two shafts."""

    a: ShaftName = param("shaft that drives")
    b: ShaftName = param("shaft that follows")
    ratio: Number = param("speed of b over speed of a")

    def faults(self) -> Iterator[Fault]:
        if self.ratio == 0.0:
            yield Fault("ratio is 0: b would stand still and a would drive nothing.", "Give ω_b/ω_a.", field="ratio")
        if self.a == self.b:
            yield Fault(f"a and b are the same shaft, '{self.a}'.", "Give two different shafts.", field="b")
