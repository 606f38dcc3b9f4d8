# SPDX-License-Identifier: BSD-3-Clause
"""build(machine): from a checked description to Plan, Work and Names, assembled and ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from knuckleboom.describe import JointName, Part
from knuckleboom.engine.run import evaluate_many, system_once
from knuckleboom.errors import MachineError, Problem
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.interface.elements import stop
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.layout import MODES, OK, STATE, flatten
from knuckleboom.machine import Machine
from knuckleboom.machine.rules.values import too_short
from knuckleboom.mechanics import rows
from knuckleboom.mechanics.motions import Motion
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.free import Free
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.methods import Method
from knuckleboom.names import Names
from knuckleboom.plan import assembly
from knuckleboom.plan.elements import FromStart, Row
from knuckleboom.plan.equations import Hanging
from knuckleboom.plan.loops import Loops, loop_rows
from knuckleboom.plan.naming import name_record
from knuckleboom.plan.natural import rigid_rows
from knuckleboom.plan.network import Network
from knuckleboom.plan.reference_point import free_links, poses_of, start_angles
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.tables import Layout, lay_out, make_plan
from knuckleboom.plan.topology import Topology, build_topology
from knuckleboom.plan.work import make_work, sizes
from knuckleboom.units import format_si

OPEN = 1e-6
"""m or rad: a loop that is open by more than this at the start is a problem."""
GIVE = 0.01
"""Part of its stroke by which a cylinder may start beyond an end: the stops there are springs."""


@dataclass
class Planned:
    """A machine ready to run: Plan, Work, Names, and what each index means."""

    machine: Machine
    method: Method
    plan: Any
    work: Any
    names: Names
    layout: Layout
    work_size: dict[str, int]
    redundant: list[Row]
    motions: list[Motion]

    @property
    def topology(self) -> Topology:
        """Links, bodies, tree and cut joints."""
        return self.layout.topology

    @property
    def loop_equations(self) -> int:
        """Number of kept loop rows."""
        return self.layout.nloop

    @property
    def dof(self) -> int:
        """Degrees of freedom: coordinates minus independent loop equations."""
        return self.topology.nv - self.layout.nloop + len(self.redundant)

    def notes(self) -> list[Problem]:
        """Return the equations that others fulfil already at the start, joint by joint: tolerated, worth knowing."""
        rows: dict[str, list[str]] = {}
        for row in self.redundant:
            rows.setdefault(row.part, []).append(row.label)
        notes = []
        for part, labels in rows.items():
            many = "an equation" if len(labels) == 1 else f"{len(labels)} equations"
            rule = f"'{part}' adds {many} that the other loops fulfil already at the start ({', '.join(labels)})."
            fix = "That is tolerated; how the joints share these forces is then one answer of many."
            notes.append(self.machine.placed(Problem(rule, part=part, fix=fix)))
        return notes + self._short_cylinders()

    def _short_cylinders(self) -> list[Problem]:
        """Return the cylinders that are too short when retracted, where that length follows from the start: nobody
        stated it, so that no run warns of it.
        """
        found: list[Problem] = []
        for number, force in enumerate(self.layout.forces):
            ram = self.machine.parts.get(force.part)
            if force.kind == stop.KIND and isinstance(ram, Ram) and ram.closed is None:
                found += too_short(ram, float(self.plan.forces.number[number, 0]))
        return [self.machine.placed(item) for item in found]

    def joint_columns(self, joint: str) -> tuple[list[int], list[int]]:
        """Where a tree joint's coordinates stand in q and in v."""
        columns = self.topology.tree[joint]
        return columns.q, columns.v

    def set_state(self, q: Matrix, v: Matrix) -> None:
        """Put a state into Work."""
        self.work.state.q[:] = q
        self.work.state.v[:] = v

    def motions_at(self, times: Matrix) -> Matrix:
        """What each driver wants at these times: value, rate and acceleration, as run_explicit takes them."""
        lines = np.empty((len(times), len(self.motions), 3))
        for d, motion in enumerate(self.motions):
            lines[:, d] = motion.at(times)
        return lines

    def snapshot(self) -> dict[str, Matrix]:
        """Copy the whole state and nothing else."""
        whole, first, kept = self.work.state.whole.copy(), 0, {}
        for name in STATE:
            kept[name] = whole[first : first + len(getattr(self.work.state, name))]
            first += len(kept[name])
        return kept | {MODES: self.work.state.z.copy()}

    def restore(self, state: dict[str, Matrix]) -> None:
        """Return to a snapshot of this machine."""
        for name in (*STATE, MODES):
            held, given = getattr(self.work.state, name).shape, state[name].shape
            if held != given:
                raise ValueError(f"the snapshot has {given} of {name}, this machine {held}: it is of another machine")
        for name in (*STATE, MODES):
            getattr(self.work.state, name)[:] = state[name]
        self.work.rows.target[:] = self.motions_at(self.work.state.time)[0]

    def mass_matrix(self) -> Matrix:
        """M at the state in Work."""
        self._system()
        return assembly.mass_matrix(self.plan, self.work)

    def bias(self) -> Matrix:
        """Generalised bias force, with gravity and the interface's wrenches: M v̇ + bias = joint efforts."""
        self._system()
        return np.array(self.work.system.bias)

    def jacobian(self) -> Matrix:
        """Φ_q of the kept loop rows."""
        assembly.close_once(self.plan, self.work)
        return assembly.jacobian(self.plan, self.work)

    def accelerations(self) -> Matrix:
        """v̇ at the state in Work."""
        status = evaluate_many(self.plan, self.work, 1)
        if status != OK:
            raise ArithmeticError(f"evaluation ended with status {status}")
        return np.array(self.work.system.v_dot)

    def _system(self) -> None:
        status = system_once(self.plan, self.work)
        if status != OK:
            raise ArithmeticError(f"evaluation ended with status {status}")


