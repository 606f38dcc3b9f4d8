# SPDX-License-Identifier: BSD-3-Clause
"""The oil network: pressures from strains, openings, flows through branches, rates of strains and of what follows.

Every node with a volume has its strain as state: ė = (ΣQ − V̇)/V, p = P(e); other nodes have a given pressure.
One loop per kind; this file is the list of kinds. Q > 0 flows from a to b and leaves node a.
"""

from knuckleboom.hydraulics.elements import (
    flow_source,
    laminar,
    limited,
    opened_restrictor,
    opening_affine,
    opening_edge,
    opening_product,
    opening_signal,
    opening_table,
    restrictor,
    restrictor_one_sided,
    second_order,
    sensed,
)
from knuckleboom.hydraulics.oil_laws import SOURCE, add_walls, growth_powers, strain_pressures
from knuckleboom.kernels import kernel
from knuckleboom.layout import EMPTY, OK, signal_value
from knuckleboom.solvers.vectors import fill

CONSTANT = 0  # kind of opening that never changes
BRANCHES = (restrictor, restrictor_one_sided, opened_restrictor, laminar, flow_source)
OPENINGS = (opening_affine, opening_edge, opening_signal, opening_table, opening_product)
STEERED = (limited, sensed)
SLOPE_A, SLOPE_B, SLOPE_C, SLOPE_D, SLOPE_OPENING, SECANT = 0, 1, 2, 3, 4, 5  # columns of oil.slope
BRANCH_A, BRANCH_B, BRANCH_C, BRANCH_D, BRANCH_OPENING = 0, 1, 2, 3, 4  # columns of plan_oil.branch_index
PILOT = 4  # column of plan_oil.branch_number where the weights of an opened restrictor begin
STEERED_SIGNAL, STEERED_NODE = 0, 1  # columns of plan_oil.steered_index: the signal, then four nodes


@kernel
def pressures(plan_oil, u, x, oil):
    """Fill p, dp/de and the pressure above ambient of all nodes, and what walls give way. Writes oil."""
    number, first = plan_oil.node_number, plan_oil.node_first
    strain_pressures(plan_oil, x, oil.p, oil.p_slope)
    for i in range(first[SOURCE], first[SOURCE + 1]):
        signal = plan_oil.node_signal[i]
        oil.p[i] = signal_value(u, x, signal) if signal >= 0 else number[i, 1]
        oil.p_slope[i] = 0.0
    for i in range(first[SOURCE + 1]):
        oil.gauge[i] = oil.p[i] - plan_oil.ambient[0]
    add_walls(plan_oil, x, oil)


@kernel
def openings(plan_oil, u, x, opening, slope):
    """Fill all openings and their slopes from their signals. Writes opening, slope."""
    number, first = plan_oil.opening_number, plan_oil.opening_first
    for i in range(first[CONSTANT], first[opening_affine.KIND]):
        opening[i] = number[i, 0]
        slope[i] = 0.0
    for i in range(first[opening_affine.KIND], first[opening_edge.KIND]):
        value = signal_value(u, x, plan_oil.opening_signal[i])
        opening[i], slope[i] = opening_affine.law(value, number[i, 0], number[i, 1])
    for i in range(first[opening_edge.KIND], first[opening_edge.KIND + 1]):
        value = signal_value(u, x, plan_oil.opening_signal[i])
        opening[i], slope[i] = opening_edge.law(value, number[i, 0], number[i, 1], number[i, 2])
    for i in range(first[opening_signal.KIND], first[opening_signal.KIND + 1]):
        opening[i], slope[i] = opening_signal.law(signal_value(u, x, plan_oil.opening_signal[i]))
    for i in range(first[opening_table.KIND], first[opening_table.KIND + 1]):
        value = signal_value(u, x, plan_oil.opening_signal[i])
        opening[i], slope[i] = opening_table.law(value, plan_oil.curve, number[i, 0], number[i, 1])
    for i in range(first[opening_product.KIND], first[opening_product.KIND + 1]):
        value, factor = signal_value(u, x, plan_oil.opening_signal[i]), plan_oil.opening_factor[i]
        other = u[factor] if factor >= 0 else 1.0
        opening[i], slope[i] = opening_product.law(value, other, number[i, 0])


