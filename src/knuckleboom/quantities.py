# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with units: the types of the fields of a description.

A quantity field accepts a bare SI number or a text with a unit and keeps an SI float; vectors, directions and a flow at
a pressure drop are made of quantities. Nothing here computes.
"""

from __future__ import annotations

import math
import re
import sys
import warnings
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import CoreSchema, core_schema

from knuckleboom import units

TURN = 2.0 * math.pi
MOST_DEGREES = 720.0
"""A larger angle is hardly one that somebody meant in degrees."""
PASSED = ("knuckleboom", "pydantic", "pydantic_core")
"""Packages whose lines are not the user's."""
LARGEST = 1e60
"""No machine has a larger number in SI units; the square of one that passes is still finite."""


class BareAngle(UserWarning):
    """An angle of more than a turn in whole or half numbers without a unit, as if degrees were meant; it is in rad."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)  # what a copy in another process is made of
        self.value = value

    def __str__(self) -> str:
        given, turns = show(self.value), abs(float(self.value)) / TURN
        return (
            f"an angle of {given} without a unit is in rad, {turns:.1f} turns; write '{given} deg' if degrees are "
            f"meant, else '{given} rad'."
        )


def warn_user(warning: Warning) -> None:
    """Warn at the line of the user's script that led here, whatever lies between it and here."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in PASSED:
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


class Given(float):
    """A number that was given as a text with a unit: the SI unit it was read in, and the text, which files keep.

    Computing with it gives a plain float, so a text always stands for exactly this number. Where two dimensions are
    possible the check compares the unit with that of the coordinate.
    """

    unit: str
    text: str

    def __new__(cls, value: float, unit: str = "", text: str = "") -> Given:
        made = super().__new__(cls, value)
        made.unit, made.text = unit, text
        return made


def _as_given(value: Any, handler: ValidatorFunctionWrapHandler) -> float:
    """Return a number that was read already as it is, so that its text is kept."""
    checked: float = handler(value)
    return value if isinstance(value, Given) else checked


AsGiven = Annotated[float, WrapValidator(_as_given)]
"""A float whose text is read elsewhere, such as a start value, whose unit is that of its coordinate."""


class Quantity:
    """Mark of a float field: its SI unit, other dimensions it may have, and how text is read."""

    def __init__(self, unit: str, *also: str, gauge: bool = False) -> None:
        self.units = (unit, *also)
        self.gauge = gauge

    @property
    def unit(self) -> str:
        """The SI unit; where the dimension depends on a joint's coordinate, that of an angle comes first."""
        return " or ".join(self.units)

    def read(self, value: Any) -> float:
        """Return the SI float of a number or a text with a unit; one that was a text stays one where it fits here."""
        if isinstance(value, str):
            return self._read_text(value)
        if isinstance(value, Given) and self._stands_for(value):
            return value
        if isinstance(value, bool) or value is None or not hasattr(value, "__float__"):
            example = units.example(self.units[0])
            raise ValueError(f"{show(value)} is not a number; write one, or a text such as {example}")
        try:
            number = float(value)
        except (OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"{show(value)} is not a number that can be kept") from error
        if not math.isfinite(number):
            raise ValueError(f"{number} is not a finite number")
        if self.units == ("rad",) and TURN < abs(number) <= MOST_DEGREES and (2.0 * number).is_integer():
            warn_user(BareAngle(value))
        return _within_reason(number, value)

    def _read_text(self, text: str) -> float:
        # the first dimension gives the message when none fits
        first: units.UnitError | None = None
        for unit in self.units:
            try:
                number = _within_reason(units.parse(text, unit, gauge=self.gauge), text)
                return number if _is_bare(text) else Given(number, unit, text.strip())
            except units.UnitError as error:
                first = first or error
        raise ValueError(str(first))

    def _stands_for(self, value: Given) -> bool:
        """Return whether the text of a number would be read here as that number."""
        try:
            return value.unit in self.units and units.parse(value.text, value.unit, gauge=self.gauge) == value
        except units.UnitError:
            return False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._keep_text, handler(source))

    def _keep_text(self, value: Any, handler: ValidatorFunctionWrapHandler) -> float:
        return _as_given(self.read(value), handler)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        text: dict[str, Any] = {"type": "string", "description": f"a number with a unit of {self.unit}"}
        if self.units[0] in units.EXAMPLES:
            text["examples"] = [units.EXAMPLES[self.units[0]]]
        number = {**handler(schema), "type": "number", "description": f"in {self.unit}"}
        return {"anyOf": [number, text]}


