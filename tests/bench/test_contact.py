# SPDX-License-Identifier: BSD-3-Clause
"""bench contact: limits and what meets them, models, throws and a roll-over in short, and what Ctrl-C keeps."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import contact, contact_boxes, contact_ground, contact_machines, contact_tires
from knuckleboom.bench.machines import Cycle
from knuckleboom.bench.vehicle import four_wheels


def nothing(fraction):
    """No progress."""


def test_limits_are_met_from_below_or_above_and_unknown_of_nothing():
    at_most, at_least = contact.Limit(2.0), contact.Limit(10, least=True)

    assert (at_most.met_by(2.0), at_most.met_by(2.1), at_most.met_by(None)) == (True, False, None)
    assert (at_least.met_by(10), at_least.met_by(9), at_least.met_by(None)) == (True, False, None)
    assert at_most.met_by(math.nan) is False
    found = {"a": {"b": 3.0}, "c": None, "d": ["one", "two"]}
    assert [contact.figure(found, name) for name in ("a.b", "c.x", "d")] == [3.0, None, 2]


def test_a_block_lies_still_on_its_slope():
    machine, down = contact_ground.block(20.0, 37.0, friction=0.5)
    results = contact_ground.run(machine, 0.5)

    # its bristles bend by tan 20°/0.5 of half a millimetre, and nothing else
    moved = results["f.position"].values[-1] - results["f.position"].values[0]
    assert np.linalg.norm(moved) == pytest.approx(0.5e-3 * math.tan(math.radians(20.0)) / 0.5, rel=0.05)
    force = np.asarray(results["face.friction_force"].values[-1])
    assert force @ down == pytest.approx(-contact_ground.MASS * 9.81 * math.sin(math.radians(20.0)), rel=1e-4)


def test_energy_that_rises_is_a_gain():
    class Rising:
        time = np.arange(4.0)

        def __init__(self, kinetic):
            self.kinetic = kinetic

        def __getitem__(self, path):
            values = self.kinetic if path == "energy.kinetic" else [0.0] * 4
            return type("Values", (), {"values": np.array(values)})

    original = contact_ground.energy
    contact_ground.energy = lambda results: type("Audit", (), {"work_done": 10.0})
    try:
        assert contact_ground.gain_percent(Rising([4.0, 1.0, 3.0, 2.0])) == pytest.approx(20.0)
        assert contact_ground.gain_percent(Rising([4.0, 3.0, 2.0, 2.0])) == 0.0
    finally:
        contact_ground.energy = original


def test_without_coal_nothing_is_compared(monkeypatch):
    def missing(*given):
        raise ModuleNotFoundError("No module named 'coal'", name="coal")

    monkeypatch.setattr(contact_boxes, "against_coal", missing)

    assert contact_boxes.boxes(10, nothing) == {"sat_cases": None, "sat_disagreements": None}


def test_wheel_loads_are_those_of_statics():
    machine = four_wheels(braked=True, steer=None)
    ore = machine.body("ore", mass=2000.0, inertia=(1, 1, 1))
    machine.fixed("loaded", "chassis", ore, at=(0.75, 0.25, 0.5))

    assert contact_machines.load_error(machine) < 0.1


def test_slip_curve_of_the_closed_form():
    assert contact_tires.steady(1e-6, 5.0) == pytest.approx(contact_tires.CORNERING * 1e-6 / 5.0, rel=1e-2)
    assert contact_tires.steady(50.0, 0.0) == pytest.approx(contact_tires.MU + 0.002 * 50.0)
    assert contact_tires.steady(-0.3, 5.0) == -contact_tires.steady(0.3, 5.0)


@pytest.mark.slow
def test_nothing_that_is_thrown_gets_through():
    found = contact_ground.throws(nothing)

    assert found["throws"] == 60 and found["throws_through"] == 0
    assert found["energy_gains"]["throws"] < 0.5


@pytest.mark.slow
def test_a_vehicle_that_rolls_over_makes_no_energy():
    found = contact_tires.drive(60.0, nothing)

    assert found["reckless"]["failed"] == [] and found["reckless"]["rolled_over"] == 3
    assert found["energy_gains"]["reckless"] < 0.5
    assert found["reckless"]["energy_residual_percent"] < 0.5


@pytest.mark.slow
def test_ten_boxes_keep_standing_for_a_while():
    found = contact_ground.box_stack(5.0)

    assert found["box_stack"]["creep_mm"] < 15.0 and found["energy_gains"]["stack"] < 0.5


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_done(monkeypatch):
    def stop(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(contact_ground, "box_stack", stop)
    data = contact.measure(rest=1.0, cycles=[])

    assert data["status"] == "interrupted" and data["machines"] == []
    assert data["met"]["slide_error"] is True and data["met"]["us_per_disc"] is None
    assert data["restitution_error"] < 0.02 and data["box_stack"] is None


@pytest.mark.slow
def test_a_machine_that_cannot_run_says_so(monkeypatch):
    def fail(run):
        raise kb.SimulationError("a number is no longer finite", None)

    monkeypatch.setattr(contact_machines.WholeRun, "recorded", fail)
    row = contact_machines.measured(Cycle("cart", four_wheels(), 0.05), 1, nothing)

    assert row["status"] == "failed" and "no longer finite" in row["message"] and row["position_error_mm"] is None
