# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows: what cut joints, rods, gears and sums leave to be held at zero, and what drivers move.

A cut revolute joint whose loop has only parallel axes (pins along n, slides across n) keeps two rows; the other three
hold by structure, at every pose, and are dropped by name. Nothing is decided by rank at one pose.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.mechanics.elements import slide, turn
from knuckleboom.mechanics.joints import JOINTS, PLANAR_PIN
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.gear import Gear
from knuckleboom.mechanics.parts.gear_stage import GearStage
from knuckleboom.mechanics.parts.held_sum import HeldSum
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.mechanics.rows.description import hold, new_row
from knuckleboom.net import Row
from knuckleboom.plan.network import Network
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import Columns, Link, joint_axes

PARALLEL = 1e-9
"""Largest sine between axes that count as parallel: rounding of the frames along a loop."""


@dataclass
class Loops:
    """Kept rows, dropped rows (kept apart so that assembly can check that they hold), and those that are driven."""

    kept: list[Row] = field(default_factory=list)
    dropped: list[Row] = field(default_factory=list)
    driven: list[Row] = field(default_factory=list)


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


def cut_rows(network: Network, joint: Joint, planar: bool, loops: Loops) -> None:
    """Write the rows of a cut joint; `planar` when it closes a loop of parallel axes."""
    link_a, R_a, p_a = network.on_link(joint.a)
    link_b, R_b, p_b = network.on_link(joint.b)
    axes_a, axes_b = R_a @ joint_axes(joint), R_b @ joint_axes(joint)
    letters = {"x": 0, "y": 1, "z": 2}
    index, bodies = (link_a, link_b, 0, 0), network.bodies_of(joint.a, joint.b)
    for what in JOINTS[joint.KIND].cut:
        f = axes_a[:, letters[what[1]]]
        if what[0] == "point":
            columns = {"p_a": p_a, "p_b": p_b, "f": f}
            row = new_row("point_dot", joint.name, index, columns, label=what[1], planar=planar, bodies=bodies)
        else:
            m = axes_b[:, letters[what[2]]]
            label = what[1] + what[2]
            row = new_row("axis_dot", joint.name, index, {"f": f, "m": m}, label=label, bodies=bodies)
        held = link_a == link_b or (planar and what not in PLANAR_PIN)
        (loops.dropped if held else loops.kept).append(row)


def closes_in_plane(network: Network, joint: Joint) -> bool:
    """Whether a cut joint is a pin that closes a loop of parallel axes."""
    if joint.KIND != "revolute":
        return False
    link_a, R_a, _ = network.on_link(joint.a)
    link_b, R_b, _ = network.on_link(joint.b)
    axes = joint_axes(joint)[:, 2]
    return is_planar(network.topology.links, link_a, link_b, R_a @ axes, R_b @ axes)


def distance_row(network: Network, part: str, a: Place, b: Place, length: float | None) -> Row:
    """The row of a rod or a driven distance; its length is filled in from the start pose when it is not given."""
    link_a, _, p_a = network.on_link(a)
    link_b, _, p_b = network.on_link(b)
    columns = {"p_a": p_a, "p_b": p_b, "length": np.nan if length is None else length}
    bodies = network.bodies_of(a, b)
    return new_row("distance", part, (link_a, link_b, 0, 0), columns, label="length", bodies=bodies)


def gear_row(network: Network, gear: Gear) -> Row:
    """The row of a gear; it is zero at the start coordinates."""
    a, b = network.topology.tree.get(gear.a), network.topology.tree.get(gear.b)
    if a is None or b is None:
        one, other = network.measured(gear.a, gear.coordinate_a), network.measured(gear.b, gear.coordinate_b)
        bodies = one.bodies[1], other.bodies[1]
        return sum_row(gear.name, {other: 1.0, one: -gear.ratio}, np.nan, label="ratio", bodies=bodies)
    return ratio_row(network, gear.name, gear.ratio, a, gear.coordinate_a, b, gear.coordinate_b)


