# SPDX-License-Identifier: BSD-3-Clause
"""From rows and links to the equations: which velocities couple, in what order they go, and every table of them.

In joint coordinates the order is that of the tree (plan/elimination.py); for bodies on their own, and where Newton's
matrix is sparse, that of least fill (plan/pattern.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from knuckleboom.machine.elements import Node
from knuckleboom.mechanics.rows.contract import PRODUCTS
from knuckleboom.mechanics.rows.description import declared, is_coordinate
from knuckleboom.methods import GRADIENTS, Method
from knuckleboom.net import Row
from knuckleboom.plan.contacts import carrying
from knuckleboom.plan.impulses import impulse_tables, limits_of, meetings
from knuckleboom.plan.loops import chain
from knuckleboom.plan.natural import Quadratic, entries_of, natural_tables, quadratic_row
from knuckleboom.plan.network import Network
from knuckleboom.plan.newton import Places, both_places, newton_tables, wrench_paths
from knuckleboom.plan.pairs import route_tables, way_tables, ways_of
from knuckleboom.plan.payloads import moving_paths, moving_tables
from knuckleboom.plan.stiffening import rows_to_stiffen, square_velocities, stiffening_tables
from knuckleboom.plan.system import (
    Differences,
    Entry,
    Order,
    System,
    ancestor_lists,
    body_pairs,
    path_entries,
    row_entries,
    velocities_of,
)
from knuckleboom.plan.tangent import row_tables
from knuckleboom.plan.topology import GROUND, Link, Topology


@dataclass(frozen=True)
class Hanging:
    """How bodies hang on each other in joint coordinates: what each tree joint carries, and on what each body hangs."""

    outer: Mapping[str, str]
    inner: Mapping[str, str]

    @classmethod
    def of(cls, topology: Topology) -> Hanging:
        """From the tree of a machine in joint coordinates."""
        crossings = topology.crossings
        outer = {joint: crossing.far for joint, crossing in crossings.items()}
        return cls(outer, {crossing.far: crossing.near for crossing in crossings.values()} | topology.attached)

    def waits(self, row: Row) -> set[str]:
        """The bodies that must go before a row does: see plan/pattern.py."""
        if declared(row).entries == PRODUCTS:
            return set(row.bodies)
        if row.of:
            return {self.outer[one.joint] for one in row.of if one.joint}
        if is_coordinate(row):
            return set()
        joint = row.joint or row.part
        if joint in self.outer:
            return {self.outer[joint]}
        return self.above(row.bodies[0]) ^ self.above(row.bodies[1])

    def above(self, body: str) -> set[str]:
        """A body and all that it hangs on, without the ground."""
        found = set()
        while body != GROUND:
            found.add(body)
            body = self.inner[body]
        return found


def equations(
    network: Network, kept: list[Row], all_rows: list[Row], stiff: list[int],
    together: list[tuple[list[int], list[int]]], circuits: list[list[int]], nodes: list[Node], method: Method,
    hanging: Hanging | None,
) -> tuple[Order, dict[str, np.ndarray]]:  # fmt: skip
    """The order of elimination, and the tables of system, natural, stiffened, implicit rows, newton and screws.

    `stiff` are rows with slopes, `together` those of one element, `hanging` tells that every body is on its own, and
    how they hang together.
    """
    topology, links, free = network.topology, network.topology.links, hanging is not None
    natural, index3 = method.coordinates == "natural", method.enforcement == "index3"
    quadratic = quadratic_rows(network, kept) if natural else {}
    apart = Differences.of(links)
    paths = [
        entries_of(quadratic[r]) if r in quadratic else apart.entries(links, row, free=free)
        for r, row in enumerate(kept)
    ]
    pushes = [apart.entries(links, all_rows[number], free=free) for number in stiff]
    # natural coordinates have contact in explicit steps only, without a tangent
    touching = carrying(network) if not natural else []
    system = System(links, body_pairs(links, touching) if free else ancestor_lists(links), paths)
    # conjugate gradients have all rows in their matrix anyhow
    stiffened = free and method.factorisation != GRADIENTS
    sigma = rows_to_stiffen(topology, kept, natural=natural) if stiffened else {}
    turning = wrench_paths(links, all_rows, set(quadratic), free=free) if index3 else []
    shared = rows_of_circuits(network, all_rows, stiff, circuits, nodes) if index3 else set()
    if index3:
        shared |= {(one, other) for own, reach in together for one in own for other in reach}

    lengths = [next(k for k, r in enumerate(stiff) if all_rows[r] is oil.row) for oil in network.moving if index3]
    growing = moving_paths(network, [all_rows[stiff[k]] for k in lengths])
    system.coupled += [velocities(push) for push in pushes] + [velocities(paths[r]) for r in sigma]
    system.coupled += [velocities([entry for k in own for entry in pushes[k]]) for own, _ in together if len(own) > 1]
    ways = [apart.way(links, *ends) for ends in ways_of(network)] if method.coupling == "realtime" else []
    routes = [path_entries(links, *ends) for ends in ways_of(network)] if index3 else []
    system.coupled += [velocities(way) for way in [*ways, *routes]]
    met = meetings(network, method)
    between = [apart.way(links, *ends) for ends in met]
    place = {id(all_rows[number]): k for k, number in enumerate(stiff)}
    between += [pushes[place[id(force.row)]] for force in limits_of(network, method)]
    pattern = free or (index3 and method.factorisation == "sparse")
    if pattern and index3:
        system.coupled += [velocities(line) for line in turning]
        system.coupled += [velocities([*pushes[one], *pushes[other]]) for one, other in shared]
        system.coupled += [list(pair) for row in quadratic.values() for pair in row.products]
        pairs = zip(growing, lengths, strict=True)
        system.coupled += [[v, e.velocity] for path, k in pairs for v, _ in path for e in pushes[k] if e.velocity != v]
    order: Order
    if not pattern:
        order = system.tree_order(kept, topology.q_start)
    else:
        order = system.pattern_order(None if hanging is None else closing(topology, kept, hanging))

    tables = system.tables(order)
    first = tables["system.path_first"]
    tables |= natural_tables(system, first, quadratic, network.machine.gravity)
    tables |= stiffening_tables(system, order, first, sigma)
    tables |= way_tables(ways, order)
    tables |= impulse_tables(met, between, tables)
    tables["links.between"] = apart.table()
    tables |= row_tables(stiff, pushes, len(all_rows), order, together)
    if index3:
        places = Places(order, whole=method.factorisation == "dense")
        tables |= newton_tables(system, places, turning, pushes, shared) | route_tables(links, routes, places)
        tables |= moving_tables(places, growing, lengths, pushes)
        tables["newton.square_place"] = both_places(places, square_velocities(system, sigma))
        products = [pair for row in quadratic.values() for pair in row.products]
        tables["newton.product_place"] = both_places(places, products)
        tables["newton.entries"] = np.array([places.entries])
    return order, tables


def velocities(line: list[Entry]) -> list[int]:
    """The velocities of a row's entries, each once."""
    return sorted({entry.velocity for entry in line})


