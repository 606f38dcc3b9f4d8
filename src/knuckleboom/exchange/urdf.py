# SPDX-License-Identifier: BSD-3-Clause
"""URDF: links and joints as written in a <robot>.

An inertia is given in the axes of its <origin>, which may be turned; a joint's axis in the axes of the joint, which are
those of its child. Angles are roll, pitch, yaw about fixed axes, as ours. The root link is the world when it is named
`world`; else it is fixed to the ground or, with base "free", floats.

Read with our own XML reader: it knows the lines, and files that a robot only looks like (meshes) are never opened. Why
not a library: docs/decisions/robot_files.md.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from knuckleboom.exchange.imported import Notes
from knuckleboom.exchange.namer import short
from knuckleboom.exchange.pose import IDENTITY, Pose, from_rpy
from knuckleboom.exchange.robot import GROUND, Joint, Link, Ratio, Robot
from knuckleboom.exchange.xml_tree import Element
from knuckleboom.names import closest
from knuckleboom.quantities import unit_vector

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "planar": "planar",
    "floating": "free",
}
WORLD = "world"
IGNORED = ("transmission", "gazebo", "sensor", "ros2_control", "mujoco", "drake", "loop_joint")
JOINT_EXTRAS = ("calibration", "safety_controller")


def read_urdf(root: Element, notes: Notes, base: str) -> Robot:
    """Return the robot of a <robot> element; what is wrong with it is in the notes."""
    return _Reader(root, notes, base).robot_of()


class _Reader:
    """Reads one robot."""

    def __init__(self, root: Element, notes: Notes, base: str) -> None:
        self.root, self.notes, self.base = root, notes, base
        self.colours: dict[str, str] = {}

    def robot_of(self) -> Robot:
        """Read materials, links and joints, and put them in order from the root."""
        robot = Robot(self.root.get("name"))
        for element in self.root.children:
            if ":" in element.tag:
                rule = f"<{element.tag}> is a command of xacro: the file is a template."
                self.notes.complain(rule, element.line, "Run: xacro robot.xacro > robot.urdf")
        if self.notes.problems:
            return robot
        for material in self.root.all("material"):
            self._read_material(material)
        links = self._named("link")
        joints = self._named("joint")
        if not links and not self.notes.problems:
            self.notes.complain("it has no links.", self.root.line, "A robot has at least one <link name=…>.")
        carried = self._carried_by(links, joints)
        top = self._root_of(links, carried)
        if self.notes.problems:
            return robot
        self._lay_out(robot, links, carried, top)
        if self.notes.problems:
            return robot
        self._read_mimics(robot, joints)
        self._note_the_rest(links)
        return robot

    # --- the tree ---

    def _named(self, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in self.root.all(tag):
            name = element.get("name")
            if not name:
                self.notes.complain(f"a {tag} has no name.", element.line, f'Write <{tag} name="…">.')
            elif name in found:
                first = found[name].line
                self.notes.complain(f"{tag} '{short(name)}' is there twice; first on line {first}.", element.line)
            else:
                found[name] = element
        return found

    def _carried_by(self, links: dict[str, Element], joints: dict[str, Element]) -> dict[str, Element]:
        """Return the joint that carries each link, with its ends checked."""
        carried: dict[str, Element] = {}
        for name, joint in joints.items():
            kind = joint.get("type")
            if kind not in KINDS:
                rule = f"joint '{short(name)}' is of type '{short(kind)}'."
                fix = f"Types are {', '.join(KINDS)}."
                self.notes.complain(rule, joint.line, fix, tuple(closest(kind, KINDS)))
            ends = [self._end(joint, side, links) for side in ("parent", "child")]
            child = ends[1]
            if None in ends or child is None:
                continue
            if child in carried:
                rule = f"link '{short(child)}' is the child of joint '{short(carried[child].get('name'))}' already."
                fix = "A link hangs on one joint; URDF has no closed loops. MJCF has: <equality>."
                self.notes.complain(rule, joint.line, fix)
            else:
                carried[child] = joint
        return carried

    def _end(self, joint: Element, side: str, links: dict[str, Element]) -> str | None:
        end = joint.first(side)
        name = end.get("link") if end is not None else ""
        if name in links:
            return name
        subject = f"joint '{short(joint.get('name'))}'"
        if not name:
            self.notes.complain(f"{subject} has no {side}.", joint.line, f'Write <{side} link="…"/> in it.')
        else:
            rule = f"{subject} has the {side} '{short(name)}', which is not a link."
            self.notes.complain(rule, joint.line, "", tuple(closest(name, links)))
        return None

    def _root_of(self, links: dict[str, Element], carried: dict[str, Element]) -> str:
        tops = [name for name in links if name not in carried]
        if len(tops) > 1 and not self.notes.problems:
            others = ", ".join(f"'{short(name)}'" for name in tops[1:6])
            rule = f"it has {len(tops)} links that are no joint's child: '{short(tops[0])}', {others}."
            self.notes.complain(rule, links[tops[1]].line, "A robot is one tree; join them.")
        if links and not tops:
            self.notes.complain("every link is the child of a joint, so there is no root.", self.root.line)
        return tops[0] if tops else ""

    def _lay_out(self, robot: Robot, links: dict[str, Element], carried: dict[str, Element], top: str) -> None:
        """Put links and joints into the robot, carriers first."""
        children: dict[str, list[str]] = {}
        for child, joint in carried.items():
            parent = joint.first("parent")
            children.setdefault(parent.get("link") if parent is not None else "", []).append(child)
        waiting = [(top, GROUND)]
        reached = 0
        while waiting:
            name, parent_number = waiting.pop()
            reached += 1
            if name == top and top == WORLD:
                self._read_link(links[name], robot.ground)
                if robot.ground.mass > 0.0:
                    self.notes.leave_out("the mass of link 'world'", links[name].line, "the world does not move.")
                number = GROUND
            else:
                number = len(robot.links)
                robot.links.append(Link(name, links[name].line))
                self._read_link(links[name], robot.links[-1])
                robot.joints.append(self._joint(carried.get(name), parent_number, links[name]))
            waiting += [(child, number) for child in reversed(children.get(name, []))]
        if reached < len(links):
            rule = f"{len(links) - reached} links hang on each other in a circle, not on '{short(top)}'."
            self.notes.complain(rule, self.root.line)

    # --- links ---

    def _read_link(self, element: Element, link: Link) -> None:
        inertial = element.first("inertial")
        if inertial is not None:
            self._read_inertial(inertial, link)
        for visual in element.all("visual"):
            self._read_visual(visual, link)

    def _read_inertial(self, element: Element, link: Link) -> None:
        subject = f"link '{short(link.name)}'"
        mass = element.first("mass")
        if mass is None:
            self.notes.complain(f"{subject} has an <inertial> without a <mass>.", element.line)
            return
        before = len(self.notes.problems)
        link.mass = self._number(mass, "value", subject)
        if link.mass < 0.0:
            self.notes.complain(f"{subject} has a mass of {link.mass:g} kg.", mass.line, "A mass is not negative.")
        if len(self.notes.problems) > before:
            return
        pose = self._origin(element, subject)
        link.com = pose.p
        inertia = element.first("inertia")
        if inertia is None:
            if link.mass > 0.0:
                self.notes.complain(f"{subject} has an <inertial> without an <inertia>.", element.line)
            return
        products = ("ixy", "ixz", "iyz")
        xx, yy, zz = (self._number(inertia, name, subject) for name in ("ixx", "iyy", "izz"))
        xy, xz, yz = (self._number(inertia, name, subject, default=0.0) for name in products)
        own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        link.inertia = pose.R @ own @ pose.R.T

    def _read_visual(self, element: Element, link: Link) -> None:
        subject = f"link '{short(link.name)}'"
        geometry = element.first("geometry")
        form = geometry.children[0] if geometry is not None and geometry.children else None
        if form is None:
            self.notes.leave_out(f"a visual of {subject}", element.line, "it has no geometry.")
            return
        shape: dict[str, Any]
        if form.tag == "box":
            shape = {"shape": "box", "size": self._numbers(form, "size", 3, subject)}
        elif form.tag == "sphere":
            shape = {"shape": "sphere", "size": (self._number(form, "radius", subject),)}
        elif form.tag in ("cylinder", "capsule"):
            sizes = (self._number(form, "radius", subject), self._number(form, "length", subject))
            shape = {"shape": form.tag, "size": sizes}
        else:
            what = f"{form.tag} '{short(form.get('filename'))}' of {subject}"
            self.notes.leave_out(what, form.line, "a machine is drawn with boxes, cylinders, spheres and lines.")
            return
        if not all(size > 0.0 for size in shape["size"]):
            self.notes.leave_out(f"a {form.tag} of {subject}", form.line, "it has a size of zero or less.")
            return
        pose = self._origin(element, subject)
        link.shapes.append((pose, {**shape, **self._colour(element.first("material"))}))

    def _read_material(self, element: Element) -> None:
        colour = element.first("color")
        if colour is not None and element.get("name"):
            rgba = self._numbers(colour, "rgba", 4, f"material '{short(element.get('name'))}'")
            self.colours[element.get("name")] = hexadecimal(rgba)

    def _colour(self, material: Element | None) -> dict[str, str]:
        if material is None:
            return {}
        if material.first("color") is not None:
            named = Element("material", {"name": material.get("name") or " "}, material.line, material.children)
            self._read_material(named)
            return {"colour": self.colours.get(named.get("name"), "grey")}
        known = self.colours.get(material.get("name"))
        return {"colour": known} if known else {}

    # --- joints ---

    def _joint(self, element: Element | None, parent: int, link: Element) -> Joint:
        if element is None:
            name = link.get("name")
            kind = "free" if self.base == "free" else "fixed"
            done = "it moves freely" if kind == "free" else "it is fixed to the ground; it floats with base 'free'"
            self.notes.leave_out(
                f"root link '{short(name)}'", link.line, f"the file does not say how it stands; {done}."
            )
            return Joint(f"{name}_base", kind, parent, link.line)
        name = element.get("name")
        subject = f"joint '{short(name)}'"
        kind = KINDS[element.get("type")]
        joint = Joint(name, kind, parent, element.line, at_parent=self._origin(element, subject))
        if kind in ("revolute", "prismatic", "planar"):
            joint.axis = self._axis(element, subject)
        dynamics = element.first("dynamics")
        if dynamics is not None and kind != "fixed":
            joint.damping = self._number(dynamics, "damping", subject, default=0.0)
            joint.friction = self._number(dynamics, "friction", subject, default=0.0)
            if min(joint.damping, joint.friction) < 0.0:
                self.notes.complain(f"{subject} has a negative damping or friction.", dynamics.line)
            if kind in ("planar", "free") and (joint.damping or joint.friction):
                why = "one value for lengths and angles has no unit; add joint_friction for each coordinate."
                self.notes.leave_out(f"damping and friction of {subject}", dynamics.line, why)
                joint.damping = joint.friction = 0.0
        self._note_limits(element, kind, subject)
        for extra in JOINT_EXTRAS:
            found = element.first(extra)
            if found is not None:
                self.notes.leave_out(f"{extra} of {subject}", found.line, "it belongs to a controller.")
        return joint

    def _axis(self, element: Element, subject: str) -> tuple[float, float, float]:
        axis = element.first("axis")
        if axis is None:
            return 1.0, 0.0, 0.0
        x, y, z = self._numbers(axis, "xyz", 3, subject)
        try:
            return unit_vector((x, y, z))
        except ValueError:
            self.notes.complain(f"{subject} has an axis without a direction.", axis.line, 'Write <axis xyz="0 0 1"/>.')
            return 1.0, 0.0, 0.0

    def _note_limits(self, element: Element, kind: str, subject: str) -> None:
        limit = element.first("limit")
        if limit is None or kind == "fixed":
            return
        unit = "m" if kind == "prismatic" else "rad"
        ranged = element.get("type") in ("revolute", "prismatic")
        told = []
        if ranged and {"lower", "upper"} & set(limit.attributes):
            ends = [self._number(limit, side, subject, default=0.0) for side in ("lower", "upper")]
            told.append(f"{ends[0]:g} to {ends[1]:g} {unit}")
        for what in ("effort", "velocity"):
            value = self._number(limit, what, subject, default=0.0)
            told += [f"{what} {value:g}"] if value else []
        if told:
            why = limits_why(kind) if ranged else "they belong to a controller."
            self.notes.leave_out(f"limits of {subject} ({', '.join(told)})", limit.line, why)

    def _read_mimics(self, robot: Robot, joints: dict[str, Element]) -> None:
        numbers = {joint.name: number for number, joint in enumerate(robot.joints) if joint.name in joints}
        for name, element in joints.items():
            mimic = element.first("mimic")
            if mimic is None:
                continue
            subject, led = f"joint '{short(name)}'", mimic.get("joint")
            if led not in joints or led == name:
                rule = f"{subject} mimics '{short(led)}', which is not another joint."
                self.notes.complain(rule, mimic.line, "", tuple(closest(led, [one for one in joints if one != name])))
                continue
            ratio = self._number(mimic, "multiplier", subject, default=1.0)
            offset = self._number(mimic, "offset", subject, default=0.0)
            a, b = robot.joints[numbers[led]], robot.joints[numbers[name]]
            if a.kind not in ("revolute", "prismatic") or b.kind not in ("revolute", "prismatic"):
                self.notes.leave_out(f"mimic of {subject}", mimic.line, "both joints need exactly one coordinate.")
                continue
            # what it follows may itself follow another joint, and stand later in the file
            leader, start, gain = led, offset, ratio
            for _ in joints:
                above = joints[leader].first("mimic")
                if above is None or above.get("joint") not in joints:
                    break
                start += gain * self._number(above, "offset", subject, default=0.0)
                gain *= self._number(above, "multiplier", subject, default=1.0)
                leader = above.get("joint")
            b.start = (start,)
            robot.ratios.append(Ratio(f"{name}_mimic", numbers[led], numbers[name], ratio, mimic.line))

    # --- values ---

    def _origin(self, element: Element, subject: str) -> Pose:
        origin = element.first("origin")
        if origin is None:
            return IDENTITY
        xyz = self._numbers(origin, "xyz", 3, subject, default="0 0 0")
        if "quat_xyzw" in origin.attributes and "rpy" not in origin.attributes:
            self.notes.complain(f"{subject} has an orientation 'quat_xyzw'.", origin.line, "Give rpy instead.")
        return from_rpy(xyz, self._numbers(origin, "rpy", 3, subject, default="0 0 0"))

    def _numbers(self, element: Element, attribute: str, count: int, subject: str, default: str = "") -> Any:
        """Return the numbers of an attribute; zeros, and a problem noted, when they cannot be read."""
        text = element.get(attribute, default)
        try:
            values = tuple(float(word) for word in text.split())
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(value) for value in values):
            many = "a number" if count == 1 else f"{count} numbers"
            given = f"'{short(text)}'" if attribute in element.attributes else "missing"
            rule = f"{subject}: {attribute} of <{element.tag}> is {given}; it must be {many}."
            self.notes.complain(rule, element.line)
            return (0.0,) * count
        return values

    def _number(self, element: Element, attribute: str, subject: str, default: float | None = None) -> float:
        if default is not None and attribute not in element.attributes:
            return default
        return float(self._numbers(element, attribute, 1, subject)[0])

    # --- what is not read ---

    def _note_the_rest(self, links: dict[str, Element]) -> None:
        shapes = [shape for link in links.values() for shape in link.all("collision")]
        if shapes:
            what = f"{len(shapes)} collision shape{'' if len(shapes) == 1 else 's'}"
            self.notes.leave_out(what, shapes[0].line, "they touch nothing: add m.contact(...).")
        for tag in IGNORED:
            found = self.root.all(tag)
            if found:
                what = f"<{tag}>" if len(found) == 1 else f"{len(found)} <{tag}>"
                self.notes.leave_out(what, found[0].line, "it is not part of a machine.")
        known = {"link", "joint", "material", *IGNORED}
        for element in self.root.children:
            if element.tag not in known:
                self.notes.leave_out(f"<{short(element.tag)}>", element.line, "it is not part of URDF.")


def limits_why(kind: str) -> str:
    """Return why limits of a coordinate are left out, and how to have them."""
    unit = "N/m" if kind == "prismatic" else "N*m/rad"
    return f"the file gives no stiffness of the ends; add a joint_stop with lower, upper and stiffness ({unit})."


def hexadecimal(rgba: Any) -> str:
    """Return a colour of numbers 0..1 as #rrggbb."""
    return "#" + "".join(f"{round(255 * min(max(float(part), 0.0), 1.0)):02x}" for part in list(rgba)[:3])
