# SPDX-License-Identifier: BSD-3-Clause
"""How large a machine is at its start: the box around its joints, pins, named points and masses.

Drawn shapes are not counted: nothing that computes reads them. Cylinders have the lengths that their stops allow.
Tested in tests/analysis/test_dimensions.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine.outline import outline
from knuckleboom.plan import Planned

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Lengths:
    """Lengths of a cylinder from pin to pin, m: at the start, retracted and extended."""

    name: str
    start: float
    shortest: float
    longest: float


def extents(planned: Planned) -> tuple[Array, Array]:
    """Smallest and largest x, y and z of the machine at its start, in the world, m; fills Work."""
    planned.bias()  # fills where every link is
    motion, bodies = planned.work.motion, planned.topology.bodies
    places = []
    for body, at in places_on_bodies(outline(planned.machine)):
        frame = bodies[body]
        R = motion.R_WL[frame.link].reshape(3, 3)
        places.append(motion.p_WO + motion.p_OL[frame.link] + R @ (frame.p + frame.R @ np.asarray(at)))
    if not places:
        return np.zeros(3), np.zeros(3)
    return np.min(places, axis=0), np.max(places, axis=0)


def places_on_bodies(drawn: dict[str, Any]) -> Iterator[tuple[str, list[float]]]:
    """Every place of an outline that belongs to the machine: body, and place in its axes."""
    for name, body in drawn["bodies"].items():
        if "mass" in body:  # points of the ground may be anywhere
            yield name, body["com"]
            yield from ((name, at) for at in body["points"].values())
            yield from ((name, at) for _, at in body["masses"].values())
    for part in (*drawn["joints"], *drawn["lines"]):
        yield from (part["a"], part["b"])


def cylinder_lengths(planned: Planned) -> list[Lengths]:
    """Lengths of every cylinder, in the machine's order; fills Work."""
    planned.bias()
    layout, plan = planned.layout, planned.plan
    found = {}
    for number, force in enumerate(layout.forces):
        if force.element == "stop" and isinstance(planned.machine.parts[force.part], Ram):
            shortest, longest = (float(end) for end in plan.forces.number[number, :2])
            found[force.part] = shortest, longest
    lengths = []
    for name, ends in found.items():
        row = next(number for number, one in enumerate(layout.rows) if one.part == name)
        lengths.append(Lengths(name, float(planned.work.rows.s[row]), *ends))
    return lengths
