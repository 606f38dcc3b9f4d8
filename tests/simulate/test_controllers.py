# SPDX-License-Identifier: BSD-3-Clause
"""Controllers: inside (compiled) and outside (plain Python) give the same bits; sample times, order, faults, names."""

import functools

import numpy as np
import pytest

import knuckleboom as kb
from machine.example import lifting_boom
from simulate.test_session import cart, four_bar


def hold(time, reads, writes, memory, parameters):
    """A PI controller with a slow start, and its error as a signal."""
    error = reads[1] - reads[0]
    memory[0] += error
    writes[0] = parameters[0] * error + parameters[1] * memory[0]
    writes[1] = error
    if time < 0.003:
        writes[0] *= 0.5


@functools.cache
def both(function):
    return {"outside": function, "inside": kb.compiled(function)}


def holding(function, reads, writes, every="1.7 ms", gains=(2.0, 0.1), wanted=0.1, unit="1", name="hold"):
    return kb.Controller(
        function, name=name, reads=[reads], references={"wanted": wanted}, writes=[writes], signals={"error": unit},
        units={"wanted": unit}, every=every, memory=1, parameters={"kp": gains[0], "ki": gains[1]},
    )  # fmt: skip


MACHINES = {
    "boom": (lifting_boom, "0.1 ms", "foot.angle", "spool", kb.steps({0: -0.5, 0.0111: -0.45}), (-2.0, -0.05)),
    "cart": (cart, "1 ms", "rail.travel", "push", kb.table([0, 0.02], [0.0, 0.1]), (10.0, 0.1)),
    "four-bar": (four_bar, "1 ms", "rocker.angular_velocity.y", "motor", lambda t: 5.0 * t, (3.0, 0.2)),
}


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit-euler"])
@pytest.mark.parametrize("every", ["1 ms", "1.7 ms"], ids=["on the steps", "between the steps"])
@pytest.mark.parametrize("name", MACHINES)
def test_inside_and_outside_give_the_same_bits(name, every, integrator):
    make, step, reads, writes, wanted, gains = MACHINES[name]
    found = {}
    for where, function in both(hold).items():
        controller = holding(function, reads, writes, every, gains, wanted)
        words = {"step": step, "record": "0.5 ms", "controllers": [controller], "integrator": integrator}
        found[where] = kb.simulate(make(), "25 ms", **words)

    inside, outside = found["inside"], found["outside"]
    assert np.array_equal(inside.record, outside.record)
    assert inside.meta["steps"] == outside.meta["steps"]
    assert np.ptp(inside[f"{writes}.input"].values) > 0.0 and np.ptp(inside["hold.error"].values) > 0.0
    assert len(np.unique(inside[f"{writes}.input"].values)) >= 13, "it was sampled, and held in between"


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_any_split_gives_the_same_bits(where):
    make, step, reads, writes, wanted, gains = MACHINES["boom"]

    def simulation():
        controller = holding(both(hold)[where], reads, writes, "1.7 ms", gains, wanted)
        return kb.Simulation(make(), step=step, record="0.5 ms", controllers=[controller])

    whole, steps, pieces, restored = (simulation() for _ in range(4))
    whole.run_for("20 ms")
    for _ in range(200):
        steps.step()
    for piece in ("3 ms", "0.1 ms", "1.9 ms", "15 ms"):
        pieces.run_for(piece)
    restored.run_for("8.5 ms")
    snapshot = restored.snapshot()
    restored.run_for("5 ms")
    restored.restore(snapshot)
    restored.run_until("20 ms")

    record = whole.results().record
    assert np.array_equal(steps.results().record, record)
    assert np.array_equal(pieces.results().record, record)
    again = restored.results().record[:, : restored.width]  # sums of energies begin with the record
    assert np.array_equal(again, record[-len(again) :, : restored.width])


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_the_loop_closed_by_hand_is_the_same(where):
    """The user's own loop: the outputs of a step are what a controller reads at that time. Second formulation."""
    make, step, reads, writes, _, gains = MACHINES["boom"]
    sim = kb.Simulation(make(), step=step, record="0.5 ms", outputs=[reads])
    memory, written, out = np.zeros(1), np.zeros(2), sim.outputs
    for k in range(200):
        if k % 10 == 0:
            hold(1e-4 * k, np.array([out[reads], -0.45]), written, memory, gains)
        out = sim.step({writes: float(written[0])})

    controller = holding(both(hold)[where], reads, writes, "1 ms", gains, -0.45)
    run = kb.simulate(make(), "20 ms", step=step, record="0.5 ms", controllers=[controller])

    assert np.array_equal(run.record[:-1, : sim.width], sim.results().record[:-1, : sim.width])
    assert np.array_equal(run[f"{writes}.input"].values[:-1], sim.results()[f"{writes}.input"].values[:-1])


