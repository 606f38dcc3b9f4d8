# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a power side with steps of its own: rows that move it, and what `cosimulated` hands over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.engine.cosimulate import MECHANICS
from knuckleboom.engine.course import COURSES, HANDED, ORDERS, VARIABLES
from knuckleboom.engine.elsewhere import ELSEWHERE
from knuckleboom.engine.power_side import POWER_INTEGRATORS, PUBLISHED, STRAIGHT
from knuckleboom.machine.elements import Chamber, Force
from knuckleboom.methods import Method
from knuckleboom.net import Row
from knuckleboom.plan.elements import declared, supplied

if TYPE_CHECKING:
    from knuckleboom.plan.tables import Layout

COSIMULATED = "cosimulated"
OWN_COURSES = {"": STRAIGHT, "straight": STRAIGHT, "published": PUBLISHED}
RATES = 4
"""Of each row that is exchanged: numbers of state.exchange; as many follow for all together."""


def exchanged_rows(all_rows: list[Row], forces: list[Force], chambers: list[Chamber]) -> list[int]:
    """Numbers of the rows on which chambers act, or elements with states, whose rows stay together."""
    moved = {id(chamber.row) for chamber in chambers}
    moved |= {id(row) for force in forces if declared(force).states for row in force.rows}
    return [number for number, row in enumerate(all_rows) if id(row) in moved]


def course_tables(layout: Layout, tables: dict[str, np.ndarray], method: Method) -> dict[str, np.ndarray]:
    """What the machine decides of the family `course`."""
    stiff = tables["tangent.stiff"]
    none = np.zeros(0, np.int64)
    if method.coupling != COSIMULATED:
        return {
            "course.row": tables["tangent.row"], "course.exchange": np.zeros(4, np.int64), "course.stiff": none,
            "course.own": np.zeros(0), "course.own_power": np.zeros(0), "course.chamber": none,
            "course.slot_first": np.zeros(1, np.int64), "course.slot": none, "course.stand_power": none,
            "course.stand_input": none,
        }  # fmt: skip
    rows = exchanged_rows(layout.rows, layout.forces, layout.chambers)
    if method.elsewhere == "power":
        alone = {id(row) for row in rows_elsewhere(layout.forces, method)}
        rows = [number for number, row in enumerate(layout.rows) if id(row) in alone]
    stands = [standing(layout, layout.rows[row], method) for row in rows] if method.elsewhere else []
    numbers = [int(stiff[row]) for row in rows]
    by_pressure = method.variables == "pressure-displacement"
    own = np.ones(len(tables["tangent.row"]))
    if not by_pressure:
        own[numbers] = 0.0
    reached = [slots_reached(tables, k) for k in numbers]
    place = {row: i for i, row in enumerate(rows)}
    return {
        "course.row": np.array(rows, np.int64),
        "course.exchange": np.array(
            [ORDERS[method.order], HANDED[method.handed], VARIABLES[method.variables], MECHANICS[method.integrator]]
        ),
        "course.stiff": np.array(numbers, np.int64),
        "course.own": own,
        "course.own_power": own_powers(layout, [layout.rows[row] for row in rows], by_pressure=by_pressure),
        "course.chamber": np.array([place[row] for row in tables["forces.chamber_index"][:, 0].tolist()], np.int64),
        "course.slot_first": np.cumsum([0, *(len(slots) for slots in reached)]).astype(np.int64),
        "course.slot": np.array([slot for slots in reached for slot in slots], np.int64),
        "course.stand_power": np.array(stands, np.int64),
        "course.stand_input": tables["forces.index"][stands, 1] if stands else none,
    }


def rows_elsewhere(forces: list[Force], method: Method) -> list[Row]:
    """The rows whose force is that of a power side elsewhere."""
    names = [push for _, push in method.stands] if method.elsewhere == "power" else []
    return [force.row for force in forces if force.part in names]


def shared_name(layout: Layout, row: Row) -> str:
    """Name of the part that a row belongs to."""
    acting: list[Chamber | Force] = [*layout.chambers, *layout.forces]
    return next(one.part for one in acting if one.row is row)


def standing(layout: Layout, row: Row, method: Method) -> int:
    """Number of the push that stands for the other side on a row."""
    push = dict(method.stands)[shared_name(layout, row)]
    return next(number for number, force in enumerate(layout.forces) if force.part == push)


def slots_reached(tables: dict[str, np.ndarray], k: int) -> list[int]:
    """The slots that row k of those with slopes reaches when it is solved for, in the order of elimination."""
    first = tables["tangent.path_first"]
    return slots_above(tables, tables["tangent.path_dof"][first[k] : first[k + 1]])


def slots_above(tables: Mapping[str, np.ndarray], velocities: Iterable[int]) -> list[int]:
    """The slots that a row with these velocities reaches, likewise."""
    start, depth, ancestor = (tables[f"system.slot_{name}"] for name in ("start", "depth", "ancestor"))
    found = {int(tables["system.velocity_slot"][v]) for v in velocities}
    for slot in range(len(start) - 1, -1, -1):
        if slot in found:
            found.update(int(above) for above in ancestor[start[slot] : start[slot] + depth[slot]])
    return sorted(found, reverse=True)


def own_powers(layout: Layout, rows: list[Row], *, by_pressure: bool) -> np.ndarray:
    """1 for powers that the mechanics accounts for: of forces on other rows, of loads and drivers; by pressure also of
    all forces on these rows but the chambers'.
    """
    moved = {id(row) for row in rows}
    handed = [not by_pressure and any(id(row) in moved for row in force.rows) for force in layout.forces]
    given = [handed[layout.forces.index(force)] for force in supplied(layout.forces)]
    theirs = handed + [True] * len(layout.chambers) + given
    oil = [True] * (len(layout.branches) + len(layout.nodes))
    between = layout.oil_power - len(theirs)
    return 1.0 - np.array([*theirs, *[False] * between, *oil, *[False] * len(layout.loops.driven)], float)


def course_switches(method: Method) -> dict[str, np.ndarray]:
    """The numbers of the method in the family `course`."""
    kinds = COURSES if method.coupling == COSIMULATED else OWN_COURSES
    apart = method.power_integrator
    return {
        "course.kind": np.array([kinds[method.course]], np.int64),
        "course.integrator": np.array([POWER_INTEGRATORS[apart] if apart else -1], np.int64),
        "course.step": np.array([method.power_step]),
        "course.tolerance": np.array([method.tolerance[1]]),
        "course.elsewhere": np.array([ELSEWHERE[method.elsewhere], 0], np.int64),
    }


def exchange_sizes(size: dict[str, int], tables: dict[str, np.ndarray], method: Method) -> dict[str, int]:
    """Sizes of the family `course`: what only `cosimulated` has is empty elsewhere."""
    rows, there = len(tables["course.stiff"]), method.coupling == COSIMULATED
    return {
        "nexchanged": rows, "nexchanges": int(there), "nexchange": RATES * (rows + there),
        "nownpower": size["npower"] * there, "nfree": size["nv"] * there, "nheld": size["nloop"] * there,
        "nreach": size["nslot"] * there, "nelsewhere": len(tables["course.stand_power"]),
    }  # fmt: skip
