# SPDX-License-Identifier: BSD-3-Clause
"""The real-time loop: controllers when they are due, the external interface in lockstep and free, and a slow computer.

What the loop computes is compared bit for bit with kb.Simulation. Nothing depends on how fast this computer is: steps
of 1 ms are asked for at a thousand times real time, which none reaches.
"""

import threading
import time

import numpy as np
import pytest

import knuckleboom as kb
from cabin.driving import ask, make_worker, running, until
from knuckleboom.cabin.shared import Command, Mode, RunState
from knuckleboom.simulation.live import LiveRun

GAIN, WANTED = 4.0, 2.2
READ, WRITTEN = "boom_left.length", "boom"


@kb.compiled
def hold(time, reads, writes, memory, parameters):
    writes[0] = min(max(parameters[0] * (parameters[1] - reads[0]) + 0.1 * memory[0], -1.0), 1.0)
    memory[0] += parameters[1] - reads[0]


def boom_control(every="2 ms"):
    parameters = {"gain": GAIN, "wanted": WANTED}
    return kb.Controller(hold, reads=[READ], writes=[WRITTEN], every=every, memory=1, parameters=parameters)


def columns(worker):
    names = worker.live.planned.names
    return names[READ].columns[0], [one.name for one in worker.live.inputs].index(WRITTEN)


class Outside:
    """The same controller behind the shared block, in a thread: answers every line until it is told to be silent."""

    def __init__(self, worker):
        self.shared, self.memory, self.silent = worker.shared, np.zeros(1), False
        self.read, self.write = columns(worker)
        self.answered = 0
        self.thread = threading.Thread(target=self.answer, daemon=True)

    def answer(self):
        parameters, writes = np.array([GAIN, WANTED]), np.zeros(1)
        while not self.silent:
            line = self.shared.read_exchange()
            if line is None or line.sequence <= self.answered:
                continue
            hold.py_func(line.time, line.values[[self.read]], writes, self.memory, parameters)
            values = np.full(self.shared.inputs, np.nan)
            values[self.write] = writes[0]
            self.answered = line.sequence
            self.shared.write_external(values, line.sequence)


def test_controllers_act_when_they_are_due(tmp_path):
    """The loop with a controller inside against kb.Simulation with the same."""
    worker = make_worker("excavator", tmp_path, controllers=[boom_control()])
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.STEP, 101)
        line = shared.read_line()
    case = kb.catalogue.NAMES["excavator"]()
    sim = kb.Simulation(case.machine, step="1 ms", controllers=[boom_control()], coupling="realtime")
    sim.step(n=101)
    np.testing.assert_array_equal(line.values, sim.results().record[-1, : len(line.values)])
    assert WRITTEN not in [one.name for one in worker.live.inputs]
    assert sim[f"{WRITTEN}.input"] != 0.0


def test_lockstep_is_bit_equal_to_the_controller_inside(tmp_path):
    worker = make_worker("excavator", tmp_path, record=tmp_path / "outside.kbrec")
    outside = Outside(worker)
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        shared.open_external(Mode.LOCKSTEP, exchange=2, patience=30.0)
        outside.thread.start()
        ask(shared, Command.STEP, 201)
        line = shared.read_line()
        assert shared.external.asked == shared.external.answered == 101
        assert shared.external.stalls == 0
    outside.silent = True
    case = kb.catalogue.NAMES["excavator"]()
    sim = kb.Simulation(case.machine, step="1 ms", controllers=[boom_control()], coupling="realtime")
    sim.step(n=201)
    inside = sim.results().record[-1, : len(line.values)]
    np.testing.assert_array_equal(line.values, inside)
    # the recording has what was applied, whoever gave it
    run = kb.replay(tmp_path / "outside.kbrec")
    assert run.meta["recording"]["bit_equal"] is True
    np.testing.assert_array_equal(run.record[-1, : len(inside)], inside)


