# SPDX-License-Identifier: BSD-3-Clause
"""Actuators without hold by name, on two load-sensing sections: a lift with a counterbalance valve and a grip without.

Rank: closed form, loads are weights on upright slides, p = m g/A, edges pass K √Δp; texts are golden.
"""

import math
import time

import pytest

import knuckleboom as kb

G = 9.80665
MASS = {"lift": 1000.0, "grip": 200.0}
AREA = 0.25 * math.pi * 0.05**2
LEVERS = {"lift_lever": 0.0, "grip_lever": 0.0}


def two_sections(grip=None, bore=0.08, lifted=MASS["lift"]):
    """Two masses on cylinders behind compensated sections of one load-sensing pump."""
    m = kb.Machine("two sections", gravity=(0, 0, -G))
    oil = m.oil(kb.fluids.mineral_oil())
    tank, supply, sensed = oil.tank("tank"), oil.volume("supply", "1 l"), []
    for name in MASS:
        mass = lifted if name == "lift" else MASS[name]
        body = m.body(f"{name}_load", mass=mass, inertia=(1, 1, 1))
        m.prismatic(f"{name}_guide", m.ground, body, axis="z", start=1.0)
        words = {"bore": bore if name == "lift" else 0.05, "rod": 0.03, "stroke": 1.0}
        cylinder = m.cylinder(name, m.ground, body, oil=oil, **words)
        gallery, heard = oil.volume(f"{name}_gallery", "0.2 l"), oil.volume(f"{name}_sensed", "0.1 l")
        line = oil.volume(f"{name}_line", "0.2 l")
        flow = {"flow": ("25 l/min", "7 bar")}
        oil.pressure_compensator(f"{name}_compensator", supply, gallery, LS=heard, flow=("25 l/min", "8 bar"))
        spool = {"leak": 0.0, "overlap": 0.1, **({"centre": "float"} if name == "lift" else grip or {})}
        oil.valve_4_3(f"{name}_lever", P=gallery, T=tank, A=line, B=cylinder.b, LS=heard, **flow, **spool)
        if name == "lift":
            free = {"free_flow": ("25 l/min", "5 bar"), "setting": "150 bar"}
            oil.counterbalance_valve("lift_holding", cylinder.a, line, x=cylinder.b, **flow, **free)
        else:
            oil.restrictor("grip_hose", line, cylinder.a, flow=("25 l/min", "1 bar"))
        sensed.append(heard)
    oil.load_sensing_pump(
        "pump", tank, supply, ls=oil.shuttle_valve("shuttle", *sensed), displacement="28 cm3/rev", speed="1500 rpm",
        cutoff="200 bar", volumetric_efficiency=0.95, rated_pressure="200 bar",
    )  # fmt: skip
    return m


def refused(machine, **words):
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(machine, **words)
    return str(caught.value)


def test_tight_sections_hold_with_levers_where_they_are():
    state = kb.equilibrium(two_sections())
    assert not state.moved
    for name, bore in (("lift", 0.08), ("grip", 0.05)):
        pressure = 101325.0 + MASS[name] * G / (0.25 * math.pi * bore**2)
        assert state[f"{name}.a.pressure"] == pytest.approx(pressure, rel=1e-3)


def test_only_the_lever_that_must_moves():
    state = kb.equilibrium(two_sections({"leak": 1e-3}))
    assert set(state.moved) == {"grip_lever"}
    assert "so that the load of cylinder 'grip' rests" in state.notes[0]


def test_a_float_centre_is_named():
    text = refused(two_sections({"centre": "float"}), inputs=LEVERS)
    assert text == (
        "machine 'two sections' has no static equilibrium: cylinder 'grip' needs 1961 N and has no hold: 'grip.a' loses"
        " 27.7 l/min at 11.0 bar through valve 4 3 'grip_lever' from grip_line to tank: its centre position is float"
        " and joins A and T.\n"
        "   Leave 'grip_lever' out of the inputs: a valve then goes where the load rests."
    )


@pytest.mark.slow
def test_where_a_lever_could_move_nothing_is_claimed():
    text = refused(two_sections({"leak": 1e-3, "overlap": 0.0}))
    assert text == (
        "no equilibrium of machine 'two sections' was found: cylinder 'grip' needs 1961 N and has no hold: 'grip.a'"
        " loses 0.0528 l/min at 13.2 bar through valve 4 3 'grip_lever' from grip_line to tank, whose closed edge AT"
        " leaks (leak: 0.001); cylinder 'grip' creeps at -0.383 mm/s.\n"
        "   Close that way, or put a counterbalance valve or a pilot check at 'grip.a'."
    )


