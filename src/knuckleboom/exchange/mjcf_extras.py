# SPDX-License-Identifier: BSD-3-Clause
"""What an MJCF model has beside bodies and joints: shapes, actuators, tendons, and a list of what is not read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from knuckleboom.exchange.imported import Notes
from knuckleboom.exchange.namer import short
from knuckleboom.exchange.pose import from_quaternion, moved
from knuckleboom.exchange.robot import Link, Motor, Robot, Strut
from knuckleboom.exchange.urdf import hexadecimal

if TYPE_CHECKING:
    from knuckleboom.exchange.mjcf import Compiled

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
SEEN_GROUPS = 3
"""MuJoCo's viewer shows the groups 0, 1 and 2; collision shapes are by custom in 3."""
DEFAULT_RGBA = (0.5, 0.5, 0.5, 1.0)
EDGES = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0), (1, 0, 1), (1, 1, 1),
         (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 1, 0), (0, 1, 1), (0, 0, 1))  # fmt: skip
"""A way along all twelve edges of a box."""
ON_JOINT = 0  # mjTRN_JOINT
SITE_WRAP = 3  # mjWRAP_SITE
SCALAR_JOINTS = (2, 3)


# --- shapes -----------------------------------------------------------------------------------------------------------


def read_shapes(compiled: Compiled, notes: Notes, link_of: Callable[[int], Link]) -> None:
    """Give links the shapes that MuJoCo's viewer shows."""
    model = compiled.model
    hidden = [geom for geom in range(model.ngeom) if not _is_seen(model, geom)]
    boxed = []
    for geom in sorted(set(range(model.ngeom)) - set(hidden)):
        kind, size = int(model.geom_type[geom]), [float(value) for value in model.geom_size[geom]]
        pose = from_quaternion(model.geom_pos[geom], model.geom_quat[geom])
        shape: dict[str, Any]
        if kind == BOX:
            shape = {"shape": "box", "size": tuple(2.0 * value for value in size)}
        elif kind == SPHERE:
            shape = {"shape": "sphere", "size": (size[0],)}
        elif kind in (CAPSULE, CYLINDER):
            shape = {"shape": "capsule" if kind == CAPSULE else "cylinder", "size": (size[0], 2.0 * size[1])}
        elif kind in (MESH, ELLIPSOID):
            boxed.append(geom)
            centre, half = np.array(model.geom_aabb[geom][:3]), np.array(model.geom_aabb[geom][3:])
            corners = tuple(tuple((half * (2.0 * np.array(corner) - 1.0)).tolist()) for corner in EDGES)
            shape, pose = {"shape": "line", "points": corners}, pose @ moved(centre)
        else:
            line, file = compiled.place("geoms", geom)
            word, name = {PLANE: "plane", HFIELD: "height field"}.get(kind, "shape"), compiled.name("geoms", geom)
            notes.leave_out(f"{word} '{short(name)}'" if name else f"a {word}", line, "it is not drawn.", file)
            continue
        link_of(int(model.geom_bodyid[geom])).shapes.append((pose, {**shape, "colour": _colour(model, geom)}))
    if boxed:
        line, file = compiled.place("geoms", boxed[0])
        notes.leave_out(
            f"the form of {_several(len(boxed), 'geom')}",
            line,
            "a mesh or ellipsoid is drawn as the edges of its box.",
            file,
        )
    if hidden:
        line, file = compiled.place("geoms", hidden[0])
        why = "MuJoCo's viewer does not show them either (group above 2, or transparent)."
        notes.leave_out(f"the drawing of {len(hidden)} geoms", line, why, file)


def _is_seen(model: Any, geom: int) -> bool:
    return bool(model.geom_group[geom] < SEEN_GROUPS) and float(_rgba(model, geom)[3]) > 0.0


def _rgba(model: Any, geom: int) -> Any:
    material = int(model.geom_matid[geom])
    own = model.geom_rgba[geom]
    # a colour of its own wins over that of the material
    return model.mat_rgba[material] if material >= 0 and np.allclose(own, DEFAULT_RGBA) else own


def _colour(model: Any, geom: int) -> str:
    return hexadecimal(_rgba(model, geom))


# --- actuators and tendons --------------------------------------------------------------------------------------------


