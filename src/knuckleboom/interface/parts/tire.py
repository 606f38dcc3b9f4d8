# SPDX-License-Identifier: BSD-3-Clause
"""Tire of a wheel: discs over its width that touch the ground, carry, grip, slip and resist rolling.

    N = k·d·(1 + a·ḋ) of each disc along the ground's normal; from a depth of 0.35 radii on, the rim, ten times as stiff
    friction over N by bristles along the heading and across, which leave the patch as it rolls: at small slip
    cornering·slip angle, when all slides the ellipse of friction along and across
    rolling resistance·N·radius against the way it turns, through a bristle that holds at rest

Rows        three per disc, one about the axle, which move with it      States  two bends per disc, one of rolling
Power       stores what its deflection and bends hold, dissipates the rest [Canudas de Wit 2003].
The wheel is a body that turns; the axle points to its left when it rolls ahead. What is not given follows from what is
typical of its kind: stiffness = load/deflection, patch = a part of the radius, a = 2·damping/√(g·load/stiffness),
σ₀ = 2·cornering/patch. These numbers are typical of the kinds, not measured of any tire: docs/tires.md lists them.
A wheel on its side touches at its centre: give the hub a contact of its own. `law: published` is the lumped form of
[Baharudin 2016, eqs 2.60-2.63], to compare with. Coupling explicit or realtime.
Validated by: validation/analytic/test_tire.py
"""

import math
from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from knuckleboom.describe import Fault, Net, Part, Place, param
from knuckleboom.quantities import Axis, Force, Index, Length, Number, Quantity, Speed, Stiffness, show, unit_vector

GRAVITY = 9.81  # m/s²: damping is set by it
RIM = 0.35
"""Depth at which the rim begins, over the radius."""
PRESLIDING = 0.15
"""Damping of the bristles, of what would let a wheel that stands oscillate no more."""
PASSIVE = 4.0 * math.sqrt(2.0 * math.e)
"""Largest bristle damping times stribeck speed over friction at which bristles cannot drive: laws/tire_friction.py."""
MOST_DISCS = 15
SlipDamping = Annotated[float, Quantity("s/m")]


class Typical(NamedTuple):
    """What is typical of a kind of tire."""

    deflection: float
    """m, by its load."""
    damping: float
    """Of what would let a wheel that carries its load oscillate no more."""
    patch: float
    """Length over radius."""
    cornering: float
    """Cornering stiffness over load, 1/rad."""
    friction: float
    breakaway: float
    stribeck_speed: float
    """m/s."""
    rolling_resistance: float


KINDS = {
    "forestry": Typical(0.060, 0.10, 0.68, 5.5, 0.70, 0.80, 3.0, 0.020),
    "loader": Typical(0.060, 0.10, 0.60, 5.0, 0.70, 0.80, 3.0, 0.020),
    "truck": Typical(0.035, 0.05, 0.45, 6.0, 0.75, 0.85, 5.0, 0.007),
}
"""Forestry: 710/45-26.5 at 30 kN; loader: 26.5R25 at 80 kN; truck: 315/80R22.5 at 30 kN, all on firm ground."""


