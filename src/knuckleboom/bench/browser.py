# SPDX-License-Identifier: BSD-3-Clause
"""Where Chromium is, and how it draws without a graphics card. The variable CHROMIUM names one that is elsewhere."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
SOFTWARE = ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
"""Options for pictures made by the processor."""


def find() -> str:
    """Return the path of a Chromium or Chrome, "" when there is none."""
    given = os.environ.get("CHROMIUM", "")
    found = [given, *(shutil.which(name) or "" for name in NAMES), *PLACES]
    return next((path for path in found if path and os.path.isfile(path)), "")
