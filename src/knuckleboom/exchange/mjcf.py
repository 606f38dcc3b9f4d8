# SPDX-License-Identifier: BSD-3-Clause
"""MJCF: bodies and joints of a <mujoco> model, as MuJoCo's own compiler understands it.

`MjSpec` reads the file with its defaults, includes and units and compiles it; masses from shapes and meshes, frames and
anchors are then numbers in the axes of each body. The conventions agree with ours: quaternions (w, x, y, z), the speed
of a free joint in world axes and its spin in the body's, a ball's spin in the body's. A hinge or slide with a `ref` has
the child's place turned or moved by it. Several joints of one body act one after the other, so a chain of
carriers stands for them. Loops: `connect` is a spherical joint, `weld` a fixed one, `joint` a gear. Inertias that
MuJoCo refuses are taken from the file as given, see exchange/inertias.py.
"""

from __future__ import annotations

import math
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from knuckleboom.errors import MachineError, Problem
from knuckleboom.exchange.imported import Notes
from knuckleboom.exchange.inertias import is_possible
from knuckleboom.exchange.mjcf_extras import note_the_rest, read_actuators, read_shapes, read_tendons
from knuckleboom.exchange.mjcf_files import Scan
from knuckleboom.exchange.namer import short
from knuckleboom.exchange.pose import IDENTITY, Array, Pose, from_quaternion, moved, rotation_vector, turned
from knuckleboom.exchange.robot import GROUND, Closing, Joint, Link, Ratio, Robot
from knuckleboom.exchange.urdf import limits_why
from knuckleboom.exchange.xml_tree import Element

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3
KINDS = {FREE: "free", BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}
CONNECT, WELD, JOINT = 0, 1, 2
SITE_OBJECT = 6
"""Numbers of mjtJoint, mjtEq and mjtObj."""
FINITE = ("body_pos", "body_quat", "body_mass", "body_ipos", "body_iquat", "body_inertia", "jnt_pos", "jnt_axis",
          "qpos0", "eq_data", "site_pos", "site_quat", "geom_pos", "geom_quat", "geom_size", "geom_aabb")  # fmt: skip
"""What a machine is made of; numbers near the largest can overflow while MuJoCo compiles."""
MESSAGE = 400  # letters that are kept of a message of MuJoCo's


def read_mjcf(root: Element, notes: Notes, within: Path) -> Robot:
    """Return the robot of an MJCF file, whose root element was read already; what is wrong is in the notes."""
    scan = Scan(root, notes.file, notes, within)
    if notes.problems:
        return Robot("")
    return _Reader(notes, scan).robot_of()


FAMILIES = {
    "bodies": ("body", ("body",)),
    "joints": ("joint", ("joint", "freejoint")),
    "geoms": ("geom", ("geom",)),
    "sites": ("site", ("site",)),
    "equalities": ("equality", ("connect", "weld", "joint")),
    "actuators": ("actuator", ()),
    "tendons": ("tendon", ("spatial", "fixed")),
    "sensors": ("sensor", ()),
    "keys": ("key", ("key",)),
}
"""Families of a spec: what one of them is called in a model, and its tags in a file (none: many)."""


class Compiled:
    """A compiled model, its spec, and where each element stands in the file."""

    def __init__(self, spec: Any, model: Any, scan: Scan, given: dict[int, Array]) -> None:
        self.spec, self.model, self.scan = spec, model, scan
        self.given = given
        """By body: inertias that MuJoCo would have refused, in the axes of the body's principal frame."""
        self._lines: dict[str, dict[int, int]] = {}

    def place(self, family: str, number: int) -> tuple[int | None, str]:
        """Return the line and the file of an element, by its family in the spec (`bodies`, `joints`, …)."""
        if family not in self._lines:
            told = {
                int(element.id): re.search(r"line (\d+)", str(element.info)) for element in getattr(self.spec, family)
            }
            self._lines[family] = {place: int(line.group(1)) for place, line in told.items() if line}
        line = self._lines[family].get(number, 0)
        if line > 0:
            return line, str(self.scan.main)
        return self.scan.place(self.name(family, number), FAMILIES[family][1])

    def name(self, family: str, number: int) -> str:
        """Return the name of an element; empty when it has none."""
        return str(getattr(self.model, FAMILIES[family][0])(number).name)


