# SPDX-License-Identifier: BSD-3-Clause
"""The oil's own tangent, circuit by circuit: E = 1 − τ ∂ẋ/∂x of strains and of what pressures steer, factored, solved.

A circuit is a set of volumes that branches join or steer, with the states that they steer; sources part circuits, since
their pressure is given. With the slopes of each branch and the stiffness P = dp/de of each volume of room V,

    E_ac += τ ∂Q/∂p_c P_c/V_a,   E_bc −= τ ∂Q/∂p_c P_c/V_b       for a branch from a to b and each pressure c it feels

E is factored without pivoting: with a conductance between a and b alone V E P⁻¹ is symmetric and positive definite.
L U on a fixed pattern (plan/oil_pattern.py), no exchange, with the inverse of each pivot in its place; the other
entries of a circuit's square stay zero. Newton takes the exact slopes, linearly implicit steps those of plain orifices,
the steepest slope of a branch that its own ends open within the step, and secants where something is sudden:
docs/decisions/realtime_slopes.md. Checked in tests/engine/test_coupling.py
"""

import math

import numpy as np

from knuckleboom.hydraulics.elements import opened_restrictor, second_order
from knuckleboom.hydraulics.network import (
    BRANCH_A,
    BRANCH_B,
    PILOT,
    SECANT,
    SLOPE_A,
    SLOPE_B,
    SLOPE_C,
    SLOPE_D,
    SLOPE_OPENING,
    pilot,
)
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill

# columns of plan_oil.exchange, plan_oil.steering and plan_oil.metered
EXCHANGE_BRANCH, EXCHANGE_NODE, EXCHANGE_BY, EXCHANGE_ENTRY, EXCHANGE_SLOPE = 0, 1, 2, 3, 4
STEERING_STATE, STEERING_BY, STEERING_ENTRY, STEERING_SLOPE = 0, 1, 2, 3
METERED_BRANCH, METERED_NODE, METERED_OPENING, METERED_STATE = 0, 1, 2, 3

ENTRY, PLACE = 0, 1  # columns of plan_oil.lower and plan_oil.upper
ZERO, ONE = np.uintp(0), np.uintp(1)
TORN = 0.1  # of dp/de when the oil is whole
HELD = 3.0  # openness, per part of the way, from which on flows hold torn oil apart


@kernel
def opennesses(plan_oil, h, oil, stiffness, result):
    """h ΣQ/Δp dp/de/V of each volume: well below 1, its pressure after an explicit step of h [s] is a fair guess; with
    more, flows hold it. Writes result.
    """
    index, volumes = plan_oil.branch_index, plan_oil.node_first[SOURCE]
    fill(0.0, result)
    for i in range(index.shape[0]):
        for node in (index[i, BRANCH_A], index[i, BRANCH_B]):
            if node < volumes:
                result[node] += h * oil.slope[i, SECANT] * stiffness[node] / oil.room[node]


@kernel
def conductances(plan_oil, h, rough, wary, oil, ahead, stiffness, slope):
    """Slopes of each branch for the matrix: ahead are the pressures [Pa] after an explicit step of h [s], stiffness is
    dp/de. A plain orifice has its exact slope, or its secant, which damps more, where the step is `wary`; a valve that
    pressures open has one that is not below what the step meets. Return how far a valve that comes from outside its
    band would hold a pressure at its ends, over that one's own stiffness, at most: much above 1, its slope may be far
    too large. Writes slope.
    """
    index, number, first, p = plan_oil.branch_index, plan_oil.branch_number, plan_oil.branch_first, oil.p
    volumes, held = plan_oil.node_first[SOURCE], 0.0
    for i in range(slope.shape[0]):
        slope[i, SLOPE_A] = oil.slope[i, SECANT] if wary else oil.slope[i, SLOPE_A]
        slope[i, SLOPE_B] = -oil.slope[i, SECANT] if wary else oil.slope[i, SLOPE_B]
    for i in range(first[opened_restrictor.KIND], first[opened_restrictor.KIND + 1]):
        here, there = pilot(i, index, number, p), pilot(i, index, number, ahead)
        drop, secant = p[index[i, BRANCH_A]] - p[index[i, BRANCH_B]], oil.slope[i, SECANT]
        setting, full = number[i, 2], number[i, 3]
        half, steep = opened_restrictor.steepest(drop, here, there, number[i, 0], number[i, 1], setting, full)
        at_a = half + max(number[i, PILOT], 0.0) * steep
        at_b = half - min(number[i, PILOT + 1], 0.0) * steep
        way = opened_restrictor.way(here, there, setting, full)
        if way > 0.0:
            a, b = index[i, BRANCH_A], index[i, BRANCH_B]
            hold_a = h * at_a * stiffness[a] / oil.room[a] if a < volumes else 0.0
            hold_b = h * at_b * stiffness[b] / oil.room[b] if b < volumes else 0.0
            hold = max(hold_a, hold_b)
            held = max(held, hold)
            if rough and hold > 0.0:
                # not steeper than takes the pressures to where it opens or closes
                share = min(1.0, (1.0 / way - 1.0) / hold)
                at_a, at_b = share * at_a, share * at_b
        slope[i, SLOPE_A] = max(secant, at_a)
        slope[i, SLOPE_B] = -max(secant, at_b)
        # within its band a valve follows its pilots as it does its ends
        pull = math.copysign(steep, drop) if setting < here < setting + full else 0.0
        slope[i, SLOPE_C] = number[i, PILOT + 2] * pull
        slope[i, SLOPE_D] = number[i, PILOT + 3] * pull
    return held


