# SPDX-License-Identifier: BSD-3-Clause
"""Coordinates and rates of the joints that were cut to open a loop, from the recorded motion of their two bodies.

A joint that closes a loop is a joint like any other for its user, so its angle or travel and their rates come back by
name too (accelerations do not). Angles are continuous over time, as long as their rates tell the turns between two
records, and begin near the joint's start value. Tested in tests/simulate/test_cut_joints.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.plan.naming import COORDINATE_UNITS
from knuckleboom.plan.topology import describe_place, joint_axes

Array = NDArray[np.float64]
TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Motion:
    """Over time: axes and origin of a frame in the world, its angular velocity and the velocity of its origin."""

    R: Array
    p: Array
    omega: Array
    velocity: Array


@dataclass(frozen=True)
class Series:
    """One quantity to append: path after the joint's name, unit, meaning, values and their dimension."""

    label: str
    unit: str
    meaning: str
    values: Array
    dim: str | None = None


def matrices(quaternions: Array) -> Array:
    """Rotation matrices of unit quaternions (w, x, y, z), one per line."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def quaternions(R: Array) -> Array:
    """Unit quaternions (w, x, y, z) of rotation matrices, the first with w ≥ 0, each on the side of the one before."""
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    # row k of this symmetric matrix is 4·q_k·q: the longest row loses no digits
    table = np.empty((len(R), 4, 4))
    table[:, 0, 0], table[:, 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    table[:, 2, 2], table[:, 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    table[:, 0, 1] = table[:, 1, 0] = R[:, 2, 1] - R[:, 1, 2]
    table[:, 0, 2] = table[:, 2, 0] = R[:, 0, 2] - R[:, 2, 0]
    table[:, 0, 3] = table[:, 3, 0] = R[:, 1, 0] - R[:, 0, 1]
    table[:, 1, 2] = table[:, 2, 1] = R[:, 1, 0] + R[:, 0, 1]
    table[:, 1, 3] = table[:, 3, 1] = R[:, 0, 2] + R[:, 2, 0]
    table[:, 2, 3] = table[:, 3, 2] = R[:, 2, 1] + R[:, 1, 2]
    lengths = np.linalg.norm(table, axis=2)
    longest = lengths.argmax(axis=1)
    lines = np.arange(len(R))
    result = table[lines, longest] / lengths[lines, longest, None]
    signs = np.ones(len(R))
    signs[0] = -1.0 if result[0, 0] < 0.0 else 1.0
    signs[1:] = np.where(np.einsum("ti,ti->t", result[1:], result[:-1]) < 0.0, -1.0, 1.0)
    return np.asarray(result * np.cumprod(signs)[:, None])


def frame_motion(planned: Planned, record: Array, joint: Joint, side: str) -> Motion:
    """Motion of the joint frame on one side."""
    body, R, p = describe_place(planned.machine, getattr(joint, side))
    axes = R @ joint_axes(joint)
    if body == "ground":
        still = np.zeros((len(record), 3))
        return Motion(np.broadcast_to(axes, (len(record), 3, 3)), np.broadcast_to(p, still.shape), still, still)

    def recorded(what: str) -> Array:
        return record[:, list(planned.names[f"{body}.{what}"].columns)]

    R_WB, omega = matrices(recorded("orientation")), recorded("angular_velocity")
    arm = R_WB @ p
    velocity = recorded("velocity") + np.cross(omega, arm)
    return Motion(R_WB @ axes, recorded("position") + arm, omega, velocity)


def relative_motion(a: Motion, b: Motion) -> Motion:
    """Motion of M, on side b, as seen from F, on side a, in F's axes."""
    R_FW, gap = a.R.transpose(0, 2, 1), b.p - a.p
    omega = np.einsum("tij,tj->ti", R_FW, b.omega - a.omega)
    velocity = np.einsum("tij,tj->ti", R_FW, b.velocity - a.velocity - np.cross(a.omega, gap))
    return Motion(R_FW @ b.R, np.einsum("tij,tj->ti", R_FW, gap), omega, velocity)


