# SPDX-License-Identifier: BSD-3-Clause
"""Appearance: what bodies look like. Kept apart from physics: nothing that computes reads it.

box        size (x, y, z), centred at `at`          sphere    size (radius,)
cylinder   size (radius, length) along z            capsule   size (radius, length between the centres) along z
line       points, from `at` and turned by `rpy`

A shape without a colour has one of its body's (report/scene.py); docs/appearance.md shows all of it.

A cylinder, spring or other part between two places is drawn as what it is; an appearance without shapes hides it.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from knuckleboom.describe import Described, param
from knuckleboom.quantities import Angles3, Length, Vec3

SIZES = {"box": 3, "cylinder": 2, "sphere": 1, "capsule": 2, "line": 0}


def _listed(value: Any) -> Any:
    """Return sizes as a tuple; a sphere may be given just its radius."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


class Shape(Described):
    """One visual shape fixed to a body."""

    shape: Literal["box", "cylinder", "sphere", "capsule", "line"] = param("form")
    size: Annotated[tuple[Annotated[Length, Field(gt=0)], ...], BeforeValidator(_listed)] = param("sizes", ())
    at: Vec3 = param("where, in body axes", (0.0, 0.0, 0.0))
    rpy: Angles3 = param("roll, pitch, yaw", (0.0, 0.0, 0.0))
    points: tuple[Vec3, ...] = param("points of a line", ())
    colour: str = param("a colour name or #rrggbb", "grey")

    @model_validator(mode="after")
    def _sizes_fit(self) -> "Shape":
        wanted = SIZES[self.shape]
        if len(self.size) != wanted:
            raise ValueError(f"a {self.shape} has {wanted} of size, not {len(self.size)}")
        if (self.shape == "line") != (len(self.points) >= 2):
            raise ValueError("a line has 2 points or more, and only a line has points")
        return self
