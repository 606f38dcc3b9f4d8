# SPDX-License-Identifier: BSD-3-Clause
"""Notes on contacts of bodies whose materials are no listed pair, so that usual numbers count for what is not given.

With a terrain such a pair is refused (machine/rules/bodies.py); bodies may touch in many pairs that never meet.
Tested in tests/plan/test_pairing.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.materials import pair_of, partners
from knuckleboom.interface.pairs import COULOMB, RESTITUTION
from knuckleboom.interface.parts.contact import Contact

if TYPE_CHECKING:
    from knuckleboom.plan.planned import Planned


def unlisted_materials(planned: Planned) -> list[Problem]:
    """Pairs of materials that are not listed, each where it comes first, with the numbers that count there."""
    network, notes = planned.layout.network, dict[frozenset[str], Problem]()
    for one, number in zip(network.pairings, planned.plan.pairs.number, strict=True):
        a, b = (network.shapes[shape].contact for shape in (one.a, one.b))
        materials = frozenset((a.material, b.material))
        if materials not in notes and falls_back(a, b):
            rule, fix = unlisted(a, b, float(number[COULOMB]), float(number[RESTITUTION]))
            notes[materials] = planned.machine.placed(problem(a, rule, fix, field="material"))
    return list(notes.values())


def falls_back(a: Contact, b: Contact) -> bool:
    """Whether materials are given that are no listed pair, and not all numbers go before them."""
    given = all(one.friction is not None and one.restitution is not None for one in (a, b))
    return bool(a.material or b.material) and pair_of(a.material, b.material) is None and not given


def unlisted(a: Contact, b: Contact, friction: float, restitution: float) -> tuple[str, str]:
    """What is worth a note about two contacts, and what to do."""
    materials = [f"of {one.material}" if one.material else "without a material" for one in (a, b)]
    rule = f"it is {materials[0]} and may touch contact '{b.name}', which is {materials[1]}; that pair is not listed"
    count = f"so friction is {friction:.3g} and restitution {restitution:.3g}."
    listed = a.material or b.material
    fix = f"Give both contacts friction and restitution; with {listed} these are listed: {', '.join(partners(listed))}."
    return f"{rule}, {count}", fix