def test_a_stalled_client_does_not_stop_the_machine(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path)
    with running(worker) as shared:
        shared.open_external(Mode.LOCKSTEP, exchange=2, patience=0.05)
        values = np.full(shared.inputs, np.nan)
        values[0] = 0.5
        shared.write_external(values, 0)
        ask(shared, Command.STEP, 20)
        assert shared.status.steps == 20
        assert (shared.external.mode, shared.external.stalls) == (Mode.NONE, 1)
        assert shared.read_line().levers[0] == worker.live.inputs[0].rest  # the operator's again


def test_a_command_is_heard_while_a_client_is_awaited(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path)
    with running(worker) as shared:
        shared.open_external(Mode.LOCKSTEP, exchange=1, patience=600.0)
        ask(shared, Command.RESUME)
        until(lambda: shared.external.asked == 1)
        ask(shared, Command.PAUSE)
        assert (shared.status.state, shared.status.steps) == (RunState.PAUSED, 0)
        shared.close_external()
        ask(shared, Command.STEP, 3)
        assert (shared.status.steps, shared.external.asked) == (3, 1)


def test_free_running_counts_what_was_not_answered(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path)
    with running(worker) as shared:
        shared.open_external(Mode.FREE, exchange=2, patience=0.0)
        ask(shared, Command.STEP, 20)
        # ten lines; for the first there was none before it that could have been answered
        assert (shared.external.asked, shared.external.drops) == (10, 9)
        values = np.full(shared.inputs, np.nan)
        values[0] = 0.5
        shared.write_external(values, shared.read_exchange().sequence)
        ask(shared, Command.STEP, 2)
        assert (shared.external.asked, shared.external.drops) == (11, 9)
        assert shared.read_line().levers[0] == 0.5


def test_a_moved_lever_is_shown_before_the_next_line_is_due(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path)
    shared, marks = worker.shared, worker._desk.marks

    def lines_of_a_step(last_line):
        """How many lines a step gives so long [ns] after the last one; the end of the loop is one of them."""
        before = shared.read_line().sequence
        marks[0] = time.monotonic_ns() - last_line
        worker._go(1)
        return shared.read_line().sequence - before

    soon, just_now = 6_000_000, -(10**12)
    assert lines_of_a_step(just_now) == 1
    shared.write_levers([one.rest + 0.5 for one in worker.live.inputs], 1)
    assert lines_of_a_step(just_now) == 1
    assert lines_of_a_step(soon) == 2
    assert marks[2] == 0


def test_a_slow_computer_is_slow_and_does_not_jump(tmp_path):
    worker = make_worker("excavator", tmp_path)
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        shared.write_levers([one.rest for one in worker.live.inputs], 9)
        ask(shared, Command.RESUME)
        until(lambda: shared.status.forgotten > 0 and shared.status.reached > 0.0)
        running_now = shared.status
        ask(shared, Command.PAUSE)
        status, line = shared.status, shared.read_line()
    assert running_now.reached < running_now.asked == 1000.0
    assert status.missed > 0.99 * status.steps
    assert status.lateness_worst_us >= 1e5
    assert 0.0 < status.step_mean_us <= status.step_worst_us
    assert line.time == status.time == status.steps * 1e-3
    assert (status.reached, status.applied) == (0.0, 9)


def test_what_only_python_could_do_is_refused():
    machine = kb.catalogue.NAMES["excavator"]().machine
    plain = kb.Controller(hold.py_func, reads=[READ], writes=[WRITTEN], every="2 ms", name="plain")
    with pytest.raises(kb.MachineError, match="'plain': it is called by Python") as caught:
        LiveRun(machine, step="1 ms", controllers=[plain, kb_other()])
    assert "'between': it is due between steps of 0.001 s" in str(caught.value)


def kb_other():
    return kb.Controller(hold, reads=[READ], writes=["stick"], every="1.5 ms", name="between", memory=1,
                         parameters={"gain": 0.0, "wanted": 0.0})  # fmt: skip
