# SPDX-License-Identifier: BSD-3-Clause
"""Shuttle valve: joins the higher of the pressures at a and b to its own port.

    path a   open by S((p_a − p_b)/full + ½)        path b   open by S((p_b − p_a)/full + ½)        S(r) = r²(3 − 2·r)

Ports       its own, with the part's name; a and b name ports of others
Branches    a, b: flow from a or b to its own port is positive; both openings together are always 1
States      oil strain of its own port, from the start pressure
Power       each path dissipates Δp·Q ≥ 0.
The ball goes from one seat to the other within a pressure difference of ± full/2. Its port is a pilot or load-sensing
line: `volume` is the oil in that line. Chains of shuttles give the highest of several pressures.
ISO 1219    a ball between two seats, the outlet in the middle.
Validated by: validation/analytic/test_check_valves.py
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.between import Between, pushes
from knuckleboom.hydraulics.parts.inner_volume import InnerVolume
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import Symbol, box, circle, line, pilot


class ShuttleValve(InnerVolume, Between):
    """The higher of two pressures, at a port of its own."""

    SYMBOL = Symbol(
        1.5, 0.75, {"a": pilot(0.0, 0.25), "b": pilot(1.5, 0.25), "": pilot(0.75, 0.75)},
        box(0.25, 0.0, 1.0, 0.5) + line((0.0, 0.25), (0.25, 0.25)) + line((1.25, 0.25), (1.5, 0.25))
        + line((0.25, 0.25), (0.45, 0.4)) + line((0.25, 0.25), (0.45, 0.1)) + circle(0.5, 0.25, 0.12)
        + line((1.25, 0.25), (1.05, 0.4)) + line((1.25, 0.25), (1.05, 0.1)) + line((0.75, 0.5), (0.75, 0.75)),
    )  # fmt: skip
    PORTS = ("",)

    flow: FlowAt = param("flow through one open path, and its pressure drop", ("5 l/min", "5 bar"))
    full: PressureDrop = param("pressure difference over which the ball changes sides", "0.5 bar", above=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    def expand(self, net: Net) -> None:
        out = self.inside(net)
        for name, inlet, other in (("a", self.a, self.b), ("b", self.b, self.a)):
            net.opened(
                inlet, out, flow=self.flow, by=pushes((inlet, 1.0), (other, -1.0)), setting=-0.5 * self.full,
                full=self.full, transition=self.transition, name=name,
            )  # fmt: skip
