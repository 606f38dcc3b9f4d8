# SPDX-License-Identifier: BSD-3-Clause
"""Meetings with bounded impulses in a plan, contacts with the ground, pairs of bodies, then stops and dry friction of
rows: their paths, what these reach in the factor, sizes and names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.engine.timestepping import SOLVERS
from knuckleboom.errors import Problem
from knuckleboom.interface.bounded import KEPT, MODES
from knuckleboom.interface.bounded_limits import ELEMENT, FRICTION, STOP
from knuckleboom.interface.contact import POWER, ROWS
from knuckleboom.interface.elements import friction, stop
from knuckleboom.interface.forces import KINDS
from knuckleboom.interface.pairs import POWER as PAIR_POWER
from knuckleboom.interface.parts.rope import Rope
from knuckleboom.plan.exchange import slots_above
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, PYRAMID, TABLEAU_ROWS

if TYPE_CHECKING:
    from knuckleboom.machine.elements import Force
    from knuckleboom.methods import Method
    from knuckleboom.names import Names
    from knuckleboom.plan.network import Network
    from knuckleboom.plan.system import Entry

TIMESTEPPING = "timestepping"
ENDS = 2
"""Rows of a limit at most."""
MOST_ROWS = 1000
"""Of normal forces, friction and spin: their matrices are full."""


def meetings(network: Network, method: Method) -> list[tuple[int, int]]:
    """The links of what meets by bounded impulses: the ground's and the body's, or those of a and b."""
    if method.coupling != TIMESTEPPING:
        return []
    links = [network.on_link(shape.contact.at)[0] for shape in network.shapes]
    pairs = [(links[one.a], links[one.b]) for one in network.pairings]
    return [*((0, network.on_link(touch.at)[0]) for touch in network.touches), *pairs]


def limits_of(network: Network, method: Method) -> list[Force]:
    """Stops and dry friction that act by impulses, in the order of the elements. Ropes stay springs: what swings on one
    gives back all of its energy, that a damped row would take.
    """
    if method.coupling != TIMESTEPPING:
        return []
    ropes = {part.name for part in network.machine.of(Rope)}
    kinds = {KINDS.index(stop): STOP, KINDS.index(friction): FRICTION}
    rigid = [force for force in network.forces if force.kind in kinds and force.part not in ropes]
    found = sorted(rigid, key=lambda force: force.kind)
    return [force for force in found if kinds[force.kind] == STOP or is_dry(force)]


def is_dry(force: Force) -> bool:
    """Whether friction has more than what is viscous."""
    return any(force.numbers[friction.ELEMENT.columns.index(word)] for word in ("coulomb", "extra"))


def limit_tables(limits: Sequence[Force], forces: Sequence[Force], numbers: np.ndarray) -> dict[str, np.ndarray]:
    """Limits of rows, and the columns of elements without what acts by impulses."""
    index, own, left = [], [], numbers.copy()
    for force in limits:
        kind = FRICTION if force.kind == KINDS.index(friction) else STOP
        columns = friction.ELEMENT.columns if kind == FRICTION else stop.ELEMENT.columns
        taken = ("coulomb", "extra", "stribeck") if kind == FRICTION else ("stiffness", "damping")
        element = forces.index(force)
        index.append((element, kind))
        own.append([numbers[element, columns.index(word)] for word in taken] + [0.0] * (3 - len(taken)))
        for word in taken[:2]:
            left[element, columns.index(word)] = 0.0
    return {
        "touch.limit": np.array(index, np.int64).reshape(-1, 2),
        "touch.limit_number": np.array(own, float).reshape(-1, 3),
        "forces.number": left,
    }


def points_of(network: Network) -> int:
    """Points of all of them that can touch at once."""
    return sum(one.spots for one in network.touches) + sum(one.spots for one in network.pairings)


def refused_meetings(network: Network, method: Method) -> list[Problem]:
    """More of them than matrices of rows have room for."""
    limits = limits_of(network, method)
    count = points_of(network) + ROWS * (len(network.touches) + len(network.pairings)) + ENDS * len(limits)
    if method.coupling != TIMESTEPPING or count <= MOST_ROWS:
        return []
    rule = f"all contacts, stops and dry friction together may have {count} rows, but coupling {TIMESTEPPING} has room"
    fix = "Take coupling realtime, or say with `against` which bodies may touch each other."
    parts = [touch.part for touch in network.touches] + [one.parts[0] for one in network.pairings]
    part = [*parts, *(force.part for force in limits)][0]
    return [problem(network.machine.parts[part], f"{rule} for {MOST_ROWS}.", fix)]


def impulse_tables(
    met: Sequence[tuple[int, int]], paths: Sequence[list[Entry]], tables: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The family `impulse` but for its powers, from the links of what meets and the paths of these and of limits."""
    slots = [slots_above(tables, [entry.velocity for entry in path]) for path in paths]
    return {
        "impulse.way_first": np.cumsum([0, *(len(path) for path in paths)]).astype(np.int64),
        "impulse.way_dof": np.array([entry.velocity for path in paths for entry in path], np.int64),
        "impulse.way_screw": np.array([entry.screw for path in paths for entry in path], np.int64),
        "impulse.way_sign": np.array([entry.sign for path in paths for entry in path], float),
        "impulse.slot_first": np.cumsum([0, *(len(line) for line in slots)]).astype(np.int64),
        "impulse.slot": np.array([slot for line in slots for slot in line], np.int64),
        "impulse.link": np.array([*(b for _, b in met), *[-1] * (len(paths) - len(met))], np.int64),
    }


