# SPDX-License-Identifier: BSD-3-Clause
"""Shaft of a joint: lets pumps, motors, engines, springs and gears act on a coordinate of a joint as on a shaft.

It adds nothing: angle, speed and inertia are those of the joint and of the bodies it carries. The torque acts between
the two bodies of the joint, so that the carrier feels its reaction.
Validated by: validation/analytic/test_shafts.py
"""

from knuckleboom.describe import JointName, param
from knuckleboom.mechanics.parts.shafting import Shafting
from knuckleboom.quantities import Index


class ShaftOf(Shafting):
    """A coordinate of a joint that turns, as a shaft."""

    joint: JointName = param("joint that turns")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