@kernel
def hold_signs(plan_oil, slope):
    """Let no valve that pressures open pass less with more pressure at its end a, or more with more at b. Writes slope.

    Oil that flows backwards through a compensator opens it further: the equations of an implicit step then have no
    solution within the band, and Newton's iteration would circle.
    """
    for i in range(plan_oil.branch_first[opened_restrictor.KIND], plan_oil.branch_first[opened_restrictor.KIND + 1]):
        slope[i, SLOPE_A] = max(slope[i, SLOPE_A], 0.0)
        slope[i, SLOPE_B] = min(slope[i, SLOPE_B], 0.0)


@kernel
def is_held_apart(node, h, oil, x, stiffness, openness):
    """Whether torn oil of a volume would close up within a step of h [s], but for flows that seem to hold it apart;
    stiffness is dp/de one step ahead.
    """
    if x[node] >= 0.0 or x[node] + h * oil.x_dot[node] <= 0.0 or oil.p_slope[node] >= TORN * stiffness[node]:
        return False
    return -x[node] * openness[node] > HELD * h * oil.x_dot[node]


@kernel
def ease_closing(plan_oil, h, oil, x, slope, openness, stiffness):
    """Lower dp/de of torn oil that closes up so far that flows do not hold it apart. Writes stiffness."""
    index = plan_oil.branch_index
    for node in range(plan_oil.node_first[SOURCE]):
        if not is_held_apart(node, h, oil, x, stiffness, openness):
            continue
        total = 0.0
        for i in range(index.shape[0]):
            if index[i, BRANCH_A] == node:
                total += slope[i, SLOPE_A]
            elif index[i, BRANCH_B] == node:
                total -= slope[i, SLOPE_B]
        eased = (-h * oil.x_dot[node] / x[node] - 1.0) * oil.room[node] / (h * total)
        stiffness[node] = min(stiffness[node], max(eased, oil.p_slope[node]))


@kernel
def share_in_sight(plan_oil, p, ahead):
    """The part of a change of pressures, from p to ahead [Pa], after which no valve that pressures open has leapt over
    the band in which it opens: slopes on one side of it say nothing of the other.
    """
    index, number, first, share = plan_oil.branch_index, plan_oil.branch_number, plan_oil.branch_first, 1.0
    for i in range(first[opened_restrictor.KIND], first[opened_restrictor.KIND + 1]):
        setting, full = number[i, 2], number[i, 3]
        here = (pilot(i, index, number, p) - setting) / full
        there = (pilot(i, index, number, ahead) - setting) / full
        if here > 1.0:
            end = 0.75  # into the band, by a quarter
        elif here < 0.0:
            end = 0.25
        else:
            end = here + (0.3 if there > here else -0.3)
        if (there - end) * (end - here) > 0.0:
            share = min(share, (end - here) / (there - here))
    return share


