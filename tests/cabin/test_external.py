# SPDX-License-Identifier: BSD-3-Clause
"""The external interface over TCP: lockstep bit for bit as the controller inside, free running, stalls, pause, reset.

The machine's loop runs in a thread of this process, or in the runner's own where time matters. The reference is
kb.Simulation with the same function as a controller of 2 ms: a second route through our own code.
"""

import contextlib
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import knuckleboom as kb
from cabin.driving import ask, make_worker, running, until
from cabin.test_loop import GAIN, READ, WANTED, WRITTEN, boom_control, hold
from knuckleboom.cabin import serve
from knuckleboom.cabin.external import ExchangeError, External, steps_of
from knuckleboom.cabin.external_client import ExternalError
from knuckleboom.cabin.external_wire import Wire, read_text
from knuckleboom.cabin.facts import facts
from knuckleboom.cabin.live import READYING, Live
from knuckleboom.cabin.runner import Runner
from knuckleboom.cabin.shared import Command, Mode, RunState
from knuckleboom.errors import KnuckleboomError

CRANE, LENGTH = "crane-one-cylinder", "lift.length"


@contextlib.contextmanager
def door(shared, told, **options):
    """The external interface of a machine on a port that is free; yields the port."""
    opened = serve.listen("127.0.0.1", 0)
    with External(opened, **options) as outside:
        outside.admit(shared, told, lambda: True)
        yield opened.getsockname()[1]


@contextlib.contextmanager
def crane(tmp_path, **options):
    """A small machine in this process, paused, and its door: shared block, port and facts."""
    worker = make_worker(CRANE, tmp_path)
    told = facts(worker.live, {})
    with running(worker) as shared, door(shared, told, **options) as port:
        yield shared, port, told


class Hold:
    """The controller of test_loop.py as an external program would have it."""

    def __init__(self):
        self.memory, self.writes, self.parameters = np.zeros(1), np.zeros(1), np.array([GAIN, WANTED])

    def __call__(self, line):
        hold.py_func(line.time, np.array(line.values), self.writes, self.memory, self.parameters)
        return {WRITTEN: self.writes[0]}


def inside(steps):
    """The last line of the same controller inside."""
    machine = kb.catalogue.NAMES["excavator"]().machine
    sim = kb.Simulation(machine, step="1 ms", controllers=[boom_control()], coupling="realtime", record="1 s")
    sim.step(n=steps)
    return sim.results().record[-1]


def test_lockstep_is_bit_equal_to_the_controller_inside(tmp_path):
    worker = make_worker("excavator", tmp_path)
    steps = 501
    with running(worker) as shared, door(shared, facts(worker.live, {}), mode=Mode.LOCKSTEP, patience=30.0) as port:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.STEP, 33)  # somewhere else, to be put back
        with kb.ExternalClient(port, reads=[READ], writes=[WRITTEN], from_start=True) as machine:
            assert machine.interval == 0.002 and machine.hello["mode"] == "lockstep"
            number = shared.send(Command.STEP, steps)
            control, line = Hold(), machine.line()
            assert (line.step, line.time) == (0, 0.0)
            while line.step < steps - 1:
                line = machine.exchange(control(line))
            machine.answer(control(line))
            until(lambda: shared.done(number))
            assert shared.external.asked == shared.external.answered == 251
            last = shared.read_line()
    expected = inside(steps)
    np.testing.assert_array_equal(last.values, expected[: len(last.values)])


@pytest.mark.slow
def test_a_minute_in_lockstep_is_bit_equal(tmp_path):
    """60 s at 2 ms, 30 000 exchanges, with the runner in its own process, as fast as the computer can."""
    steps = 60_000
    with (
        Runner(kb.catalogue.NAMES["excavator"](), priority=False, folder=tmp_path, paused=True) as runner,
        door(runner.shared, runner.facts, mode=Mode.LOCKSTEP, patience=30.0) as port,
    ):
        shared = runner.shared
        ask(shared, Command.SPEED, 1000.0)
        with kb.ExternalClient(port, reads=[READ], writes=[WRITTEN], from_start=True) as machine:
            number = shared.send(Command.STEP, steps)
            control, line = Hold(), machine.line()
            while line.step < steps - 2:
                line = machine.exchange(control(line))
            machine.answer(control(line))
            until(lambda: shared.done(number))
            last, stands = shared.read_line(), shared.external
    assert (last.step, stands.asked, stands.drops, stands.stalls) == (steps, 30_000, 0, 0)
    np.testing.assert_array_equal(last.values, inside(steps)[: len(last.values)])


