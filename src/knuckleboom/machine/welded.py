# SPDX-License-Identifier: BSD-3-Clause
"""Which bodies are one: those that fixed joints hold together, and a body that bends with all of its attachments.

Tested in tests/plan/test_pairing.py
"""

from __future__ import annotations

from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts import Attachment, Fixed, Free, Joint


def welded_bodies(machine: Machine) -> dict[str, str]:
    """For each body, and the ground, the one that stands for all that it is held to."""
    first = {name: name for name in ("ground", *(body.name for body in machine.bodies()))}

    def find(name: str) -> str:
        while first[name] != name:
            name = first[name]
        return name

    placed = [joint for joint in machine.of(Fixed) if machine.has_place(joint.a) and machine.has_place(joint.b)]
    held = [joined(machine, joint) for joint in placed]
    held += [(part.name, str(part.of)) for part in machine.of(Attachment)]
    for one, other in held:
        if one in first and other in first:
            first[find(other)] = find(one)
    return {name: find(name) for name in first}


def joined(machine: Machine, joint: Joint) -> tuple[str, str]:
    """The bodies of a joint."""
    return machine.locate(joint.a).body, machine.locate(joint.b).body


def joined_bodies(machine: Machine) -> set[frozenset[str]]:
    """Bodies that a joint joins which holds anything, as those that stand for what is one with them."""
    whole = welded_bodies(machine)
    return {
        frozenset(whole[body] for body in joined(machine, joint))
        for joint in machine.of(Joint)
        if not isinstance(joint, Free)
    }
