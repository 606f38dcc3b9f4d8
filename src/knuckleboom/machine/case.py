# SPDX-License-Identifier: BSD-3-Clause
"""Case: what is done with a machine, by name: inputs, controllers, start, method, how long, and measured data.

    m.case("lift", duration="8 s", start="equilibrium", inputs={"spool": kb.ramps({1: 0.0, 1.2: 0.5})})
    run = kb.simulate(m, case="lift")

    cases:                                                           # the same in the machine's file
      lift: {duration: 8 s, start: equilibrium, inputs: {spool: {ramps: {1: 0, 1.2: 0.5}}}}

A case is data: making, reading or checking one runs nothing that it names. Whatever it leaves out is as kb.simulate has
it. Inputs are in machine/over_time.py, controllers in case_controllers.py; whether inputs and quantities exist is
checked against the planned machine (simulation/case_check.py). Tested in tests/machine/test_cases.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, PrivateAttr, ValidationError, ValidationInfo, WithJsonSchema

from knuckleboom.describe import Described, Fault, explain, param
from knuckleboom.errors import MachineError, Problem, lower_first
from knuckleboom.machine.case_controllers import GivenController, controllers_schema, read_controllers, write_controller
from knuckleboom.machine.over_time import input_schema, read_form, write_form
from knuckleboom.methods import STARTS, Method, MethodWords
from knuckleboom.quantities import Time, show

if TYPE_CHECKING:
    from knuckleboom.machine.machine import Machine

DURATION, STEP = 10.0, 1e-3
"""s: how long a case is run that does not say it, and in which steps."""
BY_NAME = ("inputs", "controllers")
"""Settings of which each entry is read on its own."""
STOP_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
METHOD_SCHEMA = {
    "type": "object",
    "properties": {word: {"type": ["string", "number"]} for word in MethodWords.__annotations__},
    "additionalProperties": False,
}


def _folder(info: ValidationInfo) -> Path:
    """Where the files of a case are looked for: beside the machine's file, or in the present folder."""
    return Path((info.context or {}).get("folder", ""))


def _input(value: Any, info: ValidationInfo) -> Any:
    return read_form(value, _folder(info))


def _controllers(value: Any, info: ValidationInfo) -> tuple[Any, ...]:
    return read_controllers(value, _folder(info))


def _file(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, str | Path):
        raise ValueError(f"{show(value)} is not the name of a file")
    return str(_folder(info) / value) if str(value) else ""


def _start(value: Any) -> Any:
    if value is None or hasattr(value, "snapshot") or (isinstance(value, str) and value in STARTS):
        return value
    raise Fault(f"start is {show(value)}.", "Write equilibrium, or machine for the machine's own start.", "start")


