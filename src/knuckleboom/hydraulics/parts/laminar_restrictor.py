# SPDX-License-Identifier: BSD-3-Clause
"""Laminar restrictor: flow in proportion to the pressure drop, as through a thin pipe, a gap or a sintered plug.

    Q = G·Δp      G = conductance, or flow/drop of a catalogue, or with the dynamic viscosity μ = ν·ρ of the oil
    pipe          G = π·diameter⁴/(128·μ·length)               Hagen and Poiseuille     [Merritt 1967]
    gap           G = width·gap³/(12·μ·length)                 between parallel walls   [Merritt 1967]

Ports       none of its own; a and b name ports of others          Sign  Q > 0 flows from a to b
States      none                            Power  dissipates G·Δp² ≥ 0
Valid while the flow is laminar (in a pipe Re = 4·ρ·Q/(π·μ·diameter) < 2300) and the ends count for little.
ISO 1219    a line pinched over some length: a throttle that depends on viscosity.
Validated by: validation/analytic/test_throttles.py
"""

import math
from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.quantities import Conductance, FlowAt, Length, Viscosity
from knuckleboom.symbol import throttle

WAYS = (("conductance",), ("flow",), ("length", "diameter"), ("length", "width", "gap"))
FIX = (
    "Give one of: conductance: 1e-12 m3/(s Pa)\n"
    "             flow: [1 l/min, 10 bar]\n"
    "             length: 2 m, diameter: 3 mm\n"
    "             length: 20 mm, width: 60 mm, gap: 20 um"
)


class LaminarRestrictor(Between):
    """A restrictor whose flow is proportional to the pressure drop."""

    SYMBOL = throttle(laminar=True, datum=("{flow[0]:l/min} l/min at {flow[1]:bar} bar",))

    conductance: Conductance | None = param("flow per pressure drop", None, above=0)
    flow: FlowAt | None = param("flow and its pressure drop; instead of conductance", None)
    length: Length | None = param("length of the pipe or gap along the flow", None, above=0)
    diameter: Length | None = param("inner diameter of the pipe", None, above=0)
    width: Length | None = param("width of the gap across the flow; of a ring: its circumference", None, above=0)
    gap: Length | None = param("height of the gap", None, above=0)
    viscosity: Viscosity | None = param("kinematic viscosity, for length; default: that of the oil", None, above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        settings = dict.fromkeys(name for way in WAYS for name in way)
        words = [name for name in settings if getattr(self, name) is not None]
        if set(words) not in [set(way) for way in WAYS]:
            rule = f"{', '.join(words) or 'nothing'} given: that is not one conductance."
            yield Fault(rule, FIX, field=words[-1] if words else "a")
        elif self.viscosity is not None and self.length is None:
            yield Fault("viscosity has no effect without length.", FIX, field="viscosity")

    def expand(self, net: Net) -> None:
        net.laminar(self.a, self.b, conductance=self._conductance(net), name="flow")

    def _conductance(self, net: Net) -> float:
        if self.conductance is not None:
            return self.conductance
        if self.flow is not None:
            return self.flow[0] / self.flow[1]
        # one of the geometries is complete: faults() has seen to it
        resisting = net.density(self.a) * (self.viscosity or net.viscosity(self.a)) * (self.length or 1.0)
        if self.diameter is not None:
            return math.pi * self.diameter**4 / (128.0 * resisting)
        return (self.width or 0.0) * (self.gap or 0.0) ** 3 / (12.0 * resisting)
