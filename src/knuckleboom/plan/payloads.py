# SPDX-License-Identifier: BSD-3-Clause
"""Payloads in a plan: their tables, sizes and names, and which methods have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.machine import Machine
from knuckleboom.machine.elements import Load
from knuckleboom.methods import Method
from knuckleboom.names import Names
from knuckleboom.plan.network import Network
from knuckleboom.plan.rotation import Matrix

MASS_POWERS = 2
"""Of a payload: lost as mass joins, supplied with mass."""


def refused_payloads(machine: Machine, method: Method) -> list[Problem]:
    """Payloads in natural coordinates, whose mass matrix is made once."""
    if method.coordinates != "natural":
        return []
    rule = "coordinates natural have a constant mass matrix, in which no mass can change."
    return [problem(part, rule, "Take coordinates reference-point or relative.") for part in machine.of(Payload)]


def numbers_of(load: Load, network: Network) -> list[float]:
    """Columns of payload.number."""
    _, R, p = network.on_link(load.at)
    a, b, c = np.square(load.box) / 12.0
    J = R @ np.diag([b + c, a + c, a + b]) @ R.T
    about = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    return [1.0, *p, *about, *comes(load, network.machine), load.mass.time_constant]


def comes(load: Load, machine: Machine) -> Matrix:
    """Velocity of what joins, in world axes: it fell from rest."""
    gravity = np.array(machine.gravity, float)
    size = float(np.linalg.norm(gravity))
    velocity: Matrix = gravity * np.sqrt(2.0 * load.falling_from / size) if size > 0.0 else gravity
    return velocity


def payload_tables(
    network: Network, bodies: Sequence[str], states: Mapping[int, int], first_power: int
) -> dict[str, np.ndarray]:
    """The family `payload`; `states` are the numbers of states by identity of their signals."""

    def line(number: int, load: Load) -> tuple[int, ...]:
        body = bodies.index(network.machine.locate(load.at).body)
        return network.on_link(load.at)[0], body, states[id(load.mass)], first_power + MASS_POWERS * number

    loads = network.loads
    return {
        "payload.index": np.array([line(*one) for one in enumerate(loads)], np.int64).reshape(-1, 4),
        "payload.number": np.array([numbers_of(load, network) for load in loads], float).reshape(-1, 14),
    }


def with_masses(tables: dict[str, np.ndarray], loads: Sequence[Load]) -> dict[str, np.ndarray]:
    """The states whose corrections Newton looks at, with the masses of payloads."""
    most = [load.mass.within[1] for load in loads if load.mass.within is not None]
    return {
        "forces.scaled": np.array([*tables["forces.scaled"].tolist(), *tables["payload.index"][:, 2]], np.int64),
        "forces.scale": np.array([*tables["forces.scale"].tolist(), *most], float),
    }


def name_payloads(names: Names, loads: Sequence[Load], first: int) -> None:
    """Energies of each payload; `first` is the column of the first."""
    for number, load in enumerate(loads):
        at = first + MASS_POWERS * number
        names.add(f"{load.part}.loss", "J", "energy lost so far as mass joined", at)
        names.add(f"{load.part}.supplied", "J", "energy of mass that joined so far, less that of what left", at + 1)
