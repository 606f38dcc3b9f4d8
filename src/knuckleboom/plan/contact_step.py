# SPDX-License-Identifier: BSD-3-Clause
"""How fast a contact is for a step: h √(k/m), m the mass that its resting points feel at the start of a machine.

    √(k/m) = the largest root of k A M⁻¹ Aᵀ,   A the normal rows of the deepest points, M⁻¹ with the loops closed

Up to 0.5 the rebound of a linearly implicit step is right to 2 %, up to 1 to 8 %. Tested in tests/plan/test_contacts.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.contact import LAW, LINK, SPOT, STIFFNESS
from knuckleboom.mechanics.kinematics import LINK_NV, LINK_PARENT, LINK_S, LINK_V
from knuckleboom.plan.rotation import Matrix

if TYPE_CHECKING:
    from knuckleboom.plan.planned import Planned

FAST = 1.0
"""h √(k/m) above which a rebound may be off by more than 8 %."""
USUAL_STEP = 1e-3  # s: that of coupling realtime


class ContactSpeed(NamedTuple):
    """A contact's force per depth at one point, N/m, the mass that it feels, kg, and √(k/m), 1/s."""

    part: str
    name: str
    """Path of its results."""
    ground: str
    stiffness: float
    mass: float
    frequency: float


def contact_speeds(planned: Planned) -> list[ContactSpeed]:
    """How fast each contact is where the machine is now."""
    touches = planned.layout.network.touches
    if not touches:
        return []
    M, phi = planned.mass_matrix(), planned.jacobian()
    planned.mass_matrix()  # the Jacobian alone does not fill what touches
    inverse = np.linalg.inv(M)
    held = inverse @ phi.T
    inverse -= held @ np.linalg.pinv(phi @ held) @ held.T
    found = []
    for number, touch in enumerate(touches):
        line = planned.plan.touch.index[number]
        A = normal_rows(planned, line, min(touch.spots, touch.outline.resting))
        softest = float(np.linalg.eigvalsh(A @ inverse @ A.T)[-1])
        stiffness = float(planned.plan.touch.law[line[LAW], STIFFNESS])
        mass = np.inf if softest <= 0.0 else 1.0 / softest
        frequency = float(np.sqrt(stiffness / mass))
        found.append(ContactSpeed(touch.part, touch.path, touch.ground, stiffness, mass, frequency))
    return found


def normal_rows(planned: Planned, line: Matrix, count: int) -> Matrix:
    """A of the deepest points of a contact."""
    work, index = planned.work, planned.plan.links.index
    points = work.touch.p[line[SPOT] : line[SPOT] + count]
    normals = work.touch.n[line[SPOT] : line[SPOT] + count]
    wrenches = np.hstack([np.cross(points, normals), normals])
    A, link = np.zeros((count, len(work.state.v))), int(line[LINK])
    while link > 0:
        own = slice(index[link, LINK_V], index[link, LINK_V] + index[link, LINK_NV])
        screws = slice(index[link, LINK_S], index[link, LINK_S] + index[link, LINK_NV])
        A[:, own] = wrenches @ work.motion.S[screws].T
        link = int(index[link, LINK_PARENT])
    return A


def fast_contacts(planned: Planned) -> list[Problem]:
    """Contacts that are fast for the steps of the machine's cases, or for that of real time where it has none."""
    steps = [case.step for case in planned.machine.cases.values() if case.step is not None] or [USUAL_STEP]
    return [
        problem(planned.machine.parts[one.part], *too_fast(one, max(steps)), field="stiffness")
        for one in contact_speeds(planned)
        if max(steps) * one.frequency > FAST
    ]


def too_fast(one: ContactSpeed, step: float) -> tuple[str, str]:
    """What is wrong with a contact at a step, and what to do."""
    ratio, best = step * one.frequency, 0.5 / one.frequency
    rule = f"h·√(k/m) is {ratio:.2g} at a step of {1e3 * step:.3g} ms, where a rebound is right up to 0.5."
    softer = one.stiffness * (0.5 / ratio) ** 2
    return rule, f"Take a step of {1e3 * best:.2g} ms, or a stiffness of {softer:.2g} N/m: a larger depth."
