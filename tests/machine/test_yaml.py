# SPDX-License-Identifier: BSD-3-Clause
"""YAML: what is written is read back equal and bitwise; scalars mean what they look like; bad files are problems.

The round trip is checked on random machines (hypothesis) of every kind; equality of bits is by `float.hex`.
"""

import math
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from knuckleboom.errors import MachineError
from knuckleboom.machine import Machine, all_kinds, read, write
from knuckleboom.machine.yaml_tree import DEEPEST, LARGEST, read_scalar, read_tree
from knuckleboom.mechanics.parts import Joint, Revolute
from machine.example import lifting_boom

MOST = 1e60  # the largest number that a machine may have
FINITE = st.floats(min_value=-MOST, max_value=MOST)
POSITIVE = st.floats(min_value=5e-324, max_value=MOST)
VECTOR = st.tuples(FINITE, FINITE, FINITE)
PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1, max_size=12)
WORD = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True)
AXIS = st.sampled_from(["x", "y", "z", "-x", "-y", "-z", (1.0, -0.0, 0.0), (0.1, 0.2, 0.30000000000000004)])
SECTIONS = ["bodies", "joints", "oils", "restrictors", "appearance", "groups", "gravity", "machine", "cylinders"]
KEYS = st.sampled_from(["a", "b", "mass", "kind", "oil", "flow", "start", "at", "points", "fluid", "law"])
TREES = st.recursive(
    st.none() | st.booleans() | FINITE | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
JOINTS = ["fixed", "revolute", "prismatic", "cylindrical", "spherical", "planar", "free"]


def bits(value: Any) -> Any:
    """Return a value with every float as its bits."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [bits(item) for item in value]
    if isinstance(value, dict):
        return {key: bits(item) for key, item in value.items()}
    if hasattr(value, "model_fields_set"):
        return {field: bits(getattr(value, field)) for field in type(value).model_fields}
    return value


def machine_bits(machine: Machine) -> Any:
    parts = {name: bits(part) for name, part in machine.parts.items()}
    own = (machine.gravity, machine.ambient, machine.ground_part, machine.appearance)
    return machine.name, [bits(value) for value in own], parts


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Return a machine with random values in every kind of field; it need not move in any sensible way."""
    m = Machine(draw(PRINTABLE), gravity=draw(VECTOR), ambient=draw(FINITE))
    before = m.ground
    if draw(st.booleans()):
        m.ground.point("anchor", draw(VECTOR))
    for index, word in enumerate(draw(st.lists(WORD, min_size=1, max_size=4, unique=True))):
        moment = draw(st.floats(min_value=0, max_value=MOST))
        body = m.body(f"b-{word}", mass=draw(POSITIVE), com=draw(VECTOR), inertia=(moment, moment, moment))
        for point in draw(st.lists(WORD, max_size=2, unique=True)):
            body.point(point, draw(VECTOR))
            body.frame(f"{point}.f", draw(VECTOR), draw(VECTOR))
        if draw(st.booleans()):
            body.point_mass("m", draw(st.floats(min_value=0, max_value=MOST)), draw(VECTOR))
            body.shape("capsule", size=(draw(POSITIVE), 1.0), colour=draw(st.text(max_size=5)))
        kind = draw(st.sampled_from(JOINTS))
        start = draw(st.tuples(*[FINITE] * len(all_kinds()[kind].COORDINATES)))
        place = before.at(draw(VECTOR), rpy=draw(VECTOR))
        getattr(m, kind)(f"j{index}", place, body, axis=draw(AXIS), start=start, cut=draw(st.booleans()))
        before = body
    m.spring("s", before.at(draw(VECTOR)), m.ground, abs(draw(FINITE)), rest=draw(st.none() | POSITIVE))
    m.force("f", before, draw(AXIS), value=draw(FINITE))
    oil = m.oil({"law": "cavitating", "density": draw(POSITIVE), "bulk": draw(POSITIVE)})
    hose = oil.volume("hose", draw(POSITIVE), draw(POSITIVE))
    oil.restrictor("r", hose, oil.tank("tank"), flow=(draw(POSITIVE), draw(POSITIVE)), transition=draw(POSITIVE))
    return m


@pytest.mark.slow
@given(machines())
@settings(max_examples=60, deadline=None)
def test_round_trip_is_equal_and_bitwise(machine: Machine) -> None:
    text = machine.to_yaml()
    again = Machine.from_yaml(text)

    assert again == machine
    assert machine_bits(again) == machine_bits(machine)
    assert again.to_yaml() == text


def test_example_round_trip(tmp_path: Path) -> None:
    machine = lifting_boom()
    write(machine, tmp_path / "boom.yaml")
    again = read(tmp_path / "boom.yaml")

    assert again == machine
    assert again.sources["lift"].file == str(tmp_path / "boom.yaml")
    assert again.sources["lift"][1] == again.to_yaml().splitlines().index("  lift:") + 1


def test_other_readers_see_the_same_numbers() -> None:
    m = Machine(gravity=(1e-05, 1e22, -9.81))
    data = yaml.safe_load(m.to_yaml())

    assert data["gravity"] == [1e-05, 1e22, -9.81]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e9", 1e9), ("1.0e9", 1e9), ("1.0e+9", 1e9), ("-.5", -0.5), ("5.", 5.0), ("200", 200), ("012", 12), ("+3", 3),
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None),
        ("on", "on"), ("off", "off"), ("yes", "yes"), ("no", "no"), ("True", "True"), ("y", "y"),
        ("2020-01-01", "2020-01-01"), ("1:30", "1:30"), ("0x10", "0x10"), ("1_000", "1_000"), ("76 bar", "76 bar"),
        (".inf", math.inf), ("-.inf", -math.inf),
    ],
)  # fmt: skip
def test_plain_scalars(text: str, value: Any) -> None:
    found = read_scalar(text)

    assert found == value and type(found) is type(value)


