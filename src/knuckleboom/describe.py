# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions: the base class of every part, the types its fields may have, and what `expand` may write.

A part is plain, frozen, typed data with a name. Quantity fields accept a bare SI number or a text with a unit and keep
an SI float. References to other parts are texts of their own type (`Port`, `JointName`, `ShaftName`, `OilName`,
`BodyName`, `ContactName`, `TerrainName`), and a `Place` says where on a body; a machine resolves and checks them. A
part that pushes or carries oil writes itself as elements in `expand(net)`; `net.Net` lists what it may write. Nothing
here computes.

    class ThrottleCheck(Part):
        \"\"\"Free flow from a to b, throttled from b to a.\"\"\"
        a: Port = param("inlet")
        b: Port = param("outlet")
        throttle: Area = param("opening of the throttle", above=0)
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticUndefined, core_schema

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import closest
from knuckleboom.net import Net as Net
from knuckleboom.net import Scalar
from knuckleboom.quantities import Angles3, Quantity, Vec3, show
from knuckleboom.symbol import Symbol

# --- references to other parts ----------------------------------------------------------------------------------------


class Reference(str):
    """The name of another part; `WANTED` says in words what it must name."""

    WANTED: ClassVar[str] = "a part"
    __slots__ = ()

    @classmethod
    def read(cls, value: Any) -> Reference:
        """Return the reference a handle, a part or a text stands for."""
        name = value if isinstance(value, str) else getattr(value, "name", None)
        if not isinstance(name, str) or not name:
            raise ValueError(f"{show(value)} is not the name of {cls.WANTED}")
        return cls(name)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(cls.read)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "description": f"the name of {cls.WANTED}"}


class Port(Reference):
    """A port of a part: "lift.a", or the part's own name when it has one port."""

    WANTED = "a port"
    __slots__ = ()


class JointName(Reference):
    """The name of a joint."""

    WANTED = "a joint"
    __slots__ = ()


class ShaftName(Reference):
    """The name of a shaft, or of what stands for one: shaft_of a joint."""

    WANTED = "a shaft"
    __slots__ = ()


class MovingName(Reference):
    """The name of a shaft or of a column of oil."""

    WANTED = "a shaft or a column of oil"
    __slots__ = ()


class OilName(Reference):
    """The name of an oil."""

    WANTED = "an oil"
    __slots__ = ()


class BodyName(Reference):
    """The name of a body, or `ground`."""

    WANTED = "a body"
    __slots__ = ()


class ContactName(Reference):
    """The name of a contact."""

    WANTED = "a contact"
    __slots__ = ()


class TerrainName(Reference):
    """The name of a terrain."""

    WANTED = "a terrain"
    __slots__ = ()


