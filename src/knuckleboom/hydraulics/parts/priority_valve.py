# SPDX-License-Identifier: BSD-3-Clause
"""Priority valve: one consumer (CF, such as steering) gets what it asks for, another (EF) what is left.

    CF   from P to CF, open by S(r)              EF   from P to EF, open by S(1 − r) = 1 − S(r)
    r = (margin − (p_CF − p_LS))/band held within 0..1          S(r) = r²(3 − 2·r)

Ports       none of its own; P (pump), CF (controlled flow), EF (excess flow), LS (takes no flow) name ports of others
Branches    CF, EF (flow from P positive)   States  none (the spool has no mass)
Power       each path dissipates Δp·Q ≥ 0.
p_CF is kept between margin − band and margin above the load pressure that the priority consumer reports at LS; while it
is lower, all oil goes there. Without a load-sensing consumer join LS behind an orifice in the line of CF: then a
constant flow has priority. P needs a volume, the pump's line, and so does CF.
ISO 1219    a square with one inlet and two outlets; spring and LS on the side of CF.
Validated by: validation/analytic/test_dividers.py
"""

from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import Fault, Net, Part, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice, narrower, pushes
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import Symbol, arrow, box, line, pilot, spring


class PriorityValve(Part):
    """A valve that feeds CF before EF."""

    SYMBOL = Symbol(
        1.75, 1.5, {"P": (0.75, 0.0), "CF": (0.5, 1.5), "EF": (1.0, 1.5), "LS": pilot(1.75, 0.5)},
        box(0.25, 0.25) + line((0.75, 0.0), (0.75, 0.25)) + arrow((0.75, 0.25), (0.5, 1.25))
        + arrow((0.75, 0.25), (1.0, 1.25)) + line((0.5, 1.25), (0.5, 1.5)) + line((1.0, 1.25), (1.0, 1.5))
        + line((1.75, 0.5), (1.25, 0.5), dashed=True) + spring(1.25, 0.75),
        "{margin:bar} bar",
    )  # fmt: skip

    P: Port = param("port of the pump")
    CF: Port = param("port of the consumer with priority (controlled flow)")
    EF: Port = param("port of the others (excess flow)")
    LS: Port = param("port of the load pressure of the consumer with priority")
    flow: FlowAt = param("flow through one open path, and its pressure drop")
    margin: PressureDrop = param("pressure of CF above LS at which CF is closed", "7 bar", above=0)
    band: PressureDrop = param("fall below the margin until all oil goes to CF", "2 bar", above=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from joined_twice(self, ("P", "CF"), ("P", "EF"), ("CF", "EF"), ("CF", "LS"))
        yield from narrower(self, "band", "margin")

    def expand(self, net: Net) -> None:
        size: dict[str, Any] = {"flow": self.flow, "full": self.band, "transition": self.transition}
        satisfied, wanting = pushes((self.CF, 1.0), (self.LS, -1.0)), pushes((self.CF, -1.0), (self.LS, 1.0))
        net.opened(self.P, self.CF, **size, by=wanting, setting=-self.margin, name="CF")
        net.opened(self.P, self.EF, **size, by=satisfied, setting=self.margin - self.band, name="EF")
