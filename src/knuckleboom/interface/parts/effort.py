# SPDX-License-Identifier: BSD-3-Clause
"""Effort: a torque or force on one coordinate of a joint, an input.

    λ = value              N·m for an angle, N for a length; positive pushes the coordinate up, b against a

Rows        one coordinate row              States  none          Input  the part's name
On spherical joints coordinate 0..2 is a torque about b's x, y, z; on free joints 0..2 is a force along a's x, y, z
and 3..5 a torque about b's axes, as their speeds are defined.
Validated by: validation/analytic/test_applied_force.py
"""

from knuckleboom.describe import JointName, Net, Part, param
from knuckleboom.quantities import CoordinateEffort, Index


class Effort(Part):
    """An applied torque or force in a joint."""

    joint: JointName = param("the joint")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    value: CoordinateEffort = param("torque or force; also an input of this name", 0.0)

    def expand(self, net: Net) -> None:
        row = net.coordinate(self.joint, self.coordinate)
        net.push(row, net.input(self.value, unit=net.force_unit(row), meaning="applied effort"))
