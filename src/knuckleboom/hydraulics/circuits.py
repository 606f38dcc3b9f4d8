# SPDX-License-Identifier: BSD-3-Clause
"""The oil's own tangent, circuit by circuit: E = 1 − τ ∂ė/∂e, factored and solved.

A circuit is a set of volumes that branches join or steer; sources part circuits, since their pressure is given. With
the conductance G of each branch and the stiffness P of each volume,

    E_aa += τ G P_a/V_a,   E_ab −= τ G P_b/V_a                     for a branch between a and b, and likewise for b

so that V E P⁻¹ is symmetric and positive definite: E is factored without pivoting. Dense within a circuit, L U row by
row, no exchange, with the inverse of each pivot in its place. Newton takes the exact slopes, linearly implicit steps a
conductance that is rather too large than too small: secants (shared study on the real-time step, §3), and the steepest
slope of a branch that its own pressure drop opens within the step. Checked in tests/engine/test_coupling.py
"""

import numpy as np

from knuckleboom.hydraulics.elements import opened_restrictor, second_order
from knuckleboom.hydraulics.network import (
    BRANCH_A,
    BRANCH_B,
    BRANCH_C,
    BRANCH_D,
    SECANT,
    SLOPE_A,
    SLOPE_B,
    SLOPE_OPENING,
    SLOPE_PILOT,
    SOURCE,
)
from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill

EXCHANGE_BRANCH, EXCHANGE_NODE, EXCHANGE_BY, EXCHANGE_ENTRY = 0, 1, 2, 3  # columns of table.exchange
METERED_BRANCH, METERED_NODE, METERED_OPENING, METERED_STATE = 0, 1, 2, 3  # columns of table.metered


@kernel
def add_slope(table, here, there, rate, stiffness, E):
    """Add to E that the pressure at the node `there` moves oil out of the node `here`. Writes E."""
    volumes = table.node_first[SOURCE]
    if here < volumes and there < volumes:
        circuit = table.node_circuit[here]
        n = table.circuit_first[circuit + 1] - table.circuit_first[circuit]
        E[table.circuit_start[circuit] + table.node_place[here] * n + table.node_place[there]] += (
            rate * stiffness[there]
        )


@kernel
def fill_slopes(table, tau, oil, stiffness, E):
    """Fill τ ∂ė/∂e, with the sign of E, by the exact slopes of all branches, pilot pressures too. Writes E."""
    fill(0.0, E)
    volumes = table.node_first[SOURCE]
    for i in range(table.branch_index.shape[0]):
        a, b = table.branch_index[i, BRANCH_A], table.branch_index[i, BRANCH_B]
        at_a, at_b = oil.slope[i, SLOPE_A], oil.slope[i, SLOPE_B]
        if a < volumes:
            rate = tau / oil.V[a]
            add_slope(table, a, a, rate * at_a, stiffness, E)
            add_slope(table, a, b, rate * at_b, stiffness, E)
        if b < volumes:
            rate = -tau / oil.V[b]
            add_slope(table, b, a, rate * at_a, stiffness, E)
            add_slope(table, b, b, rate * at_b, stiffness, E)
        if oil.slope[i, SLOPE_PILOT] != 0.0:
            c, d = table.branch_index[i, BRANCH_C], table.branch_index[i, BRANCH_D]
            pilot = oil.slope[i, SLOPE_PILOT]
            if a < volumes:
                add_slope(table, a, c, tau * pilot / oil.V[a], stiffness, E)
                add_slope(table, a, d, -tau * pilot / oil.V[a], stiffness, E)
            if b < volumes:
                add_slope(table, b, c, -tau * pilot / oil.V[b], stiffness, E)
                add_slope(table, b, d, tau * pilot / oil.V[b], stiffness, E)


