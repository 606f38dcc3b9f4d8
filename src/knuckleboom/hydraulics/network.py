# SPDX-License-Identifier: BSD-3-Clause
"""The oil network: pressures from strains, openings, flows through branches, rates of strains and of what follows.

Every node with a volume has its strain as state: ė = (ΣQ − V̇)/V, p = P(e); other nodes have a given pressure.
One loop per kind; this file is the list of kinds. Q > 0 flows from a to b and leaves node a.
"""

from knuckleboom.hydraulics.elements import (
    flow_source,
    laminar,
    opened_restrictor,
    opening_affine,
    opening_edge,
    opening_signal,
    restrictor,
    restrictor_one_sided,
    second_order,
)
from knuckleboom.kernels import kernel
from knuckleboom.laws.oil_cavitating import energy_cavitating, oil_cavitating
from knuckleboom.laws.oil_naya import energy_naya, oil_naya
from knuckleboom.layout import EMPTY, OK, signal_value
from knuckleboom.solvers.vectors import fill

NAYA, CAVITATING, SOURCE = 0, 1, 2  # kinds of nodes; the first two have a volume and a strain
CONSTANT = 0  # kind of opening that never changes
BRANCHES = (restrictor, restrictor_one_sided, opened_restrictor, laminar, flow_source)
OPENINGS = (opening_affine, opening_edge, opening_signal)
SLOPE_A, SLOPE_B, SLOPE_PILOT, SLOPE_OPENING, SECANT = 0, 1, 2, 3, 4  # columns of oil.slope
BRANCH_A, BRANCH_B, BRANCH_C, BRANCH_D, BRANCH_OPENING = 0, 1, 2, 3, 4  # columns of table.branch_index


@kernel
def pressures(table, u, x, oil):
    """Fill p, dp/de and the pressure above ambient of all nodes. Writes oil."""
    number, first = table.node_number, table.node_first
    for i in range(first[NAYA], first[CAVITATING]):
        oil.p[i], oil.p_slope[i] = oil_naya(x[i], number[i, 1], number[i, 2])
    for i in range(first[CAVITATING], first[SOURCE]):
        oil.p[i], oil.p_slope[i] = oil_cavitating(x[i], number[i, 1], number[i, 2], number[i, 3])
    for i in range(first[SOURCE], first[SOURCE + 1]):
        signal = table.node_signal[i]
        oil.p[i] = signal_value(u, x, signal) if signal >= 0 else number[i, 1]
        oil.p_slope[i] = 0.0
    for i in range(first[SOURCE + 1]):
        oil.gauge[i] = oil.p[i] - table.ambient[0]


@kernel
def openings(table, u, x, opening, slope):
    """Fill all openings and their slopes from their signals. Writes opening, slope."""
    number, first = table.opening_number, table.opening_first
    for i in range(first[CONSTANT], first[opening_affine.KIND]):
        opening[i] = number[i, 0]
        slope[i] = 0.0
    for i in range(first[opening_affine.KIND], first[opening_edge.KIND]):
        value = signal_value(u, x, table.opening_signal[i])
        opening[i], slope[i] = opening_affine.law(value, number[i, 0], number[i, 1])
    for i in range(first[opening_edge.KIND], first[opening_edge.KIND + 1]):
        value = signal_value(u, x, table.opening_signal[i])
        opening[i], slope[i] = opening_edge.law(value, number[i, 0], number[i, 1], number[i, 2])
    for i in range(first[opening_signal.KIND], first[opening_signal.KIND + 1]):
        opening[i], slope[i] = opening_signal.law(signal_value(u, x, table.opening_signal[i]))


@kernel
def pass_flow(i, index, flow, at_a, at_b, by_pilot, by_opening, secant, oil):
    """Book the flow of branch i on its two nodes, and its slopes. Writes oil."""
    oil.slope[i, SLOPE_A] = at_a
    oil.slope[i, SLOPE_B] = at_b
    oil.slope[i, SLOPE_PILOT] = by_pilot
    oil.slope[i, SLOPE_OPENING] = by_opening
    oil.slope[i, SECANT] = secant
    oil.Q[i] = flow
    oil.Q_net[index[i, BRANCH_A]] -= flow
    oil.Q_net[index[i, BRANCH_B]] += flow


