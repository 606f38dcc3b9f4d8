# SPDX-License-Identifier: BSD-3-Clause
"""What hands do becomes levers: curves, patterns, several devices; and a mapping from a file is checked, with a
sentence that says what is wrong."""

import copy
import json

import pytest

from cabin.page.in_node import in_node

INPUTS = [
    {"name": "boom", "low": -1.0, "high": 1.0, "rest": 0.0},
    {"name": "stick", "low": -1.0, "high": 1.0, "rest": 0.0},
    {"name": "speed", "low": 0.0, "high": 300.0, "rest": 200.0},
    {"name": "load", "low": 0.0, "high": 5000.0, "rest": 0.0},
]
STICK, BOOM = ["stick", 1, "stick", "in", "out"], ["boom", -1, "boom", "up", "down"]
SPEED = ["speed", 1, "speed", "−", "+"]
CONTROLS = {
    "iso": {"left.y": STICK, "right.y": BOOM, "thumb.left": SPEED},
    "sae": {"left.y": BOOM, "right.y": STICK, "thumb.left": SPEED, "button.0": BOOM},
}
HANDS = """({ Hands }, { inputs, controls, pattern, put, sources }) => {
    const hands = new Hands({ inputs, controls }, () => ({ pattern }));
    for (const [name, value] of put) hands.put(name, value);
    const values = hands.update(sources.map((one) => new Map(Object.entries(one))));
    return { values: Array.from(values), pattern: hands.pattern, loose: hands.loose.map(({ name }) => name) };
}"""


def hands(*sources, pattern="", put=()):
    return in_node("levers/hands.js", HANDS, {
        "inputs": INPUTS, "controls": CONTROLS, "pattern": pattern, "put": list(put), "sources": list(sources),
    })  # fmt: skip


def test_axes_move_inputs_by_the_pattern():
    pushed = {"left.y": 0.5, "right.y": 1.0}

    assert hands(pushed, pattern="iso")["values"] == [-1.0, 0.5, 200.0, 0.0]
    assert hands(pushed, pattern="sae")["values"] == [-0.5, 1.0, 200.0, 0.0]


def test_unknown_pattern_is_the_first():
    assert hands(pattern="backhoe")["pattern"] == "iso"


def test_actions_are_told_in_words():
    does = """({ Hands }, { inputs, controls, actions }) => {
        const hands = new Hands({ inputs, controls }, () => ({ pattern: "sae" }));
        return actions.map((action) => hands.does(action)?.join(" ") ?? null);
    }"""
    actions = ["left.y+", "left.y-", "right.y-", "button.0", "thumb.left-", "left.x+"]
    said = in_node("levers/hands.js", does, {"inputs": INPUTS, "controls": CONTROLS, "actions": actions})

    assert said == ["boom down", "boom up", "stick in", "boom down", "speed −", None]


def test_levers_stand_where_the_machine_has_them():
    """Whoever moves them: a program may hold an input in the driver's place."""
    stands = """({ Hands }, { inputs, controls, axes, applied }) => {
        const hands = new Hands({ inputs, controls }, () => ({ pattern: "iso" }));
        return axes.map((axis) => hands.stands(axis, applied));
    }"""
    axes = ["right.y", "left.y", "thumb.left", "left.x"]
    given = {"inputs": INPUTS, "controls": CONTROLS, "axes": axes}

    assert in_node("levers/hands.js", stands, {**given, "applied": [0.25, -0.5, 250.0, 0.0]}) == [-0.25, -0.5, 0.5, 0]
    assert in_node("levers/hands.js", stands, {**given, "applied": [0.0, 3.0, 100.0, 0.0]}) == [0, 1, -0.5, 0]
    assert in_node("levers/hands.js", stands, {**given, "applied": None}) == [0, 0, 0, 0]


def test_input_moves_to_its_own_ends():
    assert hands({"thumb.left": 0.5})["values"][2] == 250.0
    assert hands({"thumb.left": -0.5})["values"][2] == 100.0


def test_strongest_hand_wins():
    assert hands({"right.y": 0.2}, {"right.y": -0.8}, {"right.y": 0.5})["values"][0] == pytest.approx(0.8)


def test_inputs_without_an_axis_stay_where_they_are_put():
    found = hands({}, put=[("load", 1200.0)])

    assert found["loose"] == ["load"]
    assert found["values"] == [0.0, 0.0, 200.0, 1200.0]


CURVES = [
    (0.05, {"deadzone": 0.1}, 0.0),
    (0.55, {"deadzone": 0.1}, 0.5),
    (1.0, {"deadzone": 0.1, "curve": 3}, 1.0),
    (-0.5, {"curve": 2}, -0.25),
    (0.5, {"invert": True}, -0.5),
    (7.0, {}, 1.0),
    (None, {}, 0.0),
]


def test_curves():
    shape = "({ shape }, rows) => rows.map(([raw, how]) => shape(raw ?? NaN, how))"

    assert in_node("levers/curve.js", shape, [row[:2] for row in CURVES]) == pytest.approx([row[2] for row in CURVES])


# --- mappings ---

PARSE = """({ parse }, text) => { try { return parse(text); } catch (error) { return error.message; } }"""
USUAL = "({ usual }) => usual()"
PAD = {"axes": [{"from": 0, "to": "left.x", "invert": False, "deadzone": 0.1, "curve": 1.5}], "buttons": []}


@pytest.fixture(scope="module")
def mapping():
    return {**in_node("levers/mapping.js", USUAL), "devices": {"Stick": PAD}}


def test_good_mapping_is_read_as_it_was_written(mapping):
    assert in_node("levers/mapping.js", PARSE, json.dumps(mapping)) == mapping


def spoil(mapping, *path, value):
    spoilt = copy.deepcopy(mapping)
    inner = spoilt
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return spoilt


SPOILT = [
    (("kind",), "recipe", 'This is not a mapping of a cabin: it has no "kind": "knuckleboom mapping".'),
    (("version",), 7, "This mapping is of version 7; this page reads version 1."),
    (("keys", "KeyW"), "fly", "Key KeyW is to do 'fly', which is nothing this page knows."),
    (("devices", "Stick", "axes", 0, "to"), "up", "Device 'Stick': axis 0 is to be 'up', which is no lever."),
    (("devices", "Stick", "axes", 0, "deadzone"), 2,
     "Device 'Stick': the dead zone of axis 0 is not between 0 and 0.9."),
    (("devices", "Stick", "axes", 0, "curve"), None, "Device 'Stick': the curve of axis 0 is not between 0.3 and 5."),
    (("devices", "Stick", "buttons"), [{"from": -1, "to": ""}], "Device 'Stick': a button has no number."),
]  # fmt: skip


def test_wrong_mappings_are_refused_with_a_sentence(mapping):
    texts = [json.dumps(spoil(mapping, *path, value=value)) for path, value, _ in SPOILT]

    said = in_node("levers/mapping.js", f"(module, texts) => texts.map((text) => ({PARSE})(module, text))", texts)

    assert said == [sentence for *_, sentence in SPOILT]


def test_other_files_are_refused_with_a_sentence():
    said = in_node("levers/mapping.js", PARSE, "lever: left")

    assert said == "This file is not JSON, so it is no mapping. Choose a file that was saved here."


def test_two_joysticks_are_left_and_right():
    devices = """({ usualDevice }) => [0, 1].map((earlier) =>
        usualDevice({ mapping: "", axes: [0, 0], buttons: [{}, {}] }, earlier).axes.map(({ to }) => to))"""

    assert in_node("levers/mapping.js", devices) == [["left.x", "left.y"], ["right.x", "right.y"]]
