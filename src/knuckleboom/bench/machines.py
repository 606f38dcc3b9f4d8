# SPDX-License-Identifier: BSD-3-Clause
"""The machines that are measured: the large ones of the catalogue, each with the work cycle that it has there.

A machine of one's own is measured in the same way: a Cycle is made of its description and inputs.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.catalogue import NAMES
from knuckleboom.interface.parts import Contact, Tire
from knuckleboom.machine import Machine
from knuckleboom.machine.loose import loose_bodies
from knuckleboom.machine.placement import angles, rotation
from knuckleboom.mechanics.parts import Fixed, Free, Terrain

COMPLETE = (
    "excavator", "concrete-sprayer", "harvester-25", "harvester-30", "mobile-crane", "mine-loader", "forwarder-crane",
)  # fmt: skip
"""Large machines: pumps, valves, cylinders, motors, operator's inputs, a work cycle; standing or fixed."""


@dataclass(frozen=True)
class Cycle:
    """A machine and what is done with it: how long [s], with which inputs, and the words of its own method."""

    name: str
    machine: Machine
    duration: float
    inputs: Mapping[str, Any] = field(default_factory=dict)
    method: Mapping[str, Any] = field(default_factory=dict)

    @property
    def realtime(self) -> dict[str, Any]:
        """The words of `realtime` for it: its own where they are of that coupling."""
        return dict(self.method) if self.method.get("coupling") == "realtime" else {"coupling": "realtime"}


def cycle_of(name: str) -> Cycle:
    """The work cycle of a machine of the catalogue."""
    case = NAMES[name]()
    return Cycle(name, case.machine, case.duration, case.inputs, case.method)


def standing() -> list[str]:
    """Those of them that touch the ground."""
    return [name for name in COMPLETE if cycle_of(name).machine.of(Terrain)]


def held(machine: Machine) -> Machine:
    """A copy of a machine without ground, tires and contacts, held where it starts; what is loose stays free.

    For couplings that have no contact.
    """
    from scipy.spatial.transform import Rotation

    found, loose = copy.copy(machine), loose_bodies(machine)
    found.parts = {name: part for name, part in machine.parts.items() if not isinstance(part, Contact | Terrain | Tire)}
    found.cases = {name: case.of(found) for name, case in machine.cases.items()}
    for part in machine.of(Free):
        if machine.locate(part.b).body not in loose:
            body, at, rpy = machine.locate(part.a)
            R, start = np.array(rotation(rpy)), np.array(part.start)
            place, turned = np.array(at) + R @ start[:3], R @ Rotation.from_rotvec(start[3:]).as_matrix()
            where = machine.make_place(body, at=place.tolist(), rpy=angles(turned.tolist()))
            found.put(Fixed(name=part.name, a=where, b=part.b))
    return found


def complete() -> list[str]:
    """Their names, in the order of COMPLETE."""
    return list(COMPLETE)
