# SPDX-License-Identifier: BSD-3-Clause
"""A small machine as plain arrays, for the formulations written down from the papers, and what they answer with.

A body carries its frame B: mass m, centre of mass c and inertia about it, both in B's axes. A joint has a frame on each
of its bodies, F on a and M on b; −1 is the ground. Its kind says which scalar products vanish, d = p_M − p_F:

    "meet"   d = 0, three rows in world axes
    "xz"     x of F is perpendicular to z of M; likewise any two letters, the first an axis of F, the second of M
    "x"      d is perpendicular to x of F; likewise any letter

The axis of a joint is z of both frames; the axes of a universal joint's cross are z of F and x of M. So every row is a
difference of points or a product of two vectors, and either formulation only has to say how points and vectors move.

Wrenches are [n; f], moment then force, in world axes. A reaction is what b gets from a, moments about b's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
GROUND = -1
GRAVITY = np.array([0.0, 0.0, -9.81])  # m/s²

ROWS: dict[str, tuple[str, ...]] = {
    "spherical": ("meet",),
    "universal": ("meet", "zx"),
    "revolute": ("meet", "xz", "yz"),
    "fixed": ("meet", "xz", "yz", "xy"),
    "cylindrical": ("x", "y", "xz", "yz"),
    "prismatic": ("x", "y", "xz", "yz", "xy"),
    "planar": ("z", "xz", "yz"),
}
"""What holds in each kind of joint."""


@dataclass(frozen=True)
class Body:
    """Mass [kg], inertia about the centre of mass [kg·m²] and centre of mass [m], in the body's axes."""

    mass: float
    inertia: Array
    centre: Array = field(default_factory=lambda: np.zeros(3))

    @property
    def inertia_at_origin(self) -> Array:
        """J_O = J_C + m (c·c 1 − c cᵀ), kg·m²."""
        c = self.centre
        return np.asarray(self.inertia + self.mass * (c @ c * np.eye(3) - np.outer(c, c)))


class Frame(NamedTuple):
    """A point [m] and axes (columns) in the axes of a body, or of the world."""

    point: Array
    axes: Array


class Joint(NamedTuple):
    """A joint of a kind from body a (frame F) to body b (frame M)."""

    kind: str
    a: int
    b: int
    F: Frame
    M: Frame

    @property
    def size(self) -> int:
        """How many rows it has."""
        return sum(3 if row == "meet" else 1 for row in ROWS[self.kind])


@dataclass(frozen=True)
class Machine:
    """Bodies and joints under gravity [m/s²]."""

    bodies: Sequence[Body]
    joints: Sequence[Joint] = ()
    gravity: Array = field(default_factory=lambda: GRAVITY.copy())

    def slices(self) -> list[slice]:
        """Which rows belong to each joint."""
        ends = np.cumsum([0] + [joint.size for joint in self.joints])
        return [slice(int(begin), int(end)) for begin, end in pairwise(ends)]


class State(NamedTuple):
    """Of every body: origin p_WB [m], axes R_WB, velocity of the origin [m/s] and angular velocity [rad/s], in W."""

    place: Array
    axes: Array
    velocity: Array
    omega: Array

    def frame(self, body: int, frame: Frame) -> Frame:
        """A body's frame in the world."""
        if body == GROUND:
            return frame
        R = self.axes[body]
        return Frame(self.place[body] + R @ frame.point, R @ frame.axes)


class Solution(NamedTuple):
    """Accelerations of the origins [m/s²], angular accelerations [rad/s²], the joints' multipliers and reactions."""

    acceleration: Array
    angular: Array
    multipliers: Array
    reactions: Array
    iterations: int = 0


def at_rest(places: ArrayLike, axes: ArrayLike | None = None) -> State:
    """Bodies that stand still, with world axes if no others are given."""
    place = np.atleast_2d(np.asarray(places, dtype=float))
    still = np.zeros_like(place)
    turned = np.tile(np.eye(3), (len(place), 1, 1)) if axes is None else np.asarray(axes, dtype=float)
    return State(place, turned, still, still.copy())


def joint_at(kind: str, a: int, b: int, state: State, place: ArrayLike, axis: ArrayLike, cross: ArrayLike) -> Joint:
    """A joint whose frames coincide in this state, with z along `axis` and x along `cross`, all in world axes."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    x = np.asarray(cross, dtype=float) - z * (z @ np.asarray(cross, dtype=float))
    x = x / np.linalg.norm(x)
    world = Frame(np.asarray(place, dtype=float), np.column_stack([x, np.cross(z, x), z]))
    return Joint(kind, a, b, inside(a, state, world), inside(b, state, world))


def inside(body: int, state: State, world: Frame) -> Frame:
    """A frame of the world in a body's axes."""
    if body == GROUND:
        return world
    R = state.axes[body]
    return Frame(R.T @ (world.point - state.place[body]), R.T @ world.axes)


def reaction(joint: Joint, state: State, wrench_a: Array, wrench_b: Array) -> Array:
    """[n; f] that b gets, about b's place, from the wrenches of the joint on both bodies about their origins.

    b's own is taken; when b is the ground, a's reversed: the joint as a whole does not push itself.
    """
    body, wrench, sign = (joint.b, wrench_b, 1.0) if joint.b != GROUND else (joint.a, wrench_a, -1.0)
    arm = state.place[body] - state.frame(joint.b, joint.M).point
    n, f = wrench[:3], wrench[3:]
    return sign * np.concatenate([n + np.cross(arm, f), f])


def skew(u: Array) -> Array:
    """ũ, so that ũ w = u × w."""
    x, y, z = u
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
