# SPDX-License-Identifier: BSD-3-Clause
"""Restrictor: a fixed orifice between two ports.

    Q = cd·area·√(2·Δp/ρ)                       [Merritt 1967], smooth through Δp = 0

Ports       none of its own; a and b name ports of others          Sign  Q > 0 flows from a to b
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
ISO 1219    a line that two arcs pinch. Proportional to Δp instead: laminar_restrictor.
Validated by: validation/analytic/test_pressure_decay.py
"""

from knuckleboom.describe import Net
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.symbol import throttle


class Restrictor(Orifice):
    """A fixed orifice."""

    SYMBOL = throttle(datum=("{area:mm2} mm²", "{flow[0]:l/min} l/min at {flow[1]:bar} bar"))

    def expand(self, net: Net) -> None:
        net.restrictor(self.a, self.b, **self.size)
