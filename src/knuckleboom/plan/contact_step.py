# SPDX-License-Identifier: BSD-3-Clause
"""How fast a contact is for a step: h √(k/m), m the mass that its resting points feel at the start of a machine.

    √(k/m) = the largest root of k A M⁻¹ Aᵀ,   A the normal rows of the deepest points, M⁻¹ with the loops closed

Of a pair of bodies, which may be far from each other yet, A has a row between the middles of both shapes for each spot
on which the one that has fewer rests; of a tire one of its deepest disc, with the stiffness of all.
Up to 0.5 the rebound of a linearly implicit step is right to 2 %, up to 1 to 8 %. Tested in tests/plan/test_contacts.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.geometry.placed import CENTRE
from knuckleboom.interface import pairs, tire
from knuckleboom.interface.contact import LAW, LINK, SPOT, STIFFNESS
from knuckleboom.mechanics.kinematics import LINK_NV, LINK_PARENT, LINK_S, LINK_V
from knuckleboom.plan.pairing import RESTING
from knuckleboom.plan.rotation import Matrix

if TYPE_CHECKING:
    from knuckleboom.plan.planned import Planned

FAST = 1.0
"""h √(k/m) above which a rebound may be off by more than 8 %."""
USUAL_STEP = 1e-3  # s: that of coupling realtime
SOFTER = {"contact": "a larger depth", "pair": "a larger depth", "tire": "more deflection"}
"""What makes each less stiff."""


class ContactSpeed(NamedTuple):
    """How stiff a contact, a pair or a tire is: force per depth at one point, of a tire in all, N/m, the mass that it
    feels, kg, and √(k/m), 1/s.
    """

    kind: str
    """contact, pair or tire."""
    part: str
    name: str
    """Path of its results."""
    other: str
    """The terrain, or the other contact of a pair; of a tire all ground."""
    stiffness: float
    mass: float
    frequency: float


def contact_speeds(planned: Planned) -> list[ContactSpeed]:
    """How fast each contact with the ground is where the machine is now."""
    network, lines, inverse = planned.layout.network, planned.plan.touch, mobility(planned)
    found = []
    for touch, line in zip(network.touches, lines.index, strict=True):
        spots = slice(line[SPOT], line[SPOT] + min(touch.spots, touch.outline.resting))
        A = rows_at(planned, line[LINK], planned.work.touch.p[spots], planned.work.touch.n[spots])
        stiffness = float(lines.law[line[LAW], STIFFNESS])
        found.append(ContactSpeed("contact", touch.part, touch.path, touch.ground, *felt(A, inverse, stiffness)))
    return found


def pair_speeds(planned: Planned) -> list[ContactSpeed]:
    """How fast each pair of contacts is."""
    network, lines, placed, inverse = (
        planned.layout.network, planned.plan.pairs, planned.work.pairs.placed, mobility(planned)
    )  # fmt: skip
    found = []
    for one, number in zip(network.pairings, lines.number, strict=True):
        a, b = (placed[shape, CENTRE : CENTRE + 3] for shape in (one.a, one.b))
        apart = float(np.linalg.norm(b - a))
        n = (b - a) / apart if apart > 0.0 else np.array([0.0, 0.0, 1.0])
        count = min(RESTING[int(lines.of[shape, pairs.KIND])] for shape in (one.a, one.b))
        p, f = np.tile(0.5 * (a + b), (count, 1)), np.tile(n, (count, 1))
        A = rows_at(planned, lines.of[one.b, pairs.LINK], p, f) - rows_at(planned, lines.of[one.a, pairs.LINK], p, f)
        speed = felt(A, inverse, float(number[pairs.STIFFNESS]))
        found.append(ContactSpeed("pair", one.parts[0], one.path, one.parts[1], *speed))
    return found


def tire_speeds(planned: Planned) -> list[ContactSpeed]:
    """How fast each tire is where the machine is now."""
    lines, disc, inverse = planned.plan.tire, planned.work.tire.disc, mobility(planned)
    found = []
    for tread, line, number in zip(planned.layout.network.treads, lines.index, lines.number, strict=True):
        first = line[tire.DISC]
        deepest = first + int(np.argmin(disc[first : first + tread.discs, tire.GAP]))
        p, n = (disc[deepest : deepest + 1, at : at + 3] for at in (tire.P, tire.NORMAL))
        stiffness = tread.discs * float(number[tire.STIFFNESS])
        speed = felt(rows_at(planned, line[tire.LINK], p, n), inverse, stiffness)
        found.append(ContactSpeed("tire", tread.part, tread.part, "ground", *speed))
    return found


def all_speeds(planned: Planned) -> list[ContactSpeed]:
    """How fast contacts, pairs and tires are."""
    return contact_speeds(planned) + pair_speeds(planned) + tire_speeds(planned)


def mobility(planned: Planned) -> Matrix:
    """M⁻¹ with the loops closed; fills what touches."""
    network = planned.layout.network
    if not (network.touches or network.pairings or network.treads):
        return np.zeros((0, 0))
    M, phi = planned.mass_matrix(), planned.jacobian()
    planned.mass_matrix()  # the Jacobian alone does not fill what touches
    inverse = np.linalg.inv(M)
    held = inverse @ phi.T
    return np.asarray(inverse - held @ np.linalg.pinv(phi @ held) @ held.T)


def felt(A: Matrix, inverse: Matrix, stiffness: float) -> tuple[float, float, float]:
    """A stiffness, the mass that rows feel, and √(k/m)."""
    softest = float(np.linalg.eigvalsh(A @ inverse @ A.T)[-1])
    mass = np.inf if softest <= 0.0 else 1.0 / softest
    return stiffness, mass, float(np.sqrt(stiffness / mass))


def rows_at(planned: Planned, link: int, points: Matrix, normals: Matrix) -> Matrix:
    """Rates of points of a link along normals, from all velocities."""
    work, index, link = planned.work, planned.plan.links.index, int(link)
    wrenches = np.hstack([np.cross(points, normals), normals])
    A = np.zeros((len(points), len(work.state.v)))
    while link > 0:
        own = slice(index[link, LINK_V], index[link, LINK_V] + index[link, LINK_NV])
        screws = slice(index[link, LINK_S], index[link, LINK_S] + index[link, LINK_NV])
        A[:, own] = wrenches @ work.motion.S[screws].T
        link = int(index[link, LINK_PARENT])
    return A


def fast_contacts(planned: Planned) -> list[Problem]:
    """Contacts, pairs and tires that are fast for the steps of the machine's cases; where it has none, of real time."""
    machine = planned.machine
    steps = [case.step for case in machine.cases.values() if case.step is not None] or [USUAL_STEP]
    return [
        machine.placed(problem(machine.parts[one.part], *too_fast(one, max(steps)), field="stiffness"))
        for one in all_speeds(planned)
        if max(steps) * one.frequency > FAST
    ]


def too_fast(one: ContactSpeed, step: float) -> tuple[str, str]:
    """What is wrong with a contact, a pair or a tire at a step, and what to do."""
    ratio, best = step * one.frequency, 0.5 / one.frequency
    against, of = (f"against '{one.other}' ", " of both") if one.kind == "pair" else ("", "")
    rule = f"{against}h·√(k/m) is {ratio:.2g} at a step of {1e3 * step:.3g} ms, where a rebound is right up to 0.5."
    softer = one.stiffness * (0.5 / ratio) ** 2
    return rule, f"Take a step of {1e3 * best:.2g} ms, or a stiffness{of} of {softer:.2g} N/m: {SOFTER[one.kind]}."