def stage_row(network: Network, stage: GearStage) -> Row:
    """The row of a gear stage; it is zero at the start."""
    a, b = network.turning(stage.a), network.turning(stage.b)
    if a is None or b is None:
        one, other = network.measured_shaft(stage.name, stage.a), network.measured_shaft(stage.name, stage.b)
        return sum_row(stage.name, {other: 1.0, one: -stage.ratio}, np.nan, label="ratio")
    return ratio_row(network, stage.name, stage.ratio, a, 0, b, 0)


def ratio_row(network: Network, part: str, ratio: float, a: Columns, i: int, b: Columns, j: int) -> Row:
    """Coordinate j of b against coordinate i of a, both in the tree."""
    start, (qa, va), (qb, vb) = network.topology.q_start, (a.q[i], a.v[i]), (b.q[j], b.v[j])
    columns = {"ratio": ratio, "offset": start[qb] - ratio * start[qa]}
    return new_row("gear", part, (qa, qb, va, vb), columns, label="ratio")


def sum_row(part: str, terms: dict[Row, float], value: float, *, unit: str = "rad", **words: Any) -> Row:
    """The row that holds a sum of others at a value; NaN where an earlier plan knows it."""
    of, weights = tuple(terms), tuple(terms.values())
    return new_row("row_sum", part, (0, 0, 0, 0), {"offset": value}, unit=unit, of=of, weights=weights, **words)


def held_sum_row(network: Network, held: HeldSum) -> Row:
    """The row of a held sum, at its value or at that of the start."""
    columns, value = {name: network.turning(name) for name in held.of}, held.value
    if value is None:
        start, places = network.topology.q_start, [one.q[0] for one in columns.values() if one is not None]
        known = len(places) == len(columns)
        value = float(start[places] @ np.array(list(held.of.values()))) if known else np.nan
    terms: dict[Row, float] = {}
    for name, factor in held.of.items():
        row = network.measured_shaft(held.name, name)
        terms[row] = terms.get(row, 0.0) + factor
    return sum_row(held.name, terms, value, unit=next(iter(terms)).unit, label="sum")


def driver_row(network: Network, driver: Driver) -> Row:
    """The row of a driver: a gear that turns with nothing, or a distance."""
    if driver.joint is None:
        assert driver.a is not None and driver.b is not None
        return distance_row(network, driver.name, driver.a, driver.b, None)
    joint = network.machine.parts[driver.joint]
    assert isinstance(joint, Joint)
    if driver.joint not in network.topology.tree:
        row = network.across(driver.name, joint, driver.coordinate)
        hold(row)
        return row
    columns = network.topology.tree[driver.joint]
    q, v = columns.q[driver.coordinate], columns.v[driver.coordinate]
    unit = "rad" if joint.COORDINATES[driver.coordinate][1] == "angle" else "m"
    return new_row("gear", driver.name, (q, q, v, v), unit=unit, label="motion")


def loop_rows(network: Network, planar: Collection[str] | None = None) -> Loops:
    """Write the rows of all cut joints, rods, gears, sums and drivers.

    `planar` are the joints that close a loop of parallel axes, where the links no longer tell: all joints are cut.
    """
    loops = Loops()
    for joint in network.topology.cut:
        in_plane = closes_in_plane(network, joint) if planar is None else joint.name in planar
        cut_rows(network, joint, in_plane, loops)
    machine = network.machine
    loops.kept += [distance_row(network, rod.name, rod.a, rod.b, rod.length) for rod in machine.of(Rod)]
    loops.kept += [gear_row(network, gear) for gear in machine.of(Gear)]
    loops.kept += [stage_row(network, stage) for stage in machine.of(GearStage)]
    loops.kept += [held_sum_row(network, held) for held in machine.of(HeldSum)]
    loops.driven = [driver_row(network, driver) for driver in machine.of(Driver)]
    loops.kept += loops.driven
    return loops
