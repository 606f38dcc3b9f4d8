# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the tangent of implicit steps: rows whose force has slopes, circuits of oil, what chambers do there."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from knuckleboom.interface.forces import KINDS
from knuckleboom.machine.elements import Branch, Chamber, Force, Node
from knuckleboom.net import NetSignal, Row
from knuckleboom.plan.oil_pattern import in_order
from knuckleboom.plan.system import Entry, Order, starts


def stiff_rows(
    all_rows: list[Row], forces: list[Force], chambers: list[Chamber], elsewhere: Sequence[Row] = ()
) -> list[int]:
    """Numbers of the rows on which an element with slopes or a piston acts, of those that such an element reads, and of
    those whose force is computed elsewhere.
    """
    acted = {id(row) for force in forces if KINDS[force.kind].ELEMENT.stiff for row in force.rows}
    acted |= {id(chamber.row) for chamber in chambers} | {id(row) for row in elsewhere}
    return [number for number, row in enumerate(all_rows) if id(row) in acted]


def rows_together(forces: list[Force], numbered: dict[int, int], stiff: list[int]) -> list[tuple[list[int], list[int]]]:
    """Of elements with several rows: those they act on, and all of them, by their numbers among rows with slopes."""
    place = {number: k for k, number in enumerate(stiff)}
    found = []
    for force in forces:
        rows = [place[numbered[id(row)]] for row in force.rows if numbered[id(row)] in place]
        if KINDS[force.kind].ELEMENT.block and rows:
            found.append((rows[: len(KINDS[force.kind].ELEMENT.rows)], rows))
    return found


def circuits_of(
    nodes: list[Node], branches: list[Branch], chambers: list[Chamber], steered: list[NetSignal]
) -> list[list[int]]:
    """States that branches join or steer, each circuit in the order of elimination; `steered` come after volumes."""
    volumes = {node.port: number for number, node in enumerate(nodes) if node.source is None}
    states = {id(state): len(volumes) + number for number, state in enumerate(steered)}
    leader = list(range(len(volumes) + len(states)))
    near: list[set[int]] = [set() for _ in leader]

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    def join(ports: Sequence[str], *more: int) -> None:
        joined = [volumes[port] for port in ports if port in volumes] + list(more)
        for one, other in itertools.pairwise(joined):
            leader[find(one)] = find(other)
        for state in joined:
            near[state].update(joined)

    for branch in branches:
        signal = None if branch.opening is None else branch.opening.signal
        join((branch.a, branch.b, *branch.pilots), *([states[id(signal)]] if id(signal) in states else []))
    for chamber in chambers:
        if id(chamber.setting) in states:
            join((chamber.port,), states[id(chamber.setting)])
    for state in steered:
        assert state.steered is not None
        join(state.steered.ports, states[id(state)])
    found: dict[int, list[int]] = {}
    for number in range(len(leader)):
        found.setdefault(find(number), []).append(number)
    return [in_order(circuit, near) for circuit in found.values()]


def circuit_tables(circuits: list[list[int]], chamber_nodes: list[int]) -> dict[str, np.ndarray]:
    """Where each circuit's states and matrix stand, and each chamber's response."""
    sizes = np.array([len(circuit) for circuit in circuits], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes * sizes)]).astype(np.int64)
    circuit_of, place_of, diagonal = (np.zeros(int(sizes.sum()), np.int64) for _ in range(3))
    for number, circuit in enumerate(circuits):
        for place, state in enumerate(circuit):
            circuit_of[state], place_of[state] = number, place
            diagonal[state] = starts[number] + place * (len(circuit) + 1)
    moved = np.array([circuit_of[node] for node in chamber_nodes], np.int64)
    widths = np.bincount(moved, minlength=len(circuits)).astype(np.int64)
    columns = np.argsort(moved, kind="stable")
    column_first = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    response_first = np.concatenate([[0], np.cumsum(sizes * widths)]).astype(np.int64)[:-1]
    column_of = np.argsort(columns) - column_first[moved]
    lines = np.array([place_of[node] for node in chamber_nodes], np.int64)
    return {
        "oil.circuit_first": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "oil.circuit_state": np.array([state for circuit in circuits for state in circuit], np.int64),
        "oil.circuit_start": starts[:-1],
        "oil.state_circuit": circuit_of,
        "oil.state_place": place_of,
        "oil.diagonal": diagonal,
        "tangent.chamber_entry": response_first[moved] + lines * widths[moved] + column_of,
        "tangent.column": columns,
        "tangent.column_first": column_first,
        "tangent.response_first": response_first,
    }


def entry_of(tables: dict[str, np.ndarray], row: int, column: int) -> int:
    """Where a pair of states of one circuit stands in the circuits' matrices."""
    first, place = tables["oil.circuit_first"], tables["oil.state_place"]
    c = tables["oil.state_circuit"][row]
    return int(tables["oil.circuit_start"][c] + place[row] * (first[c + 1] - first[c]) + place[column])


def exchange_tables(
    tables: dict[str, np.ndarray], index: np.ndarray, branches: list[Branch], volumes: int
) -> dict[str, np.ndarray]:  # fmt: skip
    """Where each branch stands in the circuits' matrices: in the rows of the volumes at its ends, in the column of each
    volume whose pressure it feels.
    """
    lines, signs = [], []
    for number, branch in enumerate(branches):
        a, b = index[number, :2]
        for column, by in enumerate(index[number, : 2 + len(branch.pilots)]):
            for here, sign in ((a, 1.0), (b, -1.0)):
                if here < volumes and by < volumes:
                    lines.append((number, here, by, entry_of(tables, here, by), column))
                    signs.append(sign)
    return {"oil.exchange": np.array(lines, np.int64).reshape(-1, 5), "oil.exchange_sign": np.array(signs)}


