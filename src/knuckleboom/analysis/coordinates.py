# SPDX-License-Identifier: BSD-3-Clause
"""Names of the coordinates in velocity space, and poses that a user gives by these names.

Every velocity of the spanning tree has one coordinate beside it: the joint's own (`foot.angle`, `slide.travel`), that
of a shaft or a column of oil (`crank.angle`), a component of a free joint's position (`base.position.x`), or a small
turn of a ball about its own axes (`base.rotation.x`), for which no finite coordinate exists. Tested in tests/analysis/.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.names import closest
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
UNITS = {"angle": "rad", "length": "m"}


@dataclass(frozen=True)
class Coordinate:
    """One velocity of the tree: its place in v, that of its coordinate in q (−1 for a turn of a ball), its names."""

    joint: str
    path: str
    rate: str
    unit: str
    v: int
    q: int

    @property
    def effort_unit(self) -> str:
        """Unit of the force along it."""
        return units.FORCE_UNITS[self.unit]


def coordinates(planned: Planned) -> list[Coordinate]:
    """All coordinates in the order of v."""
    found = []
    for name, columns in planned.topology.tree.items():
        joint = planned.machine.parts[name]
        assert isinstance(joint, Joint)
        for number, ((label, kind), v) in enumerate(zip(joint.COORDINATES, columns.v, strict=True)):
            path, rate, q = f"{name}.{label}", f"{name}.{label}_rate", columns.q[number]
            if joint.SPATIAL and kind == "length":
                path, rate = f"{name}.position.{label}", f"{name}.velocity.{label}"
            elif joint.SPATIAL:
                axis = "xyz"[v - columns.v[-3]]
                path, rate, q = f"{name}.rotation.{axis}", f"{name}.angular_velocity.{axis}", -1
            found.append(Coordinate(name, path, rate, UNITS[kind], v, q))
    for name, columns in planned.topology.scalars.items():
        scalar = planned.machine.parts[name].scalar_inertia()
        assert scalar is not None
        value, rate = (f"{name}.{word}" for word in scalar.words)
        found.append(Coordinate(name, value, rate, scalar.unit, columns.v[0], columns.q[0]))
    return sorted(found, key=lambda coordinate: coordinate.v)


def find_coordinate(known: list[Coordinate], name: str, what: str) -> Coordinate | Problem:
    """The coordinate of a path, or of a joint with one coordinate; or what is wrong with the name."""
    for coordinate in known:
        if coordinate.path == name:
            return coordinate
    of_joint = [coordinate for coordinate in known if coordinate.joint == name]
    if len(of_joint) == 1:
        return of_joint[0]
    if of_joint:
        offered = ", ".join(coordinate.path for coordinate in of_joint)
        return Problem(f"{what}: joint '{name}' has {len(of_joint)} coordinates.", part=name, fix=f"Use {offered}.")
    near = tuple(closest(name, [c.path for c in known] + sorted({c.joint for c in known})))
    fix = "" if near else f"Its coordinates are {', '.join(c.path for c in known)}."
    return Problem(f"{what}: no joint of the tree has the coordinate '{name}'.", part=name, fix=fix, closest=near)


def read_number(what: str, value: Any, unit: str) -> float | Problem:
    """A number in SI, or a text with a unit; or what is wrong with it."""
    try:
        number = units.parse(value, unit) if isinstance(value, str) else float(value)
    except (TypeError, ValueError) as error:
        return Problem(f"{what}: {error}." if isinstance(value, str) else f"{what} is {value!r}, which is no number.")
    return number if np.isfinite(number) else Problem(f"{what} is {value!r}, which is not finite.")


def read_coordinates(planned: Planned, given: Mapping[str, Any], what: str) -> dict[Coordinate, float]:
    """Coordinates with their values; every name or value that cannot be used is refused at once."""
    known, problems = coordinates(planned), []
    read: dict[Coordinate, float] = {}
    for name, value in given.items():
        found = find_coordinate(known, str(name), what)
        if isinstance(found, Coordinate) and found.q < 0:
            rule = f"{what}: '{found.path}' is a small turn of an orientation, which cannot be set."
            found = Problem(rule, part=found.joint, fix="Give the joint's start in the machine.")
        number = found if isinstance(found, Problem) else read_number(f"{what} of '{name}'", value, found.unit)
        if isinstance(found, Problem):
            problems.append(found)
        elif isinstance(number, Problem):
            problems.append(number)
        else:
            read[found] = number
    if problems:
        raise MachineError(problems, f"the {what}")
    return read
