# SPDX-License-Identifier: BSD-3-Clause
"""Telescopic cylinder between two places: sleeves in sleeves, single acting, the widest goes out first.

    λ = (p_a − p_ambient)·A_i − friction + stops        A_i = π/4·bores[i]² of the stage that is moving
    V_a = dead_a + Σ A_j·strokes[j] of the stages that are out + A_i·(the rest of the stroke)

Port        a (extends it)
Signs       s = |p_b − p_a| pin to pin; λ > 0 extends; flow into the chamber counts positive.
States      oil strain, from pressure_a; a bristle with bristle_stiffness
Power       oil stores; friction, leakage, cushions and stop damping dissipate.
Validated by: validation/analytic/test_telescopic_cylinder.py        ISO 1219: a box with two nested pistons
Leakage: one_chamber.py; friction, cushions and stops: ram.py. At one pressure the widest sleeve has the most force: it
goes out first and comes in last, so that the stroke alone says which one moves. Between stages the area changes
smoothly, over 2 % of the shorter stroke beside it.
"""

from collections.abc import Iterator
from itertools import pairwise

from knuckleboom.describe import Fault, Net, param
from knuckleboom.interface.parts.one_chamber import OneChamber
from knuckleboom.interface.parts.ram import PISTON_AND_GLAND, disc
from knuckleboom.quantities import Length
from knuckleboom.symbol import Symbol, box, drain, line


class TelescopicCylinder(OneChamber):
    """A single-acting cylinder of several stages."""

    SYMBOL = Symbol(
        3.0, 1.0, {"a": (0.25, 0.0), "drain": drain(2.25, 0.0)},
        box(0.0, 0.25, 1.5, 0.75) + box(0.5, 0.375, 1.5, 0.5) + box(1.0, 0.5, 2.0, 0.25)
        + line((0.25, 0.0), (0.25, 0.25)),
        datum="ø{bores[0]:mm}", level="top", label="above",
        quiet=("drain",), leads={"drain": line((2.25, 0.0), (2.25, 0.5), dashed=True)},
    )  # fmt: skip

    bores: tuple[Length, ...] = param("diameters that the oil acts on, from the widest stage to the thinnest")
    strokes: tuple[Length, ...] = param("travel of each stage")

    @property
    def areas(self) -> tuple[float, ...]:
        """Area of each stage, m²."""
        return tuple(disc(bore) for bore in self.bores)

    def travel(self) -> float:
        return sum(self.strokes)

    def longest_stage(self) -> tuple[float, float]:
        return max(self.strokes), PISTON_AND_GLAND * self.bores[0]

    def cushion_areas(self) -> tuple[float, float]:
        return self.areas[0], 0.0

    def faults(self) -> Iterator[Fault]:
        falling = all(wide > thin for wide, thin in pairwise(self.bores))
        if len(self.bores) < 2 or not falling or self.bores[-1] <= 0.0:
            fix = "Write the widest first: bores: [120 mm, 100 mm, 80 mm]; one stage is a single_acting_cylinder."
            yield Fault("bores are not two or more diameters, each below the one before.", fix, field="bores")
            return
        if len(self.strokes) != len(self.bores) or min(self.strokes) <= 0.0:
            rule = f"it has {len(self.bores)} bores, but strokes lists {len(self.strokes)}."
            if len(self.strokes) == len(self.bores):
                rule = "a stage has no stroke."
            yield Fault(rule, "Give the travel of each stage: strokes: [1 m, 1 m, 0.9 m]", field="strokes")
            return
        yield from super().faults()

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.length(self.a, self.b)
        low, _ = net.ends(row, self.closed, self.travel())
        net.volume(self.port("a"), 0.0, self.pressure_a)
        net.stages(row, self.port("a"), areas=self.areas, strokes=self.strokes, dead=self.dead_a, at=low)
        self.brake(net, row)
        self.leak_out(net)
