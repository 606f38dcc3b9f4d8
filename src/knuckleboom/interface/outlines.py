# SPDX-License-Identifier: BSD-3-Clause
"""Shapes as features that can touch: where, of what radius, about which axis.

    sphere    one ball          capsule   two balls
    box       its 8 corners     hull      its corners: those of the points that are on their convex hull
    cylinder  two rims, and on each end 4 points at 95 % of the radius, on which it stands

Tested in tests/interface/test_outlines.py
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knuckleboom.net import Feature, Outline, Vector

INSET = 0.95
STANDING = 4
"""Points of an end on which a cylinder stands."""


def sphere(radius: float) -> Outline:
    """A ball about the place."""
    return Outline((Feature((0.0, 0.0, 0.0), radius),), radius, 1)


def box(sides: Vector) -> Outline:
    """Lengths along the axes, its centre at the place."""
    x, y, z = (0.5 * side for side in sides)
    signs = [(a, b, c) for c, b, a in itertools.product((-1.0, 1.0), repeat=3)]
    return Outline(tuple(Feature((a * x, b * y, c * z), 0.0) for a, b, c in signs), min(sides), 4)


def capsule(radius: float, length: float, axis: Vector) -> Outline:
    """A radius and the length between the centres of its ends."""
    return Outline(tuple(Feature(along(axis, side * length), radius) for side in (-0.5, 0.5)), radius, 2)


def cylinder(radius: float, length: float, axis: Vector) -> Outline:
    """A radius and a length along the axis."""
    ends = [along(axis, side * length) for side in (-0.5, 0.5)]
    rims = [Feature(end, radius, axis) for end in ends]
    line = np.array(axis)
    across = np.cross(line, np.eye(3)[int(np.argmin(np.abs(line)))])
    across /= np.linalg.norm(across)
    other, turns = np.cross(line, across), 2.0 * np.pi * np.arange(STANDING) / STANDING
    circle = INSET * radius * (np.outer(np.cos(turns), across) + np.outer(np.sin(turns), other))
    feet = [Feature(vector(np.array(end) + offset), 0.0) for end in ends for offset in circle]
    return Outline((*rims, *feet), min(radius, length), 2)


def hull(points: Sequence[Vector]) -> Outline:
    """Points in the axes of the place; those inside of their hull never touch."""
    from scipy.spatial import ConvexHull, QhullError

    given = np.unique(np.array(points, float), axis=0)
    # of points in a plane or on a line all may touch
    with contextlib.suppress(QhullError, ValueError):
        given = given[np.sort(ConvexHull(given).vertices)]
    size = float(np.linalg.norm(given.max(axis=0) - given.min(axis=0))) / 2.0
    return Outline(tuple(Feature(vector(p), 0.0) for p in given), size, min(4, len(given)))


def drawn(form: str, size: Sequence[float], at: Vector, rpy: Vector) -> Outline:
    """A shape that a body is drawn as, in the axes of the body; machine/appearance.py has its sizes."""
    from scipy.spatial.transform import Rotation

    along_z = (0.0, 0.0, 1.0)
    if form == "sphere":
        made = sphere(size[0])
    elif form == "box":
        made = box((size[0], size[1], size[2]))
    else:
        made = (capsule if form == "capsule" else cylinder)(size[0], size[1], along_z)
    return placed(made, Rotation.from_euler("xyz", rpy).as_matrix(), np.array(at))


def placed(outline: Outline, R: NDArray[np.float64], p: NDArray[np.float64]) -> Outline:
    """The same with its place turned and moved."""
    moved = [Feature(vector(R @ one.centre + p), one.radius, vector(R @ one.axis)) for one in outline.features]
    return outline._replace(features=tuple(moved))


def together(outlines: Sequence[Outline]) -> Outline:
    """Several as one; its size is that of the smallest."""
    features = tuple(one for outline in outlines for one in outline.features)
    return Outline(features, min(one.size for one in outlines), min(4, max(one.resting for one in outlines)))


def along(axis: Vector, way: float) -> Vector:
    """A place on an axis."""
    return way * axis[0], way * axis[1], way * axis[2]


def vector(values: NDArray[np.float64]) -> Vector:
    """Three numbers as a tuple."""
    x, y, z = values.tolist()
    return x, y, z