def test_free_running_goes_on_and_counts_drops(tmp_path):
    with crane(tmp_path, mode=Mode.FREE, patience=30.0) as (shared, port, told):
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port, reads=[LENGTH], writes=[name]) as machine:
            ask(shared, Command.STEP, 20)
            first = machine.line()
            # ten lines passed, one of which is seen; the machine did not wait
            assert shared.status.steps == 20 and shared.external.drops == 9
            machine.answer({name: 0.25})
            until(lambda: shared.external.answered == first.sequence)
            ask(shared, Command.STEP, 2)
            assert shared.read_line().levers[0] == 0.25
            line = machine.line()
            assert line.sequence > first.sequence and line[LENGTH] == line.values[0] > 0.0
            assert line.drops >= 9
            ask(shared, Command.STEP, 20)
            newest = machine.exchange({})
            assert newest.step == 40 and newest.step - line.step > 2  # who is late finds the newest
            machine.answer({name: None})
            until(lambda: shared.external.answered == newest.sequence)
            ask(shared, Command.STEP, 2)
            assert shared.read_line().levers[0] == told["inputs"][0]["rest"]


def test_a_stalled_program_does_not_stop_the_machine(tmp_path):
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=0.05) as (shared, port, told):
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port, reads=[], writes=[name]) as machine:
            number = shared.send(Command.STEP, 30)
            machine.line()
            machine.answer({name: 0.5})
            machine.line()  # and silence
            until(lambda: shared.done(number))
            assert shared.status.steps == 30 and shared.external.stalls == 1
            assert shared.read_line().levers[0] == told["inputs"][0]["rest"]
            until(lambda: shared.external.mode == Mode.NONE)
            with pytest.raises(ExternalError, match=r"no answer within 0\.05 s: the machine goes on without"):
                machine.exchange({name: 0.5})
                machine.line()
        # and it may come again
        with kb.ExternalClient(port, writes=[name]) as machine:
            number = shared.send(Command.STEP, 1)
            machine.line()
            machine.answer({name: 0.5})
            until(lambda: shared.done(number))
            assert shared.read_line().levers[0] == 0.5
        until(lambda: shared.external.mode == Mode.NONE)
        ask(shared, Command.STEP, 1)
        assert shared.read_line().levers[0] == told["inputs"][0]["rest"]


def test_who_is_silent_leaves_the_inputs_to_the_operator(tmp_path, caplog):
    with crane(tmp_path, mode=Mode.FREE, patience=0.05) as (shared, port, told):
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port, writes=[name]) as machine:
            ask(shared, Command.STEP, 2)
            machine.line()
            machine.answer({name: 0.5})
            until(lambda: shared.external.answered == 1)
            ask(shared, Command.STEP, 2)
            assert shared.read_line().levers[0] == 0.5
            until(lambda: "is silent: its inputs are the operator's" in caplog.text)
            ask(shared, Command.STEP, 2)
            assert shared.read_line().levers[0] == told["inputs"][0]["rest"]
            machine.line()
            machine.answer({})  # here again, and holds what it held
            until(lambda: shared.external.answered > 1)
            ask(shared, Command.STEP, 2)
            assert shared.read_line().levers[0] == 0.5


@pytest.mark.slow
def test_pause_reset_and_failure_are_told(tmp_path):
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=30.0) as (shared, port, told):
        ask(shared, Command.SPEED, 1000.0)
        with kb.ExternalClient(port, reads=[LENGTH], timeout=1.2) as machine:
            # a paused machine is heard, for longer than nothing may be heard
            waited = threading.Timer(1.5, ask, (shared, Command.RESUME))
            waited.start()
            line = machine.line()
            waited.join()
            for _ in range(3):
                line = machine.exchange({})
            assert line.step == 6
            machine.answer({})
            before = machine.line()
            ask(shared, Command.RESET)
            after = machine.exchange({})
            assert (before.step, after.step, after.sequence) == (8, 0, before.sequence + 1)
            machine.answer({})
            ask(shared, Command.PAUSE)
            shared.set_text("message", "The pressure is no longer finite.")
            shared.block["status"]["state"] = RunState.FAILED
            with pytest.raises(ExternalError, match="The pressure is no longer finite"):
                for _ in range(3):
                    machine.line()
                    machine.answer({})


