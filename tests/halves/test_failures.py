# SPDX-License-Identifier: BSD-3-Clause
"""Another half, a process of its own, that hangs, dies, sends NaN or breaks the rules: a sentence; results are kept.

Rank of evidence: remembered texts, read through.
"""

import socket
import threading

import numpy as np
import pytest

import knuckleboom as kb
from halves.programs import ended, program
from knuckleboom.halves import messages
from knuckleboom.halves.client import MechanicsHalf, PowerHalf
from knuckleboom.wire import Wire

STEP, LAST = 0.01, 0.04  # s
HOLDING = (10221.585, 2530.0)  # N: about what carries the arm
KEPT = "\n  kept              results up to t = 0.03 s"
"""As with every failure: lines of the record before the moment at which the next step could not be made."""
SINCE = "; the last good exchange was at t = 0.03 s."

FAULTY = """
import math, os, sys, time
from knuckleboom.halves.client import PowerHalf

port, how = int(sys.argv[1]), sys.argv[2]
with PowerHalf(port) as half:
    for number, exchange in enumerate(half):
        force = [10221.585, 2530.0]
        if number == 5:
            if how == "hangs":
                time.sleep(600.0)
            if how == "dies":
                os._exit(7)
            if how == "leaves":
                break
            if how == "raises":
                raise RuntimeError("no entry of the pump map at 40 bar")
            if how == "count":
                half._send(exchange.time, exchange.size, [1.0] * 3)
                time.sleep(600.0)
            if how == "turn":
                half._sequence -= 1
            if how == "bytes":
                half._wire.connection.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
                time.sleep(600.0)
            if how == "drips":
                for _ in range(2000):
                    half._wire.connection.sendall(b"\\0")
                    time.sleep(0.3)
            if how == "nan":
                force[1] = math.nan
        exchange.advance(force, exchange.size)
"""
SENTENCES = {
    "hangs": (
        "is lost: no message came from it for 1.5 s" + SINCE,
        'a longer patience (now 1.5 s), kb.OtherHalf(patience="60 s"), or see what it does',
    ),
    "drips": (
        "is lost: no message came from it for 1.5 s" + SINCE,
        'a longer patience (now 1.5 s), kb.OtherHalf(patience="60 s"), or see what it does',
    ),
    "dies": ("is lost: it closed the connection" + SINCE, "what that process printed when it ended"),
    "leaves": ("is lost: it has ended" + SINCE, "the same duration for both halves"),
    "raises": (
        "is lost: it failed: RuntimeError: no entry of the pump map at 40 bar" + SINCE, "what its own message says",
    ),
    "count": (
        "is lost: it sent a message of 48 bytes; with 10 numbers it has 104" + SINCE,
        "the messages of docs/foreign_halves.md",
    ),
    "turn": (
        "is out of turn: exchange 4 where 5 is due" + SINCE, "an answer to every exchange, in its order",
    ),
    "bytes": (
        "is lost: it sent the bytes are no message of version 1 of the interface of halves" + SINCE,
        "the messages of docs/foreign_halves.md",
    ),
    "nan": (
        "sent nan as force of 'fold'; the last good exchange was at t = 0.04 s.",
        "a smaller exchange or smaller steps in that process, or see what it does then",
    ),
}  # fmt: skip


def arm():
    return kb.catalogue.machine("peiret-arm")


@pytest.mark.parametrize("how", SENTENCES)
def test_a_power_side_that_fails(how):
    what, remedy = SENTENCES[how]
    with (
        kb.OtherHalf(0, patience="1.5 s", wait="60 s") as half, program(FAULTY, half.port, how),
        pytest.raises(kb.SimulationError) as caught,
    ):  # fmt: skip
        kb.simulate(arm(), "0.2 s", step=STEP, record=STEP, power=half)

    head = f"Simulation stopped at t = 0.04 s: the power side, in another process, {what}"
    assert str(caught.value) == f"{head}\n  try               {remedy}{KEPT}"
    results = caught.value.results
    assert results.status == "failed" and results.message == str(caught.value)
    np.testing.assert_allclose(results.time, np.arange(4) * STEP, atol=1e-12)
    assert np.isfinite(results.record).all()
    assert np.isfinite(results.energy().residual)