@kernel
def fill_slopes(plan_oil, tau, oil, slope, stiffness, E):
    """Fill τ ∂ẋ/∂x, with the sign of E, by the slopes of all branches with the pressures they feel. Writes E."""
    exchange, sign = plan_oil.exchange, plan_oil.exchange_sign
    fill(0.0, E)
    for i in range(sign.shape[0]):
        rate = tau * slope[exchange[i, EXCHANGE_BRANCH], exchange[i, EXCHANGE_SLOPE]]
        E[exchange[i, EXCHANGE_ENTRY]] += (
            sign[i] * rate / oil.room[exchange[i, EXCHANGE_NODE]] * stiffness[exchange[i, EXCHANGE_BY]]
        )


@kernel
def add_walls(plan_oil, tau, oil, E):
    """Add that a stiffer pressure makes less room: V + C dp/de moves with e. Writes E."""
    for i in range(plan_oil.node_first[SOURCE]):
        elastic = plan_oil.node_elastic[i]
        if elastic > 0.0:
            E[plan_oil.diagonal[i]] += tau * oil.x_dot[i] * elastic * (oil.p_slope[i] + oil.p_curve[i]) / oil.room[i]


@kernel
def add_steering(plan_oil, tau, oil, spool, stiffness, E):
    """Add what pressures do to the states they steer, and these to strains; spool are the slopes of plan_oil.metered.
    Writes E.
    """
    steering, volumes = plan_oil.steering, plan_oil.node_first[SOURCE]
    for i in range(steering.shape[0]):
        slope = oil.steering[steering[i, STEERING_STATE], steering[i, STEERING_SLOPE]]
        E[steering[i, STEERING_ENTRY]] -= tau * slope * stiffness[steering[i, STEERING_BY]]
    for i in range(plan_oil.steered_index.shape[0]):
        E[plan_oil.diagonal[volumes + i]] += tau / plan_oil.steered_number[i, 0]
    for i in range(spool.shape[0]):
        if plan_oil.metered_entry[i] >= 0:
            E[plan_oil.metered_entry[i]] -= tau * spool[i]


@kernel
def factor(plan_oil, E):
    """Add the unit matrix and factor. Writes E."""
    lower, upper, target = plan_oil.lower, plan_oil.upper, plan_oil.target
    for i in range(plan_oil.diagonal.shape[0]):
        E[plan_oil.diagonal[i]] += 1.0
    t = ZERO
    for k in range(plan_oil.circuit_state.shape[0]):
        diagonal = plan_oil.diagonal[plan_oil.circuit_state[k]]
        inverse = 1.0 / E[diagonal]
        E[diagonal] = inverse
        first, last = np.uintp(plan_oil.upper_first[k]), np.uintp(plan_oil.upper_first[k + 1])
        for e in range(np.uintp(plan_oil.lower_first[k]), np.uintp(plan_oil.lower_first[k + 1])):
            share = E[lower[e, ENTRY]] * inverse
            E[lower[e, ENTRY]] = share
            for f in range(first, last):
                E[target[t]] -= share * E[upper[f, ENTRY]]
                t += ONE


@kernel
def solve(plan_oil, circuit, E, at, values):
    """Solve with the factor of a circuit, for its values from `at` on. Writes values."""
    lower, upper = plan_oil.lower, plan_oil.upper
    begin, end = plan_oil.circuit_first[circuit], plan_oil.circuit_first[circuit + 1]
    for k in range(begin, end):
        value = values[at + k - begin]
        if value != 0.0:
            for e in range(np.uintp(plan_oil.lower_first[k]), np.uintp(plan_oil.lower_first[k + 1])):
                values[np.uintp(at) + lower[e, PLACE]] -= E[lower[e, ENTRY]] * value
    for k in range(end - 1, begin - 1, -1):
        value = values[at + k - begin]
        for f in range(np.uintp(plan_oil.upper_first[k]), np.uintp(plan_oil.upper_first[k + 1])):
            value -= E[upper[f, ENTRY]] * values[np.uintp(at) + upper[f, PLACE]]
        values[at + k - begin] = value * E[plan_oil.diagonal[plan_oil.circuit_state[k]]]


