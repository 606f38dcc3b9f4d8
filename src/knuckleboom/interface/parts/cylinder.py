# SPDX-License-Identifier: BSD-3-Clause
"""Hydraulic cylinder between two places: massless, double acting, with friction, leakage, hoses, cushions and stops.

    λ = p_a·A_a − p_b·A_b − p_ambient·(A_a − A_b) − friction + stops         A_a = π/4·bore², A_b = π/4·(bore² − rod²)
    V_a = dead_a + hose_a + A_a·x,   V_b = dead_b + hose_b + A_b·(stroke − x),   x = s − closed
    V·ė + elastic·ṗ = ΣQ − V̇,   elastic = hose/hose_bulk + V_half/barrel_bulk, which adds elastic·(p − p_ambient) to V
    leakage leak·(p_a − p_b) and rod_leak·(p_b − p_drain)      [Baharudin 2016, eqs 2.49 to 2.54, publ. IV eq. 15]

Ports       a (bore side, extends the rod), b (rod side); `drain` names the port that the rod seal leaks to
Signs       s = |p_b − p_a| pin to pin; λ > 0 extends; flow into a chamber counts positive.
States      oil strain of each chamber, from pressure_a and pressure_b; a bristle with bristle_stiffness
Power       oil and walls store; friction, leakage, cushions and stop damping dissipate, and with oil_mass what oil
            loses as it comes in; with it comes and goes energy, too
Validated by: validation/analytic/test_cylinder_speed.py, test_hydraulic_spring.py, test_leakage.py, test_cylinders.py,
test_cylinder_friction.py, test_cushion.py, test_moving_oil.py          ISO 1219: a box with a piston and a rod
Friction, cushions and stops: ram.py. Pressures are absolute. `rod: 0` is a piston without a rod (equal areas), as in
[Naya 2011]; `through: true` has the rod on both sides. The barrel's wall counts as at half stroke. With barrel and rod
as bodies (`kb.cylinder_bodies`) its oil may have mass, [Ylinen 2014]: moving with the stroke (`oil_mass`,
docs/moving_oil.md), or lumped on the bodies.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.interface.parts.ram import PISTON_AND_GLAND, Ram, base_faults, disc
from knuckleboom.quantities import Conductance, Flag, Length, Pressure, PressureDrop, Volume
from knuckleboom.symbol import Symbol, box, drain, line

THROUGH = Symbol(
    3.5, 1.0, {"a": (0.75, 0.0), "b": (2.75, 0.0), "drain": drain(3.25, 0.0)},
    box(0.5, 0.25, 2.5, 0.75) + box(1.625, 0.25, 0.25, 0.75) + box(0.0, 0.5625, 1.625, 0.125)
    + box(1.875, 0.5625, 1.625, 0.125) + line((0.75, 0.0), (0.75, 0.25)) + line((2.75, 0.0), (2.75, 0.25)),
    datum="ø{bore:mm}/{rod:mm} × {stroke:mm}", level="top", label="above",
    quiet=("drain",), leads={"drain": line((3.25, 0.0), (3.25, 0.375), (3.0, 0.375), dashed=True)},
)  # fmt: skip


class Cylinder(Ram):
    """A double-acting cylinder along the line between two pins."""

    PORTS = ("a", "b")
    SYMBOL = Symbol(
        3.0, 1.0, {"a": (0.25, 0.0), "b": (2.25, 0.0), "drain": drain(2.75, 0.0)},
        box(0.0, 0.25, 2.5, 0.75) + box(0.75, 0.25, 0.25, 0.75) + box(1.0, 0.5625, 2.0, 0.125)
        + line((0.25, 0.0), (0.25, 0.25)) + line((2.25, 0.0), (2.25, 0.25)),
        datum="ø{bore:mm}/{rod:mm} × {stroke:mm}", level="top", label="above",
        quiet=("drain",), leads={"drain": line((2.75, 0.0), (2.75, 0.375), (2.5, 0.375), dashed=True)},
    )  # fmt: skip

    bore: Length = param("diameter of the piston", above=0)
    rod: Length = param("diameter of the rod", least=0)
    stroke: Length = param("travel from retracted to extended", above=0)
    through: Flag = param("whether the rod goes through both ends, so that both areas are rings", False)
    dead_a: Volume = param("oil volume on the bore side when retracted, with stiff lines", "0.1 l", least=0)
    dead_b: Volume = param("oil volume on the rod side when extended, with stiff lines", "0.1 l", least=0)
    hose_a: Volume = param("oil volume of an elastic hose at a, beside dead_a", 0.0, least=0)
    hose_b: Volume = param("oil volume of an elastic hose at b, beside dead_b", 0.0, least=0)
    hose_bulk: PressureDrop | None = param("bulk modulus of the walls of hose_a and hose_b", None, above=0)
    barrel_bulk: PressureDrop | None = param("bulk modulus of the barrel's wall; default: rigid", None, above=0)
    pressure_a: Pressure = param("start pressure on the bore side", "1.01325 bar", above=0)
    pressure_b: Pressure = param("start pressure on the rod side", "1.01325 bar", above=0)
    leak: Conductance = param("leakage past the piston per pressure difference", 0.0, least=0)
    rod_leak: Conductance = param("leakage past the rod's seal per pressure difference", 0.0, least=0)
    drain: Port | None = param("port that the rod's seal leaks to, such as a tank", None)
    oil_mass: Flag = param("whether its oil has mass: a is on a barrel, b on a rod that slides in it", False)
    base: Length = param("from a to the bottom of the bore, towards b; with oil_mass", 0.0)

    def symbol(self) -> Symbol:
        return THROUGH if self.through else self.SYMBOL

    @property
    def area_a(self) -> float:
        """Piston area on the bore side, m²."""
        return self.area_b if self.through else disc(self.bore)

    @property
    def area_b(self) -> float:
        """Ring area on the rod side, m²."""
        return disc(self.bore) - disc(self.rod)

    @property
    def moves_oil(self) -> bool:
        return self.oil_mass

    def travel(self) -> float:
        return self.stroke

    def longest_stage(self) -> tuple[float, float]:
        return self.stroke, PISTON_AND_GLAND * self.bore

    def cushion_areas(self) -> tuple[float, float]:
        return self.area_a, self.area_b

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from base_faults(self, self.base)
        if self.rod >= self.bore:
            yield Fault(
                f"rod ({1e3 * self.rod:g} mm) is not thinner than bore ({1e3 * self.bore:g} mm).",
                "Give diameters, the rod's below the bore's; rod: 0 mm is a piston without a rod.",
                field="rod",
            )
        if max(self.hose_a, self.hose_b) > 0.0 and self.hose_bulk is None:
            fix = "Add hose_bulk: 150 MPa; the oil of stiff lines belongs to dead_a and dead_b."
            yield Fault("it has hoses, but hose_bulk is missing.", fix, field="hose_bulk")
        if self.hose_bulk is not None and max(self.hose_a, self.hose_b) == 0.0:
            yield Fault("hose_bulk has no effect without hose_a or hose_b.", "Add hose_a: 0.2 l", field="hose_bulk")
        yield from self.drain_faults("rod_leak", self.drain)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.length(self.a, self.b)
        low, high = net.ends(row, self.closed, self.stroke)
        net.volume(self.port("a"), 0.0, self.pressure_a, elastic=self._elastic(self.dead_a, self.hose_a, self.area_a))
        net.volume(self.port("b"), 0.0, self.pressure_b, elastic=self._elastic(self.dead_b, self.hose_b, self.area_b))
        net.chamber(row, self.port("a"), area=self.area_a, dead=self.dead_a + self.hose_a, at=low)
        net.chamber(row, self.port("b"), area=-self.area_b, dead=self.dead_b + self.hose_b, at=high)
        if self.oil_mass:
            self.carry_oil(net, row, self.base)
        self.brake(net, row)
        if self.leak > 0.0:
            net.laminar(self.port("a"), self.port("b"), conductance=self.leak)
        if self.drain is not None:
            net.laminar(self.port("b"), self.drain, conductance=self.rod_leak, name="rod_leak")
            if self.through:
                net.laminar(self.port("a"), self.drain, conductance=self.rod_leak, name="rod_leak_a")

    def _elastic(self, dead: float, hose: float, area: float) -> float:
        """Σ V/B of the walls on one side, m³/Pa; the barrel's at half stroke."""
        elastic = 0.0 if self.hose_bulk is None else hose / self.hose_bulk
        if self.barrel_bulk is not None:
            elastic += (dead + 0.5 * area * self.stroke) / self.barrel_bulk
        return elastic
