# SPDX-License-Identifier: BSD-3-Clause
"""The longest stable explicit step: against closed forms, and against runs at 0.9 and 1.1 of it.

Rank of evidence: closed form.
"""

import math
import re

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.simulation import stable_step


def limit(machine, **words):
    sim = kb.Simulation(machine, step="1 us", coupling="explicit", **words)
    sim.run_for("2 us")
    return sim.results().meta["stable_step"]


def oscillator(stiffness=1e6, mass=1.0, damping=0.0):
    machine = kb.Machine("oscillator", gravity=(0, 0, 0))
    machine.prismatic("slide", machine.ground, machine.body("load", mass=mass, inertia=(1, 1, 1)), start="1 mm")
    machine.joint_spring("spring", "slide", stiffness=stiffness, damping=damping, rest=0)
    return machine


@pytest.mark.parametrize(("integrator", "bound"), [("rk4", 2.78), ("semi-implicit-euler", 2.0)])
def test_spring(integrator, bound):
    """ω = √(k/m), so h = bound/ω."""
    found = limit(oscillator(), integrator=integrator)
    assert found["step"] == pytest.approx(bound / 1e3, rel=1e-4)
    assert found["owner"] == "the motion of joint 'slide'"


def test_damper():
    """Overdamped: the fast root is −c/2m − √((c/2m)² − k/m)."""
    half = 0.5 * 1e4
    assert limit(oscillator(damping=1e4))["step"] == pytest.approx(2.78 / (half + math.sqrt(half**2 - 1e6)), rel=1e-4)


def test_volume_behind_an_orifice():
    """Strain rate −Q/V with Q = C p, p = K ε: λ = C K/V."""
    machine = kb.Machine("leak")
    oil = machine.oil(kb.fluids.constant(850.0, "1.5 GPa"))
    line = oil.volume("line", "10 cm3", "100 bar")
    oil.laminar_restrictor("leak", line, oil.tank("tank"), conductance=1e-11)
    found = limit(machine)
    assert found["step"] == pytest.approx(2.78 / (1e-11 * 1.5e9 / 1e-5), rel=1e-2)
    assert found["owner"] == "the pressure at 'line'"


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_a_rotor_on_a_torsion_spring_in_all_coordinates(coordinates):
    machine = kb.Machine("rotor", gravity=(0, 0, 0))
    machine.revolute("shaft", machine.ground, machine.body("rotor", mass=1.0, inertia=(0.1, 0.2, 0.1)), axis="y")
    machine.joint_spring("spring", "shaft", stiffness="20 kN*m/rad", rest=0.1)
    step = limit(machine, coordinates=coordinates)["step"]
    assert step == pytest.approx(2.78 / math.sqrt(20e3 / 0.2), rel=0.02)


def test_large_machines_give_the_same_by_iteration(monkeypatch):
    machine = kb.catalogue.machine("harvester-25")
    whole = limit(machine)
    monkeypatch.setattr(stable_step, "LARGE", 100)
    assert limit(machine)["step"] == pytest.approx(whole["step"], rel=1e-3)


def test_runs_below_and_beyond():
    below, beyond = (amplitude(part * 2.78e-3) for part in (0.95, 1.05))
    assert below < 1e-3 < 1.0 < beyond


def amplitude(step):
    sim = kb.Simulation(oscillator(), step=step, coupling="explicit")
    sim.run_for(200 * step)
    return abs(sim["slide.travel"])


def test_looking_changes_no_bit():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "0.1 ms", "record": "1 ms", "inputs": case.inputs, "coupling": "explicit"}
    looked = kb.Simulation(case.machine, **words)
    blind = kb.Simulation(case.machine, **words)
    blind._slopes = None
    for sim in (looked, blind):
        sim.run_for("0.1 s")
    assert np.array_equal(looked.results().record, blind.results().record)
    assert "stable_step" in looked.results().meta and "stable_step" not in blind.results().meta


def test_a_machine_without_states_has_none():
    machine = kb.Machine("lines")
    oil = machine.oil(kb.fluids.mineral_oil())
    oil.restrictor("orifice", oil.pressure("high", "100 bar"), oil.tank("low"), area="1 mm^2")
    assert "stable_step" not in kb.simulate(machine, "10 ms", coupling="explicit").meta


@pytest.mark.parametrize(("step", "how"), [("0.4 ms", "near"), ("0.75 ms", "longer than")])
def test_the_warning(step, how):
    sim = kb.Simulation(kb.catalogue.machine("naya-rod"), case="published", step=step)
    sim.run_for("10 ms")
    told = [text for text in sim.results().warnings if text.startswith("Explicit steps")]
    smaller = "0.08" if how == "near" else "0.1"
    told = [re.sub(r"at t = \S+ s", "at t = # s", text) for text in told]
    assert told == [
        f"Explicit steps of {step} are {how} the 0.6 ms from which on the pressure at 'lift.a' is unstable at "
        f"t = # s: try coupling realtime at 1 ms, or steps of {smaller} ms "
        f"(now explicit at {step})."
    ]


def test_half_of_it_is_not_near():
    sim = kb.Simulation(kb.catalogue.machine("naya-rod"), case="published", step="0.25 ms")
    sim.run_for("10 ms")
    assert not [text for text in sim.results().warnings if text.startswith("Explicit steps")]
