# SPDX-License-Identifier: BSD-3-Clause
"""The ground in a plan: planes, coefficients of height fields, areas. Tested in tests/geometry/test_field.py"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from knuckleboom.geometry.field import FIELD, PLANE, RING, WALL
from knuckleboom.machine import Machine
from knuckleboom.mechanics.heights import coefficients
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.plan.rotation import Matrix


class Ground(NamedTuple):
    """The tables of one terrain; places in lists are counted from its own first."""

    kind: int
    shape: tuple[int, int]
    number: tuple[float, ...]
    heights: Matrix
    areas: list[tuple[float, ...]]
    outlines: list[tuple[tuple[float, float], ...]]


def tangents(line: Matrix) -> Matrix:
    """A direction in the plane with this normal: across the axis that it is furthest from."""
    axis = np.eye(3)[int(np.argmin(np.abs(line)))]
    found: Matrix = np.cross(line, axis)
    found /= np.linalg.norm(found)
    return found


def ground_of(terrain: Terrain) -> Ground:
    """The tables of a terrain."""
    kind, shape, heights, origin, fine = PLANE, (0, 0), np.zeros(0), (0.0, 0.0), 0.0
    normal = np.array(terrain.direction)
    if terrain.is_field:
        kind, given = FIELD, np.array(terrain.grid(), float)
        shape, heights = (len(given), len(given[0])), coefficients(given + terrain.at[2], RING)
        origin, fine = terrain.at[:2], 1.0 / (terrain.spacing or math.nan)
    elif normal[2] <= 0.0:
        kind = WALL
    everywhere = (terrain.friction_factor, terrain.stiffness_factor, -math.inf, -math.inf, math.inf, math.inf)
    areas: list[tuple[float, ...]] = [everywhere]
    for area in terrain.areas:
        xs, ys = [x for x, _ in area.outline], [y for _, y in area.outline]
        areas.append((area.friction_factor, area.stiffness_factor, min(xs), min(ys), max(xs), max(ys)))
    height = float(normal @ np.array(terrain.at))
    number = (*normal, height, *tangents(normal), *origin, fine)
    return Ground(kind, shape, number, heights, areas, [(), *(area.outline for area in terrain.areas)])


def ground_tables(machine: Machine) -> dict[str, np.ndarray]:
    """The family `ground`: the terrains of a machine in their order."""
    grounds = [ground_of(terrain) for terrain in machine.of(Terrain)]
    first_height = list(accumulate((one.heights.size for one in grounds), initial=0))
    first_area = list(accumulate((len(one.areas) for one in grounds), initial=0))
    outlines = [outline for one in grounds for outline in one.outlines]
    first_corner = list(accumulate((len(outline) for outline in outlines), initial=0))
    lines = [
        (one.kind, *one.shape, first_height[place], first_area[place], len(one.areas))
        for place, one in enumerate(grounds)
    ]
    return {
        "ground.index": np.array(lines, np.int64).reshape(-1, 6),
        "ground.number": np.array([one.number for one in grounds], float).reshape(-1, 10),
        "ground.height": np.concatenate([np.zeros(0), *(one.heights.ravel() for one in grounds)]),
        "ground.area": np.array([area for one in grounds for area in one.areas], float).reshape(-1, 6),
        "ground.outline": np.array(
            [(first_corner[place], len(outline)) for place, outline in enumerate(outlines)], np.int64
        ).reshape(-1, 2),
        "ground.corner": np.array([corner for outline in outlines for corner in outline], float).reshape(-1, 2),
    }
