# SPDX-License-Identifier: BSD-3-Clause
"""The energy audit: its sections, each part's own series, and the same audit from a file read back.

One machine has everything that stores, supplies and loses energy. What the engine integrates is compared with
integrals of recorded forces and speeds, pressures and flows (trapezoid, records of every step). Rank: second
formulation in our own code.
"""

import warnings

import numpy as np
import pytest
from scipy.integrate import trapezoid

import knuckleboom as kb

STEP = 2e-5


def hoist():
    """A load on a slide with spring, friction, stop, force and a leaking cylinder fed through a valve."""
    machine = kb.Machine("hoist")
    load = machine.body("load", mass=300.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, load, axis="z", start="0.5 m", speed="0.1 m/s")
    machine.joint_spring("spring", "rail", stiffness="20 kN/m", damping=50.0)
    machine.joint_friction("rub", "rail", coulomb=20.0, viscous=10.0)
    machine.joint_stop("top", "rail", upper="0.5001 m", stiffness="1 MN/m", damping=1.0)
    machine.damper("dashpot", machine.ground.at(1, 0, 0), load, damping=100.0)
    machine.force("push", load, direction="z", value="100 N")
    oil = machine.oil(kb.fluids.naya())
    lift = machine.cylinder(
        "lift", machine.ground, load, bore="40 mm", rod="20 mm", stroke="0.4 m", oil=oil, pressure_a="30 bar",
        pressure_b="5 bar", viscous=200.0, leak="1e-12 m3/(s Pa)",
    )  # fmt: skip
    pump, tank = oil.pressure("pump", "80 bar"), oil.tank("tank", "1 bar")
    oil.valve_4_3("spool", P=pump, T=tank, A=lift.a, B=lift.b, flow=("20 l/min", "35 bar"))
    oil.restrictor("bleed", lift.a, tank, area="0.2 mm^2")
    return machine


@pytest.fixture(scope="module")
def run():
    return kb.simulate(hoist(), 0.1, step=STEP, record=STEP, inputs={"spool": {0: 0.3, 0.05: -0.3}})


def test_every_part_stands_in_the_section_of_what_it_does(run):
    audit = run.energy()

    assert set(audit.supplied) == {"pump", "tank"}
    assert set(audit.applied) == {"push"}
    assert set(audit.dissipated) == {"spring", "rub", "top", "dashpot", "lift", "spool", "bleed"}
    assert set(audit.stored) == {"kinetic", "potential", "elastic", "oil"}


def test_the_sections_balance(run):
    audit = run.energy()

    assert audit.relative_residual < 1e-6
    assert all(value > 0.0 for value in audit.dissipated.values())
    assert all(abs(audit.stored[form].change) > 1e-3 for form in audit.stored)


def test_the_residual_over_time_ends_at_that_of_the_audit(run):
    audit = run.energy()

    assert run["energy.residual"].values[0] == 0.0
    assert run["energy.residual"].values[-1] == pytest.approx(audit.residual, abs=1e-9)
    for section in ("supplied", "applied", "dissipated"):
        total = sum(getattr(audit, section).values())
        assert run[f"energy.{section}"].values[-1] == pytest.approx(total, rel=1e-12)
    assert run["energy.oil"].values[-1] == pytest.approx(audit.stored["oil"].change, rel=1e-12)


@pytest.mark.parametrize("part", ["spring", "rub", "top", "dashpot", "lift", "spool", "bleed"])
def test_the_dissipated_series_of_a_part_ends_at_the_audit(run, part):
    series = run[f"{part}.dissipated"]

    assert series.unit == "J" and series.values[0] == 0.0
    assert series.values[-1] == pytest.approx(run.energy().dissipated[part], rel=1e-12)


@pytest.mark.parametrize("part", ["rub", "dashpot", "spool", "bleed"])
def test_what_only_loses_never_gives_back(run, part):
    assert np.all(np.diff(run[f"{part}.dissipated"].values) >= 0.0)


