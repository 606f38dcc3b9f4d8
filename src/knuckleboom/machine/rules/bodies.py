# SPDX-License-Identifier: BSD-3-Clause
"""Bodies: what touches the ground is on one that moves."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.machine.machine import GROUND, Machine


def contacts_move(machine: Machine) -> Iterator[Problem]:
    """A contact is on a body, not on the ground."""
    for contact in machine.of(Contact):
        if machine.has_place(contact.at) and machine.locate(contact.at).body == GROUND:
            yield problem(contact, "at is on the ground itself.", "Give a place on a body.", field="at")
