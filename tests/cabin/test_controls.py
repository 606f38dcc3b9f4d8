# SPDX-License-Identifier: BSD-3-Clause
"""Lever patterns: by name, and by what the machine does when a lever is moved (push, pull, left, right)."""

from typing import Any

import pytest

from cabin.lines import COMPLETE, planned, simulate
from knuckleboom.cabin.controls import is_lever, make_controls, unknown_levers
from knuckleboom.machine.lever import Lever


def inputs_of(name: str) -> list[dict[str, Any]]:
    """Spools go from −1 to 1, everything else has one side."""
    _, plan = planned(name)
    found = []
    for one in plan.layout.inputs:
        spool = "-1 to 1" in one.meaning
        path = one.part if one.name == "input" else f"{one.part}.{one.name}"
        low, high = (-1.0, 1.0) if spool else (0.0, 2.0 * one.default)
        found.append({"name": path, "unit": one.unit, "low": low, "high": high, "rest": one.default})
    return found


@pytest.mark.parametrize("name", COMPLETE)
def test_every_lever_is_on_some_axis(name: str) -> None:
    inputs = inputs_of(name)
    patterns = make_controls(inputs)
    assert list(patterns) == (["iso", "sae"] if name == "excavator" else ["default"])
    for pattern in patterns.values():
        moved = {path for path, *_ in pattern.values()}
        assert moved == {one["name"] for one in inputs if is_lever(one)}
        assert all(sign in (-1, 1) for _, sign, *_ in pattern.values())
        # a button goes one way: each input on buttons has one for each
        buttons = [entry for axis, entry in pattern.items() if axis.startswith("button")]
        assert all([path, -sign, what, plus, minus] in buttons for path, sign, what, minus, plus in buttons)


def moved(name: str, pattern: str, axis: str, path: str, seconds: float = 1.5) -> float:
    """How far a quantity goes when an axis is held at one half."""
    _, plan = planned(name)
    control, sign, *_ = make_controls(inputs_of(name))[pattern][axis]
    record = simulate(name, seconds, **{control: 0.5 * sign})
    column = plan.names[path].columns[-1]  # of a position: z
    return float(record[-1, column] - record[0, column])


ISO = {  # the sources in docs/cabin.md: what happens when the lever goes right or away from the operator
    "left.x": ("slewing.angle", -1),  # right: slews to the right
    "left.y": ("stick_pin.angle", 1),  # away: the stick reaches out
    "right.x": ("bucket_pin.angle", 1),  # right: the bucket opens
    "right.y": ("boom_arm.position", 0),  # away: the boom goes down; below, by its tip
}


@pytest.mark.parametrize("axis", ["left.x", "left.y", "right.x"])
def test_excavator_iso(axis: str) -> None:
    path, sign = ISO[axis]
    assert sign * moved("excavator", "iso", axis, path) > 0.02


def test_excavator_boom() -> None:
    assert moved("excavator", "iso", "right.y", "boom_pin.angle", 1.0) < -0.01
    assert moved("excavator", "sae", "left.y", "boom_pin.angle", 1.0) < -0.01
    assert moved("excavator", "sae", "right.y", "stick_pin.angle") > 0.02


@pytest.mark.parametrize(
    ("name", "axis", "path", "sign"),
    [
        ("mobile-crane", "left.x", "slew.angle", -1),  # right
        ("mobile-crane", "left.y", "telescope_1_slide.travel", 1),  # away: out
        ("mobile-crane", "right.y", "hoist.travel", 1),  # away: the hook goes down
        ("mobile-crane", "right.x", "boom_hinge.angle", -1),  # right: the boom goes down
        ("mine-loader", "left.x", "articulation.angle", -1),  # right; its angle is positive to the left
        ("mine-loader", "right.y", "lift_left.length", -1),  # away: down
        ("mine-loader", "right.x", "bucket_pin.angle", -1),  # right: dumps
        ("harvester-25", "left.x", "slew.angle", -1),
        ("harvester-25", "left.y", "jib_hinge.angle", 1),  # away: out
        ("harvester-25", "right.y", "boom_hinge.angle", -1),  # away: down
        ("forwarder-crane", "left.x", "slew.angle", -1),
        ("forwarder-crane", "left.y", "jib_hinge.angle", 1),  # away: out
        ("forwarder-crane", "right.x", "rotator_bearing.angle", -1),
        ("forwarder-crane", "right.y", "boom_hinge.angle", -1),  # away: down
        ("forwarder-crane", "thumb.left", "telescope_2_slide.travel", 1),  # away: out
        ("forwarder-crane", "button.0", "arm_left_pin.angle", 1),  # closes
        ("forwarder-crane", "button.1", "arm_right_pin.angle", -1),  # opens
        ("concrete-sprayer", "left.x", "slew.angle", -1),
        ("concrete-sprayer", "left.y", "boom_hinge.angle", -1),
        ("concrete-sprayer", "right.x", "swing_bearing.angle", -1),
        ("concrete-sprayer", "right.y", "head_hinge.angle", -1),  # away: down
    ],
)
def test_other_machines(name: str, axis: str, path: str, sign: int) -> None:
    assert sign * moved(name, "default", axis, path) > 1e-3


