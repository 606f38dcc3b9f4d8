# SPDX-License-Identifier: BSD-3-Clause
"""A real Chromium for tests, offline, with WebGL computed by the processor; a page that notes what goes wrong in it."""

import contextlib
import importlib.util
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

TOOL = Path(__file__).parents[2] / "tools" / "chromium.py"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip

COUNT_COLOURS = """() => {
    const canvas = document.getElementById('canvas'), copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    DRAW
    const pen = copy.getContext('2d');
    pen.drawImage(canvas, 0, 0);
    const bytes = pen.getImageData(0, 0, copy.width, copy.height).data, seen = new Set();
    for (let i = 0; i < bytes.length; i += 4) seen.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
    return seen.size;
}"""


def colours(draw: str = "") -> str:
    """Return the script that counts the colours of the page's canvas, as it is or after it was drawn again."""
    return COUNT_COLOURS.replace("DRAW", draw)


def tool() -> ModuleType:
    """Return tools/chromium.py as a module."""
    spec = importlib.util.spec_from_file_location("chromium", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's browser; without one the test fails with a sentence that says what to install."""
    path = tool().find()
    if not path:
        pytest.fail(tool().advice(), pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def opened(
    browser: Browser, file: Path, *, width: int = 900, height: int = 600, moving: bool = False, dark: bool = False
) -> Iterator[Page]:
    """Open a file without a network; at the end nothing may have been asked for, and no script may have failed."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, offline=True, color_scheme="dark" if dark else "light",
        reduced_motion="no-preference" if moving else "reduce",
    )  # fmt: skip
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: faults.append(request.url) if request.url != file.as_uri() else None)
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.goto(file.as_uri())
    try:
        yield page
        assert faults == []
    finally:
        context.close()


def until(page: Page, question: str, patience_s: float = 60.0) -> None:
    """Wait until an expression is true; playwright's own waiting would need eval, which the page forbids."""
    end = time.monotonic() + patience_s
    while not page.evaluate(question):
        assert time.monotonic() < end, f"not within {patience_s:g} s: {question}"
        page.wait_for_timeout(20)
