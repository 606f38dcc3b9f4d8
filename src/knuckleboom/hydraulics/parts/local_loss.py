# SPDX-License-Identifier: BSD-3-Clause
"""Local loss: a bend, tee or fitting in a line, by its loss factor.

    Δp = factor·ρ/2·(Q/A)²,   A = π/4·diameter²                     that is Q = A·√(2·Δp/(factor·ρ))

Ports       none of its own; a and b name ports of others          Sign  Q > 0 flows from a to b
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
Validated by: validation/analytic/test_filter.py            ISO 1219: a line with a narrowing
The same both ways. A restrictor is the part for a known flow at a pressure drop.
"""

import math

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.quantities import Length, Number, PressureDrop
from knuckleboom.symbol import Symbol, line


class LocalLoss(Between):
    """A loss by its factor."""

    SECTION = "local_losses"
    SYMBOL = Symbol(
        0.5, 1.0, {"a": (0.25, 0.0), "b": (0.25, 1.0)},
        line((0.25, 0.0), (0.25, 0.35), (0.45, 0.5), (0.25, 0.65), (0.25, 1.0)), datum="ζ {factor:1}",
    )  # fmt: skip

    a: Port = param("port at one side")
    b: Port = param("port at the other side")
    factor: Number = param("pressure drop over ρ/2·v², such as 1.1 for a sharp bend", above=0)
    diameter: Length = param("inner diameter that the speed v belongs to", above=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "0.2 bar", above=0)

    def expand(self, net: Net) -> None:
        area = 0.25 * math.pi * self.diameter**2
        net.restrictor(self.a, self.b, area=area, cd=1.0 / math.sqrt(self.factor), transition=self.transition)
