# SPDX-License-Identifier: BSD-3-Clause
"""MuJoCo's model of a machine, built with MjSpec.

Body frames are the nodes' frames M, so that hinges and slides pass through their origins. A free joint on the ground is
MuJoCo's free joint (position, velocity and quaternion in world axes: T = R_WF); elsewhere it is three slides and a
ball. All that a machine without contacts does not need is switched off. Loops are `connect` equalities between sites: 3
soft rows for a pin, two connects for a spatial pin, a weld for a rigid closure. `solimp` 0.9999 is the hardest that
MuJoCo has: accelerations then agree to about 1e-4.
"""

from __future__ import annotations

import copy
from typing import Any

import mujoco
import numpy as np

from knuckleboom.bench.peers.peer import Peer
from knuckleboom.bench.peers.tree import GROUND, Array, Loop, Node, PeerError, Tree, matrix_of, quaternion_of

SOLVERS = {
    "newton": mujoco.mjtSolver.mjSOL_NEWTON,
    "cg": mujoco.mjtSolver.mjSOL_CG,
    "pgs": mujoco.mjtSolver.mjSOL_PGS,
}
JOINTS = {
    "slide": mujoco.mjtJoint.mjJNT_SLIDE,
    "turn": mujoco.mjtJoint.mjJNT_HINGE,
    "ball": mujoco.mjtJoint.mjJNT_BALL,
}
UNUSED = ("CONTACT", "MIDPHASE", "ISLAND", "LIMIT", "FRICTIONLOSS", "SPRING", "DAMPER", "ACTUATION", "SENSOR")
HARDEST = (0.9999, 0.9999, 0.001, 0.5, 2.0)  # solimp: constant impedance, then its default width, midpoint and power
EXACT_ITERATIONS = 10  # of Newton, which needs one where all constraints are equalities
PIN_HALF_WIDTH = 0.1  # m; distance of the two connects of a spatial pin from its centre


class MujocoModel(Peer):
    """A machine in MuJoCo. `solver` is newton, cg or pgs; `jacobian` dense or sparse."""

    name = "MuJoCo"

    def __init__(
        self,
        tree: Tree,
        *,
        solver: str = "newton",
        jacobian: str = "dense",
        iterations: int = 100,
        tolerance: float = 1e-8,
        time_constant: float = 0.02,
    ) -> None:
        super().__init__(tree)
        self.model = _compile(tree, time_constant)
        option = self.model.opt
        option.solver = SOLVERS[solver]
        option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE if jacobian == "sparse" else mujoco.mjtJacobian.mjJAC_DENSE
        option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        option.iterations = iterations
        option.tolerance = tolerance
        self.data = mujoco.MjData(self.model)
        self.exact_model = copy.copy(self.model)
        self.exact_model.opt.solver = SOLVERS["newton"]
        self.exact_model.opt.iterations, self.exact_model.opt.tolerance = EXACT_ITERATIONS, 0.0
        self.exact_data = mujoco.MjData(self.exact_model)
        self.ends_a = [i for i in range(self.model.nsite) if self.model.site(i).name.endswith(".a")]
        self.ends_b = [self.model.site(self.model.site(i).name[:-1] + "b").id for i in self.ends_a]
        self.setting = (
            f"{solver}, {jacobian}, at most {iterations} iteration(s), tolerance {tolerance:g}, warm start, "
            "contacts off, connect with solimp 0.9999, mj_step with RK4 in C"
        )

    def to_peer(self, q: Array, v: Array) -> tuple[Array, Array]:
        q_peer = np.empty(self.model.nq)
        for node in self.tree.nodes:
            ours, theirs = q[self.tree.columns[node.joint.name][0]], self._their_q(node)
            if _is_floating(node):
                frame = node.pose_PF
                place, R = frame.p + frame.R @ ours[:3], frame.R @ matrix_of(ours[3:])
                q_peer[theirs] = np.concatenate((place, quaternion_of(R)))
            else:
                q_peer[theirs] = ours
        return q_peer, self.velocity_map(q, v)[0] @ v

    def velocity_map(self, q: Array, v: Array) -> tuple[Array, Array]:
        T = np.zeros((self.model.nv, self.model.nv))
        for node in self.tree.nodes:
            ours, theirs = self.tree.columns[node.joint.name][1], self._their_v(node)
            T[theirs, ours] = 1.0
            if _is_floating(node):
                T[np.ix_(theirs[:3], ours[:3])] = node.pose_PF.R
        return T, np.zeros(self.model.nv)

    def set_native(self, q_peer: Array, v_peer: Array) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = q_peer
        self.data.qvel[:] = v_peer

    def native_mass_matrix(self) -> Array:
        mujoco.mj_forward(self.model, self.data)
        full = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, full)
        return full

    def native_bias(self) -> Array:
        mujoco.mj_forward(self.model, self.data)
        return np.array(self.data.qfrc_bias)

    def native_accelerations(self, effort_peer: Array) -> Array:
        self.data.qfrc_applied[:] = effort_peer
        mujoco.mj_forward(self.model, self.data)
        return np.array(self.data.qacc)

    def native_solution(self, *, exact: bool) -> Array:
        model, data = self.model, self.data
        if exact:
            # the same state solved apart, so that the warm start of the timed data stays as it is
            model, data = self.exact_model, self.exact_data
            data.qpos[:], data.qvel[:] = self.data.qpos, self.data.qvel
            data.qfrc_applied[:] = self.data.qfrc_applied
        mujoco.mj_forward(model, data)
        return np.array(data.qacc)

    def constraint_error(self) -> float:
        mujoco.mj_kinematics(self.model, self.data)
        gap = self.data.site_xpos[self.ends_a] - self.data.site_xpos[self.ends_b]
        return float(np.max(np.linalg.norm(gap, axis=1), initial=0.0))

    def evaluate(self, count: int) -> None:
        for _ in range(count):
            mujoco.mj_forward(self.model, self.data)

    def step(self, count: int, step: float) -> None:
        self.model.opt.timestep = step
        mujoco.mj_step(self.model, self.data, count)

    def _their_q(self, node: Node) -> Any:
        first = self.model.joint(f"{node.joint.name}.0").qposadr[0]
        return np.arange(first, first + len(self.tree.columns[node.joint.name][0]))

    def _their_v(self, node: Node) -> Any:
        first = self.model.joint(f"{node.joint.name}.0").dofadr[0]
        return np.arange(first, first + len(self.tree.columns[node.joint.name][1]))