def test_ctrl_c_in_a_controller_leaves_its_memory_as_it_was():
    """Interrupted in the middle of a sample and continued, the run is the same as without."""
    pressed = []

    def press(time, reads, writes, memory, parameters):
        memory[0] += 1.0
        writes[0] = memory[0]
        if time > 0.0045 and not pressed:
            pressed.append(time)
            raise KeyboardInterrupt

    def simulation():
        controller = kb.Controller(press, reads=[], writes="push", every="1 ms", memory=1)
        return kb.Simulation(cart(), step="1 ms", record="1 ms", controllers=[controller])

    sim = simulation()
    with pytest.raises(KeyboardInterrupt):
        sim.run_until(0.01)
    assert sim.status == "interrupted" and sim.time == pytest.approx(0.005)
    assert len(sim.results().time) == 5
    sim.run_until(0.01)

    whole = simulation()
    whole.run_until(0.01)
    assert np.array_equal(sim.results().record, whole.results().record)


def test_it_is_sampled_at_its_own_times_and_held_in_between():
    seen = []

    def note(time, reads, writes, memory, parameters):
        seen.append(time)
        memory[0] += 1.0
        writes[0] = memory[0]

    run = kb.simulate(
        cart(), 0.01, step="1 ms", record="1 ms",
        controllers=[kb.Controller(note, reads=[], writes="push", every="2.5 ms", memory=1)],
    )  # fmt: skip

    assert seen == [m * 2.5e-3 for m in range(4)], "and not at the end, where no step follows"
    assert list(run["push.input"].values) == [1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4]
    assert run.meta["steps"] == 10 + 2


@pytest.mark.parametrize("kinds", ["pp", "cc", "pc", "cp"])
def test_later_controllers_see_the_signals_of_earlier_ones(kinds):
    def outer(time, reads, writes, memory, parameters):
        writes[0] = 3.0 * reads[0] + time

    def inner(time, reads, writes, memory, parameters):
        writes[0] = reads[0] + 1.0

    wrap = {"p": lambda function: function, "c": kb.compiled}
    controllers = [
        kb.Controller(wrap[kinds[0]](outer), name="outer", reads="rail.travel", signals={"out": "N"}, every="2 ms"),
        kb.Controller(wrap[kinds[1]](inner), name="inner", reads="outer.out", writes="push", every="1 ms"),
    ]

    run = kb.simulate(cart(), 0.02, step="1 ms", record="1 ms", controllers=controllers)

    out, push = run["outer.out"], run["push.input"]
    assert out.unit == "N" and "controller 'outer'" in out.meaning
    assert np.array_equal(push.values[:-1], out.values[:-1] + 1.0)
    assert np.array_equal(out.values[0:20:2], 3.0 * run["rail.travel"].values[0:20:2] + 1e-3 * np.arange(0, 20, 2))
    assert np.array_equal(out.values[1:20:2], out.values[0:20:2])


def test_the_state_is_evaluated_with_the_inputs_held_so_far():
    """A controller that reads an acceleration reads that of the input before, not of its own: a = F/m of then."""

    def double(time, reads, writes, memory, parameters):
        writes[0] = 1.0 + reads[0]

    run = kb.simulate(
        cart(), 0.004, step="1 ms", record="1 ms",
        controllers=[kb.Controller(kb.compiled(double), reads="rail.travel_acceleration", writes="push", every="1 ms")],
    )  # fmt: skip

    assert run["push.input"].values[:-1] == pytest.approx([1.0, 1.5, 1.75, 1.875], rel=1e-12)


