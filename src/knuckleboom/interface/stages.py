# SPDX-License-Identifier: BSD-3-Clause
"""Stages of an evaluation that the interface offers: flow, force and contact. See mechanics/stages.py."""

from knuckleboom.interface import bounded_ground, bounded_limits, bounded_pairs, contact, forces, pairs, tire
from knuckleboom.kernels import kernel, shared_kernel


@shared_kernel
def flow(plan, work):
    """From the rows' values and rates to the volumes of chambers and the rates of elements' states. Writes work."""
    forces.volumes(plan.forces, plan.oil.node_number, work.state.u, work.state.x, work.rows, work.oil)
    forces.rates(plan.forces, work.state.u, work.state.x, work.state.z, work.rows, work.oil.x_dot)


@shared_kernel
def force(plan, work):
    """The forces λ of all rows with their slopes and powers. Writes work."""
    forces.forces(plan.forces, work.state.u, work.state.x, work.state.z, work.oil, work.rows, work.oil.power)
    if plan.touch.limit.shape[0] > 0:
        bounded_limits.hold(plan, work)


@kernel
def touch(plan, work):
    """Contacts and tires on the ground, then contact between bodies: forces and wrenches on the links, after those of
    the rows. Writes work.
    """
    if plan.touch.index.shape[0] > 0:
        if plan.touch.held[0] == 0:
            contact.act(plan, work)
        else:
            bounded_ground.hold(plan, work)
    if plan.tire.index.shape[0] > 0:
        tire.act(plan, work)
    if plan.pairs.index.shape[0] > 0:
        if plan.touch.held[0] == 0:
            pairs.act(plan, work)
        else:
            bounded_pairs.hold(plan, work)
