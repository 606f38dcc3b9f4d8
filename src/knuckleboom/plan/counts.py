# SPDX-License-Identifier: BSD-3-Clause
"""How many entries Φ_q, M and R have, and how many of them are not zero: by structure, not by values at one pose.

An entry counts when its formula leaves it for some axes and lengths, at some pose:

    M      joint coordinates: every pair of a velocity and an ancestor; of a body of its own, the reference point not in
           the centre of mass: m·I, ∓m·A·c̃ twice and J, 3 + 9 + 9 + 9 = 30 of 36; slides of one joint are perpendicular
    Φ_q    a row's velocities, those that slide left out where only angles are held
    R      of a turn [u×r; u] 6 and of a slide [u; 0] 3 for every body behind it        [Baharudin 2016, eq. 2.37-2.39]

In natural coordinates coefficients are constant: those that are zero are left out, of directions and lengths as well.

Shafts and columns of oil, with their gears and sums, are counted apart: they have no place in these matrices. So are
loose bodies (machine/loose.py), with the joints by which they hang and all rows that touch them.

R maps velocities of joints to the 6n velocities of n bodies; coordinates in which bodies are on their own have none.

`published` counts as Table 4.1 of [Baharudin 2016] does: everything against the 6n velocities of the bodies, M block by
block, also where the joint coordinates are used; and a point held in all directions is held along the world's axes, so
that a row has 1 + 3 entries of each body, not 3 + 3 as along the axes of a place (our reading: there is no formula).
Validated by: tests/plan/test_counts.py, test_loose.py
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from knuckleboom.machine.loose import bodies_of, joints_of, loose_bodies
from knuckleboom.mechanics.elements import ball, slide, turn
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.parts.gear_stage import GearStage
from knuckleboom.mechanics.parts.held_sum import HeldSum
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.rows.contract import PRODUCTS, VELOCITIES
from knuckleboom.mechanics.rows.description import declared
from knuckleboom.net import Row
from knuckleboom.plan.loops import chain
from knuckleboom.plan.planned import Planned
from knuckleboom.plan.system import ancestor_lists
from knuckleboom.plan.system import row_entries as entries_of
from knuckleboom.plan.topology import GROUND

BODY = 6
"""Velocities of a body."""
BODY_MASS = 30
"""Entries of a body's mass matrix that are not zero."""
BLOCK = {turn.KIND: 6, slide.KIND: 3, ball.KIND: 18}
"""Entries of R that are not zero, of a body behind a movement."""


@dataclass(frozen=True)
class Count:
    """Entries of a matrix, and how many of them are not zero."""

    entries: int
    nonzeros: int


Counts = dict[str, Count | None]
"""Of `phi_q`, `M` and `R`; None where there is no such matrix."""


@dataclass(frozen=True)
class Sizes:
    """Of the mechanism: coordinates, equations that close its loops, degrees of freedom.

    `shafts` are shafts and columns of oil.
    """

    coordinates: int
    loop_equations: int
    dof: int
    shafts: int


def sizes(planned: Planned) -> Sizes:
    """Count the mechanism without its shafts and without what is loose."""
    shafts = planned.topology.shafts
    apart = shafts + len(loose_velocities(planned))
    equations = len(planned.layout.loops.kept) - len(rows_of_mechanism(planned))
    return Sizes(
        planned.topology.nv - apart, planned.loop_equations - equations, planned.dof - apart + equations, shafts
    )  # fmt: skip


def loose_velocities(planned: Planned) -> set[int]:
    """The velocities of the joints by which loose bodies hang in the tree."""
    loose, topology = loose_bodies(planned.machine), planned.topology
    return {v for name, columns in topology.tree.items() if topology.crossings[name].far in loose for v in columns.v}


def rows_of_mechanism(planned: Planned) -> list[Row]:
    """The rows that are held, but for those of shafts and columns of oil, and those that touch what is loose."""
    parts, loose, free = planned.machine.parts, loose_bodies(planned.machine), loose_velocities(planned)
    held = [row for row in planned.layout.loops.kept if not isinstance(parts.get(row.part), GearStage | HeldSum)]
    return [row for row in held if not touches(row, loose, free)]


def touches(row: Row, bodies: list[str], velocities: set[int]) -> bool:
    """Whether a row acts on one of these bodies, or is that of one of these velocities."""
    moves = declared(row).entries == VELOCITIES and not velocities.isdisjoint(row.index[2:])
    return moves or not set(row.bodies).isdisjoint(bodies) or any(touches(one, bodies, velocities) for one in row.of)


