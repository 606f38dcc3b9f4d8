# SPDX-License-Identifier: BSD-3-Clause
"""The cache key leaves out folders without kernels: none may define one, nor may a kernel's file import from them."""

import re
from pathlib import Path

import knuckleboom
from knuckleboom.kernels import WITHOUT_KERNELS

SOURCES = Path(knuckleboom.__file__).parent


def left_out(path: Path) -> bool:
    return bool(WITHOUT_KERNELS & set(path.relative_to(SOURCES).parts[:-1]))


def test_no_kernel_is_left_out():
    found = [
        path for path in SOURCES.rglob("*.py")
        if left_out(path) and re.search(r"^@(outlined_)?(kernel|entry_point)", path.read_text(), re.MULTILINE)
    ]  # fmt: skip
    assert found == []


def test_kernels_import_nothing_left_out():
    kept = [path for path in SOURCES.rglob("*.py") if not left_out(path) and "@kernel" in path.read_text()]
    assert len(kept) > 20
    for path in kept:
        for line in path.read_text().splitlines():
            if line.startswith(("from knuckleboom", "import knuckleboom")):
                assert not WITHOUT_KERNELS & set(line.split()[1].split(".")), f"{path.name}: {line}"
