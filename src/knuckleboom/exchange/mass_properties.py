# SPDX-License-Identifier: BSD-3-Clause
"""Mass, centre of mass and inertia of a solid that a closed mesh of triangles bounds, exactly.

    V = Σ v,   ∫x dV = Σ v·s/4,   ∫x xᵀ dV = Σ v·(a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20,   v = a·(b × c)/6,   s = a + b + c

By the divergence theorem the solid is the signed sum of the tetrahedra that every triangle (a, b, c) spans with one
point [Mirtich 1996]; that point is the middle of the mesh, so that a mesh far from the origin loses no digits. The
triangles must be turned so that their corners go round anticlockwise seen from outside. Tested against closed forms in
tests/exchange/test_mass_properties.py.

>>> import knuckleboom as kb
>>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
>>> wedge = kb.mass_properties((corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]), density="6000 kg/m3")
>>> round(wedge["mass"], 9), wedge["com"]
(1000.0, (0.25, 0.25, 0.25))
"""

from __future__ import annotations

import os
from typing import Any, TypedDict

import numpy as np

from knuckleboom.errors import MachineError, Problem
from knuckleboom.exchange.mesh_file import read_mesh, refused
from knuckleboom.exchange.mesh_rules import check_closed, signed_volumes
from knuckleboom.exchange.pose import Array, six
from knuckleboom.quantities import Quantity, show


class MassProperties(TypedDict):
    """Settings of a body: kg, m, and kg·m² about the centre of mass as (xx, yy, zz, xy, xz, yz)."""

    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float]


def mass_properties(mesh: Any, density: Any, *, unit: Any = "m") -> MassProperties:
    """Return mass, com and inertia of a closed mesh, to be given to a body: `m.body("boom", **…)`.

    `mesh` is a file (STL, OBJ or PLY), a pair of vertices and faces, or anything that has `vertices` and `faces`.
    `unit` is how long 1 in the mesh is: "mm", "inch", "0.1 mm" or a number in m. The properties are in the mesh's axes.
    """
    name = os.fspath(mesh) if isinstance(mesh, (str, os.PathLike)) else "the mesh"
    rho, scale = read_amounts(name, density, unit)
    vertices, faces = read_mesh(mesh, name)
    vertices = vertices * scale
    check_closed(vertices, faces, name)

    triangles = vertices[faces]
    middle = 0.5 * (triangles.min(axis=(0, 1)) + triangles.max(axis=(0, 1)))
    volume, first, second = moments(triangles - middle)
    if volume == 0.0:
        raise refused(name, "the volume inside it is zero.", "Give a mesh that bounds a solid.")
    if volume < 0.0:
        fix = "Swap two corners of every triangle: faces[:, ::-1], or flip the normals in the program it is from."
        raise refused(name, "it is inside out: its triangles are turned clockwise seen from outside.", fix)

    com = first / volume
    spread = second - volume * np.outer(com, com)
    inertia = rho * (np.trace(spread) * np.eye(3) - spread)
    x, y, z = (com + middle).tolist()
    return {"mass": rho * volume, "com": (x, y, z), "inertia": six(inertia)}


def moments(triangles: Array) -> tuple[float, Array, Array]:
    """Return the volume, ∫x dV and ∫x xᵀ dV of the solid that triangles (count × corner × axis) bound."""
    volumes = signed_volumes(triangles)
    total = triangles.sum(axis=1)
    first = np.einsum("t,ti->i", volumes, total) / 4.0
    corners = np.einsum("t,tki,tkj->ij", volumes, triangles, triangles)
    second = (corners + np.einsum("t,ti,tj->ij", volumes, total, total)) / 20.0
    return float(volumes.sum()), first, second


def read_amounts(name: str, density: Any, unit: Any) -> tuple[float, float]:
    """Return density and length of a unit in SI, or all that is wrong with them."""
    text = f"1 {unit}" if isinstance(unit, str) and not unit.lstrip()[:1].isdigit() else unit
    values, problems = [], []
    for what, quantity, given in (("density", Quantity("kg/m^3"), density), ("unit", Quantity("m"), text)):
        try:
            values.append(quantity.read(given))
            if not values[-1] > 0.0:
                raise ValueError(f"{show(given)} is not above zero")
        except ValueError as error:
            problems.append(Problem(f"{what}: {error}."))
    if problems:
        raise MachineError(problems, name)
    return values[0], values[1]
