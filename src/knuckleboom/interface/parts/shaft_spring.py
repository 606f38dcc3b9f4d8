# SPDX-License-Identifier: BSD-3-Clause
"""Spring and damper between two shafts: an elastic coupling, a shaft that twists, or, with a stiffness of 0, a drag.

    T = stiffness·(φ_b − φ_a) + damping·(ω_b − ω_a)        turns a forward and b back; no twist at the start

Rows        both shafts                     States  none
Power       stores ½·stiffness·(φ_b − φ_a)², dissipates damping·(ω_b − ω_a)².
Without b it is a bearing: a spring and damper against the ground.
Validated by: validation/analytic/test_shafts.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Part, ShaftName, param
from knuckleboom.net import FromStart
from knuckleboom.quantities import AngularDamping, AngularStiffness


class ShaftSpring(Part):
    """A torsional spring and damper."""

    a: ShaftName = param("one shaft")
    b: ShaftName | None = param("the other; none: the ground", None)
    stiffness: AngularStiffness = param("torque per twist", 0.0, least=0)
    damping: AngularDamping = param("torque per difference of speed", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        if self.a == self.b:
            yield Fault(f"a and b are the same shaft, '{self.a}'.", "Give two different shafts.", field="b")
        if self.stiffness == self.damping == 0.0:
            yield Fault("it has neither stiffness nor damping.", "Give one: stiffness: 20000", field="stiffness")

    def expand(self, net: Net) -> None:
        one = net.scalar(self.a)
        if self.b is None:
            net.spring(one, self.stiffness, None, self.damping, 0.0)
            return
        net.element(
            "shaft_spring", one, net.scalar(self.b), stiffness=self.stiffness, damping=self.damping,
            rest_a=FromStart(), rest_b=FromStart(row=1),
        )  # fmt: skip
