# SPDX-License-Identifier: BSD-3-Clause
"""From links, rows and elements to the arrays of Plan: one small function per family.

Each family is sorted by kind; the order within a kind is that of the description.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from knuckleboom.engine.integrators import generalised_alpha, trapezoidal
from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.hydraulics import network as hydraulic
from knuckleboom.hydraulics import oil_laws
from knuckleboom.interface import forces as interface
from knuckleboom.laws.curve import WIDTH
from knuckleboom.laws.stage_area import WIDTH as STAGE_WIDTH
from knuckleboom.layout import PLAN_FAMILIES, PLAN_FIELDS, group
from knuckleboom.machine import Machine
from knuckleboom.machine.elements import Branch, Chamber, Force, Node, Reading
from knuckleboom.mechanics.accelerations import ENFORCEMENTS, FACTORISATIONS
from knuckleboom.mechanics.rows.description import continued, is_coordinate
from knuckleboom.mechanics.rows.kinds import KINDS
from knuckleboom.methods import Method
from knuckleboom.net import FromStart, NetSignal, Opening, Row
from knuckleboom.plan.contacts import TOUCH_POWERS, contact_tables, with_bends
from knuckleboom.plan.elements import COLUMNS, element_tables, supplied
from knuckleboom.plan.equations import Hanging, equations
from knuckleboom.plan.exchange import course_switches, course_tables, rows_elsewhere
from knuckleboom.plan.ground import ground_tables
from knuckleboom.plan.impulses import impulse_powers, impulse_switches, limit_tables, limits_of
from knuckleboom.plan.link_tables import inertia_table, link_tables, origin_columns
from knuckleboom.plan.loops import Loops
from knuckleboom.plan.network import Network
from knuckleboom.plan.oil_pattern import pattern_tables
from knuckleboom.plan.pairs import pair_tables
from knuckleboom.plan.payloads import MASS_POWERS, payload_tables, with_masses
from knuckleboom.plan.reactions import reaction_tables
from knuckleboom.plan.system import Order, row_entries
from knuckleboom.plan.tableau import tableau
from knuckleboom.plan.tangent import (
    chamber_tables,
    circuit_tables,
    circuits_of,
    exchange_tables,
    metered_tables,
    rows_together,
    setting_table,
    steering_table,
    stiff_rows,
)
from knuckleboom.plan.tires import TIRE_POWERS, tire_tables
from knuckleboom.plan.topology import Link, Topology

TYPES = {"int": np.int64, "place": np.uintp, "short": np.uint32, "float": np.float64}
LEAST_PIVOT, LEAST_PIVOT_OF_BODIES = 1e-12, 1e-6
"""Parts of a loop row's own size, far above what rounding leaves: with all joints as rows it leaves more."""


class Sorted(Protocol):
    """Anything with a kind."""

    kind: int


K = TypeVar("K", bound=Sorted)


def by_kind(items: Sequence[K], count: int) -> tuple[list[K], np.ndarray]:
    """Items sorted by kind, and the first place of each kind with the end appended."""
    ordered = sorted(items, key=lambda item: item.kind)
    kinds = np.array([item.kind for item in ordered], np.int64)
    return ordered, np.searchsorted(kinds, np.arange(count + 1)).astype(np.int64)


def number_table(rows_of_numbers: Sequence[Sequence[float] | np.ndarray], width: int) -> np.ndarray:
    """A float table, each line filled up with zeros."""
    table = np.zeros((len(rows_of_numbers), width))
    for line, values in zip(table, rows_of_numbers, strict=True):
        line[: len(values)] = values
    return table


def index_table(lines: Sequence[Sequence[int]], width: int) -> np.ndarray:
    """An integer table."""
    return np.array(lines, np.int64).reshape(len(lines), width)


