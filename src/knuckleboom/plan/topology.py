# SPDX-License-Identifier: BSD-3-Clause
"""From bodies and joints to links: the spanning tree, the cut joints, and every body's frame on its link.

A link is what one movement carries; bodies joined by `fixed` share a link, and a joint with several coordinates has
intermediate links without mass. Link 0 is the ground. The tree grows from the ground and takes joints in this order:
not marked `cut`; with a start value, a spring or an effort of its own; kinds that would leave many rows when cut; near
the ground; as described. What remains is cut.

A scalar inertia (a shaft, a column of oil) is a link that turns on the ground about its own axis and has no mass: its
coordinate couples with no other, and it has no place in space. One more movement, so that no kernel knows of it.

The attachments of a body with shapes are links without mass (but for what is lumped there) that hang on the body's link
and share the shapes' coordinates, which come right after those of the body. They are reached from the body only.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from knuckleboom.describe import JointName, Part, Place
from knuckleboom.errors import Problem
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.machine import Machine
from knuckleboom.machine.loose import loose_bodies
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.elements import axes, ball, deform, turn
from knuckleboom.mechanics.joints import JOINTS, VECTOR_FREE
from knuckleboom.mechanics.parts.attachment import Attachment
from knuckleboom.mechanics.parts.body import Body
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.shaft import Shaft
from knuckleboom.mechanics.parts.shape import Shape
from knuckleboom.mechanics.parts.universal import Universal
from knuckleboom.plan.rotation import ALONG, FLIP, Matrix, exponential, frame_of_axis, quaternion
from knuckleboom.quantities import unit_vector

GROUND = "ground"


@dataclass
class Inertia:
    """Mass, first moment and inertia about a link's origin, in its axes."""

    mass: float = 0.0
    moment: Matrix = field(default_factory=lambda: np.zeros(3))
    inertia: Matrix = field(default_factory=lambda: np.zeros((3, 3)))

    @classmethod
    def of_scalar(cls, inertia: float) -> Inertia:
        """That of a link which only turns about its axis."""
        return cls(inertia=np.diag([0.0, 0.0, inertia]))

    def add(self, mass: float, c: Matrix, about: Matrix) -> None:
        """Add a mass at c with the inertia `about` its centre."""
        self.mass += mass
        self.moment = self.moment + mass * c
        self.inertia = self.inertia + about + mass * (c @ c * np.eye(3) - np.outer(c, c))


@dataclass
class Frame:
    """A body on a link: R and p in the link's axes, and what it weighs."""

    link: int
    R: Matrix
    p: Matrix
    inertia: Inertia = field(default_factory=Inertia)


@dataclass
class Link:
    """One movement: its kind, its parent, the joint frame in the parent, its places in q and v."""

    kind: int
    parent: int
    R: Matrix
    p: Matrix
    q: int
    v: int
    inertia: Inertia = field(default_factory=Inertia)
    shapes: Matrix = field(default_factory=lambda: np.zeros((0, 6)))
    """Of an attachment: φ and ψ of each shape."""
    screw: int = -1
    """Its first row of motion.S; that of its first velocity, but for attachments."""


@dataclass
class Crossing:
    """How the tree crosses a joint: the bodies on both sides, and whether it goes from b to a."""

    near: str
    far: str
    reverse: bool


@dataclass
class Columns:
    """Where a tree joint's coordinates stand in q and v, one entry per coordinate of its description."""

    q: list[int]
    v: list[int]


@dataclass
class Topology:
    """The tree, ready for the tables of the plan."""

    links: list[Link]
    bodies: dict[str, Frame]
    tree: dict[str, Columns]
    crossings: dict[str, Crossing]
    cut: list[Joint]
    free_joint: str
    q_start: Matrix
    v_start: Matrix
    given_q: np.ndarray
    given_v: np.ndarray
    scalars: dict[str, Columns] = field(default_factory=dict)
    """Where scalar inertias and shapes stand, by the part that declares them."""
    attached: dict[str, str] = field(default_factory=dict)
    """The body of each attachment."""
    shared: dict[int, float] = field(default_factory=dict)
    """Velocities of shapes, with the mass that only the shape moves."""

    @property
    def shafts(self) -> int:
        """Number of scalar inertias, which have no place in space."""
        return len(self.scalars) - len(self.shared)

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q_start)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.v_start)


def describe_place(machine: Machine, place: Place) -> tuple[str, Matrix, Matrix]:
    """Return the body of a place and its axes and origin there."""
    where = machine.locate(place)
    return where.body, np.array(rotation(where.rpy)), np.asarray(where.at, float)


def joint_axes(joint: Joint) -> Matrix:
    """Axes of the joint frame in its places: z along the axis."""
    if joint.KIND in ("spherical", "free", "fixed"):
        return np.eye(3)
    second = unit_vector(joint.second) if isinstance(joint, Universal) else None
    return frame_of_axis(unit_vector(joint.axis), second)


