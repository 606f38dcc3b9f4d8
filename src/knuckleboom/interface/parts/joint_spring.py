# SPDX-License-Identifier: BSD-3-Clause
"""Spring and damper on one coordinate of a joint.

    λ = −stiffness·(q − rest) − damping·q̇                N·m for an angle, N for a length

Rows        one coordinate row              States  none
Power       stores ½·stiffness·(q − rest)², dissipates damping·q̇².
A text may be in the units of an angle (N·m/rad) or of a length (N/m); which one is right follows from the joint.
Orientations of spherical and free joints have no single coordinate and are refused.
Validated by: validation/analytic/test_spring_mass.py
"""

from knuckleboom.describe import JointName, Net, Part, param
from knuckleboom.quantities import CoordinateDamping, CoordinateStiffness, CoordinateValue, Index


class JointSpring(Part):
    """A linear spring and damper in a joint."""

    joint: JointName = param("the joint")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    stiffness: CoordinateStiffness = param("torque per angle, or force per length", least=0)
    rest: CoordinateValue = param("coordinate without force", 0.0)
    damping: CoordinateDamping = param("torque per angular speed, or force per speed", 0.0, least=0)

    def expand(self, net: Net) -> None:
        row = net.coordinate(self.joint, self.coordinate)
        net.spring(row, self.stiffness, self.rest, self.damping, 0.0)