def impulse_powers(tables: Mapping[str, np.ndarray], method: Method) -> dict[str, np.ndarray]:
    """The first power of each of these, from the tables of contacts, pairs and limits."""
    of_contacts = [*tables["touch.index"][:, POWER], *tables["pairs.index"][:, PAIR_POWER]]
    powers = [*of_contacts, *tables["touch.limit"][:, ELEMENT]]
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
    met, limits = len(tables["impulse.link"]), len(tables["touch.limit"])
    touching = met - limits
    points = points_of(network) if touching > 0 else 0
    features = sum(len(one.outline.features) for one in network.touches) + sum(one.spots for one in network.pairings)
    tableau = TABLEAU_ROWS[BOUNDED] * (points + ENDS * limits)
    tableau += (TABLEAU_ROWS[CONE] + TABLEAU_ROWS[PYRAMID]) * touching
    return {
        "nmet": met, "nmetentry": len(tables["impulse.way_dof"]), "nmetslot": len(tables["impulse.slot"]),
        "nmetway": int(np.diff(tables["impulse.way_first"]).max(initial=0)), "nlimit": limits,
        "nkept": KEPT * met, "nactive": features + MODES * met if met > 0 else 0,
        "nmetslots": size["nslot"] if met else 0, "nfreed": size["nv"] if met else 0,
        "nbounded": points + ROWS * touching + ENDS * limits, "ntableau": tableau, "ncovered": tableau + 2,
    }  # fmt: skip


def met_paths(network: Network, limits: Sequence[Force]) -> list[str]:
    """What these are called, numbered where a part has several."""
    paths = [*(touch.path for touch in network.touches), *(one.path for one in network.pairings)]
    labels = [f"{force.part}.{KINDS[force.kind].ELEMENT.label.rstrip('_')}" for force in limits]
    several = [f"{label}_{labels[: k + 1].count(label)}" for k, label in enumerate(labels)]
    return paths + [one if labels.count(label) > 1 else label for label, one in zip(labels, several, strict=True)]


def name_impulses(names: Names, network: Network, limits: Sequence[Force], first: Mapping[str, int]) -> None:
    """Impulses of impacts."""
    touching = len(network.touches) + len(network.pairings)
    for number, path in enumerate(met_paths(network, limits)):
        if number < touching:
            names.add(f"{path}.impulse", "N*s", "normal impulse of all its impacts so far", first["impulse"] + number)
        elif limits[number - touching].kind == KINDS.index(stop):
            unit = "N*s" if limits[number - touching].row.unit == "m" else "N*m*s"
            names.add(f"{path}_impulse", unit, "impulse of all impacts on it so far", first["impulse"] + number)