Mass = Annotated[float, Quantity("kg")]
Length = Annotated[float, Quantity("m")]
Angle = Annotated[float, Quantity("rad")]
Area = Annotated[float, Quantity("m^2")]
Volume = Annotated[float, Quantity("m^3")]
Pressure = Annotated[float, Quantity("Pa", gauge=True)]
PressureDrop = Annotated[float, Quantity("Pa")]
FlowRate = Annotated[float, Quantity("m^3/s")]
Density = Annotated[float, Quantity("kg/m^3")]
Viscosity = Annotated[float, Quantity("m^2/s")]
Stiffness = Annotated[float, Quantity("N/m")]
Damping = Annotated[float, Quantity("N*s/m")]
Force = Annotated[float, Quantity("N")]
Torque = Annotated[float, Quantity("N*m")]
Speed = Annotated[float, Quantity("m/s")]
Time = Annotated[float, Quantity("s")]
Frequency = Annotated[float, Quantity("Hz")]
Inertia = Annotated[float, Quantity("kg*m^2")]
Conductance = Annotated[float, Quantity("m^3/(s*Pa)")]
Displacement = Annotated[float, Quantity("m^3/rad")]
AngularSpeed = Annotated[float, Quantity("rad/s")]
AngularStiffness = Annotated[float, Quantity("N*m/rad")]
AngularDamping = Annotated[float, Quantity("N*m*s/rad")]
Acceleration = Annotated[float, Quantity("m/s^2")]
Number = Annotated[float, Quantity("1")]

# In joints the dimension follows the coordinate. A text is accepted in either; machine/rules/joints.py compares.
CoordinateValue = Annotated[float, Quantity("rad", "m")]
CoordinateRate = Annotated[float, Quantity("rad/s", "m/s")]
CoordinateStiffness = Annotated[float, Quantity("N*m/rad", "N/m")]
CoordinateDamping = Annotated[float, Quantity("N*m*s/rad", "N*s/m")]
CoordinateEffort = Annotated[float, Quantity("N*m", "N")]
StopDamping = Annotated[float, Quantity("s/rad", "s/m")]


def three(value: Any) -> Any:
    """Return a vector as a tuple (lists and arrays are accepted), or say that it must have three values."""
    value = _plain(value)
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ValueError(f"{show(value)} is not a list of 3 values")
    return tuple(value)


def _plain(value: Any) -> Any:
    """Return an array as nested lists; anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _flow_at(value: Any) -> Any:
    """Return a flow at a pressure drop as a pair; "60 l/min at 35 bar" is split here."""
    if isinstance(value, str) and len(re.split(r"\s+at\s+", value)) == 2:
        value = re.split(r"\s+at\s+", value)
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f'{show(value)} is not a flow and its pressure drop; write ["60 l/min", "35 bar"]')
    return tuple(value)


Vec3 = Annotated[tuple[Length, Length, Length], BeforeValidator(three)]
Angles3 = Annotated[tuple[Angle, Angle, Angle], BeforeValidator(three)]
Acceleration3 = Annotated[tuple[Acceleration, Acceleration, Acceleration], BeforeValidator(three)]
FlowAt = Annotated[
    tuple[Annotated[FlowRate, Field(gt=0)], Annotated[PressureDrop, Field(gt=0)]], BeforeValidator(_flow_at)
]
Flag = Annotated[bool, Field(strict=True)]
Index = Annotated[int, Field(ge=0, strict=True)]

AXES: dict[str, tuple[float, float, float]] = {
    "x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0), "-y": (0.0, -1.0, 0.0), "-z": (0.0, 0.0, -1.0),
}  # fmt: skip


def _axis(value: Any) -> Any:
    if isinstance(value, str):
        if value not in AXES:
            raise ValueError(f"'{value}' is not an axis; write x, y, z, -x, -y, -z or 3 values")
        return value
    return three(value)


Axis = Annotated[Literal["x", "y", "z", "-x", "-y", "-z"] | tuple[Number, Number, Number], BeforeValidator(_axis)]


def _is_bare(text: str) -> bool:
    """Return whether a text is a number without a unit."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _within_reason(number: float, given: Any) -> float:
    if abs(number) > LARGEST:
        raise ValueError(f"{show(given)} is larger than any number of a machine")
    return number


def unit_vector(axis: str | tuple[float, float, float]) -> tuple[float, float, float]:
    """Return an axis or direction as a unit vector; a vector of length zero is a ValueError."""
    x, y, z = AXES[axis] if isinstance(axis, str) else axis
    size = math.hypot(x, y, z)
    if not size > 0.0:
        raise ValueError("a direction has no length")
    # scaled twice so that a vector of 1e-300 still gives a unit vector
    x, y, z = x / size, y / size, z / size
    size = math.hypot(x, y, z)
    return x / size, y / size, z / size


def show(value: Any) -> str:
    """Return a value as it is quoted in a message: short, on one line."""
    if isinstance(value, str):
        text = f"'{value}'"
    elif isinstance(value, float):
        text = repr(value)
    elif isinstance(value, (bool, type(None))):
        text = {True: "true", False: "false", None: "nothing"}[value]
    elif isinstance(value, tuple):
        text = repr(list(value))
    else:
        text = repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