def test_a_spool_that_leaks_is_named_with_its_flow():
    text = refused(two_sections({"leak": 1e-2}), inputs=LEVERS)
    assert text == (
        "machine 'two sections' has no static equilibrium: cylinder 'grip' needs 1961 N and has no hold: 'grip.a' loses"
        " 0.0471 l/min at 13.2 bar through valve 4 3 'grip_lever' from grip_line to tank, whose closed edge AT leaks"
        " (leak: 0.01); cylinder 'grip' creeps at -0.342 mm/s.\n"
        "   Leave 'grip_lever' out of the inputs: a valve then goes where the load rests."
    )


def leaking_piston(flow):
    """A mass of 5 bar on a piston without rod between closed ports, past which this flow leaks, m³/s."""
    m = kb.Machine("press", gravity=(0, 0, -G))
    block = m.body("block", mass=5e5 * AREA / G, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, block, axis="z", start=1.0)
    oil = m.oil(kb.fluids.mineral_oil())
    m.cylinder("ram", m.ground, block, oil=oil, bore=0.05, rod=0.0, stroke=1.0, leak=flow / 5e5)
    return m


def test_a_piston_that_leaks_is_named_with_its_flow():
    text = refused(leaking_piston(3e-3 / 6e4))
    assert text == (
        "machine 'press' has no static equilibrium: cylinder 'ram' needs 982 N and has no hold: 'ram.a' loses 0.00300"
        " l/min at 6.01 bar past the piston seal of cylinder 'ram'; 'ram.b' gains 0.00300 l/min at 1.01 bar past the"
        " piston seal of cylinder 'ram'; cylinder 'ram' creeps at -0.0255 mm/s.\n"
        "   Close what leaks, or give it a valve that can hold the load."
    )


def test_a_negligible_leak_is_rest():
    """6e-6 l/min is below NEGLIGIBLE_FLOW, twice that much is above."""
    state = kb.equilibrium(leaking_piston(6e-6 / 6e4))
    assert not state.creep and state["ram.speed"] == 0.0
    assert state["ram.force"] == pytest.approx(5e5 * AREA, rel=1e-5)
    assert "1.2e-05 l/min" in refused(leaking_piston(1.2e-5 / 6e4))


def test_too_weak_says_both_pressures():
    """3000 kg on 40 mm: 234 bar above ambient, and the pump is cut off at 200 bar above the tank."""
    assert 3000.0 * G / (0.25 * math.pi * 0.04**2) == pytest.approx(234.1e5, rel=1e-3)
    assert refused(two_sections(bore=0.04, lifted=3000.0)) == (
        "machine 'two sections' has no static equilibrium: cylinder 'lift' is too weak: it needs 29.4 kN, which is"
        " 235 bar in 'lift.a', but 'pump' allows at most 201 bar.\n"
        "   Take 1.17 times the piston area, raise the pressure to 235 bar, or lower the load."
    )


def test_a_way_to_the_tank_without_a_valve_is_named():
    """Not as weakness: no pressure of a tank would be the answer."""
    m = kb.Machine("open jack", gravity=(0, 0, -G))
    load = m.body("load", mass=200.0, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, load, axis="z", start=0.8)
    oil = m.oil(kb.fluids.mineral_oil())
    lift = m.cylinder("lift", m.ground, load, oil=oil, bore=0.063, rod=0.036, stroke=0.5)
    oil.restrictor("hose", lift.a, oil.tank("tank"), flow=("20 l/min", "1 bar"))
    assert refused(m) == (
        "machine 'open jack' has no static equilibrium: cylinder 'lift' needs 1961 N and has no hold: 'lift.a' loses"
        " 50.2 l/min at 7.31 bar through restrictor 'hose': no valve holds it.\n"
        "   Close what leaks, or give it a valve that can hold the load."
    )


def test_a_state_is_a_mapping_of_paths():
    state = kb.equilibrium(two_sections())
    assert "lift.a.pressure" in state and "lift.c.pressure" not in state and 3 not in state
    assert len(state) == len(list(state)) == len({path: state[path] for path in state})


def test_it_takes_less_than_a_second():
    machine = two_sections({"leak": 1e-3})
    kb.equilibrium(machine)
    begin = time.process_time()
    kb.equilibrium(machine)
    assert time.process_time() - begin < 1.0
