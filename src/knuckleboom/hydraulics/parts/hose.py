# SPDX-License-Identifier: BSD-3-Clause
"""Hose: an elastic line from its own port to another; its wall is compliant.

    V = π/4·d²·l,   1/B_e = 1/B_oil + 1/wall                                [Baharudin 2016, publ. IV eq. 15, corrected]
    resistance: laminar and turbulent from the oil's viscosity, or `flow` at a pressure drop (line.py)

Port        one, with the part's name: the near end; `to` names the port at the far end
Sign        Q > 0 flows from the own port to `to`           States  oil strain at the near end, from `pressure`
Power       oil and wall store, the resistance dissipates (p − p_to)·Q ≥ 0.
Validated by: validation/analytic/test_hose.py              ISO 1219: a line that hangs in an arc
`wall` is the bulk modulus of the wall alone, of the order of 150 MPa for a soft hose and 1 GPa for one with steel
spirals: V·dp/dV of the empty bore, from the maker's expansion figure. Walls expand in proportion to the pressure.
"""

import math

from knuckleboom.describe import param
from knuckleboom.hydraulics.parts.line import Line
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import Symbol, arc

LEAN = math.degrees(math.atan2(0.5, 0.25))  # half the angle of its arc


class Hose(Line):
    """A hose with an elastic wall."""

    SYMBOL = Symbol(
        0.75, 1.0, {"": (0.25, 0.0), "to": (0.25, 1.0)}, arc(0.0, 0.5, math.hypot(0.25, 0.5), -LEAN, LEAN),
        datum="ø{diameter:mm} × {length:m} m",
    )  # fmt: skip

    wall: PressureDrop = param("bulk modulus of the wall: pressure per relative growth of the bore", above=0)

    def wall_bulk(self) -> float | None:
        return self.wall
