# SPDX-License-Identifier: BSD-3-Clause
"""What cylinders share: two pins, a stroke with stops and cushions at its ends, and friction.

    stops       below closed and above closed + stroke: stop_stiffness·d·(1 + stop_damping·ḋ), never pulling
    cushions    λ = ∓k·S(r)·ṡ² while moving into the last `cushion_in` or `cushion_out` before an end, r the share of it
                k = cushion_pressure·A/cushion_speed², A the area whose oil is trapped; S = r²·(3 − 2·r)
    friction    dry and viscous, rubbing.py; beside it, by an efficiency, −(1 − efficiency)·f(ṡ)·|F|, F the force of
                the oil and f the curve through efficiency_curve, odd in ṡ; |F| is rounded off below 100 N
                                                                                         [Baharudin 2016, eq. 2.54]

`closed` defaults to the start length − stroke/2. Catalogues name one pressure of the cushion at one speed: that of the
trapped oil where the cushion is full. Pistons without oil between spear and cap are stopped by the stops alone.
Mass of the oil, where barrel and rod are bodies: mechanics/moving_oil.py, docs/moving_oil.md.
`hold_speed` defaults to breakaway/bristle_stiffness in 10 ms, at most stribeck_speed (rubbing.py).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from knuckleboom.describe import Fault, Net, OilName, Part, Place, param
from knuckleboom.interface.parts.rubbing import rub, rubbing_faults
from knuckleboom.net import FromStart, Row
from knuckleboom.quantities import (
    Damping,
    Force,
    Length,
    Number,
    PressureDrop,
    Speed,
    Stiffness,
    StopDamping,
)

PISTON_AND_GLAND = 1.0
"""Of the bore: length that piston and gland take at the least; with eyes, real cylinders have 1.5 to 3."""
SpeedCurve = tuple[tuple[Speed, Number], ...]


class Ram(Part):
    """Base of the cylinders: a row between two pins, and what acts along it beside the oil."""

    a: Place = param("place of the base pin (barrel)")
    b: Place = param("place of the rod-end pin")
    oil: OilName = param("oil in its chambers")
    closed: Length | None = param("pin-to-pin length when retracted; default: start length − stroke/2", None, above=0)
    viscous: Damping = param("friction per speed", 0.0, least=0)
    coulomb: Force = param("dry friction", 0.0, least=0)
    friction_speed: Speed = param("speed at which tanh takes dry friction to 76 %", "1 cm/s", above=0)
    breakaway: Force | None = param("largest dry friction at rest; default: coulomb", None, least=0)
    stribeck_speed: Speed = param("speed by which friction falls from breakaway to coulomb", "2 cm/s", above=0)
    bristle_stiffness: Stiffness | None = param("stiffness of seals that stick (LuGre); none: smooth", None, above=0)
    bristle_damping: Damping = param("damping of seals that stick", 0.0, least=0)
    hold_speed: Speed | None = param(
        "speed below which bristles do not slip before 0.9 of breakaway; 0: LuGre as published", None, least=0
    )
    efficiency: Number = param("share of the oil's force that gets through the seals", 1.0, above=0, most=1)
    efficiency_curve: SpeedCurve = param(
        "share of the efficiency's loss over speed, from (0, 0)", ((0.0, 0.0), (0.01, 1.0), (0.02, 1.0))
    )
    stop_stiffness: Stiffness = param("stiffness of the end stops", 1e8, above=0)
    stop_damping: StopDamping = param("rise of the stop force per approach speed", 1.0, least=0)
    cushion_in: Length = param("length of the cushion at the retracted end; 0: none", 0.0, least=0)
    cushion_out: Length = param("length of the cushion at the extended end; 0: none", 0.0, least=0)
    cushion_pressure: PressureDrop = param("pressure rise of the oil in a cushion at cushion_speed", "100 bar", above=0)
    cushion_speed: Speed = param("speed at which a cushion has cushion_pressure", "0.2 m/s", above=0)

    def travel(self) -> float:
        """Stroke from retracted to extended, m."""
        raise NotImplementedError

    def longest_stage(self) -> tuple[float, float]:
        """Stroke that must fit into the retracted cylinder, and what piston and gland take beside it, m."""
        raise NotImplementedError

    def cushion_areas(self) -> tuple[float, float]:
        """Areas of the oil at the retracted and the extended end, which cushions trap, m²; 0: there is none."""
        raise NotImplementedError

    @property
    def moves_oil(self) -> bool:
        """Whether the oil in its chambers has mass."""
        return False

    def carry_oil(self, net: Net, row: Row, base: float) -> None:
        """Write the mass of the oil between the piston and both ends of the barrel, which begins at `base` from a."""
        low, high = net.ends(row, self.closed, self.travel())
        reach = replace(low, offset=low.offset - base) if isinstance(low, FromStart) else low - base
        for port, area, at in zip(self.PORTS, self.cushion_areas(), (low, high), strict=False):
            net.moving_oil(row, self.port(port), area=area if port == "a" else -area, at=at, reach=reach)

    def faults(self) -> Iterator[Fault]:
        yield from rubbing_faults(self, "friction_speed")
        yield from self._curve_faults()
        stroke = self.travel()
        if self.cushion_in + self.cushion_out > stroke:
            rule = f"its cushions ({1e3 * (self.cushion_in + self.cushion_out):g} mm) are longer than its stroke."
            yield Fault(rule, f"Give cushions that fit into {1e3 * stroke:g} mm.", field="cushion_in")
        for field, area in zip(("cushion_in", "cushion_out"), self.cushion_areas(), strict=True):
            if getattr(self, field) > 0.0 and area == 0.0:
                yield Fault(f"{field} has no effect: there is no oil on that side.", "Leave it out.", field=field)

    def drain_faults(self, leak: str, drain: object) -> Iterator[Fault]:
        """Yield what is wrong when only one is given of a leakage, named by its field, and the port that it goes to."""
        if (getattr(self, leak) > 0.0) != (drain is not None):
            rule = f"it has {leak}, but drain is missing." if drain is None else f"drain has no effect without {leak}."
            yield Fault(rule, f"Give both: {leak}: 1e-13, drain: tank", field=leak if drain is None else "drain")

    def _curve_faults(self) -> Iterator[Fault]:
        curve = self.efficiency_curve
        rising = all(lower < upper for (lower, _), (upper, _) in pairwise(curve))
        if len(curve) < 2 or curve[0] != (0.0, 0.0) or not rising:
            fix = "Write pairs of speed and share: efficiency_curve: [[0, 0], [1 cm/s, 1], [1 m/s, 0.8]]"
            yield Fault("efficiency_curve does not go from (0, 0) to higher speeds.", fix, field="efficiency_curve")
        elif min(share for _, share in curve) < 0.0:
            yield Fault("efficiency_curve has a negative share.", "Friction never drives.", field="efficiency_curve")
        elif self.efficiency == 1.0 and "efficiency_curve" in self.model_fields_set:
            fix = "Add efficiency: 0.9"
            yield Fault("efficiency_curve has no effect without efficiency.", fix, field="efficiency_curve")

    def brake(self, net: Net, row: Row) -> None:
        """Write friction, cushions and stops on the row; after its chambers."""
        low, high = net.ends(row, self.closed, self.travel())
        rub(net, row, self, self.friction_speed)
        if self.efficiency < 1.0:
            net.efficiency(row, 1.0 - self.efficiency, self.efficiency_curve)
        areas = self.cushion_areas()
        for at, length, area, side in ((low, self.cushion_in, areas[0], -1), (high, self.cushion_out, areas[1], 1)):
            if length > 0.0:
                gain = self.cushion_pressure * area / self.cushion_speed**2
                net.cushion(row, at=at, length=length, gain=gain, side=side)
        net.stop(row, low, high, self.stop_stiffness, self.stop_damping)


def base_faults(part: Ram, base: float) -> Iterator[Fault]:
    """Yield what is wrong where the bottom of the bore is given, but nothing asks where it is."""
    if base != 0.0 and not part.moves_oil:
        yield Fault("base has no effect without oil_mass.", "Add oil_mass: true, or leave base out.", field="base")


def disc(diameter: float) -> float:
    """Area of a circle, m²."""
    return 0.25 * math.pi * diameter**2
