# SPDX-License-Identifier: BSD-3-Clause
"""A number given as a text with a unit is written as that text; what was computed or changed is written in SI."""

import copy
import pickle

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.machine import write
from knuckleboom.plan.retune import with_parameter
from knuckleboom.quantities import Given

TEXT = """\
knuckleboom: 1
machine: crane
gravity: [0.0, 0.0, -9.81 m/s^2]
ambient: 1 bara

bodies:
  boom:
    mass: 0.2 t
    com: [500 mm, 0.0, 0.0]
    inertia: [0.1 kg m2, 16.7, 16.7]
    points: {tip: [1 m, 0.0, -30 mm]}
    frames: {eye: {at: [90 cm, 0.0, 0.0], rpy: [0.0, 15 deg, 0.0]}}
    point_masses: {hook: {mass: 12 kg, at: [1 m, 0.0, 0.0]}}

joints:
  foot:
    kind: revolute
    a: ground
    b: boom
    axis: y
    start: -30 deg

joint_springs:
  spring:
    joint: foot
    stiffness: 100 N m/rad
    rest: 5 deg

cylinders:
  lift:
    a: {body: ground, at: [0.3, 0.0, -200 mm]}
    b: {body: boom, at: [40 cm, 0.0, 0.0]}
    oil: oil
    bore: 90mm
    rod: 50 mm
    stroke: 0.3 m
    pressure_a: 20 barg

oils:
  oil:
    fluid: {density: 860 kg/m3, law: cavitating, bulk: 1.4 GPa}

tanks:
  tank:
    oil: oil
    pressure: 1 bar

restrictors:
  supply:
    a: lift.a
    b: tank
    flow: [60 l/min, 35 bar]
  back:
    a: lift.b
    b: tank
    area: 3 mm^2

appearance:
  boom:
    - {shape: box, size: [1 m, 100 mm, 0.1]}
"""


def test_a_file_is_written_as_it_was_read(tmp_path):
    machine = kb.Machine.from_yaml(TEXT)
    write(machine, tmp_path / "crane.yaml")

    assert (tmp_path / "crane.yaml").read_text(encoding="utf-8") == TEXT
    assert kb.read(tmp_path / "crane.yaml") == machine


def test_other_readers_see_the_texts():
    assert yaml.safe_load(kb.Machine.from_yaml(TEXT).to_yaml())["cylinders"]["lift"]["bore"] == "90mm"


def test_what_a_script_gives_is_kept_too():
    machine = kb.Machine("arm")
    body = machine.body("arm", mass="200 kg", inertia=(1, 1, 1))
    body.point("tip", ("90 mm", 0, 0))
    machine.prismatic("slide", machine.ground, body, start="120 mm", speed=0.5)

    written = machine.to_yaml()

    for line in ("mass: 200 kg", "points: {tip: [90 mm, 0.0, 0.0]}", "start: 120 mm", "speed: 0.5"):
        assert f"    {line}\n" in written
    assert kb.Machine.from_yaml(written) == machine


def test_a_flow_at_a_drop_is_written_as_a_pair():
    machine = kb.Machine("leak")
    oil = machine.oil(kb.fluids.naya())
    oil.restrictor("leak", oil.tank("a"), oil.tank("b"), flow="60 l/min at 35 bar")
    assert "flow: [60 l/min, 35 bar]" in machine.to_yaml()


def test_a_change_wins():
    machine = with_parameter(kb.Machine.from_yaml(TEXT), "lift.bore", 0.08)
    assert "    bore: 0.08\n" in machine.to_yaml()
    machine = with_parameter(machine, "lift.bore", "85 mm")
    assert "    bore: 85 mm\n" in machine.to_yaml()
    assert "    rod: 50 mm\n" in machine.to_yaml(), "a setting that was not changed keeps its text"


def test_a_group_keeps_texts_and_what_is_moved_is_computed():
    outer = kb.Machine("outer")
    outer.add("left", kb.Machine.from_yaml(TEXT), at=(0, 1, 0))

    written = outer.to_yaml()

    assert "    bore: 90mm\n" in written
    assert "at: [0.3, 1.0, -0.2]" in written
    assert kb.Machine.from_yaml(written) == outer


def test_a_text_that_would_mean_something_else_is_not_kept():
    """20 bar gauge is 21.01325 bar absolute, but no pressure difference."""
    machine = kb.Machine.from_yaml(TEXT)
    gauge = machine["lift"].pressure_a
    oil = machine["oil"]
    oil.check_valve("check", "lift.a", "tank", cracking=gauge, flow=("60 l/min", "5 bar"))

    assert gauge.text == "20 barg"
    assert machine["check"].cracking == gauge
    assert f"cracking: {float(gauge)!r}" in machine.to_yaml()


def test_a_plain_number_as_a_text_is_a_number():
    machine = kb.Machine("door")
    machine.revolute("hinge", machine.ground, machine.body("leaf", mass="1 kg", inertia=(1, 1, 1)))
    machine.gear("gear", "hinge", "lid", ratio="0.5")
    assert "ratio: 0.5\n" in machine.to_yaml()


def test_a_given_number_is_copied_and_sent_with_its_text():
    bore = kb.Machine.from_yaml(TEXT)["lift"].bore
    for again in (copy.deepcopy(bore), pickle.loads(pickle.dumps(bore))):
        assert (again, again.text, again.unit) == (0.09, "90mm", "m")
    assert not isinstance(2 * bore, Given), "what was computed has no text"


UNITS = ["m", "mm", "cm", "inch", "ft", "µm", "km"]


@given(st.floats(min_value=-1e6, max_value=1e6), st.sampled_from(UNITS), st.sampled_from(["", " "]))
def test_any_number_with_a_unit_reads_back_to_the_same_bits(number, unit, space):
    machine = kb.Machine("line")
    machine.ground.point("p", (f"{number!r}{space}{unit}", 0, 0))

    again = kb.Machine.from_yaml(machine.to_yaml())

    one, other = (m.ground_part.points["p"][0] for m in (machine, again))
    assert one.hex() == other.hex()
    assert one.text == other.text


@pytest.mark.parametrize("text", ["90 mm", "-30 deg", "+5 mm", ".5 m", "1e-13 m3/(s Pa)", "50 %", "20 °", "60 l/min"])
def test_quantities_are_written_without_quotes(text):
    from knuckleboom.machine.writer import _text

    assert _text(text) == text
    assert yaml.safe_load(f"[{text}, 1]") == [text, 1]
