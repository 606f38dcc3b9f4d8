# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom drive` as a shell runs it: it says where it is, drives, and ends at once; mistakes get sentences."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import connect

import knuckleboom as kb
from cabin.fake_cabin import Helper, short_line, until
from cli.command_line import COMMAND, environment, knuckleboom
from cli.test_documented_keys import compare
from cli.test_ground import CRATE
from knuckleboom.cabin.frame import SUBPROTOCOL
from knuckleboom.cabin.recording import read_recording
from knuckleboom.cabin.serve import listen
from knuckleboom.machine import Machine
from knuckleboom.machine.grounds import ground_settings
from knuckleboom.mechanics.heights import sampled
from machine.example import lifting_boom

pytestmark = pytest.mark.slow


class Drive:
    """A cabin in another process."""

    def __init__(self, *words: str, folder: Path) -> None:
        command = [*COMMAND, "drive", *words, "--json", "--no-browser", "--port", "0"]
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, cwd=folder, env=environment(), **pipes)
        assert self.process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()[1]
            text += line
        self.document: dict[str, Any] = json.loads(text)

    def client(self) -> Helper:
        query = f"?token={self.document['token']}" if self.document["token"] else ""
        address = f"ws://127.0.0.1:{self.document['port']}/live{query}"
        options: dict[str, Any] = {"compression": None, "proxy": None, "close_timeout": 0.2, "ping_interval": None}
        options["sock"] = short_line(self.document["port"])
        return Helper(connect(address, subprotocols=[SUBPROTOCOL], **options))

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and what was said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=20)
        return self.process.returncode, said


@contextmanager
def driving(*words: str, folder: Path) -> Iterator[Drive]:
    found = Drive(*words, folder=folder)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.communicate()


def test_drive_record_and_play_again(tmp_path: Path) -> None:
    """The lever lifts the crane's boom, the levers' sequence comes back, Ctrl-C ends all, and the recording plays."""
    with driving("crane-one-cylinder", "--record", "drive.kbrec", folder=tmp_path) as drive:
        live = drive.document
        assert (live["mode"], live["machine"], live["record"]) == ("live", "crane-one-cylinder", "drive.kbrec")
        with drive.client() as client:
            hello = client.text("hello", wait=300)
            names = [one["name"] for one in hello["inputs"]]
            (lever,) = {path for path, *_ in hello["controls"]["default"].values()}
            client.say("subscribe", signals=["lift.length", f"{lever}.input"])
            values = np.array([one["rest"] for one in hello["inputs"]])
            until(lambda: client.frame().signals.size == 2)
            start = client.frame().signals[0]
            values[names.index(lever)] = 0.5
            for _ in range(60):
                sent = client.levers(*values)
                frame = client.frame()
            until(lambda: client.levers(*values) and client.frame().applied >= sent)
            assert client.frame().levers[names.index(lever)] == 0.5
            assert frame.signals[0] > start + 0.01
            client.say("pause")
            client.text("status", state="paused")
        code, said = drive.end()
        assert code == 0 and "Traceback" not in said

    with driving("drive.kbrec", folder=tmp_path) as played:
        assert (played.document["mode"], played.document["machine"]) == ("replay", None)
        with played.client() as client:
            before, hello = hello, client.text("hello", wait=300)
            assert all(hello["scene"][key] == before["scene"][key] for key in ("bounds", "size"))  # the same ground
            assert hello["mode"] == "replay" and hello["duration"] > 0.5
            assert hello["machine"] == "crane-one-cylinder"
            assert [gauge["title"] for gauge in hello["gauges"]][:2] == ["engine load", "load moment"]
            client.say("subscribe", signals=["lift.length"])
            client.say("pause")
            client.say("seek", time=hello["duration"])
            until(lambda: client.frame().signals.size == 1 and client.frame().time == pytest.approx(hello["duration"]))
            assert client.frame().signals[0] > start + 0.01
        code, said = played.end(signal.SIGTERM)
        assert code == 0 and "Traceback" not in said
    compare("drive", [live, played.document])


