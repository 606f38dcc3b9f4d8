# SPDX-License-Identifier: BSD-3-Clause
"""Coordinates of the joints that were cut to open a loop, from the recorded poses of their two bodies.

A joint that closes a loop is a joint like any other for its user, so its angle or travel comes back by name too. Angles
are continuous over time. Validated by: validation/analytic/test_universal.py, test_four_bar.py
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.plan.topology import describe_place, joint_axes

Array = NDArray[np.float64]


def matrices(quaternions: Array) -> Array:
    """Rotation matrices of unit quaternions (w, x, y, z), one per line."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def pose(planned: Planned, record: Array, joint: Joint, side: str) -> tuple[Array, Array]:
    """Axes and origin in the world of the joint frame on one side, over time."""
    body, R, p = describe_place(planned.machine, getattr(joint, side))
    axes = R @ joint_axes(joint)
    if body == "ground":
        return np.broadcast_to(axes, (len(record), 3, 3)), np.broadcast_to(p, (len(record), 3))
    R_WB = matrices(record[:, list(planned.names[f"{body}.orientation"].columns)])
    p_WB = record[:, list(planned.names[f"{body}.position"].columns)]
    return R_WB @ axes, p_WB + R_WB @ p


def coordinates(joint: Joint, R_FM: Array, p_FM: Array) -> dict[str, Array]:
    """Coordinates by label from the pose of M in F; see mechanics/joints.py for the order of movements."""
    about_z = np.unwrap(np.arctan2(R_FM[:, 1, 0], R_FM[:, 0, 0]))
    match joint.KIND:
        case "revolute":
            return {"angle": about_z}
        case "prismatic":
            return {"travel": p_FM[:, 2]}
        case "cylindrical":
            return {"travel": p_FM[:, 2], "angle": about_z}
        case "planar":
            return {"x": p_FM[:, 0], "y": p_FM[:, 1], "angle": about_z}
        case "universal":
            # R = Rz(angle_1)·Rx(angle_2): the x axis only turns about z, and z tilts about x
            second = np.unwrap(np.arctan2(R_FM[:, 2, 1], R_FM[:, 2, 2]))
            return {"angle_1": about_z, "angle_2": second}
    return {}


def cut_coordinates(planned: Planned, record: Array) -> Iterator[tuple[str, str, str, Array]]:
    """Yield path, unit, meaning and values of every coordinate of the cut joints."""
    for joint in planned.topology.cut:
        R_WF, p_F = pose(planned, record, joint, "a")
        R_WM, p_M = pose(planned, record, joint, "b")
        R_FW = R_WF.transpose(0, 2, 1)
        p_FM = np.einsum("tij,tj->ti", R_FW, p_M - p_F)
        units = dict(joint.COORDINATES)
        for label, values in coordinates(joint, R_FW @ R_WM, p_FM).items():
            unit = "rad" if units[label] == "angle" else "m"
            yield f"{joint.name}.{label}", unit, f"{label} of {joint.KIND} joint that closes a loop", values


def add_cut_joints(planned: Planned, names: Names, record: Array) -> tuple[Names, Array]:
    """Append the coordinates of the cut joints to the record."""
    extended, columns = Names(names), [record]
    if planned.topology.cut and len(record):
        for path, unit, meaning, values in cut_coordinates(planned, record):
            extended.add(path, unit, meaning, record.shape[1] + len(columns) - 1)
            columns.append(values[:, None])
    return extended, np.hstack(columns)
