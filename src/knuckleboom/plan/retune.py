# SPDX-License-Identifier: BSD-3-Clause
"""Parameters by name: a machine with one of them changed, and a plan refilled with it while it runs.

The changed machine is expanded and laid out again. Where its structure is the same, the numbers of the plan are
replaced in place and the state stays: q, v, oil strains. What changes the structure is refused by name, and so is what
acts at the start only, or what would open a loop. Numbers that were taken from the start pose stay as they were.
Tested in tests/plan/test_retune.py.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ValidationError

from knuckleboom.describe import Part, Place, Reference, explain, unit_of
from knuckleboom.errors import MachineError, Problem
from knuckleboom.layout import PLAN_FIELDS, flatten
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.free import Free
from knuckleboom.names import closest
from knuckleboom.plan import assembly
from knuckleboom.plan.checks import OPEN, doubts, need_coordinates, open_by_structure, refuse, without_effect
from knuckleboom.plan.equations import Hanging
from knuckleboom.plan.loops import loop_rows
from knuckleboom.plan.network import Network
from knuckleboom.plan.planned import Planned, lay_out_freed
from knuckleboom.plan.reference_point import POSE, free_bodies
from knuckleboom.plan.tables import Layout, lay_out
from knuckleboom.plan.topology import GROUND, build_topology, wanted_coordinates

SETTINGS = {"gravity": ("m/s^2", "acceleration of free fall"), "ambient": ("Pa", "pressure around the machine")}
OWN_FAMILIES = ("control",)
"""Families of the plan that are not the machine's."""
FLOATS = [name for name, _, kind, _ in PLAN_FIELDS if kind == "float" and name.split(".")[0] not in OWN_FAMILIES]
WHOLES = [name for name, _, kind, _ in PLAN_FIELDS if kind != "float" and name.split(".")[0] not in OWN_FAMILIES]


class Tunable(NamedTuple):
    """A parameter: SI unit ("" for lists of several), present value and one line of meaning."""

    unit: str
    value: Any
    meaning: str


def tunables(machine: Machine) -> dict[str, Tunable]:
    """All numeric parameters by name: the machine's own, and those of every part; what only acts at the start too."""
    found = {name: Tunable(unit, getattr(machine, name), text) for name, (unit, text) in SETTINGS.items()}
    for part in (machine.ground_part, *machine.parts.values()):
        found.update(_numbers(part.name, part))
    return found


def _numbers(path: str, described: BaseModel) -> Iterator[tuple[str, Tunable]]:
    for field, info in type(described).model_fields.items():
        value = getattr(described, field)
        if isinstance(value, BaseModel) and not isinstance(value, Place):
            yield from _numbers(f"{path}.{field}", value)
        elif _is_numeric(value):
            yield f"{path}.{field}", Tunable(unit_of(info), value, info.description or "")


def _is_numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) > 0 and all(map(_is_numeric, value))
    return isinstance(value, float)


def with_parameter(machine: Machine, name: str, value: Any) -> Machine:
    """A copy of a machine in which one parameter is changed, e.g. "lift.bore"; its parts' own rules are checked."""
    changed = copy.copy(machine)
    changed.parts = dict(machine.parts)
    if name in SETTINGS:
        setattr(changed, name, value)
        return changed
    part, (field, *deeper) = _find(machine, name)
    try:
        value = _replaced(getattr(part, field), deeper, value) if deeper else value
    except ValidationError as error:
        raise MachineError(explain(error, type(part), part.name), machine.where) from None
    changed.assign(part.name, {field: value})
    return changed


def _find(machine: Machine, name: str) -> tuple[Part, list[str]]:
    """The part that a parameter belongs to, and the path of fields in it."""
    known = tunables(machine)
    for end in (place for place, letter in enumerate(name) if letter == "."):
        owner, fields = name[:end], name[end + 1 :].split(".")
        part = machine.ground_part if owner == "ground" else machine.parts.get(owner)
        if part is not None and (name in known or _is_settable(part, fields)):
            return part, fields
    near = tuple(closest(name, known))
    raise MachineError([Problem(f"There is no parameter '{name}'.", part=name, closest=near)], machine.where)


def _is_settable(described: Any, fields: list[str]) -> bool:
    """Whether a path of fields leads to something that is not a name: also an optional number that is not given."""
    for field in fields[:-1]:
        described = getattr(described, field, None)
    if not isinstance(described, BaseModel) or fields[-1] not in type(described).model_fields or fields[-1] == "name":
        return False
    return not isinstance(getattr(described, fields[-1]), Reference)