def test_vectors_are_read_whole_and_by_component():
    def note(time, reads, writes, memory, parameters):
        assert len(reads) == 4
        writes[0] = reads[3]

    controller = kb.Controller(note, reads=["cart.velocity", "cart.position.x"], writes="push", every="1 ms")

    assert kb.simulate(cart(), 0.002, controllers=[controller]).status == "done"


def test_parameters_are_tuned_by_name_and_references_set_while_it_runs():
    make, step, reads, writes, _, gains = MACHINES["boom"]
    sim = kb.Simulation(make(), step=step, controllers=[holding(kb.compiled(hold), reads, writes, "1 ms", gains, -0.5)])
    sim.run_for("5 ms")

    assert sim.tunable["hold.kp"].value == -2.0
    sim.tune("hold.kp", 0.0)
    sim.tune("hold.ki", 0.0)
    sim.step({"hold.wanted": -0.4}, n=11)

    assert sim.tunable["hold.kp"].value == 0.0
    assert sim["spool.input"] == 0.0 and sim["hold.wanted"] == -0.4
    assert sim["hold.error"] == pytest.approx(-0.4 - sim["foot.angle"], abs=1e-3)
    with pytest.raises(kb.MachineError, match="kp: 'many' is not a number"):
        sim.tune("hold.kp", "many")


def failing(time, reads, writes, memory, parameters):
    if time > 0.0095:
        memory[5] = 1.0
    writes[0] = 1.0


def infinite(time, reads, writes, memory, parameters):
    writes[0] = 1.0 / (reads[0] - parameters[0]) if time > 0.0095 else 1.0
    if time > 0.0095:
        writes[0] = np.inf


@pytest.mark.parametrize("where", ["inside", "outside"])
@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (failing, "controller 'bad' failed with IndexError: index"),
        (infinite, "controller 'bad' wrote inf to 'push', which is not a finite number."),
    ],
)
def test_a_controller_that_fails_is_named_and_the_results_are_kept(function, sentence, where):
    controller = kb.Controller(
        both(function)[where], name="bad", reads="rail.travel", writes="push", every="1 ms", memory=1,
        parameters={"at": 0.0},
    )  # fmt: skip

    with pytest.raises(kb.SimulationError) as caught:
        kb.simulate(cart(), 0.1, step="1 ms", record="1 ms", controllers=[controller])

    assert str(caught.value).startswith(f"Simulation stopped at t = 0.01 s: {sentence}")
    assert "kept              results up to t = 0.009 s" in str(caught.value)
    results = caught.value.results
    assert results.status == "failed" and results.message == str(caught.value)
    assert results.time[-1] == pytest.approx(0.009) and set(results["push.input"].values) == {1.0}


@pytest.mark.slow
def test_a_function_that_cannot_be_compiled_says_so():
    @kb.compiled
    def strange(time, reads, writes, memory, parameters):
        writes[0] = "text".upper()

    with pytest.raises(
        kb.KnuckleboomError, match=r"'strange\(time, reads, .*\)' cannot be compiled. Leave @kb.compiled"
    ):
        kb.simulate(cart(), 0.1, controllers=[kb.Controller(strange, reads=[], writes="push", every="1 ms")])


def noop(time, reads, writes, memory, parameters):
    pass


