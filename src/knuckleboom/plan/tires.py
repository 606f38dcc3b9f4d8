# SPDX-License-Identifier: BSD-3-Clause
"""Tires in a plan: their tables, sizes and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.tire import AVERAGED, GAP, PUBLISHED, WIDTH
from knuckleboom.machine.elements import Tread
from knuckleboom.names import Names
from knuckleboom.plan.network import Network

TIRE_POWERS = ("normal", "friction", "rolling")
"""What the powers of a tire are of, and the energies that it stores."""
DEEPEST = 0.5
"""Part of the radius that a tire may be in the ground at the start."""


def numbers_of(tread: Tread, network: Network) -> list[float]:
    """Columns of tire.number."""
    _, R, p = network.on_link(tread.at)
    axle = R @ np.asarray(tread.axle, float)
    return [
        *p, *axle, tread.radius, tread.spacing, tread.stiffness, tread.damping, tread.rim, *tread.friction,
        tread.rolling,
    ]  # fmt: skip


def tire_tables(
    network: Network, bodies: Sequence[str], states: Mapping[int, int], first_power: int
) -> dict[str, np.ndarray]:
    """The family `tire`; `states` are the numbers of states by identity of their signals."""
    treads = network.treads
    first = list(accumulate((tread.discs for tread in treads), initial=0))

    def line(number: int, tread: Tread) -> tuple[int, ...]:
        body, state = bodies.index(network.machine.locate(tread.at).body), states[id(tread.states[0])]
        link, power = network.on_link(tread.at)[0], first_power + len(TIRE_POWERS) * number
        return link, first[number], tread.discs, state, power, PUBLISHED if tread.published else AVERAGED, body

    return {
        "tire.index": np.array([line(*one) for one in enumerate(treads)], np.int64).reshape(-1, 7),
        "tire.number": np.array([numbers_of(tread, network) for tread in treads], float).reshape(-1, 22),
    }


def deep_tires(network: Network, work: Any) -> list[Problem]:
    """Tires that are in the ground at the start by a large part of their radius."""
    found, first = [], 0
    for tread in network.treads:
        deepest = -float(work.tire.disc[first : first + tread.discs, GAP].min())
        first += tread.discs
        if deepest > DEEPEST * tread.radius:
            rule = f"it starts {deepest:.3g} m deep in the ground; at most {DEEPEST * tread.radius:.3g} m is allowed"
            fix = f"Start its wheel about {deepest:.3g} m higher, or move the terrain."
            found.append(problem(network.machine.parts[tread.part], f"{rule}, {DEEPEST:g} of its radius.", fix))
    return found


def tire_sizes(network: Network) -> dict[str, int]:
    """The symbolic sizes of layout.py that tires have."""
    return {"ntire": len(network.treads), "ndisc": sum(tread.discs for tread in network.treads)}


def name_tires(names: Names, treads: Sequence[Tread], first: Mapping[str, int], first_power: int) -> None:
    """What each tire does, and its energies."""
    for number, tread in enumerate(treads):
        at, path = first["tire"] + WIDTH * number, tread.part
        names.add(f"{path}.normal_force", "N", "force that presses it off the ground", at)
        names.add(f"{path}.longitudinal_force", "N", "force of the ground along its heading", at + 1)
        names.add(f"{path}.lateral_force", "N", "force of the ground to its left", at + 2)
        meaning = "how much faster than the ground it turns, over the faster of both: 1 spins, -1 is locked"
        names.add(f"{path}.slip", "1", meaning, at + 3)
        names.add(f"{path}.slip_angle", "rad", "angle from its heading to where it goes, positive to its left", at + 4)
        names.add(f"{path}.rolling_torque", "N*m", "torque of rolling resistance about its axle", at + 5)
        names.add(f"{path}.deflection", "m", "how deep its deepest disc is in the ground", at + 6)
        for place, label in enumerate(TIRE_POWERS):
            energy = first["energy"] + first_power + len(TIRE_POWERS) * number + place
            names.add(f"{path}.{label}_work", "J", "work done on the mechanism so far", energy)
            names.add(f"{path}.{label}_energy", "J", "elastic energy", at + 7 + place)
