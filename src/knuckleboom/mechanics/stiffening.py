# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows added to the mass matrix, so that every velocity has a mass to be eliminated with. It changes nothing.

    (M + σ Φ_rᵀ Φ_r) v̇ + Φ_qᵀ λ = F + σ Φ_rᵀ γ_r,   Φ_q v̇ = γ

is solved by the v̇ and λ of the same equations without σ, as Φ_r v̇ = γ_r. Needed where M alone has a pivot that is not
positive, though the motion has a mass: a thin rod has no inertia about its own axis, which joints hold, and M of
natural coordinates means nothing in what the rows of a body forbid. Rows and σ are chosen in plan/stiffening.py; in
joint coordinates there are none. Validated by: tests/mechanics/test_stiffening.py
"""

from knuckleboom.kernels import kernel

FIRST, SECOND, ADDRESS = 0, 1, 2  # columns of plan_stiffened.square


@kernel
def add_to_mass(plan_stiffened, phi, L):
    """Add σ Φ_rᵀ Φ_r to M in L. Writes L."""
    square = plan_stiffened.square
    for n in range(square.shape[0]):
        L[square[n, ADDRESS]] += plan_stiffened.share[n] * phi[square[n, FIRST]] * phi[square[n, SECOND]]


@kernel
def add_to_tangent(plan_stiffened, place, phi, J):
    """The same in Newton's matrix, where the products stand at `place`. Writes J."""
    square = plan_stiffened.square
    for n in range(square.shape[0]):
        value = plan_stiffened.share[n] * phi[square[n, FIRST]] * phi[square[n, SECOND]]
        J[place[n, 0]] += value
        if place[n, 1] != place[n, 0]:
            J[place[n, 1]] += value


@kernel
def add_to_force(plan_stiffened, plan_system, phi, gamma, weight, force):
    """Add weight·σ Φ_rᵀ γ to the velocities' forces. Writes force."""
    for n in range(plan_stiffened.row.shape[0]):
        r = plan_stiffened.row[n]
        push = weight * plan_stiffened.sigma[n] * gamma[r]
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            force[plan_system.path_dof[e]] += push * phi[e]
