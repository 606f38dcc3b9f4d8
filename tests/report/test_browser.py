# SPDX-License-Identifier: BSD-3-Clause
"""Reports in a real Chromium without a network: they open, move, obey mouse and keys, and plot what is asked for."""

import re

import pytest

import knuckleboom as kb
from report.browser import colours, opened, until
from report.machines import EVIL, one_of_each
from results.made_up_run import made_up_run

PIXELS = "document.getElementById('canvas').toDataURL()"
CLOCK = "parseFloat(document.getElementById('clock').textContent)"
COLOURS = colours()

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One report of each machine."""
    folder = tmp_path_factory.mktemp("reports")
    for name, duration in (("naya-rod", "3 s"), ("four-bar", "1 s")):
        case = kb.catalogue.NAMES[name]()
        run = kb.simulate(case.machine, duration, step=case.step, inputs=case.inputs, **case.method)
        run.report(folder / f"{name}.html")
    kb.simulate(one_of_each(), "0.2 s", step="0.1 ms").report(folder / "crane.html")
    (folder / "data.csv").write_text("time [s],lift.a.pressure [bar]\n0.25,76.75\n0.75,75.25\n")
    made_up_run().report(folder / "made_up.html", measured=folder / "data.csv")
    return folder


def clock(page) -> float:
    return float(page.locator("#clock").inner_text().split()[0])


def press(page, *keys: str) -> None:
    page.locator("#canvas").focus()
    for key in keys:
        page.keyboard.press(key)


def scrub(page, time: float) -> None:
    """Drag the slider to a time; that also pauses."""
    page.locator("#scrub").evaluate("(bar, t) => { bar.value = t; bar.dispatchEvent(new Event('input')); }", time)


# the rod rests until its valve is moved at 2 s
@pytest.mark.parametrize(("name", "begin"), [("naya-rod", 2.1), ("four-bar", 0.1)])
def test_opens_moves_and_plots(browser, files, name, begin):
    with opened(browser, files / f"{name}.html", moving=True) as page:
        assert page.locator("h1").inner_text().startswith(name)
        assert page.evaluate(COLOURS) > 200  # ground, grid, lit bodies: not an empty canvas
        until(page, f"{CLOCK} > 0")  # it plays by itself
        scrub(page, begin)
        first = page.evaluate(PIXELS)
        press(page, " ")
        until(page, f"{CLOCK} > {begin + 0.2}")
        press(page, " ")
        assert page.evaluate(PIXELS) != first
        page.locator(".plot").first.scroll_into_view_if_needed()
        page.wait_for_selector(".plot .scatterlayer .trace path.js-line")
        assert re.search(r"\[\w", page.locator(".plot .ytitle").first.text_content())
        assert page.locator(".plot .xtitle").first.text_content() == "time [s]"


def test_player(browser, files):
    with opened(browser, files / "four-bar.html") as page:
        assert clock(page) == 0.0 and page.locator("#play").get_attribute("aria-label") == "Play"
        still = page.evaluate(PIXELS)
        scrub(page, 0.5)
        assert clock(page) == 0.5 and page.evaluate(PIXELS) != still
        press(page, ".")
        assert 0.5 < clock(page) < 0.51
        press(page, "Home")
        assert clock(page) == 0.0 and page.evaluate(PIXELS) == still
        page.locator("#loop").uncheck()
        page.locator("#speed").select_option("4")
        page.locator("#play").click()
        until(page, "document.getElementById('play').getAttribute('aria-label') === 'Play'")
        assert clock(page) == 1.0  # without loop it stops at the end


def test_camera_by_keys_and_mouse(browser, files):
    with opened(browser, files / "four-bar.html") as page:
        views = {"home": page.evaluate(PIXELS)}
        for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "+", "-", "1", "2", "3"):
            press(page, key)
            views[key] = page.evaluate(PIXELS)
        assert len({views[key] for key in views if key != "-"}) == len(views) - 1
        assert views["-"] == views["Shift+ArrowRight"]  # zoomed in and out again
        press(page, "0")
        assert page.evaluate(PIXELS) == views["home"]
        box = page.locator("#canvas").bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        for button, change in (("left", "turns"), ("right", "moves")):
            before = page.evaluate(PIXELS)
            page.mouse.down(button=button)
            page.mouse.move(box["x"] + 260, box["y"] + 230)
            page.mouse.up(button=button)
            page.mouse.move(box["x"] + 200, box["y"] + 200)
            assert page.evaluate(PIXELS) != before, change
        before = page.evaluate(PIXELS)
        page.mouse.wheel(0, 200)
        until(page, f"{PIXELS} !== '{before}'")
        page.locator("[data-view=reset]").click()
        page.mouse.move(5, 5)
        assert page.evaluate(PIXELS) == views["home"]


def test_names_of_bodies(browser, files):
    with opened(browser, files / "naya-rod.html") as page:
        labels = page.locator("#labels .name")
        assert labels.count() == 0
        press(page, "l")
        assert sorted(labels.all_inner_texts()) == ["lift", "rod"]
        assert page.locator("#names").get_attribute("aria-pressed") == "true"
        page.locator("#names").click()
        page.mouse.move(5, 5)
        assert labels.count() == 0

        # the rod's load is the only orange thing: look for it and point at it
        press(page, "1")
        box = page.locator("#canvas").bounding_box()
        for along in range(20, 100, 4):
            page.mouse.move(box["x"] + box["width"] * along / 100, box["y"] + box["height"] * (80 - 0.6 * along) / 100)
            if labels.all_inner_texts() == ["rod"]:
                break
        assert labels.all_inner_texts() == ["rod"]


def test_any_quantity_can_be_plotted(browser, files):
    with opened(browser, files / "naya-rod.html") as page:
        plots = page.locator(".plot")
        before = plots.count()
        page.locator("#wanted").fill("rod.tip.position.z")
        page.keyboard.press("Enter")
        assert plots.count() == before + 1
        assert "[mm]" in plots.first.locator(".ytitle").text_content()
        page.locator("#wanted").fill("rod.tip.velocity")
        page.keyboard.press("Enter")
        assert plots.first.locator(".scatterlayer .trace").count() == 3
        page.locator("#wanted").fill("lift.a.presure")
        page.keyboard.press("Enter")
        assert "Closest names: lift.a.pressure" in page.locator("#answer").inner_text()
        plots.first.locator(".close").click()
        assert plots.count() == before + 1


def test_cursor_and_plots_show_the_same_time(browser, files):
    with opened(browser, files / "naya-rod.html") as page:
        page.wait_for_selector(".plot .scatterlayer .trace path.js-line")
        now = page.locator(".plot .now").first
        start = now.bounding_box()["x"]
        press(page, "End")
        drawn = page.locator(".plot .bglayer, .plot .gridlayer").first.bounding_box()
        assert now.bounding_box()["x"] > start + 0.8 * drawn["width"]
        page.locator(".plot").first.scroll_into_view_if_needed()
        area = page.locator(".plot .nsewdrag").first.bounding_box()
        page.mouse.move(area["x"] + 0.5 * area["width"], area["y"] + 0.5 * area["height"])
        page.wait_for_selector(".plot .hoverlayer .legend")
        page.mouse.click(area["x"] + 0.5 * area["width"], area["y"] + 0.5 * area["height"])
        until(page, f"Math.abs({CLOCK} - 1.5) < 0.05")


def test_names_are_only_text(browser, files):
    with opened(browser, files / "crane.html") as page:  # a dialog would be a fault
        assert page.locator("h1").inner_text().startswith(f"crane {EVIL}")
        assert page.evaluate(COLOURS) > 200


def test_measured_points_are_drawn_and_a_run_without_outline_still_plots(browser, files):
    with opened(browser, files / "made_up.html") as page:
        assert page.locator("#viewer").is_hidden()
        assert "There is no animation" in page.locator("#animation").inner_text()
        page.wait_for_selector(".plot .scatterlayer .trace .point")
        assert page.locator(".plot").first.locator(".trace .point").count() == 2


def test_dark_and_small(browser, files):
    with opened(browser, files / "naya-rod.html") as page:
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    with opened(browser, files / "naya-rod.html", width=360, height=640, dark=True) as page:
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(COLOURS) > 200
        assert page.locator("#play").bounding_box()["width"] >= 40


def test_on_paper_every_plot_is_drawn(browser, files):
    with opened(browser, files / "four-bar.html") as page:
        page.pdf(format="A4")
        assert page.locator(".plot .main-svg").count() >= page.locator(".plot").count()
