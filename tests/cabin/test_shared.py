# SPDX-License-Identifier: BSD-3-Clause
"""The shared block: who attaches finds its sizes, copies are whole while a writer writes, nothing is left over."""

import gc
import os
import subprocess
import sys
import threading
from typing import get_type_hints

import numpy as np
import pytest

from knuckleboom.cabin.shared import RING, STATUS, Command, Mode, RunState, Shared, Status


@pytest.fixture
def shared():
    made = Shared.create(3, 7)
    yield made
    made.close()


def put_line(shared: Shared, count: int) -> None:
    """Write a line whose numbers are all alike, as the loop does."""
    place = shared.block["line"]
    slot = place["slot"][0, count % 2]
    slot["sequence"], slot["step"] = count, count
    slot["values"], slot["levers"] = count, count
    place["count"] = count


def test_status_is_a_record_of_its_kinds(shared):
    assert [STATUS[name].str for name in ("state", "time", "missed", "recording")] == ["<i8", "<f8", "<i8", "<i8"]
    assert tuple(map(type, shared.status)) == tuple(get_type_hints(Status).values())
    assert shared.status.state is RunState.STARTING
    assert shared.status.asked == 1.0
    assert shared.status.priority is False


def test_who_attaches_sees_the_same(shared):
    other = Shared.attach(os.dup(shared.descriptor))
    shared.write_levers([1.0, 2.0, 3.0], 5)
    values, sequence = other.read_levers()
    assert (values.tolist(), sequence) == ([1.0, 2.0, 3.0], 5)
    assert (other.inputs, other.columns) == (3, 7)
    other.close()


ANSWER = """
import sys
from knuckleboom.cabin.shared import Shared
other = Shared.attach(int(sys.argv[1]))
other.write_levers([7.0, 8.0, 9.0], 1)
other.close()
"""


def test_another_process_attaches_by_what_it_was_handed(shared):
    command = [sys.executable, "-c", ANSWER, str(shared.descriptor)]
    ended = subprocess.run(command, pass_fds=[shared.descriptor], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert shared.read_levers()[0].tolist() == [7.0, 8.0, 9.0]


def test_nothing_is_left_over(shared):
    other = Shared.create(1, 1)
    place, line = f"/proc/self/fd/{other.descriptor}", other.block["line"]
    other.close()
    other.close()
    assert not os.path.exists(place)
    assert line["count"][0] == 0  # a view that somebody still holds stays valid
    del line
    gc.collect()


def test_no_machine_without_inputs_is_refused():
    bare = Shared.create(0, 2)
    bare.write_levers([], 1)
    assert bare.read_levers()[1] == 1
    bare.close()


@pytest.mark.parametrize("values", [[1.0, 2.0], [1.0, 2.0, np.nan], [np.inf, 0.0, 0.0]])
def test_levers_that_are_none_are_refused(shared, values):
    with pytest.raises(ValueError, match="3 finite numbers"):
        shared.write_levers(values, 1)


def test_lines_are_whole_while_they_are_written(shared):
    assert shared.read_line() is None
    ended = threading.Event()

    def write() -> None:
        count = 0
        while not ended.is_set():
            count += 1
            put_line(shared, count)

    writer = threading.Thread(target=write)
    writer.start()
    last = 0
    try:
        for _ in range(2000):
            try:
                line = shared.read_line()
            except TimeoutError:
                continue  # a writer without any pause may overtake every try
            if line is not None:
                assert set(line.values) == set(line.levers) == {float(line.step)} == {float(line.sequence)}
                assert line.sequence >= last
                last = line.sequence
    finally:
        ended.set()
        writer.join()
    assert last > 0


def test_commands_come_in_order_and_are_acknowledged(shared):
    first = shared.send(Command.PAUSE)
    second = shared.send(Command.SPEED, 0.1)
    assert not shared.done(first)
    assert shared.next_command() == (Command.PAUSE, 0.0)
    shared.acknowledge()
    assert shared.done(first) and not shared.done(second)
    assert shared.next_command() == (Command.SPEED, 0.1)
    shared.acknowledge()
    assert shared.next_command() is None


def test_too_many_commands_are_refused_not_lost(shared):
    for _ in range(RING):
        shared.send(Command.PAUSE)
    with pytest.raises(TimeoutError, match="wait already"):
        shared.send(Command.QUIT)


def test_texts_keep_their_letters(shared):
    shared.set_text("message", "Größe: 3 µs")
    assert shared.message == "Größe: 3 µs"
    shared.set_text("message", "µ" * 9000)
    assert shared.message.startswith("µµµ")
    shared.set_text("message", "")
    assert shared.message == ""


def test_external_begins_with_nothing_of_its_own(shared):
    shared.write_external([1.0, np.nan, 2.0], 4)
    shared.open_external(Mode.LOCKSTEP, exchange=2, patience=0.5)
    stands = shared.external
    assert (stands.mode, stands.exchange, stands.drops) == (Mode.LOCKSTEP, 2, 0)
    place = shared.block["external"]["levers"]
    assert np.isnan(place["slot"]["values"][0, int(place["count"][0]) % 2]).all()
    shared.close_external()
    assert shared.external.mode is Mode.NONE
