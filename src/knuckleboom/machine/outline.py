# SPDX-License-Identifier: BSD-3-Clause
"""Outline of a machine: where its masses, joints and lines lie, as plain data that is saved with results.

A report made from a file years later draws the machine from this, also when its kinds of parts are long unknown. A
place is `[body, [x, y, z]]` in the body's axes (m). A line is any part between two places that is no joint: a cylinder,
a spring, a damper, a rod; `hidden` ones are not drawn. A ground is a plane, or heights of a field as it is computed,
rows along x. Shapes without a colour of their own have none here. A body without an appearance has the shapes of its
contacts and tires. Tested in tests/report/test_scene.py and tests/machine/test_contact_shapes.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.describe import Part, Place
from knuckleboom.machine.contact_shapes import contact_shapes
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.placement import rotation, turned
from knuckleboom.mechanics.heights import sampled
from knuckleboom.mechanics.parts import Body, Joint, Terrain
from knuckleboom.quantities import unit_vector

MOST_PLACES = 161
"""Places along one side at which a height field is drawn."""
LINE_SIZES = ("bore", "rod", "stroke", "closed")
"""Settings that say how thick and long a line is drawn, as far as a kind has them."""


def outline(machine: Machine) -> dict[str, Any]:
    """Return where everything lies, as lists, texts and numbers."""
    bodies: dict[str, Any] = {}
    touching = contact_shapes(machine)
    for body in machine.bodies():
        entry: dict[str, Any] = {"points": {name: list(at) for name, at in body.points.items()}}
        if isinstance(body, Body):
            masses = {name: [lump.mass, list(lump.at)] for name, lump in body.point_masses.items()}
            entry |= {"mass": body.mass, "com": list(body.com), "inertia": list(body.inertia), "masses": masses}
        shapes = machine.appearance.get(body.name, touching.get(body.name, ()))
        entry["shapes"] = [shape.model_dump(mode="json", exclude_unset=True) for shape in shapes]
        bodies[body.name] = entry
    joints = [_joint(machine, joint) for joint in machine.of(Joint)]
    lines = [_line(machine, part) for part in machine.parts.values() if _is_line(part)]
    grounds = [_ground(terrain) for terrain in machine.of(Terrain)]
    return {"bodies": bodies, "joints": joints, "lines": lines, "grounds": grounds}


def _ground(terrain: Terrain) -> dict[str, Any]:
    if not terrain.is_field:
        return {"name": terrain.name, "at": list(terrain.at), "normal": list(terrain.direction)}
    heights = np.array(terrain.grid())
    extent = [(count - 1) * (terrain.spacing or 0.0) for count in heights.shape]
    places = [min(2 * count - 1, MOST_PLACES) for count in heights.shape]
    drawn = sampled(heights, places[0], places[1]).round(4)  # 0.1 mm
    return {"name": terrain.name, "at": list(terrain.at), "extent": extent, "heights": drawn.tolist()}


def _place(machine: Machine, place: Place) -> list[Any]:
    where = machine.locate(place)
    return [where.body, list(where.at)]


def _joint(machine: Machine, joint: Joint) -> dict[str, Any]:
    axes = rotation(machine.locate(joint.a).rpy)
    return {
        "name": joint.name,
        "kind": joint.KIND,
        "a": _place(machine, joint.a),
        "b": _place(machine, joint.b),
        "axis": list(turned(axes, unit_vector(joint.axis))),  # in the axes of a's body
    }


def _is_line(part: Part) -> bool:
    ends = (getattr(part, "a", None), getattr(part, "b", None))
    return not isinstance(part, Joint) and all(isinstance(end, Place) for end in ends)


def _line(machine: Machine, part: Any) -> dict[str, Any]:
    ends = {"a": _place(machine, part.a), "b": _place(machine, part.b)}
    sizes = {size: getattr(part, size) for size in LINE_SIZES if isinstance(getattr(part, size, None), float)}
    hidden = {"hidden": True} if part.name in machine.appearance else {}
    return {"name": part.name, "kind": part.KIND, **ends, **sizes, **hidden}
