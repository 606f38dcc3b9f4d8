# SPDX-License-Identifier: BSD-3-Clause
"""What touches the ground in Newton's tangent: contacts and tires.

How their wrenches and bristles change is written for their kind in contact_slopes.py and tire_slopes.py; link_slopes.py
takes that to the matrix. Checked in tests/engine/test_contact.py and test_tire.py
"""

from knuckleboom.apart import apart_kernel
from knuckleboom.interface import contact_slopes, tire_slopes


@apart_kernel
def add_slopes(plan, plan_newton, tau, tau_q, work, newton, J):
    """Add what they do to the mechanics' matrix. Writes newton, J."""
    if plan.touch.index.shape[0] > 0:
        contact_slopes.add_slopes(plan, plan_newton, tau, tau_q, work.motion, work.touch, newton, J)
    if plan.tire.index.shape[0] > 0:
        tire_slopes.add_slopes(plan, plan_newton, tau, tau_q, work.motion, work.state.x, work.tire, newton, J)


@apart_kernel
def eliminate(plan, weight, work, newton, residual, force):
    """Solve for the bristles as if nothing moved, and add weight·∂F/∂z of their corrections to the force. Writes
    newton, residual, force.
    """
    if plan.touch.index.shape[0] > 0:
        contact_slopes.eliminate(plan, weight, work.motion, work.touch, newton, residual, force)
    if plan.tire.index.shape[0] > 0:
        tire_slopes.eliminate(plan, weight, work.motion, work.tire, newton, residual, force)


@apart_kernel
def add_motion(plan, tau, tau_q, v, work, newton, x):
    """x += what the corrections v of the velocities do to bristles. Writes newton, x."""
    if plan.touch.index.shape[0] > 0:
        contact_slopes.add_motion(plan, tau, tau_q, v, work.motion, newton, x)
    if plan.tire.index.shape[0] > 0:
        tire_slopes.add_motion(plan, tau, tau_q, v, work.motion, newton, x)