@kernel
def flows(table, oil):
    """Fill the flows of all branches and the net flow into each node. Writes oil."""
    index, number, first, p = table.branch_index, table.branch_number, table.branch_first, oil.p
    fill(0.0, oil.Q_net)

    for i in range(first[restrictor.KIND], first[restrictor.KIND + 1]):
        opening = oil.opening[index[i, BRANCH_OPENING]]
        flow, at_a, at_b, by_opening, secant = restrictor.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], opening, number[i, 0], number[i, 1]
        )
        pass_flow(i, index, flow, at_a, at_b, 0.0, by_opening, secant, oil)

    for i in range(first[restrictor_one_sided.KIND], first[restrictor_one_sided.KIND + 1]):
        opening = oil.opening[index[i, BRANCH_OPENING]]
        flow, at_a, at_b, by_opening, secant = restrictor_one_sided.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], opening, number[i, 0]
        )
        pass_flow(i, index, flow, at_a, at_b, 0.0, by_opening, secant, oil)

    for i in range(first[opened_restrictor.KIND], first[opened_restrictor.KIND + 1]):
        flow, at_a, at_b, by_pilot, secant = opened_restrictor.law(
            p[index[i, BRANCH_A]],
            p[index[i, BRANCH_B]],
            p[index[i, BRANCH_C]],
            p[index[i, BRANCH_D]],
            number[i, 0],
            number[i, 1],
            number[i, 2],
            number[i, 3],
        )
        pass_flow(i, index, flow, at_a, at_b, by_pilot, 0.0, secant, oil)

    for i in range(first[laminar.KIND], first[laminar.KIND + 1]):
        flow, at_a, at_b, secant = laminar.law(p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], number[i, 0])
        pass_flow(i, index, flow, at_a, at_b, 0.0, 0.0, secant, oil)

    for i in range(first[flow_source.KIND], first[flow_source.KIND + 1]):
        flow, at_a, at_b, by_opening, secant = flow_source.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], oil.opening[index[i, BRANCH_OPENING]]
        )
        pass_flow(i, index, flow, at_a, at_b, 0.0, by_opening, secant, oil)


@kernel
def rates(table, u, x, oil, fault):
    """Fill the rates of strains, lags and second-order states. Return a status. Writes oil, fault."""
    for i in range(table.node_first[SOURCE]):
        if not oil.V[i] > 0.0:
            fault[0] = i
            return EMPTY
        oil.x_dot[i] = (oil.Q_net[i] - oil.V_dot[i]) / oil.V[i]
    for i in range(table.lag_signal.shape[0]):
        state = table.lag_state[i]
        oil.x_dot[state] = (signal_value(u, x, table.lag_signal[i]) - x[state]) / table.lag_time[i]
    number = table.second_number
    for i in range(table.second_signal.shape[0]):
        state, signal = table.second_state[i], signal_value(u, x, table.second_signal[i])
        oil.x_dot[state], oil.x_dot[state + 1] = second_order.law(
            signal, x[state], x[state + 1], number[i, 0], number[i, 1]
        )
    return OK


@kernel
def powers(table, oil, power):
    """Fill the power lost in branches or supplied by them, that of pressure sources above ambient, the elastic energy
    V ψ of each volume and its part V̇ ψ that came with the volume's growth. Writes oil, power.

    What compresses oil is (p − p_0) V ė = d(V ψ)/dt − V̇ ψ: a state and a small integral, so that the audit of a run
    does not add up by itself.
    """
    index, at = table.branch_index, table.power_first[0]
    for i in range(index.shape[0]):
        power[at + i] = (oil.p[index[i, BRANCH_A]] - oil.p[index[i, BRANCH_B]]) * oil.Q[i]
    for i in range(table.branch_first[flow_source.KIND], index.shape[0]):
        power[at + i] *= -1.0
    at = table.power_first[1]
    number, first, ambient = table.node_number, table.node_first, table.ambient[0]
    for i in range(first[NAYA], first[CAVITATING]):
        density = energy_naya(oil.p[i], ambient, number[i, 1], number[i, 2])
        oil.energy[i] = oil.V[i] * density
        power[at + i] = oil.growth[i] * density
    for i in range(first[CAVITATING], first[SOURCE]):
        density = energy_cavitating(oil.p[i], ambient, number[i, 1], number[i, 2], number[i, 3])
        oil.energy[i] = oil.V[i] * density
        power[at + i] = oil.growth[i] * density
    for i in range(first[SOURCE], first[SOURCE + 1]):
        # a source delivers what leaves its node
        power[at + i] = oil.gauge[i] * (oil.V_dot[i] - oil.Q_net[i])
