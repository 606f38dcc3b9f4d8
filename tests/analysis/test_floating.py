# SPDX-License-Identifier: BSD-3-Clause
"""Cylinders left free: the position on trapped oil against its closed form, and refusals by name."""

import math

import pytest

import knuckleboom as kb

G = 9.81
AREA = 0.25 * math.pi * 0.08**2


def hoist(mass=3000.0, **settings):
    """A mass on an upright slide that stands on a cylinder with equal areas, half out."""
    machine = kb.Machine("hoist", gravity=(0, 0, -G))
    load = machine.body("load", mass=mass, inertia=(1, 1, 1))
    machine.prismatic("guide", machine.ground, load, axis="z", start=1.0)
    oil = machine.oil(kb.fluids.naya())
    words = {"bore": 0.08, "rod": 0.0, "stroke": 1.0, "dead_a": 1e-3, "dead_b": 1e-3, **settings}
    return machine, oil, machine.cylinder("lift", machine.ground, load, oil=oil, **words)


def test_position_on_trapped_oil():
    """e + ln V stays in each chamber while A (p_a − p_b) becomes m g."""
    machine, _, _ = hoist(pressure_a=30e5, pressure_b=30e5)
    state = kb.equilibrium(machine, free=["lift"])

    sunk = 1.0 - state["guide.travel"]
    assert 0.0 < sunk < 0.01
    assert AREA * (state["lift.a.pressure"] - state["lift.b.pressure"]) == pytest.approx(3000.0 * G, rel=1e-9)
    volume = 1e-3 + 0.5 * AREA
    before, after = kb.build(machine).work.state.x, state.snapshot["x"]
    assert after[0] - before[0] == pytest.approx(-math.log1p(-AREA * sunk / volume), rel=1e-9)
    assert after[1] - before[1] == pytest.approx(-math.log1p(AREA * sunk / volume), rel=1e-9)


def test_nothing_moves_from_there():
    machine, _, _ = hoist(pressure_a=30e5, pressure_b=30e5)
    planned = kb.build(machine)
    planned.restore(kb.equilibrium(machine, free="lift").snapshot)
    assert abs(planned.accelerations()[0]) < 1e-8


def test_only_what_is_named_moves():
    machine, oil, _ = hoist(pressure_a=30e5, pressure_b=30e5)
    load = machine.body("other", mass=500.0, inertia=(1, 1, 1))
    machine.prismatic("other_guide", machine.ground.at(1, 0, 0), load, axis="z", start=1.0)
    machine.cylinder("second", machine.ground.at(1, 0, 0), load, oil=oil, bore=0.08, rod=0.0, stroke=1.0)
    state = kb.equilibrium(machine, free=["lift"])
    assert state["guide.travel"] < 1.0 and state["other_guide.travel"] == pytest.approx(1.0, abs=1e-12)


def test_oil_that_is_not_trapped_holds_nowhere():
    machine, oil, lift = hoist()
    pump, tank = oil.pressure("pump", "200 bar"), oil.tank("tank")
    machine.valve_4_3("valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("100 l/min", "10 bar"))
    with pytest.raises(kb.AnalysisError, match="'lift' is left free, but its force is the same wherever it is"):
        kb.equilibrium(machine, free=["lift"])


def test_a_name_that_is_no_cylinder():
    with pytest.raises(kb.MachineError, match="there is no cylinder or motor 'lfit'") as caught:
        kb.equilibrium(hoist()[0], free=["lfit"])
    assert caught.value.problems[0].closest == ("lift",)
