# SPDX-License-Identifier: BSD-3-Clause
"""kb.Simulation: any split of a run gives the bits of one call; state, inputs and results from outside."""

import importlib

import numpy as np
import pytest

import knuckleboom as kb
from machine.example import lifting_boom

SESSION = importlib.import_module("knuckleboom.simulation.session")


def cart(**words):
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=2.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")
    return machine


def four_bar():
    """A loop, and a ball that hangs on it."""
    m = kb.Machine("four-bar")
    crank = m.body("crank", mass=1.0, com=(0.1, 0, 0), inertia=(0.001, 0.0033, 0.0033))
    coupler = m.body("coupler", mass=3.0, com=(0.35, 0, 0), inertia=(0.001, 0.1225, 0.1225))
    rocker = m.body("rocker", mass=2.0, com=(0.25, 0, 0), inertia=(0.001, 0.0417, 0.0417))
    bob = m.body("bob", mass=0.5, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
    m.revolute("a", m.ground, crank, axis="y", start="-60 deg")
    m.revolute("b", crank.at(0.2, 0, 0), coupler, axis="y", start="37 deg")
    m.revolute("d", m.ground.at(0.6, 0, 0), rocker, axis="y", start="-72 deg")
    m.revolute("c", coupler.at(0.7, 0, 0), rocker.at(0.5, 0, 0), axis="y")
    m.spherical("hang", crank.at(0.2, 0, 0), bob)
    m.effort("motor", "a")
    return m


def driven_cart():
    machine = cart()
    machine.driver("motion", joint="rail", amplitude="10 mm", frequency="3 Hz")
    return machine


CASES = {
    "oil": (lifting_boom, {"spool": kb.steps({0: 0.0, 0.0123: 0.1})}, "0.1 ms", 0.04),
    "loop": (four_bar, {"motor": kb.table([0, 0.1, 0.2], ["0 N m", "5 N m", "-2 N m"])}, "1 ms", 0.2),
    "driver": (driven_cart, {"push": lambda t: 3.0 * t}, "1 ms", 0.1),
    "naya-rod": (lambda: kb.catalogue.NAMES["naya-rod"]().machine, None, "0.1 ms", 0.03),
}


@pytest.mark.parametrize("name", CASES)
def test_any_split_of_a_run_gives_the_bits_of_one_call(name):
    make, inputs, step, duration = CASES[name]
    words = {"step": step, "record": "1.5 ms", "inputs": inputs}
    whole = kb.simulate(make(), duration, **words)

    def by_steps(sim):
        while sim.time < duration - 1e-9:
            sim.step()

    def by_pieces(sim):
        sim.step(n=3)
        sim.run_for("7 ms")
        sim.step()
        sim.run_until(0.6 * duration)
        sim.results()
        sim.run_until(duration)

    for drive in (by_steps, by_pieces):
        sim = kb.Simulation(make(), **words)
        drive(sim)
        results = sim.results()
        assert np.array_equal(results.record[:-1], whole.record[:-1])
        # a last time of k·h may differ from the duration by its rounding
        assert np.array_equal(results.record[-1, 1:], whole.record[-1, 1:])
        assert results.time[-1] == pytest.approx(whole.time[-1], rel=1e-15)
        assert list(results.names) == list(whole.names)
        assert results.meta["steps"] == whole.meta["steps"]


def test_harvester_30_step_by_step():
    machine = kb.catalogue.NAMES["harvester-30"]().machine
    whole = kb.simulate(machine, 0.03, step="1 ms", record="2 ms", coupling="realtime")
    sim = kb.Simulation(machine, step="1 ms", record="2 ms", coupling="realtime")

    for _ in range(30):
        sim.step()

    assert np.array_equal(sim.results().record, whole.record)


def test_inputs_are_held_from_now_on_and_outputs_come_back_by_name():
    """m·a = F: after the first step of 1 s the speed is F·t/m, and so on; closed form."""
    sim = kb.Simulation(cart(), step=0.5, outputs=["rail.travel_rate", "cart.position.x", "cart.velocity"])

    first = sim.step({"push": "2 N"})
    second = sim.step(n=2)
    third = sim.step({"push": -4.0})

    assert list(first) == ["rail.travel_rate", "cart.position.x", "cart.velocity"] and len(first) == 3
    assert first["rail.travel_rate"] == pytest.approx(0.5)
    assert first["cart.position.x"] == pytest.approx(0.125)
    assert second["cart.velocity"] == pytest.approx([1.5, 0.0, 0.0])
    assert third["rail.travel_rate"] == pytest.approx(0.5)
    assert third.time == sim.time == 2.0
    assert sim["push.input"] == -4.0
    assert first.time == 0.5, "outputs are of their moment"


def test_wrong_names_are_answered_with_the_closest():
    sim = kb.Simulation(cart(), step=0.5)

    with pytest.raises(kb.MachineError, match="There is no input 'puhs'"):
        sim.step({"puhs": 1.0})
    with pytest.raises(kb.MachineError, match="input 'push': 'm' is a unit of length"):
        sim.step({"push": "1 m"})
    with pytest.raises(kb.MachineError, match="nan is not a finite number"):
        sim.step({"push": float("nan")})
    with pytest.raises(kb.KnuckleboomError, match=r"'rail\.travl'\. Closest names: 'rail\.travel'"):
        sim["rail.travl"]
    with pytest.raises(kb.KnuckleboomError, match="no quantity named 'nothing'"):
        kb.Simulation(cart(), outputs=["nothing"])
    with pytest.raises(kb.MachineError, match="goes on with the motion that it began with"):
        kb.Simulation(driven_cart()).step({"motion": 1.0})
    assert sim.time == 0.0


def test_an_input_set_from_outside_replaces_its_source():
    sim = kb.Simulation(cart(), step=0.5, inputs={"push": lambda t: 100.0 * t})
    sim.step()

    sim.step({"push": 0.0})
    speed = sim["rail.travel_rate"]
    sim.run_for(3.0)

    assert sim["rail.travel_rate"] == speed


def test_a_run_ends_where_it_was_told_to_and_goes_on_from_there():
    sim = kb.Simulation(cart(), step=0.1, inputs={"push": 2.0})

    sim.run_for(0.25)
    assert sim.time == 0.25 and sim["rail.travel_rate"] == pytest.approx(0.25, rel=1e-14)
    sim.step()
    assert sim.time == pytest.approx(0.3)
    sim.run_until("1 s")
    assert sim.time == 1.0 and sim["rail.travel"] == pytest.approx(0.5, rel=1e-14)
    assert sim.run_until(0.5) == "done" and sim.time == 1.0, "what is over is not run again"
    assert list(sim.results().time) == pytest.approx([k / 10 for k in range(11)])


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit-euler"])
def test_a_snapshot_goes_on_bit_by_bit_also_in_another_process(tmp_path, integrator):
    words = {"step": "0.1 ms", "record": "1 ms", "integrator": integrator}
    sim = kb.Simulation(lifting_boom(), **words)
    sim.step({"spool": 0.1}, n=47)
    np.savez(tmp_path / "state.npz", **sim.snapshot())
    sim.run_for("5 ms")
    end = sim.snapshot()

    other = kb.Simulation(lifting_boom(), **words)
    other.restore(np.load(tmp_path / "state.npz"))
    assert other.time == pytest.approx(4.7e-3) and other["spool.input"] == 0.1
    other.run_for("5 ms")

    again = other.snapshot()
    assert all(np.array_equal(end[name], again[name]) for name in end)
    lines = other.results().record[:, : other.width]  # sums of energies begin with the record
    assert np.array_equal(lines, sim.results().record[-len(lines) :, : other.width])
    assert lines[0, 0] == pytest.approx(5e-3), "the record begins anew at the snapshot"


def test_what_is_no_step_no_inputs_and_no_snapshot_is_a_sentence():
    sim = kb.Simulation(cart(), outputs="rail.travel")
    assert list(sim.outputs) == ["rail.travel"], "one name stands for itself"
    for n in (0, -1, 1.5, "two"):
        with pytest.raises(kb.MachineError, match="is not a number of steps"):
            sim.step(n=n)
    with pytest.raises(kb.MachineError, match="inputs is 5, which does not name any"):
        sim.step(5)
    with pytest.raises(ValueError, match=r"the snapshot has no q, .*: take it with sim\.snapshot\(\)"):
        sim.restore({})
    assert sim.step(n=np.int64(2)).time == 2e-3


def test_a_snapshot_of_another_machine_is_refused():
    with pytest.raises(ValueError, match="it is of another machine"):
        kb.Simulation(lifting_boom()).restore(kb.Simulation(cart()).snapshot())


def test_reset_returns_to_the_start():
    sim = kb.Simulation(lifting_boom(), step="0.1 ms", inputs={"spool": kb.steps({0: 0.0, 0.002: 0.1})})
    sim.run_for("5 ms")
    first = sim.results().record

    sim.step({"spool": -0.2})
    sim.reset()
    assert sim.time == 0.0
    sim.run_for("5 ms")

    assert np.array_equal(sim.results().record, first)


def test_results_can_be_had_at_any_time():
    sim = kb.Simulation(cart(), step="1 ms", record="10 ms", inputs={"push": 1.0})

    assert list(sim.results().time) == [0.0]
    seen = []
    sim.run_for("0.1 s", watch=lambda: seen.append(sim.results()))

    assert seen[0].status == "interrupted" and "still running" in seen[1].message
    assert [len(results.time) for results in seen] == sorted(len(results.time) for results in seen)
    assert sim.results().status == "done" and len(sim.results().time) == 11


def test_ctrl_c_keeps_what_was_done_and_the_run_can_go_on(monkeypatch):
    monkeypatch.setattr(SESSION, "next_block", lambda count, took: 7)
    sim = kb.Simulation(cart(), step="1 ms", record="1 ms", inputs={"push": lambda t: np.sin(50.0 * t)})
    told = []

    def progress(part):
        told.append(part)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.run_for("50 ms", progress=progress)
    # blocks of 1, 4 and 5 steps: an explicit run looks at its stable step at every tenth of it
    assert sim.status == "interrupted" and sim.message == "Interrupted at t = 0.01 s."
    assert sim.results().status == "interrupted" and sim.results().time[-1] == pytest.approx(0.009)
    sim.run_until("50 ms")

    whole = kb.simulate(cart(), "50 ms", step="1 ms", record="1 ms", inputs={"push": lambda t: np.sin(50.0 * t)})
    assert np.array_equal(sim.results().record, whole.record)


def test_a_failure_keeps_the_results_and_names_the_time():
    case = kb.catalogue.NAMES["naya-rod"]()
    sim = kb.Simulation(case.machine, step="1 ms", inputs=case.inputs, coupling="explicit")

    with pytest.raises(kb.SimulationError, match="is no longer finite") as caught:
        sim.run_for("10 s")

    assert sim.status == "failed" and len(caught.value.results.time) > 100
    assert sim.results().status == "failed"


def test_the_record_grows_with_the_run_and_is_refused_when_it_would_not_fit():
    sim = kb.Simulation(cart(), step="1 ms", record="1 ms")

    for _ in range(100):
        sim.step()

    assert len(sim.results().time) == 101
    with pytest.raises(kb.MachineError, match="The record would take"):
        sim.run_for("1e6 s")


def test_single_steps_count_their_processor_time():
    sim = kb.Simulation(lifting_boom(), step="0.1 ms")
    for _ in range(200):
        sim.step()

    assert sim.results().meta["cpu_seconds"] > 0.0
