# SPDX-License-Identifier: BSD-3-Clause
"""Hydraulic cylinder between two places: massless, two chambers, friction, leakage and end stops.

    λ = p_a·A_a − p_b·A_b − p_ambient·(A_a − A_b) − friction + stops         A_a = π/4·bore², A_b = π/4·(bore² − rod²)
    friction = coulomb·tanh(ṡ/friction_speed) + viscous·ṡ,   leakage Q_ab = leak·(p_a − p_b)
    V_a = dead_a + A_a·x,   V_b = dead_b + A_b·(stroke − x),   x = s − closed

Ports       a (bore side, extends the rod), b (rod side)
Signs       s = |p_b − p_a| pin to pin; λ > 0 extends; flow into a chamber counts positive.
States      oil strain of each chamber, from pressure_a and pressure_b
Power       oil stores, friction, leakage and stop damping dissipate.
Stops       below closed and above closed + stroke: stop_stiffness·d·(1 + stop_damping·ḋ), never pulling
Pressures are absolute; `closed` defaults to the start length − stroke/2. `rod: 0` is a piston without a rod (equal
areas), as in [Naya 2011]. Oil mass is not included. For barrel and rod as bodies join them by a prismatic joint and put
the cylinder between the same pins.
"""

import math
from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, OilName, Part, Place, param
from knuckleboom.quantities import Conductance, Damping, Force, Length, Pressure, Speed, Stiffness, StopDamping, Volume
from knuckleboom.symbol import Symbol, box, line


class Cylinder(Part):
    """A double-acting cylinder along the line between two pins."""

    PORTS = ("a", "b")
    SYMBOL = Symbol(
        3.0, 1.0, {"a": (0.25, 0.0), "b": (2.25, 0.0)},
        box(0.0, 0.25, 2.5, 0.75) + box(0.75, 0.25, 0.25, 0.75) + box(1.0, 0.5625, 2.0, 0.125)
        + line((0.25, 0.0), (0.25, 0.25)) + line((2.25, 0.0), (2.25, 0.25)),
        datum="ø{bore:mm}/{rod:mm} × {stroke:mm}", level="top", label="above",
    )  # fmt: skip

    a: Place = param("place of the base pin (barrel)")
    b: Place = param("place of the rod-end pin")
    bore: Length = param("diameter of the piston", above=0)
    rod: Length = param("diameter of the rod", least=0)
    stroke: Length = param("travel from retracted to extended", above=0)
    oil: OilName = param("oil in both chambers")
    closed: Length | None = param("pin-to-pin length when retracted; default: start length − stroke/2", None, above=0)
    dead_a: Volume = param("oil volume on the bore side when retracted, with hose", "0.1 l", least=0)
    dead_b: Volume = param("oil volume on the rod side when extended, with hose", "0.1 l", least=0)
    pressure_a: Pressure = param("start pressure on the bore side", "1.01325 bar", above=0)
    pressure_b: Pressure = param("start pressure on the rod side", "1.01325 bar", above=0)
    viscous: Damping = param("friction per speed", 0.0, least=0)
    coulomb: Force = param("dry friction", 0.0, least=0)
    friction_speed: Speed = param("speed at which tanh takes dry friction to 76 %", "1 cm/s", above=0)
    leak: Conductance = param("leakage past the piston per pressure difference", 0.0, least=0)
    stop_stiffness: Stiffness = param("stiffness of the end stops", 1e8, above=0)
    stop_damping: StopDamping = param("rise of the stop force per approach speed", 1.0, least=0)

    @property
    def area_a(self) -> float:
        """Piston area on the bore side, m²."""
        return 0.25 * math.pi * self.bore**2

    @property
    def area_b(self) -> float:
        """Ring area on the rod side, m²."""
        return 0.25 * math.pi * (self.bore**2 - self.rod**2)

    def faults(self) -> Iterator[Fault]:
        if self.rod >= self.bore:
            yield Fault(
                f"rod ({1e3 * self.rod:g} mm) is not thinner than bore ({1e3 * self.bore:g} mm).",
                "Give diameters, the rod's below the bore's; rod: 0 mm is a piston without a rod.",
                field="rod",
            )

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.length(self.a, self.b)
        low, high = net.ends(row, self.closed, self.stroke)
        net.volume(self.port("a"), 0.0, self.pressure_a)
        net.volume(self.port("b"), 0.0, self.pressure_b)
        net.chamber(row, self.port("a"), area=self.area_a, dead=self.dead_a, at=low)
        net.chamber(row, self.port("b"), area=-self.area_b, dead=self.dead_b, at=high)
        if self.coulomb > 0.0 or self.viscous > 0.0:
            net.friction(row, self.coulomb, self.viscous, self.friction_speed)
        if self.leak > 0.0:
            net.laminar(self.port("a"), self.port("b"), conductance=self.leak)
        net.stop(row, low, high, self.stop_stiffness, self.stop_damping)