def counted(planned: Planned) -> Counts:
    """The matrices in the coordinates of a plan."""
    nv, kept = sizes(planned).coordinates, rows_of_mechanism(planned)
    if planned.method.coordinates == "natural":
        first, every = planned.plan.system.path_first, planned.layout.loops.kept
        held = sum(int(first[r + 1] - first[r]) for r, row in enumerate(every) if row in kept)
        mass = constant_entries(planned)
    else:
        held, mass = sum(row_entries(planned, row) for row in kept), mass_entries(planned)
    return {
        "phi_q": Count(len(kept) * nv, held),
        "M": Count(nv * nv, mass),
        "R": transformation(planned) if planned.method.coordinates == "relative" else None,
    }


def constant_entries(planned: Planned) -> int:
    """The entries of the constant mass matrix of natural coordinates, both ways."""
    velocity = np.repeat(np.arange(planned.topology.nv), np.diff(planned.plan.system.pair_first))
    own = ~np.isin(velocity, list(loose_velocities(planned)))
    used, diagonal = own & (planned.plan.natural.mass != 0.0), velocity == planned.plan.system.pair_ancestor
    return int(2 * np.sum(used & ~diagonal) + np.sum(used & diagonal))


def published(planned: Planned) -> Counts:
    """The same matrices, counted as the papers do."""
    bodies = len(bodies_of(planned.machine))
    kept = [row for row in rows_of_mechanism(planned) if declared(row).entries != PRODUCTS]
    points = Counter(row.part for row in kept if row.unit == "m")
    held = sum(body_entries(planned, row, whole=points[row.part] == 3) for row in kept)
    return {
        "phi_q": Count(len(kept) * BODY * bodies, held),
        "M": Count((BODY * bodies) ** 2, BODY_MASS * bodies),
        "R": transformation(planned) if planned.method.coordinates == "relative" else None,
    }


def constraint_equations(planned: Planned) -> int:
    """How many equations hold the machine together when every body is on its own."""
    joints = [joint for joint in joints_of(planned.machine) if joint.name in planned.topology.tree]
    kept = sum(declared(row).entries != PRODUCTS for row in rows_of_mechanism(planned))
    return sum(len(JOINTS[joint.KIND].cut) for joint in joints) + kept


def transformation(planned: Planned) -> Count:
    """R: for every body the movements between it and the ground."""
    links = planned.topology.links
    frames = [planned.topology.bodies[body.name] for body in bodies_of(planned.machine)]
    moving = [links[k] for frame in frames for k in chain(links, frame.link)]
    nonzeros = sum(BLOCK.get(link.kind, 6 * len(link.shapes)) for link in moving)
    return Count(BODY * len(frames) * sizes(planned).coordinates, nonzeros)


def mass_entries(planned: Planned) -> int:
    """Pairs of a velocity and itself or an ancestor, both ways, without those of two slides of one joint."""
    topology, loose = planned.topology, loose_velocities(planned)
    lists = [above for above in ancestor_lists(topology.links) if above[-1] not in loose]
    pairs = sum(2 * len(above) - 1 for above in lists) - topology.shafts
    slides = {link.v for link in topology.links if link.kind == slide.KIND} - loose
    together = [len(slides.intersection(columns.v)) for columns in topology.tree.values()]
    return pairs - sum(count * (count - 1) for count in together)


def row_entries(planned: Planned, row: Row) -> int:
    """The velocities that a row of a plan touches."""
    return len({entry.velocity for entry in entries_of(planned.topology.links, row, free=True)})


def body_entries(planned: Planned, row: Row, whole: bool) -> int:
    """The velocities of bodies that a row touches; `whole` when it is one of three that hold a point."""
    touched: dict[str, int] = {}
    if row.of:
        # a gear: the angles or travels of two joints that are cut
        for one in row.of:
            for body in set(one.bodies) - {GROUND}:
                touched[body] = max(touched.get(body, 0), 3 if one.unit == "rad" else 6)
        return sum(touched.values())
    if row.bodies != ("", ""):
        each = 3 if declared(row).turning else 4 if whole else 6
        return each * sum(body != GROUND for body in row.bodies)
    # of a gear or a driver: the angle or travel of joints in the tree
    for velocity in row.index[2:]:
        name = next(name for name, columns in planned.topology.tree.items() if velocity in columns.v)
        joint, crossing = planned.machine.parts[name], planned.topology.crossings[name]
        assert isinstance(joint, Joint)
        label = joint.COORDINATES[planned.topology.tree[name].v.index(velocity)][1]
        for body in {crossing.near, crossing.far} - {GROUND}:
            touched[body] = max(touched.get(body, 0), 3 if label == "angle" else 6)
    return sum(touched.values())
