# SPDX-License-Identifier: BSD-3-Clause
"""Several people at one machine: one drives, the others watch; levers change hands; pages come back after a reload and
after the server was started again; ten clients stay for a minute."""

import contextlib
import json
import time

import pytest
from websockets.sync.client import connect

from cabin.page.driven import AT_REST, MOVED, PRESENT, driven, looked_at
from knuckleboom.cabin.frame import SUBPROTOCOL, read_frame
from report.browser import until

pytestmark = pytest.mark.slow

BOOM = "boom_pin.angle"


def drives(page):
    """A key moves a lever of the machine, and letting go returns it."""
    page.keyboard.down("k")
    until(page, MOVED)
    page.keyboard.up("k")
    until(page, AT_REST)


def test_second_client_watches_and_takes_over(browser, server):
    with looked_at(browser, server) as first, looked_at(browser, server, width=640, height=480, wait=PRESENT) as second:
        assert first.locator("#role").inner_text() == "Driving"
        assert second.locator("#role").inner_text() == "Watching"
        second.keyboard.down("k")
        second.wait_for_timeout(500)
        assert second.evaluate(AT_REST)
        second.keyboard.up("k")
        second.evaluate("cabin.send('pause')")
        until(second, "document.getElementById('banner-refused').textContent.includes('Only who holds the levers')")

        second.click("#take")
        assert second.locator("#take").inner_text() == "Waiting …"
        first.keyboard.down("k")
        until(second, MOVED)  # it sees what the driver does
        first.click("#release")
        until(second, "cabin.role.driver")
        until(second, AT_REST)  # levers that change hands return to rest
        first.keyboard.up("k")
        drives(second)
        assert first.locator("#role").inner_text() == "Watching"


def test_reload_drives_again(browser, server):
    with looked_at(browser, server, lost=True) as page:
        page.reload()
        until(page, f"{PRESENT} && cabin.role !== null && cabin.role.driver")
        drives(page)


def test_restarted_server_is_found_again(browser):
    with driven("excavator") as server, looked_at(browser, server, lost=True) as page:
        page.keyboard.down("k")
        until(page, MOVED)
        server.stop()
        banner = page.locator("#banner-lost")
        until(page, "!document.getElementById('banner-lost').hidden")
        assert "Connection lost" in banner.inner_text()
        page.keyboard.up("k")
        server.start()
        until(page, "document.getElementById('banner-lost').hidden && cabin.role !== null && cabin.role.driver", 300.0)
        drives(page)


def test_ten_clients_for_a_minute(browser, server):
    address = f"ws://127.0.0.1:{server.port}/live"
    with looked_at(browser, server, width=480, height=360) as page, contextlib.ExitStack() as stack:
        others = [stack.enter_context(connect(address, subprotocols=[SUBPROTOCOL], max_size=None)) for _ in range(9)]
        warnings, begun, last = {}, {}, {}
        until(page, "cabin.role.clients === 10")
        end = time.monotonic() + 60.0
        page.keyboard.down("k")
        while time.monotonic() < end:
            for number, other in enumerate(others):
                message = other.recv(timeout=30.0)
                if isinstance(message, str):
                    message = json.loads(message)
                    if message["type"] == "hello":
                        warnings[number] = len(message["warnings"])
                    assert message.get("driver") is not True
                elif number in warnings:
                    frame = read_frame(message, warnings[number])
                    assert frame.time >= last.get(number, -1.0)
                    begun.setdefault(number, frame.time)
                    last[number] = frame.time
        page.keyboard.up("k")
        assert page.evaluate("cabin.role.clients") == 10
        assert page.evaluate("cabin.role.driver")
        assert all(last[number] > begun[number] for number in range(9))
        until(page, AT_REST)
        stack.close()
        until(page, "cabin.role.clients === 1")