@dataclass
class Layout:
    """The ordered elements of every family: what index means what, for naming and messages."""

    topology: Topology
    network: Network
    loops: Loops
    rows: list[Row]
    forces: list[Force]
    chambers: list[Chamber]
    nodes: list[Node]
    branches: list[Branch]
    openings: list[Opening]
    inputs: list[NetSignal]
    lags: list[NetSignal]
    """All states that are no strain: what pressures steer, lags, states of elements."""
    readings: list[Reading]
    elimination: Order
    points: list[tuple[str, str, np.ndarray]]
    limits: list[Force]
    """Stops and dry friction that act by impulses."""

    @property
    def nloop(self) -> int:
        """Number of kept loop rows."""
        return len(self.loops.kept)

    @property
    def nvolume(self) -> int:
        """Number of nodes with a strain."""
        return sum(node.source is None for node in self.nodes)

    @property
    def contact_power(self) -> int:
        """The first power of contacts: after those of forces, chambers and what elements are supplied with."""
        return len(self.forces) + len(self.chambers) + len(supplied(self.forces))

    @property
    def tire_power(self) -> int:
        """The first power of tires: after those of contacts."""
        return self.contact_power + len(TOUCH_POWERS) * len(self.network.touches)

    @property
    def pair_power(self) -> int:
        """The first power of contacts between bodies: after those of tires."""
        return self.tire_power + len(TIRE_POWERS) * len(self.network.treads)

    @property
    def payload_power(self) -> int:
        """The first power of payloads: after those of pairs of bodies."""
        return self.pair_power + len(TOUCH_POWERS) * len(self.network.pairings)

    @property
    def oil_power(self) -> int:
        """The first power of branches: after those of payloads."""
        return self.payload_power + MASS_POWERS * (len(self.network.loads) + len(self.network.moving))

    @property
    def steered(self) -> list[NetSignal]:
        """The states that pressures steer: the first of all lags."""
        return [lag for lag in self.lags if lag.steered is not None]

    @property
    def first_order(self) -> list[tuple[int, NetSignal]]:
        """The states that follow a signal at a time constant, with their number among all lags."""
        return [(number, lag) for number, lag in enumerate(self.lags) if lag.time_constant > 0.0]

    @property
    def second_order(self) -> list[tuple[int, NetSignal]]:
        """Those that follow like a mass on a spring; the rate of each is the next lag."""
        return [(number, lag) for number, lag in enumerate(self.lags) if lag.second is not None]


