# SPDX-License-Identifier: BSD-3-Clause
"""Exudyn's model of a machine: redundant coordinates, one rigid body per node, joints as constraints.

Revolute and prismatic joints are JointRevoluteZ and JointPrismaticX with their frames turned to fit; a pin that closes
a planar loop constrains its two in-plane displacements only, so that no row is redundant. A step is one implicit step
with a modified Newton iteration: Exudyn's explicit integrators do not take joint constraints. Efforts act as loads on
both sides of their joint. The model is built in the state it shall start from, and every `step` starts there again.
"""

from __future__ import annotations

from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as items
from exudyn.rigidBodyUtilities import RigidBodyInertia

from knuckleboom.bench.peers.tree import GROUND, IDENTITY, Array, Loop, Node, PeerError, Pose, Tree, turned

NODES = {
    "Euler parameters": exudyn.NodeType.RotationEulerParameters,
    "rotation vectors": exudyn.NodeType.RotationRotationVector,
    "Tait-Bryan angles": exudyn.NodeType.RotationRxyz,
}
SOLVERS = {
    "trapezoidal rule of index 2": exudyn.DynamicSolverType.TrapezoidalIndex2,
    "generalised-alpha": exudyn.DynamicSolverType.GeneralizedAlpha,
}
NEWTON_TOLERANCE = 1e-6  # relative to the first residual; the closing pins then stay within 1e-8 m


class ExudynModel:
    """A machine in Exudyn, built in a given state and under given efforts (ours)."""

    name = "Exudyn"

    def __init__(
        self, tree: Tree, q: Array, v: Array, effort: Array, *,
        nodes: str = "Euler parameters", solver: str = "trapezoidal rule of index 2", sparse: bool = True,
    ) -> None:  # fmt: skip
        self.tree = tree
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        self.ground = self.system.AddObject(items.ObjectGround())
        self.bodies: list[Any] = []
        for node, (pose, twist) in zip(tree.nodes, tree.movements(q, v), strict=True):
            own = node.inertia
            body = self.system.CreateRigidBody(
                referencePosition=pose.p, referenceRotationMatrix=pose.R,
                initialVelocity=twist.velocity, initialAngularVelocity=twist.spin,
                inertia=RigidBodyInertia(own.mass, inertiaTensor=own.inertia, com=own.com, inertiaTensorAtCOM=True),
                gravity=tree.gravity, nodeType=NODES[nodes],
            )  # fmt: skip
            self.bodies.append(body)
        for index, node in enumerate(tree.nodes):
            self._join(index, node, effort[tree.columns[node.joint.name][1]])
        self.ends = [self._close(loop) for loop in tree.loops]
        self.system.Assemble()
        self.settings = _settings(SOLVERS[solver], sparse)
        matrix = "sparse" if sparse else "dense"
        self.setting = f"redundant coordinates, {nodes}, {solver}, modified Newton, {matrix} matrix, steps in C++"

    def step(self, count: int, step: float) -> None:
        """Advance `count` steps of `step` seconds from the state the model was built in."""
        self.settings.timeIntegration.numberOfSteps = count
        self.settings.timeIntegration.endTime = count * step
        if not self.system.SolveDynamic(self.settings, updateInitialValues=False, storeSolver=True):
            raise PeerError("Exudyn did not converge")

    def constraint_error(self) -> float:
        """Largest distance, m, between the two ends of a closing pin after the last step."""
        gaps = [self._position(a) - self._position(b) for a, b in self.ends]
        return max((float(np.linalg.norm(gap)) for gap in gaps), default=0.0)

    def closing_points(self) -> list[Array]:
        """Where the first end of every closing pin is after the last step, in the world."""
        return [self._position(a) for a, _ in self.ends]

    def _position(self, marker: Any) -> Array:
        return np.array(self.system.GetMarkerOutput(marker, exudyn.OutputVariableType.Position))

    def _marker(self, node: int, pose: Pose) -> Any:
        body = self.ground if node == GROUND else self.bodies[node]
        frame: Any = exudyn.HT
        marker = items.MarkerBodyRigid(bodyNumber=body, localHT=frame(rotation=pose.R, translation=pose.p))
        return self.system.AddMarker(marker)

    def _join(self, index: int, node: Node, effort: Array) -> None:
        if node.joint.KIND == "free":
            # force in F's axes, torque in body axes, as our efforts are
            marker = self._marker(index, IDENTITY)
            self._load(items.LoadForceVector, marker, node.pose_PF.R @ effort[:3], fixed=False)
            self._load(items.LoadTorqueVector, marker, effort[3:], fixed=True)
            return
        if node.joint.KIND not in ("revolute", "prismatic"):
            raise PeerError(f"joint '{node.joint.name}': this Exudyn model has no joint of kind '{node.joint.KIND}'")
        turns = node.joint.KIND == "revolute"
        kind = items.ObjectJointRevoluteZ if turns else items.ObjectJointPrismaticX
        load = items.LoadTorqueVector if turns else items.LoadForceVector
        along = 2 if turns else 0
        fit = Pose(_fit(node.motions[0].axis, along), np.zeros(3))
        a, b = self._marker(node.parent, node.pose_PF @ fit), self._marker(index, fit)
        self.system.AddObject(kind(markerNumbers=[a, b]))
        # body-fixed loads are in the marker's axes
        push = effort[0] * np.eye(3)[along]
        self._load(load, b, push, fixed=True)
        if node.parent != GROUND:
            self._load(load, a, -push, fixed=True)

    def _load(self, kind: Any, marker: Any, vector: Array, *, fixed: bool) -> None:
        if np.any(vector):
            self.system.AddLoad(kind(markerNumber=marker, loadVector=vector, bodyFixed=fixed))

    def _close(self, loop: Loop) -> tuple[Any, Any]:
        if not loop.planar:
            raise PeerError(f"joint '{loop.joint.name}': this Exudyn model closes planar loops only")
        fit = Pose(_fit(loop.axis, along=2), np.zeros(3))
        a, b = self._marker(loop.node_a, loop.pose_a @ fit), self._marker(loop.node_b, loop.pose_b @ fit)
        self.system.AddObject(items.ObjectJointGeneric(markerNumbers=[a, b], constrainedAxes=[1, 1, 0, 0, 0, 0]))
        return a, b


def _fit(axis: Array, along: int) -> Array:
    """A rotation whose column `along` is the axis."""
    source = np.eye(3)[along]
    normal = np.cross(source, axis)
    size = float(np.linalg.norm(normal))
    if size == 0.0:
        # parallel: nothing to turn, or half a turn about any other axis
        return np.eye(3) if source @ axis > 0.0 else turned(np.eye(3)[(along + 1) % 3], np.pi)
    return turned(normal / size, float(np.arctan2(size, source @ axis)))


def _settings(solver: Any, sparse: bool) -> Any:
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.solverType = solver
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.adaptiveStep = False
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = NEWTON_TOLERANCE
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    kinds = exudyn.LinearSolverType
    settings.linearSolver.solverType = kinds.EigenSparse if sparse else kinds.EXUdense
    settings.linearSolver.reuseAnalyzedPattern = sparse
    settings.parallel.numberOfThreads = 1
    return settings
