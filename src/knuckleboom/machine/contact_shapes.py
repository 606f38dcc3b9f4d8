# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of contacts and tires, as which bodies without an appearance are drawn; a hull is drawn by its edges.

Tested in tests/machine/test_contact_shapes.py
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knuckleboom.describe import Part
from knuckleboom.interface.parts import Contact, Tire
from knuckleboom.machine.appearance import Shape
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.placement import Located, angles, rotation
from knuckleboom.quantities import Vec3, unit_vector


def contact_shapes(machine: Machine) -> dict[str, list[Shape]]:
    """Shapes by body, those of bodies that are drawn otherwise too."""
    found: dict[str, list[Shape]] = {}
    for part in machine.parts.values():
        for place, shape in touching(machine, part):
            found.setdefault(place.body, []).append(shape)
    return found


def touching(machine: Machine, part: Part) -> Iterator[tuple[Located, Shape]]:
    """Places and shapes of a contact or a tire; none of other parts and of contacts that take theirs from looks."""
    if isinstance(part, Tire):
        place = machine.locate(part.wheel)
        yield place, formed(place, "cylinder", (part.radius, part.width), part.axle)
    elif isinstance(part, Contact):
        place = machine.locate(part.at)
        if part.sphere is not None:
            yield place, formed(place, "sphere", (part.sphere,))
        elif part.box is not None:
            yield place, formed(place, "box", part.box)
        elif part.capsule is not None:
            yield place, formed(place, "capsule", part.capsule, part.axis)
        elif part.cylinder is not None:
            yield place, formed(place, "cylinder", part.cylinder, part.axis)
        elif part.hull:
            line = edges(part.hull)
            yield place, Shape(shape="line", points=line, at=place.at, rpy=place.rpy)


def formed(place: Located, form: Any, size: tuple[float, ...], axis: Any = "z") -> Shape:
    """A form at a place; those along z are turned until they lie along an axis of the place."""
    line = np.array(unit_vector(axis))
    across = np.cross(line, np.eye(3)[int(np.argmin(np.abs(line)))])
    across /= np.linalg.norm(across)
    turn = np.eye(3) if line[2] == 1.0 else np.column_stack([across, np.cross(line, across), line])
    rows = [(float(x), float(y), float(z)) for x, y, z in np.array(rotation(place.rpy)) @ turn]
    return Shape(shape=form, size=size, at=place.at, rpy=angles((rows[0], rows[1], rows[2])))


def edges(points: tuple[Vec3, ...]) -> tuple[Vec3, ...]:
    """Points of a line along all triangles of a convex hull; of points in a plane, from one to the next and back."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        triangles = ConvexHull(np.array(points)).simplices.tolist()
    except QhullError:
        return (*points, points[0])
    return tuple(points[corner] for triangle in triangles for corner in (*triangle, triangle[0]))
