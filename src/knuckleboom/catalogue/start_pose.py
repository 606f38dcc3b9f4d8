# SPDX-License-Identifier: BSD-3-Clause
"""Where the bodies of a machine are at its start, and what their weight asks of a joint: closed forms for a tree.

    p_WB, R_WB     from the ground outwards, joint by joint, with each joint's `start`
    effort         −Σ m·g·∂p_com/∂q over all bodies outside the joint         virtual work; N·m for a pin, N for a slide

Joints marked `cut` are left out: their `start` must close the loop already, as in a pose that is computed beforehand.
Fixed, revolute, prismatic, cylindrical, universal and free joints that stand outwards (a nearer to the ground than b).
Validated by: validation/analytic/test_concrete_sprayer.py, test_harvester_30.py, test_mobile_crane.py
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.describe import Place
from knuckleboom.machine import Machine
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.parts import Body, Joint, Universal
from knuckleboom.mechanics.parts.joint import vector

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """A frame in the world: its axes as columns of R, its origin p, m."""

    R: Array
    p: Array


class StartPose:
    """Poses of all bodies of a machine in its start pose."""

    def __init__(self, m: Machine) -> None:
        self.machine = m
        self.bodies = {"ground": Pose(np.eye(3), np.zeros(3))}
        self.inner: dict[str, Joint] = {}
        waiting = [joint for joint in m.of(Joint) if not joint.cut]
        while waiting:
            ready = [joint for joint in waiting if m.locate(joint.a).body in self.bodies]
            if not ready:
                raise ValueError(f"no way from the ground to joint '{waiting[0].name}'")
            for joint in ready:
                self._hang(joint)
            waiting = [joint for joint in waiting if joint not in ready]

    def _hang(self, joint: Joint) -> None:
        """Place the body on the far side of a joint whose near side is placed."""
        frame, far = self._frame(joint.a), self.machine.locate(joint.b)
        turn, slide = np.eye(3), np.zeros(3)
        if joint.KIND == "revolute":
            turn = _turned(np.array(vector(joint.axis)), joint.start[0])
        elif joint.KIND == "prismatic":
            axis = np.array(vector(joint.axis))
            slide = joint.start[0] * axis / np.linalg.norm(axis)
        elif joint.KIND == "cylindrical":
            axis = np.array(vector(joint.axis))
            slide, turn = joint.start[0] * axis / np.linalg.norm(axis), _turned(axis, joint.start[1])
        elif joint.KIND == "universal":
            assert isinstance(joint, Universal)
            turn = _turned(np.array(vector(joint.axis)), joint.start[0])
            turn = turn @ _turned(np.array(joint.second), joint.start[1])
        elif joint.KIND == "free":
            slide, turned = np.array(joint.start[:3]), np.array(joint.start[3:])
            if turned.any():
                turn = _turned(turned, float(np.linalg.norm(turned)))
        elif joint.KIND != "fixed":
            raise ValueError(f"joint '{joint.name}': a start pose is not computed through a {joint.KIND} joint")
        R = frame.R @ turn @ np.array(rotation(far.rpy)).T
        p = frame.p + frame.R @ slide - R @ np.array(far.at)
        self.bodies[far.body], self.inner[far.body] = Pose(R, p), joint

    def _frame(self, place: Place) -> Pose:
        """Axes and origin of a place in the world."""
        spot = self.machine.locate(place)
        body = self.bodies[spot.body]
        return Pose(body.R @ np.array(rotation(spot.rpy)), body.p + body.R @ np.array(spot.at))

    def world(self, place: Place) -> Array:
        """Position of a place, m."""
        return self._frame(place).p

    def beyond(self, joint: str) -> list[str]:
        """Names of the bodies that a joint carries."""
        carried: list[str] = []
        for body, inner in self.inner.items():
            near = self.machine.locate(inner.a).body
            if inner.name == joint or near in carried:
                carried.append(body)
        return carried

    def weight(self, names: list[str] | None = None) -> tuple[float, Array]:
        """Mass of some bodies (all, if none are named), kg, and their centre in the world, m."""
        mass, moment = 0.0, np.zeros(3)
        for body in self.machine.of(Body):
            if names is not None and body.name not in names:
                continue
            R, p = self.bodies[body.name]
            lumps = [(body.mass, body.com), *((point.mass, point.at) for point in body.point_masses.values())]
            for part, at in lumps:
                mass, moment = mass + part, moment + part * (p + R @ np.array(at))
        return mass, moment / mass

    def effort(self, joint: str) -> float:
        """What holds all that a pin or slide carries against its weight, N·m or N, positive along the coordinate."""
        part = next(one for one in self.machine.of(Joint) if one.name == joint)
        mass, centre = self.weight(self.beyond(joint))
        frame, pull = self._frame(part.a), mass * np.array(self.machine.gravity)
        axis = frame.R @ np.array(vector(part.axis)) / np.linalg.norm(vector(part.axis))
        moved = np.cross(axis, centre - frame.p) if part.KIND == "revolute" else axis
        return -float(pull @ moved)

    def lever(self, joint: str, a: Place, b: Place) -> float:
        """∂s/∂q of the distance s from a, not carried by a pin, to b, which is carried by it, m/rad."""
        part = next(one for one in self.machine.of(Joint) if one.name == joint)
        frame = self._frame(part.a)
        axis = frame.R @ np.array(vector(part.axis)) / np.linalg.norm(vector(part.axis))
        line = self.world(b) - self.world(a)
        return float(np.cross(axis, self.world(b) - frame.p) @ line / np.linalg.norm(line))

    def ram_force(self, hinge: str, name: str, foot: Place, end: Place) -> float:
        """Force of a cylinder of two bodies that carries the weight, N, positive where it is pressed.

        Virtual work on the hinge's angle φ, with the barrel's angle α and the length s that follow it:
        F·ds/dφ = effort of the hinge + effort of `<name>_foot`·dα/dφ + effort of `<name>_stroke`·ds/dφ
        """
        part = next(one for one in self.machine.of(Joint) if one.name == hinge)
        axis = self.bodies[self.machine.locate(part.a).body].R @ np.array(vector(part.axis))
        base, eye = self.world(foot), self.world(end)
        length = float(np.linalg.norm(eye - base))
        line, moved = (eye - base) / length, np.cross(axis, eye - self.world(part.a))
        turned = moved @ np.cross(axis, line) / length
        lever = moved @ line
        work = self.effort(hinge) + turned * self.effort(f"{name}_foot") + lever * self.effort(f"{name}_stroke")
        return float(work / lever)

    def distance(self, a: Place, b: Place) -> float:
        """Distance of two places, m."""
        return float(np.linalg.norm(self.world(b) - self.world(a)))


def _turned(axis: Array, angle: float) -> Array:
    """Rotation about an axis: R = I + sin φ·K + (1 − cos φ)·K²."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)
