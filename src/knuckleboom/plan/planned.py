# SPDX-License-Identifier: BSD-3-Clause
"""build(machine): from a checked description to Plan, Work and Names, assembled and ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from knuckleboom.engine.run import evaluate_many, system_once
from knuckleboom.errors import Problem
from knuckleboom.layout import MODES, OK, STATE, flatten, shared_by_couplings
from knuckleboom.machine import Machine
from knuckleboom.machine.method import choose_method
from knuckleboom.mechanics.motions import Motion
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.free import Free
from knuckleboom.methods import COSIMULATED, Method
from knuckleboom.names import Names
from knuckleboom.net import FromStart, Row
from knuckleboom.plan import assembly, checks
from knuckleboom.plan.contact_step import fast_contacts
from knuckleboom.plan.contacts import deep_contacts, refused_contacts
from knuckleboom.plan.elements import declared
from knuckleboom.plan.equations import Hanging
from knuckleboom.plan.impulses import TIMESTEPPING, limits_of, meetings, refused_meetings
from knuckleboom.plan.loops import loop_rows
from knuckleboom.plan.naming import name_record
from knuckleboom.plan.natural import rigid_rows
from knuckleboom.plan.network import Network
from knuckleboom.plan.pair_materials import unlisted_materials
from knuckleboom.plan.pairs import deep_pairs
from knuckleboom.plan.payloads import fill_moving_oil, refused_payloads
from knuckleboom.plan.reference_point import free_links, poses_of, start_angles, start_scalars
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.tables import Layout, lay_out, make_plan
from knuckleboom.plan.tires import deep_tires
from knuckleboom.plan.topology import Topology, build_topology, wanted_coordinates
from knuckleboom.plan.touching import compile_touching
from knuckleboom.plan.work import make_work, sizes


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
    doubts: list[Problem]
    """What the check of the machine takes for a mistake, of its parameters as they are now."""

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

    @property
    def iterations(self) -> Matrix | None:
        """Iterations and steps so far, of Newton or of the trapezoidal rule of `cosimulated`; None without any."""
        if self.work.newton:
            return np.array(self.work.newton.count)
        iterated = self.method.coupling == COSIMULATED.coupling and self.method.integrator == "trapezoidal"
        return np.array(self.work.course.count) if iterated else None

    def notes(self) -> list[Problem]:
        """Return what is tolerated: redundant equations, short cylinders, fast contacts, unlisted materials."""
        redundant = checks.redundant_equations(self.machine, self.redundant)
        short = checks.short_cylinders(self.machine, self.layout, self.plan)
        return redundant + short + fast_contacts(self) + unlisted_materials(self)

    def joint_columns(self, joint: str) -> tuple[list[int], list[int]]:
        """Where a tree joint's coordinates stand in q and in v."""
        columns = self.topology.tree[joint]
        return columns.q, columns.v

    def set_state(self, q: Matrix, v: Matrix) -> None:
        """Put a state into Work."""
        self.work.state.q[:] = q
        self.work.state.v[:] = v

    def motions_at(self, times: Matrix) -> Matrix:
        """What each driver prescribes at these times: value, rate and acceleration, as run_explicit takes them."""
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
        # what is evaluated is the same in all couplings, so that one type of Plan and Work is compiled for
        status = system_once(shared_by_couplings(self.plan), shared_by_couplings(self.work))
        if status != OK:
            raise ArithmeticError(f"evaluation ended with status {status}")


def fill_from_start(layout: Layout, plan: Any, work: Any) -> None:
    """Numbers that are taken from the assembled pose."""
    numbered = {id(row): number for number, row in enumerate(layout.rows)}
    for number, force in enumerate(layout.forces):
        for column, value in enumerate(force.numbers):
            if isinstance(value, FromStart):
                start = work.rows.s[numbered[id(force.rows[value.row])]]
                plan.forces.number[number, column] = start + value.offset
    for number, chamber in enumerate(layout.chambers):
        if isinstance(chamber.zero, FromStart):
            start = work.rows.s[plan.forces.chamber_index[number, 0]]
            plan.forces.chamber_number[number, 2] = start + chamber.zero.offset
    fill_moving_oil(layout.network.moving, plan, work)


def start_states(layout: Layout, work: Any) -> None:
    """Strains from start pressures, spools at their input's default, inputs and modes at theirs."""
    for number, node in enumerate(layout.nodes[: layout.nvolume]):
        work.state.x[number] = layout.network.start_strain(node)
    for number, lag in enumerate(layout.lags):
        work.state.x[layout.nvolume + number] = layout.network.start_value(lag)
    work.state.u[:] = [signal.default for signal in layout.inputs]
    work.state.z[:] = [mode.start for force in layout.forces for mode in declared(force).modes]


