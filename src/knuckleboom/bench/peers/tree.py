# SPDX-License-Identifier: BSD-3-Clause
"""A machine as other programs want it: a tree of moving frames in depth-first order, and the loops that close it.

Every node is the frame M of one tree joint: F = M at zero coordinates, F is carried by the parent. A body held by a
fixed joint is merged into its carrier. A joint is written as the slides, turns and balls it is made of, in the order in
which they act. The tree is read from the description alone, so that it shares no code with our own plan.

Limits: tree joints must have the body nearer to the ground as `a`; a loop must be closed by a joint marked `cut`; rods
and gears are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from knuckleboom.describe import Place
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Body, Gear, Joint, Rod, Universal
from knuckleboom.quantities import unit_vector

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Columns = Mapping[str, tuple[Indices, Indices]]

GROUND = -1
PARALLEL = 1e-9  # sine of the angle below which two axes count as one


class PeerError(ValueError):
    """The machine holds something that the other program has not."""


@dataclass(frozen=True)
class Pose:
    """Frame B in frame A: v_A = R v_B + p."""

    R: Array
    p: Array

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self) -> Pose:
        return Pose(self.R.T, -self.R.T @ self.p)


@dataclass(frozen=True)
class Twist:
    """Angular velocity of a frame and velocity of its origin, in world axes."""

    spin: Array
    velocity: Array


IDENTITY = Pose(np.eye(3), np.zeros(3))
AT_REST = Twist(np.zeros(3), np.zeros(3))


@dataclass(frozen=True)
class Motion:
    """One slide along, turn about, or ball without, an axis of F."""

    kind: Literal["slide", "turn", "ball"]
    axis: Array


@dataclass
class Inertia:
    """Mass, centre of mass and inertia about it, in the axes of the frame that carries it."""

    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def add(self, other: Inertia) -> None:
        """Merge another mass, given in the same frame, into this one."""
        mass = self.mass + other.mass
        com = (self.mass * self.com + other.mass * other.com) / mass if mass > 0.0 else self.com
        self.inertia = (
            self.inertia + other.inertia + self.mass * _steiner(self.com - com) + other.mass * _steiner(other.com - com)
        )
        self.mass, self.com = mass, com

    def seen_from(self, pose: Pose) -> Inertia:
        """The same mass in the frame in which this one's frame has the given pose."""
        return Inertia(self.mass, pose.R @ self.com + pose.p, pose.R @ self.inertia @ pose.R.T)


@dataclass
class Node:
    """Frame M of a tree joint, with everything rigidly fixed to it."""

    joint: Joint
    parent: int
    pose_PF: Pose
    motions: tuple[Motion, ...]
    inertia: Inertia


@dataclass(frozen=True)
class Loop:
    """A cut joint: its frames F and M on two nodes. `planar`: all axes of the loop are parallel, 2 equations remain."""

    joint: Joint
    node_a: int
    pose_a: Pose
    node_b: int
    pose_b: Pose
    axis: Array
    planar: bool


@dataclass
class Tree:
    """The nodes (depth first), the loops, gravity, and where each joint's coordinates lie in q and v."""

    nodes: list[Node]
    loops: list[Loop]
    gravity: Array
    columns: Columns
    nq: int
    nv: int

    def poses(self, q: Array) -> list[Pose]:
        """Frame M of every node in the world, from our coordinates."""
        return [pose for pose, _ in self.movements(q, np.zeros(self.nv))]

    def movements(self, q: Array, v: Array) -> list[tuple[Pose, Twist]]:
        """Frame M of every node in the world, its angular velocity and the velocity of its origin, in world axes."""
        world: list[tuple[Pose, Twist]] = []
        for node in self.nodes:
            carrier, twist = (IDENTITY, AT_REST) if node.parent == GROUND else world[node.parent]
            columns_q, columns_v = self.columns[node.joint.name]
            pose = carrier @ node.pose_PF
            spin, velocity = twist.spin, twist.velocity + np.cross(twist.spin, pose.p - carrier.p)
            i = j = 0
            for motion in node.motions:
                if motion.kind == "ball":
                    pose = pose @ Pose(matrix_of(q[columns_q[i : i + 4]]), np.zeros(3))
                    spin = spin + pose.R @ v[columns_v[j : j + 3]]
                    i, j = i + 4, j + 3
                    continue
                axis, coordinate, rate = pose.R @ motion.axis, float(q[columns_q[i]]), float(v[columns_v[j]])
                if motion.kind == "turn":
                    pose = pose @ Pose(turned(motion.axis, coordinate), np.zeros(3))
                    spin = spin + rate * axis
                else:
                    pose = Pose(pose.R, pose.p + coordinate * axis)
                    velocity = velocity + np.cross(spin, coordinate * axis) + rate * axis
                i, j = i + 1, j + 1
            world.append((pose, Twist(spin, velocity)))
        return world

    def start(self) -> tuple[Array, Array]:
        """Start coordinates and speeds as described; a rotation vector becomes a quaternion."""
        q, v = np.zeros(self.nq), np.zeros(self.nv)
        for node in self.nodes:
            columns_q, columns_v = self.columns[node.joint.name]
            start = np.array(node.joint.start)
            v[columns_v] = node.joint.speed
            if node.motions[-1].kind == "ball":
                angle = float(np.linalg.norm(start[-3:]))
                axis = start[-3:] / angle if angle > 0.0 else start[-3:]
                start = np.concatenate((start[:-3], [np.cos(0.5 * angle)], np.sin(0.5 * angle) * axis))
            q[columns_q] = start
        return q, v


