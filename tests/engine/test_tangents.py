# SPDX-License-Identifier: BSD-3-Clause
"""Every block of the exact tangent, on its own, is that of central differences on random states.

    M, ∂(M a + bias)/∂v and ∂/∂q of inverse dynamics      mechanics/derivatives.py
    ∂(Aᵀ λ)/∂q of every row under a constant force        mechanics/row_slopes.py
    ∂w/∂q of the rows whose force has slopes              mechanics/row_slopes.py

What interface and oil add is checked as a whole in tests/engine/test_theta.py. The kernels run as plain Python, in a
process of their own with NUMBA_DISABLE_JIT=1.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.element_parts import use_parts
from engine.test_theta import MACHINES
from plain_python import answers_of

STATES = 3
STEP = 1e-3  # m or rad: differences of order 4 are then good to 1e-11 of curvatures of order 1


class Tangents:
    """One machine with random states, and its blocks both ways."""

    def __init__(self, name, seed):
        self.random = np.random.default_rng(seed)
        self.planned = kb.build(MACHINES[name](), coupling="unified")
        self.plan, self.work = self.planned.plan, self.planned.work
        nv = len(self.work.state.v)
        self.q, self.v, self.a = self.work.state.q.copy(), self.normal(nv), self.normal(nv)
        self.q = self.moved(0.3 * self.normal(nv))
        self.multiplier = self.normal(len(self.work.state.multiplier))

    def normal(self, count):
        return self.random.normal(size=count)

    def moved(self, u):
        """q ⊕ u."""
        from knuckleboom.mechanics import kinematics

        q = np.empty_like(self.q)
        kinematics.advance(self.plan.links.index, self.q, u, q)
        return q

    def differences(self, function):
        """∂function/∂q by central differences of order 4, a column for each velocity."""
        columns = []
        for j in range(len(self.v)):
            u = np.zeros(len(self.v))
            u[j] = STEP
            one, two = (function(self.moved(f * u)) - function(self.moved(-f * u)) for f in (1.0, 2.0))
            columns.append((8.0 * one - two) / (12.0 * STEP))
        return np.array(columns).T

    def move(self, q, v, a):
        """Poses, velocities and accelerations of all links, and all rows."""
        from knuckleboom.mechanics import dynamics, kinematics
        from knuckleboom.mechanics.rows import kinds

        plan, work = self.plan, self.work
        kinematics.poses(plan.links, q, work.motion)
        kinds.positions(plan.rows, q, work.motion, work.state.angle, work.rows)
        kinematics.velocities(plan.links, v, work.motion)
        kinematics.full_accelerations(plan.links.index, a, work.motion)
        kinds.velocities(plan.rows, v, work.motion, work.rows)
        dynamics.inertias(plan.links.inertia, work.motion)

    def effort(self, q, v, a):
        """M a + bias: inertia and gravity alone."""
        from knuckleboom.mechanics import dynamics

        self.move(q, v, a)
        self.work.motion.wrench[:] = 0.0
        dynamics.link_forces(self.plan.links.inertia, self.work.motion)
        dynamics.bias_only(self.plan.links.index, self.work.motion, self.work.system.bias)
        return self.work.system.bias.copy()

    def inertia(self, tau):
        """M + τ ∂/∂v + τ² ∂/∂q as we have it."""
        from knuckleboom.mechanics import derivatives

        self.move(self.q, self.v, self.a)
        J = np.zeros_like(self.work.newton.J)
        plan, work = self.plan, self.work
        derivatives.inverse_dynamics_slopes(
            plan.links, plan.system, plan.payload, plan.newton.pair_place, tau, tau, work.payload, work.motion,
            work.newton, J,
        )  # fmt: skip
        return self.mechanics(J)

    def mechanics(self, J):
        """The block of the velocities in Newton's matrix."""
        size, n = len(self.work.newton.rhs), len(self.v)
        return J.reshape(size, size)[:n, :n]

    def pushes(self, q):
        """Σ Aᵀ λ of all rows that have a wrench, with constant λ."""
        self.move(q, self.v, self.a)
        paths, S, W = self.plan.newton, self.work.motion.S, self.work.rows.W
        total = np.zeros(len(self.v))
        for r, force in enumerate(self.forces):
            for e in range(paths.path_first[r], paths.path_first[r + 1]):
                j = paths.path_dof[e]
                total[j] += force * paths.path_sign[e] * (S[j] @ W[r])
        return total

    def rates(self, q):
        """w of the rows with slopes."""
        self.move(q, self.v, self.a)
        return self.work.rows.w[self.plan.tangent.row].copy()

    def blocks(self):
        """Name of each block: ours and the differences."""
        from knuckleboom.mechanics import row_slopes

        plan, work, n = self.plan, self.work, len(self.v)
        mass, plus, minus = self.inertia(0.0), self.inertia(1.0), self.inertia(-1.0)
        eye = np.eye(n)
        zero = self.effort(self.q, self.v, np.zeros(n))
        found = {"M": (mass, np.array([self.effort(self.q, self.v, row) - zero for row in eye]).T)}
        # quadratic in v: central differences are exact
        by_v = [0.5 * (self.effort(self.q, self.v + e, self.a) - self.effort(self.q, self.v - e, self.a)) for e in eye]
        found["by v"] = (0.5 * (plus - minus), np.array(by_v).T)
        found["by q"] = (
            0.5 * (plus + minus) - mass,
            self.differences(lambda q: self.effort(q, self.v, self.a)),
        )

        # loop rows with their multipliers, the others with minus their force
        self.forces = np.concatenate([self.multiplier, self.normal(len(work.rows.s) - len(self.multiplier))])
        self.move(self.q, self.v, self.a)
        work.rows.force[:] = -self.forces
        J = np.zeros_like(work.newton.J)
        row_slopes.geometric_stiffness(plan.rows, plan.newton, 1.0, self.multiplier, work.motion, work.rows, J)
        found["rows by q"] = (self.mechanics(J), self.differences(self.pushes))

        self.move(self.q, self.v, self.a)
        turn = work.tangent.row_turn
        row_slopes.rate_slopes(plan.rows, plan.newton, plan.tangent, self.v, work.motion, work.rows, turn)
        ours = np.zeros((len(plan.tangent.row), n))
        for k in range(len(ours)):
            for e in range(plan.tangent.path_first[k], plan.tangent.path_first[k + 1]):
                ours[k, plan.tangent.path_dof[e]] += turn[e]
        if len(ours):
            found["rates by q"] = (ours, self.differences(self.rates))
        return {name: (one.tolist(), other.tolist()) for name, (one, other) in found.items()}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.parametrize("name", MACHINES)
def test_every_block_is_that_of_differences(plain, name):
    for state, blocks in enumerate(plain[name]):
        assert {"M", "by v", "by q", "rows by q"} <= set(blocks)
        for block, (ours, wanted) in blocks.items():
            error = np.abs(np.array(ours) - wanted).max() / max(np.abs(wanted).max(), 1e-3)
            assert error < 1e-9, (state, block)


if __name__ == "__main__":
    use_parts()
    print(json.dumps({name: [Tangents(name, seed).blocks() for seed in range(STATES)] for name in MACHINES}))
