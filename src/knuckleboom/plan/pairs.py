# SPDX-License-Identifier: BSD-3-Clause
"""Contact between bodies in a plan: its tables, sizes and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.geometry.box_axes import COLUMNS as FRAME_COLUMNS
from knuckleboom.geometry.placed import CAPSULE
from knuckleboom.geometry.placed import COLUMNS as SHAPE_COLUMNS
from knuckleboom.geometry.spots import GAP
from knuckleboom.interface.contact import OUT, ROWS, WIDTH
from knuckleboom.interface.pairs import SPOT
from knuckleboom.mechanics.elements import deform
from knuckleboom.names import Names
from knuckleboom.plan.contacts import DEEPEST, TOUCH_POWERS
from knuckleboom.plan.ground import tangents
from knuckleboom.plan.loops import chain
from knuckleboom.plan.network import Network
from knuckleboom.plan.newton import Places
from knuckleboom.plan.pairing import Shape, numbers_of
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.system import Entry, Order, starts
from knuckleboom.plan.topology import Link
from knuckleboom.quantities import unit_vector

NUMBERS = 12


def ways_of(network: Network) -> list[tuple[int, int]]:
    """The pairs of links between which shapes may touch, each once."""
    links = [network.on_link(shape.contact.at)[0] for shape in network.shapes]
    return list(dict.fromkeys((links[one.a], links[one.b]) for one in network.pairings))


def shape_line(shape: Shape, network: Network) -> list[float]:
    """Columns of pairs.shape."""
    _, R, p = network.on_link(shape.contact.at)
    own = R @ axes_of(shape)
    return [*p, *own.T.ravel(), *shape.half, shape.radius]


def axes_of(shape: Shape) -> Matrix:
    """Axes of a shape in those of its place, as columns: of a capsule the last is its own."""
    if shape.kind != CAPSULE:
        return np.eye(3)
    line = np.asarray(unit_vector(shape.contact.axis))
    along = tangents(line)
    return np.column_stack([along, np.cross(line, along), line])


def pair_tables(
    network: Network, bodies: Sequence[str], states: Mapping[int, int], first_power: int
) -> dict[str, np.ndarray]:
    """The family `pairs` but for its paths; `states` are the numbers of states by identity of their signals."""
    shapes, pairings = network.shapes, network.pairings
    spot, ways = list(accumulate((one.spots for one in pairings), initial=0)), ways_of(network)
    links = [network.on_link(shape.contact.at)[0] for shape in shapes]
    of = [
        (shape.kind, link, bodies.index(network.machine.locate(shape.contact.at).body))
        for shape, link in zip(shapes, links, strict=True)
    ]
    index = [
        (one.a, one.b, spot[k], ways.index((links[one.a], links[one.b])), states[id(one.states[0])],
         first_power + len(TOUCH_POWERS) * k, one.spots)
        for k, one in enumerate(pairings)
    ]  # fmt: skip
    numbers = [numbers_of(shapes[one.a], shapes[one.b], network) for one in pairings]
    return {
        "pairs.shape": np.array([shape_line(one, network) for one in shapes], float).reshape(-1, SHAPE_COLUMNS),
        "pairs.of": np.array(of, np.int64).reshape(-1, 3),
        "pairs.first": np.searchsorted([one.a for one in pairings], np.arange(len(shapes) + 1)).astype(np.int64),
        "pairs.other": np.array([one.b for one in pairings], np.int64),
        "pairs.index": np.array(index, np.int64).reshape(-1, 7),
        "pairs.number": np.array(numbers, float).reshape(-1, NUMBERS),
    }


def way_tables(ways: Sequence[list[Entry]], order: Order) -> dict[str, np.ndarray]:
    """Entries of the paths between links, and where the products of any two of them stand in L."""
    slot = order.velocity_slot.tolist()
    places = [
        [
            order.address(slot[way[one].velocity], slot[way[other].velocity])
            for one in range(len(way))
            for other in range(one + 1)
        ]
        for way in ways
    ]
    return {
        "pairs.way_first": starts(ways),
        "pairs.way_dof": np.array([entry.velocity for way in ways for entry in way], np.int64),
        "pairs.way_screw": np.array([entry.screw for way in ways for entry in way], np.int64),
        "pairs.way_sign": np.array([entry.sign for way in ways for entry in way], float),
        "pairs.way_start": starts(places)[:-1],
        "pairs.way_address": np.array([place for line in places for place in line], np.int64),
    }


def route_tables(links: list[Link], routes: Sequence[list[Entry]], places: Places) -> dict[str, np.ndarray]:
    """Entries of the paths between links as Newton has them, and where the products of any two stand in its matrix."""
    products = [[(one, other) for one in route for other in route] for route in routes]
    flat = [pair for line in products for pair in line]
    turns = [one.link == other.link or other.link in chain(links, one.link) for one, other in flat]
    aside = [other.sign < 0.0 for _, other in flat]
    shaped = [one.link == other.link and links[one.link].kind == deform.KIND for one, other in flat]
    return {
        "newton.route_first": starts(routes),
        "newton.route_dof": np.array([entry.velocity for route in routes for entry in route], np.int64),
        "newton.route_screw": np.array([entry.screw for route in routes for entry in route], np.int64),
        "newton.route_sign": np.array([entry.sign for route in routes for entry in route], float),
        "newton.route_start": starts(products)[:-1],
        "newton.route_place": np.array([places.of(one.velocity, other.velocity) for one, other in flat], np.int64),
        "newton.route_turn": np.array(turns, float) - np.array(aside, float),
        "newton.route_shape": np.array([one.link if bent else 0 for (one, _), bent in zip(flat, shaped, strict=True)]),
    }


def deep_pairs(network: Network, plan: Any, work: Any) -> list[Problem]:
    """Contacts that are in each other at the start by a large part of the smaller one's size."""
    found = []
    for number, one in enumerate(network.pairings):
        first, spots = plan.pairs.index[number, SPOT], work.pairs.spots[number]
        deepest = -float(work.pairs.spot[first : first + spots, GAP].min(initial=0.0))
        most = DEEPEST * min(network.shapes[one.a].size, network.shapes[one.b].size)
        if deepest > most:
            a, b = one.parts
            rule = f"it starts {deepest:.3g} m deep in contact '{b}'"
            limit = f"at most {most:.3g} m is allowed, {DEEPEST:g} of the smaller one's size."
            fix = f"Start one of their bodies {deepest:.3g} m further off, or give both against: []"
            found.append(problem(network.machine.parts[a], f"{rule}; {limit}", fix))
    return found


