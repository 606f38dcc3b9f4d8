# SPDX-License-Identifier: BSD-3-Clause
"""Accumulator: gas behind a bladder or membrane, filled through an inlet orifice.

    p = precharge·(1 − e)^(−exponent),   e = oil in it/size,   ė = Q/size        exponent 1: isothermal, 1.4: adiabatic

Port        one, with the part's name: the gas side; `to` names the port that its inlet is joined to
Sign        Q > 0 flows from `to` into it   States  e, the share of its size that oil fills, from `pressure`
Power       the gas stores; the inlet dissipates (p_to − p)·Q ≥ 0.
Validated by: validation/analytic/test_accumulator.py       ISO 1219: an oval, parted, with a hollow triangle on top
Pressures are absolute, `precharge` too. Gas follows one polytrope: heat that it gives off comes back in full. Empty (p
below precharge) it holds no oil: its pressure falls steeply and smoothly with the little that is left.
"""

from collections.abc import Iterator

from knuckleboom import quantities
from knuckleboom.describe import Fault, Net, OilName, Part, Port, param
from knuckleboom.quantities import FlowAt, Number, PressureDrop
from knuckleboom.symbol import Symbol, arc, line, triangle


class Accumulator(Part):
    """A gas accumulator with an inlet orifice."""

    PORTS = ("",)
    SYMBOL = Symbol(
        1.0, 1.5, {"to": (0.5, 0.0), "": (1.0, 0.75)},
        arc(0.5, 1.0, 0.375, 0.0, 180.0) + arc(0.5, 0.625, 0.375, 180.0, 360.0) + line((0.5, 0.0), (0.5, 0.25))
        + line((0.125, 0.625), (0.125, 1.0)) + line((0.875, 0.625), (0.875, 1.0)) + line((0.125, 0.75), (0.875, 0.75))
        + triangle((0.5, 1.0), "down", 0.2, full=False),
        datum="{size:l} l, {precharge:bar} bar", quiet=("",), leads={"": line((0.875, 0.75), (1.0, 0.75))},
    )  # fmt: skip

    to: Port = param("port that its inlet is joined to")
    oil: OilName = param("oil of the circuit")
    size: quantities.Volume = param("gas volume when empty of oil", above=0)
    precharge: quantities.Pressure = param("gas pressure when empty of oil", above=0)
    flow: FlowAt = param("flow through its inlet and its pressure drop")
    exponent: Number = param("polytropic exponent of the gas, 1 slow to 1.4 quick", 1.4, least=1)
    pressure: quantities.Pressure | None = param("start pressure; default: precharge", None, above=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "0.5 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        if self.to == self.name:
            yield Fault("its inlet is joined to its own port.", "Join `to` to the port of another part.", field="to")

    def gas(self, net: Net) -> None:
        """Write the gas at its own port."""
        net.oil(self.oil)
        start = self.precharge if self.pressure is None else self.pressure
        net.gas(self.port(), self.size, precharge=self.precharge, exponent=self.exponent, start=start)

    def expand(self, net: Net) -> None:
        self.gas(net)
        net.restrictor(self.to, self.port(), flow=self.flow, transition=self.transition)
