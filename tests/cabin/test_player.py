# SPDX-License-Identifier: BSD-3-Clause
"""A run that is played again: its time, slow motion, seeking, single lines, and what is between two records."""

import numpy as np
import pytest

from cabin.fake_cabin import known, running
from knuckleboom.cabin import frame
from knuckleboom.cabin.limits import Message
from knuckleboom.cabin.player import Player

COUNTS: dict[str, int | None] = {"steps": 3000, "corrected": 12, "halved": 2, "unresolved": 0}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def record() -> np.ndarray:
    """Three seconds, a line every half: the pressure rises, the arm turns, its quaternion changes side once."""
    times = np.arange(7) * 0.5
    lines = np.zeros((7, 10))
    lines[:, 0], lines[:, 8], lines[:, 9] = times, 1e5 * (1 + times), times
    lines[:, 4], lines[:, 6] = np.cos(times / 2), np.sin(times / 2)
    lines[3:5, 4:8] *= -1.0
    return lines


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def player(clock: Clock) -> Player:
    found = Player(lambda: (known(), record(), np.array([9]), COUNTS), clock)
    assert found.look() is None and found.status()["state"] == "starting" and found.status()["corrected"] is None
    found.open()
    return found


def seen(player: Player) -> tuple[float, float]:
    sight = player.look()
    assert sight is not None
    return sight.time, float(sight.line[8])


def test_it_plays_and_stops_at_the_end(player: Player, clock: Clock) -> None:
    assert player.duration == 3.0
    assert seen(player) == (0.0, 1e5)
    clock.now += 1.0
    assert seen(player) == (1.0, 2e5)
    clock.now += 0.25
    assert seen(player) == (1.25, 2.25e5)
    clock.now += 100.0
    assert seen(player) == (3.0, 4e5)
    assert player.status()["state"] == "paused"
    assert player.look().flags == frame.PAUSED
    assert not player.is_new()
    player.ask(Message("resume"))
    assert seen(player) == (0.0, 1e5) and player.status()["state"] == "running"


def test_slow_motion_pause_and_seek(player: Player, clock: Clock) -> None:
    assert player.ask(Message("speed", 0.1)) == ""
    clock.now += 5.0
    assert seen(player)[0] == pytest.approx(0.5)
    assert player.ask(Message("pause")) == ""
    clock.now += 5.0
    assert seen(player)[0] == pytest.approx(0.5)
    assert player.ask(Message("seek", 2.2)) == ""
    assert player.is_new()
    assert seen(player)[0] == pytest.approx(2.2)
    assert player.ask(Message("step")) == ""
    assert seen(player) == (2.5, 3.5e5)
    for _ in range(5):
        player.ask(Message("step"))
    assert seen(player)[0] == 3.0
    player.ask(Message("seek", 1e9))
    assert seen(player)[0] == 3.0
    player.ask(Message("reset"))
    assert seen(player)[0] == 0.0
    assert player.ask(Message("record", True)) == "A run that is played again cannot be recorded."


def test_record_that_begins_in_the_middle_of_a_drive(clock: Clock) -> None:
    """Frames tell the time as `seek` and `duration` count it: from the beginning of the record."""
    lines = record()
    lines[:, 0] += 40.0
    player = Player(lambda: (known(), lines, np.array([9]), COUNTS), clock)
    player.open()
    assert player.duration == 3.0
    assert seen(player) == (0.0, 1e5)
    player.ask(Message("pause"))
    for at in (1.25, 3.0):
        player.ask(Message("seek", at))
        assert seen(player) == (at, pytest.approx(1e5 * (1 + at)))


def test_levers_are_those_of_the_run(player: Player) -> None:
    player.ask(Message("pause"))
    player.ask(Message("seek", 1.5))
    np.testing.assert_array_equal(player.look().levers, [1.5])
    player.steer(np.array([9.0]), 1)
    player.centre()
    np.testing.assert_array_equal(player.look().levers, [1.5])


def test_turns_do_not_jump_between_lines(player: Player) -> None:
    """Half way between two records the turn is half way, also where q became −q."""
    player.ask(Message("pause"))
    for at in (1.25, 2.25):
        player.ask(Message("seek", at))
        w, y = player.look().line[[4, 6]]
        assert abs(np.arctan2(y, w)) % np.pi == pytest.approx(at / 2, rel=1e-6)


def test_server_shows_it_and_seeks() -> None:
    lines = record()[:, :9]
    player = Player(lambda: (known(), lines, np.zeros(2, np.intp), COUNTS))
    with running(player) as server, server.client() as client:
        hello = client.text("hello")
        assert (hello["mode"], hello["duration"]) == ("replay", 3.0)
        client.say("pause")
        client.say("seek", time=2.0)
        client.say("subscribe", signals=["lift.a.pressure"])
        while not (len(one := client.frame().signals) and one[0] == 3e5):
            pass
        assert client.frame().flags == frame.PAUSED
        status = client.text("status", state="paused")
        assert status["step_mean_us"] is None and {key: status[key] for key in COUNTS} == COUNTS
        with server.client() as watcher:
            watcher.text("hello")
            watcher.say("seek", time=0.0)
            assert watcher.text("refused")["reason"] == "Only who holds the levers may do that."
