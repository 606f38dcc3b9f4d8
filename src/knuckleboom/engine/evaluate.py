# SPDX-License-Identifier: BSD-3-Clause
"""One evaluation of the whole machine: from state (q, v, x) and inputs u to the rates v̇, ẋ and all powers.

Each stage gets the tables of its family and what it reads and writes: mechanics cannot see oil, nor oil a joint.
"""

from knuckleboom.hydraulics import network
from knuckleboom.interface import forces
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics import accelerations, dynamics, kinematics, natural, rows, stiffening
from knuckleboom.solvers.vectors import fill

ALL, SYSTEM, FORCES = 0, 1, 2


@kernel
def place_all(plan, work):
    """Where everything is, how fast links move, and Φ_q of the loops. Writes work."""
    kinematics.poses(plan.links, work.state.q, work.motion)
    rows.positions(plan.rows, work.state.q, work.motion, work.state.angle, work.rows)
    rows.follow_positions(plan.rows, work.rows)
    kinematics.velocities(plan.links, work.state.v, work.motion)
    accelerations.loop_jacobian(plan.rows, plan.system, work.motion.S, work.rows.W, work.system.phi)
    if plan.natural.row.shape[0] > 0:
        natural.jacobian(plan.natural, plan.system, work.state.q, work.system.phi)


@kernel
def move_oil(plan, work):
    """From the rows' values and rates to flows and ẋ: who pushes oil where. Return a status. Writes work."""
    x, u = work.state.x, work.state.u
    forces.volumes(plan.forces, plan.oil.node_number, work.rows, work.oil)
    forces.bristle_rates(plan.forces, x, work.rows.w, work.oil.x_dot)
    network.pressures(plan.oil, u, x, work.oil)
    network.openings(plan.oil, u, x, work.oil.opening, work.oil.opening_slope)
    network.flows(plan.oil, work.oil)
    return network.rates(plan.oil, u, x, work.oil, work.state.fault)


@kernel
def push_all(plan, work):
    """From the rows' rates to oil and forces. Return a status. Writes work."""
    rows.follow_velocities(plan.rows, work.rows)
    status = move_oil(plan, work)
    if status != OK:
        return status

    # force: what pushes on the mechanism, and all powers
    forces.forces(plan.forces, work.state.u, work.state.x, work.oil, work.rows, work.oil.power)
    network.powers(plan.oil, work.state.x, work.oil, work.oil.power)
    rows.apply_forces(plan.rows, work.rows, work.motion.wrench, work.system.effort)
    return OK


@kernel
def evaluate(plan, work, a, goal):
    """Fill Work from the state, as far as the goal asks for. Return a status. Writes work.

    SYSTEM stops at the linear system for the accelerations, which then stands in L. FORCES is inverse dynamics, without
    a mass matrix: what the accelerations a lack to balance, effort − bias, and γ of the loops.
    """
    inverse, whole = goal == FORCES, plan.natural.mass.shape[0] > 0
    place_all(plan, work)
    if inverse:
        kinematics.full_accelerations(plan.links.index, a, work.motion)
    rows.velocities(plan.rows, work.state.v, work.motion, work.rows)
    if inverse:
        rows.accelerate_gears(plan.rows, a, work.rows.bias)
    if plan.natural.row.shape[0] > 0:
        natural.rates(plan.natural, plan.system, work.system.phi, work.state.v, work.rows)
        if inverse:
            natural.apply(plan.natural, plan.system, work.system.phi, a, work.rows.bias)
    status = push_all(plan, work)
    if status != OK:
        return status

    # inertia: mass matrix, bias forces, loops
    if not whole:
        dynamics.inertias(plan.links.inertia, work.motion)
        dynamics.link_forces(plan.links.inertia, work.motion)
    if inverse or whole:
        dynamics.bias_only(plan.links.index, work.motion, work.system.bias)
    if whole:
        natural.add_weight(plan.natural, work.system.bias)
    if inverse:
        if whole:
            natural.add_inertia(plan.natural, plan.system, a, work.system.bias)
        accelerations.loop_rates(plan.system, work.rows, work.system.gamma)
        return OK
    fill(0.0, work.system.L)
    if whole:
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
    if goal == SYSTEM:
        return OK

    # acceleration, and what drivers do to get it
    status = accelerations.accelerations(plan.system, plan.stiffened, work.system, work.state.fault)
    rows.driver_powers(plan.rows, work.rows, work.system.multiplier, work.oil.power)
    return status