def choose_tree(machine: Machine, wanted: set[str]) -> tuple[list[tuple[Joint, bool]], list[Joint]]:
    """Return the tree joints, each with whether it is crossed from b to a, and the cut joints."""
    joints = machine.of(Joint)
    ends = {joint.name: [machine.locate(place).body for place in (joint.a, joint.b)] for joint in joints}
    at: dict[str, list[int]] = {}
    for number, joint in enumerate(joints):
        for body in ends[joint.name]:
            at.setdefault(body, []).append(number)

    depth, order, taken = {GROUND: 0}, [], set()
    held = attachments_by_body(machine)
    attached = {one.name for ones in held.values() for one in ones}
    queue: list[tuple[tuple[int, ...], int, bool]] = []

    def offer(body: str) -> None:
        for number in at.get(body, ()):
            joint = joints[number]
            key = (joint.cut, joint.name not in wanted, JOINTS[joint.KIND].rank, depth[body], number)
            heapq.heappush(queue, (key, number, ends[joint.name][0] != body))

    offer(GROUND)
    while queue:
        _, number, reverse = heapq.heappop(queue)
        joint = joints[number]
        near, far = ends[joint.name][:: -1 if reverse else 1]
        if number in taken or far in depth or far in attached:
            continue
        taken.add(number)
        order.append((joint, reverse))
        for body in (far, *(one.name for one in held.get(far, ()))):
            depth[body] = depth[near] + 1
            offer(body)
    return order, [joint for number, joint in enumerate(joints) if number not in taken]


def depth_first(machine: Machine, order: list[tuple[Joint, bool]]) -> list[tuple[Joint, bool]]:
    """Sort the tree joints depth first, so that a branch lies together in memory."""
    children: dict[str, list[tuple[Joint, bool, str]]] = {}
    for joint, reverse in order:
        near, far = [machine.locate(place).body for place in (joint.a, joint.b)][:: -1 if reverse else 1]
        children.setdefault(near, []).append((joint, reverse, far))
    result: list[tuple[Joint, bool]] = []
    held = attachments_by_body(machine)
    stack = list(reversed(children.get(GROUND, [])))
    while stack:
        joint, reverse, far = stack.pop()
        result.append((joint, reverse))
        beyond = [child for body in (far, *(one.name for one in held.get(far, ()))) for child in children.get(body, [])]
        stack.extend(reversed(beyond))
    return result


def attachments_by_body(machine: Machine) -> dict[str, list[Attachment]]:
    """The attachments of each body that has any."""
    found: dict[str, list[Attachment]] = {}
    for one in machine.of(Attachment):
        found.setdefault(one.of, []).append(one)
    return found


def reversed_ball(joint: Joint) -> Problem:
    """A spherical or free joint that the tree would have to cross from b to a."""
    return Problem(
        f"{joint.KIND} '{joint.name}': the way from the ground crosses it from b to a.",
        part=joint.name,
        kind=joint.KIND,
        fix="Swap its a and b: its orientation is that of b relative to a.",
    )


def joints_of(part: Part) -> set[str]:
    """The joints whose coordinates a part acts on."""
    return {str(name) for _, name in part.references() if isinstance(name, JointName)}


def wanted_coordinates(machine: Machine) -> set[str]:
    """Joints whose coordinates are asked for: they have a start, or something acts in them."""
    acted_on = {name for part in machine.parts.values() for name in joints_of(part)}
    return acted_on | {joint.name for joint in machine.of(Joint) if {"start", "speed"} & joint.model_fields_set}