class Tire(Part):
    """A tire on a wheel that turns: it carries, grips, slips and rolls on any ground."""

    wheel: Place = param("centre of the tire on the body that turns with it")
    radius: Length = param("radius without load", above=0)
    width: Length = param("width over which it carries", above=0)
    load: Force | None = param("load that it is made for", None, above=0)
    typical: Literal["forestry", "loader", "truck"] = param("what it is like where nothing is given", "forestry")
    axle: Axis = param("axis of the wheel in the axes of the place, to its left when it rolls ahead", "y")
    discs: Index = param("discs over its width", 3)
    stiffness: Stiffness | None = param("force per deflection; default: load over what is typical", None, above=0)
    damping: Number | None = param("part of critical damping at its load; default: typical", None, least=0)
    patch: Length | None = param("length of the patch that touches; default: typical", None, above=0)
    cornering: Number | None = param("cornering stiffness over load, 1/rad; default: typical", None, above=0)
    traction: Number | None = param("force over load at small slip along; default: cornering", None, above=0)
    friction: Number | None = param("friction coefficient when all slides; default: typical", None, above=0)
    breakaway: Number | None = param("friction coefficient before; default: typical, over friction", None, above=0)
    lateral_friction: Number | None = param("friction coefficient across; default: friction", None, above=0)
    stribeck_speed: Speed | None = param("speed by which it falls to friction; default: typical", None, above=0)
    viscous: SlipDamping = param("what speed of slip adds to friction over load", 0.0, least=0)
    rolling_resistance: Number | None = param("resistance to rolling over load; default: typical", None, least=0)
    hold_speed: Speed = param("speed below which its bristles hold", 0.2, above=0)
    law: Literal["averaged", "published"] = param("law of friction; published: the lumped form", "averaged")

    def faults(self) -> Iterator[Fault]:
        if self.load is None and self.stiffness is None:
            yield Fault("it has neither load nor stiffness.", "Give one of them: load: 30 kN", field="load")
        if not 0 < self.discs <= MOST_DISCS:
            rule = f"discs is {self.discs}; it must be 1 to {MOST_DISCS}."
            yield Fault(rule, "Three carry over its width: discs: 3", field="discs")
        if not isinstance(self.axle, str) and not any(self.axle):
            rule = f"axle is {show(self.axle)}, which has no direction."
            yield Fault(rule, "Write one such as axle: y", field="axle")
        if self.patch is not None and self.patch > 2.0 * self.radius:
            rule = f"patch ({self.patch:g} m) is longer than the tire is high ({2.0 * self.radius:g} m)."
            yield Fault(rule, "Give the length that touches the ground, some tenths of a metre.", field="patch")
        sliding = self.friction or KINDS[self.typical].friction
        if self.breakaway is not None and self.breakaway < sliding:
            rule = f"breakaway ({self.breakaway:g}) is below friction ({sliding:g})."
            yield Fault(
                rule, "It takes at least as much to break away as to slide: raise breakaway.", field="breakaway"
            )

    def expand(self, net: Net) -> None:
        usual = KINDS[self.typical]
        deflection = usual.deflection
        if self.stiffness is not None and self.load is not None:
            deflection = self.load / self.stiffness
        stiffness = self.stiffness if self.stiffness is not None else (self.load or 0.0) / deflection
        damping = usual.damping if self.damping is None else self.damping
        patch = usual.patch * self.radius if self.patch is None else self.patch
        cornering = usual.cornering if self.cornering is None else self.cornering
        friction = usual.friction if self.friction is None else self.friction
        rises = usual.breakaway / usual.friction if self.breakaway is None else self.breakaway / friction
        across = friction if self.lateral_friction is None else self.lateral_friction
        stribeck = usual.stribeck_speed if self.stribeck_speed is None else self.stribeck_speed
        resistance = usual.rolling_resistance if self.rolling_resistance is None else self.rolling_resistance
        bristles = 2.0 * (self.traction or cornering) / patch, 2.0 * cornering / patch
        bristle_damping = min(
            2.0 * PRESLIDING * math.sqrt(min(bristles) / GRAVITY), PASSIVE * min(friction, across) / stribeck
        )
        net.tire(
            self.wheel, axle=unit_vector(self.axle), radius=self.radius, spacing=spacing(self.width, self.discs),
            discs=self.discs, stiffness=stiffness / self.discs,
            damping=2.0 * damping / math.sqrt(GRAVITY * deflection), rim=RIM * self.radius,
            friction=(
                friction, across, rises, stribeck, *bristles, bristle_damping, self.viscous, patch, self.hold_speed,
            ),
            rolling=resistance * self.radius, published=self.law == "published",
        )  # fmt: skip


def spacing(width: float, discs: int) -> float:
    """Return the distance of discs that have the mean square distance from the middle that an even load has."""
    return width / math.sqrt(discs * discs - 1.0) if discs > 1 else 0.0
