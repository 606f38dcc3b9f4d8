# SPDX-License-Identifier: BSD-3-Clause
"""Which way a valve must be opened so that its cylinders and motors lift, at the start of a machine.

    lift = Σ m (−ĝ·v_c)/Σ m |v_c|          v_c: speeds of the centres of mass; 1 straight up, 0 level, −1 straight down

The cylinders and motors that the valve feeds go one way, all others stand, so does what carries a machine that is free;
loops stay closed, ropes taut; what else can move takes the smallest speeds that allow this. Positive inputs feed port A
and negative ones port B. Oil is followed from there along the ways that lead through no other spool; a chamber belongs
to the port that is fewer ways off. Where the motion is nearly level, as that of a slewing ring, nothing is claimed.
Tested in tests/analysis/test_lifting.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from knuckleboom.analysis.actuators import oil_ways
from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.hydraulics.parts.directional import FourWay
from knuckleboom.interface.parts import Rope, Winch
from knuckleboom.machine import Machine
from knuckleboom.mechanics.kinematics import LINK_NV, LINK_PARENT, LINK_S, LINK_V
from knuckleboom.mechanics.payload import LINK, STATE
from knuckleboom.plan import Planned, assembly

Array = NDArray[np.float64]

CLEAR = 0.3
"""Least lift, up or down, of what people call lifting: a slope of 17 degrees; less is level, or opens and closes."""


def lifting_signs(machine: Machine, valves: Iterable[str]) -> dict[str, int]:
    """Of valves by name: 1 where positive inputs lift, −1 where negative ones do; others are left out."""
    mechanism = Mechanism(machine)
    assembly.close_once(mechanism.plan, mechanism.work)
    found = {}
    for name in valves:
        part = machine.parts.get(name)
        rates = fed_rates(mechanism.planned, part) if isinstance(part, FourWay) else {}
        lift = lift_share(mechanism, rates) if rates else 0.0
        if abs(lift) >= CLEAR:
            found[name] = 1 if lift > 0.0 else -1
    return found


def fed_rates(planned: Planned, valve: FourWay) -> dict[int, float]:
    """Rows of cylinders and motors that a valve feeds, with 1 where a positive input makes them grow, else −1."""
    from_a, from_b = (ways_off(planned, str(port)) for port in (valve.A, valve.B))
    rates: dict[int, float] = {}
    for chamber in planned.layout.chambers:
        a, b = from_a.get(chamber.port, np.inf), from_b.get(chamber.port, np.inf)
        if a != b:
            row = next(number for number, one in enumerate(planned.layout.rows) if one is chamber.row)
            rates[row] = rates.get(row, 0.0) + np.sign(chamber.area) * (1.0 if a < b else -1.0)
    return {row: float(np.sign(rate)) for row, rate in rates.items() if rate}


def ways_off(planned: Planned, port: str) -> dict[str, int]:
    """How many ways oil takes from a port to others, without leading through spools, tanks or sources."""
    ways = oil_ways(planned, through_spools=False)
    ends = {node.port for node in planned.layout.nodes if node.source is not None}
    found, edge = {port: 0}, {port}
    while edge:
        onward = {other for one in edge for other in ways.get(one, ())} - ends - set(found)
        found |= dict.fromkeys(onward, 1 + max(found.values()))
        edge = onward
    return found


def lift_share(mechanism: Mechanism, rates: Mapping[int, float]) -> float:
    """The lift when these rows have these rates and other cylinders and motors stand, at the pose of close_once."""
    layout = mechanism.planned.layout
    with_oil = {id(chamber.row) for chamber in layout.chambers}
    rows = [number for number, row in enumerate(layout.rows) if id(row) in with_oil]
    every, base = np.eye(mechanism.nv), mechanism.planned.topology.free_joint
    stands = every[mechanism.planned.topology.tree[base].v] if base else ()
    held = [*(mechanism.jacobian() if mechanism.nloop else ()), *stretching(mechanism), *stands]
    free = scipy.linalg.null_space(np.array(held)) if held else every
    wanted = np.array([rates.get(number, 0.0) for number in rows])
    v = free @ np.linalg.lstsq(mechanism.row_jacobian()[rows] @ free, wanted, rcond=None)[0]
    mass, speed = centre_speeds(mechanism, v)
    all_of_it = float(mass @ np.linalg.norm(speed, axis=1))
    gravity = np.array(mechanism.plan.links.gravity)
    pull = float(np.linalg.norm(gravity))
    return -float(mass @ speed @ gravity) / (pull * all_of_it) if pull * all_of_it > 0.0 else 0.0


def stretching(mechanism: Mechanism) -> list[Array]:
    """How the velocities stretch each rope: a sling between its ends, that of a winch from its drum to its hook."""
    layout, parts, jacobian = mechanism.planned.layout, mechanism.planned.machine.parts, mechanism.row_jacobian()
    number = {id(row): place for place, row in enumerate(layout.rows)}
    ropes = {part.name for part in parts.values() if isinstance(part, Rope | Winch)}
    lines = [force.rows for force in layout.forces if force.part in ropes and force.element in ("stop", "drum_rope")]
    ends = [[jacobian[number[id(row)]] for row in rows] for rows in lines]
    return [rows[0] - rows[1] if len(rows) == 2 else rows[0] for rows in ends]


def centre_speeds(mechanism: Mechanism, v: Array) -> tuple[Array, Array]:
    """Mass of each link and payload, without oil, and the velocity of its centre in world axes at velocities v."""
    links, loads, motion = mechanism.plan.links, mechanism.plan.payload, mechanism.work.motion
    index = loads.index[: len(loads.number)]
    V = np.zeros((len(links.index), 6))
    for link, line in enumerate(links.index[1:], start=1):
        own = slice(int(line[LINK_V]), int(line[LINK_V]) + int(line[LINK_NV]))
        screws = slice(int(line[LINK_S]), int(line[LINK_S]) + int(line[LINK_NV]))
        V[link] = V[line[LINK_PARENT]] + v[own] @ motion.S[screws]
    inertia: Any = np.vstack([links.inertia, loads.number[:, :10]])  # numbers of an inertia
    mass = np.concatenate([links.inertia[:, 0], mechanism.work.state.x[index[:, STATE]]])
    on = np.concatenate([np.arange(len(links.index)), index[:, LINK]])
    centre = motion.p_OL[on] + np.einsum("ijk,ik->ij", motion.R_WL[on].reshape(-1, 3, 3), inertia[:, 1:4])
    moving = mass > 0.0
    return mass[moving], (V[on, 3:] + np.cross(V[on, :3], centre))[moving]
