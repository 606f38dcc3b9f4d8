# SPDX-License-Identifier: BSD-3-Clause
"""Reading a machine from YAML: all problems at once, each with its lines.

    knuckleboom: 1
    machine: lifting boom
    bodies: {boom: {mass: 200 kg, com: [0.5, 0, 0], inertia: [0.1, 16.7, 16.7]}}
    joints: {foot: {kind: revolute, a: ground, b: boom, axis: y, start: -30 deg}}

Every section maps names to parts of its kind; in shared sections (joints) each entry says its `kind`. `groups` reads
other files, relative to this one. What is wrong with single parts is collected first, then the rules
run over what was read.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from knuckleboom.describe import Part, explain
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import kinds
from knuckleboom.machine.appearance import Shape
from knuckleboom.machine.case import place_of
from knuckleboom.machine.lever import source_of
from knuckleboom.machine.machine import GROUND, Machine, Source
from knuckleboom.machine.naming import LONGEST
from knuckleboom.machine.unusual import unusual
from knuckleboom.machine.yaml_tree import LARGEST, Budget, Node, read_tree
from knuckleboom.mechanics.parts import Body, Ground
from knuckleboom.names import closest
from knuckleboom.quantities import BareAngle, show

FORMAT = 1
"""Version of the file format, the value of the key `knuckleboom`."""

DEEPEST_GROUP = 8
MOST_OFFERED = 8
"""Files that are offered in place of one that is not there."""
GROUP_KEYS = ("file", "onto", "at", "rpy")


def read(path: str | os.PathLike[str]) -> Machine:
    """Return the machine of a YAML file; a MachineError lists everything that is wrong with it."""
    file = os.fspath(path)
    reader = _Reader(file, Path(file).parent, (_real(Path(file)),))
    text = reader.text_of(Path(file))
    return reader.checked(text)


def examine(path: str | os.PathLike[str]) -> tuple[Machine | None, list[Problem]]:
    """Return every problem of a file, and its machine if all of them are in its cases, so that it can be planned."""
    file = os.fspath(path)
    reader = _Reader(file, Path(file).parent, (_real(Path(file)),))
    try:
        return reader.checked(reader.text_of(Path(file))), []
    except MachineError as error:
        sound = len(error.problems) == len(set(reader.case_problems))
        return (reader.machine if sound else None), error.problems


def from_yaml(text: str) -> Machine:
    """Return the machine of a YAML text; a MachineError lists everything that is wrong with it."""
    return _Reader("", Path(), ()).checked(text)


class _Reader:
    """Reads one file into a machine and collects problems."""

    def __init__(self, file: str, folder: Path, open_files: tuple[str, ...], budget: Budget | None = None) -> None:
        self.file = file
        self.folder = folder
        self.open_files = open_files
        self.problems: list[Problem] = []
        self.case_problems: list[Problem] = []
        self.unread: set[str] = set()
        self.included = budget is not None
        self.budget = budget or Budget()
        self.machine = Machine()
        self.machine.file = file

    def checked(self, text: str | None) -> Machine:
        """Read and check; raise when anything is wrong."""
        machine = self.machine_of(text)
        machine.unread = frozenset(self.unread)
        found = [*self.problems, *self.case_problems, *(machine.check() if text is not None else [])]
        machine.unread, machine.half_read = frozenset(), ()
        if found:
            ordered = sorted(dict.fromkeys(found), key=lambda item: (item.file != self.file, item.lines or (0, 0)))
            raise MachineError(ordered, machine.where if self.file else "the text")
        return machine

    def text_of(self, path: Path) -> str | None:
        """Return the text of a file, or note why it cannot be read."""
        try:
            if path.is_dir():
                self._note("it is a folder.", "Give the machine's file in it.")
                return None
            if path.exists() and not path.is_file():
                # reading a pipe or a device may never end
                self._note("it is not a file but a device or a pipe.", "Give a machine's file.")
                return None
            with path.open("rb") as stream:
                content = stream.read(LARGEST + 1)
            if len(content) > LARGEST:
                self._note(f"it has more than {LARGEST} bytes.", "Split it into groups.")
                return None
            return content.decode("utf-8-sig")
        except FileNotFoundError:
            near, there = _neighbours(path)
            self._note("there is no such file.", there, near=near)
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            self._note(f"it is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.", line)
        except (OSError, ValueError) as error:
            self._note(f"it cannot be read: {getattr(error, 'strerror', None) or error}.")
        return None

    def machine_of(self, text: str | None) -> Machine:
        """Read a text into the machine, noting problems."""
        if text is None:
            return self.machine
        root, problems = read_tree(text, self.budget)
        self.problems += [replace(problem, file=self.file) for problem in problems]
        if root is None and problems:
            return self.machine
        if root is None or root.entries is None:
            fix = "It begins like this:\n  knuckleboom: 1\n  machine: my crane"
            self._note("it does not describe a machine.", fix, 1 if root is None else root.line)
            return self.machine

        self._format(root)
        self._settings(root.entries)
        known = kinds.sections()
        for section, node in root.entries.items():
            if section in known:
                self._section(section, known[section], node)
            elif section not in kinds.TOP_LEVEL:
                near = tuple(closest(section, [*known, *kinds.TOP_LEVEL]))
                fix = "" if near else f"The sections are {', '.join(known)}."
                self._note(f"'{section}' is not a section.", fix, root.key_lines[section], near)
        if "groups" in root.entries:
            self._each(root.entries["groups"], "groups", self._group)
        if "appearance" in root.entries:
            self._each(root.entries["appearance"], "appearance", self._appearance)
        if "levers" in root.entries:
            self._each(root.entries["levers"], "levers", self._lever)
        if "cases" in root.entries and not self.included:  # those of a group belong to its own file
            self._each(root.entries["cases"], "cases", self._case)
        return self.machine

    # --- the top of the file ---

    def _format(self, root: Node) -> None:
        node = (root.entries or {}).get("knuckleboom")
        if node is None:
            self._note("it does not say its format.", "Add as first line:\n  knuckleboom: 1", root.line)
        elif node.plain() != FORMAT or isinstance(node.plain(), bool):
            rule = f"its format is {show(node.plain())}; this version reads {FORMAT}."
            self._note(rule, "Write knuckleboom: 1, or use a newer Knuckleboom.", node.line)

    def _settings(self, entries: dict[str, Node]) -> None:
        name = entries.get("machine")
        if name is not None:
            if name.entries is not None or name.items is not None or not name.written:
                self._note("machine: the name of the machine is a text.", "Write machine: my crane", name.line)
            elif len(name.written) > LONGEST or not name.written.isprintable():
                rule = f"machine: the name {show(name.written)} cannot be printed on one line."
                self._note(rule, f"Use at most {LONGEST} letters, digits, signs and spaces.", name.line)
            else:
                self.machine.name = name.written
        for setting in ("gravity", "ambient"):
            node = entries.get(setting)
            if node is None:
                continue
            try:
                setattr(self.machine, setting, node.plain())
            except MachineError as error:
                self._keep(error.problems, (node.line, node.last))

    def _each(self, node: Node, what: str, take: Any) -> None:
        """Call `take` with every entry of a mapping."""
        if node.entries is None:
            if node.items is not None or node.scalar is not None:
                self._note(f"'{what}' is not a list of names with settings.", f"Write {what}: {{name: ...}}", node.line)
            return
        for name, entry in node.entries.items():
            take(name, entry, node.key_lines[name])

    # --- parts ---

    def _section(self, section: str, listed: list[type[Part]], node: Node) -> None:
        def take(name: str, entry: Node, line: int) -> None:
            kind = self._kind(name, entry, line, section, listed)
            if kind is not None:
                self._part(name, entry, line, kind)
            else:
                self.unread.add(name)

        self._each(node, section, take)

    def _kind(
        self, name: str, entry: Node, line: int, section: str, listed: list[type[Part]]
    ) -> type[Part] | None:  # fmt: skip
        if entry.entries is None and (entry.items is not None or entry.scalar is not None):
            kind = Ground if name == GROUND else listed[0]
            self._note(f"'{name}' in {section} has {show(entry.plain())} in place of settings.", _form(kind), line)
            return None
        if section == Body.SECTION and name == GROUND:
            return Ground
        given = (entry.entries or {}).get("kind")
        if given is None:
            if not listed[0].SHARED:
                return listed[0]
            names = ", ".join(kind.KIND for kind in listed)
            self._note(f"'{name}' in {section} does not say its kind.", f"Add kind: one of {names}.", line, part=name)
            return None
        wanted = {kind.KIND: kind for kind in listed}
        if given.written in wanted:
            return wanted[given.written]
        near = tuple(closest(given.written, wanted))
        rule = f"'{name}' in {section}: there is no kind {show(given.plain())}."
        self._note(rule, "" if near else f"The kinds are {', '.join(wanted)}.", given.line, near, name)
        return None

    def _part(self, name: str, entry: Node, line: int, kind: type[Part]) -> None:
        if entry.refused:
            self.unread.add(name)
            return
        source = Source(self.file, line, max(line, entry.last), dict(entry.lines()))
        held = self.machine.parts.get(name)
        if held is not None:
            rule = f"{kind.KIND} '{name}': there is a {held.KIND} of that name already."
            fix = "Choose another name; names are unique in a machine."
            self._note(rule, fix, line, part=name)
            return
        self.machine.sources[name] = source
        settings = entry.plain() or {}
        settings.pop("kind", None)
        if "name" in settings:
            rule = f"{kind.KIND} '{name}': 'name' is not a setting; the name is the key."
            self._note(rule, "Remove it.", entry.key_lines["name"], part=name)
            settings.pop("name")
        named = {field: settings[field] for field in kind.FILES if isinstance(settings.get(field), str)}
        settings |= {field: str(self.folder / file) for field, file in named.items()}
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always", BareAngle)
            try:
                part = kind(name=name, **settings)
            except MachineError as error:
                self.problems += [self.machine.placed(problem) for problem in error.problems]
                self.unread.add(name)
                self.machine.half_read += (kind.only_references({**settings, "name": name}),)
                return
        self.machine.put(part)
        for doubt in [item.message for item in doubts if isinstance(item.message, BareAngle)]:
            line = next((node.line for node in entry.scalars() if node.scalar == doubt.value), line)
            text = Problem(f"{kind.KIND} '{name}': {doubt}", part=name, kind=kind.KIND).placed(self.file, (line, line))
            self.machine.doubts += (text,)
        for field, said in unusual(part):
            told = Problem(f"{kind.KIND} '{name}': {said}", part=name, kind=kind.KIND, field=field)
            at = entry.key_lines.get(field, line)
            self.machine.doubts += (told.placed(self.file, (at, at)),)

    # --- groups, appearance, levers and cases ---

    def _group(self, name: str, entry: Node, line: int) -> None:
        settings = entry.plain()
        self.unread.add(name)
        if not isinstance(settings, dict) or not isinstance(settings.get("file"), str):
            self._note(f"group '{name}' does not say its file.", "Add file: other.yaml", line, part=name)
            return
        for key in settings:
            if key not in GROUP_KEYS:
                near = tuple(closest(key, GROUP_KEYS))
                rule = f"group '{name}': '{key}' is not a setting of a group."
                self._note(rule, "", entry.key_lines[key], near, name)
        path = self.folder / settings["file"]
        if _real(path) in self.open_files or len(self.open_files) > DEEPEST_GROUP:
            rule = f"group '{name}': file {show(settings['file'])} is being read already, so it would contain itself."
            self._note(rule, "Give another file.", line, part=name)
            return

        inner = _Reader(str(path), path.parent, (*self.open_files, _real(path)), self.budget)
        text = inner.text_of(path)
        if text is None:
            for problem in inner.problems:
                rule = f"group '{name}': file {show(settings['file'])}: {problem.rule}"
                self._note(rule, problem.fix, entry.key_lines["file"], problem.closest, name)
            return
        inner.machine_of(text)
        self.problems += inner.problems
        placing = {key: settings[key] for key in ("onto", "at", "rpy") if settings.get(key) is not None}
        if inner.problems:
            return
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BareAngle)  # noted where it was read
                self.machine.add(name, inner.machine, **placing)
        except MachineError as error:
            self._keep(error.problems, (line, max(line, entry.last)))
            return
        self.unread.discard(name)

    def _appearance(self, body: str, entry: Node, line: int) -> None:
        shapes = []
        for item in entry.items if entry.items is not None else [entry]:
            try:
                shapes.append(Shape.model_validate(item.plain()))
            except ValidationError as error:
                self._keep(explain(error, Shape, body, f"appearance of '{body}'"), (item.line, item.last))
        if shapes or entry.items == []:
            self.machine.appearance[body] = tuple(shapes)
            self.machine.sources.setdefault(body, Source(self.file, line, max(line, entry.last)))

    def _lever(self, name: str, entry: Node, line: int) -> None:
        settings = entry.plain()
        if entry.refused:
            return
        if settings is not None and not isinstance(settings, dict):
            fix = "Write {what: boom, plus: up, minus: down}"
            self._note(f"lever '{name}' has {show(settings)} in place of settings.", fix, line)
            return
        self.machine.sources[source_of(name)] = Source(self.file, line, max(line, entry.last), dict(entry.lines()))
        try:
            self.machine.lever(name, **(settings or {}))
        except MachineError as error:
            self.problems += [self.machine.placed(problem) for problem in error.problems]

    def _case(self, name: str, entry: Node, line: int) -> None:
        settings = entry.plain()
        if entry.refused:
            return
        if settings is not None and not isinstance(settings, dict):
            rule = f"case '{name}' has {show(settings)} in place of settings."
            self._note_case(name, rule, "Write {duration: 8 s, inputs: {...}}", line)
            return
        if settings and settings.pop("name", None) is not None:
            rule = f"case '{name}': 'name' is not a setting; the name is the key."
            self._note_case(name, rule, "Remove it.", entry.key_lines["name"])
        self.machine.sources[place_of(name)] = Source(self.file, line, max(line, entry.last), dict(entry.lines()))
        try:
            self.machine.put_case(name, settings or {}, self.folder, partly=True)
        except MachineError as error:
            self.case_problems += [self.machine.placed(problem) for problem in error.problems]

    def _note_case(self, name: str, rule: str, fix: str, line: int) -> None:
        self.case_problems.append(Problem(rule, part=place_of(name), file=self.file, lines=(line, line), fix=fix))

    # --- problems ---

    def _note(
        self, rule: str, fix: str = "", line: int | None = None, near: tuple[str, ...] = (), part: str = ""
    ) -> None:  # fmt: skip
        lines = None if line is None else (line, line)
        self.problems.append(Problem(rule, part=part, file=self.file, lines=lines, fix=fix, closest=near))

    def _keep(self, problems: list[Problem], lines: tuple[int, int]) -> None:
        self.problems += [replace(problem, file=self.file, lines=lines) for problem in problems]


def _form(kind: type[Part]) -> str:
    required = [name for name, info in kind.model_fields.items() if info.is_required() and name != "name"]
    least = f", at least {', '.join(required)}" if required else ""
    return f"Write its settings{least}."


def _real(path: Path) -> str:
    """Return one name for a file, whatever links and dots lead to it."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a name that no file can have; reading it will say so
        return str(path)


def _neighbours(path: Path) -> tuple[tuple[str, ...], str]:
    """Return the names in a folder closest to one that is not there, or else a sentence with its YAML files."""
    try:
        names = sorted(other.name for other in path.parent.iterdir())
    except OSError:
        return (), f"There is no folder '{path.parent}'."
    near = tuple(closest(path.name, names))
    machines = [name for name in names if Path(name).suffix in (".yaml", ".yml")]
    return near, "" if near or not machines else f"There are: {', '.join(machines[:MOST_OFFERED])}."
