# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom drive` as a process of its own, and pages of a real Chromium that look at it. A page may ask nobody but
this server for anything, and no script in it may fail."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from report.browser import colours, until

PICTURES = Path(__file__).parent / "pictures"
"""Screenshots of every run, kept to be looked at; git ignores them."""
READY_S = 300.0
"""A first start may have to compile."""

PRESENT = "cabin.frame !== null && cabin.stage.pictures > 3"
DRIVING = f"{PRESENT} && cabin.role !== null && cabin.role.driver"
AT_REST = "cabin.frame.levers.every((lever, i) => lever === Math.fround(cabin.hello.inputs[i].rest))"
MOVED = f"!({AT_REST})"
COLOURS = colours("cabin.stage.dirty = true; cabin.stage.draw(performance.now());")


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


class Driven:
    """One server process; `address` is its page."""

    def __init__(self, port: int, *words: str, priority: bool = False) -> None:
        self.port, self.words = port, words
        self.more = ["--no-browser"] if priority else ["--no-browser", "--no-priority"]
        self.address = f"http://127.0.0.1:{port}/"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "knuckleboom", "drive", *self.words, "--port", str(self.port), *self.more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        end = time.monotonic() + READY_S
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(self.address, timeout=5.0) as answer:
                assert answer.status == 200
                return
            assert self.process.poll() is None, self.process.communicate()[0]
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20.0)


@contextlib.contextmanager
def driven(*words: str, priority: bool = False) -> Iterator[Driven]:
    """Start `knuckleboom drive` with these words, and end it; without priority, as tests share the computer."""
    server = Driven(free_port(), *words, priority=priority)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def looked_at(
    browser: Browser, server: Driven, *, width: int = 1280, height: int = 720, dark: bool = False, lost: bool = False,
    script: str = "", wait: str = DRIVING,
) -> Iterator[Page]:  # fmt: skip
    """Open the page; `script` runs before it, `wait` says when it is ready, `lost` that the link will be cut."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", accept_downloads=True
    )
    page = context.new_page()
    faults: list[str] = []
    own = re.compile(rf"(https?|ws)://127\.0\.0\.1:{server.port}/|blob:")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" and not lost else None)
    page.on("request", lambda request: None if own.match(request.url) else faults.append(request.url))
    page.on("websocket", lambda opened: None if own.match(opened.url) else faults.append(opened.url))
    if script:
        page.add_init_script(script)
    page.goto(server.address)
    try:
        until(page, wait, READY_S)
        yield page
        assert faults == []
    finally:
        context.close()


def value(page: Page, path: str) -> Any:
    """The newest value of a signal that the page has subscribed to."""
    until(page, f"cabin.signals.value('{path}') !== undefined")
    return page.evaluate(f"cabin.signals.value('{path}')")


def begin_anew(page: Page) -> None:
    """Bring the machine back to its start, and let it run."""
    page.evaluate("cabin.send('speed', { value: 1 }); cabin.send('pause')")
    until(page, "cabin.frame.paused && cabin.status.speed === 1")
    page.evaluate("cabin.send('reset')")
    until(page, "cabin.frame.time < 0.01")
    page.evaluate("cabin.send('resume')")
    until(page, "!cabin.frame.paused")


def picture(page: Page, name: str) -> None:
    """Keep a screenshot."""
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
