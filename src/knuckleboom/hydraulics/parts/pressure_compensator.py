# SPDX-License-Identifier: BSD-3-Clause
"""Pressure compensator in front of a metering edge: keeps the pressure at b a margin above the load's, at LS.

    open by S(r),  r = (margin − (p_b − p_LS))/band held within 0..1          S(r) = r²(3 − 2·r)

Ports       none of its own; a (supply), b (before the edge) and LS (after the edge, takes no flow) name ports of others
Sign        Q > 0 flows from a to b         States  none (the spool has no mass)
Power       dissipates (p_a − p_b)·Q ≥ 0
The edge between b and LS then has a drop between margin − band and margin whatever the load, so that its flow is
proportional to its opening: within √((margin − band)/margin). Below that the supply is too low and the compensator is
fully open. It needs a volume at b, as the hose or gallery to the valve. Behind the edge: post_compensator; with an
orifice of its own: flow_control.
ISO 1219    a square with one arrow in line, open at rest; closed by b, opened by the spring and LS.
Validated by: validation/analytic/test_compensators.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import narrower, pushes
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pressure_valve


class PressureCompensator(Orifice):
    """A valve in line that keeps p_b − p_LS from rising above a margin."""

    SYMBOL = pressure_valve(opens=False, sensed="b", behind=("LS",), datum="{margin:bar} bar")

    LS: Port = param("port of the load pressure")
    margin: PressureDrop = param("pressure of b above LS at which it is closed", "7 bar", above=0)
    band: PressureDrop = param("fall below the margin until it is fully open", "2 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from narrower(self, "band", "margin")

    def expand(self, net: Net) -> None:
        by = pushes((self.b, -1.0), (self.LS, 1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=-self.margin, full=self.band)
