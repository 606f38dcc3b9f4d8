# SPDX-License-Identifier: BSD-3-Clause
"""kb.workspace: where a point of a machine can be.

Every pose of a grid is closed from its neighbour: the machine is copied with a driver for each joint or length of the
grid, whose value is then set (analysis/driven.py). What the grid does not name stays where the start has it, as far as
the loops allow. Without a grid the ranges of joint stops and the strokes of cylinders span it, in that order, as many
as are independent and move the point. Poses that do not close, and those beyond any stop or stroke, are left out and
counted.
Tested in tests/analysis/test_workspace.py against closed forms.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from knuckleboom.analysis.coordinates import coordinates, read_number
from knuckleboom.analysis.driven import add_drivers
from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.errors import MachineError, Problem
from knuckleboom.interface.parts import Rope
from knuckleboom.machine import Machine
from knuckleboom.mechanics.rows.description import is_coordinate
from knuckleboom.names import closest
from knuckleboom.plan import Planned, assembly
from knuckleboom.plan.loops import chain
from knuckleboom.results.workspace import Workspace

Array = NDArray[np.float64]

COUNT = 25  # poses along each joint when the grid does not say
STRIDE = 0.25  # rad or m: a longer way to the next pose is gone in pieces, so that loops stay on their side
MOST_POSES = 1_000_000
STILL = 1e-9  # rad or m of a joint per rad or m of what is moved: less is rounding
WITHIN = 1e-7  # rad or m: what is no farther beyond a stop counts as at it


@dataclass(frozen=True)
class Range:
    """Values of one joint coordinate or length."""

    name: str
    values: Array
    unit: str


def workspace(
    machine: Machine, point: str, joints: Mapping[str, Any] | None = None, *, count: int = COUNT
) -> Workspace:
    """Find the places that a named point (`boom.tip`) or a body's origin reaches.

    `joints` names coordinates or parts with a length: {"slew": ("-90 deg", "90 deg", 37), "lift": ("0.5 m", "0.9 m")};
    without a number of its own a range has `count` poses. Without `joints` stops and strokes give the ranges.
    """
    plain = Mechanism(machine)
    link, _ = find_place(plain, point)
    ranges = read_ranges(plain, joints, count) if joints is not None else own_ranges(plain, link, count)
    total = int(np.prod([len(one.values) for one in ranges]))
    if total > MOST_POSES:
        rule = f"The grid has {total} poses, more than {MOST_POSES}."
        raise MachineError([Problem(rule, fix="Give fewer poses: joints={name: (from, to, count)}.")], "the grid")
    driven = copy.deepcopy(machine)
    add_drivers(driven, [one.name for one in ranges], "the grid")
    grid = Grid(Mechanism(driven), ranges)
    return grid.workspace(machine, point, limits(plain.planned))


def find_place(mechanism: Mechanism, point: str) -> tuple[int, Array]:
    """Link of a named point or of a body's origin, and its place there."""
    layout = mechanism.planned.layout
    for number, (body, name, _) in enumerate(layout.points):
        if f"{body}.{name}" == point:
            table = mechanism.plan.shown
            return int(table.point_link[number]), np.asarray(table.point_place[number])
    if point in layout.topology.bodies:
        frame = layout.topology.bodies[point]
        return frame.link, np.asarray(frame.p)
    known = [f"{body}.{name}" for body, name, _ in layout.points] + list(layout.topology.bodies)
    near = tuple(closest(point, known))
    fix = 'Name points on bodies: boom.point("tip", (1, 0, 0)).'
    raise MachineError([Problem(f"There is no point '{point}'.", part=point, fix=fix, closest=near)], "the point")


def read_ranges(mechanism: Mechanism, joints: Mapping[str, Any], count: int) -> list[Range]:
    """The grid as given; every name and value that cannot be used is refused at once."""
    units = {one.path: one.unit for one in mechanism.coordinates} | {
        one.joint: one.unit for one in mechanism.coordinates
    }
    units |= {row.part: row.unit for row in mechanism.planned.layout.rows[mechanism.nloop :]}
    ranges, problems = [], []
    for name, given in joints.items():
        if not isinstance(given, tuple | list) or len(given) not in (2, 3):
            fix = f'Give from, to and, if you like, how many: joints={{"{name}": (0.0, 1.0, 25)}}.'
            problems.append(Problem(f"'{name}': {given!r} is not a range.", part=str(name), fix=fix))
            continue
        unit = units.get(str(name), "rad")
        ends = [read_number(f"'{name}'", value, unit) for value in given[:2]]
        problems += [end for end in ends if isinstance(end, Problem)]
        numbers = [end for end in ends if isinstance(end, float)]
        size = given[2] if len(given) == 3 else count
        if not isinstance(size, int) or size < 1:
            problems.append(Problem(f"'{name}': {size!r} is not a number of poses.", part=str(name)))
        elif len(numbers) == 2:
            ranges.append(Range(str(name), np.linspace(numbers[0], numbers[1], size), unit))
    if problems:
        raise MachineError(problems, "the grid")
    return ranges


def limits(planned: Planned) -> dict[str, tuple[str, float, float]]:
    """Value of a row in the record, lower and upper end, of every stop and cylinder, by path of the value; ropes are as
    long as they are pulled."""
    found = {}
    for number, force in enumerate(planned.layout.forces):
        if force.element == "stop" and not isinstance(planned.machine.parts[force.part], Rope):
            low, high = planned.plan.forces.number[number, :2]
            found[force.part] = (row_name(planned, force.part), float(low), float(high))
    return found


