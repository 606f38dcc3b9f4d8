# SPDX-License-Identifier: BSD-3-Clause
"""A machine put on another ground: a slope, rough ground, a ridge, a file of heights; it starts where it stands there.

    kb.on_ground(machine, "slope:10%")       words: machine/grounds.py

The ground takes the place of terrain `floor`, or of the only one; its material and factors stay, its areas do not.
What is free and stands on it, a piece, leans as the plane does that fits the ground best below what stands, and is
lifted or lowered until one of its contacts and tires is as deep in the ground as it was, or just touches, and none is
deeper. Bodies that anything but contact joins are one piece. A piece that touches nothing at its start goes with the
first that does; what is not free stays where it is. The machine that is given stays as it is. Tested in
tests/analysis/test_on_ground.py
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.describe import Place
from knuckleboom.errors import MachineError, Problem
from knuckleboom.interface import tire
from knuckleboom.interface.contact import SPOT, SPOTS
from knuckleboom.interface.parts import Contact, Tire
from knuckleboom.machine import Machine
from knuckleboom.machine.grounds import ground_settings
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.parts import Attachment, Free
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.plan import Planned, build
from knuckleboom.plan.rotation import exponential, quaternion, rotation_vector
from knuckleboom.plan.topology import GROUND

Array = NDArray[np.float64]

FLOOR = "floor"
KEPT = ("material", "friction_factor", "stiffness_factor")
"""Settings of the terrain that its place is taken of."""
NEAR = 0.1
"""m: what starts so near to the ground stands on it."""
ABOVE = 1.0
"""m: over the highest place, from where a machine is lowered."""
DOUBLINGS, HALVINGS = 20, 40
"""How often the range is doubled in which it comes to touch the ground, and then halved."""
LINE = 1e-3
"""Points whose spread across is less than this part of that along lie on a line."""
UP = np.array((0.0, 0.0, 1.0))


class Spots(NamedTuple):
    """What a contact or tire could touch the ground with: its features, their lowest points in the world, their gaps,
    and how far the ground is below them.
    """

    part: str
    body: str
    feature: NDArray[np.intp]
    points: Array
    gap: Array
    below: Array

    def near(self) -> Spots:
        """Those that stand on the ground."""
        return self.of(self.feature[self.below < NEAR])

    def of(self, feature: NDArray[np.intp]) -> Spots:
        """Some of them."""
        some = np.isin(self.feature, feature)
        return self._replace(**{name: getattr(self, name)[some] for name in ("feature", "points", "gap", "below")})

    def ground(self) -> Array:
        """Where the ground is under the points."""
        return self.points - np.outer(self.below, UP)


class Pose(NamedTuple):
    """Where a place is in the world, and its axes."""

    R: Array
    p: Array

    def turned(self, R: Array, about: Array, shift: Array) -> Pose:
        """The same place when its piece is turned about a point, then shifted."""
        return Pose(np.asarray(R @ self.R), np.asarray(about + R @ (self.p - about) + shift))


def on_ground(machine: Machine, ground: str) -> Machine:
    """Return the machine on another ground: "level", "slope:10%", "rough:30 cm", "ridge:30 cm" or "hill.csv:0.5 m".

    MachineError where there is no such ground, or nothing that could stand on one.
    """
    floor = _floor(machine)
    spots, pieces = _spots(build(machine, coupling="realtime"), floor.name), _pieces(machine)
    stands = [one.near() for one in spots if one.below.min() < NEAR]
    under = np.concatenate([one.ground() for one in stands or spots])
    x, y, _ = (0.5 * (under.min(axis=0) + under.max(axis=0))).tolist()
    settings = ground_settings(ground, (x, y, float(under[:, 2].mean())), float(under[:, 0].max()))
    kept = {name: getattr(floor, name) for name in KEPT if name in floor.model_fields_set}
    found = copy.copy(machine)
    found.parts, found.sources = dict(machine.parts), {k: v for k, v in machine.sources.items() if k != floor.name}
    found.parts[floor.name] = Terrain(name=floor.name, **kept, **settings)
    found.cases = {name: case.of(found) for name, case in machine.cases.items()}
    if pieces:
        Placing(found, floor.name, pieces, spots).stand()
    return found


def _floor(machine: Machine) -> Terrain:
    """The terrain whose place is taken."""
    if not machine.of(Contact) and not machine.of(Tire):
        rule = f"machine '{machine.name}' has no contacts or tires that could stand on a ground."
        fix = "Give it contacts or tires and a free joint: docs/contact.md."
        raise MachineError([Problem(rule, fix=fix)], machine.where)
    terrains = machine.of(Terrain)
    named = [one for one in terrains if one.name == FLOOR] or (terrains if len(terrains) == 1 else [])
    if not named:
        names = ", ".join(f"'{one.name}'" for one in terrains)
        rule = f"machine '{machine.name}' has no terrain '{FLOOR}' whose place a ground could take"
        raise MachineError([Problem(f"{rule}, only {names}.", fix=f"Call one '{FLOOR}'.")], machine.where)
    return named[0]


def _pieces(machine: Machine) -> list[list[str]]:
    """Bodies that anything but contact joins, of which some are free of the ground; the largest piece first."""
    joined: dict[str, set[str]] = {body.name: {body.name} for body in machine.bodies() if body.name != GROUND}
    for part in machine.parts.values():
        if isinstance(part, Contact | Tire):
            continue
        bodies = [machine.locate(place).body for _, place in part.references() if isinstance(place, Place)]
        bodies += [part.name, part.of] if isinstance(part, Attachment) else []
        together = set().union(*(joined[body] for body in bodies if body != GROUND))
        joined.update((body, together) for body in together)
    free = [machine.locate(joint.b).body for joint in _free(machine)]
    pieces = {id(joined[body]): sorted(joined[body]) for body in free}
    return sorted(pieces.values(), key=len, reverse=True)


def _free(machine: Machine) -> list[Free]:
    """Joints in which bodies are free of the ground."""
    return [joint for joint in machine.of(Free) if machine.locate(joint.a).body == GROUND]


def _spots(planned: Planned, ground: str) -> list[Spots]:
    """All that could touch a ground, at the state of Work."""
    planned.mass_matrix()  # finds what touches
    network, plan, work = planned.layout.network, planned.plan, planned.work
    origin, locate, found = work.motion.p_WO, planned.machine.locate, []
    for number, touch in enumerate(network.touches):
        first = plan.touch.index[number, SPOT]
        rows = slice(first, first + plan.touch.index[number, SPOTS])
        if touch.ground == ground:
            feature, p, gap = work.touch.feature[rows], origin + work.touch.p[rows], work.touch.s[rows].copy()
            found.append(Spots(touch.part, locate(touch.at).body, feature.copy(), p, gap, gap / work.touch.n[rows, 2]))
    for number, tread in enumerate(network.treads):
        first = plan.tire.index[number, tire.DISC]
        disc = work.tire.disc[first : first + tread.discs]
        gap, n, touched = disc[:, tire.GAP].copy(), disc[:, tire.NORMAL + 2], origin + disc[:, tire.P : tire.P + 3]
        points = touched + np.outer(gap / n, UP)
        found.append(Spots(tread.part, locate(tread.at).body, np.arange(tread.discs), points, gap, gap / n))
    return found


class Placing:
    """Puts the pieces of a machine on a ground that it has already."""

    def __init__(self, machine: Machine, ground: str, pieces: list[list[str]], spots: list[Spots]) -> None:
        self.machine, self.ground, self.pieces = machine, ground, pieces
        self.stands = [one.near() for one in spots if one.below.min() < NEAR]
        self.depth = {one.part: max(-float(one.gap.min()), 0.0) for one in self.stands}
        self.joints = {joint.name: joint for joint in _free(machine)}
        self.poses = {name: self.pose_of(joint) for name, joint in self.joints.items()}
        points = np.concatenate([one.points for one in spots])
        (terrain,) = (one for one in machine.of(Terrain) if one.name == ground)
        highest, lowest = float(_heights(terrain, points).max()), float(points[:, 2].min())
        self.height = max(highest - lowest, 0.0) + ABOVE
        self.keep({name: pose.turned(np.eye(3), pose.p, self.height * UP) for name, pose in self.poses.items()})
        self.planned = build(machine, coupling="realtime")

    def stand(self) -> None:
        """Change the starts of the free joints."""
        now = self.spots(self.poses, self.height)
        motions = [self.motion(piece, now) for piece in self.pieces]
        first = next((one for one in motions if one is not None), None)
        for piece, own in zip(self.pieces, motions, strict=True):
            motion = own or first
            if motion is not None:
                self.poses |= {name: self.poses[name].turned(*motion) for name in self.joints_of(piece)}
        for piece, own in zip(self.pieces, motions, strict=True):
            lift = self.lift(piece)
            # what does not stand is out of the ground at least
            lift = lift if own is not None else max(lift, 0.0)
            self.poses |= {
                n: self.poses[n].turned(np.eye(3), self.poses[n].p, lift * UP) for n in self.joints_of(piece)
            }
        self.keep(self.poses)

    def motion(self, piece: list[str], now: list[Spots]) -> tuple[Array, Array, Array] | None:
        """How a piece that stands is turned and moved, so that it leans as the ground does below it."""
        before = [one for one in self.stands if one.body in piece]
        if not before:
            return None
        same = {one.part: one.feature for one in before}
        under = np.concatenate([one.ground() for one in before])
        below = np.concatenate([one.of(same[one.part]).ground() for one in now if one.part in same])
        about = under.mean(axis=0)
        return _turn(_normal(under), _normal(below)), about, (below.mean(axis=0) - about) * UP

    def lift(self, piece: list[str]) -> float:
        """By how much a piece is to be lifted so that nothing of it is too deep, and hardly more, m."""
        reach = self.height
        for _ in range(DOUBLINGS):
            if self.slack(piece, -reach) <= 0.0 <= self.slack(piece, reach):
                break
            reach *= 2.0
        else:
            return 0.0  # it touches nothing of this ground
        low, high = -reach, reach
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.slack(piece, middle) > 0.0 else (middle, high)
        return high

    def slack(self, piece: list[str], lift: float) -> float:
        """By how much a piece could be lowered from there, about, m."""
        spots = (one for one in self.spots(self.poses, lift) if one.body in piece)
        return min((float(one.gap.min()) + self.depth.get(one.part, 0.0) for one in spots), default=math.inf)

    def spots(self, poses: Mapping[str, Pose], lift: float) -> list[Spots]:
        """What could touch the ground when free bodies are at such poses, lifted."""
        for name, joint in self.joints.items():
            q, _ = self.planned.joint_columns(name)
            start = self.start_of(joint, poses[name].turned(np.eye(3), poses[name].p, lift * UP))
            self.planned.work.state.q[q] = (*start[:3], *quaternion(start[3:]))
        return _spots(self.planned, self.ground)

    def joints_of(self, piece: list[str]) -> list[str]:
        """Free joints of a piece."""
        return [name for name, joint in self.joints.items() if self.machine.locate(joint.b).body in piece]

    def frame_of(self, joint: Free) -> Pose:
        """The place on the ground that a free joint is counted from."""
        _, at, rpy = self.machine.locate(joint.a)
        return Pose(np.array(rotation(rpy)), np.array(at))

    def pose_of(self, joint: Free) -> Pose:
        """Where a free joint starts, in the world."""
        frame, start = self.frame_of(joint), np.array(joint.start)
        turned = exponential(start[3:].tolist())
        return Pose(np.asarray(frame.R @ turned), np.asarray(frame.p + frame.R @ start[:3]))

    def start_of(self, joint: Free, pose: Pose) -> tuple[float, ...]:
        """Start values of a free joint for a pose in the world."""
        frame = self.frame_of(joint)
        return (*(frame.R.T @ (pose.p - frame.p)).tolist(), *rotation_vector(frame.R.T @ pose.R).tolist())

    def keep(self, poses: Mapping[str, Pose]) -> None:
        """Let the machine start there; what moves at the start keeps its direction in the machine."""
        for name, joint in self.joints.items():
            frame, before = self.frame_of(joint), self.pose_of(joint)
            turned = frame.R.T @ poses[name].R @ before.R.T @ frame.R
            speed = (*(turned @ np.array(joint.speed[:3])).tolist(), *joint.speed[3:])
            self.machine.assign(
                name, {"start": self.start_of(joint, poses[name])} | ({"speed": speed} if any(speed) else {})
            )


def _heights(ground: Terrain, points: Array) -> Array:
    """Heights of a ground: all of a field, or of a plane over and under points."""
    if ground.is_field:
        return np.asarray(ground.at[2] + np.array(ground.grid(), float))
    n = np.array(ground.direction)
    return np.asarray(ground.at[2] - (points - ground.at)[:, :2] @ n[:2] / n[2])


def _normal(points: Array) -> Array:
    """Upward normal of the plane that fits points best; level across a line or a single point."""
    away = points - points.mean(axis=0)
    slopes = np.linalg.lstsq(away[:, :2], away[:, 2], rcond=LINE)[0]
    n = np.array((-slopes[0], -slopes[1], 1.0))
    return np.asarray(n / np.linalg.norm(n))


def _turn(a: Array, b: Array) -> Array:
    """The shortest rotation that takes one unit vector to another."""
    axis = np.cross(a, b)
    sine = float(np.linalg.norm(axis))
    angle = math.atan2(sine, float(a @ b))
    return exponential((axis * (angle / sine if sine > 0.0 else 0.0)).tolist())
