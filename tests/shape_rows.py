# SPDX-License-Identifier: BSD-3-Clause
"""Shapes and spots for tests of geometry/: rows from numbers that people give, and spots as arrays."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import lsq_linear
from scipy.spatial.transform import Rotation

from kernel_call import callable_kernel
from knuckleboom.geometry import box_axes, pair, placed, spots
from knuckleboom.geometry.placed import BOX, CAPSULE, SPHERE

__all__ = ["BOX", "CAPSULE", "SPHERE", "all_axes", "compiled", "corners", "random_rotation", "random_shape"]
__all__ += ["least_distance", "separate", "shape_row", "spots_of"]


@cache
def compiled(kernel):
    """A kernel that Python can call, compiled once."""
    return callable_kernel(kernel)


def random_rotation(random):
    return Rotation.random(random_state=random).as_matrix()


def shape_row(centre, rotation=None, half=(0.0, 0.0, 0.0), radius=0.0):
    """A row of placed shapes; `half` of a capsule is a number."""
    half = (0.0, 0.0, half) if np.isscalar(half) else half
    axes = np.eye(3) if rotation is None else np.asarray(rotation)
    return np.array([*centre, *axes.T.ravel(), *half, radius], float)


def spots_of(kind_a, a, kind_b, b, reach=0.0):
    """The rows of spots of two shapes."""
    rows, frame = np.full((spots.MOST, spots.COLUMNS), np.nan), np.full(box_axes.COLUMNS, np.nan)
    both = np.ascontiguousarray([a, b])
    assert both.shape == (2, placed.COLUMNS)
    count = compiled(pair.touch)(kind_a, kind_b, both, 0, 1, reach, 0, rows, frame)
    assert np.isfinite(rows[:count]).all()
    return rows[:count]


def random_shape(kind, random, spread=0.8):
    """A shape of a kind, at most 1 m long each way from its centre."""
    half = {SPHERE: (0, 0, 0), CAPSULE: random.uniform(0.0, 1.0), BOX: random.uniform(0.1, 1.0, 3)}[kind]
    radius = 0.0 if kind == BOX else random.uniform(0.05, 0.5)
    return shape_row(random.normal(size=3) * spread, random_rotation(random), half, radius)


def separate(a, b, reach=np.inf):
    """s and the axis of two boxes, and what kernels of box_axes.py work with."""
    both, frame = np.array([a, b]), np.full(box_axes.COLUMNS, np.nan)
    compiled(box_axes.relate)(both, 0, 1, frame)
    return (*compiled(box_axes.separate)(both, 0, 1, 0, reach, frame), both, frame)


def corners(row):
    """The eight corners of a box."""
    signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
    return row[:3] + (signs * row[12:15]) @ row[3:12].reshape(3, 3)


def all_axes(a, b):
    """s along each of the 15 axes, from the corners; −inf where edges are parallel."""
    e, f = a[3:12].reshape(3, 3), b[3:12].reshape(3, 3)
    found = []
    for L in [*e, *f, *(np.cross(e[i], f[j]) for i in range(3) for j in range(3))]:
        if L @ L < box_axes.PARALLEL:
            found.append(-np.inf)
            continue
        p, q = corners(a) @ L, corners(b) @ L
        found.append(max(q.min() - p.max(), p.min() - q.max()) / np.sqrt(L @ L))
    return np.array(found)


def least_distance(columns, target, limits):
    """The least |columns x − target| with |x| ≤ limits, and x: bounded least squares of SciPy."""
    limits = np.maximum(limits, 1e-15)  # SciPy takes no limit of 0
    found = lsq_linear(columns, target, (-limits, limits), tol=1e-15, method="bvls")
    return np.linalg.norm(columns @ found.x - target), found.x
