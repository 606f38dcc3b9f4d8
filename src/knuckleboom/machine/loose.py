# SPDX-License-Identifier: BSD-3-Clause
"""Loose bodies of a machine: loads and what else moves with it without being part of it, with their joints.

They are counted apart, so that sizes of a machine stay what they are with a load. Tested in tests/plan/test_loose.py
"""

from __future__ import annotations

from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts import Attachment, Body, Joint


def loose_bodies(machine: Machine) -> list[str]:
    """Names of the bodies that are loose; attachments of one are, too."""
    loose = [body.name for body in machine.of(Body) if body.loose]
    return loose + [one.name for one in machine.of(Attachment) if one.of in loose]


def bodies_of(machine: Machine) -> list[Body]:
    """The bodies of the machine itself."""
    loose = loose_bodies(machine)
    return [body for body in machine.of(Body) if body.name not in loose]


def joints_of(machine: Machine) -> list[Joint]:
    """The joints of the machine itself, none of whose ends is loose."""
    loose = loose_bodies(machine)
    ends = {joint.name: {machine.locate(end).body for end in (joint.a, joint.b)} for joint in machine.of(Joint)}
    return [joint for joint in machine.of(Joint) if ends[joint.name].isdisjoint(loose)]
