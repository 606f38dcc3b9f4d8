# SPDX-License-Identifier: BSD-3-Clause
"""Bodies: what touches the ground, and what is carried, is on one that moves; there is a ground, and materials fit;
oil with mass is in a barrel.
"""

from collections.abc import Iterator

from knuckleboom.describe import Part, Place, problem
from knuckleboom.errors import Problem
from knuckleboom.interface.materials import MATERIALS, pair_of, partners
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.names import closest


def bodies_carry(machine: Machine) -> Iterator[Problem]:
    """A contact, a payload and a tire are on a body, not on the ground."""
    found: list[tuple[Part, str, Place]] = [(part, "at", part.at) for part in machine.of(Contact)]
    found += [(part, "at", part.at) for part in machine.of(Payload)]
    found += [(part, "wheel", part.wheel) for part in machine.of(Tire)]
    for part, field, place in found:
        if machine.has_place(place) and machine.locate(place).body == GROUND:
            yield problem(part, f"{field} is on the ground itself.", "Give a place on a body.", field=field)


def contacts_have_ground(machine: Machine) -> Iterator[Problem]:
    """There is a terrain that contacts can touch, or contacts of another body, unless one could not be read."""
    contacts = machine.of(Contact)
    bodies = {machine.locate(part.at).body for part in contacts if machine.has_place(part.at)}
    missing = not machine.of(Terrain) and not machine.unread and len(bodies) < 2
    for part in contacts if missing else ():
        fix = "Add one: terrains: {floor: {}}, in Python m.terrain(\"floor\"), which is the plane z = 0."
        yield problem(part, "there is no terrain that it could touch.", fix)


def contacts_look(machine: Machine) -> Iterator[Problem]:
    """A contact that takes its shape from the looks of a body is on one that has some, where these are."""
    for part in machine.of(Contact):
        if not part.looks or not machine.has_place(part.at):
            continue
        place = machine.locate(part.at)
        if all(one.shape == "line" for one in machine.appearance.get(place.body, ())):
            rule = f"it takes the looks of '{place.body}', which is drawn without a shape that has a volume."
            yield problem(part, rule, "Draw one, or give the contact a shape of its own.", field="looks")
        elif any(place.at) or any(place.rpy):
            rule = "its looks are where the body is drawn, not at a place on it."
            yield problem(part, rule, f"Write at: {place.body}", field="at")


def materials_fit(machine: Machine) -> Iterator[Problem]:
    """A terrain has materials that there are, and a contact with one touches materials that it is listed with."""
    for terrain in machine.of(Terrain):
        for surface in terrain.surfaces:
            if surface.material and surface.material not in MATERIALS:
                near = tuple(closest(surface.material, MATERIALS))
                fix = "" if near else f"The materials are {', '.join(MATERIALS)}."
                rule = f"there is no material '{surface.material}'."
                yield problem(terrain, rule, fix, field="material", closest=near)
                break
    for part in machine.of(Contact):
        given = part.friction is not None and part.restitution is not None  # these go first
        if part.material not in MATERIALS or given:
            continue
        for terrain in machine.of(Terrain):
            if part.touching and terrain.name not in part.touching:
                continue
            for surface in terrain.surfaces:
                known = not surface.material or surface.material in MATERIALS
                if pair_of(part.material, surface.material) is not None or not known:
                    continue
                what = f"of '{surface.material}'" if surface.material else "without a material"
                rule = f"its material is {part.material}, but it touches terrain '{terrain.name}', which is {what}."
                fix = f"With {part.material} these are listed: {', '.join(partners(part.material))}."
                yield problem(part, rule, fix, field="material")
                break


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