def test_quoted_scalars_are_text() -> None:
    root, problems = read_tree("a: '1e9'\nb: \"true\"\nc: |\n  3\n")

    assert not problems
    assert root is not None and root.plain() == {"a": "1e9", "b": "true", "c": "3\n"}


def test_long_digits_are_numbers() -> None:
    assert read_scalar("9" * 30) == 1e30
    assert read_scalar("9" * 5000) == math.inf


def test_keys_are_text() -> None:
    root, _ = read_tree("1: a\non: b\ntrue: c\n")

    assert root is not None and list(root.entries or {}) == ["1", "on", "true"]


def test_lines_of_values() -> None:
    root, _ = read_tree("a:\n  b:\n    - 1\n    - c: 2\n")

    assert root is not None
    assert dict(root.lines()) == {"a": 1, "a.b": 2, "a.b[0]": 3, "a.b[1]": 4, "a.b[1].c": 4}


def problems_of(path: Path) -> str:
    with pytest.raises(MachineError) as caught:
        read(path)
    return str(caught.value)


def test_missing_file_offers_neighbours(tmp_path: Path) -> None:
    (tmp_path / "excavator.yaml").write_text("knuckleboom: 1\n")

    text = problems_of(tmp_path / "excavatr.yaml")

    assert "there is no such file" in text and "Closest names: 'excavator.yaml'" in text


def test_folder(tmp_path: Path) -> None:
    assert "it is a folder" in problems_of(tmp_path)


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"knuckleboom: 1\nmachine: \xff\xfe\n")

    assert "it is not UTF-8 text" in problems_of(tmp_path / "a.yaml")


def test_control_character(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"knuckleboom: 1\nmachine: a\x00b\n")

    assert "line 2  column 11 has the character U+0000" in problems_of(tmp_path / "a.yaml")


def test_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"#" * (LARGEST + 1))

    assert f"more than {LARGEST} bytes" in problems_of(tmp_path / "a.yaml")


def test_very_deep(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: " + "{a: " * 20000)

    assert f"nested more than {DEEPEST} levels" in problems_of(tmp_path / "a.yaml")


def test_path_with_null_character() -> None:
    with pytest.raises(MachineError, match="cannot be read"):
        read("a\0b.yaml")


def test_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfknuckleboom: 1\nmachine: crane\n")

    assert read(tmp_path / "a.yaml").name == "crane"


def test_units_in_files() -> None:
    m = Machine.from_yaml(
        """
knuckleboom: 1
machine: 30
ambient: 1 bar
bodies: {boom: {mass: 2e2, inertia: [1, 1, 1 kg m2]}}
joints: {foot: {kind: revolute, a: ground, b: boom, axis: y, start: -30 deg, at: [0, 0, 1 m]}}
tanks:
"""
    )

    foot = m.part("foot")
    assert m.name == "30" and m.ambient == 1e5
    assert isinstance(foot, Revolute) and foot.start[0] == pytest.approx(-math.pi / 6)
    assert m.of(Joint)[0].a.at == (0.0, 0.0, 1.0)


def test_order_within_sections_is_kept() -> None:
    text = "knuckleboom: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, a: {mass: 1, inertia: [1, 1, 1]}}\n"
    text += "joints: {z: {kind: free, a: ground, b: a}, y: {kind: fixed, a: a, b: b}}\n"
    m = Machine.from_yaml(text)

    assert list(m.parts) == ["b", "a", "z", "y"]
    assert list(Machine.from_yaml(m.to_yaml()).parts) == ["b", "a", "z", "y"]


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_machine_or_a_machine_error(text: str) -> None:
    try:
        Machine.from_yaml(text)
    except MachineError as error:
        assert error.problems


@given(st.sampled_from(SECTIONS), TREES)
@settings(max_examples=150, deadline=None)
def test_any_tree_is_a_machine_or_a_machine_error(section: str, tree: Any) -> None:
    text = yaml.safe_dump({"knuckleboom": 1, section: {"x": tree} if section not in ("gravity", "machine") else tree})
    try:
        Machine.from_yaml(text)
    except MachineError as error:
        assert error.problems and "pydantic" not in str(error)


def test_relative_path_is_shown_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text("knuckleboom: 2\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(MachineError, match=r"^1 problem in a\.yaml\n"):
        read("a.yaml")
    assert os.listdir(tmp_path) == ["a.yaml"]
