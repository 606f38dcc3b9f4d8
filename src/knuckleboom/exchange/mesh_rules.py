# SPDX-License-Identifier: BSD-3-Clause
"""Does a mesh bound a solid? Every edge belongs to two triangles, which run along it in opposite directions."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from knuckleboom.errors import MachineError, Problem
from knuckleboom.exchange.mesh_file import Faces
from knuckleboom.exchange.pose import Array


def signed_volumes(triangles: Array) -> Array:
    """Return the volumes of the tetrahedra from the origin to each triangle, negative where it faces the origin."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    volumes: Array = np.einsum("ti,ti->t", a, np.cross(b, c)) / 6.0
    return volumes


FLAT = 1e-9
"""Thickness over size, in any direction, below which a mesh bounds nothing but rounding."""


def check_closed(vertices: Array, faces: Faces, name: str) -> None:
    """Raise a MachineError for a mesh that is flat, open, or not turned one way."""
    problems = _flat(vertices, faces) or _edges(vertices, faces) or _shells(vertices, faces)
    if problems:
        raise MachineError(problems, name)


def _flat(vertices: Array, faces: Faces) -> list[Problem]:
    used = vertices[np.unique(faces)]
    sizes = np.linalg.svd(used - used.mean(axis=0), compute_uv=False)
    if len(sizes) < 3 or not sizes[2] > FLAT * sizes[0]:
        return [Problem("it is flat: all its points lie in one plane.", fix="Give a mesh with thickness.")]
    return []


def _edges(vertices: Array, faces: Faces) -> list[Problem]:
    """Edges that are not shared by exactly two triangles in opposite directions."""
    ends = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    count = len(vertices)
    edges, which, times = np.unique(
        ends.min(axis=1) * count + ends.max(axis=1), return_inverse=True, return_counts=True
    )
    turns = np.bincount(which.reshape(-1), weights=np.sign(ends[:, 1] - ends[:, 0]))
    for wrong, told, fix in (
        (
            times == 1,
            "it is open: {} belong to one triangle only",
            "Fill its holes, or merge vertices that should be one.",
        ),
        (times > 2, "more than two triangles meet in {}", "Separate its bodies, or make one of them."),
        (turns != 0, "its triangles are turned in different ways: those along {}", "Unify its normals."),
    ):
        many = int(wrong.sum())
        if many:
            where = _point(vertices[edges[int(np.argmax(wrong))] // count])
            words = f"{many} edge{'' if many == 1 else 's'}"
            return [Problem(f"{told.format(words)}, the first at {where}.", fix=fix)]
    return []


def _shells(vertices: Array, faces: Faces) -> list[Problem]:
    """Separate surfaces that are inside out though they lie in no other, so that they are no cavity."""
    size = len(vertices)
    links = (np.ones(2 * len(faces)), (faces[:, [0, 1]].reshape(-1), faces[:, [1, 2]].reshape(-1)))
    _, shell_of = connected_components(coo_array(links, shape=(size, size)), directed=False)
    shells = np.unique(shell_of[faces[:, 0]])
    if len(shells) == 1:
        return []
    boxes, volumes = [], []
    for shell in shells:
        triangles = vertices[faces[shell_of[faces[:, 0]] == shell]]
        boxes.append((triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))))
        volumes.append(float(signed_volumes(triangles - boxes[-1][0]).sum()))
    for (low, high), volume in zip(boxes, volumes, strict=True):
        around = [v for (a, b), v in zip(boxes, volumes, strict=True) if (a < low).all() and (high < b).all()]
        if volume < 0.0 and not any(other > 0.0 for other in around) and any(other > 0.0 for other in volumes):
            rule = f"one of its {len(shells)} separate surfaces, at {_point(low)}, is inside out and is no cavity."
            return [Problem(rule, fix="Flip the normals of that surface.")]
    return []


def _point(place: Array) -> str:
    return "(" + ", ".join(f"{value + 0.0:g}" for value in place) + ")"
