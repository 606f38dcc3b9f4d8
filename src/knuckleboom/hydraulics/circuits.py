# SPDX-License-Identifier: BSD-3-Clause
"""The oil's own tangent, circuit by circuit: E = 1 − τ ∂ė/∂e, factored and solved.

A circuit is a set of volumes that branches join; sources part circuits, since their pressure is given. With the secant
conductance G of each branch and the stiffness P of each volume,

    E_aa += τ G P_a/V_a,   E_ab −= τ G P_b/V_a                     for a branch between a and b, and likewise for b

so that V E P⁻¹ is symmetric and positive definite: E is factored without pivoting. Dense within a circuit, L U row by
row, no exchange. Why the secant and not the tangent: shared study on the real-time step, §3. Checked by differences in
tests/engine/test_coupling.py
"""

from knuckleboom.hydraulics.network import (
    BRANCH_A,
    BRANCH_B,
    BRANCH_C,
    BRANCH_D,
    BRANCH_OPENING,
    SECANT,
    SLOPE_A,
    SLOPE_B,
    SLOPE_OPENING,
    SLOPE_PILOT,
    SOURCE,
)
from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill


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
def factor(table, tau, exact, oil, stiffness, E):
    """Fill and factor the matrices of all circuits for a step τ [s]; stiffness is dp/de [Pa]. Writes E.

    With `exact` branches have their slopes, those with pilot pressures too, else their secants.
    """
    fill(0.0, E)
    volumes = table.node_first[SOURCE]
    for i in range(table.branch_index.shape[0]):
        a, b = table.branch_index[i, BRANCH_A], table.branch_index[i, BRANCH_B]
        at_a = oil.slope[i, SLOPE_A] if exact else oil.slope[i, SECANT]
        at_b = oil.slope[i, SLOPE_B] if exact else -oil.slope[i, SECANT]
        if a < volumes:
            rate = tau / oil.V[a]
            add_slope(table, a, a, rate * at_a, stiffness, E)
            add_slope(table, a, b, rate * at_b, stiffness, E)
        if b < volumes:
            rate = -tau / oil.V[b]
            add_slope(table, b, a, rate * at_a, stiffness, E)
            add_slope(table, b, b, rate * at_b, stiffness, E)
        if exact and oil.slope[i, SLOPE_PILOT] != 0.0:
            c, d = table.branch_index[i, BRANCH_C], table.branch_index[i, BRANCH_D]
            pilot = oil.slope[i, SLOPE_PILOT]
            if a < volumes:
                add_slope(table, a, c, tau * pilot / oil.V[a], stiffness, E)
                add_slope(table, a, d, -tau * pilot / oil.V[a], stiffness, E)
            if b < volumes:
                add_slope(table, b, c, -tau * pilot / oil.V[b], stiffness, E)
                add_slope(table, b, d, tau * pilot / oil.V[b], stiffness, E)
    for c in range(table.circuit_start.shape[0]):
        n, start = table.circuit_first[c + 1] - table.circuit_first[c], table.circuit_start[c]
        for k in range(n):
            E[start + k * n + k] += 1.0
        for k in range(n):
            inverse = 1.0 / E[start + k * n + k]
            for i in range(k + 1, n):
                share = E[start + i * n + k] * inverse
                E[start + i * n + k] = share
                for j in range(k + 1, n):
                    E[start + i * n + j] -= share * E[start + k * n + j]


@kernel
def solve(n, start, E, first, values):
    """Solve with the factor, which begins at `start`, of a circuit of n nodes, for values from `first`. Writes values."""
    for i in range(1, n):
        for j in range(i):
            values[first + i] -= E[start + i * n + j] * values[first + j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            values[first + i] -= E[start + i * n + j] * values[first + j]
        values[first + i] /= E[start + i * n + i]


@kernel
def spool_slopes(table, oil, spool):
    """∂ė/∂signal of the two nodes of each branch that a signal opens. Writes spool."""
    volumes = table.node_first[SOURCE]
    for i in range(table.branch_index.shape[0]):
        a, b, opening = (
            table.branch_index[i, BRANCH_A],
            table.branch_index[i, BRANCH_B],
            table.branch_index[i, BRANCH_OPENING],
        )
        by_signal = oil.slope[i, SLOPE_OPENING] * oil.opening_slope[opening] if opening >= 0 else 0.0
        spool[i, 0] = -by_signal / oil.V[a] if a < volumes else 0.0
        spool[i, 1] = by_signal / oil.V[b] if b < volumes else 0.0


@kernel
def add_spools(table, nu, increments, spool, rates):
    """Add to the strain rates what the increments of spools do through their openings; nu inputs. Writes rates."""
    for i in range(table.branch_index.shape[0]):
        opening = table.branch_index[i, BRANCH_OPENING]
        if opening < 0 or table.opening_signal[opening] < nu:
            continue
        moved = increments[table.opening_signal[opening] - nu]
        a, b = table.branch_index[i, BRANCH_A], table.branch_index[i, BRANCH_B]
        if spool[i, 0] != 0.0:
            rates[a] += spool[i, 0] * moved
        if spool[i, 1] != 0.0:
            rates[b] += spool[i, 1] * moved
