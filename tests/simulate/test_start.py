# SPDX-License-Identifier: BSD-3-Clause
"""A run that begins at an equilibrium, or at any state, in every set of coordinates; and starts that are refused."""

import warnings

import numpy as np
import pytest

import knuckleboom as kb


def crane():
    """A boom on a cylinder behind a valve, with a load that hangs askew at the machine's own start."""
    machine = kb.Machine("crane")
    boom = machine.body("boom", mass=80.0, com=(1, 0, 0), inertia=(1.0, 30.0, 30.0))
    machine.revolute("foot", machine.ground, boom, axis="-y", start="25 deg")
    load = machine.body("load", mass=150.0, com=(0, 0, -0.7), inertia=(5.0, 5.0, 5.0))
    machine.revolute("shackle", boom.at(2, 0, 0), load, axis="y", start="35 deg")
    oil = machine.oil(kb.fluids.mineral_oil())
    lift = machine.cylinder(
        "lift", machine.ground.at(0.4, 0, -0.8), boom.at(0.9, 0, 0), bore=0.08, rod=0.04, stroke=0.6, oil=oil
    )
    pump, tank = oil.pressure("pump", "200 bar"), oil.tank("tank")
    machine.valve_4_3("valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("100 l/min", "10 bar"), leak=1e-3)
    return machine


METHODS = [
    {"step": "0.1 ms"},
    {"step": "1 ms", "coupling": "unified"},
    {"step": "1 ms", "coupling": "realtime"},
    {"step": "0.1 ms", "coordinates": "reference-point"},
    {"step": "0.1 ms", "coordinates": "natural"},
]


@pytest.mark.parametrize("words", METHODS, ids=lambda words: " ".join(list(words.values())[1:]) or "explicit")
def test_nothing_moves_from_equilibrium(words):
    run = kb.simulate(crane(), "20 ms", start="equilibrium", **words)
    for path in ("lift.a.pressure", "lift.b.pressure"):
        assert np.ptp(run[path].values) < 0.02  # Pa: 1 Pa/s
    assert np.abs(run["lift.speed"].values).max() < 1e-9
    assert np.abs(run["shackle.angle_rate"].values).max() < 1e-9


def test_a_state_is_a_start_and_its_inputs_are_held():
    machine = crane()
    state = kb.equilibrium(machine)
    run = kb.simulate(machine, "5 ms", step="0.1 ms", start=state)
    assert run["valve.input"].values == pytest.approx(state.inputs["valve"], rel=1e-15)
    assert run["shackle.angle"].values[0] == state["shackle.angle"]
    assert run.meta["start"]["moved"] == state.moved


def test_an_input_that_is_given_wins_and_what_creeps_is_said():
    with pytest.warns(RuntimeWarning, match="Cylinder 'lift' creeps at"):
        run = kb.simulate(crane(), "5 ms", step="0.1 ms", start="equilibrium", inputs={"valve": 0.0})
    assert not run["valve.input"].values.any()
    assert "creeps" in run.warnings[-1]
    speed = run["lift.speed"].values
    assert np.ptp(speed) < 1e-3 * abs(speed[0])


@pytest.mark.parametrize("value", [0.3, kb.steps({0: 0.3, 0.004: 0.0})], ids=["held", "steps"])
def test_a_lever_that_is_held_acts_from_the_equilibrium_on(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = kb.simulate(crane(), "5 ms", step="0.1 ms", start="equilibrium", inputs={"valve": value})
    rest = kb.equilibrium(crane())
    assert run.warnings == []
    assert run["lift.a.pressure"].values[0] == pytest.approx(rest["lift.a.pressure"], rel=1e-6)
    assert run["lift.speed"].values[0] == 0.0 and run["valve.input"].values[0] == 0.3
    [note] = [note for note in run.meta["start"]["notes"] if "'valve'" in note]
    assert note.startswith("Input 'valve' is held at 0.3, which moves cylinder 'lift' (")
    assert note.endswith(", where the load rests, and from there the input acts.")


def test_a_lever_beside_a_state_is_noted():
    machine = crane()
    state = kb.equilibrium(machine)
    run = kb.simulate(machine, "1 ms", step="0.1 ms", start=state, inputs={"valve": 0.3})
    assert run.warnings == []
    assert run.meta["start"]["notes"][-1] == (
        "Input 'valve' is given: the run begins where the load of cylinder 'lift' rests with 'valve' at "
        f"{state.inputs['valve']:.4g}, and from there the input acts."
    )


def test_the_machines_own_start_goes_before_that_of_a_case():
    machine = crane()
    machine.case("rest", duration="1 ms", step="0.1 ms", start="equilibrium")
    machine.case("own", duration="1 ms", step="0.1 ms", start="machine")
    angles = [
        kb.simulate(machine, case=case, **words)["shackle.angle"].values[0]
        for case, words in (("rest", {}), ("rest", {"start": "machine"}), ("own", {}))
    ]
    assert angles == pytest.approx(np.radians([25.0, 35.0, 35.0]))


def test_a_session_returns_to_it():
    machine = crane()
    sim = kb.Simulation(machine, step="0.1 ms", start="equilibrium")
    pressure = sim["lift.a.pressure"]
    sim.step({"valve": 0.5}, n=20)
    assert sim["lift.a.pressure"] != pressure
    sim.reset()
    assert sim["lift.a.pressure"] == pressure


def test_without_a_start_nothing_changes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = kb.simulate(crane(), "1 ms", step="0.1 ms")
    assert "start" not in run.meta
    assert run["shackle.angle"].values[0] == pytest.approx(np.radians(35.0))


@pytest.mark.parametrize("start", ["rest", 3.0, {"foot": 1.0}])
def test_what_is_no_start_is_refused(start):
    with pytest.raises(kb.MachineError, match="which is no state of a machine"):
        kb.Simulation(crane(), start=start)


def test_a_state_of_another_machine_is_refused():
    machine = kb.Machine("other")
    machine.revolute("foot", machine.ground, machine.body("rod", mass=1.0, com=(1, 0, 0), inertia=(1, 1, 1)))
    with pytest.raises(kb.MachineError, match=r"The state has 1 numbers for q, machine 'crane' 2"):
        kb.Simulation(crane(), start=kb.equilibrium(machine))


def test_cylinders_that_follow_have_no_equilibrium():
    with pytest.raises(kb.MachineError, match="begins at the machine's own start") as caught:
        kb.Simulation(crane(), start="equilibrium", coupling="kinematic")
    assert 'Write start="machine" (--start machine), or choose another coupling.' in str(caught.value)
    assert kb.Simulation(crane(), start="machine", coupling="kinematic").time == 0.0
