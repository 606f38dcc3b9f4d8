# SPDX-License-Identifier: BSD-3-Clause
"""Oil at rest: every machine of the catalogue, what had to move, what is left open, and refusals by name."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.hydraulics.parts.oil import Oil

WITH_OIL = [name for name in NAMES if NAMES[name]().machine.of(Oil)]


def hoist(mass=1000.0, **settings):
    """A mass on an upright slide that stands on a cylinder."""
    machine = kb.Machine("hoist")
    load = machine.body("load", mass=mass, inertia=(1, 1, 1))
    machine.prismatic("guide", machine.ground, load, axis="z", start=1.0)
    oil = machine.oil(kb.fluids.mineral_oil())
    words = {"bore": 0.08, "rod": 0.04, "stroke": 1.0, **settings}
    return machine, oil, machine.cylinder("lift", machine.ground, load, oil=oil, **words)


def valved(mass=1000.0, pressure="200 bar", valve=None, **settings):
    """The same behind a valve, with pump and tank."""
    machine, oil, lift = hoist(mass, **settings)
    pump, tank = oil.pressure("pump", pressure), oil.tank("tank")
    machine.valve_4_3("valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("100 l/min", "10 bar"), **(valve or {}))
    return machine


def rates(machine, state):
    """Accelerations, rates of strains in Pa/s, and of spools, sensors and bristles in their units per second."""
    planned = kb.build(machine)
    planned.restore(state.snapshot)
    strains, others = np.split(planned.work.oil.x_dot, [planned.layout.nvolume])
    return planned.accelerations(), strains * 1e9, others


@pytest.mark.parametrize("name", list(NAMES))
def test_every_machine_of_the_catalogue_has_one(name):
    machine = NAMES[name]().machine
    state = kb.equilibrium(machine)
    accelerations, pressures, others = rates(machine, state)
    assert np.abs(accelerations).max(initial=0.0) < 1e-8
    assert np.abs(pressures).max(initial=0.0) < 0.1
    assert np.abs(others).max(initial=0.0) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_OIL)
def test_a_run_from_there_shows_no_transient(name):
    case = NAMES[name]()
    run = kb.simulate(case.machine, "1 s", step=case.step, start="equilibrium", **case.method)
    ports = [path for path in run if path.endswith(".pressure")]
    assert ports
    for path in ports:
        assert np.ptp(run[path].values) < 1.0  # Pa in 1 s


def test_what_moved_is_said():
    state = kb.equilibrium(valved())
    assert set(state.moved) == {"valve"}
    assert state.moved["valve"] == state.inputs["valve"] != 0.0
    moved = f"Input 'valve' was moved from 0 to {state.inputs['valve']:.4g}"
    assert state.notes == (f"{moved}, so that the load of cylinder 'lift' rests.",)
    assert state.notes[0] in str(state)


def test_trapped_oil_is_named():
    (note,) = kb.equilibrium(hoist()[0]).notes
    assert "'lift.a', 'lift.b'" in note and "trapped" in note


def test_a_closed_valve_without_leakage_traps_oil():
    state = kb.equilibrium(valved(valve={"overlap": 0.05, "leak": 0.0}))
    assert not state.moved and "trapped" in state.notes[0]


def test_pressures_do_not_fall_below_ambient_if_they_need_not():
    state = kb.equilibrium(hoist()[0])
    assert state["lift.b.pressure"] == pytest.approx(101325.0)


def test_given_inputs_stay_and_what_creeps_is_named():
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(valved(), inputs={"valve": 0.0})
    text = str(caught.value)
    assert "cylinder 'lift' needs 9810 N and has no hold: 'lift.a' gains" in text and "creeps at 0.0036 mm/s" in text
    assert "Leave 'valve' out of the inputs" in text


def test_creep_is_steady():
    machine = valved()
    state = kb.equilibrium(machine, inputs={"valve": 0.0}, creeping=True)
    accelerations, pressures, others = rates(machine, state)
    assert np.abs(accelerations).max() < 1e-8
    assert np.abs(pressures).max() < 0.1
    assert state.creep["lift"] == pytest.approx(state["lift.speed"])
    assert "Cylinder 'lift' creeps at" in state.notes[0]
    assert str(state).splitlines()[0].endswith("slow steady motion, not at rest")


def test_a_load_beyond_the_pump_is_refused_with_both_forces():
    with pytest.raises(kb.AnalysisError, match=r"needs 196 kN, which is 391 bar in 'lift\.a', but 'pump' .* 200 bar"):
        kb.equilibrium(valved(20e3))


def test_too_weak_goes_before_a_leak_also_where_it_creeps():
    """The refusal, the slow motion and the warning of a run give one reason."""
    machine = valved(pressure="19 bar", valve={"leak": 1e-3})
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(machine, inputs={"valve": 0.0})
    reason = "ylinder 'lift' is too weak: it needs 9810 N, which is 20.5 bar in 'lift.a', but 'pump' allows at most"
    assert reason in str(caught.value)
    state = kb.equilibrium(machine, inputs={"valve": 0.0}, creeping=True)
    [note] = [note for note in state.notes if "creeps" in note]
    assert reason in note and "cylinder 'lift' creeps at" in note and "leak" not in note
    fix = str(caught.value).splitlines()[-1].strip()
    assert note.endswith(fix)
    with pytest.warns(RuntimeWarning, match="is too weak"):
        run = kb.simulate(machine, "5 ms", start="equilibrium", inputs={"valve": 0.0})
    assert note in run.warnings


def test_oil_that_gathers_is_named():
    machine, oil, _ = hoist()
    machine.flow_source("feed", oil.tank("tank"), oil.volume("line", "1 l", pressure="1 bar"), "10 l/min")
    with pytest.raises(kb.AnalysisError, match=r"the oil in 'line' gains 10\.0 l/min"):
        kb.equilibrium(machine)


def test_a_relief_valve_that_is_too_small_is_named():
    machine, oil, _ = hoist()
    tank, line = oil.tank("tank"), oil.volume("line", "1 l")
    oil.pump("pump", tank, line, displacement="20 cm3/rev", speed="1500 rpm")
    oil.relief_valve("relief", line, tank, setting="200 bar", flow=("1 l/min", "100 bar"), override="1 bar")
    with pytest.raises(kb.AnalysisError) as caught:
        kb.equilibrium(machine)
    text = str(caught.value)
    assert "Relief valve 'relief' is open there as far as it goes and lets only" in text
    assert text.endswith("take a larger one for the 30.0 l/min of 'pump', flow: [30.0 l/min, 201 bar].")


def test_what_swings_beside_oil_may_still_run_away():
    machine, _, _ = hoist()
    machine.prismatic("slide", machine.ground, machine.body("block", mass=1.0, inertia=(1, 1, 1)), axis="x")
    machine.effort("push", "slide", 0, 3.0)
    with pytest.raises(kb.AnalysisError, match=r"'slide\.travel' runs away, pushed by 3 N"):
        kb.equilibrium(machine)


def test_it_begins_at_the_pressures_of_a_state():
    machine = hoist()[0]
    first = kb.equilibrium(machine)
    again = kb.equilibrium(machine, start=first)
    assert again["lift.a.pressure"] == pytest.approx(first["lift.a.pressure"], rel=1e-12)
    assert again["lift.b.pressure"] == pytest.approx(first["lift.b.pressure"], rel=1e-12)


def test_a_circuit_without_any_row():
    machine = kb.Machine("bench")
    oil = machine.oil(kb.fluids.mineral_oil())
    line = oil.volume("line", "1 l", pressure="1 bar")
    machine.restrictor("in", oil.pressure("pump", "90 bar"), line, area="2 mm^2")
    machine.restrictor("out", line, oil.pressure("drain", "10 bar"), area="2 mm^2")
    assert kb.equilibrium(machine)["line.pressure"] == pytest.approx(50e5)