def row_name(planned: Planned, part: str) -> str:
    """Name in the grid of what a stop limits: its joint's coordinate, or the part itself for its length."""
    loops = len(planned.plan.system.loop_slot)
    row = next(row for row in planned.layout.rows[loops:] if row.part == part)
    if not is_coordinate(row):
        return part
    return next(one.path for one in coordinates(planned) if one.v == row.index[3])


def own_ranges(mechanism: Mechanism, link: int, count: int) -> list[Range]:
    """Ranges of stops, then strokes of cylinders, as many as are independent of each other and of the loops.

    Those that leave a link where it is are left out.
    """
    assembly.close_once(mechanism.plan, mechanism.work)
    J, A = mechanism.jacobian(), mechanism.row_jacobian()
    nloop = len(J)
    numbers = {row.part: number for number, row in enumerate(mechanism.planned.layout.rows)}
    found: dict[str, Range] = {}

    def by_kind(item: tuple[str, tuple[str, float, float]]) -> bool:
        return item[0] == item[1][0]  # lengths after coordinates

    for part, (name, low, high) in sorted(limits(mechanism.planned).items(), key=by_kind):
        row = A[numbers[part]][None]
        independent = assembly.independent_rows(np.vstack([J, row]))[-1]
        if name not in found and independent and np.isfinite([low, high]).all():
            unit = mechanism.planned.layout.rows[numbers[part]].unit
            found[name] = Range(name, np.linspace(low, high, count), unit)
            J = np.vstack([J, row])
    if not found:
        fix = 'Say what moves: joints={"slew": ("-90 deg", "90 deg")}.'
        rule = "The machine has no joint stop with two ends and no cylinder, so nothing gives a range."
        raise MachineError([Problem(rule, fix=fix)], "the grid")

    # velocities of the joints that carry the link, one column for a unit rate of each range
    links = mechanism.planned.topology.links
    carrying = np.linalg.pinv(J)[[links[k].v for k in chain(links, link)]][:, nloop:]
    moving = np.abs(carrying).max(axis=0, initial=0.0) > STILL
    return [one for one, moves in zip(found.values(), moving, strict=True) if moves] or list(found.values())


class Grid:
    """A driven copy of the machine and the ranges of its drivers."""

    def __init__(self, mechanism: Mechanism, ranges: list[Range]) -> None:
        self.mechanism, self.ranges = mechanism, ranges
        self.target = mechanism.work.rows.target
        self.target[:, 1:] = 0.0
        count = len(mechanism.planned.layout.loops.driven)
        self.own = list(range(count - len(ranges), count))  # the machine's own drivers come first

    def walk(self) -> Iterator[tuple[int, ...]]:
        """All poses of the grid, each a neighbour of the one before."""

        def below(axis: int, backwards: bool) -> Iterator[tuple[int, ...]]:
            if axis == len(self.ranges):
                yield ()
                return
            order = range(len(self.ranges[axis].values))
            for turn, number in enumerate(reversed(order) if backwards else order):
                for rest in below(axis + 1, turn % 2 == 1):
                    yield (number, *rest)

        return below(0, False)

    def close(self, values: Array) -> bool:
        """Go from the pose in Work to these values, in pieces where it is far."""
        work, plan = self.mechanism.work, self.mechanism.plan
        start, q = self.target[self.own, 0].copy(), work.state.q.copy()
        everything, moving = list(range(self.mechanism.nloop)), np.ones(self.mechanism.nv, bool)
        pieces = max(1, int(np.ceil(np.max(np.abs(values - start), initial=0.0) / STRIDE)))
        for piece in range(1, pieces + 1):
            self.target[self.own, 0] = start + (values - start) * piece / pieces
            if assembly.newton(plan, work, everything, moving) > assembly.GOOD:
                self.target[self.own, 0], work.state.q[:] = start, q
                return False
        return True

    def workspace(self, machine: Machine, point: str, ends: Mapping[str, tuple[str, float, float]]) -> Workspace:
        """Go through the grid."""
        link, place = find_place(self.mechanism, point)
        motion, s = self.mechanism.work.motion, self.mechanism.work.rows.s
        numbers = {row.part: number for number, row in enumerate(self.mechanism.planned.layout.rows)}
        checked = np.array([numbers[part] for part in ends], np.intp)
        low, high = np.array([(a, b) for _, a, b in ends.values()]).reshape(-1, 2).T
        shape = [len(one.values) for one in self.ranges]
        positions, open_, beyond = np.full((*shape, 3), np.nan), 0, 0
        for pose in self.walk():
            values = np.array([one.values[k] for one, k in zip(self.ranges, pose, strict=True)])
            if not self.close(values):
                open_ += 1
            elif np.any(s[checked] < low - WITHIN) or np.any(s[checked] > high + WITHIN):
                beyond += 1
            else:
                positions[pose] = motion.p_WO + motion.p_OL[link] + motion.R_WL[link].reshape(3, 3) @ place
        if open_ + beyond == positions.size // 3:
            rule = (
                f"None of the {open_ + beyond} poses can be reached: {open_} do not close, {beyond} are beyond a stop."
            )
            raise MachineError([Problem(rule, fix="Give ranges that the start lies in.")], "the grid")
        coords = {one.name: (one.name, one.values, {"units": one.unit}) for one in self.ranges}
        dims = (*(one.name for one in self.ranges), "xyz")
        array = xr.DataArray(positions, coords | {"xyz": list("xyz")}, dims, point, {"units": "m"})
        return Workspace(machine.name, point, array, open_, beyond)