def build_topology(machine: Machine, wanted: set[str], *, vectors: bool = False) -> tuple[Topology, list[Problem]]:
    """Choose the tree and lay out links, coordinates and bodies; with `vectors` free joints have three of these."""
    order, cut = choose_tree(machine, wanted)
    links = [Link(-1, 0, np.eye(3), np.zeros(3), -1, -1)]
    bodies = {GROUND: Frame(0, np.eye(3), np.zeros(3))}
    tree: dict[str, Columns] = {}
    crossings: dict[str, Crossing] = {}
    q_start: list[float] = []
    v_start: list[float] = []
    given_q: list[bool] = []
    given_v: list[bool] = []
    problems: list[Problem] = []
    free_joint, loose = "", loose_bodies(machine)
    held, attached, scalars = attachments_by_body(machine), {}, {}
    shared: dict[int, float] = {}

    for joint, reverse in depth_first(machine, order):
        near, far = (joint.b, joint.a) if reverse else (joint.a, joint.b)
        near_body, R_near, p_near = describe_place(machine, near)
        far_body, R_far, p_far = describe_place(machine, far)
        frame, kind = joint_axes(joint), JOINTS[joint.KIND]
        if reverse and any(movement == ball.KIND for movement, _ in kind.movements):
            problems.append(reversed_ball(joint))
        if joint.KIND == "free" and near_body == GROUND and not free_joint and far_body not in loose:
            free_joint = joint.name

        # frame of the joint on the near side, then one link per movement; backwards the axes are reversed
        base = bodies[near_body]
        link, R, p = base.link, base.R @ R_near @ frame, base.p + base.R @ p_near
        movements = VECTOR_FREE if vectors and joint.KIND == "free" else kind.movements
        count, iv = len(movements), len(v_start)
        columns = Columns([0] * len(joint.COORDINATES), [0] * len(joint.COORDINATES))
        for place in range(count):
            which = count - 1 - place if reverse else place
            movement, along = movements[which]
            turned = ALONG[along] @ FLIP if reverse else ALONG[along]
            links.append(Link(movement, link, R @ turned, p, len(q_start), len(v_start)))
            link, R, p = len(links) - 1, turned.T, np.zeros(3)
            if movement == axes.KIND:
                turned_by, turning = exponential(joint.start[which:]), np.asarray(joint.speed[which:], float)
                q_start.extend(turned_by.T.ravel())
                v_start.extend(np.cross(turned_by @ turning, turned_by.T).ravel())
                columns.q[which:] = range(links[-1].q, links[-1].q + axes.NQ)
                columns.v[which:] = range(links[-1].v, links[-1].v + axes.NV)
            elif movement == ball.KIND:
                q_start.extend(quaternion(joint.start[which:]))
                v_start.extend(joint.speed[which:])
                columns.q[which:] = range(links[-1].q, links[-1].q + ball.NQ)
                columns.v[which:] = range(links[-1].v, links[-1].v + ball.NV)
            else:
                columns.q[which], columns.v[which] = links[-1].q, links[-1].v
                q_start.append(joint.start[which])
                v_start.append(joint.speed[which])
        given_q += ["start" in joint.model_fields_set] * (len(v_start) - iv)
        given_v += ["speed" in joint.model_fields_set] * (len(v_start) - iv)
        tree[joint.name] = columns
        crossings[joint.name] = Crossing(near_body, far_body, reverse)

        # frame of the far body on the last link
        R_LB = R @ (R_far @ frame).T
        bodies[far_body] = Frame(link, R_LB, p - R_LB @ p_far)

        # its shapes, and the attachments that share them
        shapes = [shape for shape in machine.of(Shape) if shape.of == far_body]
        body, iq, iv = bodies[far_body], len(q_start), len(v_start)
        for shape in shapes:
            scalars[shape.name] = Columns([len(q_start)], [len(v_start)])
            shared[len(v_start)] = shape.mass
            q_start.append(shape.start)
            v_start.append(shape.speed)
            given_q.append(True)
            given_v.append(True)
        for attachment in held.get(far_body, ()):
            place, table = body.p + body.R @ np.asarray(attachment.at, float), shape_table(attachment, shapes)
            links.append(Link(deform.KIND, body.link, body.R, place, iq, iv, shapes=table))
            bodies[attachment.name] = Frame(len(links) - 1, np.eye(3), np.zeros(3))
            attached[attachment.name] = far_body

    add_masses(machine, links, bodies)
    # shafts first, as in files: sections have an order there
    for part in sorted(machine.parts.values(), key=lambda one: not isinstance(one, Shaft)):
        scalar = part.scalar_inertia()
        if scalar is None or part.name in scalars:
            continue
        oil = machine.parts.get(scalar.oil)
        inertia = Inertia.of_scalar(scalar.inertia * (oil.fluid.density if isinstance(oil, Oil) else 1.0))
        links.append(Link(turn.KIND, 0, np.eye(3), np.zeros(3), len(q_start), len(v_start), inertia))
        scalars[part.name] = Columns([len(q_start)], [len(v_start)])
        q_start.append(0.0)
        v_start.append(scalar.rate or 0.0)
        given_q.append(False)
        given_v.append(scalar.rate is not None)
    number_screws(links, len(v_start))
    topology = Topology(
        links, bodies, tree, crossings, cut, free_joint, np.array(q_start, float), np.array(v_start, float),
        np.array(given_q, bool), np.array(given_v, bool), scalars, attached, shared,
    )  # fmt: skip
    return topology, problems


def shape_table(attachment: Attachment, shapes: Sequence[Shape]) -> Matrix:
    """φ and ψ of an attachment, a line for each shape of its body."""
    still = (0.0, 0.0, 0.0)
    lines = [(*attachment.moves.get(one.name, still), *attachment.turns.get(one.name, still)) for one in shapes]
    return np.array(lines, float).reshape(len(shapes), 6)


def number_screws(links: list[Link], nv: int) -> None:
    """Give every link its first screw: that of its velocity, and rows of their own, after those, for attachments."""
    free = nv
    for link in links[1:]:
        link.screw = link.v
        if link.kind == deform.KIND:
            link.screw = free
            free += len(link.shapes)


def add_masses(machine: Machine, links: list[Link], bodies: dict[str, Frame]) -> None:
    """Add every body's mass, first moment and inertia to its link, about the link's origin."""
    for body in machine.of(Body):
        frame = bodies[body.name]
        xx, yy, zz, xy, xz, yz = body.inertia
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        lumps = [(body.mass, np.asarray(body.com, float), inertia)]
        lumps += [(lump.mass, np.asarray(lump.at, float), np.zeros((3, 3))) for lump in body.point_masses.values()]
        for mass, place, about in lumps:
            c, turned = frame.p + frame.R @ place, frame.R @ about @ frame.R.T
            frame.inertia.add(mass, c, turned)
            links[frame.link].inertia.add(mass, c, turned)
