# SPDX-License-Identifier: BSD-3-Clause
"""Natural coordinates: the loop rows as sums of products of coordinates, and the constant mass matrix.

Points p = r + Σ s_i a_i and directions Σ n_i a_i of a body are linear in q; that points meet along a direction, axes
stay at right angles and distances are kept is quadratic. In these machines velocity k is the rate of coordinate k:
three of the point, then nine of the vectors. Kernels: mechanics/natural.py
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from knuckleboom.mechanics.elements import axes, turn
from knuckleboom.mechanics.rows.contract import has_hook
from knuckleboom.mechanics.rows.description import given, new_row
from knuckleboom.mechanics.rows.kinds import KINDS
from knuckleboom.net import Row
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.system import Entry, System
from knuckleboom.plan.topology import Link, Topology

LETTERS = "xyz"
ROUNDING = 1e-15
"""m or 1: what turning an axis leaves of a zero."""


@dataclass
class Linear:
    """A constant and a sum of coordinates."""

    constant: float = 0.0
    terms: dict[int, float] = field(default_factory=dict)

    def minus(self, other: Linear) -> Linear:
        """The difference."""
        terms = dict(self.terms)
        for k, value in other.terms.items():
            terms[k] = terms.get(k, 0.0) - value
        return Linear(self.constant - other.constant, terms)


@dataclass
class Quadratic:
    """A row but for its constant: a sum of coordinates and of products of two of them, (smaller, larger)."""

    linear: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    products: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))

    def add_product(self, one: Linear, other: Linear, factor: float) -> None:
        """Add the product of two sums."""
        for k, value in one.terms.items():
            self.linear[k] += factor * value * other.constant
            for m, times in other.terms.items():
                self.products[min(k, m), max(k, m)] += factor * value * times
        for m, times in other.terms.items():
            self.linear[m] += factor * one.constant * times

    def coordinates(self) -> list[int]:
        """Those that it depends on."""
        used = {k for k, value in self.linear.items() if value} | {k for pair in self.products for k in pair}
        return sorted(used)


@dataclass
class Products(Quadratic):
    """A row as its kind writes it (`products` in mechanics/rows), on these links."""

    links: list[Link] = field(default_factory=list)

    def direction(self, link: int, local: Matrix) -> list[Linear]:
        """The three components of a direction that is fixed in a link; link 0 is the ground."""
        if link == 0:
            return [Linear(float(value)) for value in local]
        first, used = self.links[link].v, [i for i in range(3) if abs(local[i]) > ROUNDING]
        return [Linear(0.0, {first + 3 * i + k: float(local[i]) for i in used}) for k in range(3)]

    def point(self, link: int, local: Matrix) -> list[Linear]:
        """The three components of a point that is fixed in a link."""
        place = self.direction(link, local)
        if link > 0:
            for k in range(3):
                place[k].terms[self.links[link].v - 3 + k] = 1.0
        return place

    def between(self, begin: list[Linear], end: list[Linear]) -> list[Linear]:
        """The three components from one point to another."""
        return [there.minus(here) for here, there in zip(begin, end, strict=True)]

    def add(self, one: list[Linear], other: list[Linear], factor: float = 1.0) -> None:
        """Add the scalar product of two vectors."""
        for here, there in zip(one, other, strict=True):
            self.add_product(here, there, factor)

    def add_vectors(self, one: int, other: int, factor: float) -> None:
        """Add that of two vectors of a body, given by their first coordinates."""
        for k in range(3):
            self.products[min(one, other) + k, max(one, other) + k] = factor


def quadratic_row(links: list[Link], row: Row) -> Quadratic | None:
    """A loop row as a sum of products; None for those that are not, such as a driven angle."""
    kind = KINDS[row.kind]
    if not has_hook(kind, "products"):
        return None
    result = Products(links=links)
    kind.products(result, *row.index[:2], given(row))
    return result


def rigid_rows(topology: Topology) -> list[Row]:
    """The six rows of every body: its vectors keep their lengths and stay at right angles."""
    found = []
    for name, frame in topology.bodies.items():
        if frame.link == 0:
            continue
        first = topology.links[frame.link].q
        for i in range(3):
            for j in range(i, 3):
                index = (first + 3 * i, first + 3 * j, 0, 0)
                label = LETTERS[i] + LETTERS[j]
                found.append(new_row("rigid", name, index, label=label, bodies=(name, name)))
    return found


def entries_of(row: Quadratic) -> list[Entry]:
    """What a quadratic row touches."""
    return [Entry(k, 0.0, 0, k) for k in row.coordinates()]


def natural_tables(
    system: System, first: np.ndarray, quadratic: dict[int, Quadratic], gravity: tuple[float, float, float]
) -> dict[str, np.ndarray]:
    """The arrays of the family `natural`; first is system.path_first. All empty in other coordinates."""
    if not quadratic:
        none, numbers = np.zeros(0, np.int64), np.zeros(0)
        return {
            "natural.mass": numbers, "natural.weight": numbers, "natural.row": none, "natural.linear": numbers,
            "natural.product": none.reshape(0, 5), "natural.share": numbers,
        }  # fmt: skip
    linear, products, shares = np.zeros(int(first[-1])), [], []
    for r, row in quadratic.items():
        entry = {k: int(first[r]) + place for place, k in enumerate(row.coordinates())}
        for k, value in row.linear.items():
            if value:
                linear[entry[k]] = value
        for (k, m), value in row.products.items():
            products.append((r, entry[k], entry[m], k, m))
            shares.append(value)
    mass, weight = constant_mass(system, gravity)
    return {
        "natural.mass": mass,
        "natural.weight": weight,
        "natural.row": np.array(list(quadratic), np.int64),
        "natural.linear": linear,
        "natural.product": np.array(products, np.int64).reshape(-1, 5),
        "natural.share": np.array(shares),
    }


def body_mass(link: Link) -> Matrix:
    """M of one component of a body's point and vectors: [[m, m cᵀ], [m c, ∫ x xᵀ dm]], the same for all three."""
    given = link.inertia
    spread = 0.5 * np.trace(given.inertia) * np.eye(3) - given.inertia
    return np.block([[np.array([[given.mass]]), given.moment[None, :]], [given.moment[:, None], spread]])


def constant_mass(system: System, gravity: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """M of all pairs, and what gravity takes of each velocity's force."""
    owner = {}
    for link in system.links:
        if link.kind == axes.KIND:
            for k in range(3):
                owner[link.v - 3 + k] = (link, 0, k)
            for i in range(3):
                for k in range(3):
                    owner[link.v + 3 * i + k] = (link, 1 + i, k)
    blocks = {link.v: body_mass(link) for link in system.links if link.kind == axes.KIND}
    scalars = {link.v: float(link.inertia.inertia[2, 2]) for link in system.links if link.kind == turn.KIND}
    mass = []
    for j, m in system.listed_pairs():
        if j in scalars:
            mass.append(scalars[j])
            continue
        (link, row, k), (_, column, other) = owner[j], owner[m]
        mass.append(float(blocks[link.v][row, column]) if k == other else 0.0)
    weight = np.zeros(len(system.pairs))
    for j, (link, row, k) in owner.items():
        weight[j] = -gravity[k] * float(blocks[link.v][row, 0])
    return np.array(mass), weight
