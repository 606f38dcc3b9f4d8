# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of a case as they stand in a file: ready blocks by their settings, functions by reference.

    level:  {kind: pid, reads: lift.length, writes: spool, setpoint: 0.5 m, every: 10 ms, kp: 3}
    smooth: {kind: low_pass, reads: boom.angle, every: 5 ms, time_constant: 50 ms}
    own:    {kind: function, function: "control.py:hold", reads: boom.angle, writes: spool, every: 5 ms}

Here they are data. A function is named by a file beside the machine's, or a module, and its name in it; it may be
compiled (@kb.compiled). simulation/case_controllers.py makes controllers of them, and imports a function when it is
run, not before. Tested in tests/simulate/test_cases.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter, ValidationInfo

from knuckleboom.machine.over_time import FORMS, read_form, write_form
from knuckleboom.names import closest
from knuckleboom.quantities import show

FUNCTION = "function"
SETTINGS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pid": (
        ("reads", "setpoint", "every"),
        ("writes", "kp", "ki", "kd", "limits", "derivative_filter", "tracking", "unit"),
    ),
    "low_pass": (("reads", "every"), ("time_constant", "frequency", "damping", "writes")),
    "rate_limit": (("rising", "every"), ("falling", "reads", "command", "writes", "unit")),
    FUNCTION: (
        ("reads", "every"),
        ("writes", "signals", "references", "memory", "parameters", "constants", "units"),
    ),
}  # fmt: skip
"""By kind: the settings that must be given and those that may be. They are those of kb.pid and the others, which
cannot be asked here, as they bring the compiler with them (tests/simulate/test_cases.py compares)."""


@dataclass(frozen=True)
class GivenController:
    """A controller of a file: its kind and settings; for a function its file or module, and its name in it."""

    name: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    function: str = ""

    @property
    def reference(self) -> str:
        """File and function, as shown to the user; empty for a ready block."""
        return f"{self.file}:{self.function}" if self.kind == FUNCTION else ""


def read_controllers(given: Any, folder: Path) -> tuple[Any, ...]:
    """Controllers of Python's as they are, those of a file by their settings. Else a ValueError with all problems."""
    if isinstance(given, Mapping):
        read = _BY_NAME.validate_python(dict(given), context={"folder": folder})
        return tuple(replace(one, name=name) for name, one in read.items())
    items = tuple(given) if isinstance(given, list | tuple) else (given,)
    wrong = [item for item in items if not hasattr(item, "every") and not isinstance(item, GivenController)]
    if wrong:
        ways = "in a file write {level: {kind: pid, ...}}, in Python give what kb.pid or kb.Controller made"
        raise ValueError(f"{show(wrong[0])} is not a controller; {ways}")
    return items


def _read_one(given: Any, info: ValidationInfo) -> GivenController:
    folder = (info.context or {})["folder"]
    if not isinstance(given, Mapping) or "kind" not in given:
        raise ValueError(f"a controller says its kind: one of {', '.join(SETTINGS)}")
    kind, settings = given["kind"], {key: _read(value, folder) for key, value in given.items() if key != "kind"}
    if not isinstance(kind, str) or kind not in SETTINGS:
        near = closest(str(kind), SETTINGS)
        offered = f"closest names: {', '.join(near)}" if near else f"there are {', '.join(SETTINGS)}"
        raise ValueError(f"there is no kind {show(kind)} of controllers; {offered}")
    if kind != FUNCTION:
        return GivenController("", kind, settings)
    file, function = _reference(settings.pop(FUNCTION, None), folder)
    return GivenController("", kind, settings, file, function)


_BY_NAME = TypeAdapter(dict[str, Annotated[Any, BeforeValidator(_read_one)]])


def _read(value: Any, folder: Path) -> Any:
    """A setting; what is given over time becomes that, mappings by name are looked through."""
    if not isinstance(value, Mapping):
        return value
    if set(FORMS) & set(value):
        return read_form(value, folder)
    return {key: _read(item, folder) for key, item in value.items()}


def _reference(given: Any, folder: Path) -> tuple[str, str]:
    """File or module, and function; the file must be there, but is not opened."""
    file, mark, function = str(given or "").rpartition(":")
    if not mark or not function.isidentifier() or not file:
        raise ValueError(f'function is {show(given)}; write it as "control.py:hold"')
    if file.endswith(".py"):
        file = str(folder / file)
        if not os.path.isfile(file):
            raise ValueError(f"there is no file '{file}'")
    elif not all(part.isidentifier() for part in file.split(".")):
        raise ValueError(f"'{file}' is neither a .py file nor a module")
    return file, function


def controllers_schema() -> dict[str, Any]:
    """The JSON Schema of the controllers of a case."""
    found = []
    for kind, (required, optional) in SETTINGS.items():
        needed = [*required, FUNCTION] if kind == FUNCTION else [*required]
        properties: dict[str, Any] = {"kind": {"const": kind}, **{key: {} for key in (*needed, *optional)}}
        form = {"type": "object", "properties": properties, "required": ["kind", *needed]}
        found.append({**form, "additionalProperties": False})
    return {"type": "object", "additionalProperties": {"oneOf": found}}


def write_controller(item: Any, folder: Path) -> dict[str, Any]:
    """A controller as it is written into a file in a folder; a ValueError for what only Python has."""
    if isinstance(item, GivenController):
        kind, settings = item.kind, dict(item.settings)
        if kind == FUNCTION:
            file = os.path.relpath(item.file, folder) if item.file.endswith(".py") else item.file
            settings = {FUNCTION: f"{file}:{item.function}", **settings}
    elif item.given is None:
        raise ValueError(f"controller '{item.name}' is a function of Python's")
    else:
        kind, settings = item.given
    return {"kind": kind, **{key: _plain(value, folder) for key, value in settings.items()}}


def _plain(value: Any, folder: Path) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item, folder) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, folder) for item in value]
    return write_form(value, folder)