def quadratic_rows(network: Network, kept: list[Row]) -> dict[int, Quadratic]:
    """The loop rows that are quadratic in natural coordinates, by number."""
    found = {number: quadratic_row(network.topology.links, row) for number, row in enumerate(kept)}
    return {number: row for number, row in found.items() if row is not None}


def closing(topology: Topology, kept: list[Row], hanging: Hanging) -> list[list[int]]:
    """The velocities that close each row alone."""
    links = topology.links
    own = {
        name: [v for k in chain(links, frame.link) for v in velocities_of(links[k])]
        for name, frame in topology.bodies.items()
    }
    return [[v for body in sorted(hanging.waits(row)) for v in own[body]] + shafts_of(links, row) for row in kept]


def shafts_of(links: list[Link], row: Row) -> list[int]:
    """The velocities of scalar inertias that a held row touches."""
    return velocities([entry for one in row.of or (row,) if is_coordinate(one) for entry in row_entries(links, one)])


def rows_of_circuits(
    network: Network, all_rows: list[Row], stiff: list[int], circuits: list[list[int]], nodes: list[Node]
) -> set[tuple[int, int]]:
    """Pairs of rows with slopes, by their numbers among these, that push oil of one circuit."""
    circuit_of = {node: number for number, circuit in enumerate(circuits) for node in circuit}
    node_of = {node.port: number for number, node in enumerate(nodes)}
    place = {id(all_rows[number]): k for k, number in enumerate(stiff)}
    of_circuit: dict[int, set[int]] = {}
    for chamber in network.chambers:
        node = node_of[chamber.port]
        if node in circuit_of:  # no source
            of_circuit.setdefault(circuit_of[node], set()).add(place[id(chamber.row)])
    return {(one, other) for together in of_circuit.values() for one in together for other in together}
