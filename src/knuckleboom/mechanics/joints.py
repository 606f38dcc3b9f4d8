# SPDX-License-Identifier: BSD-3-Clause
"""The closed list of joints: what each is made of in the tree, and which rows it leaves when it is cut.

In the tree a joint is a sequence of movements in the axes of its frame (z is the joint's axis, x the second axis of a
universal joint); cut, it is a set of rows of mechanics/rows: ("point", f) keeps the two origins together along axis
f of place a; ("axis", f, m) keeps axis f of place a perpendicular to axis m of place b.
"""

from __future__ import annotations

from dataclasses import dataclass

from knuckleboom.mechanics.elements import axes, ball, slide, turn

Movement = tuple[int, str]
POINT = (("point", "x"), ("point", "y"), ("point", "z"))
PARALLEL = (("axis", "x", "z"), ("axis", "y", "z"))
PLANAR_PIN = (("point", "x"), ("point", "y"))
"""What a cut revolute joint keeps when all axes of its loop are parallel."""
SLIDES = ((slide.KIND, "x"), (slide.KIND, "y"), (slide.KIND, "z"))
VECTOR_FREE = (*SLIDES, (axes.KIND, "z"))
"""Movements of a free joint in natural coordinates; elsewhere a ball takes the place of the vectors."""


@dataclass(frozen=True)
class JointKind:
    """Movements in the tree, rows when cut, and its preference as an edge of the tree (0 first)."""

    movements: tuple[Movement, ...]
    cut: tuple[tuple[str, ...], ...]
    rank: int


JOINTS: dict[str, JointKind] = {
    "fixed": JointKind((), (*POINT, *PARALLEL, ("axis", "x", "y")), 0),
    "prismatic": JointKind(((slide.KIND, "z"),), (("point", "x"), ("point", "y"), *PARALLEL, ("axis", "x", "y")), 1),
    "revolute": JointKind(((turn.KIND, "z"),), (*POINT, *PARALLEL), 2),
    "cylindrical": JointKind(((slide.KIND, "z"), (turn.KIND, "z")), (("point", "x"), ("point", "y"), *PARALLEL), 3),
    "universal": JointKind(((turn.KIND, "z"), (turn.KIND, "x")), (*POINT, ("axis", "z", "x")), 3),
    "planar": JointKind(((slide.KIND, "x"), (slide.KIND, "y"), (turn.KIND, "z")), (("point", "z"), *PARALLEL), 4),
    "spherical": JointKind(((ball.KIND, "z"),), POINT, 4),
    "free": JointKind((*SLIDES, (ball.KIND, "z")), (), 5),
}