class _Reader:
    """Reads one compiled model."""

    def __init__(self, notes: Notes, scan: Scan) -> None:
        self.notes = notes
        self.compiled = _compile(notes, scan)
        self.model = self.compiled.model
        self.robot = Robot(str(self.compiled.spec.modelname))
        self.link_of = {0: GROUND}
        self.joint_of: dict[int, int] = {}

    def robot_of(self) -> Robot:
        """Read bodies, joints, loops, and what acts and is seen."""
        import mujoco

        option = self.model.opt
        weightless = int(option.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        x, y, z = (0.0 if weightless else float(value) for value in option.gravity)
        self.robot.gravity = (x, y, z)
        for body in range(1, self.model.nbody):
            self._read_body(body)
        for site in range(self.model.nsite):
            pose = from_quaternion(self.model.site_pos[site], self.model.site_quat[site])
            name = self.compiled.name("sites", site) or f"site_{site}"
            self._link(int(self.model.site_bodyid[site])).points.append((name, pose))
        for equality in range(self.model.neq):
            self._read_equality(equality)
        read_shapes(self.compiled, self.notes, self._link)
        read_actuators(self.compiled, self.notes, self.robot, self.joint_of)
        read_tendons(self.compiled, self.notes, self.robot, self.link_of)
        note_the_rest(self.compiled, self.notes)
        return self.robot

    def _link(self, body: int) -> Link:
        number = self.link_of[body]
        return self.robot.ground if number == GROUND else self.robot.links[number]

    # --- bodies and joints ---

    def _read_body(self, body: int) -> None:
        model, name = self.model, self.compiled.name("bodies", body) or f"body_{body}"
        line, file = self.compiled.place("bodies", body)
        principal = from_quaternion(model.body_ipos[body], model.body_iquat[body])
        own = self.compiled.given.get(body, np.diag(model.body_inertia[body]))
        inertia = principal.R @ own @ principal.R.T
        link = Link(name, line, file, float(model.body_mass[body]), principal.p, inertia)
        if not link.mass > 0.0:
            link.com = np.zeros(3)

        parent = self.link_of[int(model.body_parentid[body])]
        pose = from_quaternion(model.body_pos[body], model.body_quat[body])
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        for place in range(count - 1):
            self._add(Link(f"{name}_carrier{place + 1}", line, file), self._joint(first + place, parent, pose))
            parent, pose = len(self.robot.links) - 1, IDENTITY
        if count:
            self._add(link, self._joint(first + count - 1, parent, pose))
        else:
            self._add(link, Joint(f"{name}_fixed", "fixed", parent, line, file, pose))
        self.link_of[body] = len(self.robot.links) - 1
        if model.body_gravcomp[body]:
            self.notes.leave_out(f"gravcomp of body '{short(name)}'", line, "gravity acts on every body.", file)
        if model.body_mocapid[body] >= 0:
            self.notes.leave_out(f"mocap of body '{short(name)}'", line, "it does not move here.", file)

    def _add(self, link: Link, joint: Joint) -> None:
        self.robot.links.append(link)
        self.robot.joints.append(joint)

    def _joint(self, number: int, parent: int, pose: Pose) -> Joint:
        """Return a joint on `parent`, on which the body's own frame has a pose before it moves."""
        model, kind = self.model, int(self.model.jnt_type[number])
        line, file = self.compiled.place("joints", number)
        body = int(model.jnt_bodyid[number])
        place = number - int(model.body_jntadr[body])
        given = f"{self.compiled.name('bodies', body) or f'body_{body}'}_joint{place + 1 if place else ''}"
        name = self.compiled.name("joints", number) or given
        self.joint_of[number] = len(self.robot.joints)
        first, dof = int(model.jnt_qposadr[number]), int(model.jnt_dofadr[number])
        anchor, ref = moved(model.jnt_pos[number]), float(model.qpos0[first])
        joint = Joint(name, KINDS[kind], parent, line, file, pose @ anchor, anchor)
        joint.damping, joint.friction = float(model.dof_damping[dof]), float(model.dof_frictionloss[dof])
        joint.stiffness, joint.armature = float(model.jnt_stiffness[number]), float(model.dof_armature[dof])
        if kind == FREE:
            joint.at_parent = joint.at_child = IDENTITY
            origin = [float(value) for value in model.qpos0[first : first + 3]]
            joint.start = (*origin, *rotation_vector(model.qpos0[first + 3 : first + 7]))
        elif kind in (HINGE, SLIDE):
            axis = np.array(model.jnt_axis[number], float)
            joint.axis = (float(axis[0]), float(axis[1]), float(axis[2]))
            joint.at_child = anchor @ (turned(axis, ref) if kind == HINGE else moved(ref * axis))
            joint.start, joint.rest = (ref,), float(model.qpos_spring[first])
        self._note_joint(number, joint)
        return joint

    def _note_joint(self, number: int, joint: Joint) -> None:
        model, subject = self.model, f"joint '{short(joint.name)}'"
        if model.jnt_limited[number]:
            low, high = (float(value) for value in model.jnt_range[number])
            if joint.kind == "spherical":
                told, why = f"up to {high:g} rad", "a spherical joint has no single angle."
            else:
                told = f"{low:g} to {high:g} {'m' if joint.kind == 'prismatic' else 'rad'}"
                why = limits_why(joint.kind)
            self.notes.leave_out(f"limits of {subject} ({told})", joint.line, why, joint.file)
        dof = int(model.jnt_dofadr[number])
        for what, values in (("stiffness", "jnt_stiffnesspoly"), ("damping", "dof_dampingpoly")):
            # polynomial springs and dampers came with MuJoCo 3.4
            table = getattr(model, values, None)
            if table is not None and np.any(table[number if what == "stiffness" else dof]):
                why = "springs and dampers of a joint are linear; only the first term is here."
                self.notes.leave_out(f"higher terms of the {what} of {subject}", joint.line, why, joint.file)

    # --- loops ---

    def _read_equality(self, number: int) -> None:
        model, kind = self.model, int(self.model.eq_type[number])
        line, file = self.compiled.place("equalities", number)
        name = self.compiled.name("equalities", number)
        subject = f"equality '{short(name)}'" if name else "an equality"
        if not model.eq_active0[number]:
            self.notes.leave_out(subject, line, "it is not active.", file)
        elif kind in (CONNECT, WELD):
            word = {CONNECT: "spherical", WELD: "fixed"}[kind]
            ends = self._ends(number, kind)
            self.robot.closings.append(Closing(name or f"loop_{number}", word, ends, line, file))
        elif kind == JOINT:
            self._read_gear(number, name or f"gear_{number}", subject)
        else:
            why = "only connect, weld and joint have a counterpart."
            self.notes.leave_out(subject, line, why, file)

    def _ends(self, number: int, kind: int) -> tuple[tuple[int, Pose], tuple[int, Pose]]:
        """Return the places that an equality holds together, each on its link."""
        model, data = self.model, self.model.eq_data[number]
        ids = (int(model.eq_obj1id[number]), int(model.eq_obj2id[number]))
        if int(model.eq_objtype[number]) == SITE_OBJECT:
            a, b = (
                (
                    self.link_of[int(model.site_bodyid[site])],
                    from_quaternion(model.site_pos[site], model.site_quat[site]),
                )
                for site in ids
            )
            return a, b
        if kind == CONNECT:
            poses = moved(data[0:3]), moved(data[3:6])
        else:
            # the point `anchor` of the second body is held to `relpose` of the first
            poses = from_quaternion(data[3:6], data[6:10]), moved(data[0:3])
        return (self.link_of[ids[0]], poses[0]), (self.link_of[ids[1]], poses[1])

    def _read_gear(self, number: int, name: str, subject: str) -> None:
        """q₁ − ref₁ = c₀ + c₁·(q₂ − ref₂): a gear that starts at c₀."""
        model, data = self.model, [float(value) for value in self.model.eq_data[number][:5]]
        line, file = self.compiled.place("equalities", number)
        b, a = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
        if a < 0:
            self.notes.leave_out(subject, line, "a joint held still is not a gear; make it a fixed joint.", file)
        elif any(data[2:]):
            why = f"a gear has a constant ratio, this one a polynomial {data}."
            self.notes.leave_out(subject, line, why, file)
        else:
            led = self.robot.joints[self.joint_of[b]]
            led.start = (led.start[0] + data[0],)
            self.robot.ratios.append(Ratio(name, self.joint_of[a], self.joint_of[b], data[1], line, file))


def _compile(notes: Notes, scan: Scan) -> Compiled:
    """Let MuJoCo read and compile a file that was looked at; its complaint becomes a problem, its warnings notes."""
    file = notes.file
    try:
        import mujoco
    except ImportError:
        fix = "Paste this: pip install 'knuckleboom[robots]'"
        rule = "reading MJCF needs the package mujoco, which is not installed."
        raise MachineError([Problem(rule, file=file, fix=fix)], file) from None
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            spec = mujoco.MjSpec.from_file(file)
            spec.memory = -1  # as much as a simulation in MuJoCo may need; we need none
            refused = _take_refused(spec)
            model = spec.compile()
    except (ValueError, RuntimeError, mujoco.FatalError, MemoryError) as error:
        told = " ".join(str(error).split())
        line = re.search(r"line (\d+)", told)
        lines = (int(line.group(1)), int(line.group(1))) if line else None
        rule = f"MuJoCo cannot read it: {told.rstrip('.')[:MESSAGE]}."
        raise MachineError([Problem(rule, file=file, lines=lines)], file) from None
    for table in FINITE:
        if not np.isfinite(getattr(model, table)).all():
            rule = f"in MuJoCo's {table} there are numbers that are not finite."
            raise MachineError([Problem(rule, file=file, fix="Look for very large or very small values.")], file)
    for warning in warned:
        notes.leave_out("a warning of MuJoCo", None, " ".join(str(warning.message).split())[:MESSAGE])
    return Compiled(spec, model, scan, {int(body.id): inertia for body, inertia in refused})


def _take_refused(spec: Any) -> list[tuple[Any, Array]]:
    """Put a ball's inertia in place of those that MuJoCo refuses (A + B < C, or not positive); return both."""
    import mujoco

    found: list[tuple[Any, Array]] = []
    compiler = spec.compiler
    if compiler.balanceinertia or compiler.inertiafromgeom == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
        return found
    for body in spec.bodies:
        if not body.explicitinertial:
            continue
        xx, yy, zz, xy, xz, yz = (float(value) for value in body.fullinertia)
        whole = not math.isnan(xx)
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) if whole else np.diag(np.array(body.inertia))
        if not np.isfinite(inertia).all() or is_possible(inertia):
            continue
        found.append((body, inertia))
        body.fullinertia = (math.nan, 0.0, 0.0, 0.0, 0.0, 0.0)
        body.inertia = (float(abs(inertia).max()),) * 3
    return found
