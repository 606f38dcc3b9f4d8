# SPDX-License-Identifier: BSD-3-Clause
"""Hostile programs at the external interface: malformed, oversized, out of order, flooding, silent, too many, without
the token. Each is refused with a reason, told and logged; the program that is connected notices nothing.
"""

import contextlib
import json
import random
import socket
import struct
import threading
import time

import pytest

import knuckleboom as kb
from cabin.driving import ask, until
from cabin.test_external import LENGTH, crane
from knuckleboom.cabin import external
from knuckleboom.cabin.external_client import ExternalError
from knuckleboom.cabin.external_wire import ANSWER, LINE, TEXT, VERSION, Wire, read_text
from knuckleboom.cabin.shared import Command, Mode


def message(kind, body):
    return struct.pack("<IBBH", len(body), kind, VERSION, 0) + body


def text(**told):
    return message(TEXT, json.dumps(told).encode())


JOIN = text(type="join", version=1, token="")
START = text(type="start", reads=[LENGTH], writes=[], from_start=False)


class Raw:
    """A client that sends what it likes."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 10.0)
        self.wire = Wire(self.socket, 1 << 24)

    def send(self, data):
        with contextlib.suppress(OSError):
            self.socket.sendall(data)

    def ended(self):
        """What it was told last."""
        said = ""
        with contextlib.suppress(Exception):
            while (found := self.wire.receive(10.0)) is not None:
                if found[0] == TEXT:
                    told = read_text(found[1])
                    said = told["reason"] if told["type"] == "refused" else said
        self.socket.close()
        return said


class Honest(threading.Thread):
    """A program that is connected all the time and answers each line."""

    def __init__(self, port, token=""):
        super().__init__(daemon=True)
        self.machine = kb.ExternalClient(port, reads=[LENGTH], token=token)
        self.going, self.lines, self.fault = True, 0, None

    def run(self):
        try:
            while self.going:
                self.machine.line()
                self.machine.answer({})
                self.lines += 1
        except Exception as fault:
            self.fault = fault

    def end(self, shared):
        """It goes on, and has answered each line."""
        before = self.lines
        until(lambda: self.lines > before + 10 or self.fault)
        self.going = False
        self.join(10.0)
        self.machine.close()
        assert self.fault is None
        until(lambda: shared.external.mode == Mode.NONE)
        assert shared.external.stalls == 0


def refusals(caplog):
    return [one.getMessage().split(": ", 1)[1] for one in caplog.records if "refused an external" in one.getMessage()]


def spoiled(count):
    """Bytes of which none is a right beginning."""
    rng = random.Random(4)
    for number in range(count):
        match number % 6:
            case 0:
                yield b"\xff" + rng.randbytes(rng.randrange(8, 400))
            case 1:
                yield message(TEXT, rng.randbytes(rng.randrange(1, 200)))
            case 2:
                yield text(type=rng.choice(["start", "Join", "", "hello", "quit"]), version=1, token="")
            case 3:
                yield text(type="join", version=rng.choice([0, 2, "1", None, [1]]), token="")
            case 4:
                yield message(rng.choice([LINE, ANSWER]), rng.randbytes(rng.randrange(64)))
            case 5:
                yield b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.slow
def test_malformed_programs_are_refused_and_nobody_is_disturbed(tmp_path, caplog):
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=30.0) as (shared, port, _):
        honest = Honest(port)
        honest.start()
        ask(shared, Command.RESUME)
        for data in spoiled(180):
            raw = Raw(port)
            raw.send(data)
            assert raw.ended(), data
        honest.end(shared)
    assert len(refusals(caplog)) == 180


STARTS = (
    ({"reads": "lift.length", "writes": []}, "signals are asked for by a list of names"),
    ({"reads": [1], "writes": []}, "signals are asked for by a list of names"),
    ({"reads": [], "writes": {"a": 1}}, "inputs are asked for by a list of names"),
    ({"reads": ["x" * 5000], "writes": []}, "There is no signal 'xxx"),
    ({"reads": [], "writes": [], "from_start": 1}, "from_start is neither true nor false"),
    ({"reads": [], "writes": [], "more": 1}, "should be join and start"),
)


def test_wrong_starts_and_answers(tmp_path, caplog):
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=30.0) as (shared, port, _):
        ask(shared, Command.RESUME)
        for told, reason in STARTS:
            raw = Raw(port)
            raw.send(JOIN + text(type="start", **{"from_start": False, **told}))
            assert reason in raw.ended()
            until(lambda: shared.external.mode == Mode.NONE)
        number = shared.external.asked
        for answer, reason in (
            (text(type="start", reads=[], writes=[], from_start=False), "only answers should come"),
            (message(ANSWER, struct.pack("<q", -5)), "an answer to line -5; the line to answer is"),
            (message(ANSWER, struct.pack("<qd", 1, 0.5)), "a message of 16 bytes; with 0 numbers it has 8"),
            (struct.pack("<IBBH", 1 << 30, ANSWER, VERSION, 0), "a message of 1073741824 bytes"),
        ):
            raw = Raw(port)
            raw.send(JOIN + START)
            until(lambda before=number: shared.external.asked > before)
            number = shared.external.asked
            raw.send(answer)
            assert reason in raw.ended()
            until(lambda: shared.external.mode == Mode.NONE)
        before = shared.status.steps
        until(lambda: shared.status.steps > before)  # the machine has gone on
    assert len(refusals(caplog)) == len(STARTS) + 4


def test_an_answer_that_is_not_finite_is_refused(tmp_path):
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=30.0) as (shared, port, told):
        ask(shared, Command.RESUME)
        raw = Raw(port)
        raw.send(JOIN + text(type="start", reads=[], writes=[told["inputs"][0]["name"]], from_start=False))
        until(lambda: shared.external.asked == 1)
        raw.send(message(ANSWER, struct.pack("<qd", 1, float("inf"))))
        assert raw.ended() == "an answer with a number that is not finite"
        assert shared.read_line().levers[0] == told["inputs"][0]["rest"]


def test_floods_are_refused(tmp_path, caplog):
    """Answers by the megabyte: the first that answers nothing ends it."""
    with crane(tmp_path, mode=Mode.FREE) as (shared, port, _):
        ask(shared, Command.RESUME)
        raw = Raw(port)
        raw.send(JOIN + START)
        flood = message(ANSWER, struct.pack("<q", 1)) * 100_000
        threading.Thread(target=raw.send, args=(flood,), daemon=True).start()
        assert raw.ended()
        until(lambda: shared.external.mode == Mode.NONE)
        honest = Honest(port)
        honest.start()
        # and connections by the hundred, of which most say nothing
        for _ in range(100):
            silent = socket.create_connection(("127.0.0.1", port), 10.0)
            silent.close()
        honest.end(shared)


def test_who_says_nothing_is_sent_away(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(external, "GREETING", 0.2)
    with crane(tmp_path) as (shared, port, _):
        held = [socket.create_connection(("127.0.0.1", port), 10.0) for _ in range(external.MEETINGS + 4)]
        until(lambda: len(refusals(caplog)) == external.MEETINGS + 4)
        texts = refusals(caplog)
        assert texts.count("no message 'join' within 0.2 s") == external.MEETINGS
        assert texts.count(f"{external.MEETINGS} connections at once") == 4
        for one in held:
            one.close()
        # the door is free again
        until(lambda: joined(port))


def joined(port):
    try:
        kb.ExternalClient(port).close()
    except ExternalError:
        time.sleep(0.05)
        return False
    return True


def test_the_token_is_needed(tmp_path, caplog):
    with crane(tmp_path, token="right") as (shared, port, _):
        honest = Honest(port, "right")
        honest.start()
        ask(shared, Command.RESUME)
        for wrong, reason in (("", "a token is needed"), ("wrong", "the token is wrong"), ("right ", "is wrong")):
            with pytest.raises(ExternalError, match=f"The machine refused: .*{reason}"):
                kb.ExternalClient(port, token=wrong)
        honest.end(shared)
    assert not any("right" in one for one in refusals(caplog))


def test_who_reads_nothing_does_not_stop_the_machine(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(external, "UNREAD", 0.3)
    with crane(tmp_path, mode=Mode.LOCKSTEP, patience=0.2) as (shared, port, _):
        ask(shared, Command.RESUME)
        raw = Raw(port)
        raw.send(JOIN + START)
        until(lambda: shared.external.stalls == 1)
        before = shared.status.steps
        until(lambda: shared.status.steps > before + 100)
        assert raw.ended() == "no answer within 0.2 s: the machine goes on without"
