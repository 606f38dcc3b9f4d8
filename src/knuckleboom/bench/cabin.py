# SPDX-License-Identifier: BSD-3-Clause
"""The operator's cabin as a person meets it: `knuckleboom drive excavator` in its own process, its page in Chromium.

Pictures are drawn by software in a window of 1280x720, with shadows, while keys work the levers: what any computer can
do. What of the window is picture, beside gauges and bars, and how finely the page chose to draw it, is given in pixels.
Frames per second are new pictures that the browser took. A round trip begins with the press of a key in the page and
ends when a picture that shows the machine with that lever applied has been drawn to its last pixel. Deadlines are those
of the loop at 1 kHz with the page attached, once with real-time priority (null where the system refuses it) and once
without. What the host of a virtual computer takes of its time meanwhile no priority can prevent: it is given with them.
Memory is that of server and runner together, shared pages counted once, at the end and after the first minute.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Error as PageError
from playwright.sync_api import Page, sync_playwright

from knuckleboom.bench.browser import SOFTWARE, find
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.bench.start_time import BenchError

MACHINE = "excavator"
WIDTH, HEIGHT = 1280, 720
SECONDS, MEMORY_AFTER, TRIPS = 60.0, 600.0, 60
START = 300.0
"""s that a machine may take until it runs: it may have to be compiled."""
SLICE = 5.0
"""s of driving between two looks at the clock."""
STEAL = 7  # column of /proc/stat

DRIVE = """async (seconds) => {
  const keys = ["KeyW", "KeyD", "ArrowUp", "ArrowRight", "KeyS", "KeyA", "ArrowDown", "ArrowLeft"];
  const press = (kind, code) => window.dispatchEvent(new KeyboardEvent(kind, { code, bubbles: true }));
  const began = performance.now();
  let held = null, drawn = cabin.stage.pictures, taken = 0;
  await new Promise((done) => {
    const work = (now) => {
      const wanted = keys[Math.floor((now - began) / 700) % keys.length];
      if (wanted !== held) {
        if (held) press("keyup", held);
        press("keydown", wanted);
        held = wanted;
      }
      if (cabin.stage.pictures > drawn) taken += 1;
      drawn = cabin.stage.pictures;
      if (now - began < 1000 * seconds) requestAnimationFrame(work);
      else done();
    };
    requestAnimationFrame(work);
  });
  press("keyup", held);
  return { pictures: taken, seconds: (performance.now() - began) / 1000 };
}"""
"""Work the levers for a while, and count the new pictures that the browser takes."""

TRIP = """async () => {
  const picture = () => new Promise(requestAnimationFrame);
  const press = (kind) => window.dispatchEvent(new KeyboardEvent(kind, { code: "KeyW", bubbles: true }));
  const differs = (a, b) => a.some((value, i) => Math.abs(value - b[i]) > 1e-6);
  const rest = async () => {
    let levers = [...cabin.frame.levers];
    for (let same = 0; same < 12; same += 1) {
      await picture();
      if (differs(levers, cabin.frame.levers)) same = 0;
      levers = [...cabin.frame.levers];
    }
    return levers;
  };
  const { stage } = cabin, gl = document.getElementById("canvas").getContext("webgl2"), pixel = new Uint8Array(4);
  const before = await rest();
  await new Promise((done) => setTimeout(done, 50 * Math.random()));
  const took = await new Promise((done, fail) => {
    const began = performance.now(), draw = stage.draw;
    const end = setTimeout(() => fail(new Error("a lever was pressed and nothing moved for 20 s")), 20000);
    stage.draw = (now) => {
      const made = draw.call(stage, now);
      if (made && differs(before, cabin.frame.levers)) {
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);  // waits for the last pixel
        done(performance.now() - began);
        clearTimeout(end);
        delete stage.draw;
      }
      return made;
    };
    press("keydown");
  });
  press("keyup");
  return took;
}"""
"""Press a lever and wait until it is seen; ms."""


def measure(
    progress: Progress | None = None, *, seconds: float = SECONDS, memory_after: float = MEMORY_AFTER
) -> dict[str, Any]:  # fmt: skip
    """Drive for `seconds` with real-time priority, on until `memory_after`, and for `seconds` without; see the card."""
    report = progress or (lambda fraction: None)
    share = memory_after / (memory_after + seconds)
    browser = find()
    if not browser:
        raise BenchError("Pages are opened in Chromium, which was not found. Install it, or name it: CHROMIUM=/path")
    with started() as server, opened(server["address"], browser) as page:
        began = time.monotonic()
        driven = drive(page, seconds, Part(report, 0.0, share * seconds / memory_after))
        trips = np.array([page.evaluate(TRIP) for _ in range(TRIPS)])
        picture = page.evaluate('["width", "height"].map((side) => document.getElementById("canvas")[side])')
        first = memory_mb(server["pid"])
        while (left := memory_after - (time.monotonic() - began)) > 0.0:
            page.evaluate(DRIVE, min(left, SLICE))
            report(share * (1.0 - left / memory_after))
        last = memory_mb(server["pid"])
    with started("--no-priority") as server, opened(server["address"], browser) as page:
        normal = drive(page, seconds, Part(report, share, 1.0))
    granted = driven["priority"]
    return {
        "machine": MACHINE,
        "width": WIDTH,
        "height": HEIGHT,
        "picture_width": picture[0],
        "picture_height": picture[1],
        "seconds": seconds,
        "frames_per_second": driven["frames_per_second"],
        "server_ms_per_frame": driven["server_ms"],
        "round_trip_ms": float(np.median(trips)),
        "round_trip_95_ms": float(np.percentile(trips, 95)),
        "round_trips": TRIPS,
        "priority": granted,
        "priority_text": driven["priority_text"],
        "missed_deadlines": driven["missed"] if granted else None,
        "missed_deadlines_normal_priority": normal["missed"],
        "stolen_ms": driven["stolen_ms"],
        "worst_step_us": driven["step_worst_us"],
        "mean_step_us": driven["step_mean_us"],
        "worst_lateness_us": driven["lateness_worst_us"],
        "reached_speed": driven["reached"],
        "memory_mb": last,
        "memory_first_mb": first,
        "memory_after_s": memory_after,
    }


@contextlib.contextmanager
def started(*options: str) -> Iterator[dict[str, Any]]:
    """The server with its machine, as a person starts it; what it says of itself and its process number."""
    command = [sys.executable, "-m", "knuckleboom", "drive", MACHINE, "--port", "0", "--no-browser", "--json", *options]
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            text = ""
            while not text.rstrip().endswith("}"):
                line = server.stdout.readline()
                if not line:
                    said.seek(0)
                    raise BenchError(f"'{' '.join(command[2:])}' ended: {said.read().strip()[-500:]}")
                text += line
            yield {**json.loads(text), "pid": server.pid}
        finally:
            server.terminate()
            server.communicate()


@contextlib.contextmanager
def opened(address: str, browser: str) -> Iterator[Page]:
    """The page, with the machine running in it."""
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=SOFTWARE)
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        try:
            page.goto(address)
            wait_until_driven(page)
            page.evaluate(DRIVE, SLICE)  # the first pictures compile shaders
            yield page
        except PageError as error:
            raise BenchError(f"The page did not do what it should: {error.message.splitlines()[0]}") from error
        finally:
            chromium.close()


def wait_until_driven(page: Page) -> None:
    """Wait for a machine that runs and levers that are ours; the page's own rules forbid to leave that to it."""
    end = time.monotonic() + START
    while not page.evaluate('Boolean(cabin.frame && cabin.role?.driver && cabin.status?.state === "running")'):
        if time.monotonic() > end:
            raise BenchError(f"The machine did not run within {START:g} s: {page.evaluate('cabin.status?.message')}")
        time.sleep(0.1)


def drive(page: Page, seconds: float, progress: Progress) -> dict[str, Any]:
    """Work the levers for so long; the server's last status, with the deadlines missed meanwhile, and the pictures."""
    before, stolen = page.evaluate("cabin.status.missed"), stolen_ms()
    pictures, passed, server_ms = 0, 0.0, []
    while passed < seconds:
        told = page.evaluate(DRIVE, min(SLICE, seconds - passed))
        pictures += told["pictures"]
        passed += told["seconds"]
        server_ms.append(page.evaluate("cabin.status.server_ms"))
        progress(min(1.0, passed / seconds))
    status: dict[str, Any] = page.evaluate("cabin.status")
    missed = status["missed"] - before
    return {
        **status,
        "missed": missed,
        "stolen_ms": stolen_ms() - stolen,
        "frames_per_second": pictures / passed,
        "server_ms": float(np.median(server_ms)),
    }


def stolen_ms() -> float:
    """Time that the host has taken from the processors of this virtual computer so far, ms; 0 on a real one."""
    _, *counted = Path("/proc/stat").read_text().splitlines()[0].split()
    return 1e3 * int(counted[STEAL]) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Memory of a process and its children, shared pages counted once, MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return own / 1024.0 + sum(memory_mb(int(child)) for child in children)
