# SPDX-License-Identifier: BSD-3-Clause
"""Coordinates of bodies: every body on its own, all joints as constraints.

A body hangs on the ground by a free movement of its own; all joints are cut, and their rows are the constraint
equations. Poses and speeds at the start are those of the machine assembled in joint coordinates.

    reference-point     position and Euler parameters: M is block-diagonal and the equations are those of Newton and
                        Euler [Baharudin 2016, §2.1.1-2.1.5]; quaternions move by the exponential map, so that they need
                        no equation of their own
    natural             a point and three vectors: M is constant, rows are quadratic [Naya 2011, §2]; plan/natural.py

Validated by: validation/analytic/test_coordinates.py
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.attachment import Attachment
from knuckleboom.mechanics.parts.body import Body
from knuckleboom.mechanics.parts.free import Free
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.rows.description import continued
from knuckleboom.plan.rotation import Matrix, rotation_vector
from knuckleboom.plan.tables import Layout
from knuckleboom.plan.topology import Topology, build_topology

if TYPE_CHECKING:
    from knuckleboom.plan.planned import Planned

POSE = ".pose"
"""What the name of a body's own movement ends in."""


def poses_of(relative: Planned) -> list[Free]:
    """A movement of its own for every body, where it stands and as fast as it moves."""
    relative.bias()  # fills where every link is and how fast it moves
    return [pose_of(relative, body) for body in free_bodies(relative.machine)]


def free_bodies(machine: Machine) -> list[str]:
    """The bodies that get a movement of their own: an attachment hangs on its body in all coordinates."""
    return [body.name for body in machine.of(Body) if not isinstance(body, Attachment)]


def start_scalars(relative: Planned, layout: Layout) -> tuple[Matrix, Matrix]:
    """Start of all coordinates and velocities, those of shafts and shapes as they were assembled."""
    topology, before = layout.topology, relative.topology
    q, v = topology.q_start.copy(), topology.v_start.copy()
    for name, columns in topology.scalars.items():
        q[columns.q] = relative.work.state.q[before.scalars[name].q]
        v[columns.v] = relative.work.state.v[before.scalars[name].v]
    return q, v


def free_links(whole: Machine, poses: list[Free], *, vectors: bool) -> Topology:
    """The links of a machine whose bodies have these movements of their own and hang on nothing."""
    machine = copy.copy(whole)
    cut = {joint.name: joint.model_copy(update={"cut": True}) for joint in machine.of(Joint)}
    machine.parts = {**machine.parts, **cut, **{pose.name: pose for pose in poses}}
    topology, _ = build_topology(machine, set(), vectors=vectors)
    return topology


def pose_of(relative: Planned, body: str) -> Free:
    """A free joint from the ground to a body, at the body's pose and speeds."""
    motion, frame = relative.work.motion, relative.topology.bodies[body]
    R_WL, V = motion.R_WL[frame.link].reshape(3, 3), motion.V_WL[frame.link]
    arm = motion.p_OL[frame.link] + R_WL @ frame.p
    R_WB: Matrix = R_WL @ frame.R
    start = (*(motion.p_WO + arm), *rotation_vector(R_WB))
    speed = (*(V[3:] + np.cross(V[:3], arm)), *(R_WB.T @ V[:3]))
    return Free(name=body + POSE, a="ground", b=body, start=start, speed=speed)


def start_angles(relative: Planned, layout: Layout) -> Matrix:
    """Where the angles of the rows begin: at the joint's coordinate, or near its start where that joint was cut."""
    angles = []
    for row in continued(layout.rows):
        joint = relative.machine.parts[row.joint]
        assert isinstance(joint, Joint)
        place = [label for label, _ in joint.COORDINATES].index(row.label)
        tree = relative.topology.tree.get(joint.name)
        angles.append(joint.start[place] if tree is None else float(relative.work.state.q[tree.q[place]]))
    return np.array(angles)
