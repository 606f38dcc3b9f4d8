# SPDX-License-Identifier: BSD-3-Clause
"""Cartridge valve: a poppet between a and b that a spring and the pilot pressure x close (logic element, 2/2).

    opens with   share·p_a + (1 − share)·p_b − p_x > cracking,   fully open at cracking + full

Ports       none of its own; a (seat), b (annulus) and x (pilot, takes no flow) name ports of others
Sign        Q > 0 flows from a to b; when open it lets oil through both ways
States      none (the poppet has no mass)   Power  dissipates (p_a − p_b)·Q ≥ 0
`share` is the seat's area as a fraction of the pilot's: 1 pressure function, 1/1.07 or 1/2 directional function. With x
joined to b it is a check valve from a to b, with x joined to a one from b to a; a pilot valve at x makes it any other.
ISO 1219    a poppet of two areas with a spring in a square.
Validated by: validation/analytic/test_check_valves.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import Number, PressureDrop
from knuckleboom.symbol import Symbol, box, line, pilot, spring


class CartridgeValve(Orifice):
    """A two-way cartridge valve that is closed by its pilot pressure."""

    SYMBOL = Symbol(
        1.5, 1.5, {"a": (0.5, 0.0), "b": (1.5, 0.5), "x": pilot(0.5, 1.5)},
        box(0.0, 0.25) + line((0.5, 0.0), (0.5, 0.25)) + line((1.0, 0.5), (1.5, 0.5))
        + line((0.2, 0.85), (0.2, 0.55), (0.5, 0.3), (0.8, 0.55), (0.8, 0.85), (0.2, 0.85))
        + spring(0.5, 0.85, 0.4, upright=True) + line((0.5, 1.25), (0.5, 1.5), dashed=True),
        "{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )  # fmt: skip

    x: Port = param("port of the pilot pressure, which closes it")
    share: Number = param("area at a as a fraction of the area at x", 0.5, above=0, most=1)
    cracking: PressureDrop = param("pressure at which the spring lets it open", "2 bar", least=0)
    full: PressureDrop = param("rise above cracking until it is fully open", "2 bar", above=0)

    def expand(self, net: Net) -> None:
        by = pushes((self.a, self.share), (self.b, 1.0 - self.share), (self.x, -1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.cracking, full=self.full)