@kernel
def conductances(table, oil, ahead, conductance):
    """A conductance of each branch that is not below what the step meets: ahead are the pressures [Pa] after an
    explicit step. Writes conductance.
    """
    index, number, first, p = table.branch_index, table.branch_number, table.branch_first, oil.p
    for i in range(conductance.shape[0]):
        conductance[i] = oil.slope[i, SECANT]
    for i in range(first[opened_restrictor.KIND], first[opened_restrictor.KIND + 1]):
        a, b, c, d = index[i, BRANCH_A], index[i, BRANCH_B], index[i, BRANCH_C], index[i, BRANCH_D]
        # one that is opened from elsewhere has no slope of its own inlet
        if c == a:
            conductance[i] = opened_restrictor.steepest(
                p[a] - p[b],
                p[c] - p[d],
                ahead[c] - ahead[d],
                oil.slope[i, SECANT],
                number[i, 0],
                number[i, 1],
                number[i, 2],
                number[i, 3],
            )


@kernel
def fill_conductances(table, tau, V, conductance, stiffness, E):
    """Fill the same by one conductance for each branch. Writes E."""
    exchange, sign = table.exchange, table.exchange_sign
    fill(0.0, E)
    for i in range(sign.shape[0]):
        rate = tau * conductance[exchange[i, EXCHANGE_BRANCH]] / V[exchange[i, EXCHANGE_NODE]]
        E[exchange[i, EXCHANGE_ENTRY]] += sign[i] * rate * stiffness[exchange[i, EXCHANGE_BY]]


@kernel
def factor(table, E):
    """Add the unit matrix and factor. Writes E."""
    for c in range(table.circuit_start.shape[0]):
        n, start = table.circuit_first[c + 1] - table.circuit_first[c], table.circuit_start[c]
        for k in range(n):
            E[start + k * n + k] += 1.0
        for k in range(n):
            inverse = 1.0 / E[start + k * n + k]
            E[start + k * n + k] = inverse
            for i in range(k + 1, n):
                share = E[start + i * n + k] * inverse
                E[start + i * n + k] = share
                for j in range(k + 1, n):
                    E[start + i * n + j] -= share * E[start + k * n + j]


@kernel
def solve(n, start, E, first, values):
    """Solve with the factor at `start` of a circuit of n nodes, for values from `first` on. Writes values."""
    for i in range(1, n):
        for j in range(i):
            values[first + i] -= E[start + i * n + j] * values[first + j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            values[first + i] -= E[start + i * n + j] * values[first + j]
        values[first + i] *= E[start + i * n + i]


@kernel
def solve_all(table, E, scratch, g):
    """g = E⁻¹ g, circuit by circuit; scratch has room for all volumes. Writes scratch, g."""
    node = table.circuit_node
    for c in range(table.circuit_start.shape[0]):
        first = table.circuit_first[c]
        n = table.circuit_first[c + 1] - first
        if n == 1:
            g[np.uintp(node[first])] *= E[np.uintp(table.circuit_start[c])]
            continue
        for k in range(n):
            scratch[first + k] = g[node[first + k]]
        solve(n, table.circuit_start[c], E, first, scratch)
        for k in range(n):
            g[node[first + k]] = scratch[first + k]


@kernel
def spool_slopes(table, oil, spool):
    """∂ė/∂state of each node that a branch with a moving opening fills or empties. Writes spool."""
    metered, sign = table.metered, table.metered_sign
    for i in range(sign.shape[0]):
        by_state = oil.slope[metered[i, METERED_BRANCH], SLOPE_OPENING] * oil.opening_slope[metered[i, METERED_OPENING]]
        spool[i] = sign[i] * by_state / oil.V[metered[i, METERED_NODE]]


@kernel
def solve_spools(table, tau, values):
    """Turn residuals of spools and other lags into their corrections: they follow inputs, no oil moves them. Writes
    values.
    """
    for i in range(table.lag_state.shape[0]):
        values[table.lag_state[i]] /= 1.0 + tau / table.lag_time[i]
    number = table.second_number
    for i in range(table.second_state.shape[0]):
        state = table.second_state[i]
        values[state], values[state + 1] = second_order.correction(
            tau, values[state], values[state + 1], number[i, 0], number[i, 1]
        )


@kernel
def add_spools(table, increments, spool, rates):
    """Add to the strain rates what the increments of spools do through their openings. Writes rates."""
    for i in range(spool.shape[0]):
        rates[table.metered[i, METERED_NODE]] += spool[i] * increments[table.metered[i, METERED_STATE]]
