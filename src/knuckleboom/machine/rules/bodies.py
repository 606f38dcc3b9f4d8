# SPDX-License-Identifier: BSD-3-Clause
"""Bodies: what touches the ground, and what is carried, is on one that moves."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.machine.machine import GROUND, Machine


def bodies_carry(machine: Machine) -> Iterator[Problem]:
    """A contact and a payload are on a body, not on the ground."""
    found: list[Contact | Payload] = [*machine.of(Contact), *machine.of(Payload)]
    for part in found:
        if machine.has_place(part.at) and machine.locate(part.at).body == GROUND:
            yield problem(part, "at is on the ground itself.", "Give a place on a body.", field="at")