@pytest.mark.parametrize(
    ("part", "force", "speed"),
    [
        ("spring", "force", "speed"),
        ("rub", "force", "speed"),
        ("dashpot", "force", "speed"),
        ("push", "force", "speed"),
        ("lift", "force", "speed"),
    ],
)
def test_the_work_of_a_part_is_the_integral_of_its_force_times_its_speed(run, part, force, speed):
    power = run[f"{part}.{force}"].values * run[f"{part}.{speed}"].values

    # what jumps does so between two records: one of them may count on the wrong side
    slack = np.abs(power).max() * STEP
    assert run[f"{part}.work"].values[-1] == pytest.approx(trapezoid(power, run.time), rel=1e-4, abs=slack)


def test_the_loss_of_a_restrictor_is_the_integral_of_flow_times_drop(run):
    drop = run["lift.a.pressure"].values - run["tank.pressure"].values
    power = run["bleed.flow"].values * drop

    assert run["bleed.dissipated"].values[-1] == pytest.approx(trapezoid(power, run.time), rel=1e-4)


def test_the_supply_of_the_pump_is_the_integral_of_gauge_pressure_times_flow(run):
    flow = run["spool.PA.flow"].values + run["spool.PB.flow"].values
    gauge = run["pump.pressure"].values - hoist().ambient

    slack = np.abs(gauge * flow).max() * STEP
    assert run.energy().supplied["pump"] == pytest.approx(trapezoid(gauge * flow, run.time), rel=1e-4, abs=slack)


def test_a_file_read_back_audits_the_same(run, tmp_path):
    back = kb.load(run.to_netcdf(tmp_path / "run.nc"))

    assert back.energy().to_dict() == run.energy().to_dict()
    assert str(back.energy()) == str(run.energy())


def test_a_file_from_before_version_0_8_has_the_friction_of_its_pump(tmp_path):
    """Such files keep a coefficient c and a speed: friction took ∫ c·n² dt, here with n = n₀ + b·t."""
    first, rise, end = 100.0, 80.0, 0.1
    m = kb.Machine("pumping")
    oil = m.oil(kb.fluids.mineral_oil())
    oil.pump("pump", oil.tank("tank"), oil.pressure("line", "100 bar"), displacement="40 cm3/rev", speed=first,
             rated_speed=150.0, rated_pressure="200 bar", mechanical_efficiency=0.9)  # fmt: skip
    speed = kb.table([0.0, end], [first, first + rise * end])
    run = kb.simulate(m, end, step=1e-3, record=1e-3, inputs={"pump.speed": speed})
    viscous = 40e-6 / (2.0 * np.pi) * 200e5 / 150.0 * (1.0 / 0.9 - 1.0)

    old = kb.load(run.to_netcdf(tmp_path / "run.nc"))
    old.meta["ledger"]["shafts"]["pump"] = [[viscous, "pump.speed"]]
    shaft = kb.load(old.to_netcdf(tmp_path / "old.nc")).energy().shafts["pump"]

    lost = viscous * ((first + rise * end) ** 3 - first**3) / (3.0 * rise)
    assert shaft.friction == pytest.approx(lost, rel=1e-6)
    assert shaft == pytest.approx(run.energy().shafts["pump"], rel=1e-12)


def test_a_machine_without_oil_and_forces_has_empty_sections():
    machine = kb.Machine("pendulum")
    body = machine.body("bob", mass=1.0, com=(1, 0, 0), inertia=(0.1, 0.1, 0.1))
    machine.revolute("pin", machine.ground, body, axis="y")

    audit = kb.simulate(machine, 1.0, step="1 ms").energy()

    assert (audit.supplied, audit.applied, audit.dissipated) == ({}, {}, {})
    assert audit.stored["oil"].change == 0.0
    assert audit.relative_residual < 1e-9


def test_a_machine_that_cannot_move_is_not_doubted():
    """Its energy changes by rounding only: there is no work that a step could be too large for."""
    m = kb.Machine("locked")
    one = m.body("one", mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    two = m.body("two", mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    m.revolute("a", m.ground, one, axis="y")
    m.revolute("b", one.at(1, 0, 0), two, axis="x")
    m.revolute("c", m.ground.at(2, 0, 0), two.at(1, 0, 0), axis="y")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = kb.simulate(m, "0.1 s")

    assert run.warnings == []
