# SPDX-License-Identifier: BSD-3-Clause
"""How the page looks: every complete machine is seen, by day and by night, on a small laptop and on a tablet; nothing
is cut off and all texts can be read. The pictures are kept in `pictures/`, to be looked at."""

import pytest

import knuckleboom as kb
from cabin.page.driven import COLOURS, PRESENT, begin_anew, driven, looked_at, picture
from knuckleboom.hydraulics.parts.directional import FourWay
from report.browser import until

pytestmark = pytest.mark.slow

MACHINES = ("concrete-sprayer", "harvester-25", "harvester-30", "mine-loader", "mobile-crane", "forwarder-crane")

PARTS = "header button, header select, footer span, #levers .lever, aside .group"
CUT_OFF = f"""() => [...document.querySelectorAll('{PARTS}')]
    .filter((one) => one.offsetParent !== null).filter((one) => {{
        const box = one.getBoundingClientRect(), high = one.closest('aside') ? Infinity : innerHeight + 1;
        return box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > high;
    }}).map((one) => one.id || one.className || one.textContent)"""
SPILT = """() => [...document.querySelectorAll('#levers .word, #levers .push')].filter((one) => {
    const area = (element) => element.getBoundingClientRect();
    const holder = one.closest('.lever, .wheel') ?? document.getElementById('levers');
    const well = holder.querySelector('.well');
    const [box, around, text] = [one, holder, one.lastElementChild ?? one].map(area);
    const meet = (a, b) => a.right > b.left + 1 && a.left < b.right - 1 && a.bottom > b.top + 1 && a.top < b.bottom - 1;
    const leaves = ['left', 'top'].some((one) => box[one] < around[one])
        || ['right', 'bottom'].some((one) => box[one] > around[one]);
    return leaves || one.scrollWidth > one.clientWidth + 1 || (well && meet(text, area(well)));
}).map((one) => one.textContent)"""
"""Words that leave their lever, or cover it."""
SHORTENED = """() => [...document.querySelectorAll('aside .title, aside .legend span, aside .figure, aside summary')]
    .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map((one) => one.textContent)"""
"""Words of gauges, inputs and charts that do not fit into their place."""
CLIPPED = """() => [...document.querySelectorAll('header *, main *, footer *, dialog[open] *')].filter((one) => {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || one.offsetParent === null || one.closest('svg, .uplot, option')) return false;
    const box = one.getBoundingClientRect();
    const leaves = (holder) => box.left < holder.left - 1 || box.right > holder.right + 1;
    for (let holder = one.parentElement; holder; holder = holder.parentElement) {
        if (getComputedStyle(holder).overflowX !== 'visible' && leaves(holder.getBoundingClientRect())) return true;
    }
    const wide = one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    return wide || leaves({ left: 0, right: innerWidth });
}).map((one) => one.textContent)"""
"""Any label that is wider than its own box, or leaves one that cuts it off."""
UNREADABLE = """() => {
    const numbers = (colour) => {
        const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((one, i) => (a * one + (255 - a) * below[i]) / 255);
    const luminance = (rgb) => {
        const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = rgb.map((one) => linear(one / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        if (!element) return [255, 255, 255];
        const own = numbers(getComputedStyle(element).backgroundColor);
        return own[3] === 255 ? own.slice(0, 3) : over(own, behind(element.parentElement));
    };
    const poor = [];
    for (const element of document.querySelectorAll('header, footer, aside')) {
        for (const one of element.querySelectorAll('*')) {
            const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
            if (!text || one.offsetParent === null || one.closest('svg, .uplot')) continue;
            const style = getComputedStyle(one), back = behind(one), ink = over(numbers(style.color), back);
            const [high, low] = [luminance(ink), luminance(back)].sort((a, b) => b - a);
            const contrast = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
            const what = `${one.textContent.trim()}: ${contrast.toFixed(1)}, ${size} px`;
            if (contrast < 4.5 || size < 10) poor.push(what);
        }
    }
    return poor;
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768), (820, 1180)])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_legible(browser, server, width, height, dark):
    with looked_at(browser, server, width=width, height=height, dark=dark) as page:
        assert page.evaluate("document.documentElement.dataset.tone") == ("dark" if dark else "light")
        assert page.evaluate(COLOURS) > 200
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SPILT) == []
        assert page.evaluate(SHORTENED) == []
        assert page.evaluate(CLIPPED) == []
        assert page.evaluate(UNREADABLE) == []
        page.keyboard.press("F1")
        page.wait_for_selector("dialog[open]")
        assert page.evaluate(CLIPPED) == []
        page.keyboard.press("Escape")
        picture(page, f"excavator-{width}x{height}-{'dark' if dark else 'light'}")


def test_picture_for_the_docs(browser):
    """The picture of the README: tools/cabin_picture.py copies it to docs/cabin.png."""
    with driven("excavator", priority=True) as server, looked_at(browser, server) as page:
        begin_anew(page)
        for key in "kd":
            page.keyboard.down(key)
        until(page, "cabin.frame.time > 1.2")
        assert page.evaluate("cabin.frame.levers.filter((lever) => Math.abs(lever) === 1).length") >= 2
        picture(page, "cabin")


@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_is_seen(browser, machine):
    with driven(machine) as server, looked_at(browser, server, width=1024, height=768, wait=PRESENT) as page:
        page.click("[data-layout='4']")
        page.wait_for_timeout(500)
        assert page.evaluate(COLOURS) > 200
        assert page.evaluate("cabin.stage.machine.cab !== null")
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SPILT) == []
        assert page.evaluate(SHORTENED) == []
        assert page.evaluate(CLIPPED) == []
        picture(page, machine)


def test_phone(browser):
    with driven("harvester-30") as server:
        for width, height in ((390, 844), (844, 390)):
            with looked_at(browser, server, width=width, height=height, wait=PRESENT) as page:
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert page.evaluate(CUT_OFF) == []
                assert page.evaluate(SPILT) == []
                assert page.evaluate(CLIPPED) == []
                picture(page, f"phone-{width}x{height}")


def test_long_words_at_the_levers(browser, tmp_path):
    """The machine with most levers, each with the longest words of its own that a machine may have."""
    machine = kb.catalogue.machine("harvester-30")
    words = {"what": "stabiliser, far left", "plus": "towards the operator", "minus": "away from the driver"}
    for valve in machine.of(FourWay):
        machine.lever(valve.name, **words)
    file = tmp_path / "harvester.yaml"
    file.write_text(machine.to_yaml(), encoding="utf-8")
    with driven(str(file)) as server, looked_at(browser, server, width=1024, height=768, wait=PRESENT) as page:
        assert page.locator("[data-lever='right']").inner_text().count(words["what"]) == 4
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SPILT) == []
        assert page.evaluate(CLIPPED) == []
        picture(page, "words")
