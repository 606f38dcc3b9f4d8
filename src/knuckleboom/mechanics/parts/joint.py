# SPDX-License-Identifier: BSD-3-Clause
"""What all joints share: two places, an axis, start values and speeds.

A joint holds place b (on the child side) to place a (on the parent side). Its coordinates are zero when the two places
coincide, origin and axes; the axis is given in these common axes. Positive coordinates turn and move b relative to a,
right-handed about the axis and along it. `at` is short for a place on a bare body: `a: boom, at: [1, 0, 0]` is
`a: {body: boom, at: [1, 0, 0]}`; b is not changed by it.

A joint that closes a loop is a joint like any other; the plan chooses which joints to cut, unless one is marked `cut`.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, field_validator, model_validator

from knuckleboom.describe import Fault, Part, Place, param
from knuckleboom.quantities import AXES, AsGiven, Axis, Flag, Quantity, show

ANGLE, ANGULAR_SPEED, LENGTH, SPEED = Quantity("rad"), Quantity("rad/s"), Quantity("m"), Quantity("m/s")
QUANTITIES = {"start": {"angle": ANGLE, "length": LENGTH}, "speed": {"angle": ANGULAR_SPEED, "length": SPEED}}


def _listed(value: Any) -> Any:
    """Return start values as a tuple; a joint with one coordinate may be given just its value."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _joint_schema(schema: dict[str, Any], kind: "type[Joint]") -> None:
    vector = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3}
    schema["properties"]["at"] = {**vector, "description": "where on the bare body a (m)"}
    size = len(kind.COORDINATES)
    for field in ("start", "speed"):
        plain = {"type": ["number", "string"]}
        several = {"type": "array", "items": plain, "minItems": size, "maxItems": size}
        doc = schema["properties"][field]["description"]
        schema["properties"][field] = {"anyOf": [several, plain] if size == 1 else [several], "description": doc}


class Joint(Part):
    """Base of the joints; COORDINATES names each coordinate and says whether it is an angle or a length."""

    SECTION: ClassVar[str] = "joints"
    SHARED: ClassVar[bool] = True
    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = ()
    SPATIAL: ClassVar[bool] = False
    """True when the orientation is kept as a quaternion: its start is a rotation vector, its speeds are ω."""

    model_config = ConfigDict(json_schema_extra=_joint_schema)

    a: Place = param("place on the parent side")
    b: Place = param("place on the child side")
    axis: Axis = param("axis in the common axes of both places: x, y, z, -x, -y, -z or 3 values", "z")
    start: Annotated[tuple[AsGiven, ...], BeforeValidator(_listed)] = param("start value of each coordinate", ())
    speed: Annotated[tuple[AsGiven, ...], BeforeValidator(_listed)] = param("start speed of each coordinate", ())
    cut: Flag = param("true: cut the loop that this joint closes here", False)

    @model_validator(mode="before")
    @classmethod
    def _fold_at(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "at" not in data:
            return data
        rest = {key: value for key, value in data.items() if key != "at"}
        if data["at"] is None:
            return rest
        owner = rest.get("a")
        body = owner if isinstance(owner, str) else getattr(owner, "name", getattr(owner, "ref", ""))
        if not isinstance(body, str) or not body:
            raise Fault(
                f"'at' is given, but a is {show(owner)}, not a bare body.",
                "Give the point in a only: a: {body: boom, at: [1, 0, 0]}",
                field="at",
            )
        return {**rest, "a": {"body": body, "at": data["at"]}}

    @field_validator("start", "speed", mode="before")
    @classmethod
    def _read_coordinates(cls, value: Any, info: Any) -> tuple[float, ...]:
        values, labels = _listed(value), cls.COORDINATES
        if not values:
            return (0.0,) * len(labels)
        if len(values) != len(labels):
            names = ", ".join(label for label, _ in labels) or "none"
            has = f"{len(values)} value" if len(values) == 1 else f"{len(values)} values"
            wants = f"{len(labels)} coordinate" if len(labels) == 1 else f"{len(labels)} coordinates"
            raise Fault(
                f"{info.field_name} has {has}; {cls.KIND} has {wants} ({names}).",
                f"Give one value for each: {info.field_name}: {[0] * len(labels)}" if labels else "Leave it out.",
                field=str(info.field_name),
            )
        kinds = QUANTITIES[str(info.field_name)]
        return tuple(kinds[kind].read(item) for item, (_, kind) in zip(values, labels, strict=True))

    def faults(self) -> Iterator[Fault]:
        yield from zero_axis("axis", self.axis)


def zero_axis(field: str, axis: str | tuple[float, float, float]) -> Iterator[Fault]:
    """Yield a fault when an axis or direction has no length."""
    if not isinstance(axis, str) and not any(axis):
        yield Fault(f"{field} is {show(axis)}, which has no direction.", f"Write one such as {field}: z", field=field)


def vector(axis: str | tuple[float, float, float]) -> tuple[float, float, float]:
    """Return an axis as three numbers, as given (not normalised)."""
    return AXES[axis] if isinstance(axis, str) else axis
