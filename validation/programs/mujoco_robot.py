# SPDX-License-Identifier: BSD-3-Clause
"""A robot's file in MuJoCo, with its loops held exactly.

MuJoCo reads the file itself and computes M, the bias, the passive forces, J and J̇v. Its own solver holds loops softly
(accelerations agree to about 1e-4 at its hardest), so the last step is done here: M v̇ + bias = f + Jᵀλ, J v̇ = −J̇v.
Contacts, limits and dry friction are off; dry friction is applied as −loss·sign(v), which is right at speeds that are
not small.
"""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

OFF = ("CONTACT", "LIMIT", "FRICTIONLOSS", "ACTUATION", "SENSOR", "ISLAND")
HARDEST = (0.9999, 0.9999, 0.001, 0.5, 2.0)  # solimp: constant impedance, then its default width, midpoint and power
SITE = int(mujoco.mjtObj.mjOBJ_SITE)
CONNECT, WELD, JOINT = (int(getattr(mujoco.mjtEq, f"mjEQ_{word}")) for word in ("CONNECT", "WELD", "JOINT"))


class MujocoRobot:
    """One file; `q` and `v` are MuJoCo's qpos and qvel."""

    def __init__(self, path: Path, lightest: float = 0.0) -> None:
        spec = mujoco.MjSpec.from_file(str(path))
        # MuJoCo refuses moving bodies without mass; this is how it lets them be
        spec.compiler.boundmass = spec.compiler.boundinertia = lightest
        spec.option.disableflags |= sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{part}")) for part in OFF)
        for equality in spec.equalities:
            equality.solimp = HARDEST
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.loops = [number for number in range(self.model.neq) if self.model.eq_active0[number]]

    def forward(self, q: Array, v: Array, effort: Array | None = None) -> None:
        """Let MuJoCo compute everything at a state."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = q, v
        self.data.qfrc_applied[:] = -self.model.dof_frictionloss * np.sign(v)
        if effort is not None:
            self.data.qfrc_applied += effort
        mujoco.mj_forward(self.model, self.data)

    def random_state(self, random: np.random.Generator, reach: float) -> tuple[Array, Array]:
        """A state within `reach` (rad or m) of the model's own pose, loops closed, speeds along them."""
        q, v = np.array(self.model.qpos0), random.uniform(0.4, 1.5, size=self.model.nv)
        v *= random.choice((-1.0, 1.0), size=self.model.nv)
        mujoco.mj_integratePos(self.model, q, random.uniform(-reach, reach, size=self.model.nv), 1.0)
        for _ in range(50):
            self.forward(q, v)
            gap, J, _ = self.constraints()
            if np.max(np.abs(gap), initial=0.0) < 1e-14:
                break
            mujoco.mj_integratePos(self.model, q, np.linalg.lstsq(J, -gap, rcond=1e-10)[0], 1.0)
        assert np.max(np.abs(gap), initial=0.0) < 1e-12
        # speeds change only where a loop asks for it
        return q, v - np.linalg.lstsq(J, J @ v, rcond=1e-10)[0] if len(J) else v

    def accelerations(self, q: Array, v: Array, effort: Array) -> Array:
        """v̇ with loops held exactly."""
        self.forward(q, v, effort)
        model, data = self.model, self.data
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        force = data.qfrc_applied + data.qfrc_passive - data.qfrc_bias
        _, J, J_dot_v = self.constraints()
        free = np.linalg.solve(M, force)
        if not len(J):
            return free
        spread = np.linalg.solve(M, J.T)
        # least squares: a planar loop that is closed by a ball has an equation too many
        return free + spread @ np.linalg.lstsq(J @ spread, -J_dot_v - J @ free, rcond=1e-10)[0]

    def soft_accelerations(self, q: Array, v: Array, effort: Array) -> Array:
        """v̇ as MuJoCo itself has it, loops softly held."""
        self.forward(q, v, effort)
        return np.array(self.data.qacc)

    def constraints(self) -> tuple[Array, Array, Array]:
        """Value, J and J̇v of all active equalities at the state of the last `forward`."""
        rows = [self._point_rows(number) if self.model.eq_type[number] != JOINT else self._gear_row(number)
                for number in self.loops]  # fmt: skip
        nv = self.model.nv
        gaps, Js, biases = zip(*rows, strict=True) if rows else ([], [], [])
        return np.concatenate([[], *gaps]), np.concatenate([np.zeros((0, nv)), *Js]), np.concatenate([[], *biases])

    def _gear_row(self, number: int) -> tuple[Array, Array, Array]:
        model, data = self.model, self.data
        b, a = model.eq_obj1id[number], model.eq_obj2id[number]
        offset, ratio = model.eq_data[number, 0], model.eq_data[number, 1]
        qa, qb = (data.qpos[model.jnt_qposadr[j]] - model.qpos0[model.jnt_qposadr[j]] for j in (a, b))
        J = np.zeros((1, model.nv))
        J[0, model.jnt_dofadr[b]], J[0, model.jnt_dofadr[a]] = 1.0, -ratio
        return np.array([qb - offset - ratio * qa]), J, np.zeros(1)

    def _point_rows(self, number: int) -> tuple[Array, Array, Array]:
        """Two points held together; for a weld also two orientations."""
        model, data = self.model, self.data
        values = model.eq_data[number]
        ends = []
        for side, owner in enumerate((model.eq_obj1id[number], model.eq_obj2id[number])):
            if model.eq_objtype[number] == SITE:
                body, point = int(model.site_bodyid[owner]), np.array(data.site_xpos[owner])
                turn = np.array(data.site_xmat[owner]).reshape(3, 3)
            else:
                first = side if model.eq_type[number] == CONNECT else 1 - side
                body, R = int(owner), np.array(data.xmat[owner]).reshape(3, 3)
                point, turn = data.xpos[owner] + R @ values[3 * first : 3 * first + 3], R
                if model.eq_type[number] == WELD and side == 0:
                    relative = np.zeros(9)
                    mujoco.mju_quat2Mat(relative, values[6:10])
                    turn = R @ relative.reshape(3, 3)
            J, J_dot = np.zeros((2, 3, model.nv)), np.zeros((2, 3, model.nv))
            mujoco.mj_jac(model, data, J[0], J[1], point, body)
            mujoco.mj_jacDot(model, data, J_dot[0], J_dot[1], point, body)
            ends.append((point, turn, J, J_dot))
        (p1, R1, J1, D1), (p2, R2, J2, D2) = ends
        gap, parts = [p1 - p2], 1
        if model.eq_type[number] == WELD:
            E = R1 @ R2.T
            gap.append(0.5 * np.array([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]]))
            parts = 2
        J, J_dot = (J1 - J2)[:parts].reshape(-1, model.nv), (D1 - D2)[:parts].reshape(-1, model.nv)
        return np.concatenate(gap), J, J_dot @ data.qvel