def pair_sizes(network: Network, screws: int) -> dict[str, int]:
    """The symbolic sizes of layout.py that contact between bodies has; `screws` are all rows of motion.S."""
    count, spots = len(network.pairings), sum(one.spots for one in network.pairings)
    return {
        "nshape": len(network.shapes), "npairing": count, "nmeet": spots, "nmeetrow": spots + ROWS * count,
        "npairscrew": screws if count else 0, "npairframe": FRAME_COLUMNS if count else 0,
    }  # fmt: skip


def name_pairs(names: Names, network: Network, first: Mapping[str, int], first_power: int) -> None:
    """What each pair of contacts does, and its energies."""
    for number, one in enumerate(network.pairings):
        at, path = first["pair"] + WIDTH * number, one.path
        a, b = one.parts
        names.add(f"{path}.normal_force", "N", f"force that presses '{a}' and '{b}' apart", at)
        names.add(
            f"{path}.friction_force", "N", f"friction of '{a}' on '{b}', world axes", range(at + 1, at + 4), "xyz"
        )
        names.add(f"{path}.depth", "m", "how deep the deepest spot of both is", at + 4)
        names.add(f"{path}.slip", "m/s", "speed at which they slide, 0 where they do not touch", at + 5)
        names.add(f"{path}.point", "m", "centre of pressure in the world", range(at + 6, at + 9), "xyz")
        meaning = f"from '{a}' to '{b}', world axes; 0 where they do not touch"
        names.add(f"{path}.normal", "1", meaning, range(at + OUT, at + WIDTH), "xyz")
        for place, label in enumerate(TOUCH_POWERS):
            energy = first["energy"] + first_power + len(TOUCH_POWERS) * number + place
            names.add(f"{path}.{label}_work", "J", "work done on the mechanism so far", energy)
            names.add(f"{path}.{label}_energy", "J", "elastic energy", at + 9 + place)
