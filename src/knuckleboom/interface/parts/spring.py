# SPDX-License-Identifier: BSD-3-Clause
"""Spring between two places, with a damper in parallel.

    λ = preload − stiffness·(s − rest) − damping·ṡ             s = |p_b − p_a|; λ > 0 presses the places apart

Rows        one length row                  States  none
Power       stores ½·stiffness·(s − rest)², dissipates damping·ṡ²; `preload` acts as a constant force.
Without `rest` the spring is relaxed at the start pose, but for the preload. Singular when both places coincide.
Validated by: validation/analytic/test_spring_mass.py
"""

from knuckleboom.describe import Net, Part, Place, param
from knuckleboom.quantities import Damping, Force, Length, Stiffness


class Spring(Part):
    """A linear spring and damper along the line between two places."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    stiffness: Stiffness = param("force per length", least=0)
    rest: Length | None = param("length without force; default: that at the start", None, least=0)
    damping: Damping = param("force per speed", 0.0, least=0)
    preload: Force = param("force at the rest length, positive presses apart", 0.0)

    def expand(self, net: Net) -> None:
        row = net.length(self.a, self.b)
        net.spring(row, self.stiffness, self.rest, self.damping, self.preload)