def read_tree(machine: Machine, columns: Columns | None = None) -> Tree:
    """Order the machine's joints depth first; `columns` places each joint's coordinates in our q and v."""
    for part in (*machine.of(Rod), *machine.of(Gear)):
        raise PeerError(f"{part.KIND} '{part.name}' has no counterpart in the other program")
    joints = machine.of(Joint)
    carried: dict[str, tuple[int, Pose]] = {"ground": (GROUND, IDENTITY)}
    nodes: list[Node] = []

    def descend(body: str) -> None:
        node_index, pose_node_body = carried[body]
        for joint in joints:
            if joint.cut or locate(machine, joint.a)[0] != body:
                continue
            child, pose_bM = locate(machine, joint.b)
            if child in carried:
                raise PeerError(f"joint '{joint.name}' closes a loop: mark it with cut: true")
            pose_F = pose_node_body @ locate(machine, joint.a)[1]
            motions = motions_of(joint)
            if motions:
                nodes.append(Node(joint, node_index, pose_F, motions, Inertia()))
                carried[child] = (len(nodes) - 1, pose_bM.inverse())
            else:
                carried[child] = (node_index, pose_F @ pose_bM.inverse())
            part = machine.parts[child]
            assert isinstance(part, Body)
            where, pose = carried[child]
            if where != GROUND:
                nodes[where].inertia.add(inertia_of(part).seen_from(pose))
            descend(child)

    descend("ground")
    for body in machine.of(Body):
        if body.name not in carried:
            raise PeerError(f"body '{body.name}' is not reached from the ground through joints whose a is the carrier")
    own, nq, nv = _own_columns(nodes)
    if columns is not None:
        own = {node.joint.name: columns[node.joint.name] for node in nodes}
    loops = [_loop(machine, joint, nodes, carried) for joint in joints if joint.cut]
    return Tree(nodes, loops, np.array(machine.gravity), own, nq, nv)


def motions_of(joint: Joint) -> tuple[Motion, ...]:
    """The slides, turns and balls of a joint, in the order in which they act."""
    x, y, z = np.eye(3)
    if joint.KIND == "fixed":
        return ()
    if joint.KIND == "spherical":
        return (Motion("ball", z),)
    if joint.KIND == "free":
        return (Motion("slide", x), Motion("slide", y), Motion("slide", z), Motion("ball", z))
    axis = np.array(unit_vector(joint.axis))
    if joint.KIND == "revolute":
        return (Motion("turn", axis),)
    if joint.KIND == "prismatic":
        return (Motion("slide", axis),)
    if joint.KIND == "cylindrical":
        return (Motion("slide", axis), Motion("turn", axis))
    if isinstance(joint, Universal):
        return (Motion("turn", axis), Motion("turn", np.array(unit_vector(joint.second))))
    if joint.KIND == "planar":
        first, second = in_plane(axis)
        return (Motion("slide", first), Motion("slide", second), Motion("turn", axis))
    raise PeerError(f"joint '{joint.name}': the other programs have no joint of kind '{joint.KIND}'")


def locate(machine: Machine, place: Place) -> tuple[str, Pose]:
    """The body that carries a place, and the place's pose on it."""
    located = machine.locate(place)
    return located.body, Pose(turned_by(located.rpy), np.array(located.at))


