# SPDX-License-Identifier: BSD-3-Clause
"""Closed meshes of simple solids, triangles anticlockwise seen from outside."""

import numpy as np

CUBE = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def box(x: float, y: float, z: float, at=(0.0, 0.0, 0.0)):
    """A box centred at a point."""
    corners = np.array([[(i & 1), (i >> 1) & 1, i >> 2] for i in range(8)], float) - 0.5
    faces = [side for a, b, c, d in CUBE for side in ((a, b, c), (a, c, d))]
    return corners * (x, y, z) + at, np.array(faces)


def prism(radius: float, height: float, count: int):
    """A regular prism along z, centred."""
    angle = 2.0 * np.pi * np.arange(count) / count
    ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(count, -0.5 * height)])
    vertices = np.vstack([ring, ring + (0.0, 0.0, height), [[0, 0, -0.5 * height], [0, 0, 0.5 * height]]])
    faces = []
    for i in range(count):
        j, low, high = (i + 1) % count, 2 * count, 2 * count + 1
        faces += [(i, j, count + j), (i, count + j, count + i), (low, j, i), (high, count + i, count + j)]
    return vertices, np.array(faces)


def ball(radius: float, refinements: int):
    """An octahedron whose triangles are halved again and again, all corners on the sphere."""
    vertices = [np.array(p, float) for p in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(refinements):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, known=middles) -> int:
            key = (min(a, b), max(a, b))
            if key not in known:
                point = vertices[a] + vertices[b]
                known[key] = len(vertices)
                vertices.append(point / np.linalg.norm(point))
            return known[key]

        faces = [
            piece
            for a, b, c in faces
            for ab, bc, ca in [(middle(a, b), middle(b, c), middle(c, a))]
            for piece in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        ]
    return radius * np.array(vertices), np.array(faces)