class Described(BaseModel):
    """Base of all descriptions: frozen, nothing unknown accepted, equal by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class Place(Described):
    """Where on a body: its origin or a named point or frame (`ref`), or coordinates in its axes (`body`, `at`, `rpy`).

    Orientation is R = Rz(yaw)·Ry(pitch)·Rx(roll) with rpy = (roll, pitch, yaw). `ground` is the world.
    """

    ref: str = ""
    body: str = ""
    at: Vec3 = (0.0, 0.0, 0.0)
    rpy: Angles3 = (0.0, 0.0, 0.0)

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"ref": value}
        if isinstance(value, (Mapping, Place)):
            return value
        name = getattr(value, "name", None)
        if isinstance(name, str):
            return {"ref": name}
        raise ValueError(f"{show(value)} is not a place; write boom, boom.tip or {{body: boom, at: [1, 0, 0]}}")

    @model_validator(mode="after")
    def _one_form(self) -> Place:
        moved = "at" in self.model_fields_set or "rpy" in self.model_fields_set
        if bool(self.ref) == bool(self.body) or (self.ref and moved):
            raise ValueError("a place is a name (boom.tip) or {body: boom, at: [1, 0, 0], rpy: [0, 0, 0]}")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        vector = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3}
        long_form = {
            "type": "object",
            "properties": {"body": {"type": "string", "minLength": 1}, "at": vector, "rpy": vector},
            "required": ["body"],
            "additionalProperties": False,
        }
        short_form = {"type": "string", "minLength": 1, "description": "a body, or a point or frame on it"}
        return {"anyOf": [short_form, long_form], "description": "where on a body"}

    def __repr__(self) -> str:
        if self.ref:
            return f"Place({self.ref!r})"
        return f"Place(body={self.body!r}, at={self.at}, rpy={self.rpy})"


# --- parts ------------------------------------------------------------------------------------------------------------


def param(
    doc: str, default: Any = PydanticUndefined, *, above: float | None = None, least: float | None = None,
    most: float | None = None, below: float | None = None,
) -> Any:  # fmt: skip
    """Declare a field of a part: one line of meaning, its default (none: it must be given) and its range."""
    limits = {"gt": above, "ge": least, "le": most, "lt": below}
    given: dict[str, Any] = {key: limit for key, limit in limits.items() if limit is not None}
    return Field(default=default, description=doc, **given)


class Fault(ValueError):
    """A rule that a part's own values break: what is wrong (without the part's name) and how to mend it."""

    def __init__(self, rule: str, fix: str = "", field: str = "", closest: tuple[str, ...] = ()) -> None:
        self.rule, self.fix, self.field, self.closest = rule, fix, field, closest
        super().__init__(rule)


def problem(part: Part, rule: str, fix: str = "", *, field: str = "", closest: tuple[str, ...] = ()) -> Problem:
    """Return a problem of a part; its kind and name are put in front of the rule."""
    text = f"{part.KIND} '{part.name}': {rule}"
    return Problem(text, part=part.name, kind=part.KIND, field=field, fix=fix, closest=closest)


def snake_case(name: str) -> str:
    """Return a class name as a kind: ThrottleCheck becomes throttle_check."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Part(Described):
    """What a user names: a description and, for what pushes or carries oil, an `expand` into elements.

    KIND is the name of the method of Machine that makes it (snake case of the class); SECTION its section in YAML (KIND
    with an s). With SHARED a section holds several kinds and every entry says its `kind`. PORTS are the part's own
    ports: () none, ("",) one that has the part's name, ("a", "b") two named `part.a` and `part.b`.
    SYMBOL is its picture. FILES are fields that name a file: in YAML relative to the machine's file.
    """

    KIND: ClassVar[str] = ""
    SECTION: ClassVar[str] = ""
    SHARED: ClassVar[bool] = False
    PORTS: ClassVar[tuple[str, ...]] = ()
    SYMBOL: ClassVar[Symbol | None] = None
    FILES: ClassVar[tuple[str, ...]] = ()

    name: str = Field(description="name of the part", min_length=1)

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "KIND" not in cls.__dict__:
            cls.KIND = snake_case(cls.__name__)
        if "SECTION" not in cls.__dict__ and not cls.SHARED:
            cls.SECTION = f"{cls.KIND}s"

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            name = data.get("name", "")
            problems = explain(error, type(self), name if isinstance(name, str) else "")
            raise MachineError(problems, f"{self.KIND} '{name}'") from None

    @classmethod
    def only_references(cls, settings: Mapping[str, Any]) -> Part:
        """Return a part that has a name and what can be read of its references, for one whose values are wrong."""
        read: dict[str, Any] = {"name": settings.get("name", "")}
        for field, info in cls.model_fields.items():
            wanted: Any = info.annotation
            if field in settings and any(_refers(kind) for kind in _kinds(wanted)):
                with contextlib.suppress(ValidationError):
                    read[field] = TypeAdapter(wanted).validate_python(settings[field])
        return cls.model_construct(set(read), **read)

    def faults(self) -> Iterator[Fault]:
        """Yield the rules that this part's own values break; rules between parts are in machine/rules."""
        yield from ()

    def expand(self, net: Net) -> None:
        """Write this part as elements; what is purely mechanical, or data, is read by the plan and writes nothing."""

    def scalar_inertia(self) -> Scalar | None:
        """Return the inertia of a shaft or of a column of oil that this part is; none for all others."""
        return None

    def symbol(self) -> Symbol | None:
        """Return the part's picture in a circuit: SYMBOL, unless its settings change it."""
        return self.SYMBOL

    def port(self, port: str = "") -> Port:
        """Return the full name of one of the part's own ports."""
        if port not in self.PORTS:
            raise ValueError(f"{self.KIND} '{self.name}' has no port '{port}'")
        return Port(f"{self.name}.{port}" if port else self.name)

    def ports(self) -> list[Port]:
        """Return the full names of all own ports."""
        return [self.port(port) for port in self.PORTS]

    def references(self) -> Iterator[tuple[str, Reference | Place]]:
        """Yield every reference and place in the part's values, with the field it is in."""
        for field in type(self).model_fields:
            for value in _leaves(getattr(self, field, None)):
                if isinstance(value, (Reference, Place)):
                    yield field, value


def _refers(kind: type) -> bool:
    return issubclass(kind, (Reference, Place))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    else:
        yield value


def unit_of(info: FieldInfo) -> str:
    """Return the SI unit of a quantity field, also inside a vector, a pair or an option; "" when it has none."""
    for mark in info.metadata:
        if isinstance(mark, Quantity):
            return mark.unit
    return _unit_inside(info.annotation)


def _unit_inside(annotation: Any) -> str:
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, Quantity):
            return mark.unit
    inner = list(getattr(annotation, "__args__", ())) + [getattr(annotation, "__origin__", None)]
    found = [_unit_inside(item) for item in inner if item is not None and item is not annotation]
    return next((unit for unit in dict.fromkeys(found) if unit), "")


# --- problems of one description --------------------------------------------------------------------------------------


