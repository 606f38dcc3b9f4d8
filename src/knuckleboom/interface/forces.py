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
    drag,
    drum_rope,
    efficiency,
    engine_droop,
    friction,
    friction_patch,
    push,
    rotor_currents,
    servo,
    shaft_spring,
    spring,
    stop,
)
from knuckleboom.interface.outside import elements_of_packages
from knuckleboom.kernels import kernel
from knuckleboom.laws.stage_area import stage_area
from knuckleboom.layout import signal_value
from knuckleboom.solvers.vectors import fill

OWN = (
    spring, friction, stop, push, bristle, efficiency, cushion, servo, friction_patch, rotor_currents, shaft_spring,
    engine_droop, drag, drum_rope,
)  # fmt: skip
KINDS = (*OWN, *elements_of_packages([contract.name_of(module) for module in OWN]))
CHAMBER_ROW, CHAMBER_CURVE, CHAMBER_STAGES, CHAMBER_SETTING = 0, 2, 3, 4  # columns of plan_forces.chamber_index
CHAMBER_AREA, CHAMBER_DEAD, CHAMBER_ZERO, CHAMBER_GROWS = 0, 1, 2, 3  # columns of plan_forces.chamber_number


FIRST, WITH_OIL, READING = 0, 1, 2
"""When elements act: those that read what oil does after it, those that read other rows' forces last."""


def turn_of(element: contract.Element) -> int:
    """When an element acts."""
    return READING if element.reads else WITH_OIL if "by_oil" in element.gives else FIRST


NUMBERED = list(enumerate(KINDS))
act_first, act_with_oil, act_reading = (
    contract.act([(kind, one) for kind, one in NUMBERED if turn_of(one.ELEMENT) == turn], title)
    for turn, title in enumerate(("act_first", "act_with_oil", "act_reading"))
)
look_ahead = contract.look_ahead([(kind, one) for kind, one in NUMBERED if contract.has(one, "ahead")])
suddenness = contract.most_sudden([(kind, one) for kind, one in NUMBERED if contract.has(one, "suddenness")])
change_modes = contract.change_modes([(kind, one) for kind, one in NUMBERED if one.ELEMENT.modes])
rates = contract.rates([(kind, one) for kind, one in NUMBERED if one.ELEMENT.states])
energies = contract.energies([(kind, one) for kind, one in NUMBERED if contract.has(one, "stored")])


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
def volumes(plan_forces, node_number, u, x, rows, oil):
    """Fill volume of all nodes and the flow that moves into chambers: a cylinder's volume grows by it, a motor hands
    it on to its other port, more of it with its setting. Writes oil.
    """
    index, number = plan_forces.chamber_index, plan_forces.chamber_number
    V, V_dot, growth = oil.V, oil.V_dot, oil.growth
    for i in range(V.shape[0]):
        V[i] = node_number[i, 0]
        V_dot[i] = 0.0
        growth[i] = 0.0
    for i in range(index.shape[0]):
        r, node, grows = index[i, CHAMBER_ROW], index[i, CHAMBER_NODE], number[i, CHAMBER_GROWS]
        stroke = rows.s[r] - number[i, CHAMBER_ZERO]
        area, swept, bend = number[i, CHAMBER_AREA], number[i, CHAMBER_AREA] * stroke, 0.0
        if index[i, CHAMBER_STAGES] > 0:
            swept, area, bend = stage_area(plan_forces.curve, index[i, CHAMBER_CURVE], index[i, CHAMBER_STAGES], stroke)
        oil.by_setting[i] = 0.0
        if index[i, CHAMBER_SETTING] >= 0:
            oil.by_setting[i] = -area * rows.w[r]
            area *= signal_value(u, x, index[i, CHAMBER_SETTING])
        oil.area[i] = area
        oil.area_slope[i] = bend
        V[node] += number[i, CHAMBER_DEAD] + grows * swept
        V_dot[node] += area * rows.w[r]
        growth[node] += grows * area * rows.w[r]


@kernel
def chamber_slopes(plan_forces, rows, oil, by_w, by_s):
    """Fill ∂ė/∂w of each chamber's volume, and ∂ė/∂s over it: ė + w A′/A, or 0 for a motor. Writes by_w, by_s."""
    index, number = plan_forces.chamber_index, plan_forces.chamber_number
    for i in range(by_w.shape[0]):
        node = index[i, CHAMBER_NODE]
        by_w[i] = -oil.area[i] / oil.room[node]
        by_s[i] = 0.0
        if number[i, CHAMBER_GROWS] > 0.0:
            bend = oil.area_slope[i] / oil.area[i] * rows.w[index[i, CHAMBER_ROW]]
            by_s[i] = oil.x_dot[node] + bend


@kernel
def elastic_energies(plan_forces, u, x, modes, rows):
    """Fill the energy stored in each element [J] and return the sum. Writes rows.stored."""
    stored, total = rows.stored, 0.0
    fill(0.0, stored)
    energies(plan_forces, u, x, modes, rows, stored)
    for i in range(stored.shape[0]):
        total += stored[i]
    return total
