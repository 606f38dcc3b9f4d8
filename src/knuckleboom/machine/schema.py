# SPDX-License-Identifier: BSD-3-Clause
"""JSON Schema of a machine's file, made from the descriptions; editors use it for completion and checks while typing.

It says what a file may contain, not whether the parts fit together: that is `knuckleboom check`.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from knuckleboom.describe import Part, Place
from knuckleboom.machine import kinds
from knuckleboom.machine.appearance import Shape
from knuckleboom.machine.case import Case
from knuckleboom.machine.lever import Lever
from knuckleboom.mechanics.parts import Body, Ground
from knuckleboom.quantities import Acceleration3, Pressure

DIALECT = "https://json-schema.org/draft/2020-12/schema"
REFERENCES = "#/$defs/{model}"
LIMITS = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}


def json_schema() -> dict[str, Any]:
    """Return the schema of a machine's file, with every kind that is registered."""
    definitions: dict[str, Any] = {}
    vector = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3}
    group = {
        "type": "object",
        "properties": {"file": {"type": "string"}, "onto": _of(Place, definitions), "at": vector, "rpy": vector},
        "required": ["file"],
        "additionalProperties": False,
    }
    shape = _of(Shape, definitions)
    properties: dict[str, Any] = {
        "knuckleboom": {"const": 1, "description": "version of the file format"},
        "machine": {"type": ["string", "number"], "description": "name of the machine"},
        "gravity": {**_of(Acceleration3, definitions), "description": "gravity in world axes (m/s^2)"},
        "ambient": {**_of(Pressure, definitions), "description": "pressure around the machine (Pa absolute)"},
        "groups": _named(group, "other machines, by prefix"),
        "appearance": _named(
            {"anyOf": [{"type": "array", "items": shape}, shape]},
            "what bodies look like; [] hides a spring, rod or cylinder",
        ),
        "levers": _named(_lever(definitions), "how inputs are driven by hand in the cabin, by name of the input"),
        "cases": _named(_case(definitions), "what is done with the machine"),
    }
    for section, listed in kinds.sections().items():
        properties[section] = _section(section, listed, definitions)
    return {
        "$schema": DIALECT,
        "title": "Knuckleboom machine",
        "type": "object",
        "properties": properties,
        "required": ["knuckleboom"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _section(section: str, listed: list[type[Part]], definitions: dict[str, Any]) -> dict[str, Any]:
    entries = [_entry(kind, definitions) for kind in listed]
    named = _named(entries[0] if len(entries) == 1 else {"oneOf": entries}, ", ".join(kind.KIND for kind in listed))
    if section == Body.SECTION:
        named["properties"] = {"ground": _entry(Ground, definitions)}
    return named


def _named(entry: dict[str, Any], doc: str) -> dict[str, Any]:
    return {"type": ["object", "null"], "description": doc, "additionalProperties": entry}


def _entry(kind: type[Part], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one part: its settings without the name, and its kind."""
    schema = _of(kind, definitions)
    schema["properties"].pop("name")
    schema["properties"] = {"kind": {"const": kind.KIND}, **schema["properties"]}
    required = [name for name in schema.get("required", []) if name != "name"]
    schema["required"] = ["kind", *required] if kind.SHARED else required
    return schema


def _lever(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a lever; none of its settings is needed."""
    return {**_of(Lever, definitions), "type": ["object", "null"]}


def _case(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a case, whose name is its key."""
    schema = _of(Case, definitions)
    schema["properties"].pop("name")
    schema["type"], schema["required"] = ["object", "null"], []
    return schema


def _of(described: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a class or type; what it refers to is added to the definitions."""
    schema = TypeAdapter(described).json_schema(ref_template=REFERENCES)
    for name, inner in schema.pop("$defs", {}).items():
        definitions[name] = _tidy(inner)
    tidy: dict[str, Any] = _tidy(schema)
    return tidy


def _tidy(schema: Any) -> Any:
    """Return a schema without made-up titles, and with limits under their standard names."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # a field may be called title; only a text is a title that pydantic made up
    kept = {key: item for key, item in schema.items() if not (key == "title" and isinstance(item, str))}
    return {LIMITS.get(key, key): item if key == "default" else _tidy(item) for key, item in kept.items()}
