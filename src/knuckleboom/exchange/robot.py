# SPDX-License-Identifier: BSD-3-Clause
"""A robot between its file and its machine: links in a tree of joints, as both formats have them.

The readers (exchange/urdf.py, exchange/mjcf.py) fill it without caring what a machine allows: links may have no mass
and names may be anything. exchange/assemble.py makes a machine of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.exchange.pose import IDENTITY, Array, Pose

GROUND = -1
"""The number of the world where the number of a link is asked for."""


@dataclass
class Link:
    """A rigid body, massless or not: mass, centre and inertia about it in its own axes, shapes and named points."""

    name: str
    line: int | None
    file: str = ""
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    shapes: list[tuple[Pose, dict[str, Any]]] = field(default_factory=list)
    points: list[tuple[str, Pose]] = field(default_factory=list)


@dataclass
class Joint:
    """What carries the link of the same number; `kind` is one of ours, `start` is given where it is not zero."""

    name: str
    kind: str
    parent: int
    line: int | None
    file: str = ""
    at_parent: Pose = IDENTITY
    at_child: Pose = IDENTITY
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    start: tuple[float, ...] = ()
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0


@dataclass
class Closing:
    """A joint that closes a loop between two links."""

    name: str
    kind: str
    ends: tuple[tuple[int, Pose], tuple[int, Pose]]
    line: int | None
    file: str = ""


@dataclass
class Ratio:
    """A gear: the coordinate of joint b follows that of joint a, both by number."""

    name: str
    a: int
    b: int
    ratio: float
    line: int | None
    file: str = ""


@dataclass
class Motor:
    """A force or torque on a joint, by number, as an input."""

    name: str
    joint: int
    line: int | None
    file: str = ""


@dataclass
class Strut:
    """A spring and damper between points of two links."""

    name: str
    ends: tuple[tuple[int, Pose], tuple[int, Pose]]
    stiffness: float
    rest: float
    damping: float
    line: int | None
    file: str = ""


@dataclass
class Robot:
    """All of it. A link comes after its carrier, and the joint with its number is the one that carries it."""

    name: str
    gravity: tuple[float, float, float] | None = None
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    motors: list[Motor] = field(default_factory=list)
    struts: list[Strut] = field(default_factory=list)
    ground: Link = field(default_factory=lambda: Link("ground", None))
