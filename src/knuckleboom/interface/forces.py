# SPDX-License-Identifier: BSD-3-Clause
"""Forces on interface rows: springs, friction, stops, applied forces and pistons. One loop per kind: this is the list.

A row sums the λ and the slopes of all elements on it; each element's power λ_i w is kept for the audit.
"""

from knuckleboom.interface.elements import friction, push, spring, stop
from knuckleboom.kernels import kernel
from knuckleboom.layout import signal_value
from knuckleboom.solvers.vectors import fill

KINDS = (spring, friction, stop, push)
FORCE_ROW, FORCE_SIGNAL = 0, 1  # columns of table.index
CHAMBER_ROW, CHAMBER_NODE = 0, 1  # columns of table.chamber_index
CHAMBER_AREA, CHAMBER_DEAD, CHAMBER_ZERO, CHAMBER_GROWS = 0, 1, 2, 3  # columns of table.chamber_number


@kernel
def add(r, element, force, stiffness, damping, rows, power):
    """Add one element's force and slopes to row r and note its power. Writes rows, power."""
    rows.force[r] += force
    rows.stiffness[r] += stiffness
    rows.damping[r] += damping
    power[element] = force * rows.w[r]


@kernel
def forces(table, u, x, gauge, rows, power):
    """Fill λ and its slopes of all interface rows; gauge is the nodes' pressure above ambient. Writes rows, power."""
    index, number, first = table.index, table.number, table.first
    s, w = rows.s, rows.w
    fill(0.0, rows.force)
    fill(0.0, rows.stiffness)
    fill(0.0, rows.damping)

    for i in range(first[spring.KIND], first[spring.KIND + 1]):
        r = index[i, FORCE_ROW]
        force, ds, dw = spring.law(s[r], w[r], number[i, 0], number[i, 1], number[i, 2], number[i, 3])
        add(r, i, force, ds, dw, rows, power)

    for i in range(first[friction.KIND], first[friction.KIND + 1]):
        r = index[i, FORCE_ROW]
        force, dw = friction.law(w[r], number[i, 0], number[i, 1], number[i, 2])
        add(r, i, force, 0.0, dw, rows, power)

    for i in range(first[stop.KIND], first[stop.KIND + 1]):
        r = index[i, FORCE_ROW]
        force, ds, dw = stop.law(s[r], w[r], number[i, 0], number[i, 1], number[i, 2], number[i, 3])
        add(r, i, force, ds, dw, rows, power)

    for i in range(first[push.KIND], first[push.KIND + 1]):
        value = number[i, 0]
        if index[i, FORCE_SIGNAL] >= 0:
            value = signal_value(u, x, index[i, FORCE_SIGNAL])
        add(index[i, FORCE_ROW], i, value, 0.0, 0.0, rows, power)

    # pistons and motors: gauge pressure times the oil taken in per s
    for i in range(table.chamber_index.shape[0]):
        r, node = table.chamber_index[i, CHAMBER_ROW], table.chamber_index[i, CHAMBER_NODE]
        force = table.chamber_number[i, CHAMBER_AREA] * gauge[node]
        add(r, index.shape[0] + i, force, 0.0, 0.0, rows, power)


@kernel
def volumes(index, number, node_number, rows, oil):
    """Fill volume of all nodes and the flow that moves into chambers: a cylinder's volume grows by it, a motor hands
    it on to its other port. Writes oil.
    """
    V, V_dot, growth = oil.V, oil.V_dot, oil.growth
    for i in range(V.shape[0]):
        V[i] = node_number[i, 0]
        V_dot[i] = 0.0
        growth[i] = 0.0
    for i in range(index.shape[0]):
        r, node = index[i, CHAMBER_ROW], index[i, CHAMBER_NODE]
        area = number[i, CHAMBER_AREA]
        V[node] += number[i, CHAMBER_DEAD] + number[i, CHAMBER_GROWS] * area * (rows.s[r] - number[i, CHAMBER_ZERO])
        V_dot[node] += area * rows.w[r]
        growth[node] += number[i, CHAMBER_GROWS] * area * rows.w[r]


@kernel
def elastic_energies(table, s, stored):
    """Fill the energy stored in each element [J] and return the sum; s are the values of the rows. Writes stored."""
    index, number, first = table.index, table.number, table.first
    fill(0.0, stored)
    for i in range(first[spring.KIND], first[spring.KIND + 1]):
        stored[i] = spring.stored(s[index[i, FORCE_ROW]], number[i, 0], number[i, 1], number[i, 3])
    for i in range(first[stop.KIND], first[stop.KIND + 1]):
        stored[i] = stop.stored(s[index[i, FORCE_ROW]], number[i, 0], number[i, 1], number[i, 2])
    total = 0.0
    for i in range(stored.shape[0]):
        total += stored[i]
    return total
