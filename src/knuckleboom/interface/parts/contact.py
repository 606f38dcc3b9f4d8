# SPDX-License-Identifier: BSD-3-Clause
"""Contact: a shape on a body touches terrains and contacts of other bodies, bounces, rubs and comes to rest.

    N = stiffness·d·(1 + a·ḋ), at least 0, at each point that touches; d the depth there, along the ground's normal
    friction −μ·N against slip and spin, at the centre of pressure, through bristles that hold at rest

Rows        one per point, three per terrain, which move with it        States  bends of its bristles
Power       stores ½·stiffness·d² and the bend of its bristles, dissipates the rest [Hunt 1975, with exponent 1].
`a` is such that what comes at impact_speed goes back at restitution times that; slower things bounce a little more, as
1 − 2/3·a·v for small v. Without stiffness it is that with which the whole machine stands `depth` deep on its resting
points: one of a sphere, two of a capsule or cylinder, four of a box or hull. Bristles bend by up to `bend`, and
straighten in 10 ms where nothing touches. A single point resists spin by an arm `patch`. Where more points touch than
`capacity` the shallowest are left out, and a run says so. Nothing resists rolling. Materials set friction, breakaway
and restitution that are not given (interface/materials.py). Spheres, boxes and capsules touch those of other bodies
(interface/pairs.py): with the geometric mean of both numbers and both springs in series.
Step: h·√(stiffness/mass) up to 0.5 has the rebound to 2 %; docs/contact.md.
Validated by: validation/analytic/test_ground_contact.py and test_body_contact.py
"""

import math
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator

from knuckleboom.describe import ContactName, Fault, Net, Part, Place, TerrainName, param
from knuckleboom.interface import outlines
from knuckleboom.interface.materials import MATERIALS, Pair, pair_of
from knuckleboom.names import closest
from knuckleboom.net import Outline, Surface
from knuckleboom.quantities import Axis, Flag, Index, Length, Number, Speed, Stiffness, Vec3, show, unit_vector

PASSIVE = 4.0 * math.sqrt(2.0 * math.e)
"""Largest bristle damping times stribeck speed over friction at which bristles cannot drive: laws/bristle.py."""
BENDING = 0.01
"""Time in which bristles bend fully at hold_speed, s."""
GRAVITY = 9.81  # m/s²: friction's own damping is set by it
PATCH = 0.01
"""Arm of a single point as a part of the size."""
CAPACITY = 8
FRICTION, RESTITUTION = 0.5, 0.3
"""Where neither numbers nor materials are given."""
BODY_SHAPES = ("sphere", "box", "capsule")
"""Those that touch other bodies, too."""
SHAPES = ("sphere", "box", "capsule", "cylinder", "hull", "looks")


