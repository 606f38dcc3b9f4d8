# SPDX-License-Identifier: BSD-3-Clause
"""End stops on one coordinate of a joint: stiff, damped, never pulling.

    λ = stiffness·d·(1 + damping·ḋ), at least 0              d is how far the coordinate is beyond lower or upper

Rows        one coordinate row              States  none
Power       stores ½·stiffness·d² and dissipates stiffness·damping·d·ḋ² [Hunt 1975, with exponent 1].
Either limit may be left out. Damping is in s/rad or s/m.
Validated by: validation/analytic/test_joint_stop.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, JointName, Net, Part, param
from knuckleboom.quantities import CoordinateStiffness, CoordinateValue, Index, StopDamping


class JointStop(Part):
    """Lower and upper end of a joint's coordinate."""

    joint: JointName = param("the joint")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    lower: CoordinateValue | None = param("smallest coordinate; none: no lower stop", None)
    upper: CoordinateValue | None = param("largest coordinate; none: no upper stop", None)
    stiffness: CoordinateStiffness = param("torque per angle, or force per length, beyond the limit", above=0)
    damping: StopDamping = param("rise of the force per approach speed", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        if self.lower is None and self.upper is None:
            yield Fault("it has neither lower nor upper.", "Give at least one of them.", field="joint")
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            rule = f"lower ({self.lower:g}) is not below upper ({self.upper:g})."
            yield Fault(rule, "Swap them, or widen the range.", field="upper")

    def expand(self, net: Net) -> None:
        row = net.coordinate(self.joint, self.coordinate)
        net.stop(row, self.lower, self.upper, self.stiffness, self.damping)
