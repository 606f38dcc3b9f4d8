# SPDX-License-Identifier: BSD-3-Clause
"""Which joints of a machine an operator thinks of: the boom's, the stick's, the bucket's; not those of rods and links.

The bodies hang on the ground by a tree of joints. Everything else that joins two bodies (a cylinder, a joint that
closes a loop) makes a ring with the joints between its ends, and rings that share a joint move as one. In each such
group that has a cylinder, the joints that carry much are its working joints: at least a fifth of what the heaviest
carries, so that a rocker and a link do not count beside their bucket, nor a barrel beside its boom. A joint that a
motor or a winch moves is a working joint always.
Tested in tests/cabin/test_chain.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from knuckleboom.interface.parts import Motor, Winch
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Body, Joint

GROUND = "ground"
SHARE = 0.2
"""Of what the heaviest joint of a group carries: less is a part of the linkage."""


@dataclass(frozen=True)
class Chain:
    """The tree of a machine: `joint_of` the joint that each body hangs on, `beyond` all bodies that a joint carries."""

    machine: Machine
    joint_of: dict[str, str]
    parent: dict[str, str]
    beyond: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, machine: Machine) -> Chain:
        """Hang every body on the ground; joints that are marked as cut come last, so that they close loops."""
        joints = machine.of(Joint)
        joint_of: dict[str, str] = {}
        parent: dict[str, str] = {GROUND: ""}
        for usable in ([joint for joint in joints if not joint.cut], joints):
            found = True
            while found:
                found = False
                for joint in usable:
                    a, b = (machine.locate(place).body for place in (joint.a, joint.b))
                    if (a in parent) != (b in parent):
                        near, far = (a, b) if a in parent else (b, a)
                        parent[far], joint_of[far], found = near, joint.name, True
        carried: dict[str, list[str]] = {}
        for body in joint_of:
            above = body
            while above != GROUND:
                carried.setdefault(joint_of[above], []).append(body)
                above = parent[above]
        return cls(machine, joint_of, parent, {joint: tuple(bodies) for joint, bodies in carried.items()})

    def mass_beyond(self, joint: str) -> float:
        """Mass that a joint carries, kg."""
        bodies = [body for body in self.machine.of(Body) if body.name in self.beyond[joint]]
        return sum(body.mass + sum(lump.mass for lump in body.point_masses.values()) for body in bodies)

    def between(self, a: str, b: str) -> list[str]:
        """Joints on the way from one body to another."""
        way_a, way_b = self._way_up(a), self._way_up(b)
        return [joint for joint in (*way_a, *way_b) if (joint in way_a) != (joint in way_b)]

    def _way_up(self, body: str) -> list[str]:
        way = []
        while body in self.joint_of:
            way.append(self.joint_of[body])
            body = self.parent[body]
        return way

    def groups(self) -> list[set[str]]:
        """Joints that cylinders move together."""
        machine = self.machine
        groups: list[set[str]] = []
        tree = set(self.joint_of.values())
        moved: set[str] = set()
        rings: list[list[str]] = []
        for part in machine.parts.values():
            if isinstance(part, Ram) or (isinstance(part, Joint) and part.name not in tree):
                a, b = (machine.locate(place).body for place in (part.a, part.b))
                rings.append(self.between(a, b))
                moved |= set(rings[-1]) if isinstance(part, Ram) else set()
        for ring in rings:
            joined = set(ring).union(*(group for group in groups if group & set(ring)))
            groups = [group for group in groups if not group & joined] + [joined]
        return [group for group in groups if group & moved]

    def working_joints(self) -> list[str]:
        """Names of the joints that an operator thinks of, in the machine's order."""
        turning = [part for part in self.machine.parts.values() if isinstance(part, Motor | Winch)]
        chosen = {str(part.joint) for part in turning if part.joint}
        for group in self.groups():
            masses = {joint: self.mass_beyond(joint) for joint in group}
            chosen |= {joint for joint, mass in masses.items() if mass >= SHARE * max(masses.values())}
        return [joint.name for joint in self.machine.of(Joint) if joint.name in chosen]
