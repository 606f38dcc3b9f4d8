# SPDX-License-Identifier: BSD-3-Clause
"""What is known of shafts before a plan is made: their speeds at the start, and settings that have no effect."""

import math

import pytest

import knuckleboom as kb
from knuckleboom.machine.shafts import shaft_speeds


def geared(ratio: float) -> kb.Machine:
    m = kb.Machine("geared")
    oil = m.oil(kb.fluids.mineral_oil())
    oil.tank("tank")
    oil.volume("gallery", "1 l")
    m.shaft("engine_shaft", inertia=2.0, speed="1800 rpm")
    m.shaft("pump_shaft", inertia=0.1)
    m.gear_stage("box", "engine_shaft", "pump_shaft", ratio=ratio)
    return m


def test_a_shaft_without_a_speed_has_that_of_its_gears():
    m = geared(-0.5)
    m.shaft("last", inertia=0.1)
    m.gear_stage("second", "last", "pump_shaft", ratio=2.0)
    m.shaft("alone", inertia=0.1)

    speed = 1800.0 * math.pi / 30.0
    assert shaft_speeds(m) == pytest.approx({"engine_shaft": speed, "pump_shaft": -0.5 * speed, "last": -0.25 * speed})


@pytest.mark.parametrize(("ratio", "ports"), [(0.5, ("tank", "gallery")), (-0.5, ("gallery", "tank"))])
def test_a_pump_behind_a_gear_that_reverses_it_is_not_joined_backwards(ratio, ports):
    right, wrong = geared(ratio), geared(ratio)
    right.pump("pump", *ports, displacement="50 cm3/rev", shaft="pump_shaft")
    wrong.pump("pump", *ports[::-1], displacement="50 cm3/rev", shaft="pump_shaft")

    assert "joined backwards" not in " ".join(note.rule for note in right.notes())
    assert "joined backwards" in " ".join(note.rule for note in wrong.notes())


def test_settings_without_effect_are_refused():
    m = geared(1.0)
    with pytest.raises(kb.MachineError, match="coordinate is of a joint, and it is on a shaft"):
        m.motor("motor", shaft="pump_shaft", coordinate=1, displacement="10 cm3/rev", oil=m["oil"])
    with pytest.raises(kb.MachineError, match="friction_share shares a torque loss that it does not have"):
        m.pump("pump", "tank", "gallery", displacement="10 cm3/rev", shaft="pump_shaft", friction_share=0.5)
