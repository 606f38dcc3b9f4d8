# SPDX-License-Identifier: BSD-3-Clause
"""A package that is installed as far as Python can tell: files in a folder, and entry points of `knuckleboom.parts`."""

from __future__ import annotations

from pathlib import Path


def install(site: Path, name: str, points: dict[str, str], files: dict[str, str]) -> Path:
    """Write the package into a folder, which then belongs on the path of a process."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{point} = {value}" for point, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[knuckleboom.parts]", *lines, ""]))
    for file, text in files.items():
        (site / file).write_text(text, encoding="utf-8")
    return site
