# SPDX-License-Identifier: BSD-3-Clause
"""Pinocchio's model of a machine.

Joints are added depth first: otherwise `constraintDynamics` silently returns accelerations that break the loops. A pin
that closes a loop is a 3-D point contact (3 rows; in a planar loop one of them is redundant and is left to the proximal
iterations); a spatial pin is two points on its axis; a rigid closure is a 6-D contact.

    free        their v is the velocity of M in the axes of M, ours in the axes of F: T = R_FMᵀ, Ṫv = −ω × R_FMᵀ v
    quaternion  theirs is stored x y z w
    ±x, ±y, ±z  the aligned joint is used, with a sign, since it is their fastest
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from knuckleboom.bench.peers.peer import Peer
from knuckleboom.bench.peers.tree import Array, Loop, Motion, Node, PeerError, Pose, Tree, matrix_of

ALIGNED = {
    "turn": (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ),
    "slide": (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ),
}
UNALIGNED = {"turn": pin.JointModelRevoluteUnaligned, "slide": pin.JointModelPrismaticUnaligned}
EXACT_ITERATIONS = 10  # proximal; each gains about seven digits at mu 1e-8
PIN_HALF_WIDTH = 0.1  # m; distance of the two contact points of a spatial pin from its centre
XYZW = np.array([1, 2, 3, 0])  # order of our w x y z in their quaternion


class PinocchioModel(Peer):
    """A machine in Pinocchio. `algorithm` is "constraintDynamics" or "lcaba"."""

    name = "Pinocchio"

    def __init__(
        self,
        tree: Tree,
        *,
        algorithm: str = "constraintDynamics",
        mu: float = 1e-8,
        accuracy: float = 1e-12,
        iterations: int = 20,
    ) -> None:
        super().__init__(tree)
        self.model = pin.Model()
        self.model.gravity.linear = tree.gravity
        self.sign = np.ones(tree.nv)
        for i, node in enumerate(tree.nodes):
            joint, sign = _joint(node)
            index = self.model.addJoint(node.parent + 1, joint, _se3(node.pose_PF), node.joint.name)
            inertia = pin.Inertia(node.inertia.mass, node.inertia.com, node.inertia.inertia)
            self.model.appendBodyToJoint(index, inertia, pin.SE3.Identity())
            if index != i + 1:
                raise PeerError(f"joint '{node.joint.name}' did not keep its place in the depth-first order")
            self.sign[self._their_v(i)] = sign
        self.data = self.model.createData()
        self.constraints = pin.StdVec_RigidConstraintModel()
        for loop in tree.loops:
            for constraint in _constraints(self.model, loop):
                self.constraints.append(constraint)
        self.constraint_data = pin.StdVec_RigidConstraintData()
        for constraint in self.constraints:
            self.constraint_data.append(constraint.createData())
        self.proximal = pin.ProximalSettings(accuracy, mu, iterations)
        self.algorithm = algorithm
        if algorithm == "lcaba":
            pin.computeJointMinimalOrdering(self.model, self.data, self.constraints)
            self.forward = pin.lcaba
        else:
            pin.initConstraintDynamics(self.model, self.data, self.constraints, self.constraint_data)
            self.forward = pin.constraintDynamics
        self.setting = f"{algorithm}, depth-first joints, mu {mu:g}, RK4 loop of real calls from Python"
        self.q = pin.neutral(self.model)
        self.v = np.zeros(self.model.nv)
        self.effort = np.zeros(self.model.nv)

    def to_peer(self, q: Array, v: Array) -> tuple[Array, Array]:
        q_peer = pin.neutral(self.model)
        for i, node in enumerate(self.tree.nodes):
            ours, theirs = self.tree.columns[node.joint.name][0], self._their_q(i)
            count = len(ours)
            if node.motions[-1].kind == "ball":
                q_peer[theirs[: count - 4]] = q[ours[: count - 4]]
                q_peer[theirs[count - 4 :]] = q[ours[count - 4 :]][XYZW]
            else:
                q_peer[theirs] = self.sign[self._their_v(i)] * q[ours]
        return q_peer, self.velocity_map(q, v)[0] @ v

    def velocity_map(self, q: Array, v: Array) -> tuple[Array, Array]:
        T = np.zeros((self.model.nv, self.model.nv))
        T_dot_v = np.zeros(self.model.nv)
        for i, node in enumerate(self.tree.nodes):
            ours_q, ours = self.tree.columns[node.joint.name]
            theirs = self._their_v(i)
            T[theirs, ours] = self.sign[theirs]
            if node.joint.KIND == "free":
                R_FM = matrix_of(q[ours_q[3:]])
                T[np.ix_(theirs[:3], ours[:3])] = R_FM.T
                T_dot_v[theirs[:3]] = -np.cross(v[ours[3:]], R_FM.T @ v[ours[:3]])
        return T, T_dot_v

    def set_native(self, q_peer: Array, v_peer: Array) -> None:
        self.q, self.v = q_peer, v_peer

    def native_mass_matrix(self) -> Array:
        upper = pin.crba(self.model, self.data, self.q)
        return np.asarray(np.triu(upper) + np.triu(upper, 1).T)

    def native_bias(self) -> Array:
        return np.array(pin.nonLinearEffects(self.model, self.data, self.q, self.v))

    def native_accelerations(self, effort_peer: Array) -> Array:
        self.effort = effort_peer
        return np.array(self._forward(self.q, self.v))

    def native_solution(self, *, exact: bool) -> Array:
        timed = self.proximal
        if exact:
            self.proximal = pin.ProximalSettings(0.0, timed.mu, EXACT_ITERATIONS)
        solution = np.array(self._forward(self.q, self.v))
        self.proximal = timed
        return solution

    def loop_jacobian(self) -> Array:
        """Rows of all loop constraints at the present state, in our velocities."""
        pin.computeJointJacobians(self.model, self.data, self.q)
        for constraint, data in zip(self.constraints, self.constraint_data, strict=True):
            constraint.calc(self.model, self.data, data)
        rows = pin.getConstraintsJacobian(self.model, self.data, self.constraints, self.constraint_data)
        return np.asarray(rows @ self.T)

    def constraint_error(self) -> float:
        pin.forwardKinematics(self.model, self.data, self.q)
        gaps = [0.0]
        for constraint in self.constraints:
            ends = [
                (self.data.oMi[joint] * placement).translation
                for joint, placement in (
                    (constraint.joint1_id, constraint.joint1_placement),
                    (constraint.joint2_id, constraint.joint2_placement),
                )
            ]
            gaps.append(float(np.linalg.norm(ends[1] - ends[0])))
        return max(gaps)

    def evaluate(self, count: int) -> None:
        for _ in range(count):
            self._forward(self.q, self.v)

    def step(self, count: int, step: float) -> None:
        model, integrate, forward, half = self.model, pin.integrate, self._forward, 0.5 * step
        q, v = self.q, self.v
        for _ in range(count):
            a1 = forward(q, v)
            v2 = v + half * a1
            a2 = forward(integrate(model, q, half * v), v2)
            v3 = v + half * a2
            a3 = forward(integrate(model, q, half * v2), v3)
            v4 = v + step * a3
            a4 = forward(integrate(model, q, step * v3), v4)
            q = integrate(model, q, (step / 6.0) * (v + 2.0 * (v2 + v3) + v4))
            v = v + (step / 6.0) * (a1 + 2.0 * (a2 + a3) + a4)
        self.q, self.v = q, v

    def _forward(self, q: Array, v: Array) -> Any:
        return self.forward(
            self.model, self.data, q, v, self.effort, self.constraints, self.constraint_data, self.proximal
        )

    def _their_q(self, node: int) -> Any:
        first, count = self.model.idx_qs[node + 1], self.model.nqs[node + 1]
        return np.arange(first, first + count)

    def _their_v(self, node: int) -> Any:
        first, count = self.model.idx_vs[node + 1], self.model.nvs[node + 1]
        return np.arange(first, first + count)


def _se3(pose: Pose) -> Any:
    return pin.SE3(pose.R, pose.p)


def _joint(node: Node) -> tuple[Any, Array | float]:
    """Their joint model, and the sign of their coordinates against ours."""
    if node.joint.KIND == "free":
        return pin.JointModelFreeFlyer(), 1.0
    if node.joint.KIND == "spherical":
        return pin.JointModelSpherical(), 1.0
    if node.joint.KIND == "universal":
        return pin.JointModelUniversal(node.motions[0].axis, node.motions[1].axis), 1.0
    singles = [_single(motion) for motion in node.motions]
    if len(singles) == 1:
        return singles[0]
    composite = pin.JointModelComposite(singles[0][0])
    for single, _ in singles[1:]:
        composite.addJoint(single)
    return composite, np.array([sign for _, sign in singles])


def _single(motion: Motion) -> tuple[Any, float]:
    for direction in range(3):
        if abs(motion.axis[direction]) == 1.0:
            return ALIGNED[motion.kind][direction](), float(motion.axis[direction])
    return UNALIGNED[motion.kind](motion.axis), 1.0


def _constraints(model: Any, loop: Loop) -> list[Any]:
    def contact(kind: Any, at: Array) -> Any:
        offset = Pose(np.eye(3), at)
        return pin.RigidConstraintModel(
            kind,
            model,
            loop.node_a + 1,
            _se3(loop.pose_a @ offset),
            loop.node_b + 1,
            _se3(loop.pose_b @ offset),
            pin.ReferenceFrame.LOCAL,
        )

    point, frame = pin.ContactType.CONTACT_3D, pin.ContactType.CONTACT_6D
    if loop.joint.KIND == "spherical" or loop.planar:
        return [contact(point, np.zeros(3))]
    if loop.joint.KIND == "revolute":
        return [contact(point, side * PIN_HALF_WIDTH * loop.axis) for side in (-1.0, 1.0)]
    if loop.joint.KIND == "fixed":
        return [contact(frame, np.zeros(3))]
    raise PeerError(f"joint '{loop.joint.name}': Pinocchio cannot close a loop by a joint of kind '{loop.joint.KIND}'")