def has_impulses(machine: Machine) -> bool:
    """Whether something in a machine without problems touches, stops or rubs, so that `timestepping` differs."""
    network = Network(machine, build_topology(machine, wanted_coordinates(machine))[0])
    network.expand_all()
    method = Method.choose(coupling=TIMESTEPPING)
    return bool(meetings(network, method) or limits_of(network, method))


def build(
    machine: Machine, method: Method | None = None, motions: Mapping[str, Motion] | None = None, **words: Any
) -> Planned:
    """Plan a machine: raise MachineError with every problem, or return it assembled at its start.

    `motions` replaces those of drivers, by name; the words are those of the method, as kb.simulate takes them.
    """
    method = method or choose_method(machine, **words)
    refused = refused_contacts(machine, method) + refused_payloads(machine, method)
    checks.refuse(machine, refused + checks.refused_shapes(machine, method))
    if method.coordinates != "relative":
        # the tree's own order for its equations, which are only needed at the start
        simple = "dense" if method.enforcement == "index3" else "sparse"
        relative = replace(method, coordinates="relative", factorisation=simple)
        return build_freed(build(machine, relative, motions), method)
    checks.refuse(machine, machine.check())
    doubts = checks.doubts(machine)
    topology, problems = build_topology(machine, wanted_coordinates(machine))
    checks.refuse(machine, problems + checks.need_coordinates(machine, topology))

    network = Network(machine, topology)
    network.expand_all()
    checks.refuse(machine, checks.without_effect(network) + refused_meetings(network, method))
    loops = loop_rows(network)
    layout, tables = lay_out(machine, network, loops, method)
    size = sizes(layout, tables, method)
    names = name_record(machine, layout, size)
    plan, work = make_plan(tables, method, redundant=False), make_work(size, machine.gravity, method.coupling)
    work.state.q[:], work.state.v[:] = topology.q_start, topology.v_start

    # first as the loops allow, so that drivers can begin there, then where the drivers want it
    drivers, given = machine.of(Driver), motions or {}
    assembly.guess_driven(plan, work, drivers, given)
    assembly.close_loops(plan, work, topology.given_q, driven=False)
    checks.refuse(machine, checks.open_loops(layout, plan, work) + checks.open_by_structure(network, loops, work))
    redundant, problems = checks.redundant_rows(layout, assembly.jacobian(plan, work))
    checks.refuse(machine, problems + checks.without_freedom(layout, assembly.jacobian(plan, work)))
    started = assembly.start_motions(plan, work, drivers, given)
    if started:
        assembly.close_loops(plan, work, topology.given_q, driven=True)
        checks.refuse(machine, checks.out_of_reach(layout, plan, work))
    checks.refuse(machine, checks.without_length(layout, work) + checks.beyond_stroke(layout, work))
    assembly.consistent_velocities(plan, work, topology.given_v)
    fill_from_start(layout, plan, work)
    checks.refuse(machine, checks.columns_astray(network, plan, work))
    start_states(layout, work)

    if redundant:
        plan = make_plan(flatten(plan), method, redundant=True)
    planned = Planned(machine, method, plan, work, names, layout, size, redundant, started, doubts)
    compile_touching(plan, work)
    if network.touches or network.treads or network.pairings:
        planned.mass_matrix()  # finds what touches
        deep = deep_contacts(network, plan, work) + deep_tires(network, work) + deep_pairs(network, plan, work)
        checks.refuse(machine, deep)
    return planned


def build_freed(relative: Planned, method: Method) -> Planned:
    """Plan a machine again with every body free and all joints as constraints, from where it was assembled."""
    machine = relative.machine
    hanging = Hanging.of(relative.topology)
    layout, tables = lay_out_freed(machine, poses_of(relative), relative, hanging, method)
    size = sizes(layout, tables, method)
    names = name_record(machine, layout, size)
    redundant = same_rows(relative.redundant, layout.loops.kept)
    plan = make_plan(tables, method, redundant=bool(redundant))
    work = make_work(size, machine.gravity, method.coupling)
    work.state.q[:], work.state.v[:] = start_scalars(relative, layout)
    work.state.angle[:] = start_angles(relative, layout)
    work.rows.target[:] = relative.work.rows.target
    assembly.close_once(plan, work)
    fill_from_start(layout, plan, work)
    start_states(layout, work)
    return Planned(machine, method, plan, work, names, layout, size, redundant, relative.motions, relative.doubts)


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
    checks.refuse(machine, checks.without_effect(network))
    loops = loop_rows(network, {row.part for row in known if row.planar})
    taken = {row.part: before.plan.rows.number[r] for r, row in enumerate(known)}
    for row in loops.kept:
        if np.isnan(row.numbers).any():
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
