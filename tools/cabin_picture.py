# SPDX-License-Identifier: BSD-3-Clause
"""Renew docs/cabin.png, the picture of the cabin in the README, from a screenshot that the tests make.

.venv/bin/python tools/cabin_picture.py
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "cabin" / "page"


def main() -> int:
    """Run the test that makes the picture, and copy it."""
    command = [sys.executable, "-m", "pytest", "-q", str(TESTS / "test_looks.py"), "-k", "picture_for_the_docs"]
    done = subprocess.run(command, cwd=ROOT)
    if done.returncode == 0:
        shutil.copyfile(TESTS / "pictures" / "cabin.png", ROOT / "docs" / "cabin.png")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