def lay_out(
    machine: Machine, network: Network, loops: Loops, method: Method, hanging: Hanging | None = None
) -> tuple[Layout, dict[str, np.ndarray]]:  # fmt: skip
    """Order all families and make their tables; numbers taken from the start pose are still NaN."""
    topology, links = network.topology, network.topology.links
    loops.kept.sort(key=lambda row: row.kind)
    all_rows, row_first = by_kind([*loops.kept, *network.rows], len(KINDS))
    for number, row in enumerate(continued(all_rows)):
        row.index = (*row.index[:3], number)
    numbered = {id(row): number for number, row in enumerate(all_rows)}
    term_tables = number_terms(all_rows, numbered)
    forces, force_first = by_kind(network.forces, len(interface.KINDS))
    branches, branch_first = by_kind(network.branches, len(hydraulic.BRANCHES))
    found = {id(branch.opening): branch.opening for branch in branches if branch.opening is not None}
    openings, opening_first = by_kind(list(found.values()), 1 + len(hydraulic.OPENINGS))
    nodes = sorted(network.nodes.values(), key=lambda node: network.node_kind(node)[0])
    # explicit steps have no use for slopes
    shared = rows_elsewhere(forces, method)
    stiff = [] if method.coupling == "explicit" else stiff_rows(all_rows, forces, network.chambers, shared)
    found_steered = [state.steered for state in network.steered_states if state.steered]
    ways, steered_first = by_kind(found_steered, len(hydraulic.STEERED))
    steered = sorted(network.steered_states, key=lambda state: ways.index(state.steered) if state.steered else 0)
    # tangents have those on volumes only
    fixed = {node.port for node in nodes if node.source is not None}
    chambers = sorted(network.chambers, key=lambda chamber: chamber.port in fixed)
    pistons = [chamber for chamber in chambers if chamber.port not in fixed]
    circuits = circuits_of(nodes, branches, chambers, steered)
    together = rows_together(forces, numbered, stiff)
    elimination, tables = equations(network, loops.kept, all_rows, stiff, together, circuits, nodes, method, hanging)

    layout = Layout(
        topology, network, loops, all_rows, forces, chambers, nodes, branches, openings, network.inputs,
        [*steered, *network.lags, *network.element_states], network.readings, elimination, named_points(machine),
        limits_of(network, method),
    )  # fmt: skip
    places = Numbering.of(layout)
    states = {id(lag): layout.nvolume + number for number, lag in enumerate(layout.lags)}
    tables |= contact_tables(network, body_names(topology), states, layout.contact_power)
    tables |= pair_tables(network, body_names(topology), states, layout.pair_power)
    tables |= ground_tables(machine)
    tables |= tire_tables(network, body_names(topology), states, layout.tire_power)
    tables |= payload_tables(network, body_names(topology), states, numbered, layout.payload_power)
    tables["system.path_row"] = rows_of_entries(links, loops.kept, numbered, tables, free=hanging is not None)
    tables |= term_tables | link_tables(topology) | shown_tables(layout) | force_tables(layout, numbered, places)
    tables |= oil_tables(layout, numbered, places) | with_bends(tables)
    tables |= limit_tables(layout.limits, forces, tables["forces.number"])
    tables |= impulse_powers(tables, method)
    tables |= with_masses(tables, network.loads)
    tables |= {
        "links.gravity": np.array(machine.gravity, float),
        "links.origin": origin_columns(topology),
        "rows.first": row_first,
        "rows.index": index_table([(row.kind, *row.index) for row in all_rows], 5),
        "rows.number": number_table([row.numbers for row in all_rows], 12),
        "rows.driven": np.array([numbered[id(row)] for row in loops.driven], np.int64),
        "forces.first": force_first,
        "oil.ambient": np.array([machine.ambient], float),
        "oil.branch_first": branch_first,
        "oil.opening_first": opening_first,
        "oil.steered_first": steered_first,
    }
    tables |= circuit_tables(circuits, [places.node[chamber.port] for chamber in pistons])
    tables |= moved_oil_tables(layout, tables)
    return layout, tables | course_tables(layout, tables, method)


def number_terms(all_rows: list[Row], numbered: dict[int, int]) -> dict[str, np.ndarray]:
    """What rows are made of, and in their index where that is."""
    terms: list[tuple[int, int]] = []
    for row in all_rows:
        if row.of:
            row.index = (len(terms), len(terms) + len(row.of), 0, 0)
            own = [row_entries([], one)[0][0] if is_coordinate(one) else -1 for one in row.of]
            terms += [(numbered[id(one)], v) for one, v in zip(row.of, own, strict=True)]
    weights = [weight for row in all_rows for weight in row.weights]
    return {"rows.term": index_table(terms, 2), "rows.weight": np.array(weights, float)}


def rows_of_entries(
    links: list[Link], kept: list[Row], numbered: dict[int, int], tables: dict[str, np.ndarray], *, free: bool
) -> np.ndarray:
    """The row whose wrench each entry of Φ_q takes, of rows that are made of others."""
    first = tables["system.path_first"]
    found = np.full(int(first[-1]), -1, np.int64)
    for r, row in enumerate(kept):
        of = [
            -1 if is_coordinate(one) else numbered[id(one)]
            for one in row.of
            for _ in {entry.velocity for entry in row_entries(links, one, free=free)}
        ]
        found[first[r] : first[r] + len(of)] = of
    return found