def steering_table(tables: dict[str, np.ndarray], index: np.ndarray, volumes: int) -> np.ndarray:
    """Where the pressures that steer states stand in the circuits' matrices; index are the states' nodes."""
    lines = [
        (number, node, entry_of(tables, volumes + number, node), column)
        for number, nodes in enumerate(index)
        for column, node in enumerate(nodes)
        if node < volumes
    ]
    return np.array(lines, np.int64).reshape(-1, 4)


def metered_tables(
    tables: dict[str, np.ndarray], branches: np.ndarray, signals: np.ndarray, chambers: np.ndarray, volumes: int,
    solved: int, nu: int,
) -> dict[str, np.ndarray]:  # fmt: skip
    """The volumes that branches fill or empty whose opening follows a state, and those of chambers that a state scales:
    signals are those of the openings.
    """
    lines, signs, entries = [], [], []
    for number, (a, b, _, _, opening) in enumerate(branches):
        if opening >= 0 and signals[opening] >= nu:
            state = signals[opening] - nu
            for node, sign in ((a, -1.0), (b, 1.0)):
                if node < volumes:
                    lines.append((number, node, opening, state))
                    signs.append(sign)
                    entries.append(entry_of(tables, node, state) if state < solved else -1)
    for number, state in setting_table(chambers, nu).tolist():
        node = int(chambers[number, 1])
        if node < volumes:
            lines.append((number, node, 0, state))
            entries.append(entry_of(tables, node, state) if state < solved else -1)
    return {
        "oil.metered": np.array(lines, np.int64).reshape(-1, 4),
        "oil.metered_sign": np.array(signs),
        "oil.metered_entry": np.array(entries, np.int64),
    }


def setting_table(chambers: np.ndarray, nu: int) -> np.ndarray:
    """Chambers that a state scales, and these states; chambers are forces.chamber_index."""
    signals = chambers[:, 4]
    scaled = np.flatnonzero(signals >= nu)
    return np.stack([scaled, signals[scaled] - nu], axis=1)


def chamber_tables(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Node and row of each chamber on a volume, and which chambers of a row move each other's oil."""
    rows, nodes = tables["forces.chamber_index"][: len(tables["tangent.column"]), :2].T
    # explicit steps have no rows with slopes
    number = np.maximum(tables["tangent.stiff"][rows], 0)
    circuit = tables["oil.state_circuit"]
    answers = [
        (one, number[one], response_entry(tables, nodes[one], nodes[other], other))
        for one in range(len(rows))
        for other in range(len(rows))
        if rows[one] == rows[other] and circuit[nodes[one]] == circuit[nodes[other]]
    ]
    return {
        "tangent.chamber": np.stack([nodes, number], axis=1),
        "tangent.answer": np.array(answers, np.int64).reshape(-1, 3),
    }


def response_entry(tables: dict[str, np.ndarray], state: int, node: int, chamber: int) -> int:
    """Where the answer of a state to a chamber on a node of its circuit stands in tangent.Z."""
    first, place, c = tables["tangent.column_first"], tables["oil.state_place"], tables["oil.state_circuit"][node]
    lines = int(place[state]) - int(place[node])
    return int(tables["tangent.chamber_entry"][chamber]) + lines * int(first[c + 1] - first[c])


def response_entries(tables: dict[str, np.ndarray]) -> int:
    """Entries of all circuits' answers to their chambers."""
    return int(np.sum(np.diff(tables["oil.circuit_first"]) * np.diff(tables["tangent.column_first"])))


def matrix_entries(tables: dict[str, np.ndarray]) -> int:
    """Entries of all circuits' matrices."""
    return int(np.sum(np.diff(tables["oil.circuit_first"]) ** 2))


def row_tables(
    stiff: list[int], paths: list[list[Entry]], count: int, order: Order, together: list[tuple[list[int], list[int]]]
) -> dict[str, np.ndarray]:
    """Entries of the rows with slopes, and where the products of any two of them stand in L; `count` rows in all.

    `together` are rows of one element: those that it acts on, and all.
    """
    slot = order.velocity_slot.tolist()
    number = np.full(count, -1, np.int64)
    number[stiff] = np.arange(len(stiff))
    addresses = [
        order.address(slot[path[one][0]], slot[path[other][0]])
        for path in paths
        for one in range(len(path))
        for other in range(one + 1)
    ]
    cross = [(own[one], own[other]) for own, _ in together for one in range(len(own)) for other in range(one)]
    crossed = [
        order.address(slot[e[0]], slot[f[0]]) for one, other in cross for e in paths[one] for f in paths[other]
    ]
    return {
        "tangent.cross": np.array(cross, np.int64).reshape(-1, 2),
        "tangent.cross_address": np.array(crossed, np.int64),
        "tangent.row": np.array(stiff, np.int64),
        "tangent.stiff": number,
        "tangent.path_first": starts(paths),
        "tangent.path_dof": np.array([entry.velocity for path in paths for entry in path], np.int64),
        "tangent.path_screw": np.array([entry.screw for path in paths for entry in path], np.int64),
        "tangent.path_sign": np.array([entry.sign for path in paths for entry in path], float),
        "tangent.pair_address": np.array(addresses, np.int64),
    }
