# SPDX-License-Identifier: BSD-3-Clause
"""The page of a report at the sizes of real screens, light and dark: nothing covered, nothing cut, all readable."""

import itertools

import pytest

import knuckleboom as kb
from report.browser import opened, until

SIZES = ((1280, 720), (1024, 768), (1920, 1080), (390, 844))
PHONE = 390
MACHINES = ("excavator", "naya-rod")

COVERED = """() => {
    // what lies under the player at this scroll position, other than what belongs to it
    const boxes = ['.frame', '.player'].map((name) => document.querySelector(name).getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    return [...document.querySelectorAll('.tables section, #circuit, #sources, .plot, .message, .warnings')]
        .filter((one) => boxes.some((box) => !apart(box, one.getBoundingClientRect())))
        .map((one) => one.id || one.className);
}"""
CUT = """(side) => [...document.querySelectorAll('.scroll')]
    .filter((box) => box[`scroll${side}`] > box[`client${side}`] + 1).length"""
FIT = """() => {
    const svg = document.querySelector('.circuit svg'), box = svg.parentElement.getBoundingClientRect();
    const [x, y, w, h] = svg.getAttribute('viewBox').split(' ').map(Number), to = svg.getScreenCTM();
    const low = new DOMPoint(x, y).matrixTransform(to), high = new DOMPoint(x + w, y + h).matrixTransform(to);
    return { left: low.x - box.left, right: box.right - high.x, top: low.y - box.top, bottom: box.bottom - high.y,
             unused: document.querySelector('main').clientWidth - box.width, scale: to.a };
}"""
CONTRAST = """() => {
    // of the weakest words in the page: (L1 + 0.05) / (L2 + 0.05), as WCAG has it
    const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((v) => v / 255)
        .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = light(getComputedStyle(document.body).backgroundColor);
    const words = document.querySelectorAll('th, td, p, li, h2, .circuit text, a, output, label');
    return Math.min(...[...words].map((one) => {
        const style = getComputedStyle(one), ink = light(one instanceof SVGElement ? style.fill : style.color);
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    }));
}"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Reports of a machine with a large circuit and of one with a small one."""
    made = tmp_path_factory.mktemp("layout")
    for name in MACHINES:
        case = kb.catalogue.NAMES[name]()
        run = kb.simulate(case.machine, "0.5 s", step=case.step, inputs=case.inputs, **case.method)
        run.report(made / f"{name}.html")
    return made


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", MACHINES)
def test_nothing_is_covered_or_cut(browser, folder, name, width, height, dark):
    with opened(browser, folder / f"{name}.html", width=width, height=height, dark=dark) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        end = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        for place in itertools.chain(range(0, end, height // 3), (end,)):
            page.evaluate(f"scrollTo(0, {place})")
            page.wait_for_timeout(20)
            assert page.evaluate(COVERED) == [], place
        assert page.evaluate(CUT, "Height") == 0
        assert width == PHONE or page.evaluate(CUT, "Width") == 0  # a phone scrolls a table inside its own box
        assert page.evaluate(CONTRAST) >= 4.5

        fit = page.evaluate(FIT)
        assert fit["unused"] < 1.0  # a width of whole pixels and one of parts of them
        assert min(fit["left"], fit["right"], fit["top"], fit["bottom"]) >= 0.0
        if name == "excavator":  # wider than it is high: it fills its width
            assert fit["left"] + fit["right"] <= 4.0


def drawing_scale(page) -> float:
    return page.evaluate(FIT)["scale"]


def test_the_circuit_is_zoomed_and_moved_by_wheel_drag_keys_and_buttons(browser, folder):
    view = "document.querySelector('.circuit svg').getAttribute('viewBox')"
    with opened(browser, folder / "excavator.html", width=1280, height=720) as page:
        page.locator("#circuit").scroll_into_view_if_needed()
        page.wait_for_timeout(500)  # the page no longer scrolls
        whole, scale = page.evaluate(view), drawing_scale(page)
        box = page.locator(".circuit svg").bounding_box()
        x, y = round(box["x"] + 0.25 * box["width"]), round(box["y"] + 0.5 * box["height"])  # events have whole pixels
        under = f"(() => {{ const p = new DOMPoint({x}, {y}).matrixTransform(" \
            "document.querySelector('.circuit svg').getScreenCTM().inverse()); return [p.x, p.y]; })()"
        before = page.evaluate(under)
        page.mouse.move(x, y)
        page.mouse.wheel(0, -400)
        until(page, f"{view} !== '{whole}'")
        assert drawing_scale(page) > 1.5 * scale
        assert page.evaluate(under) == pytest.approx(before, abs=0.5)  # what is under the pointer stays there

        page.mouse.down()
        page.mouse.move(x + 100, y + 20)
        page.mouse.up()
        moved = page.evaluate(under)
        assert moved[0] == pytest.approx(before[0] - 100 / drawing_scale(page), abs=0.5)

        page.locator("[data-drawing='0']").click()
        assert page.evaluate(view) == whole
        page.locator("[data-drawing='+']").click()
        assert drawing_scale(page) == pytest.approx(1.25 * scale, rel=1e-3)
        page.locator(".circuit svg").focus()
        for key in ("+", "ArrowRight", "-", "-", "-"):
            page.keyboard.press(key)
        assert page.evaluate(view) == whole  # it is never smaller than its box


def test_two_fingers_zoom_the_circuit(browser, folder):
    with opened(browser, folder / "excavator.html", width=390, height=844) as page:
        page.locator("#circuit").scroll_into_view_if_needed()
        scale = drawing_scale(page)
        page.locator(".circuit svg").evaluate("""(svg) => {
            svg.setPointerCapture = () => {};
            const box = svg.getBoundingClientRect(), y = box.top + box.height / 2;
            const send = (kind, pointerId, clientX) =>
                svg.dispatchEvent(new PointerEvent(kind, { pointerId, clientX, clientY: y }));
            send('pointerdown', 1, 150); send('pointerdown', 2, 200);
            send('pointermove', 2, 250);
            send('pointerup', 1, 150); send('pointerup', 2, 250);
        }""")
        assert drawing_scale(page) == pytest.approx(2.0 * scale, rel=1e-3)


def test_the_same_curves_are_drawn_once_with_a_note(browser, folder):
    with opened(browser, folder / "excavator.html", width=1280, height=720) as page:
        forces = page.locator(".plot").filter(has_text="boom_left.force = boom_right.force").first
        forces.scroll_into_view_if_needed()
        forces.locator(".scatterlayer .trace").first.wait_for(state="attached")
        legend = forces.locator(".legendtext").all_text_contents()
        assert any("boom_left.force" in text for text in legend)
        assert not any("boom_right.force" in text for text in legend)
        assert forces.locator(".scatterlayer .trace").count() == len(legend)
