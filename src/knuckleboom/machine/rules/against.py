# SPDX-License-Identifier: BSD-3-Clause
"""Contacts against each other: one that is named is of another body, and both have shapes that touch bodies."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import BODY_SHAPES, Contact
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.welded import welded_bodies


def contacts_against(machine: Machine) -> Iterator[Problem]:
    """What a contact names in `against` can touch it."""
    contacts = {contact.name: contact for contact in machine.of(Contact)}
    whole = welded_bodies(machine) if any(part.against for part in contacts.values()) else {}
    for part in contacts.values():
        for name in part.against or ():
            other = contacts.get(name)
            if other is None or not (machine.has_place(part.at) and machine.has_place(other.at)):
                continue  # said by the rules of names and places
            one, two = machine.locate(part.at).body, machine.locate(other.at).body
            if whole.get(one) == whole.get(two):
                same = f"the same body '{two}'" if one == two else f"'{two}', which is held to '{one}'"
                rule = f"against is '{name}', which is on {same}."
                yield problem(part, rule, "Name contacts of other bodies.", field="against")
            for contact in (part, other):
                if not contact.touches_bodies:
                    rule = f"against is '{name}', but the shape of '{contact.name}' touches the ground only."
                    shapes = ", ".join(BODY_SHAPES[:-1])
                    fix = f"Give it {shapes} or {BODY_SHAPES[-1]}: these touch other bodies."
                    yield problem(part, rule, fix, field="against")