def joints_of(part: Part) -> set[str]:
    """The joints whose coordinates a part acts on."""
    return {str(name) for _, name in part.references() if isinstance(name, JointName)}


def wanted_coordinates(machine: Machine) -> set[str]:
    """Joints whose coordinates are asked for: they have a start, or something acts in them."""
    acted_on = {name for part in machine.parts.values() for name in joints_of(part)}
    return acted_on | {joint.name for joint in machine.of(Joint) if {"start", "speed"} & joint.model_fields_set}


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

    Rows of one point are the components of its distance; a rod's row is (|d|² − f²)/2L with the length f that it wants.
    """
    target = {r: float(work.rows.target[d, 0]) for d, r in enumerate(plan.rows.driven)}
    apart: dict[str, float] = {}
    turned: dict[str, float] = {}
    for number, row in enumerate(layout.loops.kept):
        if row not in wanted:
            continue
        size = float(work.rows.s[number])
        if row.kind == rows.DISTANCE:
            length = float(plan.rows.number[number, 6])
            f = target.get(number, length)
            size = float(np.sqrt(max(f * f + 2.0 * length * size, 0.0))) - f
        if row.unit == "m":
            apart[row.part] = float(np.hypot(apart.get(row.part, 0.0), size))
        else:
            turned[row.part] = max(turned.get(row.part, 0.0), abs(size))
    found = {part: (size, "rad") for part, size in turned.items() if not size <= OPEN}
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
    """Drivers that cannot begin where they want to, though the loops close; the worst is named, it pulls the others."""
    far = gaps(layout, plan, work, layout.loops.driven)
    problems = []
    for part, (size, unit) in list(far.items())[:1]:
        rule = f"driver '{part}' cannot begin where it wants to: {size:.3g} {unit} are missing."
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
        if row.kind == rows.LENGTH and not work.rows.s[number] > OPEN:
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


def refuse(machine: Machine, problems: list[Problem]) -> None:
    """Raise all problems, each with its place in the machine's file."""
    if problems:
        raise MachineError([machine.placed(problem) for problem in problems], machine.where)


def fill_from_start(layout: Layout, plan: Any, work: Any) -> None:
    """Numbers that are taken from the assembled pose."""
    for number, force in enumerate(layout.forces):
        start = work.rows.s[plan.forces.index[number, 0]]
        for column, value in enumerate(force.numbers):
            if isinstance(value, FromStart):
                plan.forces.number[number, column] = start + value.offset
    for number, chamber in enumerate(layout.chambers):
        if isinstance(chamber.zero, FromStart):
            start = work.rows.s[plan.forces.chamber_index[number, 0]]
            plan.forces.chamber_number[number, 2] = start + chamber.zero.offset


def start_states(layout: Layout, work: Any) -> None:
    """Strains from start pressures, spools at their input's default, inputs at their default."""
    for number, node in enumerate(layout.nodes[: layout.nvolume]):
        work.state.x[number] = layout.network.start_strain(node)
    for number, lag in enumerate(layout.lags):
        work.state.x[layout.nvolume + number] = layout.network.start_value(lag)
    work.state.u[:] = [signal.default for signal in layout.inputs]


def choose_method(machine: Machine, **words: Any) -> Method:
    """The method of these words for a machine; what they leave open follows from whether it has oil."""
    return Method.choose(oil=bool(machine.of(Oil)), **words)


