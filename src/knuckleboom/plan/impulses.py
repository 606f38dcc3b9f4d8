# SPDX-License-Identifier: BSD-3-Clause
"""Meetings with bounded impulses in a plan, contacts with the ground, then pairs of bodies: paths between their links,
what these reach in the factor, sizes and names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.engine.timestepping import SOLVERS
from knuckleboom.errors import Problem
from knuckleboom.interface.bounded import KEPT, MODES
from knuckleboom.interface.contact import POWER, ROWS
from knuckleboom.interface.pairs import POWER as PAIR_POWER
from knuckleboom.plan.exchange import slots_above
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, PYRAMID, TABLEAU_ROWS

if TYPE_CHECKING:
    from knuckleboom.methods import Method
    from knuckleboom.names import Names
    from knuckleboom.plan.network import Network
    from knuckleboom.plan.system import Entry

TIMESTEPPING = "timestepping"
MOST_ROWS = 1000
"""Of normal forces, friction and spin: their matrices are full."""


def meetings(network: Network, method: Method) -> list[tuple[int, int]]:
    """The links of what meets by bounded impulses: the ground's and the body's, or those of a and b."""
    if method.coupling != TIMESTEPPING:
        return []
    links = [network.on_link(shape.contact.at)[0] for shape in network.shapes]
    pairs = [(links[one.a], links[one.b]) for one in network.pairings]
    return [*((0, network.on_link(touch.at)[0]) for touch in network.touches), *pairs]


def points_of(network: Network) -> int:
    """Points of all of them that can touch at once."""
    return sum(one.spots for one in network.touches) + sum(one.spots for one in network.pairings)


def refused_meetings(network: Network, method: Method) -> list[Problem]:
    """More of them than matrices of rows have room for."""
    count = points_of(network) + ROWS * (len(network.touches) + len(network.pairings))
    if method.coupling != TIMESTEPPING or count <= MOST_ROWS:
        return []
    rule = f"all contacts together may have {count} rows, but coupling {TIMESTEPPING} has room for {MOST_ROWS}."
    fix = "Take coupling realtime, or say with `against` which bodies may touch each other."
    part = network.touches[0].part if network.touches else network.pairings[0].parts[0]
    return [problem(network.machine.parts[part], rule, fix)]


def impulse_tables(
    met: Sequence[tuple[int, int]], paths: Sequence[list[Entry]], tables: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The family `impulse` but for its powers, from the links of what meets and the paths between them."""
    slots = [slots_above(tables, [entry.velocity for entry in path]) for path in paths]
    return {
        "impulse.way_first": np.cumsum([0, *(len(path) for path in paths)]).astype(np.int64),
        "impulse.way_dof": np.array([entry.velocity for path in paths for entry in path], np.int64),
        "impulse.way_screw": np.array([entry.screw for path in paths for entry in path], np.int64),
        "impulse.way_sign": np.array([entry.sign for path in paths for entry in path], float),
        "impulse.slot_first": np.cumsum([0, *(len(line) for line in slots)]).astype(np.int64),
        "impulse.slot": np.array([slot for line in slots for slot in line], np.int64),
        "impulse.link": np.array([b for _, b in met], np.int64),
    }


def impulse_powers(tables: Mapping[str, np.ndarray], method: Method) -> dict[str, np.ndarray]:
    """The first power of each of these, from the tables of contacts and pairs."""
    powers = [*tables["touch.index"][:, POWER], *tables["pairs.index"][:, PAIR_POWER]]
    return {"impulse.power": np.array(powers if method.coupling == TIMESTEPPING else [], np.int64)}


def impulse_switches(method: Method) -> dict[str, np.ndarray]:
    """The numbers of the method for contacts with bounded impulses."""
    there = method.coupling == TIMESTEPPING
    return {
        "touch.held": np.array([int(there)], np.int64),
        "impulse.solver": np.array([SOLVERS[method.solver] if there else 0], np.int64),
    }


def impulse_sizes(
    network: Network, method: Method, size: Mapping[str, int], tables: Mapping[str, np.ndarray]
) -> dict[str, int]:
    """The symbolic sizes of layout.py that bounded impulses have."""
    met = len(tables["impulse.link"])
    points = points_of(network) if met > 0 else 0
    features = sum(len(one.outline.features) for one in network.touches) + sum(one.spots for one in network.pairings)
    tableau = TABLEAU_ROWS[BOUNDED] * points + (TABLEAU_ROWS[CONE] + TABLEAU_ROWS[PYRAMID]) * met
    return {
        "nmet": met, "nmetentry": len(tables["impulse.way_dof"]), "nmetslot": len(tables["impulse.slot"]),
        "nmetway": int(np.diff(tables["impulse.way_first"]).max(initial=0)),
        "nkept": KEPT * met, "nactive": features + MODES * met if met > 0 else 0,
        "nmetslots": size["nslot"] if met else 0, "nfreed": size["nv"] if met else 0,
        "nbounded": points + ROWS * met, "ntableau": tableau, "ncovered": tableau + 2,
    }  # fmt: skip


def met_paths(network: Network) -> list[str]:
    """Where the results of these are."""
    return [*(touch.path for touch in network.touches), *(one.path for one in network.pairings)]


def name_impulses(names: Names, network: Network, first: Mapping[str, int]) -> None:
    """Impulses of impacts."""
    for number, path in enumerate(met_paths(network)):
        meaning = "normal impulse of all its impacts so far"
        names.add(f"{path}.impulse", "N*s", meaning, first["impulse"] + number)
