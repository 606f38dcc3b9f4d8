# SPDX-License-Identifier: BSD-3-Clause
"""Contact with the ground: a sphere or a box of a body touches a plane, bounces, rubs and comes to rest.

    N = stiffness·d·(1 + a·ḋ), at least 0, at the lowest point of a sphere or at each corner of a box; d the depth there
    friction −μ·N against slip and spin, at the centre of pressure, through bristles that hold at rest

Rows        one per point, three per contact, which move with it        States  bends of its bristles
Power       stores ½·stiffness·d² and the bend of its bristles, dissipates the rest [Hunt 1975, with exponent 1].
`a` is such that what comes at impact_speed goes back at restitution times that; slower things bounce a little more, as
1 − 2/3·a·v for small v. Without stiffness it is that with which the whole machine stands `depth` deep on its resting
points: one of a sphere, four of a box. The plane is at `height` along `normal`, in world axes. Bristles bend by up to
`bend`, and straighten in 10 ms where nothing touches. A single point resists spin by an arm `patch`. Where more points
touch than `capacity` the shallowest are left out, and a run says so. A sphere rolls without resistance.
Step: h·√(stiffness/mass) up to 0.5 has the rebound to 2 %; docs/contact.md.
Validated by: validation/analytic/test_ground_contact.py
"""

import math
from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Part, Place, param
from knuckleboom.quantities import Axis, Index, Length, Number, Speed, Stiffness, Vec3, show, unit_vector

PASSIVE = 4.0 * math.sqrt(2.0 * math.e)
"""Largest bristle damping times stribeck speed over friction at which bristles cannot drive: laws/bristle.py."""
BENDING = 0.01
"""Time in which bristles bend fully at hold_speed, s."""
GRAVITY = 9.81  # m/s²: friction's own damping is set by it
PATCH = 0.01
"""Arm of a single point as a part of the radius or of the shortest side."""
CORNERS = 8


class Contact(Part):
    """A sphere or a box on a body that touches a plane of the ground."""

    at: Place = param("centre of the sphere or box; a box has the axes of the place")
    sphere: Length | None = param("radius of a sphere", None, above=0)
    box: Vec3 | None = param("lengths of the sides of a box", None)
    height: Length = param("where the plane is along its normal, from the world's origin", 0.0)
    normal: Axis = param("direction out of the ground: x, y, z, -x, -y, -z or 3 values", "z")
    depth: Length = param("how deep the machine stands, where stiffness is not given", 1e-3, above=0)
    stiffness: Stiffness | None = param("force per depth at one point; default: by depth", None, above=0)
    restitution: Number = param("part of the speed that it goes back at", 0.3, above=0, most=1)
    impact_speed: Speed = param("speed at which it comes for that", 1.0, above=0)
    friction: Number = param("friction coefficient when it slides", 0.5, least=0)
    breakaway: Number | None = param("friction coefficient at rest; default: friction", None, least=0)
    stribeck_speed: Speed = param("speed by which it falls from breakaway to friction", 0.05, above=0)
    bend: Length = param("bend of the bristles before it slides", 0.5e-3, above=0)
    patch: Length | None = param("arm at which a single point resists spin; default: 1 % of its size", None, above=0)
    capacity: Index | None = param("most points that touch at once; default: 1 of a sphere, 8 of a box", None)

    def faults(self) -> Iterator[Fault]:
        if (self.sphere is None) == (self.box is None):
            rule = "it has neither sphere nor box." if self.sphere is None else "it has both sphere and box."
            yield Fault(rule, "Give one of them: sphere: 100 mm or box: [1, 0.5, 0.2]", field="sphere")
        if self.box is not None and min(self.box) <= 0.0:
            rule = f"box is {show(self.box)}; every side must be greater than 0."
            yield Fault(rule, "Write the lengths of its three sides: box: [1, 0.5, 0.2]", field="box")
        if not isinstance(self.normal, str) and not any(self.normal):
            rule = f"normal is {show(self.normal)}, which has no direction."
            yield Fault(rule, "Write one such as normal: z", field="normal")
        if self.capacity == 0:
            rule = "capacity is 0, so that it could never touch."
            yield Fault(rule, "Give at least 1, or leave it out.", field="capacity")
        if self.breakaway is not None and self.breakaway < self.friction:
            rule = f"breakaway ({self.breakaway:g}) is below friction ({self.friction:g})."
            yield Fault(
                rule, "It takes at least as much to break away as to slide: raise breakaway.", field="breakaway"
            )
        if self.breakaway and self.friction == 0.0:
            rule = f"breakaway is {self.breakaway:g}, but friction is 0, without which nothing rubs."
            yield Fault(rule, "Give friction too, or leave breakaway out.", field="breakaway")
        if self.stiffness is not None and "depth" in self.model_fields_set:
            yield Fault("it has both stiffness and depth.", "Give one of them.", field="depth")

    def expand(self, net: Net) -> None:
        sides = (0.0, 0.0, 0.0) if self.box is None else self.box
        features = 1 if self.box is None else CORNERS
        highest = self.friction if self.breakaway is None else self.breakaway
        bristle = highest / self.bend
        damping = min(2.0 * math.sqrt(bristle / GRAVITY), PASSIVE * self.friction / self.stribeck_speed)
        size = min(self.box) if self.box is not None else self.sphere or 0.0
        net.contact(
            self.at, half_sides=(0.5 * sides[0], 0.5 * sides[1], 0.5 * sides[2]), radius=self.sphere or 0.0,
            normal=unit_vector(self.normal), height=self.height, stiffness=self.stiffness, depth=self.depth,
            damping=damping_of(self.restitution) / self.impact_speed, features=features,
            spots=min(self.capacity or features, features),
            friction=(self.friction, highest, self.stribeck_speed, bristle, damping, 0.0, self.bend / BENDING),
            arm=PATCH * size if self.patch is None else self.patch,
        )  # fmt: skip


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
