# SPDX-License-Identifier: BSD-3-Clause
"""Stages of an evaluation that mechanics offers: position, velocity, effort, inertia, acceleration.

Each takes Plan and Work whole, reads what earlier stages wrote, and writes the families motion, rows and system.
engine/evaluate.py puts the stages of all rooms in their order. GOALS say what an evaluation is for.
"""

from knuckleboom.kernels import shared_kernel
from knuckleboom.mechanics import accelerations, dynamics, kinematics, natural, payload, stiffening
from knuckleboom.mechanics.rows import driven, kinds
from knuckleboom.solvers.vectors import fill

ALL, SYSTEM, INVERSE = 0, 1, 2
"""Goals: accelerations; the linear system for them, which then stands in L; inverse dynamics, what the accelerations
system.a lack to balance (effort − bias, and γ of the loops), without a mass matrix."""


@shared_kernel
def position(plan, work):
    """Where links and rows are, and Φ_q of the loops. Writes work."""
    kinematics.poses(plan.links, work.state.q, work.motion)
    kinds.positions(plan.rows, work.state.q, work.motion, work.state.angle, work.rows)
    driven.follow_positions(plan.rows, work.rows)
    accelerations.loop_jacobian(plan.rows, plan.system, work.motion.S, work.rows.W, work.system.phi)
    if plan.natural.row.shape[0] > 0:
        natural.jacobian(plan.natural, plan.system, work.state.q, work.system.phi)


@shared_kernel
def velocity(plan, work, goal):
    """How fast links and rows move, and their accelerations: those without v̇, or with system.a. Writes work."""
    quadratic = plan.natural.row.shape[0] > 0
    kinematics.velocities(plan.links, work.state.v, work.motion)
    if goal == INVERSE:
        kinematics.full_accelerations(plan.links.index, work.system.a, work.motion)
    kinds.velocities(plan.rows, work.state.v, work.motion, work.rows)
    if goal == INVERSE:
        kinds.accelerate(plan.rows, work.system.a, work.rows.bias)
    if quadratic:
        natural.rates(plan.natural, plan.system, work.system.phi, work.state.v, work.rows)
    if quadratic and goal == INVERSE:
        natural.apply(plan.natural, plan.system, work.system.phi, work.system.a, work.rows.bias)
    driven.follow_velocities(plan.rows, work.rows)


@shared_kernel
def effort(plan, work):
    """What the forces λ of the rows do to links and coordinates. Writes work."""
    kinds.apply_forces(plan.rows, work.rows, work.motion.wrench, work.system.effort)


@shared_kernel
def inertia(plan, work, goal):
    """Bias forces, and the mass matrix with the loops in L unless accelerations are given. Writes work."""
    constant = plan.natural.mass.shape[0] > 0
    if not constant:
        dynamics.inertias(plan.links.inertia, work.motion)
        dynamics.link_forces(plan.links.inertia, work.motion)
        if plan.payload.index.shape[0] > 0:
            payload.carry(plan, work)
    if constant or goal == INVERSE:
        dynamics.bias_only(plan.links.index, work.motion, work.system.bias)
    if constant:
        natural.add_weight(plan.natural, work.system.bias)
    if goal == INVERSE:
        if constant:
            natural.add_inertia(plan.natural, plan.system, work.system.a, work.system.bias)
        accelerations.loop_rates(plan.system, work.rows, work.system.gamma)
        return
    fill(0.0, work.system.L)
    if constant:
        natural.put_mass(plan.natural, plan.system, work.system.L)
    else:
        dynamics.mass_and_bias(
            plan.links.index,
            plan.system.pair_first,
            plan.system.pair_turning,
            plan.system.pair_ancestor,
            plan.system.pair_address,
            work.motion,
            work.system.L,
            work.system.bias,
        )
    if plan.stiffened.row.shape[0] > 0:
        stiffening.add_to_mass(plan.stiffened, work.system.phi, work.system.L)
    accelerations.loop_system(plan.system, work.rows, work.system)


@shared_kernel
def acceleration(plan, work):
    """Solve for accelerations and multipliers; powers of the drivers. Return a status. Writes work."""
    status = accelerations.accelerations(plan.system, plan.stiffened, work.system, work.state.fault)
    driven.driver_powers(plan.rows, work.rows, work.system.multiplier, work.oil.power)
    return status
