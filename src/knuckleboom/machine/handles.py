# SPDX-License-Identifier: BSD-3-Clause
"""Handles: what `m.body(...)`, `m.cylinder(...)` and the like return, to join parts by.

A handle is a name in a machine. It can be given wherever a place, a port, a joint or an oil is asked for. Own ports are
attributes (`lift.a`); other settings are read by name, in SI (`lift.bore`), and set by name (`lift.bore = "90 mm"`),
checked as when the part was made. Bodies make places, oils make parts of their circuit.
Tested in tests/machine/test_settings.py.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from knuckleboom.describe import Part, Place
from knuckleboom.errors import offer
from knuckleboom.machine import kinds
from knuckleboom.names import closest

if TYPE_CHECKING:
    from knuckleboom.machine.machine import Machine


class Handle:
    """A part of a machine, by name."""

    _machine: Machine
    name: str

    def __init__(self, machine: Machine, name: str) -> None:
        # past __setattr__, which sets what the part has
        self.__dict__.update(_machine=machine, name=name)

    @property
    def part(self) -> Part:
        """The description as it is now."""
        return self._machine.part(self.name)

    def change(self, **settings: Any) -> None:
        """Change settings of the part, several at once where one alone would not fit the others: area=…, flow=None."""
        self._machine.assign(self.name, settings)

    def __setattr__(self, setting: str, value: Any) -> None:
        self._machine.assign(self.name, {setting: value})

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        part = self.part
        if attribute in part.PORTS:
            return part.port(attribute)
        if attribute in type(part).model_fields:
            return getattr(part, attribute)
        near = closest(attribute, [name for name in self.__dir__() if not name.startswith("_")])
        raise AttributeError(_no_such(f"{part.KIND} '{self.name}'", attribute, near))

    def __dir__(self) -> list[str]:
        part = self.part
        return sorted({*super().__dir__(), *(port for port in part.PORTS if port), *type(part).model_fields})

    def __repr__(self) -> str:
        return f"<{self.part.KIND} '{self.name}'>"


class BodyHandle(Handle):
    """A body, or the ground: makes places on it, named or not."""

    def at(self, x: Any, y: Any = None, z: Any = None, *, rpy: Any = None) -> Place:
        """Return the place at (x, y, z) in body axes, given as three values or one list; `rpy` turns its axes."""
        position = x if y is None and z is None else tuple(value for value in (x, y, z) if value is not None)
        turned = {} if rpy is None else {"rpy": rpy}
        return self._machine.make_place(self.name, at=position, **turned)

    def point(self, name: str, at: Any) -> Place:
        """Add a named point and return it as a place."""
        self._machine.change(self.name, "points", {name: at})
        return Place(ref=f"{self.name}.{name}")

    def frame(self, name: str, at: Any = (0.0, 0.0, 0.0), rpy: Any = (0.0, 0.0, 0.0)) -> Place:
        """Add a named frame and return it as a place."""
        self._machine.change(self.name, "frames", {name: {"at": at, "rpy": rpy}})
        return Place(ref=f"{self.name}.{name}")

    def point_mass(self, name: str, mass: Any, at: Any = (0.0, 0.0, 0.0)) -> BodyHandle:
        """Add a mass without extension at a point of the body."""
        self._machine.change(self.name, "point_masses", {name: {"mass": mass, "at": at}})
        return self

    def shape(self, shape: str, **settings: Any) -> BodyHandle:
        """Add a visual shape (box, cylinder, sphere, capsule, line); it has no effect on physics."""
        self._machine.draw(self.name, {"shape": shape, **settings})
        return self


class OilHandle(Handle):
    """An oil: makes the parts of its circuit, with `oil` filled in."""

    def __getattr__(self, attribute: str) -> Any:
        kind = None if attribute.startswith("_") else kinds.find(attribute)
        if kind is None:
            if attribute not in self.part.PORTS and attribute not in type(self.part).model_fields:
                near = kinds.nearest(attribute, self.__dir__())
                raise AttributeError(_no_such(f"oil '{self.name}'", attribute, near))
            return super().__getattr__(attribute)
        filled = {"oil": self.name} if "oil" in kind.model_fields else {}
        return Maker(self._machine, kind, filled)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *kinds.all_kinds()})


class Maker:
    """Makes parts of one kind in a machine: `m.revolute(name, a, b, axis="y")`."""

    def __init__(self, machine: Machine, kind: type[Part], filled: dict[str, Any]) -> None:
        self._machine, self._kind, self._filled = machine, kind, filled
        self.__name__ = kind.KIND
        self.__doc__ = kind.__doc__
        self.__signature__ = _signature(kind, filled)

    def __call__(self, *values: Any, **fields: Any) -> Handle:
        order = [name for name in self._kind.model_fields if name not in self._filled]

        # a kind whose name has a default, such as oil, may be made without one
        if values and not isinstance(values[0], str) and not self._kind.model_fields["name"].is_required():
            order.remove("name")
        if len(values) > len(order):
            listed = f"{len(order)} values by position ({', '.join(order)})"
            raise TypeError(f"{self.__name__}() takes {listed}, not {len(values)}")
        given = dict(zip(order, values, strict=False))
        twice = [name for name in fields if name in given]
        if twice:
            raise TypeError(f"{self.__name__}() got '{twice[0]}' by position and by name")
        return self._machine.make(self._kind, {**self._filled, **given, **fields})

    def __repr__(self) -> str:
        return f"<maker of {self.__name__}{self.__signature__}>"


def _signature(kind: type[Part], filled: dict[str, Any]) -> inspect.Signature:
    parameters = []
    optional = False
    for name, info in kind.model_fields.items():
        if name in filled:
            continue
        required = info.is_required() and not optional
        optional = optional or not info.is_required()
        default = inspect.Parameter.empty if required else (... if info.is_required() else info.default)
        parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    if kind.SECTION == "joints":
        parameters.append(inspect.Parameter("at", inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(parameters, return_annotation=Handle)


def _no_such(owner: str, attribute: str, near: list[str]) -> str:
    return f"{owner} has no '{attribute}'.{offer(near)}"
