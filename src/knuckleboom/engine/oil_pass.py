# SPDX-License-Identifier: BSD-3-Clause
"""The oil of one step integrated once more, by Newton, where the tangent of a linearly implicit step was wrong.

Rows move as the step found, at their mean rate; strains and the states that pressures steer are integrated again in
equal parts of size k by SDIRK2, order 2 and L-stable with γ = 1 − 1/√2 [Hairer Wanner 1996, IV.6]:

    w̄ = (s1 − s0)/h,   s(t) = s0 + t w̄,   lags linear in t;      g(z, t): rates of strains and steered states
    Z1 = z + γ k g(Z1, t + γ k),   Z2 = z + (1 − γ) k g(Z1) + γ k g(Z2, t + k),   z ← Z2

The slopes are exact but for valves through which oil flows backwards (circuits.hold_signs). Velocities are not touched:
only flows change, and with them the powers of branches and nodes. Nothing is carried from step to step. Why and what
was measured: docs/decisions/corrected_steps.md. Tested in tests/engine/test_corrected_steps.py
"""

import math

from knuckleboom.engine.control import hold_at
from knuckleboom.engine.evaluate import flow
from knuckleboom.hydraulics import circuits, network
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.interface import exact_coupling
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics import kinematics
from knuckleboom.mechanics.rows.kinds import positions
from knuckleboom.solvers.vectors import copy, fill

GAMMA = 1.0 - math.sqrt(0.5)
PARTS = 2
MOST = 12  # Newton iterations of one stage
WARY = 8  # of them that keep each valve within sight of where it opens
MOST_IN_STEP = 40
"""Newton iterations that all passes of one step may take: the hard bound of its cost."""
SETTLED = 1e3  # Pa: the correction below which Newton ends


@kernel
def keep_end(plan, work, h):
    """Keep where the stages say that the step of h [s] ends, and the mean rates of the rows in it. Writes work."""
    tableau, rows = work.tableau, work.rows
    copy(work.state.x, tableau.x_end)
    kinematics.poses(plan.links, work.state.q, work.motion)
    positions(plan.rows, work.state.q, work.motion, work.state.angle, rows)
    for k in range(tableau.row_mean.shape[0]):
        tableau.row_mean[k] = (rows.s[plan.tangent.row[k]] - tableau.row_s0[k]) / h


@kernel
def rates_at(plan, work, fraction, h):
    """Rates of the oil at a fraction of the step of h [s] from the strains in state.x. Return a status. Writes work."""
    tableau, rows, x = work.tableau, work.rows, work.state.x
    for k in range(tableau.row_mean.shape[0]):
        r = plan.tangent.row[k]
        rows.s[r] = tableau.row_s0[k] + fraction * h * tableau.row_mean[k]
        rows.w[r] = tableau.row_mean[k]
    for i in range(work.tangent.strain.shape[0], x.shape[0]):
        x[i] = work.stage.x0[i] + fraction * (tableau.x_end[i] - work.stage.x0[i])
    return flow(plan, work)


@kernel
def settle(plan, work, tau, fraction, h):
    """Newton for Z = x_base + τ g(Z) at a fraction of the step of h [s], begun at state.x. Return whether it ended.
    Writes work.
    """
    tangent, tableau, oil, x = work.tangent, work.tableau, work.oil, work.state.x
    delta, volumes = tangent.strain, plan.oil.node_first[SOURCE]
    for number in range(MOST):
        if tableau.spent[0] >= MOST_IN_STEP:
            return False
        tableau.spent[0] += 1.0
        if rates_at(plan, work, fraction, h) != OK:
            return False
        circuits.hold_signs(plan.oil, oil.slope)
        for i in range(delta.shape[0]):
            delta[i] = tableau.x_base[i] + tau * oil.x_dot[i] - x[i]
        exact_coupling.factor_oil(plan.oil, tau, oil, tangent)
        circuits.solve_all(plan.oil, tangent.E, tableau.u_x[0], delta)

        largest = 0.0
        copy(oil.p, tangent.ahead)
        for i in range(volumes):
            change = tangent.stiffness[i] * delta[i]
            if not math.isfinite(change):
                return False
            largest = max(largest, abs(change))
            tangent.ahead[i] += change
        for i in range(volumes, delta.shape[0]):
            if not math.isfinite(delta[i]):
                return False
        share = circuits.share_in_sight(plan.oil, oil.p, tangent.ahead) if number < WARY else 1.0
        for i in range(delta.shape[0]):
            x[i] += share * delta[i]
        if largest < SETTLED:
            return True
    return False


@kernel
def add_powers(plan, work, duration):
    """Add what branches and nodes do at this moment, times a duration [s]. Writes work.oil, tableau.flow_work."""
    total, power, first = work.tableau.flow_work, work.oil.power, plan.oil.power_first
    network.powers(plan.oil, work.state.x, work.oil, power)
    for k in range(first[0], first[1] + work.oil.p.shape[0]):
        total[k] += duration * power[k]


@kernel
def integrate(plan, work, whole, piece, pieces, given):
    """The oil over the step that keep_end looked at: one of so many equal pieces of the whole step [s], over which the
    inputs are `given`. Return whether Newton ended. Writes work.
    """
    tableau, state, x = work.tableau, work.state, work.state.x
    h = whole / pieces
    k = h / PARTS
    solved, tau = work.tangent.strain.shape[0], GAMMA * k
    fill(0.0, tableau.flow_work)
    copy(work.stage.x0, x)
    for part in range(PARTS):
        for i in range(solved):
            tableau.x_part[i] = tableau.x_base[i] = x[i]
        fraction = (part + GAMMA) / PARTS
        hold_at((piece + fraction) / pieces, given, state.u, state.signal)
        if not settle(plan, work, tau, fraction, h):
            return False
        add_powers(plan, work, (1.0 - GAMMA) * k)
        for i in range(solved):
            tableau.x_base[i] += (1.0 / GAMMA - 1.0) * (x[i] - tableau.x_part[i])
        fraction = (part + 1.0) / PARTS
        hold_at((piece + fraction) / pieces, given, state.u, state.signal)
        if not settle(plan, work, tau, fraction, h):
            return False
        add_powers(plan, work, tau)
    for i in range(solved, x.shape[0]):
        x[i] = tableau.x_end[i]
    return True
