# SPDX-License-Identifier: BSD-3-Clause
"""What hoses and pipes share: a round line of one lumped volume, with friction to its far end.

    V = π/4·d²·l + elastic·(p − p_ambient),   elastic = π/4·d²·l/B_wall,   V·ė + elastic·ṗ = ΣQ
    Δp = 128·μ·l/(π·d⁴)·Q                       where it is slow (Hagen, Poiseuille)
    Δp = (friction·l/d + fittings)·ρ/2·(Q/A)²   where it is fast            [Baharudin 2016, publ. IV eq. 15, corrected]

The oil stands at the near end, which is the part's own port; the friction of the whole length lies between it and `to`.
One restrictor carries both laws: its slope at Δp = 0 is that of the first and its root that of the second; they meet at
the Reynolds number 80/friction, 2000 for the default, where the first alone would give 25 % more flow. `flow` instead
is a measured pair. No waves and no momentum of the oil: a line is short against the wavelength.
"""

import math
from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, OilName, Part, Port, param
from knuckleboom.quantities import FlowAt, Length, Number, Pressure, PressureDrop


class Line(Part):
    """Base of the parts that are a round line of oil from the own port to another."""

    PORTS = ("",)

    to: Port = param("port at the far end; its own port is the near end")
    oil: OilName = param("oil of the circuit")
    length: Length = param("length of the line", above=0)
    diameter: Length = param("inner diameter", above=0)
    pressure: Pressure = param("start pressure", "1.01325 bar", above=0)
    flow: FlowAt | None = param("flow and its pressure drop, as measured; default: from the oil's viscosity", None)
    friction: Number = param("friction factor of turbulent flow", 0.04, above=0)
    fittings: Number = param("loss factors of bends and fittings, added up", 0.0, least=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed, with flow", "2 bar", above=0)

    @property
    def area(self) -> float:
        """Inner cross-section, m²."""
        return 0.25 * math.pi * self.diameter**2

    @property
    def size(self) -> float:
        """Oil that it holds, m³."""
        return self.area * self.length

    def wall_bulk(self) -> float | None:
        """Bulk modulus of the wall, V·dp/dV of the bore, Pa; none: rigid."""
        raise NotImplementedError

    def faults(self) -> Iterator[Fault]:
        given = self.model_fields_set
        unused = ("transition",) if self.flow is None else ("friction", "fittings")
        for field in unused:
            if field in given and self.flow is None:
                yield Fault(f"{field} has no effect without flow.", "Add flow: [40 l/min, 2 bar]", field=field)
            elif field in given:
                yield Fault(f"{field} has no effect with flow.", "Leave one of them out.", field=field)
        if self.to == self.name:
            yield Fault("its far end is joined to its own port.", "Join `to` to the port of another part.", field="to")

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        wall = self.wall_bulk()
        net.volume(self.port(), self.size, self.pressure, elastic=0.0 if wall is None else self.size / wall)
        if self.flow is not None:
            net.restrictor(self.port(), self.to, flow=self.flow, transition=self.transition)
            return
        density, viscosity = net.density(self.to), net.viscosity(self.to)
        loss = self.friction * self.length / self.diameter + self.fittings
        root = self.area * math.sqrt(2.0 / (density * loss))
        slope = self.area * self.diameter**2 / (32.0 * density * viscosity * self.length)
        # an orifice has the slope 5/4·root/√transition at Δp = 0
        transition = (1.25 * root / slope) ** 2
        net.restrictor(self.port(), self.to, flow=(root * math.sqrt(transition), transition), transition=transition)
