# SPDX-License-Identifier: BSD-3-Clause
"""Terrain: a plane of the world or a height field, which contacts and tires touch; a machine may have several.

    plane     through `at`, along `normal`, or rising by `slope` towards `rises`; a wall has a level normal
    field     `heights` above `at`, or those of a file `csv`: a row for each x, its numbers along y, `spacing` apart

A field is a smooth surface through all given heights (geometry/field.py); between them it may go a little beyond. From
the edge on it goes on for 1.5 spacings and then is flat. In Python `heights` may be an array, or a function of x and y
from `at` on, with `size=(20, 10)`, the lengths over which it is taken. `areas` differ by factors of friction and
stiffness; of those that overlap the last counts.

Rows        none: data for contacts and tires        States  none        Power  none
Validated by: validation/analytic/test_terrain.py, test_ground_contact.py
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from knuckleboom.describe import Described, Fault, Part, param
from knuckleboom.mechanics.heights import Rows, faults_of_rows, read_heights
from knuckleboom.net import Surface
from knuckleboom.quantities import Angle, Axis, Length, Number, Vec3, show, unit_vector

STEEPEST = math.radians(89.0)
MOST_HEIGHTS = 4_000_000
TABLE = {"type": "array", "items": {"type": "array", "items": {"type": ["number", "null"]}}}
PAIRS = {"type": "array", "items": {"type": "array", "items": {"type": ["number", "string"]}}, "minItems": 2}


def _rows(value: Any) -> Any:
    """Rows of numbers as tuples; what is no number is NaN, so that it can be said where."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(value, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in value):
        raise ValueError(f"{show(value)} is not rows of numbers; write [[0, 0.1, 0.2], [0, 0.2, 0.3]]")
    return tuple(tuple(_number(one) for one in row) for row in value)


def _number(value: Any) -> float:
    """A height; NaN for what is none."""
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
        return math.nan
    return float(value)