@kernel
def solve_columns(plan_oil, circuit, E, start, width, values):
    """The same for `width` columns at once: a line of values for each state of the circuit, from `start` on. Writes
    values.
    """
    lower, upper = plan_oil.lower, plan_oil.upper
    begin, end = plan_oil.circuit_first[circuit], plan_oil.circuit_first[circuit + 1]
    for k in range(begin, end):
        here = start + (k - begin) * width
        for e in range(np.uintp(plan_oil.lower_first[k]), np.uintp(plan_oil.lower_first[k + 1])):
            there, share = start + np.intp(lower[e, PLACE]) * width, E[lower[e, ENTRY]]
            for column in range(width):
                values[there + column] -= share * values[here + column]
    for k in range(end - 1, begin - 1, -1):
        here, inverse = start + (k - begin) * width, E[plan_oil.diagonal[plan_oil.circuit_state[k]]]
        for f in range(np.uintp(plan_oil.upper_first[k]), np.uintp(plan_oil.upper_first[k + 1])):
            there, share = start + np.intp(upper[f, PLACE]) * width, E[upper[f, ENTRY]]
            for column in range(width):
                values[here + column] -= share * values[there + column]
        for column in range(width):
            values[here + column] *= inverse


@kernel
def respond(plan_oil, columns, responses, E, Z):
    """Z = E⁻¹ Z, all columns of all circuits. Writes Z."""
    for c in range(plan_oil.circuit_start.shape[0]):
        solve_columns(plan_oil, c, E, responses[c], columns[c + 1] - columns[c], Z)


@kernel
def follow(plan_oil, columns, responses, weight, speed, Z, result):
    """result += weight Z speed, of each circuit. Writes result."""
    for c in range(plan_oil.circuit_start.shape[0]):
        first, width, entry = columns[c], columns[c + 1] - columns[c], responses[c]
        if width == 0:
            continue
        for k in range(plan_oil.circuit_first[c], plan_oil.circuit_first[c + 1]):
            total = 0.0
            for column in range(width):
                total += Z[entry + column] * speed[first + column]
            result[plan_oil.circuit_state[k]] += weight * total
            entry += width


@kernel
def solve_all(plan_oil, E, scratch, g):
    """g = E⁻¹ g, circuit by circuit; scratch has room for all of g. Writes scratch, g."""
    node = plan_oil.circuit_state
    for k in range(node.shape[0]):
        scratch[k] = g[node[k]]
    for c in range(plan_oil.circuit_start.shape[0]):
        solve(plan_oil, c, E, plan_oil.circuit_first[c], scratch)
    for k in range(node.shape[0]):
        g[node[k]] = scratch[k]


@kernel
def spool_slopes(plan_oil, oil, spool):
    """∂ė/∂state of each node that a branch with a moving opening, or a variable machine, fills or empties. Writes
    spool.
    """
    metered, sign = plan_oil.metered, plan_oil.metered_sign
    for i in range(sign.shape[0]):
        by_state = oil.slope[metered[i, METERED_BRANCH], SLOPE_OPENING] * oil.opening_slope[metered[i, METERED_OPENING]]
        spool[i] = sign[i] * by_state / oil.room[metered[i, METERED_NODE]]
    for i in range(sign.shape[0], spool.shape[0]):
        spool[i] = oil.by_setting[metered[i, METERED_BRANCH]] / oil.room[metered[i, METERED_NODE]]


@kernel
def solve_spools(plan_oil, tau, values):
    """Turn residuals of spools and other lags into their corrections: they follow inputs, no oil moves them. Writes
    values.
    """
    for i in range(plan_oil.lag_state.shape[0]):
        values[plan_oil.lag_state[i]] /= 1.0 + tau / plan_oil.lag_number[i, 0]
    number = plan_oil.second_number
    for i in range(plan_oil.second_state.shape[0]):
        state = plan_oil.second_state[i]
        values[state], values[state + 1] = second_order.correction(
            tau, values[state], values[state + 1], number[i, 0], number[i, 1]
        )


@kernel
def add_spools(plan_oil, increments, spool, rates):
    """Add to the strain rates what the increments of spools do through their openings, but for those in E. Writes
    rates.
    """
    for i in range(spool.shape[0]):
        if plan_oil.metered_entry[i] < 0:
            rates[plan_oil.metered[i, METERED_NODE]] += spool[i] * increments[plan_oil.metered[i, METERED_STATE]]