def test_the_session_that_lost_its_half_keeps_what_it_has():
    with kb.OtherHalf(0, patience="1.5 s") as half, program(FAULTY, half.port, "dies"):
        sim = kb.Simulation(arm(), step=STEP, record=STEP, power=half)
        sim.run_for("30 ms")
        with pytest.raises(kb.SimulationError):
            sim.run_for("1 s")
        assert sim.status == "failed" and sim.time == pytest.approx(LAST)
        assert len(sim.results().time) == 4
        with pytest.raises(kb.SimulationError, match="the connection was closed"):
            sim.step()


def test_a_half_that_never_comes():
    with kb.OtherHalf(0, wait="0.3 s") as half, pytest.raises(kb.SimulationError) as caught:
        kb.simulate(arm(), "0.2 s", step=STEP, power=half)

    assert str(caught.value) == (
        "Simulation stopped at t = 0 s: the power side, in another process, is lost: nobody took part at port "
        f"{half.port} of 127.0.0.1 within 0.3 s; there was no exchange yet.\n"
        f"  try               to start the other process: kb.PowerHalf({half.port}), or a longer wait\n"
        "  kept              nothing was recorded yet"
    )
    assert len(caught.value.results.time) == 0


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("version", "this half speaks version 1 of the interface of halves"),
        ("role", "this half computes 'mechanics', too"),
        ("token", "the token is another"),
        ("bytes", "the bytes are no message of version 1 of the interface of halves"),
    ],
)
def test_who_may_not_take_part_is_told_why_and_the_next_is_taken(how, reason):
    told = []

    def intrude(port):
        wire = Wire(messages.connect("127.0.0.1", port, 10.0), 1 << 20, messages.HALVES)
        asked = {"version": 1, "computes": "power", "token": "right"}
        wrong = {"version": {"version": 2}, "role": {"computes": "mechanics"}, "token": {"token": "wrong"}}
        asked |= wrong.get(how, {})
        if how == "bytes":
            wire.connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        else:
            wire.send_text("join", 1.0, **asked)
        with pytest.raises(messages.Lost) as refused:
            messages.text(wire, "hello", 60.0)
        told.append(str(refused.value))
        wire.close()
        with PowerHalf(port, token="right") as half:
            for exchange in half:
                exchange.advance(HOLDING, exchange.size)

    with kb.OtherHalf(0, token="right") as half:
        intruder = threading.Thread(target=intrude, args=(half.port,))
        intruder.start()
        run = kb.simulate(arm(), "30 ms", step=STEP, power=half)
        intruder.join(60.0)
    assert run.status == "done" and told == [f"it refused: {reason}"]


def test_a_program_that_never_greets_is_left_aside(monkeypatch):
    monkeypatch.setattr("knuckleboom.halves.other_half.GREETING", 0.2)
    with (
        kb.OtherHalf(0, wait="0.5 s") as half, socket.create_connection(("127.0.0.1", half.port)),
        pytest.raises(kb.SimulationError, match=r"\(the last that tried was refused: it said nothing\)"),
    ):  # fmt: skip
        kb.simulate(arm(), "30 ms", step=STEP, power=half)


def test_no_run_and_a_port_that_is_taken():
    with kb.OtherHalf(0) as half:
        with pytest.raises(kb.HalfError, match=rf"Nobody can listen at port {half.port} of 127.0.0.1: .*in use"):
            kb.OtherHalf(half.port)
        port = half.port
    with pytest.raises(kb.HalfError, match=rf"There is no run at port {port} of 127.0.0.1: .* kb.OtherHalf\({port}\)"):
        kb.PowerHalf(port, patience="0.1 s")
    with pytest.raises(kb.HalfError, match=r"can be reached from other computers\. Give a token"):
        kb.OtherHalf(0, "0.0.0.0")
    with pytest.raises(kb.HalfError, match=r"patience is 0\.0, which is no time"):
        kb.OtherHalf(0, patience=0.0)


@pytest.mark.parametrize("port", ["abc", "8362", 70000, -1, 8362.0, True, None])
@pytest.mark.parametrize("half", [kb.OtherHalf, kb.PowerHalf, kb.MechanicsHalf])
def test_what_is_no_port(half, port):
    with pytest.raises(kb.HalfError) as caught:
        half(port)
    assert str(caught.value) == (
        f"port is {port!r}, which is no port. Give a number up to 65535, such as 8362; a computer's name goes into "
        "host='...'."
    )


