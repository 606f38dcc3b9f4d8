# SPDX-License-Identifier: BSD-3-Clause
"""A machine in the runner's process behind the server: it goes where the lever says, stops when the driver is gone."""

import time
from pathlib import Path

import numpy as np
import pytest

from cabin.fake_cabin import running, until
from knuckleboom.cabin.limits import Message
from knuckleboom.cabin.live import GONE, Live
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.errors import KnuckleboomError

pytestmark = pytest.mark.slow


def crane() -> Case:
    return NAMES["crane-one-cylinder"]()


def test_driver_lifts_and_disappears(tmp_path: Path) -> None:
    live = Live(crane, record=tmp_path / "lift.kbrec", priority=False)
    try:
        with running(live) as server:
            watcher = server.client()
            assert watcher.text("status")["state"] == "starting"
            hello = watcher.text("hello", wait=300)
            ((path, *_),) = hello["controls"]["default"].values()
            lever = [one["name"] for one in hello["inputs"]].index(path)
            watcher.say("release")
            driver = server.client()
            driver.text("hello")
            values = np.array([one["rest"] for one in hello["inputs"]])
            values[lever] = 1.0
            for _ in range(20):
                driver.levers(*values)
                time.sleep(0.02)
            until(lambda: watcher.frame().levers[lever] == 1.0)
            driver.socket.socket.close()
            until(lambda: watcher.frame().levers[lever] == hello["inputs"][lever]["rest"])

            # commands of who takes over
            watcher.say("take")
            watcher.text("role", driver=True)
            watcher.say("pause")
            told = watcher.text("status", state="paused")
            assert told["recording"] and told["record_file"] == str(tmp_path / "lift.kbrec")
            assert 0 < told["corrected"] < told["steps"] and told["halved"] >= 0 and told["unresolved"] >= 0
            before = watcher.frame().time
            watcher.say("step")
            until(lambda: watcher.frame().time > before)
            assert watcher.frame().time == pytest.approx(before + hello["step"])
            watcher.say("speed", value=0.5)
            watcher.say("resume")
            assert watcher.text("status", state="running")["speed"] == 0.5
            watcher.say("reset")
            until(lambda: watcher.frame().time < before)
            watcher.text("status", corrected=0, halved=0, unresolved=0)
            watcher.say("seek", time=1.0)
            assert "has no other times" in watcher.text("refused")["reason"]

            # the process is killed: told, not hidden
            live._runner.process.kill()  # type: ignore[union-attr]
            assert watcher.text("status", state="failed")["message"] == GONE
            watcher.say("reset")
            assert watcher.text("refused")["reason"] == GONE
            watcher.socket.close()
    finally:
        live.close()


def test_before_it_is_ready_there_is_nothing_to_see() -> None:
    live = Live(crane)
    assert live.look() is None and live.known is None
    assert live.status()["message"].startswith("Getting the machine ready") and live.status()["corrected"] is None
    assert live.ask(Message("pause")) == GONE
    live.centre()
    live.steer(np.zeros(1), 1)
    live.close()


def test_machine_that_does_not_exist_is_told_to_who_opens() -> None:
    def find() -> Case:
        raise KnuckleboomError("There is no machine 'crne'.")

    with pytest.raises(KnuckleboomError, match="There is no machine"):
        Live(find).open()