def test_the_end_is_told(tmp_path):
    worker = make_worker(CRANE, tmp_path)
    opened = serve.listen("127.0.0.1", 0)
    with running(worker) as shared:
        outside = External(opened)
        outside.admit(shared, facts(worker.live, {}), lambda: True)
        machine = kb.ExternalClient(opened.getsockname()[1])
        outside.close()
        with pytest.raises(ExternalError, match="the machine has ended"):
            machine.line()
        machine.close()


def test_a_machine_that_was_killed_is_told(tmp_path):
    worker, alive = make_worker(CRANE, tmp_path), threading.Event()
    alive.set()
    opened = serve.listen("127.0.0.1", 0)
    with running(worker) as shared, External(opened) as outside:
        outside.admit(shared, facts(worker.live, {}), alive.is_set)
        with kb.ExternalClient(opened.getsockname()[1]) as machine:
            alive.clear()  # its block still says that it runs
            with pytest.raises(ExternalError, match="the machine has ended"):
                machine.line()


@pytest.mark.slow
def test_who_comes_while_the_machine_starts_waits_for_it(tmp_path):
    worker = make_worker(CRANE, tmp_path)
    opened = serve.listen("127.0.0.1", 0)
    with running(worker) as shared, External(opened, lambda: "Compiling …") as outside:
        admitted = threading.Event()

        def admit():
            admitted.set()
            outside.admit(shared, facts(worker.live, {}), lambda: True)

        # it is heard for longer than nothing may be heard
        waited = threading.Timer(4.0, admit)
        waited.start()
        with kb.ExternalClient(opened.getsockname()[1], reads=[LENGTH], timeout=2.0) as machine:
            assert admitted.is_set() and machine.hello["machine"] == worker.live.planned.machine.name
            ask(shared, Command.STEP, 2)
            assert machine.line()[LENGTH] > 0.0
        waited.join()


def after_start(wire):
    """The first status that is not that of a start."""
    while (told := read_text(wire.receive(60.0)[1]))["state"] == "starting":
        pass
    return told


def test_who_comes_before_the_door_knocks_again(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    worker = make_worker(CRANE, tmp_path)
    with running(worker) as shared, ThreadPoolExecutor(1) as pool:
        coming = pool.submit(kb.ExternalClient, port)
        threading.Event().wait(0.5)
        with External(serve.listen("127.0.0.1", port)) as outside:
            outside.admit(shared, facts(worker.live, {}), lambda: True)
            with coming.result(60.0) as machine:
                assert machine.hello["machine"] == worker.live.planned.machine.name


def test_which_inputs_a_program_holds_is_known(tmp_path):
    with crane(tmp_path) as (shared, port, told):
        assert shared.held_outside() == []
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port, writes=[name]) as machine:
            ask(shared, Command.STEP, 1)
            machine.line()
            machine.answer({name: 0.3})
            until(lambda: shared.held_outside() == [0])
        until(lambda: shared.held_outside() == [])


def test_what_is_told_while_the_machine_starts():
    opened = serve.listen("127.0.0.1", 0)
    with External(opened, lambda: "Compiling …") as outside:
        wire = Wire(socket.create_connection(opened.getsockname()), 1000)
        wire.send_text("join", 1.0, version=1, token="")
        told = [read_text(wire.receive(5.0)[1]) for _ in range(2)]
        assert told == 2 * [{"type": "status", "state": "starting", "message": "Compiling …"}]
        with pytest.raises(ExternalError, match="another external program is connected already"):
            kb.ExternalClient(opened.getsockname()[1])
        outside.fail("There is no machine 'excavtor'.")
        assert after_start(wire) == {"type": "status", "state": "failed", "message": "There is no machine 'excavtor'."}
        wire.close()


