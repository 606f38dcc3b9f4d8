# SPDX-License-Identifier: BSD-3-Clause
"""Random machines for hypothesis: trees of any joints, and loops closed at a known pose.

Hypothesis draws the structure (which joint, on which body, what closes the loop), so that a failure shrinks to a small
machine; all numbers come from one drawn seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from knuckleboom.bench.peers.tree import IDENTITY, Pose, locate, read_tree, turned
from knuckleboom.machine import Machine
from knuckleboom.machine.placement import angles
from knuckleboom.mechanics.parts import Joint

Array = NDArray[np.float64]
Structure = list[tuple[str, int]]

TREE_JOINTS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free")
CLOSING_JOINTS = {"spherical": 3, "revolute": 5, "fixed": 6}
"""Joints that Pinocchio can close a loop with, and the equations each adds."""

seeds = st.integers(0, 2**32 - 1)


@st.composite
def structures(draw: st.DrawFn, kinds: tuple[str, ...] = TREE_JOINTS, least: int = 2, most: int = 8) -> Structure:
    """Joint kind and carrier (0 is the ground) of each body in turn; at least one joint moves."""
    size = draw(st.integers(least, most))
    drawn = [(draw(st.sampled_from(kinds)), draw(st.integers(0, i))) for i in range(size)]
    if all(kind == "fixed" for kind, _ in drawn):
        drawn[0] = ("revolute", 0)
    return drawn


def random_tree(structure: Structure, random: np.random.Generator) -> Machine:
    """Bodies `b1`, `b2`, … on joints `j1`, `j2`, … at random places, with random inertia and gravity."""
    m = Machine("random", gravity=random.normal(size=3) * 5.0)
    bodies = [m.ground]
    for number, (kind, carrier) in enumerate(structure, start=1):
        mass = float(random.uniform(0.5, 5.0))
        body = m.body(f"b{number}", mass=mass, com=random.normal(size=3) * 0.3, inertia=random_inertia(mass, random))
        if random.random() < 0.3:
            body.point_mass("lump", float(random.uniform(0.1, 1.0)), random.normal(size=3) * 0.3)
        axis = random_axis(random)
        second = {"second_axis": np.cross(axis, random.normal(size=3))} if kind == "universal" else {}
        make = getattr(m, kind)
        make(f"j{number}", random_place(bodies[carrier], random), random_place(body, random), axis=axis, **second)
        bodies.append(body)
    return m


def random_inertia(mass: float, random: np.random.Generator) -> Array:
    """Inertia of six equal points about their centre: always one that a body can have."""
    points = random.normal(size=(6, 3)) * 0.3
    points -= points.mean(axis=0)
    return sum(mass / 6.0 * (p @ p * np.eye(3) - np.outer(p, p)) for p in points)


def random_axis(random: np.random.Generator) -> Array:
    """Any direction, and as often one of the six along an axis of the frame."""
    if random.random() < 0.5:
        return np.eye(3)[random.integers(3)] * random.choice((-1.0, 1.0))
    return random.normal(size=3)


def random_place(body, random: np.random.Generator):
    """A place on a body, turned any way."""
    return body.at(random.normal(size=3) * 0.5, rpy=random.uniform(-1.5, 1.5, size=3))


def random_state(machine: Machine, columns, random: np.random.Generator) -> tuple[Array, Array]:
    """Coordinates within a turn or so, unit quaternions, and velocities."""
    tree = read_tree(machine, columns)
    q, v = random.uniform(-1.5, 1.5, size=tree.nq), random.normal(size=tree.nv)
    for node in tree.nodes:
        if node.motions[-1].kind == "ball":
            quaternion = tree.columns[node.joint.name][0][-4:]
            q[quaternion] /= np.linalg.norm(q[quaternion])
    return q, v


def add_efforts(machine: Machine, random: np.random.Generator) -> None:
    """Give every coordinate of every tree joint an effort."""
    for joint in [joint for joint in machine.of(Joint) if not joint.cut]:
        for index in range(len(joint.COORDINATES)):
            machine.effort(f"{joint.name}_effort_{index}", joint.name, index, float(random.normal() * 5.0))


@dataclass
class LoopCase:
    """A machine that is closed at the coordinates `start` of each joint, and the equations its cut joint adds."""

    machine: Machine
    equations: int


def random_loop(structure: Structure, closing: str, ends: tuple[int, int], random: np.random.Generator) -> LoopCase:
    """A random tree at a random pose, two bodies of which are joined as they are by a cut joint."""
    m = random_tree(structure, random)
    start_at_random(m, random)
    names = [f"b{end}" if end else "ground" for end in ends]
    poses = body_poses(m)
    axis = random_axis(random)
    at_a = Pose(random_rotation(random), random.normal(size=3) * 0.5)
    turn = random.uniform(-1.0, 1.0) if closing == "revolute" else 0.0
    opened = Pose(turned(axis / np.linalg.norm(axis), turn), np.zeros(3))
    at_b = poses[names[1]].inverse() @ poses[names[0]] @ at_a @ opened
    place_a, place_b = (
        m[name].at(at.p, rpy=angles(tuple(map(tuple, at.R)))) for name, at in zip(names, (at_a, at_b), strict=True)
    )
    getattr(m, closing)("closing", place_a, place_b, axis=axis, cut=True)
    return LoopCase(m, CLOSING_JOINTS[closing])


def random_ram(random: np.random.Generator, links: int) -> LoopCase:
    """A crane-like planar loop: a chain of hinged links and a cylinder (barrel, rod, cut pin) across the last hinge.

    The plane lies any way on a free body, so that the dropped equations would matter if they were not redundant.
    """
    m = Machine("ram", gravity=random.normal(size=3) * 5.0)
    R = random_rotation(random)
    normal = R[:, 2]

    def place(point: Array) -> Array:
        return R @ np.array([point[0], point[1], 0.0])

    def body(name: str):
        mass = float(random.uniform(0.5, 5.0))
        return m.body(name, mass=mass, com=random.normal(size=3) * 0.3, inertia=random_inertia(mass, random))

    carrier = body("base")
    m.free("float", m.ground, carrier, start=random.uniform(-1.0, 1.0, size=6))
    for number in range(1, links + 1):
        link, hinge, angle = body(f"link{number}"), random.normal(size=2), float(random.uniform(-1.5, 1.5))
        m.revolute(f"hinge{number}", carrier.at(place(hinge)), link, axis=normal, start=angle)
        last, carrier = carrier, link

    # the rod-end pin seen from the body that carries the barrel, then the line from the foot to it
    foot, end = random.normal(size=2), random.normal(size=2)
    c, s = np.cos(angle), np.sin(angle)
    line = hinge + np.array([c * end[0] - s * end[1], s * end[0] + c * end[1]]) - foot
    closed = 0.5
    barrel, rod = body("barrel"), body("rod")
    m.revolute("foot", last.at(place(foot)), barrel, axis=normal, start=float(np.arctan2(line[1], line[0])))
    m.prismatic("stroke", barrel, rod, axis=R[:, 0], start=float(np.hypot(*line)) - closed)
    m.revolute("closing", rod.at(closed * R[:, 0]), carrier.at(place(end)), axis=normal, cut=True)
    return LoopCase(m, 2)


def start_at_random(machine: Machine, random: np.random.Generator) -> None:
    """Give every joint a random start."""
    for joint in machine.of(Joint):
        if joint.COORDINATES:
            start = tuple(random.uniform(-1.5, 1.5, size=len(joint.COORDINATES)))
            machine.put(type(joint)(**{**dict(joint), "start": start}))


def body_poses(machine: Machine) -> dict[str, Pose]:
    """Every body in the world at the start."""
    tree = read_tree(machine)
    q, _ = tree.start()
    world = dict(zip((node.joint.name for node in tree.nodes), tree.poses(q), strict=True))
    poses = {"ground": IDENTITY}
    for joint in machine.of(Joint):
        (carrier, at_a), (body, at_b) = locate(machine, joint.a), locate(machine, joint.b)
        # frame M is the node's own, or F itself where nothing moves
        frame = world.get(joint.name, poses[carrier] @ at_a)
        poses[body] = frame @ at_b.inverse()
    return poses


def random_rotation(random: np.random.Generator) -> Array:
    """A rotation matrix, any way round."""
    Q, upper = np.linalg.qr(random.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(upper))
    return Q if np.linalg.det(Q) > 0.0 else Q[:, [1, 0, 2]]