def continuous(angle: Array, rate: Array, time: Array, start: float) -> Array:
    """An angle known up to whole turns: from record to record it goes where its rate says, from near its start."""
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(time)
    expected = np.concatenate([[0.0], np.cumsum(steps)])
    angle = expected + np.unwrap(angle - expected)
    return np.asarray(angle + TURN * np.round((start - angle[0]) / TURN))


def coordinates(joint: Joint, moved: Motion, time: Array) -> dict[str, tuple[Array, Array]]:
    """Coordinates with their rates by label; see mechanics/joints.py for the order of movements."""
    starts = dict(zip((label for label, _ in joint.COORDINATES), joint.start, strict=True))

    def turned(label: str, y: Array, x: Array, rate: Array) -> tuple[Array, Array]:
        return continuous(np.arctan2(y, x), rate, time, starts[label]), rate

    def about_z(label: str) -> tuple[Array, Array]:
        return turned(label, moved.R[:, 1, 0], moved.R[:, 0, 0], moved.omega[:, 2])

    slid = {axis: (moved.p[:, k], moved.velocity[:, k]) for k, axis in enumerate("xyz")}
    match joint.KIND:
        case "revolute":
            return {"angle": about_z("angle")}
        case "prismatic":
            return {"travel": slid["z"]}
        case "cylindrical":
            return {"travel": slid["z"], "angle": about_z("angle")}
        case "planar":
            return {"x": slid["x"], "y": slid["y"], "angle": about_z("angle")}
        case "universal":
            # R = Rz(angle_1)·Rx(angle_2): the x axis only turns about z, and z tilts about x
            tilting = np.einsum("ti,ti->t", moved.omega, moved.R[:, :, 0])
            second = turned("angle_2", moved.R[:, 2, 1], moved.R[:, 2, 2], tilting)
            return {"angle_1": about_z("angle_1"), "angle_2": second}
    return {}


def spatial(joint: Joint, moved: Motion) -> Iterator[Series]:
    """The vectors of a spherical or free joint, as plan/naming.py names them in the tree."""
    if joint.KIND == "free":
        yield Series("position", "m", "b's place in a's axes", moved.p, "xyz")
        yield Series("velocity", "m/s", "its rate, in a's axes", moved.velocity, "xyz")
    turning = np.einsum("tji,tj->ti", moved.R, moved.omega)
    yield Series("orientation", "1", "b relative to a, unit quaternion", quaternions(moved.R), "wxyz")
    yield Series("angular_velocity", "rad/s", "of b relative to a, in b's axes", turning, "xyz")


def cut_coordinates(planned: Planned, joint: Joint, record: Array) -> Iterator[Series]:
    """Yield every coordinate of a cut joint and its rate."""
    moved = relative_motion(*(frame_motion(planned, record, joint, side) for side in ("a", "b")))
    if joint.SPATIAL:
        yield from spatial(joint, moved)
        return
    kinds = dict(joint.COORDINATES)
    for label, (values, rate) in coordinates(joint, moved, record[:, 0]).items():
        unit, rate_unit, _ = COORDINATE_UNITS[kinds[label]]
        yield Series(label, unit, f"{label} of {joint.KIND} joint that closes a loop", values)
        yield Series(f"{label}_rate", rate_unit, f"rate of its {label}", rate)


def add_cut_joints(planned: Planned, names: Names, record: Array) -> tuple[Names, Array]:
    """Append the coordinates of the cut joints to the record."""
    extended, columns, width = Names(names), [record], record.shape[1]
    for joint in planned.topology.cut if len(record) else ():
        for series in cut_coordinates(planned, joint, record):
            path = f"{joint.name}.{series.label}"
            if path in names:
                continue  # bodies on their own measure it while they run
            values = series.values.reshape(len(record), -1)
            wanted = range(width, width + values.shape[1])
            extended.add(path, series.unit, series.meaning, wanted if series.dim else width, series.dim)
            columns.append(values)
            width += values.shape[1]
    return extended, np.hstack(columns)
