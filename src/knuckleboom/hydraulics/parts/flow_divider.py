# SPDX-License-Identifier: BSD-3-Clause
"""Flow divider: parts the oil of a in a fixed proportion between b and c, whatever their loads.

    orifices    from a into the inner volumes, flows share·Q and (1 − share)·Q at the same drop
    throttles   from there to b and c, open by S(½ ± (p_inner_b − p_inner_c)/band)          S(r) = r²(3 − 2·r)

Ports       none of its own; a (inlet), b and c (outlets) name ports of others
Branches    orifice_b, orifice_c, b, c (flow from a towards b or c positive)
States      oil strain of the two inner volumes, from the start pressure
Power       each branch dissipates Δp·Q ≥ 0.
The spool balances the inner pressures to within ± band/2, so that the parts are within about band/(4·drop) of their
share, `drop` being that of the orifices. It divides only: oil that comes back from b and c is not kept in proportion.
ISO 1219    a square with one inlet and two outlets, each throttled.
Validated by: validation/analytic/test_dividers.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import Between, joined_twice
from knuckleboom.hydraulics.parts.inner_volume import InnerVolume
from knuckleboom.quantities import FlowAt, Number, PressureDrop
from knuckleboom.symbol import Symbol, arc, arrow, box, line


class FlowDivider(InnerVolume, Between):
    """A spool-type flow divider from a to b and c."""

    SYMBOL = Symbol(
        1.5, 1.5, {"a": (0.75, 0.0), "b": (0.25, 1.5), "c": (1.25, 1.5)},
        box(0.0, 0.25, 1.5, 1.0) + line((0.75, 0.0), (0.75, 0.5)) + line((0.25, 0.5), (1.25, 0.5))
        + arrow((0.25, 0.5), (0.25, 1.25)) + arrow((1.25, 0.5), (1.25, 1.25)) + line((0.25, 1.25), (0.25, 1.5))
        + line((1.25, 1.25), (1.25, 1.5)) + arc(0.0, 0.8, 0.2, -60.0, 60.0) + arc(0.5, 0.8, 0.2, 120.0, 240.0)
        + arc(1.0, 0.8, 0.2, -60.0, 60.0) + arc(1.5, 0.8, 0.2, 120.0, 240.0),
        "{share:1} : rest",
    )  # fmt: skip

    c: Port = param("port at the second outlet")
    flow: FlowAt = param("flow into a, and the pressure drop of its fixed orifices")
    share: Number = param("fraction of the flow that goes to b", 0.5, above=0, below=1)
    open_flow: FlowAt | None = param("flow through one open throttle and its drop; default: as `flow`", None)
    band: PressureDrop = param(
        "difference of the inner pressures that moves the spool from end to end", "0.5 bar", above=0
    )
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from joined_twice(self, ("a", "c"), ("b", "c"))

    def expand(self, net: Net) -> None:
        total, drop = self.flow
        open_flow = self.open_flow or self.flow
        first, second = self.inside(net, "inner_b"), self.inside(net, "inner_c")
        ways = (("b", first, second, self.b, self.share), ("c", second, first, self.c, 1.0 - self.share))
        for name, inner, other, outlet, share in ways:
            part = (share * total, drop)
            net.restrictor(self.a, inner, flow=part, transition=self.transition, name=f"orifice_{name}")
            net.opened(
                inner, outlet, flow=open_flow, by={inner: 1.0, other: -1.0}, setting=-0.5 * self.band, full=self.band,
                transition=self.transition, name=name,
            )  # fmt: skip
