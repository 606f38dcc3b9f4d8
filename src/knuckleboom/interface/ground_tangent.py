# SPDX-License-Identifier: BSD-3-Clause
"""What touches the ground in the tangent of linearly implicit steps: contacts and tires, one K for each link.

Rows are written for their kind in contact_tangent.py and tire_tangent.py; link_sums.py has what they share. Screws and
slopes are those of the start of the step. Contacts with impulses (plan.touch.held) have none. Checked in
tests/engine/test_contact.py and test_tire.py
"""

from knuckleboom.apart import apart_kernel
from knuckleboom.interface import contact_tangent, link_sums, tire_tangent
from knuckleboom.solvers.vectors import copy, fill_rows


@apart_kernel
def add_to_mass(plan, tau, h, work, tangent):
    """Keep rows and slopes of the start of the step, and add what they do to M in L. Writes work, tangent."""
    for j in range(tangent.touch_S.shape[0]):
        copy(work.motion.S[j], tangent.touch_S[j])
    fill_rows(0.0, tangent.touch_K)
    if plan.touch.index.shape[0] > 0 and plan.touch.held[0] == 0:
        contact_tangent.add_slopes(plan.touch, tau, h, work.touch, tangent)
    if plan.tire.index.shape[0] > 0:
        tire_tangent.add_slopes(plan.tire, tau, h, work.tire, tangent)
    link_sums.add_K(plan, tangent, work.system.L)


@apart_kernel
def eliminate(plan, tau, rate_q, rate_x, tangent, u_x, force):
    """Solve for bristles as if nothing moved, and add what they and the known motion do to the force. Writes tangent,
    u_x, force.
    """
    link_sums.move_links(plan, rate_q, tangent)
    fill_rows(0.0, tangent.touch_f)
    if plan.touch.index.shape[0] > 0 and plan.touch.held[0] == 0:
        contact_tangent.eliminate(plan.touch, tau, rate_x, tangent, u_x)
    if plan.tire.index.shape[0] > 0:
        tire_tangent.eliminate(plan.tire, tau, rate_x, tangent, u_x)
    link_sums.spread_wrenches(plan, tau * tau, tangent, force)


@apart_kernel
def restore(plan, u_v, tangent, u_x):
    """Let bristles follow, now that the motion is known. Writes tangent, u_x."""
    link_sums.move_links(plan, u_v, tangent)
    if plan.touch.index.shape[0] > 0 and plan.touch.held[0] == 0:
        contact_tangent.restore(plan.touch, tangent, u_x)
    if plan.tire.index.shape[0] > 0:
        tire_tangent.restore(plan.tire, tangent, u_x)


@apart_kernel
def take_from_momentum(plan, tangent, momentum):
    """momentum −= Aᵀ D A u_v, from the rates that `restore` left. Writes tangent, momentum."""
    fill_rows(0.0, tangent.touch_f)
    if plan.touch.index.shape[0] > 0 and plan.touch.held[0] == 0:
        contact_tangent.weigh_rates(plan.touch, tangent)
    if plan.tire.index.shape[0] > 0:
        tire_tangent.weigh_rates(plan.tire, tangent)
    link_sums.spread_wrenches(plan, -1.0, tangent, momentum)
