# SPDX-License-Identifier: BSD-3-Clause
"""What is told of a machine: inputs with their reach, every column by name, poses of bodies, a scene to draw."""

import json
import math
import pickle

import pytest

import knuckleboom as kb
from knuckleboom.cabin.facts import facts, input_facts, reach
from knuckleboom.simulation.live import LiveRun


@pytest.fixture(scope="module")
def told():
    case = kb.catalogue.NAMES["excavator"]()
    return facts(LiveRun(case.machine, step="1 ms", **case.method), reach(case))


def test_inputs_say_how_far_they_go(told):
    inputs = {one["name"]: one for one in told["inputs"]}
    assert {name for name, one in inputs.items() if one["kind"] == "lever"} == {"boom", "stick", "bucket", "slew"}
    assert (inputs["boom"]["low"], inputs["boom"]["high"], inputs["boom"]["rest"]) == (-1.0, 1.0, 0.0)
    assert (inputs["pump"]["low"], inputs["pump"]["high"], inputs["pump"]["kind"]) == (0.0, 1.0, "pump")
    engine = inputs["engine"]  # from idle, 0.45 of the rated 1900 rpm, to the last speed of its curve
    assert (engine["low"], engine["high"]) == pytest.approx((855.0 * math.pi / 30.0, 2090.0 * math.pi / 30.0))
    assert (engine["rest"], engine["kind"]) == (pytest.approx(1990.0 * math.pi / 30.0), "other")
    assert (inputs["load"]["low"], inputs["load"]["unit"], inputs["load"]["kind"]) == (0.0, "kg", "other")
    assert inputs["load"]["high"] == 2000.0  # most that the bucket holds


@pytest.mark.parametrize("name", ["naya-rod", "ylinen-boom", "andrews", "four-bar"])
def test_every_input_has_a_span_with_its_rest_inside(name):
    case = kb.catalogue.NAMES[name]()
    for one in facts(LiveRun(case.machine, step="0.1 ms", **case.method), reach(case))["inputs"]:
        assert one["low"] <= one["rest"] <= one["high"]
        assert one["low"] < one["high"]


@pytest.mark.parametrize(("speed", "span"), [(157.0, (0.0, 157.0)), (-157.0, (-157.0, 0.0))])
def test_a_pump_goes_from_nothing_to_its_own_speed_whichever_way_it_turns(speed, span):
    case = kb.catalogue.NAMES["crane-one-cylinder"]()
    live = LiveRun(case.machine, step="1 ms", **case.method)
    one = next(one for one in live.inputs if one.name == "pump.speed")
    found = input_facts(live, one._replace(rest=speed), [])
    assert (found["low"], found["high"]) == span


def test_levers_of_an_unknown_machine_raise_when_pulled_back_unless_it_says_else():
    case = kb.catalogue.NAMES["crane-one-cylinder"]()
    live = LiveRun(case.machine, step="1 ms", **case.method)
    assert facts(live, {})["controls"]["default"]["right.y"] == ["valve", -1, "valve", "up", "down"]
    case.machine.lever("valve", what="crane", back="minus")
    assert facts(live, {})["controls"]["default"]["right.y"] == ["valve", 1, "crane", "down", "up"]


def test_each_column_has_one_name(told):
    columns = [one["column"] for one in told["signals"]]
    assert len(set(columns)) == len(columns)
    paths = {one["path"]: one for one in told["signals"]}
    assert paths["boom_arm.position.x"]["unit"] == "m"
    assert paths["boom_left.a.pressure"]["unit"] == "Pa"


def test_bodies_have_poses_and_the_scene_has_none(told):
    assert [body["name"] for body in told["bodies"]] == told["scene"]["bodies"]
    assert all(len(body["columns"]) == 7 for body in told["bodies"])
    assert set(told["scene"]) == {"bodies", "solids", "lines", "sheets", "floor", "bounds", "size", "side"}


def test_it_can_be_handed_to_another_process(told):
    plain = {key: value for key, value in told.items() if key != "dashboard"}
    assert json.loads(json.dumps(plain)) == plain
    assert repr(pickle.loads(pickle.dumps(told["dashboard"]))) == repr(told["dashboard"])
