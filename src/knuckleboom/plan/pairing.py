# SPDX-License-Identifier: BSD-3-Clause
"""Which contacts of bodies may touch each other, and with what numbers.

Those of which one names the other in `against`; and of those that name nothing any two on bodies that move against
each other and that no joint joins. Numbers of a pair: the geometric mean of both, springs in series. Tested in
tests/plan/test_pairing.py
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.geometry.placed import BOX, CAPSULE, SPHERE
from knuckleboom.geometry.spots import MOST
from knuckleboom.interface.parts.contact import BENDING, GRAVITY, PASSIVE, PATCH, Contact, damping_of
from knuckleboom.machine.welded import joined_bodies, welded_bodies
from knuckleboom.net import NetSignal

if TYPE_CHECKING:
    from knuckleboom.plan.network import Network

RESTING = {SPHERE: 1, CAPSULE: 2, BOX: 4}
"""Spots on which a shape rests."""
SPOTS = {(SPHERE, SPHERE): 1, (SPHERE, CAPSULE): 1, (SPHERE, BOX): 1, (CAPSULE, CAPSULE): 3, (CAPSULE, BOX): 3}
"""Spots of a pair of kinds; of two boxes as many as there may be."""
STANDARD_GRAVITY = 9.81  # m/s²: sets a stiffness where a machine has no weight
BENDS = (
    ("bend_x", "x axis of the first"), ("bend_y", "y axis of the first"), ("bend_z", "z axis of the first"),
    ("bend_spin", "about the normal, at its arm"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Shape:
    """A contact whose shape can touch others: kind and half lengths along its axes, m, of geometry/placed.py."""

    contact: Contact
    kind: int
    half: tuple[float, float, float]
    radius: float

    @property
    def size(self) -> float:
        """A length that says how large it is, m."""
        return self.radius if self.kind != BOX else 2.0 * min(self.half)


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two contacts that may touch, by their places among shapes, with the states of their bristles."""

    a: int
    b: int
    path: str
    parts: tuple[str, str]
    spots: int
    states: tuple[NetSignal, ...]


def shape_of(contact: Contact) -> Shape | None:
    """Its shape, or None for one that only touches the ground."""
    if contact.sphere is not None:
        return Shape(contact, SPHERE, (0.0, 0.0, 0.0), contact.sphere)
    if contact.capsule is not None:
        radius, length = contact.capsule
        return Shape(contact, CAPSULE, (0.0, 0.0, 0.5 * length), radius)
    if contact.box is not None:
        x, y, z = contact.box
        return Shape(contact, BOX, (0.5 * x, 0.5 * y, 0.5 * z), 0.0)
    return None


def pair_up(network: Network) -> tuple[list[Shape], list[Pairing]]:
    """All shapes that may touch others, and their pairs in the order of the description."""
    machine = network.machine
    shapes = [shape for contact in machine.of(Contact) if (shape := shape_of(contact)) is not None]
    whole, joined, found = welded_bodies(machine), joined_bodies(machine), []
    bodies = [whole[machine.locate(shape.contact.at).body] for shape in shapes]
    for a, one in enumerate(shapes):
        for b in range(a + 1, len(shapes)):
            apart = bodies[a] != bodies[b]
            neighbours = frozenset((bodies[a], bodies[b])) in joined
            if apart and may_touch(one.contact, shapes[b].contact, neighbours=neighbours):
                found.append((a, b))
    used = sorted({number for pair in found for number in pair})
    place = {number: k for k, number in enumerate(used)}
    return [shapes[number] for number in used], [pairing(shapes, a, b, place) for a, b in found]


def may_touch(one: Contact, other: Contact, *, neighbours: bool) -> bool:
    """Whether two contacts may touch; `neighbours` are on bodies that a joint joins."""
    if other.name in (one.against or ()) or one.name in (other.against or ()):
        return True
    return one.against is None and other.against is None and not neighbours


def pairing(shapes: list[Shape], a: int, b: int, place: Mapping[int, int]) -> Pairing:
    """The pair of two shapes; `place` says where each stands among those that are used."""
    one, other = shapes[a], shapes[b]
    names = (one.contact.name, other.contact.name)
    states = tuple(
        NetSignal(names[0], f"{names[1]}.{name}", "m", f"bend of its bristles, {text}", 0.0) for name, text in BENDS
    )
    spots = SPOTS.get((min(one.kind, other.kind), max(one.kind, other.kind)), MOST)
    return Pairing(place[a], place[b], f"{names[0]}.{names[1]}", names, spots, states)


def mean(one: float, other: float) -> float:
    """The geometric mean."""
    return math.sqrt(one * other)


def stiffness_of(shape: Shape, network: Network) -> float:
    """Force per depth at one spot: as given, or such that the whole machine stands at the depth on resting spots."""
    if shape.contact.stiffness is not None:
        return shape.contact.stiffness
    mass = sum(link.inertia.mass for link in network.topology.links) + sum(one.mass.default for one in network.loads)
    gravity = float(np.linalg.norm(network.machine.gravity)) or STANDARD_GRAVITY
    return mass * gravity / shape.contact.depth / RESTING[shape.kind]


def mass_at(place: Place, network: Network) -> float:
    """Mass of the link of a place, of an attachment that of its body; without bound where it cannot move [kg]."""
    link, links = network.on_link(place)[0], network.topology.links
    while link > 0 and links[link].inertia.mass == 0.0:
        link = links[link].parent
    return links[link].inertia.mass if link > 0 else math.inf


def numbers_of(one: Shape, other: Shape, network: Network) -> tuple[float, ...]:
    """Columns of pairs.number."""
    k_a, k_b = stiffness_of(one, network), stiffness_of(other, network)
    a, b = one.contact, other.contact
    on_a, on_b = a.pair_with(b.material), b.pair_with(a.material)
    friction, breakaway = mean(on_a.friction, on_b.friction), mean(on_a.breakaway, on_b.breakaway)
    restitution = mean(on_a.restitution, on_b.restitution)
    bend, stribeck = mean(a.bend, b.bend), mean(a.stribeck_speed, b.stribeck_speed)
    bristle = breakaway / bend
    damping = min(2.0 * math.sqrt(bristle / GRAVITY), PASSIVE * friction / stribeck)
    arm = min(PATCH * shape.size if shape.contact.patch is None else shape.contact.patch for shape in (one, other))
    hunt_crossley = damping_of(restitution) / mean(a.impact_speed, b.impact_speed)
    return (
        k_a * k_b / (k_a + k_b), hunt_crossley, friction, breakaway, stribeck, bristle, damping, 0.0,
        bend / BENDING, arm, restitution, min(mass_at(a.at, network), mass_at(b.at, network)),
    )  # fmt: skip
