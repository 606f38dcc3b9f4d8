# SPDX-License-Identifier: BSD-3-Clause
"""Groups: a machine added into another, with a prefix and a placement, any number of times.

Every part is copied as `prefix.name`, and references follow. The group's ground becomes a place on a body here: what
was joined to the ground is joined there, and the ground's points and frames become `prefix.point` on that body.
Terrains of the group are not taken over; its contacts touch those of the outer machine. Gravity, ambient pressure and
world axes are those of the outer machine: a force in world axes keeps its direction.
Groups are flattened, so a written file has none. Cases of the group are not taken over: durations, methods and inputs
are those of a whole machine. Levers are, with their axes; what the outer machine says of one goes before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from knuckleboom.describe import BodyName, Part, Place, Reference, TerrainName, problem
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.naming import name_faults
from knuckleboom.machine.placement import Located, composed
from knuckleboom.mechanics.parts import Ground, Terrain
from knuckleboom.names import closest
from knuckleboom.quantities import Angles3, Vec3

if TYPE_CHECKING:
    from knuckleboom.machine.machine import Machine

GROUND = "ground"
POSITION: TypeAdapter[tuple[float, float, float]] = TypeAdapter(Vec3)
ROTATION: TypeAdapter[tuple[float, float, float]] = TypeAdapter(Angles3)


def add_group(machine: Machine, prefix: str, other: Machine, onto: Any, at: Any, rpy: Any) -> None:
    """Copy all parts of `other` into `machine`; nothing is changed when there is a problem."""
    problems = [Problem(f"group '{prefix}': {fault.rule}", part=prefix, fix=fault.fix) for fault in name_faults(prefix)]
    place = _outer_place(machine, prefix, onto, at, rpy, problems)
    if problems or place is None:
        raise MachineError(problems, machine.where)

    parts = [_copied(part, prefix, place) for part in other.parts.values() if not isinstance(part, Terrain)]
    for part in parts:
        if part.name in machine.parts:
            held = machine.parts[part.name].KIND
            problems.append(problem(part, f"there is a {held} of that name already.", "Choose another prefix."))
    if problems:
        raise MachineError(problems, machine.where)

    machine.doubts += other.doubts
    shapes = dict(other.appearance)
    sources = dict(other.sources)
    _move_ground(machine, prefix, other.ground_part, place)
    for part in parts:
        machine.parts[part.name] = part
    for name, source in sources.items():
        machine.sources[f"{prefix}.{name}"] = source
    for name, lever in other.levers.items():
        machine.levers.setdefault(f"{prefix}.{name}", lever)
    for body, drawn in shapes.items():
        if body == GROUND:
            moved = [composed(place, shape.at, shape.rpy) for shape in drawn]
            drawn = tuple(
                shape.model_copy(update={"at": there.at, "rpy": there.rpy})
                for shape, there in zip(drawn, moved, strict=True)
            )
            body = place.body
        else:
            body = f"{prefix}.{body}"
        machine.appearance[body] = (*machine.appearance.get(body, ()), *drawn)


def _outer_place(
    machine: Machine, prefix: str, onto: Any, at: Any, rpy: Any, problems: list[Problem]
) -> Located | None:
    """Return where the group's ground comes to lie, or note why it cannot."""
    try:
        outer = machine.locate(Place.model_validate(onto))
        return composed(outer, POSITION.validate_python(at), ROTATION.validate_python(rpy))
    except KeyError:
        wanted = Place.model_validate(onto)
        name = wanted.body or wanted.ref
        rule = f"group '{prefix}': it is put onto '{name}', which is not a place here."
        near = tuple(closest(name, machine.place_names()))
        problems.append(Problem(rule, part=prefix, kind="group", field="onto", closest=near))
    except ValidationError as error:
        for item in error.errors():
            reason = item.get("ctx", {}).get("error", item["msg"])
            problems.append(Problem(f"group '{prefix}': {reason}.", part=prefix, kind="group"))
    return None


def _copied(part: Part, prefix: str, place: Located) -> Part:
    data = {field: _mapped(getattr(part, field), prefix, place) for field in part.model_fields_set}
    return type(part)(**{**data, "name": f"{prefix}.{part.name}"})


def _mapped(value: Any, prefix: str, place: Located) -> Any:
    """Return a value with every reference in it pointing into the group."""
    if isinstance(value, BodyName) and value == GROUND:
        return place.body
    if isinstance(value, TerrainName):
        return value
    if isinstance(value, Reference):
        return f"{prefix}.{value}"
    if isinstance(value, Place):
        return _mapped_place(value, prefix, place)
    if isinstance(value, (list, tuple)):
        return tuple(_mapped(item, prefix, place) for item in value)
    if isinstance(value, dict):
        return {key: _mapped(item, prefix, place) for key, item in value.items()}
    return value


def _mapped_place(value: Place, prefix: str, place: Located) -> Place:
    if value.ref == GROUND:
        return Place(body=place.body, at=place.at, rpy=place.rpy)
    if value.ref.startswith(f"{GROUND}."):
        return Place(ref=f"{place.body}.{prefix}.{value.ref.removeprefix(f'{GROUND}.')}")
    if value.ref:
        return Place(ref=f"{prefix}.{value.ref}")
    if value.body == GROUND:
        there = composed(place, value.at, value.rpy)
        return Place(body=there.body, at=there.at, rpy=there.rpy)
    return Place(body=f"{prefix}.{value.body}", at=value.at, rpy=value.rpy)


def _move_ground(machine: Machine, prefix: str, ground: Ground, place: Located) -> None:
    points, frames = {}, {}
    for name, at in ground.points.items():
        there = composed(place, at, (0.0, 0.0, 0.0))
        if any(there.rpy):
            frames[f"{prefix}.{name}"] = {"at": there.at, "rpy": there.rpy}
        else:
            points[f"{prefix}.{name}"] = there.at
    for name, frame in ground.frames.items():
        there = composed(place, frame.at, frame.rpy)
        frames[f"{prefix}.{name}"] = {"at": there.at, "rpy": there.rpy}
    if points:
        machine.change(place.body, "points", points)
    if frames:
        machine.change(place.body, "frames", frames)