@kernel
def pass_flow(i, index, flow, at_a, at_b, by_opening, secant, oil):
    """Book the flow of branch i on its two nodes, and its slopes. Writes oil."""
    oil.slope[i, SLOPE_A] = at_a
    oil.slope[i, SLOPE_B] = at_b
    oil.slope[i, SLOPE_C] = 0.0
    oil.slope[i, SLOPE_D] = 0.0
    oil.slope[i, SLOPE_OPENING] = by_opening
    oil.slope[i, SECANT] = secant
    oil.Q[i] = flow
    oil.Q_net[index[i, BRANCH_A]] -= flow
    oil.Q_net[index[i, BRANCH_B]] += flow


@kernel
def pilot(i, index, number, p):
    """The weighted sum of the pressures p [Pa] that open branch i."""
    total = 0.0
    for k in range(4):  # the nodes a, b, c, d
        total += number[i, PILOT + k] * p[index[i, k]]
    return total


@kernel
def flows(plan_oil, oil):
    """Fill the flows of all branches and the net flow into each node. Writes oil."""
    index, number, first, p = plan_oil.branch_index, plan_oil.branch_number, plan_oil.branch_first, oil.p
    fill(0.0, oil.Q_net)

    for i in range(first[restrictor.KIND], first[restrictor.KIND + 1]):
        opening = oil.opening[index[i, BRANCH_OPENING]]
        flow, at_a, at_b, by_opening, secant = restrictor.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], opening, number[i, 0], number[i, 1]
        )
        pass_flow(i, index, flow, at_a, at_b, by_opening, secant, oil)

    for i in range(first[restrictor_one_sided.KIND], first[restrictor_one_sided.KIND + 1]):
        opening = oil.opening[index[i, BRANCH_OPENING]]
        flow, at_a, at_b, by_opening, secant = restrictor_one_sided.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], opening, number[i, 0]
        )
        pass_flow(i, index, flow, at_a, at_b, by_opening, secant, oil)

    for i in range(first[opened_restrictor.KIND], first[opened_restrictor.KIND + 1]):
        flow, at_a, at_b, by_pilot, secant = opened_restrictor.law(
            p[index[i, BRANCH_A]],
            p[index[i, BRANCH_B]],
            pilot(i, index, number, p),
            number[i, 0],
            number[i, 1],
            number[i, 2],
            number[i, 3],
        )
        at_a += number[i, PILOT] * by_pilot
        at_b += number[i, PILOT + 1] * by_pilot
        pass_flow(i, index, flow, at_a, at_b, 0.0, secant, oil)
        oil.slope[i, SLOPE_C] = number[i, PILOT + 2] * by_pilot
        oil.slope[i, SLOPE_D] = number[i, PILOT + 3] * by_pilot

    for i in range(first[laminar.KIND], first[laminar.KIND + 1]):
        flow, at_a, at_b, secant = laminar.law(p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], number[i, 0])
        pass_flow(i, index, flow, at_a, at_b, 0.0, secant, oil)

    for i in range(first[flow_source.KIND], first[flow_source.KIND + 1]):
        flow, at_a, at_b, by_opening, secant = flow_source.law(
            p[index[i, BRANCH_A]], p[index[i, BRANCH_B]], oil.opening[index[i, BRANCH_OPENING]]
        )
        pass_flow(i, index, flow, at_a, at_b, by_opening, secant, oil)


