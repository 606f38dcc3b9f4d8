# SPDX-License-Identifier: BSD-3-Clause
"""Contacts against each other: one that is named is of another body, and both have shapes that touch bodies."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import BODY_SHAPES, Contact
from knuckleboom.machine.machine import Machine


def contacts_against(machine: Machine) -> Iterator[Problem]:
    """What a contact names in `against` can touch it."""
    contacts = {contact.name: contact for contact in machine.of(Contact)}
    for part in contacts.values():
        for name in part.against or ():
            other = contacts.get(name)
            if other is None or not (machine.has_place(part.at) and machine.has_place(other.at)):
                continue  # said by the rules of names and places
            body = machine.locate(part.at).body
            if machine.locate(other.at).body == body:
                rule = f"against is '{name}', which is on the same body '{body}'."
                yield problem(part, rule, "Name contacts of other bodies.", field="against")
            for one in (part, other):
                if not one.touches_bodies:
                    rule = f"against is '{name}', but the shape of '{one.name}' touches the ground only."
                    shapes = ", ".join(BODY_SHAPES[:-1])
                    fix = f"Give it {shapes} or {BODY_SHAPES[-1]}: these touch other bodies."
                    yield problem(part, rule, fix, field="against")
