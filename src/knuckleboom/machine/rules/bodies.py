# SPDX-License-Identifier: BSD-3-Clause
"""Bodies: what touches the ground, and what is carried, is on one that moves; oil with mass is in a barrel."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts.joint import Joint


def bodies_carry(machine: Machine) -> Iterator[Problem]:
    """A contact and a payload are on a body, not on the ground."""
    found: list[Contact | Payload] = [*machine.of(Contact), *machine.of(Payload)]
    for part in found:
        if machine.has_place(part.at) and machine.locate(part.at).body == GROUND:
            yield problem(part, "at is on the ground itself.", "Give a place on a body.", field="at")


def oil_slides(machine: Machine) -> Iterator[Problem]:
    """A cylinder whose oil has mass is from a barrel to a rod, which slides in it."""
    for ram in machine.of(Ram):
        if not ram.moves_oil or not (machine.has_place(ram.a) and machine.has_place(ram.b)):
            continue
        barrel, rod = (machine.locate(place).body for place in (ram.a, ram.b))
        if rod == GROUND:
            rule = "oil_mass moves with the rod, but b is on the ground."
            yield problem(ram, rule, "Turn it round: a on the ground, b on the rod.", field="b")
        elif slide_of(machine, ram) is None:
            ends = f"'{rod}' (b) slide in '{barrel}' (a)"
            rule = f"oil_mass needs a rod that slides in a barrel, but no joint lets {ends}."
            fix = (
                f"Use kb.cylinder_bodies(m, '{ram.name}', ..., moving_oil=True), or put a on a barrel and b on a rod, "
                "with a prismatic joint between them; or leave oil_mass out."
            )
            yield problem(ram, rule, fix, field="oil_mass")


def slide_of(machine: Machine, ram: Ram) -> Joint | None:
    """The joint in which the rod of a cylinder slides in its barrel."""
    ends = {machine.locate(place).body for place in (ram.a, ram.b)}
    for joint in machine.of(Joint):
        joined = joint.KIND in ("prismatic", "cylindrical") and all(map(machine.has_place, (joint.a, joint.b)))
        if joined and {machine.locate(place).body for place in (joint.a, joint.b)} == ends:
            return joint
    return None