def _pairs(value: Any) -> Any:
    """Corners as they stand in a file or a script, as tuples."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return tuple(tuple(one) if isinstance(one, list) else one for one in value) if isinstance(value, list) else value


Heights = Annotated[Rows, BeforeValidator(_rows), WithJsonSchema(TABLE)]
Corners = Annotated[tuple[tuple[Length, Length], ...], BeforeValidator(_pairs), WithJsonSchema(PAIRS)]


class GroundArea(Described):
    """A part of a terrain with other friction or stiffness."""

    corners: Corners = param("x and y of two opposite corners of a rectangle, or of all corners")
    material: str = param("its material; default: that of the terrain", "")
    friction_factor: Number = param("factor of friction there", 1.0, above=0)
    stiffness_factor: Number = param("factor of stiffness there", 1.0, above=0)

    @property
    def outline(self) -> tuple[tuple[float, float], ...]:
        """All corners."""
        if len(self.corners) != 2:
            return self.corners
        (xa, ya), (xb, yb) = self.corners
        return (xa, ya), (xb, ya), (xb, yb), (xa, yb)


class Terrain(Part):
    """A plane of the world or a height field, which contacts and tires touch."""

    at: Vec3 = param("a point of the plane; or of a field the place of its first height, and zero of all", (0, 0, 0))
    normal: Axis | None = param("direction out of the plane; default: z, or by slope", None)
    slope: Angle = param("angle by which a plane rises", 0.0, least=0, below=STEEPEST)
    rises: Axis = param("level direction towards which it rises", "x")
    heights: Heights | None = param("rows of heights in m, one for each x, its numbers along y", None)
    csv: str = param("file with such rows of numbers", "")
    spacing: Length | None = param("distance of heights, both ways", None, above=0)
    material: str = param("its material, which with that of a contact sets friction and restitution", "")
    friction_factor: Number = param("factor of friction where no area has another", 1.0, above=0)
    stiffness_factor: Number = param("factor of stiffness where no area has another", 1.0, above=0)
    areas: tuple[GroundArea, ...] = param("parts of it with other factors", ())

    FILES: ClassVar[tuple[str, ...]] = ("csv",)

    @model_validator(mode="before")
    @classmethod
    def _sample(cls, given: Any) -> Any:
        """Take heights of a function."""
        if not isinstance(given, Mapping) or not callable(given.get("heights")):
            return given
        settings = dict(given)
        size, spacing = settings.pop("size", None), settings.get("spacing")
        if size is None or spacing is None:
            rule = "heights is a function, which needs spacing and size."
            raise Fault(rule, "Write spacing=0.25, size=(20, 10).", field="heights")
        return settings | {"heights": sample(settings["heights"], settings.get("at", (0, 0, 0)), spacing, size)}

    @property
    def is_field(self) -> bool:
        """Whether it has heights."""
        return self.heights is not None or bool(self.csv)

    def grid(self) -> Rows:
        """The heights, also those of a file; a Fault where that cannot be read."""
        return self.heights if self.heights is not None else read_heights(self.csv)

    @property
    def direction(self) -> tuple[float, float, float]:
        """Unit normal of a plane."""
        if self.normal is not None:
            return unit_vector(self.normal)
        x, y, _ = unit_vector(self.rises)
        share = math.hypot(x, y)
        away = math.sin(self.slope) / share
        return (-away * x, -away * y, math.cos(self.slope)) if self.slope > 0.0 else (0.0, 0.0, 1.0)

    @property
    def surfaces(self) -> list[Surface]:
        """What it is like where no area is, then in its areas."""
        own = Surface(self.material, self.friction_factor, self.stiffness_factor)
        return [own] + [
            Surface(one.material or self.material, one.friction_factor, one.stiffness_factor) for one in self.areas
        ]

    def faults(self) -> Iterator[Fault]:
        of_plane = list(self._faults_of_plane())
        yield from of_plane
        yield from self._faults_of_field()
        for place, area in enumerate(self.areas):
            yield from self._faults_of_area(place, area)
        if self.areas and not of_plane and not self.is_field and self.direction[2] <= 0.0:
            rule = "areas are in x and y, which a wall does not have."
            yield Fault(rule, "Give a terrain for each.", field="areas")

    def _faults_of_plane(self) -> Iterator[Fault]:
        if self.normal is not None and not isinstance(self.normal, str) and not any(self.normal):
            rule = f"normal is {show(self.normal)}, which has no direction."
            yield Fault(rule, "Write one such as normal: z", field="normal")
        if self.normal is not None and self.slope > 0.0:
            yield Fault("it has both normal and slope.", "Give one of them.", field="slope")
        if self.rises in ("z", "-z") or not (isinstance(self.rises, str) or any(self.rises[:2])):
            rule = f"rises is {show(self.rises)}, which is not a level direction."
            yield Fault(rule, "Write one such as rises: x or rises: [1, 1, 0]", field="rises")

    def _faults_of_field(self) -> Iterator[Fault]:
        if not self.is_field:
            if self.spacing is not None:
                yield Fault("it has a spacing, but no heights.", "Give heights or csv too.", field="spacing")
            return
        if self.heights is not None and self.csv:
            yield Fault("it has both heights and csv.", "Give one of them.", field="csv")
        if self.normal is not None or self.slope > 0.0:
            rule = "it has heights and a normal or a slope."
            yield Fault(rule, "A height field has neither: leave it out.", field="normal")
        if self.spacing is None:
            yield Fault("it has heights, but no spacing.", "Give their distance: spacing: 0.25 m", field="spacing")
        try:
            rows = self.grid()
        except Fault as fault:
            yield fault
            return
        yield from faults_of_rows(rows, "csv" if self.csv else "heights")

    def _faults_of_area(self, place: int, area: GroundArea) -> Iterator[Fault]:
        field = f"areas[{place}].corners"
        xs, ys = [x for x, _ in area.corners], [y for _, y in area.corners]
        if len(area.corners) < 2:
            yield Fault(f"{field} has fewer than two corners.", "Give two of a rectangle, or all.", field)
        elif min(xs) == max(xs) or min(ys) == max(ys):
            yield Fault(f"{field} has no extension in x or y.", "Give two opposite corners, or all.", field)


def sample(function: Callable[[float, float], Any], at: Any, spacing: Any, size: Any) -> list[list[float]]:
    """Heights of a function of x and y, from `at` on over lengths `size`."""
    from pydantic import TypeAdapter

    x, y, z = TypeAdapter(Vec3).validate_python(at)
    distance = TypeAdapter(Length).validate_python(spacing)
    lengths = TypeAdapter(tuple[Length, Length]).validate_python(tuple(size))
    if not distance > 0.0 or not min(lengths) >= distance:
        rule = f"size is {show(lengths)} and spacing {distance:g} m; each of size must be at least the spacing."
        raise Fault(rule, "Write spacing=0.25, size=(20, 10).", field="heights")
    nx, ny = (round(length / distance) + 1 for length in lengths)
    if nx * ny > MOST_HEIGHTS:
        raise Fault(f"size and spacing make {nx * ny} heights.", f"At most {MOST_HEIGHTS} are kept.", field="heights")
    return [[_height(function, x + i * distance, y + j * distance) - z for j in range(ny)] for i in range(nx)]


def _height(function: Callable[[float, float], Any], x: float, y: float) -> float:
    try:
        return float(function(x, y))
    except Exception as error:  # of the user's own function
        rule = f"its function fails at x = {x:g} m, y = {y:g} m: {type(error).__name__}: {error}."
        raise Fault(rule, "Let it return one height in m for any x and y.", field="heights") from error
