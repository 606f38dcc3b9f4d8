# SPDX-License-Identifier: BSD-3-Clause
"""Which loop rows are added to the mass matrix, and by how much: where a body's own mass matrix has a bad pivot.

In natural coordinates always the six rows of a body. Beyond that, all rows of a body whose inertia is no good alone: of
a thin rod, or of a plane model that has an inertia about one axis only. Kernels and reason: mechanics/stiffening.py
"""

from __future__ import annotations

import numpy as np

from knuckleboom.mechanics.rows.contract import PRODUCTS, ROWS
from knuckleboom.mechanics.rows.description import declared
from knuckleboom.net import Row
from knuckleboom.plan.natural import body_mass
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.system import Order, System
from knuckleboom.plan.topology import Inertia, Link, Topology

LEAST = 1e-6
"""Smallest eigenvalue of a body's scaled mass matrix, as a part of the largest, that is good enough."""
RATIO = 10.0
"""σ in units of the body's own mass or inertia."""


def central(given: Inertia) -> Matrix:
    """Inertia about the centre of mass."""
    if given.mass == 0.0:
        return given.inertia
    c = given.moment / given.mass
    return np.asarray(given.inertia - given.mass * (c @ c * np.eye(3) - np.outer(c, c)))


def size_of(given: Inertia) -> float:
    """The scale of a body's inertia, kg·m²; that of its mass 1 m away for a point mass."""
    largest = float(np.abs(np.linalg.eigvalsh(central(given))).max())
    return largest if largest > 0.0 else given.mass


def is_weak(link: Link, *, natural: bool) -> bool:
    """Whether a body's mass matrix, with its own rows in natural coordinates, is nearly singular or negative."""
    size = size_of(link.inertia)
    if not natural:
        return bool(np.linalg.eigvalsh(central(link.inertia)).min() < LEAST * size)
    matrix = np.kron(body_mass(link), np.eye(3))
    for i in range(3):
        for j in range(i, 3):
            # at R = 1: a_i·δa_j + a_j·δa_i
            row = np.zeros(12)
            row[3 + 3 * i + j] += 1.0
            row[3 + 3 * j + i] += 1.0 if i != j else 0.0
            matrix += RATIO * size * np.outer(row, row)
    scale = 1.0 / np.sqrt(np.array([link.inertia.mass] * 3 + [size] * 9))
    values = np.linalg.eigvalsh(matrix * np.outer(scale, scale))
    return bool(values.min() < LEAST * values.max())


def rows_to_stiffen(topology: Topology, kept: list[Row], *, natural: bool) -> dict[int, float]:
    """Numbers of the loop rows, each with its σ: kg for lengths, kg·m² for angles and a body's own rows."""
    links = {name: topology.links[frame.link] for name, frame in topology.bodies.items() if frame.link > 0}
    weak = {name for name, link in links.items() if is_weak(link, natural=natural)}
    found = {}
    for number, row in enumerate(kept):
        if declared(row).entries == ROWS:
            continue  # of two joints, whose own rows are enough
        bodies = [name for name in row.bodies if name in (links if declared(row).entries == PRODUCTS else weak)]
        if bodies:
            given = [links[name].inertia for name in bodies]
            found[number] = RATIO * max(one.mass if row.unit == "m" else size_of(one) for one in given)
    return found


def stiffening_tables(
    system: System, order: Order, first: np.ndarray, sigma: dict[int, float]
) -> dict[str, np.ndarray]:
    """The arrays of the family `stiffened`; first is system.path_first."""
    slot = order.velocity_slot.tolist()
    squares, shares = [], []
    for r, factor in sigma.items():
        line = system.paths[r]
        for one in range(len(line)):
            for other in range(one + 1):
                address = order.address(slot[line[one][0]], slot[line[other][0]])
                squares.append((int(first[r]) + one, int(first[r]) + other, address))
                shares.append(factor)
    return {
        "stiffened.row": np.array(list(sigma), np.int64),
        "stiffened.sigma": np.array(list(sigma.values()), float),
        "stiffened.square": np.array(squares, np.int64).reshape(-1, 3),
        "stiffened.share": np.array(shares, float),
    }


def square_velocities(system: System, sigma: dict[int, float]) -> list[tuple[int, int]]:
    """The velocities of each product, in the order of the table."""
    return [
        (system.paths[r][one][0], system.paths[r][other][0])
        for r in sigma
        for one in range(len(system.paths[r]))
        for other in range(one + 1)
    ]