# --- the mechanics elsewhere ---

ROWS = """
import math, os, sys, time
from knuckleboom.halves.client import MechanicsHalf

port, how = int(sys.argv[1]), sys.argv[2]
s, w = [1.1096, 1.2059], [0.0, 0.0]
with MechanicsHalf(port) as half:
    half.start(s, w)
    for number in range(20):
        if number == 4:
            if how == "hangs":
                time.sleep(600.0)
            if how == "dies":
                os._exit(7)
            if how == "nan":
                w[0] = math.nan
            if how == "time":
                half.time += 0.005
        half.exchange(s, w, size=0.02 if how == "size" and number == 4 else None)
    half.finish(s, w)
"""
OF_ROWS = {
    "hangs": "is lost: no message came from it for 1.5 s; the last good exchange was at t = 0.03 s.",
    "dies": "is lost: it closed the connection; the last good exchange was at t = 0.03 s.",
    "nan": "sent nan as rate of 'lift'; the last good exchange was at t = 0.03 s.",
    "time": "sent rows of t = 0.045 s where those of 0.04 s are due; the last good exchange was at t = 0.03 s.",
    "size": "asked for an exchange of 0.02 s where this half steps 0.01 s; the last good exchange was at t = 0.03 s.",
}


@pytest.mark.parametrize("how", OF_ROWS)
def test_a_mechanics_that_fails(how):
    with (
        kb.OtherHalf(0, patience="1.5 s", wait="60 s") as half, program(ROWS, half.port, how),
        pytest.raises(kb.SimulationError) as caught,
    ):  # fmt: skip
        kb.simulate(arm(), "0.2 s", step=STEP, record=STEP, mechanics=half, course="hold")
    text, results = str(caught.value), caught.value.results
    assert f"the mechanics, in another process, {OF_ROWS[how]}" in text
    # rows of a step's end come with the next exchange: without them the step is not made
    last = 0.03 if how == "size" else 0.02
    assert results.time[-1] == pytest.approx(last) and np.isfinite(results.record).all()
    assert results["lift.a.pressure"].values[-1] > 50e5
    assert results["lift.length"].values[-1] == pytest.approx(1.1096)


def test_a_mechanics_that_does_everything_right():
    with kb.OtherHalf(0, wait="60 s") as half, program(ROWS, half.port, "right") as other:
        run = kb.simulate(arm(), "0.2 s", step=STEP, record=STEP, mechanics=half, course="hold")
        assert ended(other) == (0, "")
    assert run.status == "done" and len(run.time) == 21


def test_a_mechanics_without_response_is_refused_on_a_reduced_course():
    with (
        kb.OtherHalf(0, wait="60 s") as half, program(ROWS, half.port, "right"),
        pytest.raises(kb.SimulationError) as caught,
    ):  # fmt: skip
        kb.simulate(arm(), "0.2 s", step=STEP, mechanics=half)
    assert "the mechanics, in another process, sent no a and Y, which course 'reduced' needs" in str(caught.value)
    assert "try               course hold, linear or quadratic, or a mechanics that sends a and Y" in str(caught.value)


# --- what cannot be, before anything is connected ---


def refused(machine=None, **words):
    with kb.OtherHalf(0, rows=words.pop("rows", ())) as half, pytest.raises(kb.MachineError) as caught:
        side = words.pop("side", "power")
        kb.simulate(machine or arm(), "0.1 s", step=STEP, **{side: half}, **words)
    return str(caught.value)


def test_methods_that_halves_cannot_have():
    text = refused(coupling="cosimulated", order="mechanics-first")
    assert "order 'mechanics-first' is for halves in one process" in text and "order='power-first' or 'jacobi'" in text
    assert "exchange forces" in refused(variables="pressure-displacement")
    assert "coupling 'realtime' has no halves apart.\n   Write coupling='cosimulated'." in refused(coupling="realtime")
    assert "begin at the machine's own start" in refused(start="equilibrium")
    with kb.OtherHalf(0) as half:
        assert "nothing is left to compute here" in refused(mechanics=half)


