# SPDX-License-Identifier: BSD-3-Clause
"""Pilot-operated check valve: free from a to b; a pilot pressure at x pushes it open for flow from b to a.

    check     opens with p_a − p_b > cracking
    pilot     opens with p_a − p_b + ratio·(p_x − p_drain) > cracking           drain: a, unless another port is given

Ports       none of its own; a (valve), b (load), x (pilot, takes no flow) and drain name ports of others
Branches    check (never negative), pilot (negative where a load is let down); flow from a to b positive
States      none (the poppet has no mass)   Power  dissipates (p_a − p_b)·Q ≥ 0
`ratio` is that of the areas of pilot piston and seat; each opening is complete at cracking + full. The piston only
pushes: without pilot pressure this is a check valve. With it and flow from a to b at once both branches are open, so
that the drop is a quarter. With back pressure at a, as of a throttle behind it, give `drain`: otherwise p_a pushes the
piston back. Two of them, each piloted from the other's a, are a double lock. Pilot to close: cartridge_valve.
ISO 1219    a check valve with a dashed pilot line to its seat.
Validated by: validation/analytic/test_check_valves.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice, pushes
from knuckleboom.hydraulics.parts.check_valve import CheckValve
from knuckleboom.quantities import Number
from knuckleboom.symbol import check


class PilotCheck(CheckValve):
    """A check valve from a to b that a pilot pressure opens for flow back."""

    SYMBOL = check(pilots=("x", "drain"), datum="{ratio:1} : 1")

    x: Port = param("port of the pilot pressure")
    ratio: Number = param("area of the pilot piston over that of the seat", 3.0, above=0)
    drain: Port | None = param("port that the pilot piston is drained to; default: a", None)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from joined_twice(self, ("x", "drain") if self.drain else ("a", "x"))

    def expand(self, net: Net) -> None:
        check = ((self.a, 1.0), (self.b, -1.0))
        piston = ((self.x, self.ratio), (self.drain or self.a, -self.ratio))
        for name, by in (("check", pushes(*check)), ("pilot", pushes(*check, *piston))):
            net.opened(self.a, self.b, **self.size, by=by, setting=self.cracking, full=self.full, name=name)
