# SPDX-License-Identifier: BSD-3-Clause
"""Contacts with the ground in a plan: their tables, sizes and names, and which methods have what touches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.contact import OUT, SPOT, STATE, WIDTH
from knuckleboom.interface.outlines import placed
from knuckleboom.interface.pairs import BENDS
from knuckleboom.interface.pairs import STATE as PAIR_STATE
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.interface.tire import DISCS, SIDES
from knuckleboom.interface.tire import STATE as TIRE_STATE
from knuckleboom.machine import Machine
from knuckleboom.machine.elements import Touch
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.methods import Method
from knuckleboom.names import Names
from knuckleboom.plan.loops import chain
from knuckleboom.plan.network import Network
from knuckleboom.plan.pairing import mass_at

DEEPEST = 0.5
"""Part of its size by which a contact may be in the ground at the start."""
STANDARD_GRAVITY = 9.81  # m/s²: sets a stiffness where a machine has no weight
TOUCH_POWERS = ("normal", "friction")
"""Of a contact: of its normal forces, of friction."""
BRISTLES = 3
SCALE = 1e-3
"""m: corrections of bends are compared with this by Newton."""


def refused_contacts(machine: Machine, method: Method) -> list[Problem]:
    """Contacts and tires in a method that has none: the only place that says which."""
    if method.coupling == "cosimulated":
        rule = "coupling cosimulated has no contact and no tires: their forces would be exchanged late."
        fix = "Take coupling realtime or explicit."
    elif method.coordinates == "natural" and method.coupling != "explicit":
        rule = f"coupling {method.coupling} in natural coordinates has no contact and no tires"
        rule += ": their mass matrix is constant."
        fix = "Take coordinates relative or reference-point, or coupling explicit."
    else:
        return []
    return [problem(part, rule, fix) for part in [*machine.of(Contact), *machine.of(Tire)]]


def stiffness_of(touch: Touch, network: Network) -> float:
    """Force per depth at one point: as given, or such that the machine stands at the depth on its resting points."""
    if touch.stiffness is not None:
        return touch.stiffness
    mass = sum(link.inertia.mass for link in network.topology.links) + sum(one.mass.default for one in network.loads)
    gravity = float(np.linalg.norm(network.machine.gravity)) or STANDARD_GRAVITY
    return mass * gravity / touch.depth / touch.outline.resting


def laws_of(touch: Touch, network: Network) -> list[tuple[float, ...]]:
    """Lines of touch.law: one for each area of the ground."""
    stiffness = stiffness_of(touch, network)
    return [(share, factor * stiffness, *others) for share, factor, *others in touch.laws]


def features_of(touch: Touch, network: Network) -> list[tuple[float, ...]]:
    """Lines of touch.place, in the axes of the link."""
    _, R, p = network.on_link(touch.at)
    return [(*one.centre, one.radius, *one.axis) for one in placed(touch.outline, R, p).features]


def carrying(network: Network) -> list[int]:
    """The links on which contacts and tires hang, from the leaves to the root."""
    links = network.topology.links
    places = [touch.at for touch in network.touches] + [tread.at for tread in network.treads]
    return sorted({k for at in places for k in chain(links, network.on_link(at)[0])}, reverse=True)


def contact_tables(
    network: Network, bodies: Sequence[str], states: Mapping[int, int], first_power: int
) -> dict[str, np.ndarray]:
    """The family `touch`; `states` are the numbers of states by identity of their signals."""
    touches, grounds = network.touches, [terrain.name for terrain in network.machine.of(Terrain)]
    first = list(accumulate((touch.spots for touch in touches), initial=0))
    feature = list(accumulate((len(touch.outline.features) for touch in touches), initial=0))
    law = list(accumulate((len(touch.laws) for touch in touches), initial=0))

    def line(number: int, touch: Touch) -> tuple[int, ...]:
        body, state = bodies.index(network.machine.locate(touch.at).body), states[id(touch.states[0])]
        link, power = network.on_link(touch.at)[0], first_power + len(TOUCH_POWERS) * number
        shape = (feature[number], len(touch.outline.features), first[number], touch.spots)
        return link, grounds.index(touch.ground), *shape, state, power, body, law[number]

    laws = [one for touch in touches for one in laws_of(touch, network)]
    features = [one for touch in touches for one in features_of(touch, network)]
    numbers = [(*touch.friction, touch.arm, mass_at(touch.at, network)) for touch in touches]
    return {
        "touch.index": np.array([line(*one) for one in enumerate(touches)], np.int64).reshape(-1, 10),
        "touch.number": np.array(numbers, float).reshape(-1, 9),
        "touch.law": np.array(laws, float).reshape(-1, 4),
        "touch.place": np.array(features, float).reshape(-1, 7),
        "touch.chain": np.array(carrying(network), np.int64),
    }


def deep_contacts(network: Network, plan: Any, work: Any) -> list[Problem]:
    """Contacts that are in the ground at the start by a large part of their size."""
    found = []
    for number, touch in enumerate(network.touches):
        deepest, most = -float(work.touch.s[plan.touch.index[number, SPOT]]), DEEPEST * touch.outline.size
        if deepest > most:
            part = network.machine.parts[touch.part]
            rule = f"it starts {deepest:.3g} m deep in terrain '{touch.ground}'"
            limit = f"at most {most:.3g} m is allowed, {DEEPEST:g} of its size."
            fix = f"Start its body {deepest:.3g} m further out, or move the terrain."
            found.append(problem(part, f"{rule}; {limit}", fix))
    return found


def contact_sizes(network: Network, screws: int) -> dict[str, int]:
    """The symbolic sizes of layout.py that contacts have; `screws` are all rows of motion.S."""
    count, spots = len(network.touches), sum(touch.spots for touch in network.touches)
    links, chained = len(network.topology.links), len(carrying(network))
    return {
        "ncontact": count, "nspot": spots, "nlaw": sum(len(touch.laws) for touch in network.touches),
        "nfeature": sum(len(touch.outline.features) for touch in network.touches),
        "ntouchrow": spots + BRISTLES * count, "ncarrying": chained,
        "nlinked": links if chained else 0, "nmoved": screws if chained else 0,
    }  # fmt: skip


def with_bends(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The states of bristles of contacts, tires and pairs, which are among those whose corrections Newton looks at."""
    bends = [state + k for state in tables["touch.index"][:, STATE].tolist() for k in range(BRISTLES)]
    for line in tables["tire.index"].tolist():
        bends += range(line[TIRE_STATE], line[TIRE_STATE] + SIDES * line[DISCS] + 1)
    bends += [state + k for state in tables["pairs.index"][:, PAIR_STATE].tolist() for k in range(BENDS)]
    return {
        "touch.bends": np.array(bends, np.int64),
        "forces.scaled": np.array([*tables["forces.scaled"].tolist(), *bends], np.int64),
        "forces.scale": np.array([*tables["forces.scale"].tolist(), *([SCALE] * len(bends))], float),
    }


