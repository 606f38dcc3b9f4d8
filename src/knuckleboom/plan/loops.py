# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows: what cut joints, rods and gears leave to be held at zero, and what drivers move.

A cut revolute joint whose loop has only parallel axes (pins along n, slides across n) keeps two rows; the other three
hold by structure, at every pose, and are dropped by name. Nothing is decided by rank at one pose.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from knuckleboom.describe import Place
from knuckleboom.mechanics.elements import deform, slide, turn
from knuckleboom.mechanics.joints import JOINTS, PLANAR_PIN
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.gear import Gear
from knuckleboom.mechanics.parts.gear_stage import GearStage
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.mechanics.rows.description import hold, new_row
from knuckleboom.net import Row
from knuckleboom.plan.network import Network
from knuckleboom.plan.rotation import Matrix
from knuckleboom.plan.topology import Link, joint_axes

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
        if not leaves(links[link], normal):
            return None
        normal, link = links[link].R @ normal, links[link].parent
    return normal


def leaves(link: Link, normal: Matrix) -> bool:
    """Whether a link's movement leaves a direction where it is, and moves across it only."""
    along, across = abs(float(normal[2])), float(np.hypot(normal[0], normal[1]))
    if link.kind == deform.KIND:
        moves, turns = link.shapes[:, :3], link.shapes[:, 3:]
        along, across = float(np.abs(moves @ normal).max()), float(np.abs(np.cross(turns, normal)).max())
        return max(along, across) <= PARALLEL * float(np.abs(link.shapes).max())
    return (link.kind == turn.KIND and across < PARALLEL) or (link.kind == slide.KIND and along < PARALLEL)


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
    topology = network.topology
    if gear.a not in topology.tree:
        one, other = network.measured(gear.a, gear.coordinate_a), network.measured(gear.b, gear.coordinate_b)
        words = {"of": (other, one), "weights": (1.0, -gear.ratio), "bodies": (one.bodies[1], other.bodies[1])}
        return new_row("row_sum", gear.name, (0, 0, 0, 0), {"offset": np.nan}, label="ratio", unit="rad", **words)
    a, b = topology.tree[gear.a], topology.tree[gear.b]
    qa, qb = a.q[gear.coordinate_a], b.q[gear.coordinate_b]
    va, vb = a.v[gear.coordinate_a], b.v[gear.coordinate_b]
    columns = {"ratio": gear.ratio, "offset": topology.q_start[qb] - gear.ratio * topology.q_start[qa]}
    return new_row("gear", gear.name, (qa, qb, va, vb), columns, label="ratio")


def stage_row(network: Network, stage: GearStage) -> Row:
    """The row of a gear stage; it is zero at the start."""
    a, b, start = network.turning(stage.a), network.turning(stage.b), network.topology.q_start
    if a is None or b is None:
        pair = network.measured_shaft(stage.name, stage.b), network.measured_shaft(stage.name, stage.a)
        weights = (1.0, -stage.ratio)
        return new_row(
            "row_sum", stage.name, (0, 0, 0, 0), {"offset": np.nan}, label="ratio", unit="rad", of=pair, weights=weights
        )  # fmt: skip
    columns = {"ratio": stage.ratio, "offset": start[b.q[0]] - stage.ratio * start[a.q[0]]}
    return new_row("gear", stage.name, (a.q[0], b.q[0], a.v[0], b.v[0]), columns, label="ratio")


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
    """Write the rows of all cut joints, rods, gears and drivers.

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
    loops.driven = [driver_row(network, driver) for driver in machine.of(Driver)]
    loops.kept += loops.driven
    return loops
