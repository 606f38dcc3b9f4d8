# SPDX-License-Identifier: BSD-3-Clause
"""Inertias as robots' files have them, also those that no mass could have: which are placeholders, sums, repairs.

Many public files have inertias with one principal moment above the sum of the others, or placeholders (zero, 1e-6, the
identity) on links that are only fixed to a heavier one. What they weigh together is the sum of mass, m·c and the
inertia about one point, as given:

    m = Σ mᵢ,   m·c = Σ mᵢ·cᵢ,   I = Σ (Iᵢ + mᵢ·(rᵢ·rᵢ 1 − rᵢ rᵢᵀ)),   rᵢ = cᵢ − c

Equations of motion need no more than a positive definite mass matrix, which an inertia that is positive definite itself
always leaves. One that is not is kept if the mass matrix is positive definite at the start and at POSES other poses;
else it is repaired: its principal moments become the nearest of which each exceeds the difference of the other two
by LEAST of the largest. The principal axes stay.
Tested in tests/exchange/test_inertias.py.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from knuckleboom.errors import MachineError
from knuckleboom.exchange.pose import Array, Pose, six
from knuckleboom.exchange.robot import Link
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Joint
from knuckleboom.mechanics.parts.body import inertia_faults, listed_inertia

POSES = 32
"""Poses beside the start at which a mass matrix is tried; each coordinate of a turning or sliding joint up to ±π."""
LEAST = 1e-6
"""Of the largest moment given: by how much a sum of two repaired moments exceeds the third."""


def is_possible(inertia: Array) -> bool:
    """Return whether a mass could have this inertia about its centre."""
    return not any(True for _ in inertia_faults(six(inertia)))


def is_positive(inertia: Array) -> bool:
    """Return whether an inertia leaves every mass matrix positive definite that is so without it."""
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[0] >= -1e-9 * abs(moments).max())  # rounding of typed values


def is_placeholder(link: Link) -> bool:
    """Return whether what a link weighs was hardly measured: no mass, no inertia, a power of ten, or impossible."""
    if not link.inertia.any():
        return link.mass > 0.0
    return not link.mass > 0.0 or _is_power_of_ten(link.inertia) or not is_possible(link.inertia)


def _is_power_of_ten(inertia: Array) -> bool:
    """Return whether all moments are 1, 0.1, 1e-6 or the like, without products."""
    size = float(inertia[0, 0])
    if not size > 0.0 or not np.array_equal(inertia, size * np.eye(3)):
        return False
    return math.isclose(size, 10.0 ** round(math.log10(size)), rel_tol=1e-9)


def add(host: Link, link: Link, pose: Pose) -> None:
    """Add mass and inertia of a link, whose frame has a pose in the host's, to the host."""
    mass = host.mass + link.mass
    centre = pose.R @ link.com + pose.p
    com = (host.mass * host.com + link.mass * centre) / mass if mass > 0.0 else host.com
    total = np.zeros((3, 3))
    for own, at, m in ((host.inertia, host.com, host.mass), (pose.R @ link.inertia @ pose.R.T, centre, link.mass)):
        r = at - com
        total += own + m * (r @ r * np.eye(3) - np.outer(r, r))
    host.mass, host.com, host.inertia = mass, com, total


def nearest_possible(inertia: Array) -> Array:
    """Return the nearest inertia, in the norm of its entries, that a mass can have, with no moment of zero."""
    given, axes = np.linalg.eigh(inertia)
    sides = np.ones((3, 3)) - 2.0 * np.eye(3)  # sides·moments are the sums of two moments less the third
    least = LEAST * float(abs(given).max())
    best, nearest = given, math.inf
    # the nearest point of a cone of three planes lies on none, one, two or all of them
    for count in range(4):
        for chosen in itertools.combinations(range(3), count):
            A = sides[list(chosen)]
            moments = given + A.T @ np.linalg.solve(A @ A.T, least - A @ given) if count else given
            distance = float(np.linalg.norm(moments - given))
            if (sides @ moments >= least * (1.0 - 1e-9)).all() and distance < nearest:
                best, nearest = moments, distance
    return np.asarray((axes * best) @ axes.T)


def is_movable(machine: Machine) -> bool:
    """Return whether the mass matrix is positive definite at the start and at POSES other poses."""
    from knuckleboom.plan import build

    try:
        planned = build(machine)
    except MachineError:
        return False
    random = np.random.default_rng(0)
    start = np.array(planned.work.state.q)
    single = [
        planned.joint_columns(joint.name)[0][0]
        for joint in machine.of(Joint)
        if joint.name in planned.topology.tree and len(joint.COORDINATES) == 1
    ]
    for pose in range(1 + POSES):
        q = np.array(start)
        if pose:
            q[single] += random.uniform(-math.pi, math.pi, len(single))
        planned.set_state(q, np.zeros(planned.topology.nv))
        moments = np.linalg.eigvalsh(planned.mass_matrix())
        if len(moments) and not moments[0] > 0.0:
            return False
    return True


def show_inertia(inertia: Array) -> str:
    """Return an inertia as notes show it."""
    return listed_inertia(six(inertia))
