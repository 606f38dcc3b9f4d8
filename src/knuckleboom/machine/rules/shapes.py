# SPDX-License-Identifier: BSD-3-Clause
"""Shapes: bodies that bend have attachments, attachments name shapes of their body, and what moves has mass."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts import Attachment, Joint, Shape
from knuckleboom.names import closest


def bodies_bend(machine: Machine) -> Iterator[Problem]:
    """What bends is a body: not the ground, and no attachment."""
    found: list[Shape | Attachment] = [*machine.of(Shape), *machine.of(Attachment)]
    for part in found:
        if part.of == GROUND:
            yield problem(part, "the ground does not bend.", "Give a body in of.", field="of")
        elif isinstance(machine.parts.get(part.of), Attachment):
            rule = f"'{part.of}' is an attachment, which does not bend."
            yield problem(part, rule, "Give the body that bends in of.", field="of")


def shapes_named(machine: Machine) -> Iterator[Problem]:
    """Shapes that an attachment names are those of its body, which has one at least."""
    for one in machine.of(Attachment):
        known = [shape.name for shape in machine.of(Shape) if shape.of == one.of]
        if not known and not machine.unread:
            rule = f"body '{one.of}' has no shape, so that an attachment on it cannot move."
            fix = f"Add one, shapes: {{bend: {{of: {one.of}, stiffness: 200 kN/m}}}}; on a rigid body take a frame."
            yield problem(one, rule, fix, field="of")
            continue
        for field in ("moves", "turns"):
            for name in getattr(one, field):
                if name not in known and not machine.is_unread(name):
                    rule = f"{field} names '{name}', which is no shape of body '{one.of}'."
                    near = tuple(closest(name, known))
                    fix = "" if near else f"Its shapes are {', '.join(known)}."
                    yield problem(one, rule, fix, field=field, closest=near)


def shapes_move_mass(machine: Machine) -> Iterator[Problem]:
    """A shape moves an attachment, and it or what it moves has mass."""
    if machine.unread:
        return
    joined = {machine.locate(end).body for one in machine.of(Joint) for end in (one.a, one.b) if machine.has_place(end)}
    for shape in machine.of(Shape):
        if shape.of == GROUND or isinstance(machine.parts.get(shape.of), Attachment):
            continue  # said by bodies_bend
        moved = [one for one in machine.of(Attachment) if one.of == shape.of and one.moved_by(shape.name)]
        if not moved:
            rule = "it moves no attachment, so that nothing is deflected."
            tip = f"{{of: {shape.of}, at: [1, 0, 0], moves: {{{shape.name}: [0, 0, 1]}}}}"
            fix = f"Add one: attachments: {{tip: {tip}}}"
            yield problem(shape, rule, fix)
        elif shape.mass == 0.0 and not any(one.mass or one.point_masses or one.name in joined for one in moved):
            rule = "nothing that it moves has mass, so that its acceleration is not determined."
            yield problem(shape, rule, "Give it or an attachment that it moves a mass: mass: 20 kg", field="mass")
