# SPDX-License-Identifier: BSD-3-Clause
"""Thrust: a force along the line between two places, an input; what a cylinder does, without saying how.

    λ = value                                   s = |p_b − p_a|; λ > 0 presses the places apart

Rows        one length row                  States  none          Input  the part's name
Power       brings λ·ṡ, counted as applied work. Singular when both places coincide.
Validated by: validation/analytic/test_applied_force.py
"""

from knuckleboom import quantities
from knuckleboom.describe import Net, Part, Place, param


class Thrust(Part):
    """An applied force between two places."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    value: quantities.Force = param("force that presses them apart; also an input of this name", 0.0)

    def expand(self, net: Net) -> None:
        net.push(net.length(self.a, self.b), net.input(self.value, unit="N", meaning="applied thrust"))