WORDS = {  # what an input's positive value does, as the machine's own description has it
    "excavator": {"boom": "boom up", "stick": "stick in", "bucket": "bucket close", "slew": "slew left"},
    "mobile-crane": {
        "lift_valve": "boom up", "telescope_valve": "telescope out", "winch_valve": "hook up",
        "slew_valve": "slew left",
    },
    "forwarder-crane": {
        "slew_valve": "slew left", "lift_valve": "boom up", "fold_valve": "jib out", "telescope_valve": "telescope out",
        "rotator_valve": "rotator left", "grip_valve": "grip close",
    },
    "mine-loader": {"lift": "boom up", "tilt": "bucket curl", "steer": "steer left"},
    "harvester-30": {
        "steer_valve": "steer left", "slew_valve": "slew left", "lift_valve": "boom up", "fold_valve": "jib out",
        "telescope_valve": "telescope out", "tilt_valve": "head up", "rotator_valve": "rotator left",
        "grip_valve": "grip close", "feed_valve": "feed forward", "saw_valve": "saw out",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_words_are_those_of_the_description(name: str) -> None:
    for pattern in make_controls(inputs_of(name)).values():
        said = {path: f"{what} {plus if sign > 0 else minus}" for path, sign, what, minus, plus in pattern.values()}
        assert {path: said[path] for path in WORDS[name]} == WORDS[name]


@pytest.mark.parametrize(
    ("path", "positive", "control"),
    [
        ("head_hinge.angle", "head up", "tilt_valve"),
        ("swing_bearing.angle", "lance left", "swing_valve"),
        ("lance_slide.travel", "lance out", "lance_valve"),
        ("lance_slide.angle", "roll right", "roll_valve"),  # about x, which points forward
        ("nozzle_hinge.angle", "nozzle up", "nozzle_valve"),
        ("wobble.angle", "wobble right", "wobble_valve"),
    ],
)
def test_words_of_the_sprayer(path: str, positive: str, control: str) -> None:
    """Its description does not say which way is positive: the machine itself is asked."""
    _, plan = planned("concrete-sprayer")
    record = simulate("concrete-sprayer", 0.5, **{control: 0.5})
    column = plan.names[path].columns[0]
    goes = record[-1, column] - record[0, column]
    (pattern,) = make_controls(inputs_of("concrete-sprayer")).values()
    _, sign, what, minus, plus = next(entry for entry in pattern.values() if entry[0] == control)
    assert f"{what} {plus if sign * goes > 0 else minus}" == positive
    assert abs(goes) > 1e-3


def test_unknown_machine_gets_its_levers_in_order() -> None:
    levers = [{"name": f"v{n}", "unit": "1", "low": -1.0, "high": 1.0, "rest": 0.0} for n in range(10)]
    others = [
        {"name": "load", "unit": "N", "low": 0.0, "high": 1e4, "rest": 0.0},
        {"name": "pump.speed", "unit": "rad/s", "low": 0.0, "high": 300.0, "rest": 200.0},
        {"name": "pump", "unit": "1", "low": 0.0, "high": 1.0, "rest": 1.0},
    ]
    (pattern,) = make_controls(levers + others).values()
    assert pattern["right.y"] == ["v0", 1, "v0", "−", "+"]
    assert pattern["pedal.left"] == ["v7", 1, "v7", "−", "+"]
    assert [pattern[f"button.{n}"][:2] for n in range(4)] == [["v8", 1], ["v8", -1], ["v9", 1], ["v9", -1]]
    assert [pattern[f"button.{n}"][-1] for n in range(4)] == ["+", "−", "+", "−"]
    assert len(pattern) == 12
    assert make_controls(others) == {"default": {}}


def test_valve_with_two_positions_has_one_button() -> None:
    lever = {"name": "lift", "unit": "1", "low": -1.0, "high": 1.0, "rest": 0.0, "kind": "lever"}
    switch = {"name": "brake", "unit": "1", "low": 0.0, "high": 1.0, "rest": 0.0, "kind": "lever"}
    pump = {"name": "pump", "unit": "1", "low": 0.0, "high": 1.0, "rest": 1.0, "kind": "pump"}
    assert make_controls([switch, lever, pump]) == {
        "default": {"right.y": ["lift", 1, "lift", "−", "+"], "button.0": ["brake", 1, "brake", "off", "on"]}
    }


def test_a_lever_too_many_for_a_known_pattern() -> None:
    names = ("boom", "stick", "bucket", "slew", "blade")
    levers = [{"name": n, "unit": "1", "low": -1.0, "high": 1.0, "rest": 0.0} for n in names]
    patterns = make_controls(levers)
    assert list(patterns) == ["iso", "sae"]
    assert patterns["iso"]["thumb.right"] == ["blade", 1, "blade", "−", "+"]
    assert patterns["sae"]["left.y"] == ["boom", -1, "boom", "up", "down"]


# --- what the machine says itself, and what lifts ---


def spools(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "unit": "1", "low": -1.0, "high": 1.0, "rest": 0.0, "kind": "lever"} for name in names]


def test_pulling_back_raises_what_lifts() -> None:
    levers = spools("a_valve", "b", "c", "d", "e")
    (pattern,) = make_controls(levers, lifting={"a_valve": 1, "b": -1, "c": -1, "e": 1}).values()
    assert pattern["right.y"] == ["a_valve", -1, "a", "up", "down"]  # words of the axis: back is up
    assert pattern["right.x"] == ["b", 1, "b", "up", "down"]  # left is up
    assert pattern["left.y"] == ["c", 1, "c", "up", "down"]
    assert pattern["left.x"] == ["d", 1, "d", "−", "+"]
    assert pattern["thumb.right"] == ["e", 1, "e", "down", "up"]  # a wheel that is turned up


def test_words_axis_and_direction_of_ones_own() -> None:
    said = {
        "one": Lever(what="mast", plus="out", minus="in", axis="left sideways", back="minus"),
        "two": Lever(what="grab", axis="buttons", plus="close", minus="open"),
        "load": Lever(axis="left pedal"),
    }
    load = {"name": "load", "unit": "N", "low": 0.0, "high": 1e4, "rest": 0.0, "kind": "other"}
    assert make_controls([*spools("one", "two", "three"), load], said) == {
        "own": {
            "left.x": ["one", 1, "mast", "in", "out"],
            "pedal.left": ["load", 1, "load", "−", "+"],
            "right.y": ["three", 1, "three", "−", "+"],
            "button.0": ["two", 1, "grab", "open", "close"],
            "button.1": ["two", -1, "grab", "close", "open"],
        }
    }


def test_words_of_ones_own_on_a_known_machine() -> None:
    levers = spools("boom", "stick", "bucket", "slew")
    patterns = make_controls(levers, {"boom": Lever(what="Ausleger", plus="auf", minus="ab"), "load": Lever()})
    assert patterns["iso"]["right.y"] == ["boom", -1, "Ausleger", "auf", "ab"]
    assert patterns["sae"]["right.x"] == ["bucket", -1, "bucket", "close", "open"]

    (own,) = make_controls(levers, {"boom": Lever(axis="left fore-aft", back="minus")}).values()
    assert own["left.y"] == ["boom", 1, "boom", "down", "up"]
    assert own["right.y"] == ["stick", 1, "stick", "out", "in"]  # what was on its axis gets a free one
    assert own["right.x"] == ["bucket", -1, "bucket", "close", "open"]


def test_up_and_down_in_words_of_ones_own_say_which_way_is_back() -> None:
    said = {"a": Lever(plus="up", minus="down"), "b": Lever(plus="down"), "c": Lever(plus="up", back="minus")}
    (pattern,) = make_controls(spools("a", "b", "c"), said).values()
    assert [pattern[axis][1] for axis in ("right.y", "right.x", "left.y")] == [-1, 1, 1]
    assert unknown_levers(spools("a", "d"), said) == ["d"]


def test_nothing_is_to_be_found_out_of_known_machines() -> None:
    for name in COMPLETE:
        levers = [one for one in inputs_of(name) if one["low"] < 0.0]
        assert unknown_levers(levers, {}) == []
