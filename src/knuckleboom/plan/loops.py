# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows: what cut joints, rods and gears leave to be held at zero.

A cut revolute joint whose loop has only parallel axes (pins along n, slides across n) keeps two rows; the other three
hold by structure, at every pose, and are dropped by name. Nothing is decided by rank at one pose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from knuckleboom.mechanics import rows
from knuckleboom.mechanics.elements import slide, turn
from knuckleboom.mechanics.joints import JOINTS, PLANAR_PIN
from knuckleboom.mechanics.parts.gear import Gear
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.plan.network import Network, Row, numbers
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import Link, joint_axes

PARALLEL = 1e-9
"""Largest sine between axes that count as parallel: rounding of the frames along a loop."""


@dataclass
class Loops:
    """Kept rows, dropped rows (kept apart so that assembly can check that they hold), and the velocities of each."""

    kept: list[Row] = field(default_factory=list)
    dropped: list[Row] = field(default_factory=list)


def chain(links: list[Link], link: int) -> list[int]:
    """Links from one up to the ground, itself first, the ground left out."""
    result = []
    while link > 0:
        result.append(link)
        link = links[link].parent
    return result


def path(links: list[Link], a: int, b: int) -> list[tuple[int, float]]:
    """Links between a and b without their common ancestors, with +1 on b's side and −1 on a's."""
    up_a, up_b = chain(links, a), chain(links, b)
    common = set(up_a) & set(up_b)
    return [(k, -1.0) for k in up_a if k not in common] + [(k, 1.0) for k in up_b if k not in common]


def planar_normal(links: list[Link], link: int, top: set[int], normal: Matrix) -> Matrix | None:
    """Carry a direction from a link up to the common ancestor; None when a movement on the way would turn it."""
    while link > 0 and link not in top:
        kind = links[link].kind
        along, across = abs(float(normal[2])), float(np.hypot(normal[0], normal[1]))
        if not ((kind == turn.KIND and across < PARALLEL) or (kind == slide.KIND and along < PARALLEL)):
            return None
        normal, link = links[link].R @ normal, links[link].parent
    return normal


def is_planar(links: list[Link], a: int, b: int, axis_a: Matrix, axis_b: Matrix) -> bool:
    """Whether every movement of the loop leaves the pin's axis where it is."""
    top = set(chain(links, a)) & set(chain(links, b))
    at_a, at_b = planar_normal(links, a, top, axis_a), planar_normal(links, b, top, axis_b)
    return at_a is not None and at_b is not None and float(np.linalg.norm(np.cross(at_a, at_b))) < PARALLEL


def cut_rows(network: Network, joint: Joint, loops: Loops) -> None:
    """Write the rows of a cut joint."""
    link_a, R_a, p_a = network.on_link(joint.a)
    link_b, R_b, p_b = network.on_link(joint.b)
    axes_a, axes_b = R_a @ joint_axes(joint), R_b @ joint_axes(joint)
    letters = {"x": 0, "y": 1, "z": 2}
    planar = joint.KIND == "revolute" and is_planar(network.topology.links, link_a, link_b, axes_a[:, 2], axes_b[:, 2])
    for what in JOINTS[joint.KIND].cut:
        f = axes_a[:, letters[what[1]]]
        if what[0] == "point":
            row = Row(joint.name, rows.POINT_DOT, (link_a, link_b, 0, 0), numbers(p_a, p_b, f), "m", what[1], planar)
        else:
            m = axes_b[:, letters[what[2]]]
            row = Row(joint.name, rows.AXIS_DOT, (link_a, link_b, 0, 0), numbers(f=f, m=m), "rad", what[1] + what[2])
        held = link_a == link_b or (planar and what not in PLANAR_PIN)
        (loops.dropped if held else loops.kept).append(row)


def rod_row(network: Network, rod: Rod) -> Row:
    """The row of a rod; its length is filled in from the start pose when it is not given."""
    link_a, _, p_a = network.on_link(rod.a)
    link_b, _, p_b = network.on_link(rod.b)
    columns = numbers(p_a, p_b)
    columns[6] = np.nan if rod.length is None else rod.length
    return Row(rod.name, rows.DISTANCE, (link_a, link_b, 0, 0), columns, "m", "length")


def gear_row(network: Network, gear: Gear) -> Row:
    """The row of a gear; it is zero at the start coordinates."""
    topology = network.topology
    a, b = topology.tree[gear.a], topology.tree[gear.b]
    qa, qb = a.q[gear.coordinate_a], b.q[gear.coordinate_b]
    va, vb = a.v[gear.coordinate_a], b.v[gear.coordinate_b]
    columns = np.zeros(12)
    columns[:2] = gear.ratio, topology.q_start[qb] - gear.ratio * topology.q_start[qa]
    return Row(gear.name, rows.GEAR, (qa, qb, va, vb), columns, "rad", "ratio")


def loop_rows(network: Network) -> Loops:
    """Write the rows of all cut joints, rods and gears."""
    loops = Loops()
    for joint in network.topology.cut:
        cut_rows(network, joint, loops)
    loops.kept += [rod_row(network, rod) for rod in network.machine.of(Rod)]
    loops.kept += [gear_row(network, gear) for gear in network.machine.of(Gear)]
    return loops
