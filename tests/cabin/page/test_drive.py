# SPDX-License-Identifier: BSD-3-Clause
"""The page of the cabin in a real Chromium, with the excavator running: what hands do moves the machine, and letting go
stops it; the clock obeys; mappings are kept; charts show what is asked for."""

import contextlib
import json

import pytest

from cabin.page.driven import AT_REST, COLOURS, begin_anew, looked_at, picture, value
from report.browser import until

pytestmark = pytest.mark.slow

BOOM, SLEW = "boom_pin.angle", "slewing.angle"
PADS = """
    window.pads = [
        { id: "Test Pad", index: 0, connected: true, mapping: "standard", axes: [0, 0, 0, 0],
          buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false })) },
        { id: "Test Stick", index: 1, connected: true, mapping: "", axes: [0, 0],
          buttons: [{ value: 0, pressed: false }] },
    ];
    navigator.getGamepads = () => window.pads;
"""


@pytest.fixture
def page(browser, server):
    """A page that drives; the machine begins anew."""
    with looked_at(browser, server, width=1000, height=640, script=PADS) as opened:
        opened.evaluate("cabin.stage.quality.level = 0; cabin.stage.fit()")  # the processor has other things to do
        begin_anew(opened)
        yield opened


def later(page, seconds):
    """Wait until the machine's time has gone on by so much, however fast that is here."""
    now = page.evaluate("cabin.frame.time")
    until(page, f"cabin.frame.time >= {now + seconds}")


@contextlib.contextmanager
def moving(page, changes):
    """What is done in here changes signals by these amounts: counted from before it, so that no stop is too near."""
    starts = {path: value(page, path) for path in changes}
    yield
    for path, by in changes.items():
        sign = 1 if by > 0 else -1
        until(page, f"{sign} * (cabin.signals.value('{path}') - {starts[path]}) >= {abs(by)}")


def stands(page, path, within):
    """A signal stands: it changes by less than this over half a second, once 20 t have stopped rocking on the oil.

    Rocking falls from 0.03 to 0.004 rad within 5 s; a boom that went on would move by 0.2 rad in half a second.
    """
    until(page, AT_REST)
    later(page, 5.0)
    start = value(page, path)
    later(page, 0.5)
    assert abs(value(page, path) - start) < within


def test_machine_is_visible(page):
    assert page.evaluate(COLOURS) > 300
    with_machine = page.evaluate("document.getElementById('canvas').width * document.getElementById('canvas').height")
    changed = page.evaluate("""() => {
        const { stage } = cabin, canvas = document.getElementById('canvas');
        const shot = () => {
            stage.dirty = true;
            stage.draw(performance.now());
            const copy = document.createElement('canvas');
            Object.assign(copy, { width: canvas.width, height: canvas.height });
            const pen = copy.getContext('2d');
            pen.drawImage(canvas, 0, 0);
            return pen.getImageData(0, 0, copy.width, copy.height).data;
        };
        const before = shot();
        stage.machine.group.visible = false;
        const after = shot();
        stage.machine.group.visible = true;
        let count = 0;
        for (let i = 0; i < before.length; i += 4) {
            const far = [0, 1, 2].map((k) => Math.abs(before[i + k] - after[i + k]));
            if (far[0] + far[1] + far[2] > 30) count += 1;
        }
        return count;
    }""")
    assert changed > 0.05 * with_machine  # machine and shadow fill a good part of the picture
    picture(page, "excavator")


def test_key_moves_the_boom_and_letting_go_stops_it(page):
    with moving(page, {BOOM: 0.03}):
        page.keyboard.down("k")  # the right lever back: the boom rises
    page.keyboard.up("k")
    stands(page, BOOM, 0.01)

    with moving(page, {BOOM: -0.03}):
        page.keyboard.down("i")
    page.evaluate("window.dispatchEvent(new Event('blur'))")  # the window loses the focus, the key stays down
    stands(page, BOOM, 0.01)
    page.keyboard.up("i")


def test_faked_gamepad_drives_two_axes(page):
    with moving(page, {SLEW: -0.02, BOOM: 0.02}):
        page.evaluate("pads[0].axes = [0.9, 0, 0, 0.9]")  # left stick to the right, right stick back
    page.evaluate("pads[0].axes = [0, 0, 0, 0]")
    stands(page, BOOM, 0.01)

    with moving(page, {SLEW: 0.02}):
        page.evaluate("pads[1].axes = [-0.9, 0]")  # a second device, at the same time: the left lever too
    page.evaluate("pads[1].axes = [0, 0]")
    until(page, AT_REST)


