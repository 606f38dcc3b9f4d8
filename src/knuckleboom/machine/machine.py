# SPDX-License-Identifier: BSD-3-Clause
"""Machine: all parts by name, plus gravity, ambient pressure, appearance, levers and cases. No numerics.

    m = kb.Machine("lifting boom")
    boom = m.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    m.revolute("foot", m.ground, boom, axis="y", start="-30 deg")

`m.<kind>(name, ...)` makes a part of any listed kind (fields by position in their order, or by name) and returns a
handle. Values are checked at once; how parts fit together is checked by `m.check()`, all problems together. The order
of parts within a section is kept by files; the order of sections is not part of a machine. `m.circuit()` and
`m.mechanism()`, drawings, are attached in `knuckleboom/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar, overload

from pydantic import TypeAdapter, ValidationError

from knuckleboom.describe import Fault, Part, Place, explain, problem
from knuckleboom.errors import MachineError, Problem, offer
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.machine import kinds
from knuckleboom.machine.appearance import Shape
from knuckleboom.machine.case import Case, place_of
from knuckleboom.machine.handles import BodyHandle, Handle, Maker, OilHandle
from knuckleboom.machine.lever import Lever, source_of
from knuckleboom.machine.naming import name_faults
from knuckleboom.machine.placement import Located
from knuckleboom.machine.unusual import Unusual, unusual
from knuckleboom.mechanics.parts import Body, Ground
from knuckleboom.names import closest
from knuckleboom.quantities import Acceleration3, Pressure, warn_user
from knuckleboom.units import STANDARD_ATMOSPHERE

AnyPart = TypeVar("AnyPart", bound=Part)

GRAVITY = (0.0, 0.0, -9.81)
GROUND = "ground"
SETTINGS: dict[str, TypeAdapter[Any]] = {"gravity": TypeAdapter(Acceleration3), "ambient": TypeAdapter(Pressure)}
LEVER_FIX = 'Write m.lever("valve", what="boom").'
CASE_FIX = 'Write m.case("lift", duration="8 s").'
MOST_OF_A_KIND = 100
"""Problems that one rule may find; more are of no use, and closest names of thousands would take long."""
MOST_NAMED = 5
"""Parts that are named where no name is close to one that is unknown."""


class Source(NamedTuple):
    """Where a part stands in a file: first and last line, and the line of each of its keys."""

    file: str
    line: int
    last: int
    keys: Mapping[str, int] = {}

    def lines_of(self, field: str) -> tuple[int, int]:
        """Return the line of a field such as flow[1], or of the nearest that has one, or those of the whole part."""
        while field:
            if field in self.keys:
                return self.keys[field], self.keys[field]
            field = field[: max(field.rfind("."), field.rfind("["), 0)]
        return self.line, self.last


class Machine:
    """A described machine."""

    circuit: ClassVar[Callable[..., Any]]
    mechanism: ClassVar[Callable[..., Any]]

    def __init__(self, name: str = "machine", *, gravity: Any = GRAVITY, ambient: Any = STANDARD_ATMOSPHERE) -> None:
        self.name, self.file = name, ""  # problems of the settings are headed by them
        self.gravity, self.ambient = gravity, ambient
        self.parts: dict[str, Part] = {}
        self.appearance: dict[str, tuple[Shape, ...]] = {}
        self.levers: dict[str, Lever] = {}
        self.cases: dict[str, Case] = {}
        self.sources: dict[str, Source] = {}
        self.cite = ""
        self.unread: frozenset[str] = frozenset()
        self.half_read: tuple[Part, ...] = ()
        self.doubts: tuple[Problem, ...] = ()
        self._ground = Ground(name=GROUND)

    # --- the machine's own settings ---

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of gravity in world axes, m/s²."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        self._gravity: tuple[float, float, float] = self._setting("gravity", value)

    @property
    def ambient(self) -> float:
        """Pressure around the machine, Pa absolute."""
        return self._ambient

    @ambient.setter
    def ambient(self, value: Any) -> None:
        self._ambient: float = self._setting("ambient", value)

    def _setting(self, name: str, value: Any) -> Any:
        try:
            return SETTINGS[name].validate_python(value)
        except ValidationError as error:
            reasons = [str(item.get("ctx", {}).get("error", item["msg"])) for item in error.errors()]
            raise MachineError([Problem(f"{name}: {reason}.") for reason in reasons], self.where) from None

    @property
    def where(self) -> str:
        """How problems are headed: the file the machine was read from, or its name."""
        return self.file or f"machine '{self.name}'"

    def _refusal(self, rule: str, fix: str) -> MachineError:
        return MachineError([Problem(rule, fix=fix)], self.where)

    # --- parts ---

    @property
    def ground(self) -> BodyHandle:
        """The world, as a body."""
        return BodyHandle(self, GROUND)

    @property
    def ground_part(self) -> Ground:
        """The ground's description."""
        return self._ground

    def part(self, name: str) -> Part:
        """Return a part by name, also `ground`; an unknown one is a MachineError with the closest."""
        if name == GROUND:
            return self._ground
        if name not in self.parts:
            near = tuple(closest(str(name), self.parts))
            some = ", ".join(islice(self.parts, MOST_NAMED))
            fix = "" if near else f"Parts of it are {some}." if some else "It has no parts."
            raise MachineError([Problem(f"There is no part '{name}'.", fix=fix, closest=near)], self.where)
        return self.parts[name]

    def __getitem__(self, name: str) -> Handle:
        """Return the handle of a part by name."""
        return self._handle(self.part(name))

    def of(self, kind: type[AnyPart]) -> list[AnyPart]:
        """Return the parts of a class, also a base class such as Joint, in order; the ground is not among them."""
        return [part for part in self.parts.values() if isinstance(part, kind)]

    @overload
    def add(self, part: Part, /) -> Handle: ...
    @overload
    def add(self, prefix: str, other: Machine, /, *, onto: Any = None, at: Any = ..., rpy: Any = ...) -> None: ...
    def add(
        self, what: Part | str, other: Machine | None = None, /, *, onto: Any = None,
        at: Any = (0.0, 0.0, 0.0), rpy: Any = (0.0, 0.0, 0.0),
    ) -> Handle | None:  # fmt: skip
        """Add a part made by hand, or all parts of another machine with a prefix, its ground becoming a place here."""
        if isinstance(what, Part):
            return self._take(what)
        from knuckleboom.machine.groups import add_group

        if other is None:
            raise TypeError("add() needs a part, or a prefix and a machine")
        add_group(self, what, other, self.ground if onto is None else onto, at, rpy)
        return None

    def make(self, kind: type[Part], fields: Mapping[str, Any]) -> Handle:
        """Make a part of a kind from its fields and add it."""
        try:
            part = kind(**fields)
        except MachineError as error:
            raise MachineError(error.problems, self.where) from None
        return self._take(part)

    def change(self, name: str, field: str, more: Mapping[str, Any]) -> None:
        """Replace a part by one with more entries in a mapping field; an entry that is there already is a problem."""
        part = self.part(name)
        held = getattr(part, field, None)
        if held is None:
            raise MachineError([problem(part, f"it has no {field}.")], self.where)
        for key in more:
            if key in held:
                found = problem(part, f"{field} has '{key}' already.", "Choose another name.", field=f"{field}.{key}")
                raise MachineError([found], self.where)
        self.assign(name, {field: {**held, **more}})

    def assign(self, name: str, settings: Mapping[str, Any]) -> None:
        """Replace a part by one with other settings, checked as when it was made; nothing is changed when one is wrong.

        None takes back a setting that may be left out.
        """
        part = self.part(name)
        if "name" in settings:
            fix = "Names are references of other parts: make the part anew under the other name."
            raise MachineError([problem(part, "its name cannot change.", fix, field="name")], self.where)
        data = {key: getattr(part, key) for key in {"name", *part.model_fields_set}} | dict(settings)
        optional = {key for key, info in type(part).model_fields.items() if info.default is None}
        gone = [key for key, value in settings.items() if value is None and key in optional]
        try:
            changed = type(part)(**{key: value for key, value in data.items() if key not in gone})
        except MachineError as error:
            raise MachineError(error.problems, self.where) from None
        broken = {fault.rule for fault in part.faults()}  # by a file that check() complains of: not by these settings
        self._refuse_faults(changed, (fault for fault in changed.faults() if fault.rule not in broken))
        self.put(changed)
        self.doubts = tuple(one for one in self.doubts if one.part != name or one.field not in settings)
        self._tell_unusual(changed, settings)

    def put(self, part: Part) -> None:
        """Put a part in place of the one of the same name, or the ground."""
        if isinstance(part, Ground):
            self._ground = part
        else:
            self.parts[part.name] = part

    def draw(self, body: str, shape: Mapping[str, Any]) -> None:
        """Add a visual shape to a body."""
        try:
            drawn = Shape.model_validate(dict(shape))
        except ValidationError as error:
            problems = explain(error, Shape, body, f"appearance of '{body}'")
            raise MachineError(problems, self.where) from None
        self.appearance[body] = (*self.appearance.get(body, ()), drawn)

    def hide(self, *names: str) -> None:
        """Leave parts between two places, such as springs, out of pictures: they have an appearance without shapes."""
        self.appearance.update(dict.fromkeys(names, ()))

    def lever(self, name: str | Handle, /, **settings: Any) -> Lever:
        """Say how an input, by its name or its part, is driven by hand in the cabin; replaces what was said before.

        Settings are what, plus, minus (words), axis and back.
        """
        if not isinstance(name, str | Handle):
            raise self._refusal(f"lever: {name!r} is not the name of an input or a part.", LEVER_FIX)
        name = name if isinstance(name, str) else name.name
        try:
            said = Lever.model_validate(settings)
        except ValidationError as error:
            raise MachineError(explain(error, Lever, source_of(name), f"lever '{name}'"), self.where) from None
        self.levers[name] = said
        return said

    def _take(self, part: Part) -> Handle:
        if part.name in self.parts or part.name == GROUND:
            held = self.part(part.name)
            rule = f"there is a {held.KIND} of that name already."
            fix = "Choose another name; names are unique in a machine."
            raise MachineError([problem(part, rule, fix)], self.where)
        self._refuse_faults(part, (*name_faults(part.name), *part.faults()))
        self.parts[part.name] = part
        self._tell_unusual(part, type(part).model_fields)
        return self._handle(part)

    def _refuse_faults(self, part: Part, faults: Iterable[Fault]) -> None:
        """Raise a MachineError with the rules that a part's values break, if any."""
        found = [problem(part, fault.rule, fault.fix, field=fault.field, closest=fault.closest) for fault in faults]
        if found:
            raise MachineError(found, self.where)

    def _tell_unusual(self, part: Part, fields: Container[str]) -> None:
        """Warn the user of values that hardly any machine has, in some fields of a part."""
        for field, text in unusual(part):
            if field in fields:
                warn_user(Unusual(f"{part.KIND} '{part.name}': {text}"))

    def _handle(self, part: Part) -> Handle:
        if isinstance(part, (Body, Ground)):
            return BodyHandle(self, part.name)
        return OilHandle(self, part.name) if isinstance(part, Oil) else Handle(self, part.name)

    # --- cases ---

    def case(self, name: str, **settings: Any) -> Case:
        """Add what can be done with the machine, by name; `kb.simulate(m, case=name)` runs it, and files keep it.

        Settings are duration, step, record, start, inputs, csv, controllers, stop, method, measured and meaning.
        """
        if not isinstance(name, str):
            raise self._refusal(f"case: {name!r} is not a name.", CASE_FIX)
        return self.put_case(name, settings, Path())

    def put_case(self, name: str, settings: Mapping[str, Any], folder: Path, *, partly: bool = False) -> Case:
        """Add a case whose files are in a folder; `partly` also keeps one of which problems are raised."""
        part = place_of(name)
        problems = [Problem(f"case '{name}': {fault.rule}", part=part, fix=fault.fix) for fault in name_faults(name)]
        if name in self.cases:
            problems.append(Problem(f"There is a case '{name}' already.", part=part, fix="Choose another name."))
        case, found = Case.read_partly(self, name, settings, folder)
        if not problems and (partly or not found):
            self.cases[name] = case
        if problems or found:
            raise MachineError([*problems, *found], self.where)
        return case

    def find_case(self, name: str) -> Case:
        """Return a case by name; an unknown one is a MachineError with the closest."""
        if name not in self.cases:
            fix = f"Its cases are {', '.join(self.cases)}." if self.cases else "It has no cases."
            near = tuple(closest(name, self.cases))
            raise MachineError([Problem(f"There is no case '{name}'.", fix=fix, closest=near)], self.where)
        return self.cases[name]

    # --- places ---

    def make_place(self, body: str, **coordinates: Any) -> Place:
        """Return a place by coordinates on a body."""
        try:
            return Place(body=body, **coordinates)
        except ValidationError as error:
            part = self.part(body)
            raise MachineError(explain(error, type(part), part.name), self.where) from None

    def bodies(self) -> Iterator[Body | Ground]:
        """Yield the ground, then every body in order."""
        yield self._ground
        yield from self.of(Body)

    def locate(self, place: Place) -> Located:
        """Return body, origin and roll-pitch-yaw of a place; a KeyError when it does not exist."""
        if place.body:
            if not isinstance(self.ground_part if place.body == GROUND else self.parts.get(place.body), (Body, Ground)):
                raise KeyError(f"'{place.body}' is not a body")
            return Located(place.body, place.at, place.rpy)
        owner = self._ground if place.ref == GROUND else self.parts.get(place.ref)
        if isinstance(owner, (Body, Ground)):
            return Located(owner.name, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

        # names may hold dots, so every split of the path is tried
        for index in (i for i, letter in enumerate(place.ref) if letter == "."):
            body, point = place.ref[:index], place.ref[index + 1 :]
            owner = self._ground if body == GROUND else self.parts.get(body)
            if isinstance(owner, (Body, Ground)) and point in owner.points:
                return Located(body, owner.points[point], (0.0, 0.0, 0.0))
            if isinstance(owner, (Body, Ground)) and point in owner.frames:
                frame = owner.frames[point]
                return Located(body, frame.at, frame.rpy)
        raise KeyError(f"there is no place '{place.ref}'")

    def has_place(self, place: Place) -> bool:
        """Return whether a place exists."""
        try:
            self.locate(place)
        except KeyError:
            return False
        return True

    def place_names(self) -> list[str]:
        """Return every name that a place can have: bodies, their points and their frames."""
        names = []
        for body in self.bodies():
            names.append(body.name)
            names.extend(f"{body.name}.{point}" for point in (*body.points, *body.frames))
        return names

    def port_owner(self, port: str) -> Part | None:
        """Return the part that a port belongs to, or None."""
        part = self.parts.get(port)
        if part is not None and "" in part.PORTS:
            return part
        owner, _, own = port.rpartition(".")
        part = self.parts.get(owner)
        return part if part is not None and own in part.PORTS else None

    # --- checking, reading and writing ---

    def check(self) -> list[Problem]:
        """Return everything that is wrong with the machine, with its place in the file; nothing means it can be run."""
        from knuckleboom.machine.rules import RULES

        found = [self.placed(item) for rule in RULES for item in islice(rule(self), MOST_OF_A_KIND)]
        return sorted(found, key=lambda item: (item.file != self.file, item.lines or (0, 0)))

    def notes(self) -> list[Problem]:
        """Return what may be meant as it is but is worth saying, such as an angle without a unit or an open port."""
        from knuckleboom.machine.rules import NOTES

        return [*self.doubts, *(self.placed(item) for rule in NOTES for item in rule(self))]

    def referring(self) -> Iterator[Part]:
        """Yield all parts, also those of a file of which no more than the references could be read."""
        yield from self.parts.values()
        yield from self.half_read

    def placed(self, item: Problem) -> Problem:
        """Return a problem with its place in the file, as far as its part came from one."""
        source = self.sources.get(item.part)
        if source is None or item.file:
            return item
        if item.lines is not None:
            return item.placed(source.file, item.lines)
        return item.placed(source.file, source.lines_of(item.field))

    def span(self, *names: str) -> tuple[int, int] | None:
        """Return the first and last line of several parts, when all are in one file."""
        found = [self.sources[name] for name in names if name in self.sources]
        if len(found) < len(names) or len({source.file for source in found}) != 1:
            return None
        return min(source.line for source in found), max(source.last for source in found)

    def is_unread(self, name: str) -> bool:
        """Return whether a name belongs to a part of the file that could not be read, so that it is not missing."""
        return any(name == part or name.startswith(f"{part}.") for part in self.unread)

    def to_yaml(self) -> str:
        """Return the machine as YAML text; reading it gives an equal machine, numbers bitwise."""
        from knuckleboom.machine.writer import to_yaml

        return to_yaml(self)

    @classmethod
    def from_yaml(cls, text: str) -> Machine:
        """Return the machine of a YAML text; files of groups are looked for in the current folder."""
        from knuckleboom.machine.reader import from_yaml

        return from_yaml(text)

    # --- kinds ---

    def __getattr__(self, kind: str) -> Maker:
        found = None if kind.startswith("_") else kinds.find(kind)
        if found is None:
            offered = offer(kinds.nearest(kind, vars(type(self))))
            raise AttributeError(f"Machine has no '{kind}', and there is no such kind of part.{offered}")
        return Maker(self, found, {})

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *kinds.all_kinds()})

    # --- comparing and showing ---

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Machine):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[Any, ...]:
        ordered: dict[str, list[Part]] = {}
        for part in self.parts.values():
            ordered.setdefault(part.SECTION, []).append(part)
        cases = {name: case.content() for name, case in self.cases.items()}
        return self.name, self.gravity, self.ambient, self._ground, ordered, self.appearance, self.levers, cases

    def __repr__(self) -> str:
        return f"<Machine '{self.name}' with {len(self.parts)} parts>"

    def _repr_html_(self) -> str:
        from knuckleboom.machine.notebook import machine_html

        return machine_html(self)


kinds.reserve({*vars(Machine), *Machine.__annotations__, *vars(Machine())})
