# SPDX-License-Identifier: BSD-3-Clause
"""XML as a tree with line numbers, read with care: the file may come from anywhere.

Files with a document type are refused, as only these can define entities, which may grow without bound or read other
files. Size and depth are bounded. Nothing is looked up on a network or a disk.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from knuckleboom.errors import MachineError, Problem

LARGEST = 20_000_000
"""Bytes of a file; a robot of 60 joints takes about 100 000."""
DEEPEST = 400
"""Levels of nesting; MJCF nests its bodies, so that a long chain is deep."""


@dataclass
class Element:
    """One element: its tag, its attributes, its first line (from 1), what is in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """Return the first child with a tag, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def get(self, attribute: str, default: str = "") -> str:
        """Return an attribute as text."""
        return self.attributes.get(attribute, default)


class _Refused(Exception):
    """Raised inside the parser: why the file is not read further."""


def read_xml(path: str | os.PathLike[str]) -> Element:
    """Return the root of an XML file; a MachineError says why it cannot be read."""
    file = os.fspath(path)
    content = _content(Path(file), file)
    parser = expat.ParserCreate()
    open_elements: list[Element] = []
    roots: list[Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) >= DEEPEST:
            raise _Refused(f"it is nested more than {DEEPEST} levels deep.")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        (open_elements[-1].children if open_elements else roots).append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def doctype(*_: object) -> None:
        raise _Refused("it has a document type (<!DOCTYPE …>), which robots do not need and which could be harmful.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content, True)
    except _Refused as refused:
        raise _error(file, str(refused), parser.CurrentLineNumber) from None
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "unknown error"
        fix = "Look for a missing quote, bracket or closing tag."
        raise _error(file, f"it is not XML: {reason}.", error.lineno, fix) from None
    except (LookupError, ValueError) as error:
        raise _error(file, f"its encoding cannot be read: {error}.", 1, "Save it as UTF-8.") from None
    return roots[0]


def _content(path: Path, file: str) -> bytes:
    try:
        if path.is_dir():
            raise _error(file, "it is a folder.", None, "Give the robot's file in it.")
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise _error(file, "there is no such file.") from None
    except OSError as error:
        raise _error(file, f"it cannot be read: {error.strerror or error}.") from None
    except ValueError:
        raise _error(file, "its name is not one that a file can have.") from None
    if len(content) > LARGEST:
        raise _error(file, f"it is larger than {LARGEST // 1_000_000} MB.", None, "Robots' files are far smaller.")
    return content


def _error(file: str, rule: str, line: int | None = None, fix: str = "") -> MachineError:
    lines = None if line is None else (line, line)
    return MachineError([Problem(rule, file=file, lines=lines, fix=fix)], file)
