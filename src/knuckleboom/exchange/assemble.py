# SPDX-License-Identifier: BSD-3-Clause
"""From a robot to a machine: names made valid, links without mass merged, everything else made by the machine's kinds.

A link without mass that is fixed to one with mass becomes a frame on it. One that moves and carries something (there
for a joint with several axes) becomes a carrier, a body with CARRIER times the mass it carries. A joint that moves no
mass at all is held. Placeholders on links that are fixed to a heavier one are added to it as given, and inertias that
no mass could have are kept as given where the mass matrix allows it: exchange/inertias.py

An armature J is a flywheel: a body with inertia J that turns on the ground, geared 1 : 1 to the joint's coordinate. Its
energy ½·J·q̇² is the armature's, exactly. Validated by: validation/programs/test_robots.py
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from knuckleboom.errors import MachineError
from knuckleboom.exchange import inertias
from knuckleboom.exchange.imported import Notes
from knuckleboom.exchange.namer import Namer, short
from knuckleboom.exchange.pose import IDENTITY, Pose, six
from knuckleboom.exchange.robot import GROUND, Closing, Joint, Link, Motor, Ratio, Robot, Strut
from knuckleboom.machine import Machine, Source
from knuckleboom.mechanics.parts import Joint as JointPart
from knuckleboom.quantities import AXES

LETTERS = {vector: letter for letter, vector in AXES.items()}
Item = Link | Joint | Closing | Ratio | Motor | Strut

CARRIER = 1e-12
"""Mass of a carrier over the mass it carries: accelerations change by about as much, which is near rounding."""

TURNING = ("revolute", "spherical")
"""Joints that an inertia without mass is enough for."""

SCALAR = ("revolute", "prismatic")
"""Joints with one coordinate: a spring, an armature or a gear can act in them."""


def assemble(robot: Robot, notes: Notes) -> Machine:
    """Return the machine of a robot, checked; a MachineError lists all that is wrong with it."""
    return _Assembly(robot, notes).machine_of()


class _Assembly:
    """One robot on its way into a machine."""

    def __init__(self, robot: Robot, notes: Notes) -> None:
        self.robot, self.notes = robot, notes
        self.names = Namer(notes)
        self.machine = Machine(robot.name or "robot")
        if robot.gravity is not None:
            self.machine.gravity = robot.gravity
        self.machine.file = notes.file
        self.carried = [0.0] * len(robot.links)
        self.spinning = [False] * len(robot.links)
        self.merged: set[int] = set()
        self.doubtful: list[int] = []
        self.group = [GROUND] * len(robot.links)
        self.in_group: list[Pose] = []
        self.host: dict[int, int] = {GROUND: GROUND}
        self.names_of_links: dict[int, str] = {GROUND: "ground"}
        self.names_of_joints: dict[int, str] = {}

    def machine_of(self) -> Machine:
        """Do all of it, in order."""
        self._hold_joints_without_mass()
        self._group_links()
        self._make_bodies()
        for number, joint in enumerate(self.robot.joints):
            self._make_joint(number, joint)
        for number, joint in enumerate(self.robot.joints):
            self._make_forces(number, joint)
        self._make_closings()
        problems = self.notes.problems or self.machine.check()
        if problems:
            raise MachineError(problems, self.notes.file)
        self._settle_doubtful()
        return self.machine

    # --- links ---

    def _hold_joints_without_mass(self) -> None:
        for number in reversed(range(len(self.robot.links))):
            joint = self.robot.joints[number]
            self.carried[number] += self.robot.links[number].mass
            self.spinning[number] |= bool(self.robot.links[number].inertia.any())
            if joint.parent != GROUND:
                self.carried[joint.parent] += self.carried[number]
                self.spinning[joint.parent] |= self.spinning[number]
        for number, joint in enumerate(self.robot.joints):
            turns = joint.kind in TURNING and self.spinning[number]
            if joint.kind != "fixed" and not self.carried[number] > 0.0 and not turns:
                self._note(
                    f"{joint.kind} joint '{short(joint.name)}'", joint, "it moves nothing with mass; it is held."
                )
                self.robot.joints[number] = replace(joint, kind="fixed")

    def _group_links(self) -> None:
        """Links that are fixed to each other are a group, known by the link nearest to the ground; one is its host."""
        for number, joint in enumerate(self.robot.joints):
            if joint.kind != "fixed":
                self.group[number] = number
                self.in_group.append(IDENTITY)
            else:
                carrier = IDENTITY if joint.parent == GROUND else self.in_group[joint.parent]
                self.group[number] = GROUND if joint.parent == GROUND else self.group[joint.parent]
                self.in_group.append(carrier @ joint.at_parent @ joint.at_child.inverse())
        for group in sorted(set(self.group) - {GROUND}):
            members = [number for number, own in enumerate(self.group) if own == group]
            self._merge_placeholders(members)
            massive = [number for number in members if self.robot.links[number].mass > 0.0]
            self.host[group] = next((number for number in massive if number not in self.merged), group)
            for number in members:
                if number in self.merged:
                    self._merge(number, self.host[group])

    def _merge_placeholders(self, members: list[int]) -> None:
        """Find the links of a group that are placeholders beside a heavier one, or inertias that nothing carries."""
        links = self.robot.links
        most = max(links[number].mass for number in members)
        for number in members:
            lighter = links[number].mass < most or (most == 0.0 and number != members[0])
            if lighter and inertias.is_placeholder(links[number]):
                self.merged.add(number)

    def _merge(self, number: int, host: int) -> None:
        link, origin = self.robot.links[number], self.in_group[host]
        inertias.add(self.robot.links[host], link, origin.inverse() @ self.in_group[number])
        why = f"it is fixed to '{short(self.robot.links[host].name)}' and added to it as given."
        what = f"link '{short(link.name)}' of {link.mass:g} kg with inertia {inertias.show_inertia(link.inertia)} kg·m²"
        self._note(what, link, why)

    def _is_body(self, number: int) -> bool:
        if number in self.merged:
            return False
        return self.robot.links[number].mass > 0.0 or self.host[self.group[number]] == number

    def _located(self, number: int, pose: Pose) -> tuple[int, Pose]:
        """Return the link that is a body, or the ground, and the pose on it, of a pose on any link."""
        if number == GROUND or self._is_body(number):
            return number, pose
        host = self.host[self.group[number]]
        origin = IDENTITY if host == GROUND else self.in_group[host]
        return host, origin.inverse() @ self.in_group[number] @ pose

    def _make_bodies(self) -> None:
        links = self.robot.links
        bodies = [number for number in range(len(links)) if self._is_body(number)]
        for number in bodies:
            link = links[number]
            self.names_of_links[number] = self.names.take(link.name, "body", link.line, link.file)

        points: dict[int, dict[str, Any]] = {number: {} for number in (GROUND, *bodies)}
        frames: dict[int, dict[str, Any]] = {number: {} for number in (GROUND, *bodies)}
        on_body = {number: Namer(self.notes) for number in (GROUND, *bodies)}
        for number, link in [(GROUND, self.robot.ground), *enumerate(links)]:
            host, pose = self._located(number, IDENTITY)
            named = list(link.points) if host == number else [(link.name, IDENTITY), *link.points]
            for wanted, at in named:
                name = on_body[host].take(wanted, "point", link.line, link.file)
                place = pose @ at
                settings = place.settings()
                if "rpy" in settings:
                    frames[host][name] = settings
                else:
                    points[host][name] = tuple(place.p.tolist())
            if host != number and number not in self.merged:
                why = f"it is fixed to '{self.names_of_links[host]}' and has no mass; it is a place there."
                self._note(f"link '{short(link.name)}'", link, why)

        for number in bodies:
            self._make_body(number, {"points": points[number], "frames": frames[number]})
        for name, place in points[GROUND].items():
            self.machine.ground.point(name, place)
        for name, settings in frames[GROUND].items():
            self.machine.ground.frame(name, **settings)
        for number, link in [(GROUND, self.robot.ground), *enumerate(links)]:
            host, pose = self._located(number, IDENTITY)
            for at, shape in link.shapes:
                try:
                    self.machine.draw(self.names_of_links[host], {**shape, **(pose @ at).settings()})
                except MachineError as error:
                    self._refuse(link, error)

    def _make_body(self, number: int, places: dict[str, Any]) -> None:
        link, name = self.robot.links[number], self.names_of_links[number]
        mass = link.mass
        if not mass > 0.0:
            mass = CARRIER * (self.carried[number] or sum(one.mass for one in self.robot.links) or 1.0)
            self._note(f"link '{short(link.name)}'", link, f"it moves and has no mass; it has {mass:.3g} kg here.")
        given = {key: value for key, value in places.items() if value}
        if not inertias.is_possible(link.inertia):
            given["inertia_as_given"] = True
            if inertias.is_positive(link.inertia):
                self._note_kept(link)
            else:
                self.doubtful.append(number)
        settings = {"mass": mass, "com": tuple(link.com.tolist()), "inertia": six(link.inertia), **given}
        self._add(link, "body", name, settings)

    def _note_kept(self, link: Link) -> None:
        what = f"inertia {inertias.show_inertia(link.inertia)} kg·m² of link '{short(link.name)}'"
        self._note(what, link, "no mass could have it; it is kept as given, and the mass matrix is positive definite.")

    def _settle_doubtful(self) -> None:
        """Keep inertias that are not positive where the mass matrix is nevertheless; else repair them."""
        if not self.doubtful:
            return
        movable = inertias.is_movable(self.machine)
        for number in self.doubtful:
            link, body = self.robot.links[number], self.machine.part(self.names_of_links[number])
            if movable:
                self._note_kept(link)
                continue
            better = inertias.nearest_possible(link.inertia)
            given = {key: getattr(body, key) for key in body.model_fields_set - {"inertia_as_given"}}
            self.machine.put(type(body)(**{**given, "inertia": six(better)}))
            what = f"inertia {inertias.show_inertia(link.inertia)} kg·m² of link '{short(link.name)}'"
            shown = inertias.show_inertia(better)
            why = f"no mass could have it, and nothing could move with it; here it is {shown} kg·m²."
            self._note(what, link, why)

    # --- joints and what acts in them ---

    def _place(self, number: int, pose: Pose) -> Any:
        """Return a pose on a link as a place: the body's name, or where on it."""
        host, there = self._located(number, pose)
        settings = there.settings()
        return {"body": self.names_of_links[host], **settings} if settings else self.names_of_links[host]

    def _make_joint(self, number: int, joint: Joint) -> None:
        fields: dict[str, Any]
        if joint.kind == "fixed":
            host = self.host[self.group[number]]
            if host == number or not self._is_body(number):
                return
            # all members of a group are fixed to its host, whichever way they hang together in the file
            origin = IDENTITY if host == GROUND else self.in_group[host]
            in_host = origin.inverse() @ self.in_group[number]
            fields = {"a": self._place(host, in_host), "b": self._place(number, IDENTITY)}
        else:
            fields = {"a": self._place(joint.parent, joint.at_parent), "b": self._place(number, joint.at_child)}
            if joint.kind not in ("spherical", "free"):
                fields["axis"] = LETTERS.get(joint.axis, joint.axis)
            if any(joint.start):
                fields["start"] = joint.start
        name = self.names.take(joint.name, "joint", joint.line, joint.file)
        if self._add(joint, joint.kind, name, fields):
            self.names_of_joints[number] = name

    def _make_forces(self, number: int, joint: Joint) -> None:
        name = self.names_of_joints.get(number)
        if name is None or joint.kind == "fixed":
            return
        part = self.machine.parts[name]
        assert isinstance(part, JointPart)
        if joint.damping > 0.0 or joint.friction > 0.0:
            for index in range(len(part.COORDINATES)):
                own = self.names.take(f"{name}_friction{index or ''}", "part")
                friction = {"coulomb": joint.friction, "viscous": joint.damping}
                self._add(joint, "joint_friction", own, {"joint": name, "coordinate": index, **friction})
        if joint.friction > 0.0:
            why = "it is smooth through zero speed here and creeps instead of holding: see joint_friction."
            self._note(f"dry friction of joint '{name}'", joint, why)
        for what, value in (("stiffness", joint.stiffness), ("armature", joint.armature)):
            if value > 0.0 and joint.kind not in SCALAR:
                self._note(f"{what} {value:g} of joint '{name}'", joint, f"a {joint.kind} joint has no single angle.")
        if joint.kind in SCALAR and joint.stiffness > 0.0:
            own = self.names.take(f"{name}_spring", "part")
            spring = {"stiffness": joint.stiffness, "rest": joint.rest}
            self._add(joint, "joint_spring", own, {"joint": name, **spring})
        if joint.kind in SCALAR and joint.armature > 0.0:
            self._make_rotor(name, joint)

    def _make_rotor(self, name: str, joint: Joint) -> None:
        rotor, shaft, gear = (self.names.take(f"{name}_{what}", "part") for what in ("rotor", "shaft", "gear"))
        size = joint.armature
        self._add(joint, "body", rotor, {"mass": size, "inertia": (size, size, size)})
        self._add(joint, "revolute", shaft, {"a": "ground", "b": rotor})
        self._add(joint, "gear", gear, {"a": name, "b": shaft, "ratio": 1.0})
        why = f"it is the flywheel '{rotor}' on the ground, geared to the joint."
        self._note(f"armature {size:g} of joint '{name}'", joint, why)

    def _make_closings(self) -> None:
        joints = self.names_of_joints
        for closing in self.robot.closings:
            own = self.names.take(closing.name, "closing", closing.line, closing.file)
            a, b = (self._place(*end) for end in closing.ends)
            self._add(closing, closing.kind, own, {"a": a, "b": b, "cut": True})
        for ratio in self.robot.ratios:
            if {ratio.a, ratio.b} - set(joints):
                self._note(f"gear '{short(ratio.name)}'", ratio, "one of its joints is held.")
                continue
            own = self.names.take(ratio.name, "gear", ratio.line, ratio.file)
            self._add(ratio, "gear", own, {"a": joints[ratio.a], "b": joints[ratio.b], "ratio": ratio.ratio})
        for motor in self.robot.motors:
            if motor.joint not in joints:
                self._note(f"motor '{short(motor.name)}'", motor, "its joint is held.")
                continue
            own = self.names.take(motor.name, "motor", motor.line, motor.file)
            self._add(motor, "effort", own, {"joint": joints[motor.joint]})
        for strut in self.robot.struts:
            own = self.names.take(strut.name, "spring", strut.line, strut.file)
            a, b = (self._place(*end) for end in strut.ends)
            values = {"stiffness": strut.stiffness, "rest": strut.rest, "damping": strut.damping}
            self._add(strut, "spring", own, {"a": a, "b": b, **values})

    # --- helpers ---

    def _note(self, what: str, item: Item, why: str) -> None:
        self.notes.leave_out(what, item.line, why, item.file)

    def _add(self, item: Item, kind: str, name: str, fields: dict[str, Any]) -> bool:
        """Make a part; a problem with it is noted with its line in the file, and False returned."""
        try:
            getattr(self.machine, kind)(name, **fields)
        except MachineError as error:
            self._refuse(item, error)
            return False
        if item.line is not None:
            self.machine.sources[name] = Source(item.file or self.notes.file, item.line, item.line)
        return True

    def _refuse(self, item: Item, error: MachineError) -> None:
        lines = None if item.line is None else (item.line, item.line)
        self.notes.problems += [problem.placed(item.file or self.notes.file, lines) for problem in error.problems]
