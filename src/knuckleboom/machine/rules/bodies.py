# SPDX-License-Identifier: BSD-3-Clause
"""Bodies: what touches the ground, and what is carried, is on one that moves."""

from collections.abc import Iterator

from knuckleboom.describe import Part, Place, problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.machine.machine import GROUND, Machine


def bodies_carry(machine: Machine) -> Iterator[Problem]:
    """A contact, a payload and a tire are on a body, not on the ground."""
    found: list[tuple[Part, str, Place]] = [(part, "at", part.at) for part in machine.of(Contact)]
    found += [(part, "at", part.at) for part in machine.of(Payload)]
    found += [(part, "wheel", part.wheel) for part in machine.of(Tire)]
    for part, field, place in found:
        if machine.has_place(place) and machine.locate(place).body == GROUND:
            yield problem(part, f"{field} is on the ground itself.", "Give a place on a body.", field=field)