@dataclass
class Numbering:
    """The numbers of nodes by port, and of signals and openings by identity."""

    node: dict[str, int]
    signals: dict[int, int]
    openings: dict[int, int]

    @classmethod
    def of(cls, layout: Layout) -> Numbering:
        """Those of a layout."""
        node = {one.port: number for number, one in enumerate(layout.nodes)}
        return cls(node, number_signals(layout), {id(one): number for number, one in enumerate(layout.openings)})

    def signal(self, which: NetSignal | float | None) -> int:
        """Number of a signal, −1 for none."""
        return self.signals[id(which)] if isinstance(which, NetSignal) else -1


def shown_tables(layout: Layout) -> dict[str, np.ndarray]:
    """Bodies and points that are recorded, and reactions of joints."""
    topology, names = layout.topology, body_names(layout.topology)
    shown = [topology.bodies[name] for name in names]
    places = [topology.bodies[body].p + topology.bodies[body].R @ at for body, _, at in layout.points]
    return reaction_tables(layout.network, layout.rows, names) | {
        "reactions.inertia": inertia_table([frame.inertia for frame in shown]),
        "shown.body_link": np.array([frame.link for frame in shown], np.int64),
        "shown.body_frame": np.array([[*frame.R.ravel(), *frame.p] for frame in shown]).reshape(-1, 12),
        "shown.point_link": np.array([topology.bodies[body].link for body, _, _ in layout.points], np.int64),
        "shown.point_place": np.array(places).reshape(-1, 3),
    }


def force_tables(layout: Layout, numbered: dict[int, int], places: Numbering) -> dict[str, np.ndarray]:
    """Forces on rows and chambers; `numbered` are the rows by identity."""
    forces, chambers = layout.forces, layout.chambers
    curve, starts = joined([force.curve for force in forces] + [chamber.stages for chamber in chambers])

    def chamber_line(chamber: Chamber, start: int) -> tuple[int, ...]:
        row, node, stages = numbered[id(chamber.row)], places.node[chamber.port], len(chamber.stages) // STAGE_WIDTH
        return row, node, start, stages, places.signal(chamber.setting)

    tables = element_tables(forces, chambers, numbered, places.signal, len(layout.inputs))
    return tables | {
        "forces.number": number_table([force_numbers(f, at) for f, at in zip(forces, starts, strict=False)], COLUMNS),
        "forces.curve": curve,
        "forces.chamber_index": index_table(
            [chamber_line(chamber, at) for chamber, at in zip(chambers, starts[len(forces) :], strict=True)], 5
        ),
        "forces.chamber_number": number_table([(c.area, c.dead, *known((c.zero,)), c.grows) for c in chambers], 4),
    }


