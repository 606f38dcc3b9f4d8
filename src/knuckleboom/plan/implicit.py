# SPDX-License-Identifier: BSD-3-Clause
"""Tables of implicit steps: rows whose force has slopes, circuits of oil, the tableau of a linearly implicit method."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np

from knuckleboom.interface.elements import push
from knuckleboom.plan.network import Branch, Chamber, Force, Node, Row
from knuckleboom.plan.system import Entry, Order, starts

STAGES = 3
"""Stages that the arrays have room for."""


def stiff_rows(all_rows: list[Row], forces: list[Force], chambers: list[Chamber]) -> list[int]:
    """Numbers of the rows on which a spring, friction, a stop or a piston acts."""
    acted = {id(force.row) for force in forces if force.kind != push.KIND} | {id(chamber.row) for chamber in chambers}
    return [number for number, row in enumerate(all_rows) if id(row) in acted]


def circuits_of(nodes: list[Node], branches: list[Branch]) -> list[list[int]]:
    """Volumes that branches join or steer, each circuit in the order of its nodes."""
    volumes = {node.port: number for number, node in enumerate(nodes) if node.source is None}
    leader = {number: number for number in volumes.values()}

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for branch in branches:
        joined = [volumes[port] for port in (branch.a, branch.b, *(branch.pilots or ())) if port in volumes]
        for one, other in itertools.pairwise(joined):
            leader[find(one)] = find(other)
    found: dict[int, list[int]] = {}
    for number in volumes.values():
        found.setdefault(find(number), []).append(number)
    return list(found.values())


def circuit_tables(circuits: list[list[int]], chamber_nodes: list[int]) -> dict[str, np.ndarray]:
    """Where each circuit's nodes and matrix stand, and each chamber's response."""
    sizes = np.array([len(circuit) for circuit in circuits], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes * sizes)]).astype(np.int64)
    circuit_of, place_of = (np.zeros(int(sizes.sum()), np.int64) for _ in range(2))
    for number, circuit in enumerate(circuits):
        for place, node in enumerate(circuit):
            circuit_of[node], place_of[node] = number, place
    lengths = [int(sizes[circuit_of[node]]) for node in chamber_nodes]
    responses = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return {
        "oil.circuit_first": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "oil.circuit_node": np.array([node for circuit in circuits for node in circuit], np.int64),
        "oil.circuit_start": starts[:-1],
        "oil.node_circuit": circuit_of,
        "oil.node_place": place_of,
        "implicit.chamber_start": responses,
        "implicit.response_node": np.array(
            [node for chamber in chamber_nodes for node in circuits[circuit_of[chamber]]], np.int64
        ),
    }


def exchange_tables(tables: dict[str, np.ndarray], branches: np.ndarray) -> dict[str, np.ndarray]:
    """Where each branch stands in the circuits' matrices: on the diagonal of a volume at its end, and beside it."""
    first, circuit, place = (tables[f"oil.{name}"] for name in ("circuit_first", "node_circuit", "node_place"))
    lines, signs = [], []
    for number, (a, b) in enumerate(branches[:, :2]):
        for here, there in ((a, b), (b, a)):
            for by in (here, there):
                if here < len(circuit) and by < len(circuit):
                    c = circuit[here]
                    row = tables["oil.circuit_start"][c] + place[here] * (first[c + 1] - first[c])
                    lines.append((number, here, by, row + place[by]))
                    signs.append(1.0 if by == here else -1.0)
    return {"oil.exchange": np.array(lines, np.int64).reshape(-1, 4), "oil.exchange_sign": np.array(signs)}


def metered_tables(branches: np.ndarray, signals: np.ndarray, volumes: int, nu: int) -> dict[str, np.ndarray]:
    """The volumes that branches fill or empty whose opening follows a state: signals are those of the openings."""
    lines, signs = [], []
    for number, (a, b, _, _, opening) in enumerate(branches):
        if opening >= 0 and signals[opening] >= nu:
            for node, sign in ((a, -1.0), (b, 1.0)):
                if node < volumes:
                    lines.append((number, node, opening, signals[opening] - nu))
                    signs.append(sign)
    return {"oil.metered": np.array(lines, np.int64).reshape(-1, 4), "oil.metered_sign": np.array(signs)}


def chamber_tables(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Node and row of each chamber, and which chambers of a row move each other's oil."""
    rows, nodes = tables["forces.chamber_index"].T
    # explicit steps have no rows with slopes
    number = np.maximum(tables["implicit.stiff"][rows], 0)
    circuit, place = tables["oil.node_circuit"], tables["oil.node_place"]
    answers = [
        (one, number[one], tables["implicit.chamber_start"][other] + place[nodes[one]])
        for one in range(len(rows))
        for other in range(len(rows))
        if rows[one] == rows[other] and circuit[nodes[one]] == circuit[nodes[other]]
    ]
    return {
        "implicit.chamber": np.stack([nodes, number], axis=1),
        "implicit.answer": np.array(answers, np.int64).reshape(-1, 3),
    }


def matrix_entries(tables: dict[str, np.ndarray]) -> int:
    """Entries of all circuits' matrices."""
    return int(np.sum(np.diff(tables["oil.circuit_first"]) ** 2))


def row_tables(stiff: list[int], paths: list[list[Entry]], count: int, order: Order) -> dict[str, np.ndarray]:
    """Entries of the rows with slopes, and where the products of any two of them stand in L; `count` rows in all."""
    slot = order.velocity_slot.tolist()
    number = np.full(count, -1, np.int64)
    number[stiff] = np.arange(len(stiff))
    addresses = [
        order.address(slot[path[one][0]], slot[path[other][0]])
        for path in paths
        for one in range(len(path))
        for other in range(one + 1)
    ]
    return {
        "implicit.row": np.array(stiff, np.int64),
        "implicit.stiff": number,
        "implicit.path_first": starts(paths),
        "implicit.path_dof": np.array([dof for path in paths for dof, _, _ in path], np.int64),
        "implicit.path_sign": np.array([sign for path in paths for _, sign, _ in path], float),
        "implicit.pair_address": np.array(addresses, np.int64),
    }


def tableau(method: ModuleType) -> dict[str, np.ndarray]:
    """The coefficients of a linearly implicit method; all zero for any other."""
    count = len(getattr(method, "FRESH", ()))
    padded: dict[str, np.ndarray] = {name: np.zeros((STAGES, STAGES)) for name in ("A", "C", "lean")}
    padded |= {name: np.zeros(STAGES) for name in ("m", "weight", "b", "fresh", "node", "kept")}
    if count:
        padded["A"][:count, :count], padded["C"][:count, :count] = method.A, method.C
        padded["m"][:count], padded["weight"][:count], padded["fresh"][:count] = method.M, method.WEIGHTS, method.FRESH
        padded["node"][:count] = method.NODES
        # a later stage that is evaluated begins with the accelerations u_v/(γ h) of the first
        padded["lean"][:] = padded["C"]
        padded["lean"][1:, 0] += padded["fresh"][1:] / method.GAMMA
        padded["kept"][:] = padded["lean"].any(axis=0)
        padded["b"][:count] = np.linalg.solve(np.eye(count) / method.GAMMA - np.transpose(method.C), method.M)
    gamma = np.array([getattr(method, "GAMMA", 0.0)])
    tables = {"implicit.stages": np.array([count]), "implicit.gamma": gamma}
    return tables | {f"implicit.{name}": values for name, values in padded.items()}