def build(
    machine: Machine, method: Method | None = None, motions: Mapping[str, Motion] | None = None, **words: Any
) -> Planned:
    """Plan a machine: raise MachineError with every problem, or return it assembled at its start.

    `motions` replaces those of drivers, by name; the words are those of the method, as kb.simulate takes them.
    """
    method = method or choose_method(machine, **words)
    if method.coordinates != "relative":
        # the tree's own order for its equations, which are only needed at the start
        simple = "dense" if method.enforcement == "index3" else "sparse"
        relative = replace(method, coordinates="relative", factorisation=simple)
        return build_freed(build(machine, relative, motions), method)
    refuse(machine, machine.check())
    topology, problems = build_topology(machine, wanted_coordinates(machine))
    refuse(machine, problems + need_coordinates(machine, topology))

    network = Network(machine, topology)
    network.expand_all()
    refuse(machine, without_effect(network))
    loops = loop_rows(network)
    layout, tables = lay_out(machine, network, loops, method)
    size = sizes(layout, tables, method)
    plan, work = make_plan(tables, method, redundant=False), make_work(size, machine.gravity, method.coupling)
    work.state.q[:], work.state.v[:] = topology.q_start, topology.v_start

    # first as the loops allow, so that drivers can begin there, then where the drivers want it
    drivers, given = machine.of(Driver), motions or {}
    assembly.guess_driven(plan, work, drivers, given)
    assembly.close_loops(plan, work, topology.given_q, driven=False)
    refuse(machine, open_loops(layout, plan, work) + open_by_structure(network, loops, work))
    redundant, problems = redundant_rows(layout, assembly.jacobian(plan, work))
    refuse(machine, problems)
    started = assembly.start_motions(plan, work, drivers, given)
    if started:
        assembly.close_loops(plan, work, topology.given_q, driven=True)
        refuse(machine, out_of_reach(layout, plan, work))
    refuse(machine, without_length(layout, work) + beyond_stroke(layout, work))
    assembly.consistent_velocities(plan, work, topology.given_v)
    fill_from_start(layout, plan, work)
    start_states(layout, work)

    if redundant:
        plan = make_plan(flatten(plan), method, redundant=True)
    return Planned(machine, method, plan, work, name_record(machine, layout, size), layout, size, redundant, started)


def build_freed(relative: Planned, method: Method) -> Planned:
    """Plan a machine again with every body free and all joints as constraints, from where it was assembled."""
    machine = relative.machine
    hanging = Hanging.of(relative.topology.crossings)
    layout, tables = lay_out_freed(machine, poses_of(relative), relative, hanging, method)
    size = sizes(layout, tables, method)
    redundant = same_rows(relative.redundant, layout.loops.kept)
    plan = make_plan(tables, method, redundant=bool(redundant))
    work = make_work(size, machine.gravity, method.coupling)
    work.state.q[:], work.state.v[:] = layout.topology.q_start, layout.topology.v_start
    work.state.angle[:] = start_angles(relative, layout)
    work.rows.target[:] = relative.work.rows.target
    assembly.close_once(plan, work)
    fill_from_start(layout, plan, work)
    start_states(layout, work)
    names = name_record(machine, layout, size)
    return Planned(machine, method, plan, work, names, layout, size, redundant, relative.motions)


def lay_out_freed(
    machine: Machine, poses: list[Free], before: Planned, hanging: Hanging, method: Method
) -> tuple[Layout, dict[str, Any]]:  # fmt: skip
    """The tables of a machine whose bodies have movements of their own; `before` is an earlier plan of it, in any
    coordinates, from which lengths of rods and offsets of gears, if not given, and planar joints are taken.
    """
    natural, known = method.coordinates == "natural", before.layout.loops.kept
    topology = free_links(machine, poses, vectors=natural)
    network = Network(machine, topology)
    network.expand_all()
    network.measure_joints()
    refuse(machine, without_effect(network))
    loops = loop_rows(network, {row.part for row in known if row.planar})
    taken = {row.part: before.plan.rows.number[r] for r, row in enumerate(known)}
    for row in loops.kept:
        if row.kind in (rows.DISTANCE, rows.RATIO):
            row.numbers = np.where(np.isnan(row.numbers), taken[row.part], row.numbers)
    if natural:
        loops.kept += rigid_rows(topology)
    return lay_out(machine, network, loops, method, hanging)


def same_rows(wanted: list[Row], among: list[Row]) -> list[Row]:
    """The rows of another list that belong to the same parts with the same labels.

    So the redundant rows are found: joints of the tree are independent, and on what they leave free the loops are those
    of the joint coordinates.
    """
    keys = {(row.part, row.label) for row in wanted}
    return [row for row in among if (row.part, row.label) in keys]
