# SPDX-License-Identifier: BSD-3-Clause
"""Forces on interface rows: springs, frictions, stops, cushions, applied forces, servos and pistons. One loop per kind:
this is the list.

A row sums the λ and the slopes of all elements on it; each element's power λ_i w is kept for the audit.
"""

from knuckleboom.interface import contract
from knuckleboom.interface.contract import CHAMBER_NODE, add
from knuckleboom.interface.elements import (
    bristle,
    cushion,
    efficiency,
    friction,
    friction_patch,
    push,
    rotor_currents,
    servo,
    spring,
    stop,
)
from knuckleboom.interface.outside import elements_of_packages
from knuckleboom.kernels import kernel
from knuckleboom.laws.stage_area import stage_area
from knuckleboom.solvers.vectors import fill

OWN = (spring, friction, stop, push, bristle, efficiency, cushion, servo, friction_patch, rotor_currents)
KINDS = (*OWN, *elements_of_packages())
CHAMBER_ROW, CHAMBER_CURVE, CHAMBER_STAGES = 0, 2, 3  # columns of plan_forces.chamber_index
CHAMBER_AREA, CHAMBER_DEAD, CHAMBER_ZERO, CHAMBER_GROWS = 0, 1, 2, 3  # columns of plan_forces.chamber_number


ACTING = list(enumerate(KINDS))
FIRST, WITH_OIL, READING = 0, 1, 2
"""When elements act: those that read what oil does after it, those that read other rows' forces last."""


def turn_of(element: contract.Element) -> int:
    """When an element acts."""
    return READING if element.reads else WITH_OIL if "by_oil" in element.gives else FIRST


act_first, act_with_oil, act_reading = (
    contract.in_turn(
        title, "plan_forces, u, x, modes, oil, rows, power",
        [contract.act(module, kind) for kind, module in ACTING if turn_of(module.ELEMENT) == turn],
    )
    for turn, title in enumerate(("act_first", "act_with_oil", "act_reading"))
)  # fmt: skip
look_ahead = contract.in_turn(
    "look_ahead", contract.AHEAD,
    [contract.look_ahead(module, kind) for kind, module in ACTING if contract.has(module, "ahead")],
)  # fmt: skip
suddenness = contract.largest(
    "suddenness", "plan_forces, h, u, x, modes, rows",
    [contract.most_sudden(module, kind) for kind, module in ACTING if contract.has(module, "suddenness")],
)  # fmt: skip
change_modes = contract.largest(
    "change_modes", "plan_forces, u, x, rows, modes",
    [contract.change_modes(module, kind) for kind, module in ACTING if module.ELEMENT.modes],
)  # fmt: skip
rates = contract.in_turn(
    "rates", "plan_forces, u, x, modes, rows, x_dot",
    [contract.rates(module, kind) for kind, module in ACTING if module.ELEMENT.states],
)  # fmt: skip


@kernel
def forces(plan_forces, u, x, modes, oil, rows, power):
    """Fill λ and its slopes of all interface rows. Writes rows, oil.push, power."""
    fill(0.0, rows.force)
    fill(0.0, rows.stiffness)
    fill(0.0, rows.damping)
    act_first(plan_forces, u, x, modes, oil, rows, power)

    # pistons and motors: gauge pressure times the oil taken in per s
    for i in range(plan_forces.chamber_index.shape[0]):
        r, node = plan_forces.chamber_index[i, CHAMBER_ROW], plan_forces.chamber_index[i, CHAMBER_NODE]
        oil.push[i] = oil.area[i]
        force = oil.area[i] * oil.gauge[node]
        add(r, rows.stored.shape[0] + i, force, oil.area_slope[i] * oil.gauge[node], 0.0, rows, power)

    act_with_oil(plan_forces, u, x, modes, oil, rows, power)
    act_reading(plan_forces, u, x, modes, oil, rows, power)


@kernel
def volumes(plan_forces, node_number, rows, oil):
    """Fill volume of all nodes and the flow that moves into chambers: a cylinder's volume grows by it, a motor hands
    it on to its other port. Writes oil.
    """
    index, number = plan_forces.chamber_index, plan_forces.chamber_number
    V, V_dot, growth = oil.V, oil.V_dot, oil.growth
    for i in range(V.shape[0]):
        V[i] = node_number[i, 0]
        V_dot[i] = 0.0
        growth[i] = 0.0
    for i in range(index.shape[0]):
        r, node, grows = index[i, CHAMBER_ROW], index[i, CHAMBER_NODE], number[i, CHAMBER_GROWS]
        x = rows.s[r] - number[i, CHAMBER_ZERO]
        area, swept, bend = number[i, CHAMBER_AREA], number[i, CHAMBER_AREA] * x, 0.0
        if index[i, CHAMBER_STAGES] > 0:
            swept, area, bend = stage_area(plan_forces.curve, index[i, CHAMBER_CURVE], index[i, CHAMBER_STAGES], x)
        oil.area[i] = area
        oil.area_slope[i] = bend
        V[node] += number[i, CHAMBER_DEAD] + grows * swept
        V_dot[node] += area * rows.w[r]
        growth[node] += grows * area * rows.w[r]


@kernel
def chamber_slopes(plan_forces, rows, oil, by_w, by_s):
    """Fill ∂ė/∂w of each chamber's volume, and ∂ė/∂s over it: ė + w A′/A, or 0 for a motor. Writes by_w, by_s."""
    index, number = plan_forces.chamber_index, plan_forces.chamber_number
    for i in range(index.shape[0]):
        node = index[i, CHAMBER_NODE]
        by_w[i] = -oil.area[i] / oil.room[node]
        bend = oil.area_slope[i] / oil.area[i] * rows.w[index[i, CHAMBER_ROW]]
        by_s[i] = number[i, CHAMBER_GROWS] * (oil.x_dot[node] + bend)


energies = contract.in_turn(
    "energies", "plan_forces, u, x, modes, rows, stored_in",
    [contract.energies(module, kind) for kind, module in ACTING if contract.has(module, "stored")],
)  # fmt: skip


@kernel
def elastic_energies(plan_forces, u, x, modes, rows):
    """Fill the energy stored in each element [J] and return the sum. Writes rows.stored."""
    stored, total = rows.stored, 0.0
    fill(0.0, stored)
    energies(plan_forces, u, x, modes, rows, stored)
    for i in range(stored.shape[0]):
        total += stored[i]
    return total