def oil_tables(layout: Layout, numbered: dict[int, int], places: Numbering) -> dict[str, np.ndarray]:
    """Nodes, branches, openings, what pressures steer, lags and readings; `numbered` are the rows by identity."""
    branches, openings, nodes, signal = layout.branches, layout.openings, layout.nodes, places.signal
    kinds = [layout.network.node_kind(node) for node in nodes]
    branch_number = {(branch.part, branch.name): number for number, branch in enumerate(branches)}
    curve, starts = joined([opening.curve for opening in openings])

    def branch_line(branch: Branch) -> tuple[int, ...]:
        c, d, *_ = (*branch.pilots, branch.a, branch.b)
        opening = -1 if branch.opening is None else places.openings[id(branch.opening)]
        return (*(places.node[port] for port in (branch.a, branch.b, c, d)), opening)

    def steered_line(state: NetSignal) -> tuple[int, ...]:
        assert state.steered is not None
        return (signal(state.steered.command), *(places.node[port] for port in state.steered.ports))

    def reading_line(reading: Reading) -> tuple[int, ...]:
        ports = (places.node[port] if port else -1 for port in (reading.high, reading.low))
        speed = (-1, numbered[id(reading.speed)]) if isinstance(reading.speed, Row) else (signal(reading.speed), -1)
        branch = branch_number[reading.part, reading.flow] if reading.flow else -1
        return (branch, *ports, *speed, signal(reading.setting))

    def opening_numbers(opening: Opening, start: int) -> tuple[float, ...]:
        return (start, len(opening.curve) // WIDTH) if opening.curve else opening.numbers

    return {
        "oil.node_first": np.searchsorted([kind for kind, _ in kinds], np.arange(oil_laws.KINDS + 1)).astype(np.int64),
        "oil.node_number": number_table(
            [(n.volume, *columns) for n, (_, columns) in zip(nodes, kinds, strict=True)], 6
        ),
        "oil.node_elastic": np.array([node.elastic for node in nodes], float),
        "oil.node_signal": np.array([signal(node.source) for node in nodes], np.int64),
        "oil.branch_index": index_table([branch_line(branch) for branch in branches], 5),
        "oil.branch_number": number_table([branch.numbers for branch in branches], 8),
        "oil.opening_signal": np.array([signal(opening.signal) for opening in openings], np.int64),
        "oil.opening_factor": np.array([signal(opening.factor) for opening in openings], np.int64),
        "oil.opening_number": number_table([opening_numbers(*one) for one in zip(openings, starts, strict=True)], 3),
        "oil.curve": curve,
        "oil.steered_index": index_table([steered_line(state) for state in layout.steered], 5),
        "oil.steered_number": number_table([state.steered.numbers for state in layout.steered if state.steered], 7),
        "oil.reading_index": index_table([reading_line(reading) for reading in layout.readings], 6),
        "oil.reading_number": number_table([reading.gains for reading in layout.readings], 11),
        "oil.lag_state": np.array([layout.nvolume + i for i, _ in layout.first_order], np.int64),
        "oil.lag_signal": np.array([signal(lag.follows) for _, lag in layout.first_order], np.int64),
        "oil.lag_number": number_table(
            [(lag.time_constant, *(lag.within or (-np.inf, np.inf))) for _, lag in layout.first_order], 3
        ),
        "oil.second_state": np.array([layout.nvolume + i for i, _ in layout.second_order], np.int64),
        "oil.second_signal": np.array([signal(lag.follows) for _, lag in layout.second_order], np.int64),
        "oil.second_number": number_table([lag.second or () for _, lag in layout.second_order], 2),
        "oil.power_first": np.array([layout.oil_power, layout.oil_power + len(branches)], np.int64),
    }


def moved_oil_tables(layout: Layout, tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What branches, pressures, spools and rows do to strains: where it stands in the circuits' matrices."""
    index, volumes, signals = tables["oil.branch_index"], layout.nvolume, tables["oil.opening_signal"]
    solved = volumes + len(layout.steered)
    exchange = exchange_tables(tables, index, layout.branches, volumes)
    steering = steering_table(tables, tables["oil.steered_index"][:, 1:], volumes)
    chambers, nu = tables["forces.chamber_index"], len(layout.inputs)
    metered = metered_tables(tables, index, signals, chambers, volumes, solved, nu)
    entries = (exchange["oil.exchange"][:, 3], steering[:, 2], metered["oil.metered_entry"])
    return {
        **exchange,
        **chamber_tables(tables),
        "tangent.setting": setting_table(chambers, nu),
        "oil.steering": steering,
        **metered,
        **pattern_tables(tables, np.concatenate(entries).tolist()),
    }


def known(values: Sequence[float | FromStart]) -> list[float]:
    """Numbers, NaN where they come from the start pose."""
    return [np.nan if isinstance(value, FromStart) else value for value in values]


def joined(curves: Sequence[Sequence[float]]) -> tuple[np.ndarray, list[int]]:
    """Curves one after the other, and where each begins."""
    starts = np.concatenate([[0], np.cumsum([len(curve) for curve in curves])]).astype(np.int64)
    return np.array([number for curve in curves for number in curve], float), starts[:-1].tolist()


def force_numbers(force: Force, start: int) -> list[float]:
    """Columns of a force, with the place of its curve after its own."""
    return known(force.numbers) + ([float(start), float(len(force.curve) // WIDTH)] if force.curve else [])


def number_signals(layout: Layout) -> dict[int, int]:
    """Signals are numbered inputs first, then states: strains, then lags."""
    numbers = {id(signal): i for i, signal in enumerate(layout.inputs)}
    first = len(layout.inputs) + layout.nvolume
    return numbers | {id(lag): first + i for i, lag in enumerate(layout.lags)}


def body_names(topology: Topology) -> list[str]:
    """All bodies but the ground, in tree order."""
    return [name for name in topology.bodies if name != "ground"]


def named_points(machine: Machine) -> list[tuple[str, str, np.ndarray]]:
    """Named points and frames of all bodies and the ground: body, name, place in the body."""
    found = []
    for body in machine.bodies():
        for name, at in body.points.items():
            found.append((body.name, name, np.asarray(at, float)))
        for name, frame in body.frames.items():
            found.append((body.name, name, np.asarray(frame.at, float)))
    return found


def make_plan(tables: dict[str, np.ndarray], method: Method, redundant: bool) -> Any:
    """The frozen Plan: the tables of the machine and the switches of the method."""
    iterated = method.enforcement == "augmented"
    solves = 1
    regularisation = LEAST_PIVOT
    if redundant and method.enforcement in ("lagrange", "index3"):
        # what a lifted pivot leaves open is refined
        solves, regularisation = (2, LEAST_PIVOT) if method.coordinates == "relative" else (3, LEAST_PIVOT_OF_BODIES)
    sweeps = 10 if iterated else solves
    omega = method.stabilisation
    switches = (
        INTEGRATORS[method.integrator].KIND,
        ENFORCEMENTS[method.enforcement],
        # of Newton's own matrix newton.whole tells; what it begins with and what is recorded is solved like this
        FACTORISATIONS["sparse" if method.enforcement == "index3" else method.factorisation],
    )
    full = (
        no_control()
        | tables
        | tableau(INTEGRATORS[method.integrator])
        | course_switches(method)
        | impulse_switches(method)
        | {
            "system.method": np.array(switches, np.int64),
            "system.penalty": np.array([method.penalty]),
            "system.damping": np.array([2.0 * omega]),
            "system.stiffness": np.array([omega * omega]),
            "system.tolerance": np.array([1e-10 if iterated else 0.0]),
            "system.sweeps": np.array([sweeps], np.int64),
            "system.regularisation": np.array([regularisation]),
            "newton.rule": np.array(rule_of(method)),
            "newton.tolerance": np.array(method.tolerance),
            "newton.compliance": np.array([1.0 / method.penalty]),
        }
    )
    for name, _, dtype, _ in PLAN_FIELDS:
        if name in full:  # tables that come from another plan have only what its coupling needs
            full[name] = np.ascontiguousarray(full[name], TYPES[dtype])
    return group("plan", PLAN_FAMILIES, full, method.coupling, frozen=True)


def rule_of(method: Method) -> tuple[float, ...]:
    """α_m, α_f, β and γ of an implicit rule."""
    if method.integrator == "generalised-alpha":
        return generalised_alpha.coefficients(method.spectral_radius)
    return trapezoidal.RULE


def no_control() -> dict[str, np.ndarray]:
    """The tables of a machine without controllers and stop conditions; simulation/control.py fills them."""
    none, numbers = np.zeros(0, np.int64), np.zeros(0)
    return {
        "control.first": np.zeros((1, 5), np.int64), "control.read": none, "control.write": none,
        "control.parameter": numbers, "control.stop_column": none, "control.stop_number": numbers.reshape(0, 2),
    }  # fmt: skip
