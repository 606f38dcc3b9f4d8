# SPDX-License-Identifier: BSD-3-Clause
"""References: every place, joint, oil, body and port that a part names exists."""

from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import (
    BodyName,
    ContactName,
    JointName,
    MovingName,
    OilName,
    Part,
    Place,
    Port,
    Reference,
    ShaftName,
    TerrainName,
    problem,
)
from knuckleboom.errors import Problem
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts import Body, Joint, Moving, Shafting, Terrain
from knuckleboom.names import closest

MEANT: tuple[tuple[type[Reference], type[Part]], ...] = (
    (JointName, Joint), (OilName, Oil), (BodyName, Body), (ShaftName, Shafting), (MovingName, Moving),
    (TerrainName, Terrain), (ContactName, Contact),
)  # fmt: skip
A_FLUID = "{law: cavitating, density: 860 kg/m3, bulk: 1.4 GPa}"
"""What a mineral oil is like in a file, for a machine that has no oil yet."""


def places(machine: Machine) -> Iterator[Problem]:
    """Every place is on a body, or is a named point or frame of one."""
    everywhere, bodies = machine.place_names(), [body.name for body in machine.bodies()]
    for part in machine.referring():
        for field, place in part.references():
            if not isinstance(place, Place):
                continue
            name = place.body or place.ref
            if machine.has_place(place) or machine.is_unread(name):
                continue
            known = everywhere if place.ref else bodies
            yield problem(part, f"{field} is {_missing(machine, name, 'a body')}", **_offer(name, known, field))


def named_parts(machine: Machine) -> Iterator[Problem]:
    """Every joint, oil and body that is named exists and is one; of what was read in part the kind is known."""
    everything = parts_by_name(machine)
    for part in machine.referring():
        for field, name in part.references():
            for reference, kind in MEANT:
                if not isinstance(name, reference) or (machine.is_unread(name) and name not in everything):
                    continue
                if isinstance(everything.get(name), kind) or (reference is BodyName and name == GROUND):
                    continue
                known = [other.name for other in machine.of(kind)]
                text = _missing(machine, name, reference.WANTED)
                # one that could not be read may be meant all the same
                unread = [one for one in machine.unread if isinstance(everything.get(one), kind | None)]
                near = closest(name, [*known, *unread])
                offer = {"field": field, "closest": tuple(near)} if near else _offer(name, known, field)
                if reference is OilName and not known and not near:
                    offer["fix"] = f"Add it: oils: {{{name}: {{fluid: {A_FLUID}}}}}"
                yield problem(part, f"{field} is {text}", **offer)


def ports(machine: Machine) -> Iterator[Problem]:
    """Every port that is joined belongs to a part that has it; one that was read in part has the ports of its kind."""
    everything = parts_by_name(machine)
    known: list[str] = [port for part in everything.values() for port in part.ports()]
    there = set(known)
    for part in machine.referring():
        for field, port in part.references():
            if not isinstance(port, Port) or port in there:
                continue
            joined = f"port '{field}' is joined to '{port}'"
            owner = everything.get(port) or everything.get(port.rpartition(".")[0])
            if owner is None and machine.is_unread(port):
                continue
            if owner is None:
                yield problem(part, f"{joined}, which does not exist.", **_offer(port, known, field))
            elif not owner.PORTS:
                text = f"{joined}, but {owner.KIND} '{owner.name}' has no ports of its own."
                fix = "Join it to the port of a volume, a cylinder, a tank or a pressure."
                yield problem(part, text, fix, field=field)
            else:
                text = f"{joined}, but {owner.KIND} '{owner.name}' has no such port."
                yield problem(part, text, field=field, closest=tuple(owner.ports()))


def parts_by_name(machine: Machine) -> dict[str, Part]:
    """All parts, also those of a file of which no more than the references could be read."""
    return {part.name: part for part in machine.referring()}


def drawn_bodies(machine: Machine) -> Iterator[Problem]:
    """Every body that has an appearance exists; what has one without shapes is a part."""
    known = [body.name for body in machine.bodies()]
    for name, shapes in machine.appearance.items():
        hidden = not shapes and name in machine.parts
        if name not in known and not hidden and not machine.is_unread(name):
            rule = f"appearance of '{name}': there is no such body."
            yield Problem(rule, part=name, field="appearance", closest=tuple(closest(name, known)))


def _missing(machine: Machine, name: str, wanted: str) -> str:
    part = parts_by_name(machine).get(name)
    return f"'{name}', which is a {part.KIND}, not {wanted}." if part else f"'{name}', which does not exist."


def _offer(name: str, known: list[str], field: str) -> dict[str, Any]:
    """Return the closest names, or else all of them when there are few, as settings of a problem."""
    near = tuple(closest(name, known))
    if near or not known or len(known) > 8:
        return {"field": field, "closest": near}
    return {"field": field, "fix": f"There are: {', '.join(known)}."}
