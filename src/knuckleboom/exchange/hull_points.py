# SPDX-License-Identifier: BSD-3-Clause
"""Corners of the convex hull of a mesh, for contact: `m.contact("lip", bucket, hull=kb.hull_points("bucket.stl"))`.

Tested in tests/exchange/test_hull_points.py
"""

from __future__ import annotations

import os
from typing import Any

from knuckleboom.exchange.mass_properties import read_amounts
from knuckleboom.exchange.mesh_file import read_mesh
from knuckleboom.interface.outlines import hull
from knuckleboom.net import Vector


def hull_points(mesh: Any, *, unit: Any = "m") -> tuple[Vector, ...]:
    """Return the corners of the convex hull of a mesh, in its axes; it need not be closed.

    `mesh` and `unit` are as in `mass_properties`: a file (STL, OBJ or PLY), vertices and faces, or what has both.
    """
    name = os.fspath(mesh) if isinstance(mesh, (str, os.PathLike)) else "the mesh"
    _, scale = read_amounts(name, 1.0, unit)
    vertices, _ = read_mesh(mesh, name)
    return tuple(one.centre for one in hull((vertices * scale).tolist()).features)