def explain(error: ValidationError, kind: type[Described], name: str, subject: str = "") -> list[Problem]:
    """Return pydantic's errors of a description as problems: the field, the value given, the reason, closest names."""
    word = kind.KIND if issubclass(kind, Part) else snake_case(kind.__name__)
    found = [_explain_one(item, kind, word, name, subject or f"{word} '{name}'") for item in error.errors()]
    # a misspelt setting is one problem, not also a missing one
    meant = {other for problem, unknown in found if unknown for other in problem.closest}
    return [problem for problem, unknown in found if unknown or not (_is_missing(problem) and problem.field in meant)]


def _is_missing(problem: Problem) -> bool:
    return problem.rule.endswith(f"'{problem.field}' is missing.")


def _explain_one(
    item: Any, kind: type[Described], word: str, name: str, subject: str
) -> tuple[Problem, bool]:  # fmt: skip
    """Return one problem, and whether it is an unknown setting."""
    loc, given, context = item["loc"], item["input"], item.get("ctx", {})
    info = kind.model_fields.get(str(loc[0])) if loc else None
    # pydantic puts the tag of a union into the path; people do not write it
    if info is not None and info.discriminator and len(loc) > 1:
        loc = (loc[0], *loc[2:])
    path = _path(loc)
    fix = ""
    near: tuple[str, ...] = ()
    top = info if len(loc) == 1 else None

    match item["type"]:
        case "missing":
            text = f"'{path}' is missing."
            fix = f"Add {path}: {_meaning(top)}." if top else ""
        case "extra_forbidden":
            settings = _settings(kind, loc)
            text = f"'{path}' is not a setting of {word}."
            near = tuple(closest(str(loc[-1]), settings))
            fix = f"Its settings are {', '.join(settings)}." if settings and not near else ""
        case "value_error":
            fault = context["error"]
            text = f"{path}: {fault}." if path else f"{fault}."
            if isinstance(fault, Fault):
                text, fix, near, path = fault.rule, fault.fix, fault.closest, fault.field or path
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            text = f"{path} is {_amount(given, top)}; it must be {_limit(item['type'], context)}."
            fix = f"Meaning of {path}: {_meaning(top)}." if top else ""
        case "literal_error":
            text = f"{path} is {show(given)}; it must be {context['expected']}."
        case "union_tag_invalid":
            allowed = context["expected_tags"].replace("'", "").split(", ")
            text = f"{path}.law is {show(context['tag'])}; it must be {' or '.join(repr(tag) for tag in allowed)}."
            near = tuple(closest(context["tag"], allowed))
        case "union_tag_not_found":
            text = f"'{path}.law' is missing."
        case "model_attributes_type" | "model_type" | "dict_type":
            text = f"{path} is {show(given)} in place of settings."
            fix = f"Meaning of {path}: {_meaning(top)}." if top else ""
        case "bool_type":
            text = f"{path} is {show(given)}; it must be true or false."
        case "int_type" | "int_from_float":
            text = f"{path} is {show(given)}; it must be a whole number."
        case _:
            text = f"{path} is {show(given)}: {item['msg'][:1].lower()}{item['msg'][1:]}."
    part_kind = kind.KIND if issubclass(kind, Part) else ""
    problem = Problem(f"{subject}: {text}", part=name, kind=part_kind, field=path, fix=fix, closest=near)
    return problem, item["type"] == "extra_forbidden"


def _settings(kind: type[Described], loc: tuple[Any, ...]) -> list[str]:
    """Return the settings that could stand at a path; inside a field, those of every description it may hold."""
    if len(loc) == 1:
        return [field for field in kind.model_fields if field != "name"]
    found: dict[str, None] = {}
    for inner in _kinds(kind.model_fields[str(loc[0])].annotation):
        if issubclass(inner, Described):
            found.update(dict.fromkeys(inner.model_fields))
    found.pop("ref", None)
    return list(found)


def _kinds(annotation: Any) -> Iterator[type]:
    """Yield the classes that a field may hold."""
    if isinstance(annotation, type):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _kinds(inner)


def _amount(given: Any, info: FieldInfo | None) -> str:
    """Return a number out of range as people read it, with its unit when the field has a single one."""
    unit = unit_of(info) if info else ""
    if isinstance(given, float) and unit and " or " not in unit:
        return units.format_si(given, unit)
    return show(given)


def _path(loc: tuple[Any, ...]) -> str:
    """Return a place inside a description as people write it: start[1], points.tip."""
    text = ""
    for step in loc:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.lstrip(".")


def _meaning(info: FieldInfo) -> str:
    unit = unit_of(info)
    doc = info.description or "see the documentation"
    return f"{doc} ({unit})" if unit and unit != "1" else doc


def _limit(kind: str, context: Mapping[str, Any]) -> str:
    words = {"greater_than": "greater than", "greater_than_equal": "at least", "less_than": "less than"}
    value = next(iter(context.values()))
    return f"{words.get(kind, 'at most')} {value:g}"