def _listed(value: Any) -> Any:
    """Places or names as a tuple; a single name is one."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or hasattr(value, "name"):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class Contact(Part):
    """A shape on a body that touches the ground and other bodies."""

    at: Place = param("centre of the shape; it has the axes of the place")
    sphere: Length | None = param("radius of a sphere", None, above=0)
    box: Vec3 | None = param("lengths of the sides of a box", None)
    capsule: tuple[Length, Length] | None = param("radius of a capsule and length between its ends' centres", None)
    cylinder: tuple[Length, Length] | None = param("radius and length of a cylinder", None)
    axis: Axis = param("axis of a capsule or cylinder", "z")
    hull: Annotated[tuple[Vec3, ...], BeforeValidator(_listed)] = param("points whose convex hull touches", ())
    looks: Flag = param("true: the shapes that the body is drawn as", False)
    touching: Annotated[tuple[TerrainName, ...], BeforeValidator(_listed)] = param("terrains; default: all", ())
    against: Annotated[tuple[ContactName, ...] | None, BeforeValidator(_listed)] = param(
        "contacts of other bodies that it touches; default: all but of bodies joined to its own", None
    )
    material: str = param("its material, which with that of the ground sets what is not given", "")
    depth: Length = param("how deep the machine stands, where stiffness is not given", 1e-3, above=0)
    stiffness: Stiffness | None = param("force per depth at one point; default: by depth", None, above=0)
    restitution: Number | None = param(
        "part of the speed that it goes back at; default: by material, else 0.3", None, above=0, most=1
    )
    impact_speed: Speed = param("speed at which it comes for that", 1.0, above=0)
    friction: Number | None = param("friction coefficient, sliding; default: by material, else 0.5", None, least=0)
    breakaway: Number | None = param("the same at rest; default: by material, else friction", None, least=0)
    stribeck_speed: Speed = param("speed by which it falls from breakaway to friction", 0.05, above=0)
    bend: Length = param("bend of the bristles before it slides", 0.5e-3, above=0)
    patch: Length | None = param("arm at which a single point resists spin; default: 1 % of its size", None, above=0)
    capacity: Index | None = param("most points that touch at once; default: all, at most 8", None)

    @property
    def touches_bodies(self) -> bool:
        """Whether its shape is one that can touch other bodies."""
        return any(getattr(self, name) for name in BODY_SHAPES)

    def faults(self) -> Iterator[Fault]:
        given = [name for name in SHAPES if getattr(self, name)]
        if len(given) != 1:
            rule = f"it has both {' and '.join(given)}." if given else "it has no shape."
            fix = "Give one: sphere: 100 mm, box: [1, 0.5, 0.2], capsule, cylinder, hull or looks: true"
            yield Fault(rule, fix, field=given[-1] if given else "sphere")
        if self.box is not None and min(self.box) <= 0.0:
            rule = f"box is {show(self.box)}; every side must be greater than 0."
            yield Fault(rule, "Write the lengths of its three sides: box: [1, 0.5, 0.2]", field="box")
        for field, sizes in (("capsule", self.capsule), ("cylinder", self.cylinder)):
            if sizes is not None and min(sizes) <= 0.0:
                rule = f"{field} is {show(sizes)}; radius and length must be greater than 0."
                yield Fault(rule, f"Write both: {field}: [0.1, 0.5]", field=field)
        if not isinstance(self.axis, str) and not any(self.axis):
            rule = f"axis is {show(self.axis)}, which has no direction."
            yield Fault(rule, "Write one such as axis: z", field="axis")
        if self.hull and len(set(self.hull)) < 3:
            yield Fault("hull has fewer than three points.", "Give its corners: [[0, 0, 0], [1, 0, 0], ...]", "hull")
        if self.capacity == 0:
            rule = "capacity is 0, so that it could never touch."
            yield Fault(rule, "Give at least 1, or leave it out.", field="capacity")
        if self.material and self.material not in MATERIALS:
            near = tuple(closest(self.material, MATERIALS))
            fix = "" if near else f"The materials are {', '.join(MATERIALS)}."
            yield Fault(f"there is no material {show(self.material)}.", fix, "material", near)
        if self.stiffness is not None and "depth" in self.model_fields_set:
            yield Fault("it has both stiffness and depth.", "Give one of them.", field="depth")
        yield from self._faults_of_friction()

    def _faults_of_friction(self) -> Iterator[Fault]:
        slides = FRICTION if self.friction is None and not self.material else self.friction
        if self.breakaway is None or slides is None:
            return
        if self.breakaway < slides:
            rule = f"breakaway ({self.breakaway:g}) is below friction ({slides:g})."
            yield Fault(
                rule, "It takes at least as much to break away as to slide: raise breakaway.", field="breakaway"
            )
        if self.breakaway and slides == 0.0:
            rule = f"breakaway is {self.breakaway:g}, but friction is 0, without which nothing rubs."
            yield Fault(rule, "Give friction too, or leave breakaway out.", field="breakaway")

    def outline(self, net: Net) -> Outline | None:
        """The shape as features that can touch; none of a body without looks."""
        if self.sphere is not None:
            return outlines.sphere(self.sphere)
        if self.box is not None:
            return outlines.box(self.box)
        if self.capsule is not None:
            return outlines.capsule(*self.capsule, unit_vector(self.axis))
        if self.cylinder is not None:
            return outlines.cylinder(*self.cylinder, unit_vector(self.axis))
        if self.hull:
            return outlines.hull(self.hull)
        shapes = net.looks(self.at)
        return outlines.together([outlines.drawn(*shape) for shape in shapes]) if shapes else None

    def pair_with(self, material: str) -> Pair:
        """How it touches a ground of a material: numbers that are given, then those of materials, then usual ones."""
        listed = pair_of(self.material, material)
        usual = listed or Pair(FRICTION, FRICTION, RESTITUTION)
        friction = usual.friction if self.friction is None else self.friction
        # what breaks away belongs to the friction that it was listed with
        breakaway = usual.breakaway if listed is not None and self.friction is None else friction
        return Pair(
            friction, max(friction, breakaway if self.breakaway is None else self.breakaway),
            usual.restitution if self.restitution is None else self.restitution,
        )  # fmt: skip

    def expand(self, net: Net) -> None:
        outline, grounds = self.outline(net), net.terrains(self.touching)
        if outline is None:
            return
        for ground, surfaces in grounds.items():
            pair = self.pair_with(surfaces[0].material)
            bristle = pair.breakaway / self.bend
            damping = min(2.0 * math.sqrt(bristle / GRAVITY), PASSIVE * pair.friction / self.stribeck_speed)
            net.contact(
                self.at, ground=ground, path=self.name if len(grounds) == 1 else f"{self.name}.{ground}",
                outline=outline, laws=tuple(self.law_on(one, pair) for one in surfaces),
                stiffness=self.stiffness, depth=self.depth,
                friction=(
                    pair.friction, pair.breakaway, self.stribeck_speed, bristle, damping, 0.0, self.bend / BENDING
                ),
                arm=PATCH * outline.size if self.patch is None else self.patch,
                spots=min(self.capacity or CAPACITY, len(outline.features)),
            )  # fmt: skip

    def law_on(self, surface: Surface, pair: Pair) -> tuple[float, float, float, float]:
        """Factors of friction and stiffness, damping and restitution on a part of a ground, beside the rest of it."""
        own = self.pair_with(surface.material)
        share = own.friction / pair.friction if pair.friction > 0.0 else 1.0
        damping = damping_of(own.restitution) / self.impact_speed
        return surface.friction_factor * share, surface.stiffness_factor, damping, own.restitution


def damping_of(restitution: float) -> float:
    """Return a·v of the normal law: a v (1 + e) = ln((1 + a v)/(1 − a e v)); 0 where all speed comes back."""
    e = restitution
    if e >= 1.0:
        return 0.0

    def missing(x: float) -> float:
        return math.log1p(x) - math.log1p(-e * x) - x * (1.0 + e)

    # negative from 0 on, then without bound towards 1/e
    low, high = 0.0, 1.0 / e
    for _ in range(200):
        middle = 0.5 * (low + high)
        if e * middle < 1.0 and missing(middle) < 0.0:
            low = middle
        else:
            high = middle
    return low