def read_actuators(compiled: Compiled, notes: Notes, robot: Robot, joint_of: dict[int, int]) -> None:
    """Motors on hinges and slides become efforts; everything else is a controller and is noted."""
    model = compiled.model
    for number in range(_actuators(model)):
        line, file = compiled.place("actuators", number)
        name = compiled.name("actuators", number)
        subject = f"actuator '{short(name)}'" if name else "an actuator"
        joint = int(model.actuator_trnid[number, 0])
        on_joint = int(model.actuator_trntype[number]) == ON_JOINT and int(model.jnt_type[joint]) in SCALAR_JOINTS
        plain = not (
            model.actuator_dyntype[number] or model.actuator_gaintype[number] or model.actuator_biastype[number]
        )
        if not on_joint:
            notes.leave_out(subject, line, "it does not act on a hinge or a slide.", file)
        elif not plain:
            gain, bias = (
                ", ".join(f"{float(value):g}" for value in values[number][:3])
                for values in (model.actuator_gainprm, model.actuator_biasprm)
            )
            why = f"it is a controller (gain {gain}; bias {bias}), not a plain motor."
            notes.leave_out(subject, line, why, file)
        else:
            robot.motors.append(Motor(name or f"motor_{number}", joint_of[joint], line, file))
            factor = float(model.actuator_gear[number, 0] * model.actuator_gainprm[number, 0])
            limits = model.actuator_ctrllimited[number] or model.actuator_forcelimited[number]
            if factor != 1.0 or limits:
                why = f"the input is the effort itself: {factor:g} times MuJoCo's control, without limits."
                notes.leave_out(f"gear and limits of {subject}", line, why, file)


def _actuators(model: Any) -> int:
    # MuJoCo 4 tells actuators from controls
    return int(getattr(model, "nactuator", model.nu))


def read_tendons(compiled: Compiled, notes: Notes, robot: Robot, link_of: dict[int, int]) -> None:
    """A tendon straight between two sites with a stiffness is a spring; others are noted."""
    model = compiled.model
    for number in range(model.ntendon):
        line, file = compiled.place("tendons", number)
        name = compiled.name("tendons", number)
        subject = f"tendon '{short(name)}'" if name else "a tendon"
        first, count = int(model.tendon_adr[number]), int(model.tendon_num[number])
        straight = count == 2 and all(int(model.wrap_type[first + place]) == SITE_WRAP for place in range(2))
        low, high = (float(value) for value in model.tendon_lengthspring[number])
        stiffness, damping = float(model.tendon_stiffness[number]), float(model.tendon_damping[number])
        if not straight or low != high or not (stiffness > 0.0 or damping > 0.0):
            notes.leave_out(
                subject, line, "only a spring or damper straight between two sites has a counterpart.", file
            )
            continue
        sites = [int(model.wrap_objid[first + place]) for place in range(2)]
        a, b = ((link_of[int(model.site_bodyid[site])], moved(model.site_pos[site])) for site in sites)
        robot.struts.append(Strut(name or f"tendon_{number}", (a, b), stiffness, low, damping, line, file))
        if model.tendon_limited[number] or model.tendon_frictionloss[number]:
            notes.leave_out(f"limits and dry friction of {subject}", line, "a spring has none.", file)


# --- the rest ---------------------------------------------------------------------------------------------------------


def note_the_rest(compiled: Compiled, notes: Notes) -> None:
    """Note everything else that the model has, by its kind and number."""
    import mujoco

    model = compiled.model
    off = int(model.opt.disableflags)
    touching = [geom for geom in range(model.ngeom) if model.geom_contype[geom] or model.geom_conaffinity[geom]]
    if (touching or model.npair) and not off & int(mujoco.mjtDisableBit.mjDSBL_CONTACT):
        line, file = compiled.place("geoms", touching[0]) if touching else (None, "")
        notes.leave_out(f"contacts of {len(touching)} geoms", line, "add m.contact(...).", file)
    for what, count, family in (
        ("sensor", model.nsensor, "sensors"),
        ("key frame", model.nkey, "keys"),
    ):
        if count:
            line, file = compiled.place(family, 0)
            why = "everything is recorded anyway." if what == "sensor" else "the machine starts at MuJoCo's qpos0."
            notes.leave_out(_several(count, what), line, why, file)
    for what, count in (
        ("flexible body", model.nflex),
        ("skin", model.nskin),
        ("plugin", model.nplugin),
        ("camera", model.ncam),
        ("light", model.nlight),
    ):
        if count:
            notes.leave_out(_several(count, what), None, "it is not part of a machine.")
    if any((*model.opt.wind, model.opt.density, model.opt.viscosity)):
        notes.leave_out("wind, density or viscosity of the medium", None, "a machine is not in a medium.")
    for word in ("SPRING", "DAMPER", "PASSIVE", "EQUALITY", "ACTUATION", "CLAMPCTRL"):
        flag = getattr(mujoco.mjtDisableBit, f"mjDSBL_{word}", None)
        if flag is not None and off & int(flag):
            notes.leave_out(f"the flag that switches {word.lower()} off", None, "it acts in the machine.")


def _several(count: int, word: str) -> str:
    many = word[:-1] + "ies" if word.endswith("y") else word + "s"
    return f"{count} {word if count == 1 else many}"