def test_results_are_played(tmp_path: Path) -> None:
    done = knuckleboom("run", "naya-rod", "--for", "20 ms", "--no-plots", "--save", "run.nc", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with driving("run.nc", folder=tmp_path) as played, played.client() as client:
        hello = client.text("hello", wait=300)
        assert hello["duration"] == pytest.approx(0.02)
        assert {gauge["path"] for gauge in hello["gauges"]} >= {"lift.a.pressure", "pump.pressure"}
        assert client.frame().poses.shape == (len(hello["scene"]["bodies"]), 7)
        assert played.end()[0] == 0


def test_another_ground_is_driven_on_and_played_again(tmp_path: Path) -> None:
    (tmp_path / "crate.yaml").write_text(CRATE)
    words = ("crate.yaml", "--ground", "rough:40cm:3", "--record", "crate.kbrec")
    with driving(*words, folder=tmp_path) as drive:
        assert drive.document["ground"] == "rough:40cm:3"
        with drive.client() as client:
            live = client.text("hello", wait=300)
            until(lambda: client.frame().time > 0.3)
        assert drive.end()[0] == 0
    (sheet,) = live["scene"]["sheets"]
    # the surface through the heights that were computed, at twice as many places
    heights = np.array(ground_settings("rough:40cm:3", (1.0, 0.0, 0.0), 1.2)["heights"])
    drawn = np.array(sampled(heights, sheet["rows"], sheet["columns"]))
    assert live["scene"]["floor"] == pytest.approx(drawn.min(), abs=1e-3)
    assert {one["kind"] for one in live["warnings"]} >= {"tipping", "deadline"}

    with driving("crate.kbrec", folder=tmp_path) as played, played.client() as client:
        again = client.text("hello", wait=300)
        assert again["scene"] == live["scene"] and again["warnings"] == live["warnings"]
        assert played.end()[0] == 0


def test_ctrl_c_before_the_machine_is_ready(tmp_path: Path) -> None:
    with driving("excavator", folder=tmp_path) as drive:
        code, said = drive.end()
        assert code == 0 and "Traceback" not in said


def test_ctrl_c_twice_ends_as_once(tmp_path: Path) -> None:
    """Whoever is impatient finds no traceback, and the recording has its end."""
    with driving("crane-one-cylinder", "--record", "drive.kbrec", folder=tmp_path) as drive:
        with drive.client() as client:
            client.text("hello", wait=300)
        for _ in range(3):
            drive.process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        code, said = drive.end()
    assert (code, said) == (0, "")
    assert read_recording(tmp_path / "drive.kbrec").end["reason"] == "quit"


def test_other_addresses_need_a_token(tmp_path: Path) -> None:
    with driving("crane-one-cylinder", "--host", "0.0.0.0", folder=tmp_path) as drive:
        document = drive.document
        assert len(document["token"]) >= 20
        assert document["addresses"][0] == document["address"]
        assert all(one.endswith(f":{document['port']}/?token={document['token']}") for one in document["addresses"])
        with drive.client() as client:
            assert client.text("status")["state"] == "starting"
        drive.document["token"] = ""
        with drive.client() as client:
            assert client.ended() == (4401, "a token is needed")
        assert "a token is needed" in drive.end()[1]


def weak_boom() -> Machine:
    """A boom that its cylinder cannot carry, whatever the valve does."""
    machine = lifting_boom()
    machine["boom"].mass = "200 t"
    return machine


def test_drive_begins_at_rest(tmp_path: Path) -> None:
    """A machine that would sink stands; its lever has the value that holds it, until somebody moves it."""
    (tmp_path / "boom.yaml").write_text(lifting_boom().to_yaml())
    words = ("boom.yaml", "--start", "equilibrium", "--record", "drive.kbrec")
    with driving(*words, folder=tmp_path) as drive, drive.client() as client:
        hello = client.text("hello", wait=300)
        rest = [one["rest"] for one in hello["inputs"]]
        client.say("subscribe", signals=["foot.angle"])
        until(lambda: client.frame().signals.size == 1 and client.frame().time > 0.5)
        frame = client.frame()
        assert frame.signals[0] == pytest.approx(np.deg2rad(-30.0), abs=1e-4)
        assert frame.levers == pytest.approx(rest)
        spool = [one["name"] for one in hello["inputs"]].index("spool")
        assert hello["controls"]["default"]["right.y"] == ["spool", -1, "spool", "up", "down"]
        rest[spool] = 0.5
        until(lambda: client.levers(*rest) and client.frame().signals[0] < np.deg2rad(-31.0))
        assert drive.end()[0] == 0
    assert kb.replay(tmp_path / "drive.kbrec").meta["recording"]["bit_equal"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["excavtor"], "There is no machine 'excavtor'. Closest names: 'excavator'."),
        (["missing.yaml"], "missing.yaml"),
        (["missing.nc"], "There is no file 'missing.nc'."),
        (["her.nc"], "There is no file 'her.nc'. Closest names: 'here.nc'"),
        (["here.nc", "--record", "x.kbrec"], "--record: a run that is played again cannot be recorded."),
        (["here.nc", "--start", "equilibrium"], "--start: a run that is played again has its own start."),
        (["here.nc"], "'here.nc' is not a netCDF file"),
        (["here.kbrec"], "here.kbrec"),
        (["--of", "excavator"], "--of is the machine of results that are played"),
        (["--start", "rest"], "--start: 'rest' is no start; write --start equilibrium, or --start machine"),
        (["weak.yaml", "--start", "equilibrium"], "has no static equilibrium: cylinder 'lift' is too weak"),
        (["--host", "192.0.2.1"], "192.0.2.1 is not an address of this computer"),
        (["--port", "70000"], "'--port': Input should be less than or equal to 65535"),
        (["--step", "1 kg"], "--step"),
    ],
)
def test_mistakes_get_sentences(words: list[str], text: str, tmp_path: Path) -> None:
    (tmp_path / "here.nc").write_text("no results")
    (tmp_path / "here.kbrec").write_text("no recording")
    (tmp_path / "weak.yaml").write_text(weak_boom().to_yaml())
    given = words if "--port" in words else [*words, "--port", "0"]
    done = knuckleboom("drive", *given, "--no-browser", folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_port_that_is_taken(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = knuckleboom("drive", "--no-browser", "--port", str(port), folder=tmp_path)
    assert done.returncode == 2
    assert f"Port {port} of 127.0.0.1 is taken" in done.stderr and "--port" in done.stderr
