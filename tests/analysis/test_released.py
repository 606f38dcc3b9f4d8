# SPDX-License-Identifier: BSD-3-Clause
"""Levers that are held where nothing rests: a run begins at the equilibrium without them, and says so with the reason.

Rank: closed form, an upright slide on a cylinder behind a valve, p = m g/A; texts are golden.
"""

import math

import pytest

import knuckleboom as kb

G = 9.80665
AREA = 0.25 * math.pi * 0.05**2
MASS = 200.0
HELD = 101325.0 + MASS * G / AREA


def jack(supply="pressure", **valve):
    """A mass on a cylinder behind a 4/3 valve that is fed by a pressure, or by a pump with a relief valve."""
    m = kb.Machine("jack", gravity=(0, 0, -G))
    m.prismatic("guide", m.ground, m.body("load", mass=MASS, inertia=(1, 1, 1)), axis="z", start=1.0)
    oil = m.oil(kb.fluids.mineral_oil())
    lift = m.cylinder("lift", m.ground, "load", oil=oil, bore=0.05, rod=0.03, stroke=1.0)
    tank = oil.tank("tank")
    if supply == "pressure":
        line = oil.pressure("line", "100 bar")
    else:
        line = oil.volume("line", "1 l")
        oil.pump("pump", tank, line, displacement="28 cm3/rev", speed="1500 rpm")
        oil.relief_valve("relief", line, tank, setting="200 bar", flow=("50 l/min", "220 bar"))
    oil.valve_4_3("lever", P=line, T=tank, A=lift.a, B=lift.b, flow=("25 l/min", "35 bar"), **{"leak": 0, **valve})
    return m


@pytest.mark.parametrize("supply", ["pressure", "pump"])
@pytest.mark.parametrize("lever", [0.3, -0.3, 1.0, 5.0])
def test_a_lever_that_is_pulled_is_let_go_for_the_start(supply, lever):
    state = kb.equilibrium(jack(supply), inputs={"lever": lever}, creeping=True)
    assert state.inputs["lever"] == pytest.approx(0.0, abs=1e-9)
    assert not state.creep
    # the rod side is at ambient pressure or above it
    force = (state["lift.a.pressure"] - 101325.0) * AREA
    force -= (state["lift.b.pressure"] - 101325.0) * (AREA - 0.25 * math.pi * 0.03**2)
    assert force == pytest.approx(MASS * G, rel=1e-6)
    assert state.notes[0].startswith(f"Input 'lever' is held at {lever:g}, which moves cylinder 'lift' ('lift.")
    assert state.notes[0].endswith(
        "the equilibrium is that with 'lever' at 0, its rest position, and from there the input acts."
    )
    assert not any("was moved" in note for note in state.notes)


def test_the_reason_is_the_edge_that_is_open():
    state = kb.equilibrium(jack(), inputs={"lever": 0.3}, creeping=True)
    assert "through valve 4 3 'lever' from line to lift.a, whose edge PA is open by 30 % at the input 0.3" in (
        state.notes[0]
    )


def test_a_valve_that_leaks_is_let_go_to_where_the_load_rests():
    state = kb.equilibrium(jack(leak=1e-3), inputs={"lever": 0.3}, creeping=True)
    assert 0.0 < abs(state.inputs["lever"]) < 0.01
    at = f"'lever' at {state.inputs['lever']:.4g}, where the load rests, and from there the input acts."
    assert state.notes[0].endswith(at)


def test_a_lever_at_its_rest_position_creeps_as_before():
    state = kb.equilibrium(jack(leak=1e-3), inputs={"lever": 0.0}, creeping=True)
    assert set(state.creep) == {"lift"}
    assert state.inputs["lever"] == 0.0


def test_a_lever_beyond_its_range_is_told_it():
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(jack(), inputs={"lever": 5.0})
    assert str(caught.value).endswith("Input 'lever' is 5, outside its range of -1 to 1.")
    sim = kb.Simulation(jack(), step="1 ms", start="equilibrium", inputs={"lever": 5.0})
    sim.run_for("10 ms")
    assert (
        "Input 'lever' was 5 at t = 0 s, outside its range of -1 to 1 from t = 0 s on: it acts as 1 does. Keep it "
        "within its range." in sim.results().warnings
    )


def test_without_creeping_a_pulled_lever_is_refused():
    with pytest.raises(kb.AnalysisError, match="Leave 'lever' out of the inputs"):
        kb.equilibrium(jack(), inputs={"lever": 0.3})
