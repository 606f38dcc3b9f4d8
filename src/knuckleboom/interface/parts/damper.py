# SPDX-License-Identifier: BSD-3-Clause
"""Damper between two places.

    λ = −damping·ṡ             s = |p_b − p_a|; λ > 0 presses the places apart

Rows        one length row                  States  none
Power       dissipates damping·ṡ² ≥ 0. Singular when both places coincide.
Validated by: validation/analytic/test_spring_mass.py
"""

from knuckleboom.describe import Net, Part, Place, param
from knuckleboom.quantities import Damping


class Damper(Part):
    """A linear damper along the line between two places."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    damping: Damping = param("force per speed", least=0)

    def expand(self, net: Net) -> None:
        row = net.length(self.a, self.b)
        net.spring(row, 0.0, 0.0, self.damping, 0.0)
