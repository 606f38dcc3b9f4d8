# SPDX-License-Identifier: BSD-3-Clause
"""Checks of a machine while it is planned: each returns problems, and `refuse` raises them with their places.

What can be seen in the description alone is checked before, by machine/rules. Here is what shows only when the tree is
built, parts are expanded or the loops are closed: coordinates that were cut, places that cannot move against each
other, loops that stay open, drivers that are too many, cylinders beyond their stroke. What is tolerated is a note.
Tested by the golden texts in tests/errors/.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import MachineError, Problem
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.rules import DOUBTS
from knuckleboom.machine.rules.bodies import slide_of
from knuckleboom.machine.rules.values import too_short
from knuckleboom.mechanics.moving_oil import ALONG, LINK, REACH
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.mechanics.parts.shape import Shape
from knuckleboom.mechanics.rows.description import declared
from knuckleboom.mechanics.rows.geometry import LENGTH
from knuckleboom.methods import Method
from knuckleboom.net import Row
from knuckleboom.plan import assembly
from knuckleboom.plan.loops import Loops
from knuckleboom.plan.network import Network
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.tables import Layout
from knuckleboom.plan.topology import Topology, joint_axes, joints_of
from knuckleboom.units import format_si

OPEN = 1e-6
"""m or rad: a loop that is open by more than this at the start is a problem."""
PART = 1e-9
"""Of the largest motion that loops leave free: less than this is none."""
GIVE = 0.01
"""Part of its stroke by which a cylinder may start beyond an end: the stops there are springs."""


def doubts(machine: Machine) -> list[Problem]:
    """What the rules take for a mistake in a machine that they do not refuse: every run warns of it."""
    return [item for rule in DOUBTS for item in rule(machine)]


def refused_shapes(machine: Machine, method: Method) -> list[Problem]:
    """Bodies with shapes in a method that has none."""
    if method.coordinates != "natural":
        return []
    rule = "natural coordinates have no shapes: their mass matrix is constant."
    fix = "Take coordinates reference-point, in which every body is on its own, too."
    return [problem(shape, rule, fix) for shape in machine.of(Shape)[:1]]


def need_coordinates(machine: Machine, topology: Topology) -> list[Problem]:
    """Parts that act in a joint which had to be cut."""
    problems = []
    cut = {joint.name for joint in topology.cut}
    for part in machine.parts.values():
        for name in sorted(cut & joints_of(part)):
            rule = f"{part.KIND} '{part.name}' acts in joint '{name}', which closes a loop and has no coordinate."
            others = "Mark another joint of the loop with cut: true."
            problems.append(Problem(rule, part=part.name, kind=part.KIND, fix=others))
    return problems


def without_effect(network: Network) -> list[Problem]:
    """Rods and drivers between places that cannot move against each other."""
    problems = []
    found: list[Rod | Driver] = [*network.machine.of(Rod), *network.machine.of(Driver)]
    for part in found:
        if part.a is None or part.b is None:
            continue
        (link_a, _, _), (link_b, _, _) = network.on_link(part.a), network.on_link(part.b)
        if link_a == link_b:
            what = "hold" if isinstance(part, Rod) else "move"
            rule = f"{part.KIND} '{part.name}' joins two places that are fixed to each other, so it can {what} nothing."
            problems.append(Problem(rule, part=part.name, kind=part.KIND, fix="Delete it, or give places that move."))
    return problems


def gaps(layout: Layout, plan: Any, work: Any, wanted: list[Row]) -> dict[str, tuple[float, str]]:
    """How far each part's rows are from closed, the worst part first: a distance in m, or an angle in rad.

    Rows of one point are the components of its distance; a rod's row is (|d|² − f²)/2L with its prescribed length f.
    """
    target = {r: float(work.rows.target[d, 0]) for d, r in enumerate(plan.rows.driven)}
    apart: dict[str, float] = {}
    others: dict[str, tuple[float, str]] = {}
    for number, row in enumerate(layout.loops.kept):
        if row not in wanted:
            continue
        size = float(work.rows.s[number])
        if declared(row).rod:
            length = float(plan.rows.number[number, LENGTH])
            f = target.get(number, length)
            size = float(np.sqrt(max(f * f + 2.0 * length * size, 0.0))) - f
        if row.unit == "m":
            apart[row.part] = float(np.hypot(apart.get(row.part, 0.0), size))
        else:
            others[row.part] = max(others.get(row.part, (0.0, row.unit)), (abs(size), row.unit))
    found = {part: (size, unit) for part, (size, unit) in others.items() if not size <= OPEN}
    found |= {part: (size, "m") for part, size in apart.items() if not size <= OPEN}
    return dict(sorted(found.items(), key=lambda item: -item[1][0]))


def open_loops(layout: Layout, plan: Any, work: Any) -> list[Problem]:
    """Loops that assembly could not close, the worst first."""
    problems = []
    loops = [row for row in layout.loops.kept if row not in layout.loops.driven]
    for part, (size, unit) in gaps(layout, plan, work, loops).items():
        rule = f"'{part}' closes a loop that cannot be assembled: it stays open by {size:.3g} {unit}."
        fix = "Check lengths and places of the loop's parts, or give start values nearer to the closed pose."
        problems.append(Problem(rule, part=part, fix=fix))
    return problems


def out_of_reach(layout: Layout, plan: Any, work: Any) -> list[Problem]:
    """Drivers that cannot begin at their start value, though the loops close; the worst is named."""
    far = gaps(layout, plan, work, layout.loops.driven)
    problems = []
    for part, (size, unit) in list(far.items())[:1]:
        rule = f"driver '{part}' cannot begin at its start value: {size:.3g} {unit} are missing."
        fix = "Let it begin at a place that the mechanism can reach, or leave its start out."
        problems.append(Problem(rule, part=part, kind=Driver.KIND, fix=fix))
    return problems


def redundant_rows(layout: Layout, J: Matrix) -> tuple[list[Row], list[Problem]]:
    """Redundant loop rows, and the drivers that want to move what others determine already."""
    number = {id(row): place for place, row in enumerate(layout.loops.kept)}
    driven = layout.loops.driven
    order = [row for row in layout.loops.kept if row not in driven] + driven
    independent = assembly.independent_rows(J[[number[id(row)] for row in order]])
    redundant = [row for row, new in zip(order, independent, strict=True) if not new]
    problems = []
    for row in redundant:
        if row not in driven:
            continue
        others = [other for other in order[: order.index(row)] if other not in redundant]
        shares = np.linalg.lstsq(J[[number[id(other)] for other in others]].T, J[number[id(row)]], rcond=1e-10)[0]
        parts = {other.part for other, share in zip(others, shares, strict=True) if abs(share) > OPEN}
        names = ", ".join(f"'{part}'" for part in sorted(parts))
        rule = f"driver '{row.part}' is one too many: what it moves is determined by {names} already."
        fix = "Delete one of them, or drive something that is still free to move."
        problems.append(Problem(rule, part=row.part, kind=Driver.KIND, fix=fix))
    return [row for row in redundant if row not in driven], problems


def without_freedom(layout: Layout, J: Matrix) -> list[Problem]:
    """Shafts and columns of oil that sums and gears hold at rest: they leave them no way to move together.

    Shapes may be held by a loop.
    """
    held = [row for row in layout.loops.kept if row not in layout.loops.driven]
    scalars = layout.topology.scalars
    if not held or not scalars:
        return []
    J = J[[number for number, row in enumerate(layout.loops.kept) if row in held]]
    _, sizes, V = np.linalg.svd(J)
    free = V[int(np.sum(sizes > PART * sizes[0])) :]
    problems: dict[tuple[str, ...], Problem] = {}
    for name, columns in scalars.items():
        v = columns.v[0]
        if v in layout.topology.shared or not np.any(J[:, v]) or np.linalg.norm(free[:, v]) > PART:
            continue
        shares = np.linalg.lstsq(J.T, np.eye(len(V))[v], rcond=1e-10)[0]  # of rows that together hold it
        parts = tuple(sorted({row.part for row, share in zip(held, shares, strict=True) if abs(share) > OPEN}))
        part = layout.network.machine.parts[name]
        rule = f"{part.KIND} '{name}' cannot move: {', '.join(map(repr, parts))} leave it no freedom."
        fix = "Delete one of these, or name another shaft in one of them."
        problems.setdefault(parts, Problem(rule, part=name, kind=part.KIND, fix=fix))
    return list(problems.values())


def open_by_structure(network: Network, loops: Loops, work: Any) -> list[Problem]:
    """Dropped rows that do not hold: a planar loop whose parts do not lie in one plane."""
    problems = []
    for row in loops.dropped:
        a, b = row.index[:2]
        R_a, R_b = work.motion.R_WL[a].reshape(3, 3), work.motion.R_WL[b].reshape(3, 3)
        f = R_a @ row.numbers[6:9]
        if row.unit == "m":
            gap = work.motion.p_OL[b] + R_b @ row.numbers[3:6] - work.motion.p_OL[a] - R_a @ row.numbers[0:3]
            size = float(abs(f @ gap))
        else:
            size = float(abs(f @ (R_b @ row.numbers[9:12])))
        if size > OPEN:
            where = "along its axis" if row.unit == "m" else "in direction"
            apart = f"its two sides are {size:.3g} {row.unit} apart {where}"
            reason = "joins two bodies that are fixed together" if a == b else "closes a loop of parallel axes"
            fix = "Move one of its places along the axis until they meet."
            if row.unit == "rad":
                fix = "Turn one of its places (rpy) until the axes agree."
            problems.append(Problem(f"'{row.part}' {reason}, but {apart}.", part=row.part, fix=fix))
    return problems


def without_length(layout: Layout, work: Any) -> list[Problem]:
    """Springs, dampers and cylinders whose two places coincide at the start: they have no direction."""
    problems = []
    for number, row in enumerate(layout.rows):
        if declared(row).never_zero and not work.rows.s[number] > OPEN:
            rule = f"'{row.part}' has no direction: its two places coincide at the start."
            problems.append(Problem(rule, part=row.part, fix="Move one of its places, or start the machine elsewhere."))
    return problems


def beyond_stroke(layout: Layout, work: Any) -> list[Problem]:
    """Cylinders that are longer or shorter at the start than they are made for."""
    problems = []
    for number, row in enumerate(layout.rows):
        part = layout.network.machine.parts.get(row.part)
        if not isinstance(part, Ram) or part.closed is None:
            continue
        length, give = float(work.rows.s[number]), GIVE * part.travel()
        shortest, longest = part.closed, part.closed + part.travel()
        if not shortest - give <= length <= longest + give:
            made = f"{format_si(shortest, 'm')} to {format_si(longest, 'm')}"
            rule = f"cylinder '{part.name}' is {format_si(length, 'm')} long at the start, but made for {made}."
            fix = "Check closed, stroke and its places, or start the machine elsewhere; without closed it is half out."
            problems.append(Problem(rule, part=part.name, kind=part.KIND, field="closed", fix=fix))
    return problems


def columns_astray(network: Network, plan: Any, work: Any) -> list[Problem]:
    """Cylinders whose oil has mass, but whose line is not that of their slide at the start, or whose rod is short."""
    machine, problems = network.machine, []
    for part in dict.fromkeys(oil.part for oil in network.moving):
        ram = machine.parts[part]
        assert isinstance(ram, Ram)
        slide, number = slide_of(machine, ram), [oil.part for oil in network.moving].index(part)
        assert slide is not None
        line, link = plan.payload.moving[number], plan.payload.index[len(plan.payload.number) + number, LINK]
        on, R, _ = network.on_link(slide.b)
        axis = work.motion.R_WL[on].reshape(3, 3) @ R @ joint_axes(slide)[:, 2]
        along = work.motion.R_WL[link].reshape(3, 3) @ line[ALONG : ALONG + 3]
        away = float(np.linalg.norm(np.cross(axis, along)))
        if away > OPEN:
            off = f"{np.degrees(np.arcsin(min(away, 1.0))):.3g} degrees off the axis of '{slide.name}'"
            rule = f"its line from a to b is {off}, along which its oil moves."
            problems.append(problem(ram, rule, "Move a or b until the line is along that axis.", field="oil_mass"))
        if line[REACH] < ram.travel():
            short = f"{line[REACH]:.4g} m from piston to pin, shorter than its stroke of {ram.travel():.4g} m"
            fix = "Give a longer closed, or a smaller base."
            problems.append(problem(ram, f"its rod is {short}.", fix, field="base"))
    return problems


def redundant_equations(machine: Machine, redundant: list[Row]) -> list[Problem]:
    """Return the equations that others fulfil already at the start, joint by joint: tolerated, worth knowing."""
    rows: dict[str, list[str]] = {}
    for row in redundant:
        rows.setdefault(row.part, []).append(row.label)
    notes = []
    for part, labels in rows.items():
        many = "an equation" if len(labels) == 1 else f"{len(labels)} equations"
        rule = f"'{part}' adds {many} that the other loops fulfil already at the start ({', '.join(labels)})."
        fix = "That is tolerated; how the joints share these forces is then one answer of many."
        notes.append(machine.placed(Problem(rule, part=part, fix=fix)))
    return notes


def short_cylinders(machine: Machine, layout: Layout, plan: Any) -> list[Problem]:
    """Return the cylinders that are too short when retracted, where that length follows from the start: nobody
    stated it, so that no run warns of it.
    """
    found: list[Problem] = []
    for number, force in enumerate(layout.forces):
        ram = machine.parts.get(force.part)
        if force.element == "stop" and isinstance(ram, Ram) and ram.closed is None:
            found += too_short(ram, float(plan.forces.number[number, 0]))
    return [machine.placed(item) for item in found]


def refuse(machine: Machine, problems: list[Problem]) -> None:
    """Raise all problems, each with its place in the machine's file."""
    if problems:
        raise MachineError([machine.placed(problem) for problem in problems], machine.where)