def _replaced(described: BaseModel, fields: list[str], value: Any) -> BaseModel:
    """A description with one field changed, however deep it is."""
    field, *deeper = fields
    if deeper:
        value = _replaced(getattr(described, field), deeper, value)
    return type(described)(**{key: getattr(described, key) for key in described.model_fields_set} | {field: value})


def retune(planned: Planned, name: str, value: Any) -> None:
    """Change a parameter of a planned machine in place, or refuse it and change nothing."""
    machine = with_parameter(planned.machine, name, value)
    refuse(machine, machine.check())
    layout, tables = _lay_out(machine, planned)
    plan = flatten(planned.plan)
    for field in WHOLES:
        if field in tables and field in plan and not np.array_equal(tables[field], plan[field]):
            rule = f"'{name}' cannot change while it runs: it would change the structure of the equations."
            fix = "Make a new simulation with it. A value of zero leaves an element out: begin with a small one."
            raise MachineError([Problem(rule, part=name, fix=fix)], machine.where)

    # what comes from the start pose is NaN in the tables: it stays
    new = {
        field: np.where(np.isnan(tables[field]), plan[field], tables[field])
        for field in FLOATS
        if field in tables and field in plan
    }
    if all(np.array_equal(plan[field], numbers) for field, numbers in new.items()):
        _refuse_without_effect(planned, machine, layout, name)
        return
    old = {field: plan[field].copy() for field in new}
    before = _openings(planned)
    _fill(planned, plan, new, machine)
    wider = _openings(planned) > np.maximum(OPEN, 2.0 * before)
    opened = {row.part for row, open_now in zip(layout.loops.kept, wider, strict=True) if open_now}
    opened |= {found.part for found in open_by_structure(layout.network, layout.loops, planned.work)}
    if opened:
        _fill(planned, plan, old, planned.machine)
        names = " and ".join(f"'{part}'" for part in sorted(opened))
        rule = f"'{name}' cannot change that way while it runs: it would open the loop of {names}."
        raise MachineError([Problem(rule, part=name, fix="Make a new simulation with it.")], machine.where)
    planned.machine, planned.doubts = machine, doubts(machine)


def _openings(planned: Planned) -> Any:
    """How far every loop is open at the present pose; a driver's row is not a loop."""
    assembly.close_once(planned.plan, planned.work)
    residual = np.abs(assembly.residual(planned.plan, planned.work))
    residual[planned.plan.rows.driven] = 0.0
    return residual


def _lay_out(machine: Machine, planned: Planned) -> tuple[Layout, dict[str, Any]]:
    """The changed machine in the coordinates that it is planned in; where bodies start is not in the tables."""
    topology, problems = build_topology(machine, wanted_coordinates(machine))
    refuse(machine, problems + need_coordinates(machine, topology))
    if planned.method.coordinates != "relative":
        poses = [Free(name=body + POSE, a=GROUND, b=body) for body in free_bodies(machine)]
        return lay_out_freed(machine, poses, planned, Hanging.of(topology), planned.method)
    network = Network(machine, topology)
    network.expand_all()
    refuse(machine, without_effect(network))
    return lay_out(machine, network, loop_rows(network), planned.method)


def _fill(planned: Planned, plan: dict[str, Any], numbers: dict[str, Any], machine: Machine) -> None:
    for field, values in numbers.items():
        plan[field][...] = values
    # the ground accelerates by −g: see plan/tables.py
    planned.work.motion.A_WL[0, 3:] = [-component for component in machine.gravity]


def _refuse_without_effect(planned: Planned, machine: Machine, layout: Layout, name: str) -> None:
    """Nothing in the plan changed: the same value again, or something that acts at the start or as an input only."""
    if machine == planned.machine:
        return
    rule = f"'{name}' changes nothing while it runs: it acts at the start, or not at all in this machine."
    fix = "Make a new simulation with it."
    for before, after in zip(planned.layout.inputs, layout.inputs, strict=True):
        if before.default != after.default:
            rule = f"'{name}' is where the input '{after.path}' begins."
            fix = f'Set the input: sim.step({{"{after.path}": {after.default!r}}}).'
    if any(isinstance(part, Driver) and name.startswith(f"{part.name}.") for part in machine.parts.values()):
        rule = f"'{name}' belongs to the motion of a driver, which goes on as it began."
    raise MachineError([Problem(rule, part=name, fix=fix)], machine.where)
