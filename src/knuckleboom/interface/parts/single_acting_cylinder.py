# SPDX-License-Identifier: BSD-3-Clause
"""Single-acting cylinder between two places: oil pushes it out, a load or a spring brings it back.

    λ = (p_a − p_ambient)·A − spring_force − spring·x − friction + stops            A = π/4·bore²,   x = s − closed
    V_a = dead_a + hose_a + A·x

Port        a (extends the rod); the rod side breathes ambient air
Signs       s = |p_b − p_a| pin to pin; λ > 0 extends; flow into the chamber counts positive.
States      oil strain, from pressure_a; a bristle with bristle_stiffness
Power       oil, hose and spring store; friction, leakage, cushions and stop damping dissipate.
Validated by: validation/analytic/test_cylinders.py         ISO 1219: a box with a piston, a rod and a spring
Leakage: one_chamber.py; friction, cushions and stops: ram.py. `bore` is the diameter that the oil acts on: of the
piston, or of a plunger. A cushion acts where oil is trapped, at the retracted end. Mass of the oil: as of a cylinder.
"""

from collections.abc import Iterator
from dataclasses import replace

from knuckleboom.describe import Fault, Net, param
from knuckleboom.interface.parts.one_chamber import OneChamber
from knuckleboom.interface.parts.ram import PISTON_AND_GLAND, base_faults, disc
from knuckleboom.quantities import Flag, Force, Length, PressureDrop, Stiffness, Volume
from knuckleboom.symbol import Symbol, box, drain, line, spring


class SingleActingCylinder(OneChamber):
    """A cylinder that oil can only extend."""

    SYMBOL = Symbol(
        3.0, 1.0, {"a": (0.25, 0.0), "drain": drain(2.25, 0.0)},
        box(0.0, 0.25, 2.5, 0.75) + box(0.75, 0.25, 0.25, 0.75) + box(1.0, 0.5625, 2.0, 0.125)
        + line((0.25, 0.0), (0.25, 0.25)),
        datum="ø{bore:mm} × {stroke:mm}", level="top", label="above",
        quiet=("drain",), leads={"drain": line((2.25, 0.0), (2.25, 0.25), dashed=True)},
    )  # fmt: skip

    bore: Length = param("diameter of the piston or plunger", above=0)
    stroke: Length = param("travel from retracted to extended", above=0)
    spring: Stiffness = param("stiffness of the return spring; 0: none", 0.0, least=0)
    spring_force: Force = param("force of the return spring when retracted", 0.0, least=0)
    hose_a: Volume = param("oil volume of an elastic hose, beside dead_a", 0.0, least=0)
    hose_bulk: PressureDrop | None = param("bulk modulus of the hose's wall", None, above=0)
    oil_mass: Flag = param("whether its oil has mass: a is on a barrel, b on a rod that slides in it", False)
    base: Length = param("from a to the bottom of the bore, towards b; with oil_mass", 0.0)

    def symbol(self) -> Symbol:
        strokes = spring(1.0, 0.4375, 1.5) if self.spring > 0.0 or self.spring_force > 0.0 else ()
        return replace(self.SYMBOL, strokes=self.SYMBOL.strokes + strokes)

    @property
    def area_a(self) -> float:
        """Area that the oil acts on, m²."""
        return disc(self.bore)

    @property
    def moves_oil(self) -> bool:
        return self.oil_mass

    def travel(self) -> float:
        return self.stroke

    def longest_stage(self) -> tuple[float, float]:
        return self.stroke, PISTON_AND_GLAND * self.bore

    def cushion_areas(self) -> tuple[float, float]:
        return self.area_a, 0.0

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from base_faults(self, self.base)
        if (self.hose_a > 0.0) != (self.hose_bulk is not None):
            fix = "Give both: hose_a: 0.2 l, hose_bulk: 150 MPa"
            have, miss = ("hose_a", "hose_bulk") if self.hose_bulk is None else ("hose_bulk", "hose_a")
            yield Fault(f"it has {have}, but {miss} is missing.", fix, field=have)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.length(self.a, self.b)
        low, _ = net.ends(row, self.closed, self.stroke)
        elastic = 0.0 if self.hose_bulk is None else self.hose_a / self.hose_bulk
        net.volume(self.port("a"), 0.0, self.pressure_a, elastic=elastic)
        net.chamber(row, self.port("a"), area=self.area_a, dead=self.dead_a + self.hose_a, at=low)
        if self.spring > 0.0 or self.spring_force > 0.0:
            net.spring(row, self.spring, low, 0.0, -self.spring_force)
        if self.oil_mass:
            self.carry_oil(net, row, self.base)
        self.brake(net, row)
        self.leak_out(net)
