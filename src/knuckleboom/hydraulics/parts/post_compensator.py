# SPDX-License-Identifier: BSD-3-Clause
"""Pressure compensator behind a metering edge: keeps the pressure at a a margin above that of the load-sensing line.

    open by S(r),  r = (p_a − p_LS − margin)/band held within 0..1          S(r) = r²(3 − 2·r)

Ports       none of its own; a (after the edge), b (consumer) and LS (takes no flow) name ports of others
Sign        Q > 0 flows from a to b         States  none (the spool has no mass)
Power       dissipates (p_a − p_b)·Q ≥ 0
With the highest load pressure at LS of several sections, all edges have the same drop: a pump that cannot keep its
margin feeds all of them in proportion (flow sharing). LS is that of the highest load, so that a section of lower load
is throttled and that of the highest load is nearly open. `margin` is the spring's, small. It needs a volume at a.
ISO 1219    a square with one arrow in line, closed at rest; opened by a, closed by the spring and LS.
Validated by: validation/analytic/test_compensators.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pressure_valve


class PostCompensator(Orifice):
    """A valve in line that keeps p_a − p_LS from falling below a margin."""

    SYMBOL = pressure_valve(opens=True, behind=("LS",), datum="{margin:bar} bar")

    LS: Port = param("port of the load-sensing line, that of the highest load")
    margin: PressureDrop = param("pressure of a above LS at which it begins to open", "1 bar", above=0)
    band: PressureDrop = param("rise above the margin until it is fully open", "2 bar", above=0)

    def expand(self, net: Net) -> None:
        by = pushes((self.a, 1.0), (self.LS, -1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.margin, full=self.band)
