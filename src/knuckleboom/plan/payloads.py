# SPDX-License-Identifier: BSD-3-Clause
"""Inertias that change in a plan, payloads and moving oil: tables, sizes, names, and which methods have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.elements import Load, MovingOil
from knuckleboom.mechanics.moving_oil import ALONG, REACH, ZERO
from knuckleboom.mechanics.payload import POWER, STATE
from knuckleboom.mechanics.rows.description import given
from knuckleboom.methods import Method
from knuckleboom.names import Names
from knuckleboom.net import FromStart, Row
from knuckleboom.plan.network import Network
from knuckleboom.plan.newton import Places
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.system import Entry, screws_of, starts

MASS_POWERS = 2
"""Of a payload: lost as mass joins, supplied with mass."""


def refused_payloads(machine: Machine, method: Method) -> list[Problem]:
    """Payloads and moving oil in natural coordinates, whose mass matrix is made once."""
    if method.coordinates != "natural":
        return []
    rule = "coordinates natural have a constant mass matrix, in which no mass can change."
    found = [*machine.of(Payload), *(part for part in machine.of(Ram) if part.moves_oil)]
    return [problem(part, rule, "Take coordinates reference-point or relative.") for part in found]


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
    network: Network, bodies: Sequence[str], states: Mapping[int, int], numbered: Mapping[int, int], first_power: int
) -> dict[str, np.ndarray]:
    """The family `payload`; `states` and `numbered` are the numbers of states and rows by identity."""
    loads, moving = network.loads, network.moving

    def line(load: Load) -> tuple[int, ...]:
        body = bodies.index(network.machine.locate(load.at).body)
        return network.on_link(load.at)[0], body, states[id(load.mass)], 0, -1

    def moving_line(oil: MovingOil) -> tuple[int, ...]:
        return oil.row.index[1], bodies.index(oil.row.bodies[1]), -1, 0, numbered[id(oil.row)]

    index = np.array([*map(line, loads), *map(moving_line, moving)], np.int64).reshape(-1, 5)
    index[:, POWER] = first_power + MASS_POWERS * np.arange(len(index))
    return {
        "payload.index": index,
        "payload.number": np.array([numbers_of(load, network) for load in loads], float).reshape(-1, 14),
        "payload.moving": np.array([moving_numbers(oil) for oil in moving], float).reshape(-1, 10),
    }


def moving_numbers(oil: MovingOil) -> list[float]:
    """Columns of payload.moving; NaN is what the start pose says."""
    reach, zero = (np.nan if isinstance(value, FromStart) else value for value in (oil.reach, oil.zero))
    pin = given(oil.row)["p_b"]
    return [*pin, np.nan, np.nan, np.nan, reach, oil.density * abs(oil.area), zero, np.sign(oil.area)]


def fill_moving_oil(moving: Sequence[MovingOil], plan: Any, work: Any) -> None:
    """What columns of oil take from the assembled pose: their line in the rod, and ends that it says. Writes plan."""
    loads = len(plan.payload.number)
    for number, (oil, line) in enumerate(zip(moving, plan.payload.moving, strict=True)):
        link, *_, row = plan.payload.index[loads + number]
        line[ALONG : ALONG + 3] = work.motion.R_WL[link].reshape(3, 3).T @ work.rows.W[row, 3:]
        for column, value in ((REACH, oil.reach), (ZERO, oil.zero)):
            if isinstance(value, FromStart):
                line[column] = work.rows.s[row] + value.offset


def moving_paths(network: Network, rows: Sequence[Row]) -> list[list[tuple[int, int]]]:
    """Velocities and screws that move the rod of each column of oil, row by row of those given."""
    links = network.topology.links
    return [list(screws_of(links, row.index[1]).items()) for row in rows]


def moving_tables(
    places: Places, paths: list[list[tuple[int, int]]], rows: Sequence[int], pushes: Sequence[list[Entry]]
) -> dict[str, np.ndarray]:
    """What columns of oil need of Newton's matrix: `rows` are theirs among those with slopes, `pushes` all entries."""
    stand = [
        places.of(v, entry.velocity)
        for path, k in zip(paths, rows, strict=True)
        for v, _ in path
        for entry in pushes[k]
    ]
    return {
        "newton.moving_row": np.array(rows, np.int64),
        "newton.moving_first": starts(paths),
        "newton.moving_screw": np.array([screw for path in paths for _, screw in path], np.int64),
        "newton.moving_place": np.array(stand, np.int64),
    }


def with_masses(tables: dict[str, np.ndarray], loads: Sequence[Load]) -> dict[str, np.ndarray]:
    """The states whose corrections Newton looks at, with the masses of payloads."""
    most = [load.mass.within[1] for load in loads if load.mass.within is not None]
    states = tables["payload.index"][: len(loads), STATE].tolist()
    return {
        "forces.scaled": np.array([*tables["forces.scaled"].tolist(), *states], np.int64),
        "forces.scale": np.array([*tables["forces.scale"].tolist(), *most], float),
    }


def mass_paths(network: Network) -> list[tuple[str, str]]:
    """Of all that changes: its part, and what its energies and masses are called before their own word."""
    loads = [(load.part, f"{load.part}.") for load in network.loads]
    return loads + [(oil.part, f"{oil.path}.mass_") for oil in network.moving]


def name_payloads(names: Names, network: Network, first: int, masses: int) -> None:
    """Energies of each payload and each column of oil, and the masses of these; `first` and `masses` are columns."""
    for number, (_, path) in enumerate(mass_paths(network)):
        at = first + MASS_POWERS * number
        names.add(f"{path}loss", "J", "energy lost so far as mass joined", at)
        names.add(f"{path}supplied", "J", "energy of mass that joined so far, less that of what left", at + 1)
    for number, oil in enumerate(network.moving):
        names.add(f"{oil.path}.mass", "kg", "mass of the oil that moves with the piston", masses + number)
