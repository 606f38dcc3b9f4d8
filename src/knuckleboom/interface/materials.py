# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of materials: friction when sliding and at rest, restitution.

The numbers are typical ones, stated as such: what handbooks print for a pair differs by a factor of two and more, with
surface, load, speed and dirt [Blau 2001]. What is known of a machine is given with the contact instead.
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """How two materials touch."""

    friction: float
    breakaway: float
    restitution: float
    """At about 1 m/s."""


PAIRS: dict[tuple[str, str], Pair] = {
    ("steel", "steel"): Pair(0.42, 0.6, 0.5),
    ("steel", "concrete"): Pair(0.45, 0.57, 0.3),
    ("steel", "asphalt"): Pair(0.4, 0.5, 0.25),
    ("steel", "gravel"): Pair(0.5, 0.6, 0.15),
    ("steel", "soil"): Pair(0.45, 0.55, 0.1),
    ("steel", "wood"): Pair(0.4, 0.55, 0.4),
    ("steel", "ice"): Pair(0.03, 0.08, 0.3),
    ("steel", "snow"): Pair(0.08, 0.15, 0.05),
    ("wood", "wood"): Pair(0.35, 0.5, 0.4),
    ("wood", "concrete"): Pair(0.5, 0.62, 0.3),
    ("wood", "gravel"): Pair(0.5, 0.6, 0.15),
    ("wood", "soil"): Pair(0.5, 0.6, 0.1),
    ("wood", "snow"): Pair(0.1, 0.2, 0.05),
    ("rubber", "steel"): Pair(0.6, 0.7, 0.5),
    ("rubber", "concrete"): Pair(0.75, 0.85, 0.5),
    ("rubber", "asphalt"): Pair(0.75, 0.85, 0.5),
    ("rubber", "wet asphalt"): Pair(0.5, 0.6, 0.5),
    ("rubber", "gravel"): Pair(0.55, 0.6, 0.3),
    ("rubber", "soil"): Pair(0.6, 0.65, 0.2),
    ("rubber", "wood"): Pair(0.7, 0.8, 0.5),
    ("rubber", "ice"): Pair(0.07, 0.1, 0.4),
    ("rubber", "snow"): Pair(0.15, 0.2, 0.1),
    ("concrete", "soil"): Pair(0.5, 0.6, 0.1),
    ("concrete", "concrete"): Pair(0.65, 0.8, 0.3),
    ("concrete", "gravel"): Pair(0.55, 0.65, 0.15),
}
MATERIALS = tuple(dict.fromkeys(name for pair in PAIRS for name in pair))


def pair_of(one: str, other: str) -> Pair | None:
    """Return how two materials touch, either way round, or None for a pair that is not listed."""
    return PAIRS.get((one, other)) or PAIRS.get((other, one))


def partners(name: str) -> list[str]:
    """Return the materials that a pair is listed for with one."""
    found = [other for pair in PAIRS if name in pair for other in pair if other != name or pair == (name, name)]
    return list(dict.fromkeys(found))
