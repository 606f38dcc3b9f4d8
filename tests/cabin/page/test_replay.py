# SPDX-License-Identifier: BSD-3-Clause
"""A recorded drive plays in the page: it moves by itself, stops, and the slider goes to any time; levers are hidden."""

import pytest

from cabin.page.driven import MOVED, begin_anew, driven, looked_at, picture, value
from report.browser import chromium, until

pytestmark = pytest.mark.slow

BOOM = "boom_pin.angle"


def test_recording_plays_with_a_time_slider(tmp_path):
    file = tmp_path / "drive.kbrec"
    with chromium() as browser:
        with driven("excavator", "--record", str(file)) as server, looked_at(browser, server) as page:
            assert page.evaluate("cabin.frame.recording")
            assert page.locator("#record").get_attribute("aria-pressed") == "true"
            page.keyboard.down("k")
            until(page, MOVED)
            until(page, f"cabin.frame.time > {page.evaluate('cabin.frame.time') + 1.0}")
            end, driven_to = page.evaluate(f"[cabin.frame.time, cabin.signals.value('{BOOM}')]")
            page.keyboard.up("k")
            assert page.locator("#corrected").inner_text().endswith(" %")
        with driven(str(file)) as server, looked_at(browser, server) as page:
            assert page.locator("#levers").is_hidden() and page.locator("#record").is_hidden()
            assert page.locator("#role").inner_text() == "Playing"
            begin_anew(page)
            page.click("#pause")
            until(page, "cabin.frame.paused")
            start = value(page, BOOM)
            page.locator("#time").fill(f"{end:.2f}")
            until(page, f"Math.abs(cabin.frame.time - {end}) < 0.02")
            assert value(page, BOOM) == pytest.approx(driven_to, abs=0.02)
            assert abs(value(page, BOOM) - start) > 0.05
            shown = page.locator("#corrected")
            assert shown.inner_text().endswith(" %") and "made in parts" in shown.get_attribute("title")
            picture(page, "replay")
            page.locator("#time").fill("0")
            until(page, f"cabin.frame.time < 0.01 && Math.abs(cabin.signals.value('{BOOM}') - {start}) < 0.01")
