# SPDX-License-Identifier: BSD-3-Clause
"""The built page, as the server hands it out: a list of its files made at start, all of them in memory.

What is not in the list does not exist for a client, so that no path it can write leads anywhere else. The page is built
from `page/` of the repository into this package; in a wheel it is there. Tested in tests/cabin/test_page_files.py.
"""

from __future__ import annotations

import hashlib
import html
import mimetypes
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
START = "index.html"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".map": "application/json",
         ".webmanifest": "application/manifest+json"}  # fmt: skip
HASHED = "assets/"
"""Files there have names that change with their content: a browser may keep them."""
NOT_BUILT = (
    "The page of the cabin is not built here. In the repository `make drive` builds it and starts the cabin; an "
    "installed Knuckleboom has it."
)


@dataclass(frozen=True)
class File:
    """One file of the page."""

    content: bytes
    kind: str
    tag: str
    keep: bool


def read_page(folder: Path = FOLDER) -> dict[str, File]:
    """Return the files of the page by the path that a client asks for; a sentence when it is not built."""
    found = {}
    root = folder.resolve()
    if (root / START).is_file():
        for path in sorted(root.rglob("*")):
            # a link might lead elsewhere
            if path.is_file() and path.resolve().is_relative_to(root):
                name = path.relative_to(root).as_posix()
                kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
                found[f"/{name}"] = _file(path.read_bytes(), kind, name.startswith(HASHED))
        found["/"] = found[f"/{START}"]
        return found
    text = f"<!doctype html><html lang=en><meta charset=utf-8><title>Knuckleboom</title><p>{html.escape(NOT_BUILT)}</p>"
    return {"/": _file(text.encode(), "text/html", False)}


def is_built(files: dict[str, File]) -> bool:
    """Whether these are the files of a built page."""
    return f"/{START}" in files


def _file(content: bytes, kind: str, keep: bool) -> File:
    kind = f"{kind}; charset=utf-8" if kind.startswith("text/") or kind == "application/json" else kind
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:32]}"', keep)