@kernel
def steer(plan_oil, u, x, oil):
    """Fill the rates of the states that pressures steer, and their slopes with the pressures. Writes oil."""
    index, number, first, p = plan_oil.steered_index, plan_oil.steered_number, plan_oil.steered_first, oil.p
    volumes, node = plan_oil.node_first[SOURCE], STEERED_NODE
    for i in range(first[limited.KIND], first[limited.KIND + 1]):
        signal, state = index[i, STEERED_SIGNAL], volumes + i
        command = signal_value(u, x, signal) if signal >= 0 else number[i, 1]
        target, by_1, by_2 = limited.law(
            command,
            p[index[i, node]] - p[index[i, node + 1]],
            p[index[i, node + 2]] - p[index[i, node + 3]],
            number[i, 2],
            number[i, 3],
            number[i, 4],
            number[i, 5],
            number[i, 6],  # product
        )
        speed = 1.0 / number[i, 0]
        oil.x_dot[state] = speed * (target - x[state])
        oil.steering[i, 0] = speed * by_1
        oil.steering[i, 1] = -speed * by_1
        oil.steering[i, 2] = speed * by_2
        oil.steering[i, 3] = -speed * by_2
    for i in range(first[sensed.KIND], first[sensed.KIND + 1]):
        state, speed = volumes + i, 1.0 / number[i, 0]
        target = sensed.law(
            p[index[i, node]],
            p[index[i, node + 1]],
            p[index[i, node + 2]],
            p[index[i, node + 3]],
            number[i, 1],
            number[i, 2],
            number[i, 3],
            number[i, 4],
        )
        oil.x_dot[state] = speed * (target - x[state])
        for k in range(4):  # its nodes
            oil.steering[i, k] = speed * number[i, 1 + k]


@kernel
def rates(plan_oil, u, x, oil, fault):
    """Fill the rates of strains, of what pressures steer, of lags and second-order states. Return a status. Writes oil,
    fault.
    """
    for i in range(plan_oil.node_first[SOURCE]):
        if not oil.V[i] > 0.0:
            fault[0] = i
            return EMPTY
        # compliant walls take oil like a larger volume
        oil.room[i] = oil.V[i] + plan_oil.node_elastic[i] * oil.p_slope[i]
        oil.x_dot[i] = (oil.Q_net[i] - oil.V_dot[i]) / oil.room[i]
    steer(plan_oil, u, x, oil)
    number = plan_oil.lag_number
    for i in range(plan_oil.lag_signal.shape[0]):
        state, wanted = plan_oil.lag_state[i], signal_value(u, x, plan_oil.lag_signal[i])
        oil.x_dot[state] = (min(max(wanted, number[i, 1]), number[i, 2]) - x[state]) / number[i, 0]
    number = plan_oil.second_number
    for i in range(plan_oil.second_signal.shape[0]):
        state, signal = plan_oil.second_state[i], signal_value(u, x, plan_oil.second_signal[i])
        oil.x_dot[state], oil.x_dot[state + 1] = second_order.law(
            signal, x[state], x[state + 1], number[i, 0], number[i, 1]
        )
    return OK


@kernel
def powers(plan_oil, x, oil, power):
    """Fill the power lost in branches or supplied by them, that of pressure sources above ambient, and the part V̇ ψ of
    the elastic energy V ψ of each volume that comes with the volume's growth. Writes oil, power.

    What compresses oil is (p − p_0) V ė = d(V ψ)/dt − V̇ ψ: a state and a small integral, so that the audit of a run
    does not add up by itself.
    """
    index, at = plan_oil.branch_index, plan_oil.power_first[0]
    for i in range(index.shape[0]):
        power[at + i] = (oil.p[index[i, BRANCH_A]] - oil.p[index[i, BRANCH_B]]) * oil.Q[i]
    for i in range(plan_oil.branch_first[flow_source.KIND], index.shape[0]):
        power[at + i] *= -1.0
    at = plan_oil.power_first[1]
    growth_powers(plan_oil, x, at, oil, power)
    first = plan_oil.node_first
    for i in range(first[SOURCE], first[SOURCE + 1]):
        # a source delivers what leaves its node
        power[at + i] = oil.gauge[i] * (oil.V_dot[i] - oil.Q_net[i])
