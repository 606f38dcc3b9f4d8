# SPDX-License-Identifier: BSD-3-Clause
"""Check valve: free flow from a to b once the drop exceeds the cracking pressure, none back.

    opening rises from 0 at p_a − p_b = cracking to 1 at cracking + full, smoothly; an orifice law with that opening

Ports       none of its own; a and b name ports of others          Sign  Q > 0 flows from a to b
States      none (the poppet has no mass)   Power  dissipates (p_a − p_b)·Q ≥ 0
ISO 1219    a ball that a spring presses on its seat, the seat towards a.
Validated by: validation/analytic/test_check_valve.py
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import check


class CheckValve(Orifice):
    """A check valve, free from a to b."""

    SYMBOL = check(datum="{cracking:bar} bar")

    cracking: PressureDrop = param("pressure drop at which it begins to open", "0.5 bar", least=0)
    full: PressureDrop = param("rise above cracking until it is fully open", "1 bar", above=0)

    def expand(self, net: Net) -> None:
        net.opened(self.a, self.b, **self.size, by={self.a: 1.0, self.b: -1.0}, setting=self.cracking, full=self.full)
