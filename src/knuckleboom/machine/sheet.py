# SPDX-License-Identifier: BSD-3-Clause
"""Sheets: what a kind of part is, in words: its section, own ports, card, and settings with units, defaults and ranges.

Made from the classes, so that `knuckleboom list parts` and docs/parts.md say what the parts themselves say.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic.fields import FieldInfo

from knuckleboom.describe import Part
from knuckleboom.quantities import Quantity

RANGES = (("gt", ">"), ("ge", "≥"), ("lt", "<"), ("le", "≤"))


class Setting(NamedTuple):
    """One setting of a part; an empty default means that it must be given, a dash that it is left out."""

    name: str
    unit: str
    default: str
    range: str
    meaning: str


class Sheet(NamedTuple):
    """What there is to say about a kind of part."""

    kind: str
    section: str
    ports: tuple[str, ...]
    about: str
    card: str
    settings: tuple[Setting, ...]


def sheet(kind: type[Part]) -> Sheet:
    """Return the sheet of a kind."""
    module = inspect.getmodule(kind)
    settings = tuple(_setting(name, info) for name, info in kind.model_fields.items() if name != "name")
    ports = tuple(port or "its name" for port in kind.PORTS)
    card = inspect.cleandoc(getattr(module, "__doc__", None) or "")
    about = inspect.cleandoc(kind.__doc__ or "").splitlines()[0]
    return Sheet(kind.KIND, kind.SECTION, ports, about, card, settings)


def _setting(name: str, info: FieldInfo) -> Setting:
    units = dict.fromkeys(mark.unit for mark in _marks(info) if isinstance(mark, Quantity) and mark.unit != "1")
    default = "" if info.is_required() else _shown(info.default)
    held = [f"{sign} {getattr(mark, word):g}" for mark in info.metadata for word, sign in RANGES if hasattr(mark, word)]
    return Setting(name, ", ".join(units), default, ", ".join(held), info.description or "")


def _marks(annotated: Any) -> Iterator[Any]:
    """Yield what a field's type is marked with, also inside a pair or an option."""
    yield from getattr(annotated, "metadata", getattr(annotated, "__metadata__", ()))
    for inner in (getattr(annotated, "annotation", None), getattr(annotated, "__origin__", None)):
        if inner is not None:
            yield from _marks(inner)
    for inner in getattr(annotated, "__args__", ()):
        yield from _marks(inner)


def _shown(value: Any) -> str:
    if value is None or value in ((), {}, ""):
        return "–"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(_shown, value)) if isinstance(value, tuple) else str(value)
