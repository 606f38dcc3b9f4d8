# SPDX-License-Identifier: BSD-3-Clause
"""Find Chromium, which the tests of reports open pages with, or install it: `python tools/chromium.py`.

The system's package manager is asked when nobody has to be asked for a password; otherwise a sentence says what to
type. Where it is looked for: knuckleboom/bench/browser.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from knuckleboom.bench.browser import find

WAYS = {
    "apt-get": [
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ],
    "dnf": [["dnf", "install", "-y", "-q", "chromium"]],
    "apk": [["apk", "add", "-q", "chromium"]],
}
"""Package manager: the commands that install Chromium with it."""


def advice() -> str:
    """Return what a person can do about a missing browser."""
    manager = next((name for name in WAYS if shutil.which(name)), "")
    command = f"sudo {' '.join(WAYS[manager][-1])}" if manager else "install Chromium or Chrome"
    return (
        "The tests of reports open pages in Chromium, which was not found here.\n"
        f"Please {'run: ' if manager else ''}{command}\n"
        "or name a browser that is elsewhere: export CHROMIUM=/path/to/chromium"
    )


def install() -> None:
    """Install it with the system's package manager, when that is permitted."""
    manager = next((name for name in WAYS if shutil.which(name)), "")
    if not manager or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    print(f"installing chromium with {manager} (once) ...", file=sys.stderr, flush=True)
    for command in WAYS[manager]:
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )
        if done.returncode != 0:
            print(f"'{' '.join(command)}' failed:\n{done.stderr.strip()[-2000:]}", file=sys.stderr)
            return


def main() -> int:
    """Make sure that there is a browser; return 1, with a sentence, when there is none."""
    if not find():
        install()
    if not find():
        print(advice(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
