# SPDX-License-Identifier: BSD-3-Clause
"""Piston accumulator: gas behind a piston whose seals rub.

    p = precharge·(1 − e)^(−exponent),   e = oil in it/size
    the piston moves once |p_to − p| is above `friction`: two opposed orifices, each opening from `friction` to the
    drop of `flow`

Port        one, with the part's name: the gas side; `to` names the port that its inlet is joined to
Branches    `<name>.fill` (from `to` in) and `<name>.draw` (back out), each ≥ 0
States      e, the share of its size that oil fills, from `pressure`
Power       the gas stores; friction and inlet dissipate |p_to − p|·Q ≥ 0.
Validated by: validation/analytic/test_accumulator.py       ISO 1219: an oval with a piston and a hollow triangle
Pressures are absolute. Between filling and drawing the line's pressure can differ by 2·friction with no flow: the loop
of a rubbing piston. The piston has no mass.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, param
from knuckleboom.hydraulics.parts.accumulator import Accumulator
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import Symbol, arc, box, line, triangle
from knuckleboom.units import format_si


class PistonAccumulator(Accumulator):
    """A gas accumulator with a piston that rubs."""

    SYMBOL = Symbol(
        1.0, 1.5, {"to": (0.5, 0.0), "": (1.0, 0.75)},
        arc(0.5, 1.0, 0.375, 0.0, 180.0) + arc(0.5, 0.625, 0.375, 180.0, 360.0) + line((0.5, 0.0), (0.5, 0.25))
        + line((0.125, 0.625), (0.125, 1.0)) + line((0.875, 0.625), (0.875, 1.0)) + box(0.125, 0.625, 0.75, 0.125)
        + triangle((0.5, 1.0), "down", 0.2, full=False),
        datum="{size:l} l, {precharge:bar} bar", quiet=("",), leads={"": line((0.875, 0.75), (1.0, 0.75))},
    )  # fmt: skip

    friction: PressureDrop = param("pressure difference that moves the piston", "0.5 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if self.flow[1] <= self.friction:
            drop, friction = format_si(self.flow[1], "Pa"), format_si(self.friction, "Pa")
            rule = f"flow is at {drop}, which is not above friction ({friction})."
            yield Fault(rule, "Give flow at a pressure drop that moves the piston.", field="flow")

    def expand(self, net: Net) -> None:
        self.gas(net)
        for a, b, name in ((self.to, self.port(), "fill"), (self.port(), self.to, "draw")):
            net.opened(
                a, b, flow=self.flow, by={a: 1.0, b: -1.0}, setting=self.friction, full=self.flow[1] - self.friction,
                transition=self.transition, name=name,
            )  # fmt: skip
