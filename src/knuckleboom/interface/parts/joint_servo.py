# SPDX-License-Identifier: BSD-3-Clause
"""Speed servo in a joint: one coordinate is driven at a speed, an input, by the force that this takes.

    λ = gain·(value − w)        w is the rate of the coordinate; N·m for an angle, N for a length; λ > 0 pushes it up

Rows        one coordinate row              States  none          Input  the part's name, rad/s or m/s
Power       brings λ·w, counted as applied work.
Limits      the speed is held up to load/gain, whatever force that takes. At rest it has none, so that kb.equilibrium
            lets the joint go. A stiff gain needs coupling realtime or unified: explicit steps must be shorter than
            2·inertia/gain. A force that is read while the speed changes is gain times the speed error then, far
            above its mean over a step: take the change of `work` instead. A driver has its motion exactly, but as a
            function of time.
Coordinates of spherical and free joints are those of an effort.
Validated by: validation/analytic/test_servo.py
"""

from knuckleboom.describe import JointName, Net, Part, param
from knuckleboom.quantities import CoordinateDamping, CoordinateRate, Index


class JointServo(Part):
    """A speed that a joint is driven at."""

    joint: JointName = param("the joint")
    gain: CoordinateDamping = param("torque or force per speed that lacks", above=0)
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    value: CoordinateRate = param("set speed; also an input of this name", 0.0)

    def expand(self, net: Net) -> None:
        row = net.coordinate(self.joint, self.coordinate)
        net.servo(row, net.input(self.value, unit=net.rate_unit(row), meaning="set speed"), self.gain)
