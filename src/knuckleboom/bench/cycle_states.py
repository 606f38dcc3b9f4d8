# SPDX-License-Identifier: BSD-3-Clause
"""States of a machine along its work cycle, in joint coordinates and in those of its bodies.

A method that cannot run a cycle by itself, as RK4 in the published steps with stiff oil, is measured from these: they
are kept while another method runs, and put back before every step. Oil has the same states in all coordinates. A body
has the pose and the velocities that the joints before it give it, by the sweep of a plan in joint coordinates:

    p_WB = p_WO + p_OL + R_WL p_LB,   ṗ_WB = v_O + ω × (p_WB − p_WO),   ω̄ = R_WBᵀ ω          (link L, common point O)

`body_accelerations` are differences of these velocities along the motion: they share nothing with the equations of
bodies on their own but the mapping, and so tell whether two plans hold the same state and forces.
Tested in tests/bench/test_cycle_states.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.engine.run import advance_once
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.body import Body
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.rows.description import continued
from knuckleboom.plan import Planned, build
from knuckleboom.plan.reference_point import POSE

Array = NDArray[np.float64]

MOMENT = 1e-6  # s: of differences; rounding and curvature then stay below 1e-8 of the accelerations


class CycleStates:
    """States at the beginning of so many steps; filled by `keep` while a plan in joint coordinates runs."""

    def __init__(self, machine: Machine, steps: int) -> None:
        self.relative = build(machine)
        state = self.relative.work.state
        self.q, self.v, self.x = (np.empty((steps, len(one))) for one in (state.q, state.v, state.x))

    def keep(self, planned: Planned) -> Callable[[int], None]:
        """What keeps the state of a plan as that of a step."""
        state = planned.work.state

        def kept(k: int) -> None:
            self.q[k], self.v[k], self.x[k] = state.q, state.v, state.x

        return kept

    def put(self, planned: Planned) -> Callable[[int], None]:
        """What puts the state of a step into a plan, in its own coordinates."""
        state = planned.work.state
        if planned.method.coordinates == "relative":
            q, v, columns = self.q, self.v, np.zeros((0, 2), np.intp)
        else:
            q, v = self.on_bodies(planned)
            columns = angle_columns(self.relative, planned)

        def put(k: int) -> None:
            state.q[:], state.v[:], state.x[:] = q[k], v[k], self.x[k]
            state.angle[columns[:, 0]] = self.q[k, columns[:, 1]]

        return put

    def on_bodies(self, planned: Planned) -> tuple[Array, Array]:
        """All states as coordinates and velocities of a plan whose bodies are on their own."""
        steps, machine = len(self.q), self.relative.machine
        q, v = np.empty((steps, len(planned.work.state.q))), np.empty((steps, len(planned.work.state.v)))
        columns = [planned.joint_columns(body.name + POSE) for body in machine.of(Body)]
        place, speed = np.array([one for one, _ in columns]), np.array([one for _, one in columns])
        for k in range(steps):
            q[k, place], v[k, speed] = self.bodies_at(self.q[k], self.v[k])
        return q, v

    def bodies_at(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Positions and quaternions, velocities and ω̄ of all bodies: seven and six columns."""
        from scipy.spatial.transform import Rotation

        relative = self.relative
        relative.set_state(q, v)
        relative.bias()  # fills where every link is and how fast it moves
        motion, frames = relative.work.motion, [relative.topology.bodies[one.name] for one in relative.machine.of(Body)]
        links = [frame.link for frame in frames]
        R_WL, V = motion.R_WL[links].reshape(-1, 3, 3), motion.V_WL[links]
        arm = motion.p_OL[links] + (R_WL @ np.array([frame.p for frame in frames])[:, :, None])[:, :, 0]
        R_WB = R_WL @ np.array([frame.R for frame in frames])
        quaternions = np.roll(Rotation.from_matrix(R_WB).as_quat(), 1, axis=1)  # SciPy has w last
        local = np.einsum("bij,bi->bj", R_WB, V[:, :3])
        place = np.hstack([motion.p_WO + arm, quaternions])
        return place, np.hstack([V[:, 3:] + np.cross(V[:, :3], arm), local])

    def body_accelerations(self, planned: Planned, k: int) -> Array:
        """p̈_WB and ω̄̇ of all bodies at a step, by the accelerations of a plan in joint coordinates."""
        self.put(planned)(k)
        a = planned.accelerations()
        speeds: list[Any] = []
        for side in (-1.0, 1.0):
            q = self.q[k].copy()
            advance_once(planned.plan.links.index, self.q[k], side * MOMENT * self.v[k], q)
            speeds.append(self.bodies_at(q, self.v[k] + side * MOMENT * a)[1])
        return np.asarray((speeds[1] - speeds[0]) / (2.0 * MOMENT))


def angle_columns(relative: Planned, planned: Planned) -> NDArray[np.intp]:
    """Angles of rows that are the coordinate of a joint in the tree: their place among the angles, and that in q."""
    found: list[tuple[int, int]] = []
    for number, row in enumerate(continued(planned.layout.rows)):
        joint, tree = relative.machine.parts[row.joint], relative.topology.tree.get(row.joint)
        assert isinstance(joint, Joint)
        if tree is not None:
            found.append((number, tree.q[[label for label, _ in joint.COORDINATES].index(row.label)]))
    return np.array(found, np.intp).reshape(-1, 2)
