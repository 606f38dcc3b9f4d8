# SPDX-License-Identifier: BSD-3-Clause
"""Writing a machine as YAML: what was given and nothing else, numbers with all their bits.

A number that was given as a text with a unit ("90 mm") is written as that text, all others in SI by repr (shortest text
that reads back to the same bits, also for other YAML readers). Defaults that the user did not touch are left out, texts
are quoted only where they would read as something else. Groups are flat.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from knuckleboom.describe import Part, Place
from knuckleboom.machine import kinds
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.yaml_tree import read_scalar
from knuckleboom.mechanics.parts import Body, Joint
from knuckleboom.quantities import Given, warn_user

_PLAIN = re.compile(r"-?[A-Za-z_][\w./+-]*(?: [\w./+-]+)*", re.ASCII)
_QUANTITY = re.compile(r"[-+]?[\d.][\w/*^()%°·.+-]*(?: [\w/*^()%°·.+-]+)*")
_OTHER_READERS = {"yes", "no", "on", "off", "true", "false", "null"}


class LeftOut(UserWarning):
    """Something of a machine that a file cannot hold."""


def write(machine: Machine, path: str | os.PathLike[str]) -> None:
    """Write a machine to a YAML file."""
    Path(path).write_text(to_yaml(machine, Path(path).parent), encoding="utf-8", newline="\n")


def to_yaml(machine: Machine, folder: Path = Path()) -> str:  # a path is frozen
    """Return a machine as YAML text for a file in a folder."""
    lines = ["knuckleboom: 1", f"machine: {_text(machine.name)}", f"gravity: {_flow(machine.gravity)}"]
    lines.append(f"ambient: {_flow(machine.ambient)}")
    sections: dict[str, dict[str, Any]] = {name: {} for name in kinds.sections()}
    if machine.ground_part.points or machine.ground_part.frames:
        sections[machine.ground_part.SECTION][machine.ground_part.name] = _settings(machine.ground_part)
    for part in machine.parts.values():
        sections.setdefault(part.SECTION, {})[part.name] = _settings(part) | _files(part, folder)
    sections["appearance"] = {body: [_model(shape) for shape in shapes] for body, shapes in machine.appearance.items()}
    sections["levers"] = {name: _model(lever) for name, lever in machine.levers.items()}
    sections["cases"] = _cases(machine, folder)
    for section, entries in sections.items():
        if entries:
            lines += ["", f"{section}:"]
            for name, settings in entries.items():
                lines += _block(_text(name), settings, "  ")
    return "\n".join(lines) + "\n"


def _cases(machine: Machine, folder: Path) -> dict[str, Any]:
    """Return the cases that a file can hold; those with functions of Python's in them are left out with a warning."""
    found = {}
    for name, case in machine.cases.items():
        try:
            found[name] = case.to_plain(folder)
        except ValueError as error:
            warn_user(LeftOut(f"case '{name}' is not written: its {error}, which no file can hold."))
    return found


def _files(part: Part, folder: Path) -> dict[str, str]:
    """Return the files that a part names, relative to the folder."""
    given = {field: getattr(part, field) for field in part.FILES}
    return {field: os.path.relpath(file, folder) for field, file in given.items() if file}


def _settings(part: Part) -> dict[str, Any]:
    head = {"kind": part.KIND} if part.SHARED else {}
    settings = {key: value for key, value in _model(part).items() if key != "name"}
    # an inertia without products and a single start value are written as people do
    if isinstance(part, Body) and [repr(product) for product in part.inertia[3:]] == ["0.0"] * 3:
        settings |= {field: six[:3] for field, six in settings.items() if field == "inertia"}
    if isinstance(part, Joint) and len(part.COORDINATES) == 1:
        settings.update({key: settings[key][0] for key in ("start", "speed") if key in settings})
    return {**head, **settings}


def _model(model: BaseModel) -> dict[str, Any]:
    """Return the fields that were given, in their order; the tag of a union is always written."""
    data: dict[str, Any] = {}
    for field, info in type(model).model_fields.items():
        value = getattr(model, field)
        if field == "law" or (field in model.model_fields_set and not (value is None and info.default is None)):
            data[field] = _plain(value)
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, Place):
        return value.ref or _model(value)
    if isinstance(value, BaseModel):
        return _model(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _block(key: str, value: Any, indent: str) -> list[str]:
    """Return a part as a block of settings, one per line; what is inside a setting is written in one line if short."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [f"{indent}{key}:", *(f"{indent}  - {_flow(item)}" for item in value)]
    if not isinstance(value, dict) or not value:
        return [f"{indent}{key}: {_flow(value)}"]
    if len(indent) > 2 and len(_flow(value)) <= 90:
        return [f"{indent}{key}: {_flow(value)}"]
    lines = [f"{indent}{key}:"]
    for inner, item in value.items():
        lines += _block(_flow(inner), item, indent + "  ")
    return lines


def _flow(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Given) and value.text:
        return _text(value.text)
    if isinstance(value, (int, float)):
        return _number(value)
    return _text(str(value))


def _number(value: float) -> str:
    text = repr(value)
    # 1e-05 is text for YAML 1.1 readers, 1.0e-05 is a number for all
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _text(text: str) -> str:
    plain = _PLAIN.fullmatch(text) or _QUANTITY.fullmatch(text)
    if plain and isinstance(read_scalar(text), str) and text.lower() not in _OTHER_READERS:
        return text
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