def test_lever_on_the_screen(page):
    box = page.locator("[data-lever=right] svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with moving(page, {BOOM: 0.02}):
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"])
    page.mouse.up()
    stands(page, BOOM, 0.01)


def test_pattern_changes_what_a_lever_moves(page):
    page.select_option("#pattern", "sae")
    assert page.locator("[data-lever=left]").get_attribute("aria-label") == (
        "left lever: boom down, key W; slew left, key A; boom up, key S; slew right, key D"
    )
    with moving(page, {BOOM: 0.02}):
        page.keyboard.down("s")
    page.keyboard.up("s")
    until(page, AT_REST)
    page.select_option("#pattern", "iso")


def test_mapping_is_saved_restored_and_checked(page, tmp_path):
    page.click("#mapping")
    stick = page.locator(".device", has_text="Test Stick")
    stick.locator("[data-axis='0'] select").select_option("right.x")
    stick.locator("[data-axis='0'] [data-setting=deadzone]").fill("0.25")
    page.evaluate("pads[1].axes = [0.625, 0]")
    until(page, "document.querySelectorAll('.device')[1].querySelector('.figure').textContent === '0.33'")  # 0.5^1.6
    page.click("[data-learn='left.y+']")
    page.keyboard.press("t")
    picture(page, "mapping")
    with page.expect_download() as saved:
        page.get_by_text("Save as file").click()
    file = tmp_path / "mapping.json"
    saved.value.save_as(file)
    mapping = json.loads(file.read_text())
    assert mapping["devices"]["Test Stick"]["axes"][0] == {
        "from": 0, "to": "right.x", "invert": False, "deadzone": 0.25, "curve": 1.6,
    }  # fmt: skip
    assert mapping["keys"]["KeyT"] == "left.y+"

    page.reload()
    until(page, "cabin.role !== null && cabin.role.driver && cabin.hands !== null")
    kept = page.evaluate("cabin.mapping")
    assert (kept["devices"]["Test Stick"], kept["keys"]) == (mapping["devices"]["Test Stick"], mapping["keys"])
    page.click("#mapping")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({**mapping, "version": 9}))
    page.set_input_files("input[type=file]", wrong)
    until(page, "document.querySelector('.said').textContent.includes('version 9')")
    page.get_by_text("Usual mapping").click()
    assert "KeyT" not in page.evaluate("cabin.mapping.keys")
    page.set_input_files("input[type=file]", file)
    until(page, "cabin.mapping.keys.KeyT === 'left.y+'")


def test_clock(page):
    page.click("#pause")
    until(page, "cabin.frame.paused")
    now = page.evaluate("cabin.frame.time")
    page.click("#step")
    until(page, f"cabin.frame.time > {now}")
    assert page.evaluate("cabin.frame.time") == pytest.approx(now + page.evaluate("cabin.hello.step"), abs=1e-9)
    page.select_option("#speed", "0.1")
    until(page, "cabin.status.speed === 0.1")
    page.keyboard.press("Space")
    until(page, f"!cabin.frame.paused && cabin.frame.time > {now + 0.01}")
    page.keyboard.press("Equal")
    until(page, "cabin.status.speed === 0.2")
    page.click("#pause")
    until(page, f"cabin.frame.paused && cabin.frame.time > {now}")
    page.click("#reset")
    until(page, "cabin.frame.time < 0.01")


def test_charts_of_any_signal(page):
    page.click("#add-chart")
    page.locator("input[type=search]").fill("stick_cylinder pressure")
    shown = page.locator(".choices b").all_inner_texts()
    assert "stick_cylinder.a.pressure" in shown and all("stick_cylinder" in path for path in shown)
    page.locator(".choices label", has_text="stick_cylinder.b.pressure").first.click()
    page.keyboard.press("Escape")
    chart = page.locator(".chart[data-unit='bar gauge']")
    assert "stick_cylinder.b.pressure" in chart.inner_text()
    values = "cabin.charts.cards.get('bar gauge').values.get('stick_cylinder.b.pressure')"
    until(page, f"{values}.filter((value) => value > 0).length > 5")
    page.locator("[aria-label='remove stick_cylinder.b.pressure']").click()
    assert "stick_cylinder.b.pressure" not in page.locator("#charts").inner_text()


def test_views_and_cameras(page):
    for name in ("2", "4", "1"):
        page.click(f"[data-layout='{name}']")
        until(page, f"document.querySelectorAll('.viewbar').length === {name}")
    seen = set()
    for key, kind in (("2", "cab"), ("3", "side"), ("4", "follow"), ("1", "orbit")):
        page.keyboard.press(key)
        until(page, f"cabin.stage.views[0].rig.kind === '{kind}'")
        page.wait_for_timeout(100)
        seen.add(tuple(round(x, 3) for x in page.evaluate("cabin.stage.views[0].rig.camera.position.toArray()")))
    assert len(seen) == 4


def test_sound_waits_for_a_gesture(page):
    assert page.evaluate("cabin.sound.context") is None
    page.keyboard.press("Shift")
    until(page, "cabin.sound.context !== null && cabin.sound.context.state === 'running'")
    # a blow thuds once, what slides grates for as long as it does
    page.evaluate("cabin.sound.touch({ blow: 5000, scraping: 0 })")
    assert page.evaluate("cabin.sound.struck") > 0.0
    page.evaluate("window.rubbing = setInterval(() => cabin.sound.touch({ blow: 10, scraping: 5000 }), 1)")
    until(page, "cabin.sound.grating.gain.value > 0.02")
    page.evaluate("clearInterval(window.rubbing)")
    until(page, "cabin.sound.grating.gain.value < 0.02")
    page.click("#sound")
    until(page, "cabin.sound.master.gain.value < 0.01")


def test_keyboard_alone(page):
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert [one for one in reached if one in ("pause", "step", "reset", "speed", "record")] == [
        "pause", "step", "reset", "speed", "record",
    ]  # fmt: skip
    assert "canvas" in reached
    outlined = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outlined != "none"
    page.keyboard.press("F1")
    until(page, "document.getElementById('help-dialog').open")
    shown = page.locator("#help-dialog").inner_text()
    assert "right lever back boom up" in shown and "left lever forward stick out" in shown
    picture(page, "keys")
    page.keyboard.press("Escape")
    until(page, "!document.getElementById('help-dialog').open")
    nameless = page.evaluate("""() =>
        [...document.querySelectorAll('button, select, input, #canvas, summary')].filter((one) =>
            !one.getAttribute('aria-label') && !one.textContent.trim() && !one.labels?.length
        ).map((one) => one.outerHTML)""")
    assert nameless == []
