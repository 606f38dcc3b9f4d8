# SPDX-License-Identifier: BSD-3-Clause
"""JSON Schema: what we write validates against it, and the faults it can know are refused.

The validator here is written for the test from the JSON Schema specification (2020-12), for the keywords that are used;
an unknown keyword fails the test.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from knuckleboom.hydraulics import parts as hydraulics
from knuckleboom.interface import parts as interface
from knuckleboom.machine import Machine, json_schema
from knuckleboom.machine.yaml_tree import read_tree
from knuckleboom.mechanics import parts as mechanics
from machine.example import lifting_boom
from parts.source_bench import add_sources
from parts.valve_bench import add_valves

TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float),
    "integer": int,
}  # fmt: skip
NOTES = {"description", "default", "examples", "title", "$schema", "$defs", "discriminator"}


def fits(schema: Any, value: Any, root: dict[str, Any]) -> bool:
    """Return whether a value is valid against a schema."""
    return all(key in NOTES or RULES[key](schema, value, root) for key in schema)


def _is(kind: str, value: Any) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _type(schema: Any, value: Any, root: Any) -> bool:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return any(_is(kind, value) for kind in kinds)


def _properties(schema: Any, value: Any, root: Any) -> bool:
    inner = schema["properties"]
    return not isinstance(value, dict) or all(fits(inner[key], value[key], root) for key in value if key in inner)


def _additional(schema: Any, value: Any, root: Any) -> bool:
    if not isinstance(value, dict):
        return True
    patterns = schema.get("patternProperties", {})
    free = [key for key in value if not any(re.search(pattern, key) for pattern in patterns)]
    rest = [value[key] for key in free if key not in schema.get("properties", {})]
    allowed = schema["additionalProperties"]
    return not rest if allowed is False else all(fits(allowed, item, root) for item in rest)


def _names(schema: Any, value: Any, root: Any) -> bool:
    return not isinstance(value, dict) or all(fits(schema["propertyNames"], key, root) for key in value)


def _pattern(schema: Any, value: Any, root: Any) -> bool:
    if not isinstance(value, dict):
        return True
    patterns = schema["patternProperties"].items()
    found = [(inner, key) for pattern, inner in patterns for key in value if re.search(pattern, key)]
    return all(fits(inner, value[key], root) for inner, key in found)


def _prefix(schema: Any, value: Any, root: Any) -> bool:
    if not isinstance(value, list):
        return True
    return all(fits(inner, item, root) for inner, item in zip(schema["prefixItems"], value, strict=False))


def _limit(compare: Any, key: str) -> Any:
    return lambda schema, value, root: not _is("number", value) or compare(value, schema[key])


RULES: dict[str, Any] = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names, "patternProperties": _pattern,
    "prefixItems": _prefix,
    "items": lambda s, v, root: not isinstance(v, list) or all(fits(s["items"], item, root) for item in v),
    "required": lambda s, v, root: not isinstance(v, dict) or all(key in v for key in s["required"]),
    "anyOf": lambda s, v, root: any(fits(inner, v, root) for inner in s["anyOf"]),
    "oneOf": lambda s, v, root: sum(fits(inner, v, root) for inner in s["oneOf"]) == 1,
    "const": lambda s, v, root: v == s["const"] and not isinstance(v, bool),
    "enum": lambda s, v, root: v in s["enum"],
    "$ref": lambda s, v, root: fits(root["$defs"][s["$ref"].removeprefix("#/$defs/")], v, root),
    "minItems": lambda s, v, root: not isinstance(v, list) or len(v) >= s["minItems"],
    "maxItems": lambda s, v, root: not isinstance(v, list) or len(v) <= s["maxItems"],
    "minLength": lambda s, v, root: not isinstance(v, str) or len(v) >= s["minLength"],
    "minimum": _limit(lambda value, limit: value >= limit, "minimum"),
    "maximum": _limit(lambda value, limit: value <= limit, "maximum"),
    "exclusiveMinimum": _limit(lambda value, limit: value > limit, "exclusiveMinimum"),
    "exclusiveMaximum": _limit(lambda value, limit: value < limit, "exclusiveMaximum"),
}

SCHEMA = json_schema()


def valid(text: str) -> bool:
    root, problems = read_tree(text)
    assert root is not None and not problems
    return fits(SCHEMA, root.plain(), SCHEMA)


def everything() -> Machine:
    """Return a machine with all kinds in it."""
    m = lifting_boom()
    m.ground.frame("rack", (0, 0, 1), ("10 deg", 0, 0))
    boom = m["boom"]
    boom.point("tip", (1, 0, 0))
    boom.point_mass("hook", 5)
    boom.shape("line", points=((0, 0, 0), (1, 0, 0)), colour="#ff0000")
    before = boom
    for kind in mechanics.PARTS:
        if issubclass(kind, mechanics.Joint):
            body = m.body(f"{kind.KIND}_body", 1.0, inertia=(1, 1, 1, 0.1, 0, 0))
            getattr(m, kind.KIND)(f"{kind.KIND}_joint", before.at(1, 0, 0, rpy=(0, 0, 1)), body)
            before = body
    m.rod("rod", "ground.rack", "boom.tip", length="2 m")
    m.gear("gear", "foot", "revolute_joint", -2.0)
    m.driver("driver", "revolute_joint", times=[0, "1 s"], values=[0, "90 deg"])
    m.spring("spring", m.ground, "boom.tip", "20 kN/m")
    m.rope("sling", m.ground, "boom.tip", "3 MN/m", tension="5 kN", damping=1)
    m.damper("damper", m.ground, "boom.tip", 100)
    m.joint_spring("joint_spring", "foot", stiffness="100 N m/rad")
    m.joint_friction("joint_friction", "foot", coulomb=10)
    m.joint_stop("joint_stop", "foot", lower="-60 deg", stiffness=1e6)
    m.effort("effort", "foot", value="5 N m")
    m.force("force", "boom.tip", (0, 0, -1), value=10)
    m.thrust("thrust", m.ground, "boom.tip", value="2 kN")
    m.joint_servo("joint_servo", "foot", "10 kN m s/rad", value="5 deg/s")
    m.length_servo("length_servo", m.ground, "boom.tip", "1 MN s/m", value="2 mm/s")
    m.torque("torque", boom, "y", "body")
    m.payload("payload", "boom.tip", most="2 t", box=("1 m", 0.5, 0.2), falling_from="50 cm")
    m.shape("bow", of="boom", stiffness="100 kN/m", start="2 mm")
    m.attachment("end", of="boom", at=(1, 0, 0), moves={"bow": (0, 0, 1)}, turns={"bow": (0, -1.5, 0)}, mass="5 kg")
    m.terrain("field", heights=[[0, 0.1], [0, 0.2]], spacing="2 m", areas=[{"corners": [[0, 0], [1, "1 m"]]}])
    m.contact("contact", "boom.tip", box=("1 m", 0.5, 0.2), touching="field", friction=0.6)
    m.tire("tire", "boom.tip", "0.6 m", "0.5 m", load="30 kN", typical="loader", axle="-y", discs=5)
    hose = m["oil"].volume("hose", "0.5 l")
    m.restrictor("restrictor", "pump", hose, area="12 mm2")
    m["oil"].check_valve("check", hose, "tank", flow=("10 l/min", "1 bar"))
    m["oil"].relief_valve("relief", hose, "tank", flow=("60 l/min", "160 bar"), setting="150 bar")
    add_valves(m["oil"], "pump", "tank")
    m.naya_valve("naya_valve", P="pump", T="tank", A=hose, B=m["oil"].volume("other", "0.5 l"))
    motor = m["oil"].motor("motor", "revolute_joint", "100 cm3/rev", leak="1e-13 m3/(s Pa)")
    m["oil"].winch("winch", "prismatic_joint", "80 cm3/rev", "0.2 m", gear=20, falls=4)
    m.shaft("crank", "0.2 kg m2", speed="1500 rpm")
    m.shaft_of("axle", "foot")
    m.gear_stage("stage", "crank", "axle", ratio=-0.1)
    for name in ("cage", "left", "right"):
        m.shaft(name, 0.1)
    m.held_sum("differential", {"cage": 1, "left": -0.5, "right": -0.5})
    m.shaft_spring("coupling", "crank", "cage", stiffness="20 kN m/rad", damping=5)
    m.engine_droop("engine", "crank", torque=[["800 rpm", "500 N m"], ["2200 rpm", 400]], rated_speed="2000 rpm",
                   setting="1500 rpm", idle="800 rpm", stall="500 rpm")  # fmt: skip
    m["oil"].oil_column("column", "2 m", "1 cm2", a=hose, turbulent=("60 l/min", "2 bar"))
    m["oil"].flow_source("feed", "tank", motor.a, "10 l/min", frequency="5 Hz", damping=0.5)
    add_sources(m, "oil")
    m.lever("spool", what="boom", plus="up", minus="down", axis="right fore-aft", back="plus")
    return m


def test_what_we_write_is_valid() -> None:
    m = everything()

    assert m.check() == []
    assert {type(part) for part in m.parts.values()} == {*mechanics.PARTS, *interface.PARTS, *hydraulics.PARTS}
    assert valid(m.to_yaml())
    assert Machine.from_yaml(m.to_yaml()) == m


@pytest.mark.parametrize(
    "folder",
    ["unknown_setting", "unknown_section", "unknown_kind", "missing_kind", "missing_setting", "no_settings",
     "no_format", "newer_format", "inertia_count", "boolean_is_text", "gravity_count", "start_count", "lever_settings"],
)  # fmt: skip
def test_faults_that_a_schema_can_know(folder: str) -> None:
    path = Path(__file__).parents[1] / "errors" / folder / "machine.yaml"

    assert not valid(path.read_text(encoding="utf-8"))


def test_is_plain_json() -> None:
    text = json.dumps(SCHEMA)

    assert json.loads(text) == SCHEMA
    assert set(re.findall(r'"\$ref": "#/\$defs/(\w+)"', text)) <= set(SCHEMA["$defs"])
    assert SCHEMA["properties"]["cylinders"]["additionalProperties"]["properties"]["bore"]["description"]
