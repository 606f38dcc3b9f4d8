# SPDX-License-Identifier: BSD-3-Clause
"""bench soak: what the operator does, what is seen of a run, and what becomes of a failure and of Ctrl-C."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import soak
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.operator import BETWEEN_STALLS, HELD, operate
from knuckleboom.bench.reached import Reached
from knuckleboom.bench.soak_ground import ARM, OnGround, Rise, shoved
from knuckleboom.bench.vehicle import WHEELS, four_wheels


def machine():
    """A free mass on a cylinder, its valve on a pump with a relief; it falls into its stop when the pump stalls."""
    m = kb.Machine("press")
    ram = m.body("ram", mass=500.0, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, ram, axis="z", start="0.3 m")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, supply = oil.tank("tank"), oil.junction("supply", "1 l")
    oil.pump("pump", tank, supply, displacement="20 cm3/rev", speed="1500 rpm")
    oil.relief_valve("relief", supply, tank, flow=("60 l/min", "120 bar"), setting="100 bar")
    lift = m.cylinder(
        "lift", m.ground.at(0, 0, -0.5), ram, bore="63 mm", rod="36 mm", stroke="0.2 m", oil=oil, viscous=500.0,
        pressure_a="17 bar",
    )  # fmt: skip
    oil.valve_4_3("valve", P=supply, T=tank, A=lift.a, B=lift.b, flow=("60 l/min", "10 bar"))
    return m


def test_the_operator_uses_every_lever_and_repeats_itself():
    cycle, planned = Cycle("press", machine(), 1.0), kb.build(machine())
    done = operate(cycle, planned, 600.0, seed=5)

    assert set(done) == {"valve", "pump.speed"}
    assert done == operate(cycle, planned, 600.0, seed=5) != operate(cycle, planned, 600.0, seed=6)
    values = list(done["valve"].values())
    assert {-1.0, 0.0, 1.0} <= set(values) and min(values) == -1.0 and max(values) == 1.0
    # held for the first part of the time, then at random
    held = {time: value for time, value in done["valve"].items() if time < 600.0 * HELD}
    stretches = [held[time] for time in (0.0, 90.0, 180.0, 270.0)]
    assert stretches in ([1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]) and len(values) > 50
    # let go and taken again as it was
    let_go = [time for time, value in held.items() if value == 0.0]
    assert 360.0 / 31.0 - 1.0 <= len(let_go) <= 2.0 * 360.0 / 15.0
    # every other start of the pump is against a closed valve
    starts = [time for time, value in done["pump.speed"].items() if value > 0.0][1:]
    for time in starts[::2]:
        assert done["valve"][max(begun for begun in done["valve"] if begun <= time)] == 0.0
    first = list(held).index(let_go[0])
    assert list(held.values())[first - 1] == list(held.values())[first + 1]
    # all pumps stall and start again, within what was said
    speeds = done["pump.speed"]
    assert list(speeds.values())[:3] == pytest.approx([157.08, 0.0, 157.08], rel=1e-4)
    assert BETWEEN_STALLS[0] <= list(speeds)[1] <= BETWEEN_STALLS[1]
    # on whole milliseconds, so that no step is cut
    assert all(abs(1e3 * time - round(1e3 * time)) < 1e-9 for time in done["valve"])


def test_stops_and_reliefs_are_seen():
    data = soak.measure(cycles=[Cycle("press", machine(), 1.0, {}, {})], seconds=40.0)
    (row,) = data["machines"]

    assert row["status"] == "done" and row["time_s"] == pytest.approx(40.0)
    assert (row["stops"], row["stops_reached"], row["not_reached"]) == (2, 2, [])
    assert (row["reliefs"], row["reliefs_opened"]) == (1, 1)
    # by hand: the relief is fully open at 110 bar, and nothing is above it but what a stop or a slammed valve traps
    assert row["highest_pressure_bar"] > 101.0
    assert row["least_pressure_bar"] > 0.0 and row["closure_mm"] is None
    assert row["energy_residual_percent"] < 0.5


def test_forces_push_and_levers_are_held_with_and_against_each_other():
    loader = cycle_of("mine-loader")
    done = operate(loader, kb.build(loader.machine), 600.0, seed=1)

    pile = np.array(list(done["pile"].values()))
    assert pile.min() == 0.0 and 70e3 < pile.max() < 80e3  # 0 to 80 kN in the work cycle
    assert np.all(pile[::2] == 0.0) and np.all(pile[1::2] != 0.0)
    lift, tilt = ([done[name][time] for time in (0.0, 90.0, 180.0, 270.0)] for name in ("lift", "tilt"))
    assert set(zip(lift, tilt, strict=True)) == {(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)}


def test_what_is_not_reached_has_its_reason():
    # all at rest at 17 bar, half out of a stroke of 200 mm; a pump with a cut-off instead of the other
    press = machine()
    oil, tank, supply, lift = press["oil"], press["tank"], press["supply"], press["lift"]
    words = {"displacement": "20 cm3/rev", "speed": "1500 rpm"}
    oil.pressure_compensated_pump("second", tank, supply, cutoff="80 bar", **words)
    oil.shock_valve(
        "guard", lift.a, tank, flow=("60 l/min", "420 bar"), setting="400 bar", free_flow=("60 l/min", "2 bar")
    )  # fmt: skip
    reached = Reached(kb.build(press))
    assert reached.to_row()["not_reached"][0] == {"name": "lift high", "reason": "Nothing was recorded."}
    reached.look(kb.simulate(press, "10 ms", inputs={"pump.speed": 0.0, "second.speed": 0.0}, coupling="realtime"))

    row = reached.to_row()
    assert (row["stops"], row["stops_reached"], row["reliefs"], row["reliefs_opened"]) == (2, 0, 2, 0)
    reasons = {one["name"]: one["reason"] for one in row["not_reached"]}
    assert list(reasons) == ["lift high", "lift low", "guard", "relief"]
    assert reasons["lift high"].startswith("100.0 mm were missing") and reasons["lift low"].startswith("100.0 mm")
    assert reasons["guard"].startswith("Set to 400 bar, it saw 1")
    assert reasons["guard"].endswith("pumps are cut off at 80 bar, so only a load from outside can open it.")
    assert reasons["relief"] == "Set to 100 bar, it saw 0 bar; its pump is cut off at 80 bar and swings back in time."


def test_chunks_change_nothing(monkeypatch):
    rows = []
    for chunk in (0.7, 5.0):
        monkeypatch.setattr(soak, "CHUNK", chunk)
        rows += soak.measure(cycles=[Cycle("press", machine(), 1.0)], seconds=2.0)["machines"]
    assert rows[0]["least_pressure_bar"] == rows[1]["least_pressure_bar"]
    assert rows[0]["energy_residual_percent"] == pytest.approx(rows[1]["energy_residual_percent"], rel=1e-3)


def test_a_failure_and_ctrl_c_keep_what_was_seen(monkeypatch):
    crane = cycle_of("crane-one-cylinder")
    real = kb.Simulation.run_for

    def run_for(sim, duration):
        if sim.time > 0.4:
            raise KeyboardInterrupt
        return real(sim, duration)

    monkeypatch.setattr(soak, "CHUNK", 0.25)
    monkeypatch.setattr(kb.Simulation, "run_for", run_for)
    data = soak.measure(cycles=[crane, crane], seconds=1.0)
    assert data["status"] == "interrupted" and data["not_run"] == ["crane-one-cylinder"]
    assert data["machines"][0]["time_s"] == pytest.approx(0.5) and data["machines"][0]["least_pressure_bar"] > 0.0

    def fail(sim, duration):
        raise kb.SimulationError("pressure at 'lift.a' is no longer finite", None)

    monkeypatch.setattr(kb.Simulation, "run_for", fail)
    (row,) = soak.measure(cycles=[crane], seconds=1.0)["machines"]
    assert row["status"] == "failed" and "no longer finite" in row["message"] and row["least_pressure_bar"] is None
    assert np.isfinite(row["time_s"])


def vehicle(**settings):
    m = four_wheels(braked=True, steer=None, **settings)
    m.contact("cab", m["chassis"].at(0, 0, 0.6), box=(3.0, 1.6, 1.4), against=[], friction=0.6, restitution=0.1)
    for name in WHEELS:
        m.contact(f"hub_{name}", f"wheel_{name}", sphere=0.25, against=[], friction=0.5, restitution=0.1)
    return m


def test_what_stands_is_shoved_rolled_over_and_does_not_go_through_the_ground():
    cycle = Cycle("vehicle", kb.on_ground(vehicle(), "rough:20 cm"), 1.0)
    (row,) = soak.measure(cycles=[cycle], seconds=40.0)["machines"]

    assert row["status"] == "done" and row["tunnelled"] == []
    assert row["rolled_over"] and row["lean_deg"] > 80.0
    # no pumps: nothing to compare a gain with
    assert row["energy_gain_percent"] is None


def test_shoves_and_the_torque_are_sized_by_the_weight():
    cycle = Cycle("vehicle", vehicle(), 1.0)
    found, shoving = shoved(cycle, kb.build(cycle.machine, coupling="realtime"), 100.0, seed=3)
    weight = 8000.0 * 9.81
    sizes = np.array([size for steps in shoving.inputs.values() for size in steps.values()])
    assert 0.3 * weight < np.abs(sizes).max() <= 0.5 * weight and set(shoving.inputs) <= set(found.machine.parts)
    (roller,) = shoving.controllers
    writes = np.ones(1)
    wanted = (
        (10.0, 0.0, 0.0), (65.0, 0.0, ARM), (66.0, 1.0, 0.0), (67.0, 0.5, 0.5 * ARM), (67.9, 2.0, 0.0),
        (68.1, 0.0, 0.0), (81.0, 0.0, -ARM), (91.0, -0.5, -0.5 * ARM),
    )  # fmt: skip
    for time, rate, torque in wanted:
        roller.function(time, np.array([rate]), writes, None, None)
        assert writes[0] == pytest.approx(torque * weight, rel=1e-9), time
    # what stands on nothing is as it was
    press = Cycle("press", machine(), 1.0)
    assert shoved(press, kb.build(press.machine), 1.0, seed=1) == (press, ({}, ()))


def test_rises_over_chunks():
    rise = Rise()
    rise.look(np.array([0.0, -2.0, 1.0]))
    rise.look(np.array([0.0, -5.0]))
    rise.look(np.array([0.0, 3.0, 3.5, 2.0]))
    # -2 up to 1, then -4 up to -0.5
    assert rise.most == pytest.approx(3.5)


def test_depth_and_lean_are_seen():
    m = vehicle()
    m.assign("frame", {"start": (0, 0, 1.6, math.radians(30.0), 0, 0)})
    planned = kb.build(m, coupling="realtime")
    seen = OnGround(planned)
    seen.look(kb.simulate(m, "1 s", step="1 ms", coupling="realtime"))
    assert seen.limits["cab.depth"] == pytest.approx(0.7) and seen.limits["hub_rear_left.depth"] == 0.25
    assert seen.limits["rear_left.deflection"] == pytest.approx(0.66)
    row = seen.to_row(1e3)
    assert 30.0 - 1e-9 <= row["lean_deg"] < 80.0 and not row["rolled_over"] and row["tunnelled"] == []
    seen.limits["rear_right.deflection"] = 1e-3
    (through,) = seen.to_row(1e3)["tunnelled"]
    assert through["name"] == "rear_right" and through["depth_mm"] > 1.0 and through["time_s"] > 0.0
    assert row["energy_gain_percent"] < 0.5  # of 1 kJ
