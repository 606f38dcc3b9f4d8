# SPDX-License-Identifier: BSD-3-Clause
"""Gear: ties a coordinate of one joint to a coordinate of another.

    q_b − q_b(start) = ratio·(q_a − q_a(start))            one constraint row, no mass, no play

For two angles or two lengths the ratio is a plain number; for an angle and a length it is in m/rad or rad/m (a rack:
the pinion's radius). A negative ratio turns them against each other. Orientations of spherical and free joints have
no coordinate that a gear could take.
Validated by: validation/analytic/test_gear.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, JointName, Part, param
from knuckleboom.quantities import Index, Number


class Gear(Part):
    """A constant ratio between two joint coordinates."""

    a: JointName = param("joint that drives")
    b: JointName = param("joint that follows")
    ratio: Number = param("change of b's coordinate per change of a's")
    coordinate_a: Index = param("which coordinate of a, from 0", 0)
    coordinate_b: Index = param("which coordinate of b, from 0", 0)

    def faults(self) -> Iterator[Fault]:
        if self.a == self.b and self.coordinate_a == self.coordinate_b:
            yield Fault("a and b are the same coordinate of one joint.", "Give two different coordinates.", field="b")
