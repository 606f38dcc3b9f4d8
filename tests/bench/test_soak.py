# SPDX-License-Identifier: BSD-3-Clause
"""bench soak: what the operator does, what is seen of a run, and what becomes of a failure and of Ctrl-C."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import soak
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.operator import BETWEEN_STALLS, operate


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
    done = operate(cycle, planned, 100.0, seed=5)

    assert set(done) == {"valve", "pump.speed"}
    assert done == operate(cycle, planned, 100.0, seed=5) != operate(cycle, planned, 100.0, seed=6)
    values = list(done["valve"].values())
    assert {-1.0, 0.0, 1.0} <= set(values) and min(values) == -1.0 and max(values) == 1.0
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
    assert (row["stops"], row["stops_reached"], row["stops_not_reached"]) == (2, 2, [])
    assert (row["reliefs"], row["reliefs_opened"]) == (1, 1)
    # by hand: the relief is fully open at 110 bar, and nothing is above it but what a stop or a slammed valve traps
    assert row["highest_pressure_bar"] > 101.0
    assert row["least_pressure_bar"] > 0.0 and row["closure_mm"] is None
    assert row["energy_residual_percent"] < 0.5


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
