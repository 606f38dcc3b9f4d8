# SPDX-License-Identifier: BSD-3-Clause
"""The links of a plan as arrays: the family `links`, and where the common point is among the coordinates."""

from __future__ import annotations

import numpy as np

from knuckleboom.mechanics.elements import ball, turn
from knuckleboom.plan.system import listed_velocities, velocities_of
from knuckleboom.plan.topology import Inertia, Topology


def inertia_table(inertias: list[Inertia]) -> np.ndarray:
    """Mass, centre of mass and inertia about it, one line each."""
    table = np.zeros((len(inertias), 10))
    for line, given in zip(table, inertias, strict=True):
        if given.mass == 0.0 and not given.inertia.any():
            continue
        c = given.moment / given.mass if given.mass > 0.0 else np.zeros(3)
        about = given.inertia - given.mass * (c @ c * np.eye(3) - np.outer(c, c))
        line[:] = (
            given.mass, *c, about[0, 0], about[1, 1], about[2, 2], about[0, 1], about[0, 2], about[1, 2],
        )  # fmt: skip
    return table


def link_tables(topology: Topology) -> dict[str, np.ndarray]:
    """The arrays of the family `links` that the machine decides, but for `between`."""
    links, shared = topology.links, sorted(topology.shared)
    aligned = [int(np.array_equal(link.R, np.eye(3))) for link in links]
    lines = [
        (
            *(link.kind, link.parent, link.q, link.v, same, len(velocities_of(link)), link.screw),
            max(0, link.screw - topology.nv),
        )
        for link, same in zip(links, aligned, strict=True)
    ]
    index = np.array(lines, np.int64)
    frame = np.array([[*link.R.ravel(), *link.p] for link in links])
    inertia = inertia_table([link.inertia for link in links])
    inertia[0] = 0.0
    plain = [link for _, link in listed_velocities(links) if link.kind != ball.KIND]
    scalars = [(link.q + k, link.v + k) for link in plain for k in range(len(velocities_of(link)))]
    balls = [(link.q, link.v) for link in links[1:] if link.kind == ball.KIND]
    return {
        "links.index": index,
        "links.frame": frame,
        "links.inertia": inertia,
        "links.shape": np.concatenate([link.shapes for link in links]),
        "links.shared": np.array(shared, np.int64),
        "links.modal": np.array([topology.shared[v] for v in shared], float),
        "links.scalars": np.array(scalars, np.int64).reshape(-1, 2),
        "links.turns": np.array([link.q for link in links if link.kind == turn.KIND], np.int64),
        "links.balls": np.array(balls, np.int64).reshape(-1, 2),
    }


def origin_columns(topology: Topology) -> np.ndarray:
    """The coordinates of the common point O: the position of the machine's first body that is free, or none."""
    if not topology.free_joint:
        return np.full(3, -1, np.int64)
    return np.array(topology.tree[topology.free_joint].q[:3], np.int64)