def inertia_of(body: Body) -> Inertia:
    """Mass properties of a body with its point masses, in the body's axes."""
    xx, yy, zz, xy, xz, yz = body.inertia
    total = Inertia(body.mass, np.array(body.com), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    for extra in body.point_masses.values():
        total.add(Inertia(extra.mass, np.array(extra.at), np.zeros((3, 3))))
    return total


def in_plane(normal: Array) -> tuple[Array, Array]:
    """The two directions of a planar joint: the axis after the normal's largest one, made perpendicular; and across."""
    following = np.eye(3)[(int(np.argmax(np.abs(normal))) + 1) % 3]
    first = following - (following @ normal) * normal
    first = first / np.linalg.norm(first)
    return first, np.cross(normal, first)


def turned_by(rpy: tuple[float, float, float]) -> Array:
    """R = Rz(yaw)·Ry(pitch)·Rx(roll)."""
    x, y, z = np.eye(3)
    return turned(z, rpy[2]) @ turned(y, rpy[1]) @ turned(x, rpy[0])


def turned(axis: Array, angle: float) -> Array:
    """Rotation matrix of a right-hand turn about a unit axis (Rodrigues)."""
    K = cross(axis)
    R: Array = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return R


def matrix_of(quaternion: Array) -> Array:
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    w, vector = quaternion[0], quaternion[1:]
    K = cross(vector)
    R: Array = np.eye(3) + 2.0 * w * K + 2.0 * (K @ K)
    return R


def quaternion_of(R: Array) -> Array:
    """Unit quaternion (w, x, y, z), w ≥ 0, of a rotation matrix."""
    # 4 q qᵀ from the matrix; the column with the largest diagonal loses no digits
    outer = np.empty((4, 4))
    outer[0, 0] = 1.0 + np.trace(R)
    outer[0, 1:] = outer[1:, 0] = (R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    outer[1:, 1:] = R + R.T + (1.0 - np.trace(R)) * np.eye(3)
    column = outer[:, int(np.argmax(np.diag(outer)))]
    return column / np.linalg.norm(column) * (1.0 if column[0] >= 0.0 else -1.0)


def cross(vector: Array) -> Array:
    """Matrix K with K u = vector × u."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _steiner(offset: Array) -> Array:
    K = cross(offset)
    return K.T @ K


def _own_columns(nodes: list[Node]) -> tuple[dict[str, tuple[Indices, Indices]], int, int]:
    columns: dict[str, tuple[Indices, Indices]] = {}
    nq = nv = 0
    for node in nodes:
        balls = sum(motion.kind == "ball" for motion in node.motions)
        own_v = len(node.motions) + 2 * balls
        own_q = own_v + balls
        columns[node.joint.name] = (np.arange(nq, nq + own_q), np.arange(nv, nv + own_v))
        nq, nv = nq + own_q, nv + own_v
    return columns, nq, nv


def _loop(machine: Machine, joint: Joint, nodes: list[Node], carried: Mapping[str, tuple[int, Pose]]) -> Loop:
    body_a, at_a = locate(machine, joint.a)
    body_b, at_b = locate(machine, joint.b)
    node_a, pose_a = carried[body_a]
    node_b, pose_b = carried[body_b]
    pose_a, pose_b = pose_a @ at_a, pose_b @ at_b
    axis = np.array(unit_vector(getattr(joint, "axis", "z")))
    planar = joint.KIND == "revolute" and _is_planar(nodes, (node_a, pose_a.R @ axis), (node_b, pose_b.R @ axis))
    return Loop(joint, node_a, pose_a, node_b, pose_b, axis, planar)


def _is_planar(nodes: list[Node], end_a: tuple[int, Array], end_b: tuple[int, Array]) -> bool:
    """Whether every turn of the loop is about the pin's axis and every slide across it, whatever the pose."""
    (a, axis_a), (b, axis_b) = end_a, end_b
    while a != b:
        # depth-first order: the node with the larger index is never an ancestor of the other
        if a < b:
            (a, axis_a), (b, axis_b) = (b, axis_b), (a, axis_a)
        for motion in nodes[a].motions:
            along = abs(float(motion.axis @ axis_a))
            across = float(np.linalg.norm(np.cross(motion.axis, axis_a)))
            if motion.kind == "ball" or (across if motion.kind == "turn" else along) > PARALLEL:
                return False
        a, axis_a = nodes[a].parent, nodes[a].pose_PF.R @ axis_a
    return float(np.linalg.norm(np.cross(axis_a, axis_b))) < PARALLEL
