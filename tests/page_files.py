# SPDX-License-Identifier: BSD-3-Clause
"""Files that a page of the docs shows: blocks whose first line is `# NAME`, such as `# press.yaml`."""

from __future__ import annotations

import re
from pathlib import Path

SHOWN = re.compile(r"^```\w+\n(# ([\w-]+\.(?:yaml|csv|py))\n.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def write_files(page: Path, folder: Path) -> list[str]:
    """Write the files that a page shows into a folder; return their names."""
    found = SHOWN.findall(page.read_text(encoding="utf-8"))
    for content, name in found:
        (folder / name).write_text(content, encoding="utf-8")
    return [name for _, name in found]