def test_a_start_that_fails_or_is_given_up_is_told():
    for ends, text in (
        (lambda outside: outside.fail("There is no machine 'excavtor'."), "^There is no machine 'excavtor'.$"),
        (lambda outside: outside.close(), "the machine has ended"),
    ):
        opened = serve.listen("127.0.0.1", 0)
        with External(opened) as outside:
            threading.Timer(0.3, ends, (outside,)).start()
            with pytest.raises(ExternalError, match=text):
                kb.ExternalClient(opened.getsockname()[1])


def test_a_machine_that_cannot_be_had_is_told_to_who_waits():
    opened, asked = serve.listen("127.0.0.1", 0), threading.Event()

    def find():
        assert asked.wait(60.0)
        raise KnuckleboomError("There is no machine 'excavtor'.")

    live = Live(find, door=lambda starting: External(opened, starting))
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(live.open)
        wire = Wire(socket.create_connection(opened.getsockname()), 1000)
        wire.send_text("join", 1.0, version=1, token="")
        assert read_text(wire.receive(60.0)[1]) == {"type": "status", "state": "starting", "message": READYING}
        asked.set()
        assert after_start(wire)["message"] == "There is no machine 'excavtor'."
        with pytest.raises(KnuckleboomError, match="excavtor"):
            opening.result(60.0)
    live.close()
    wire.close()


def test_names_and_units_are_told_and_wrong_ones_refused(tmp_path):
    with crane(tmp_path) as (shared, port, told):
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port) as machine:
            assert list(machine.inputs) == [one["name"] for one in told["inputs"]]
            assert set(machine.inputs[name]) == {"name", "unit", "low", "high", "rest", "meaning"}
            assert machine.signals[LENGTH]["unit"] == "m" and len(machine.signals) == len(told["signals"])
            with pytest.raises(ExternalError, match="another external program is connected already"):
                kb.ExternalClient(port)
        for wrong, text in (
            ({"reads": ["lift.lenght"]}, "There is no signal 'lift.lenght'. Closest names: lift.length"),
            ({"writes": [name[:-1]]}, f"There is no input '{name[:-1]}'. Closest names: {name}"),
            ({"writes": [name, name]}, "an input is named twice"),
        ):
            until(lambda: shared.external.mode == Mode.NONE)
            with pytest.raises(ExternalError, match=text):
                kb.ExternalClient(port, **wrong)


def test_the_client_says_what_is_wrong(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        free = taken.getsockname()[1]
    with pytest.raises(ExternalError, match=f"no machine at port {free} .* Start it there"):
        kb.ExternalClient(free, timeout=0.3)
    with crane(tmp_path) as (shared, port, told):
        name = told["inputs"][0]["name"]
        with kb.ExternalClient(port, writes=[name]) as machine:
            with pytest.raises(ExternalError, match=r"There is no line to answer: call line\(\) first"):
                machine.answer({})
            ask(shared, Command.STEP, 1)
            machine.line()
            with pytest.raises(ExternalError, match="has not been answered yet"):
                machine.line()
            with pytest.raises(ExternalError, match="'other' is not among writes="):
                machine.answer({"other": 1.0})
            with pytest.raises(ExternalError, match="is nan; inputs are finite, or None"):
                machine.answer({name: float("nan")})


def test_the_exchange_interval_is_a_whole_number_of_steps():
    assert steps_of("2 ms", 1e-3) == 2 and steps_of(0.003, 1e-3) == 3 and steps_of("1 ms", 1e-3) == 1
    for wrong in ("1.5 ms", "0.1 ms", 0.0, float("inf"), float("nan"), -0.002):
        with pytest.raises(ExchangeError, match="is not a whole number of steps of 1 ms"):
            steps_of(wrong, 1e-3)


def test_the_client_needs_nothing_but_python():
    """A controller elsewhere needs neither the compiler nor NumPy."""
    code = (
        "import sys\n"
        "for name in ('numba', 'numpy', 'scipy', 'xarray', 'pydantic'): sys.modules[name] = None\n"
        "from knuckleboom.cabin.external_client import ExternalClient\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