def _stops(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _method(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{show(value)} does not give words of a method; write {{coupling: realtime}}")
    try:
        Method.choose(**{str(word): item for word, item in value.items() if word != "power_step"})
    except MachineError as error:
        found = error.problems[0]
        raise Fault(f"method: {lower_first(found.rule)}", found.fix, "method", found.closest) from None
    except TypeError:
        raise ValueError(f"{show(dict(value))} does not give words of a method") from None
    return dict(value)


class Case(Described):
    """What is done with a machine."""

    name: str = param("name of the case")
    meaning: str = param("one line about it", "")
    duration: Time = param("how long it is run", DURATION, above=0)
    step: Time = param("step of the integrator", STEP, above=0)
    record: Annotated[Time, param("", above=0)] | None = param("time between two records", None)
    start: Annotated[Any, BeforeValidator(_start), WithJsonSchema({"enum": [*STARTS, None]})] = param(
        "equilibrium: begins at rest; machine, or nothing: at the machine's own start", None
    )
    inputs: dict[str, Annotated[Any, BeforeValidator(_input), WithJsonSchema(input_schema())]] = param(
        "inputs over time, by name", {}
    )
    csv: Annotated[str, BeforeValidator(_file)] = param("a CSV file whose columns are inputs", "")
    controllers: Annotated[
        tuple[Any, ...], BeforeValidator(_controllers), WithJsonSchema(controllers_schema())
    ] = param("controllers, by name", ())  # fmt: skip
    stop: Annotated[tuple[Any, ...], BeforeValidator(_stops), WithJsonSchema(STOP_SCHEMA)] = param(
        "conditions that end it early", ()
    )
    method: Annotated[dict[str, Any], BeforeValidator(_method), WithJsonSchema(METHOD_SCHEMA)] = param(
        "words of the method, such as coupling", {}
    )
    measured: Annotated[str, BeforeValidator(_file)] = param("a CSV file with measured data to lay over the run", "")

    _machine: Machine | None = PrivateAttr(default=None)

    @classmethod
    def read(cls, machine: Machine, name: str, settings: Mapping[str, Any], folder: Path) -> Case:
        """Make a case of a machine; raise MachineError with every problem of its settings."""
        case, problems = cls.read_partly(machine, name, settings, folder)
        if problems:
            raise MachineError(problems, machine.where)
        return case

    @classmethod
    def read_partly(
        cls, machine: Machine, name: str, settings: Mapping[str, Any], folder: Path
    ) -> tuple[Case, list[Problem]]:
        """Make a case of the settings that can be read, so that they can be checked, and return what cannot."""
        problems: list[Problem] = []
        try:
            case = cls.model_validate({**settings, "name": name}, context={"folder": folder})
        except ValidationError as error:
            problems = explain(error, cls, place_of(name), f"case '{name}'")
            kept = _without(settings, [item["loc"] for item in error.errors()])
            case = cls.model_validate({**kept, "name": name}, context={"folder": folder})
        case._machine = machine
        return case, problems

    def of(self, machine: Machine) -> Case:
        """The same case of another machine."""
        found = self.model_copy()
        found._machine = machine
        return found

    @property
    def machine(self) -> Machine:
        """The machine that it was made for."""
        assert self._machine is not None
        return self._machine

    @property
    def files(self) -> dict[str, str]:
        """The file of its machine and that of measured data, empty where there is none."""
        return {"file": self.machine.file, "measured": self.measured}

    @property
    def imports(self) -> list[str]:
        """What running it imports and runs, as file:function."""
        given = [item for item in self.controllers if isinstance(item, GivenController)]
        return [item.reference for item in given if item.reference]

    def content(self) -> Any:
        """What makes two cases equal: their settings; one with something of Python's in it equals only itself."""
        try:
            return self.to_plain(Path())
        except ValueError:
            return id(self)

    def to_plain(self, folder: Path) -> dict[str, Any]:
        """The settings as they are written into a file in a folder; a ValueError for what only Python has."""
        plain: dict[str, Any] = {}
        for field in ("meaning", "duration", "step", "record", "start"):
            if field in self.model_fields_set and getattr(self, field) not in (None, ""):
                plain[field] = getattr(self, field)
        if not isinstance(plain.get("start", ""), str):
            raise ValueError("start is a state of Python's")
        for field in ("csv", "measured"):
            if getattr(self, field):
                plain[field] = os.path.relpath(getattr(self, field), folder)
        if self.inputs:
            plain["inputs"] = {name: _write_named("input", name, value, folder) for name, value in self.inputs.items()}
        if self.controllers:
            plain["controllers"] = {item.name: write_controller(item, folder) for item in self.controllers}
        if self.stop:
            plain["stop"] = [_write_named("stop condition", "", value, folder) for value in self.stop]
        return plain | ({"method": dict(self.method)} if self.method else {})


def _write_named(what: str, name: str, value: Any, folder: Path) -> Any:
    try:
        return write_form(value, folder)
    except ValueError as error:
        raise ValueError(f"{what} '{name}' {error}".replace(" ''", "")) from None


def _without(settings: Mapping[str, Any], places: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Settings without those at the given places; of inputs and controllers only the entries that are meant."""
    kept = dict(settings)
    for field, *rest in places:
        if field in BY_NAME and rest and isinstance(kept.get(field), Mapping):
            kept[field] = {key: value for key, value in kept[field].items() if key != rest[0]}
        else:
            kept.pop(field, None)
    return kept


def place_of(case: str) -> str:
    """Under which name the lines of a case are kept among the sources of a machine."""
    return f"cases.{case}"
