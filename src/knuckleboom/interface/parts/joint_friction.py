# SPDX-License-Identifier: BSD-3-Clause
"""Friction on one coordinate of a joint, smooth through zero speed.

    λ = −coulomb·tanh(w/speed) − viscous·w               w is the rate of the coordinate

Rows        one coordinate row              States  none
Power       dissipates |λ·w| ≥ 0.
The part creeps under a force below `coulomb`: it does not hold. A smaller `speed` creeps less and needs a smaller step.
"""

from knuckleboom.describe import JointName, Net, Part, param
from knuckleboom.quantities import CoordinateDamping, CoordinateEffort, CoordinateRate, Index


class JointFriction(Part):
    """Dry and viscous friction in a joint."""

    joint: JointName = param("the joint")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    coulomb: CoordinateEffort = param("dry friction torque or force", least=0)
    viscous: CoordinateDamping = param("friction per rate", 0.0, least=0)
    speed: CoordinateRate = param("rate at which tanh takes dry friction to 76 %", 0.01, above=0)

    def expand(self, net: Net) -> None:
        row = net.coordinate(self.joint, self.coordinate)
        net.friction(row, self.coulomb, self.viscous, self.speed)