def _is_floating(node: Node) -> bool:
    return node.joint.KIND == "free" and node.parent == GROUND


def _compile(tree: Tree, time_constant: float) -> Any:
    spec = mujoco.MjSpec()
    spec.option.gravity = tree.gravity
    spec.option.disableflags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{part}")) for part in UNUSED)
    bodies: list[Any] = []
    for node in tree.nodes:
        carrier = spec.worldbody if node.parent == GROUND else bodies[node.parent]
        body = carrier.add_body(name=node.joint.name, pos=node.pose_PF.p, quat=quaternion_of(node.pose_PF.R))
        moment = node.inertia.inertia
        body.explicitinertial = True
        body.mass = node.inertia.mass
        body.ipos = node.inertia.com
        body.fullinertia = [moment[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        _add_joints(body, node)
        bodies.append(body)
    for loop in tree.loops:
        _add_loop(spec, bodies, loop, time_constant)
    return spec.compile()


def _add_joints(body: Any, node: Node) -> None:
    if _is_floating(node):
        body.add_joint(name=f"{node.joint.name}.0", type=mujoco.mjtJoint.mjJNT_FREE)
        return
    for i, motion in enumerate(node.motions):
        body.add_joint(name=f"{node.joint.name}.{i}", type=JOINTS[motion.kind], axis=motion.axis)


def _add_loop(spec: Any, bodies: list[Any], loop: Loop, time_constant: float) -> None:
    kind, offsets = mujoco.mjtEq.mjEQ_CONNECT, [np.zeros(3)]
    if loop.joint.KIND == "fixed":
        kind = mujoco.mjtEq.mjEQ_WELD
    elif loop.joint.KIND == "revolute" and not loop.planar:
        offsets = [side * PIN_HALF_WIDTH * loop.axis for side in (-1.0, 1.0)]
    elif loop.joint.KIND not in ("revolute", "spherical"):
        raise PeerError(f"joint '{loop.joint.name}': MuJoCo cannot close a loop by a joint of kind '{loop.joint.KIND}'")
    for i, offset in enumerate(offsets):
        names = []
        for side, index, pose in (("a", loop.node_a, loop.pose_a), ("b", loop.node_b, loop.pose_b)):
            carrier = spec.worldbody if index == GROUND else bodies[index]
            names.append(f"{loop.joint.name}.{i}.{side}")
            carrier.add_site(name=names[-1], pos=pose.p + pose.R @ offset, quat=quaternion_of(pose.R))
        equality = spec.add_equality(type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, name1=names[0], name2=names[1])
        equality.solimp = HARDEST
        equality.solref = (time_constant, 1.0)