def test_rows_that_halves_cannot_share():
    text = refused(rows=["lfit"])
    assert "no actuator, thrust or effort 'lfit'" in text and "Closest names: 'lift'" in text
    assert "fold': its oil would be left here" in refused(rows=["lift"])
    assert "rows=['lift', 'fold']" in refused(rows=["lift"])
    pendulum = kb.Machine("pendulum")
    rod = pendulum.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    pendulum.revolute("foot", pendulum.ground, rod, axis="y")
    assert "Machine 'pendulum' has nothing that two halves could share." in refused(pendulum)
    pendulum.effort("push", "foot")
    assert "effort" not in refused(pendulum, rows=["none"]).split("There are")[1]
    assert "input 'push' is the other half's" in refused(pendulum, rows=["push"], inputs={"push": 3.0})


def test_a_run_with_another_half_does_not_go_back():
    with kb.OtherHalf(0, wait="60 s") as half, program(FAULTY, half.port, "right"):
        sim = kb.Simulation(arm(), step=STEP, power=half)
        kept = sim.snapshot()
        sim.step()
        for back in (sim.reset, lambda: sim.restore(kept)):
            with pytest.raises(kb.MachineError, match="the power side is computed by another process"):
                back()
        with pytest.raises(kb.MachineError, match="input 'lift' is the power side's"):
            sim.step({"lift": 1e3})
        sim.close()


# --- a user's own mistakes on the other side ---


def own_mistake(act):
    """What a program with a mistake of its own raises, and what the run says."""
    found = []

    def serve(port):
        try:
            with PowerHalf(port) as half:
                for exchange in half:
                    act(exchange)
        except kb.HalfError as error:
            found.append(str(error))

    with kb.OtherHalf(0) as half:
        thread = threading.Thread(target=serve, args=(half.port,))
        thread.start()
        with pytest.raises(kb.SimulationError) as caught:
            kb.simulate(arm(), "0.1 s", step=STEP, power=half)
        thread.join(60.0)
    return found[0], str(caught.value)


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (lambda one: None, "No forces were given for the exchange at t = 0 s."),
        (lambda one: one.advance(HOLDING, 0.9 * one.size), "0.009 s of the exchange at t = 0 s were carried out"),
        (lambda one: one.advance([1.0], one.size), "There are 1 forces for 2 rows."),
    ],
)
def test_mistakes_of_a_program_are_named_on_both_sides(act, text):
    own, said = own_mistake(act)

    assert text in own and text in said


def test_a_course_that_programs_are_not_offered():
    found = []

    def serve(port):
        with pytest.raises(kb.HalfError) as caught:
            PowerHalf(port)
        found.append(str(caught.value))

    with kb.OtherHalf(0) as half:
        thread = threading.Thread(target=serve, args=(half.port,))
        thread.start()
        with pytest.raises(kb.SimulationError, match="it closed the connection; there was no exchange yet"):
            kb.simulate(arm(), "0.1 s", step=STEP, power=half, course="published")
        thread.join(60.0)
    assert found == ["Course 'published' is not offered here. Run with one of hold, linear, quadratic, reduced."]


@pytest.mark.parametrize("hello", [{"version": 2}, {"rows": [{"name": "lift"}]}, {"computes": "power"}, {"step": None}])
def test_a_hello_that_is_none(hello):
    whole = {"version": 1, "computes": "mechanics", "rows": [], "step": 0.01}
    found = []

    def connect(port):
        with pytest.raises(kb.HalfError, match=r"This is not a half of a machine|both halves compute the power side"):
            PowerHalf(port)
        found.append(True)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=connect, args=(listener.getsockname()[1],))
        thread.start()
        connection, _ = listener.accept()
        wire = Wire(connection, 1000, messages.HALVES)
        messages.text(wire, "join", 10.0)
        wire.send_text("hello", 10.0, **{**whole, **hello})
        thread.join(60.0)
        wire.close()
    assert found


def test_a_mechanics_with_too_few_numbers():
    with kb.OtherHalf(0) as half:
        answers = []
        thread = threading.Thread(target=lambda: answers.append(MechanicsHalf(half.port)))
        thread.start()
        with pytest.raises(kb.SimulationError):
            half.patience = 0.5
            kb.simulate(arm(), "0.1 s", step=STEP, mechanics=half, course="hold")
        thread.join(60.0)
        with pytest.raises(kb.HalfError, match=r"\(1,\) numbers were given for the rows lift, fold: it takes \(2,\)"):
            answers[0].start([1.0], [0.0, 0.0])
        answers[0].close()