def name_contacts(names: Names, touches: Sequence[Touch], first: Mapping[str, int], first_power: int) -> None:
    """What each contact does, and its energies."""
    for number, touch in enumerate(touches):
        at, path = first["contact"] + WIDTH * number, touch.path
        names.add(f"{path}.normal_force", "N", "force that presses it off the ground", at)
        names.add(
            f"{path}.friction_force", "N", "friction of the ground on it, world axes", range(at + 1, at + 4), "xyz"
        )
        names.add(f"{path}.depth", "m", "how deep its deepest point is in the ground", at + 4)
        names.add(f"{path}.slip", "m/s", "speed at which it slides, 0 where it does not touch", at + 5)
        names.add(f"{path}.point", "m", "centre of pressure in the world", range(at + 6, at + 9), "xyz")
        meaning = "out of the ground, where it presses, world axes; 0 where it does not touch"
        names.add(f"{path}.normal", "1", meaning, range(at + OUT, at + WIDTH), "xyz")
        for place, label in enumerate(TOUCH_POWERS):
            energy = first["energy"] + first_power + len(TOUCH_POWERS) * number + place
            names.add(f"{path}.{label}_work", "J", "work done on the mechanism so far", energy)
            names.add(f"{path}.{label}_energy", "J", "elastic energy", at + 9 + place)