WRONG = [
    ({"reads": "rail.travl"}, "there is no quantity named 'rail.travl'; closest names: 'rail.travel'"),
    ({"writes": "psh"}, "it writes 'psh', which is not an input; signals of its own are named in signals."),
    ({"name": "cart"}, "there is a body of that name already."),
    ({"references": {"wanted": "1 m"}}, "input 'noop.wanted': 'm' is a unit, but this is a plain number."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=[next(iter(words)) for words, _ in WRONG])
def test_wrong_names_are_refused(words, sentence):
    controller = kb.Controller(noop, **{"reads": "rail.travel", "writes": "push", "every": "1 ms", **words})

    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(cart(), 0.1, controllers=[controller])

    assert sentence in str(caught.value)


def test_all_wrong_names_are_refused_at_once():
    one = kb.Controller(noop, name="one", reads=["x", "y"], writes=["push", "z"], every="1 ms")
    other = kb.Controller(noop, name="other", reads=[], writes="push", every="1 ms")

    with pytest.raises(kb.MachineError) as caught:
        kb.Simulation(cart(), controllers=[one, other])

    assert len(caught.value.problems) == 4
    assert "controller 'other': it writes 'push', and so does 'one'." in str(caught.value)
    with pytest.raises(kb.MachineError, match="there is a controller of that name already"):
        kb.Simulation(cart(), controllers=[other, other])


def test_an_input_that_is_written_may_have_a_start_but_no_source():
    controller = kb.Controller(noop, reads=[], writes="push", every="1 ms")

    run = kb.simulate(cart(), 0.01, inputs={"push": 3.0}, controllers=[controller])

    assert set(run["push.input"].values) == {3.0}
    with pytest.raises(kb.MachineError, match="input 'push' is written by controller 'noop'"):
        kb.simulate(cart(), 0.01, inputs={"push": {0: 0.0, 1: 1.0}}, controllers=[controller])
    with pytest.raises(kb.MachineError, match="input 'push' is written by controller 'noop'"):
        kb.Simulation(cart(), controllers=[controller]).step({"push": 1.0})


MISMADE = [
    ({"every": "0 s"}, "every is 0 s; it must be longer than 0 s and finite."),
    ({"every": "5"}, "every: '5' has no unit"),
    ({"memory": [float("nan")]}, "which is not finite"),
    ({"memory": "much"}, "memory is 'much'."),
    ({"parameters": {"kp": None}}, "kp: None is not a number."),
    ({"writes": ()}, "it writes nothing."),
    ({"parameters": {"a": 1.0}, "signals": {"a": "1"}}, "'a' is the name of two things."),
    ({"function": 3}, "3 is not a function."),
]


@pytest.mark.parametrize(("words", "sentence"), MISMADE, ids=[str(words) for words, _ in MISMADE])
def test_a_controller_made_wrongly_is_refused(words, sentence):
    words = {"function": noop, "name": "noop", "reads": "rail.travel", "writes": "push", "every": "1 ms", **words}

    with pytest.raises(kb.MachineError) as caught:
        kb.Controller(**words)

    assert sentence in str(caught.value)


def test_a_cut_joint_cannot_be_read_and_says_why():
    controller = kb.Controller(noop, reads="c.angle", writes="motor", every="1 ms")

    with pytest.raises(kb.MachineError, match=r"'c\.angle' is found after the run only: its joint closes a loop"):
        kb.Simulation(four_bar(), controllers=[controller])


def test_what_is_no_controller_is_refused():
    for given in ([hold], hold, [3]):
        with pytest.raises(kb.MachineError, match="is not a controller"):
            kb.Simulation(cart(), controllers=given)


def test_one_controller_stands_for_a_list():
    lag = kb.low_pass("lag", reads="rail.travel", time_constant="1 s", every="2 ms")
    assert "lag.output" in kb.Simulation(cart(), controllers=lag).outputs


TUNED_WRONG = {
    "steer.tracking": (0.0, "tracking is 0; it must be above 0"),
    "steer.low": (2.0, r"low \(2\) is above high \(1\)"),
    "lag.time_constant": (-1.0, "time_constant is -1; it must be above 0"),
    "ramp.rising": (float("inf"), "rising is inf; it must be 0 or more, and finite"),
}


@pytest.mark.parametrize("name", TUNED_WRONG)
def test_what_a_block_refuses_at_the_start_it_refuses_when_tuned(name):
    value, text = TUNED_WRONG[name]
    common = {"reads": "rail.travel", "every": "2 ms"}
    steer = kb.pid("steer", **common, writes="push", setpoint=0.1, kp=2.0, ki=1.0, limits=(-1.0, 1.0))
    lag = kb.low_pass("lag", **common, time_constant="1 s")
    sim = kb.Simulation(cart(), controllers=[steer, lag, kb.rate_limit("ramp", **common, rising=1.0)])
    before = sim.tunable[name].value

    with pytest.raises(kb.MachineError, match=text):
        sim.tune(name, value)

    assert sim.tunable[name].value == before
    assert sim.run_for("10 ms") == "done"
