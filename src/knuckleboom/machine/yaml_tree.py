# SPDX-License-Identifier: BSD-3-Clause
"""YAML as a tree with line numbers, read with rules of our own.

PyYAML's parser gives events; the tree is built here, so that nothing is guessed: a plain scalar is a number (also 1e9),
`true`, `false`, `null` or text (`on`, `yes`, dates and 1:30 stay text); a key is always text; a key given twice is a
problem; tags, anchors and aliases are refused; depth and size are bounded. Problems are collected, not raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from knuckleboom.errors import Problem

DEEPEST = 16
"""Levels of nesting; a machine needs 7."""
LARGEST = 10_000_000
"""Bytes of a file; 600 parts take about 44 000."""
MOST_VALUES = 200_000
"""Values of a machine, those of its groups included; 600 parts have about 9 000."""
LONGEST_KEY = 200
"""Letters of a key."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_STRANGE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}


class Budget:
    """How many values may still be read, shared by all files of a machine: they bound memory and time."""

    def __init__(self) -> None:
        self.left = MOST_VALUES


@dataclass(slots=True)
class Node:
    """One value in a file: what it is, its lines (from 1), and for a mapping its keys and for a list its items."""

    line: int
    last: int
    scalar: Any = None
    written: str = ""
    items: list[Node] | None = None
    entries: dict[str, Node] | None = None
    key_lines: dict[str, int] = field(default_factory=dict)
    alias: bool = False

    @property
    def refused(self) -> bool:
        """Whether an alias stands here or inside, so that the value is not known."""
        inside = [*(self.items or []), *(self.entries or {}).values()]
        return self.alias or any(node.refused for node in inside)

    def plain(self) -> Any:
        """Return the value as numbers, texts, lists and dictionaries."""
        if self.entries is not None:
            return {key: node.plain() for key, node in self.entries.items()}
        if self.items is not None:
            return [node.plain() for node in self.items]
        return self.scalar

    def scalars(self) -> Iterator[Node]:
        """Yield every single value inside."""
        for node in (*(self.items or []), *(self.entries or {}).values()):
            yield from node.scalars()
        if self.items is None and self.entries is None:
            yield self

    def lines(self, path: str = "") -> Iterator[tuple[str, int]]:
        """Yield the line of every value inside, by path: flow[1], points.tip."""
        for key, node in (self.entries or {}).items():
            inner = f"{path}.{key}" if path else key
            yield inner, self.key_lines[key]
            yield from node.lines(inner)
        for index, node in enumerate(self.items or []):
            yield f"{path}[{index}]", node.line
            yield from node.lines(f"{path}[{index}]")


def read_scalar(text: str) -> Any:
    """Return what a plain scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def read_tree(text: str, budget: Budget | None = None) -> tuple[Node | None, list[Problem]]:
    """Return the tree of a YAML text, or None when it has none, and what is wrong with it as YAML."""
    problems: list[Problem] = []
    builder = _Builder(problems, budget or Budget())
    strange = _STRANGE.search(text)
    if strange is not None:
        line, column = text.count("\n", 0, strange.start()) + 1, strange.start() - text.rfind("\n", 0, strange.start())
        rule = f"column {column} has the character U+{ord(strange[0]):04X}, which no text file should have."
        return None, [Problem(rule, lines=(line, line), fix="Remove it; a text file holds letters and line ends.")]
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if not builder.take(event):
                break
    except yaml.YAMLError as error:
        problems.append(_syntax(error, text))
        return None, problems
    return builder.root, problems


class _Builder:
    """Builds the tree from events; one open node per level, and the key that waits for its value."""

    def __init__(self, problems: list[Problem], budget: Budget) -> None:
        self.problems = problems
        self.budget = budget
        self.root: Node | None = None
        self.open: list[Node] = []
        self.keys: list[tuple[str | None, int] | None] = []
        self.documents = 0

    def take(self, event: Any) -> bool:
        """Take one event; False ends the reading."""
        line, last = event.start_mark.line + 1, event.end_mark.line + 1
        self.budget.left -= 1
        if self.budget.left < 0:
            self._complain(line, f"the machine has more than {MOST_VALUES} values.", "Is this the right file?")
            self.root = None
            return False
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self._complain(line, "a second document begins here; a file describes one machine.", "Remove '---'.")
                return False
        elif isinstance(event, yaml.AliasEvent):
            self._complain(line, f"'*{event.anchor}' is an alias.", "Write the value itself, or make a group.")
            self._place(Node(line, line, alias=True), None)
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_extras(event, line, explicit=not any(event.implicit))
            plain = event.style in (None, "")
            value = read_scalar(event.value) if plain else event.value
            self._place(Node(line, last, scalar=value, written=event.value), event.value)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            return self._begin(event, line)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self.open.pop()
            self.keys.pop()
        return True

    def _begin(self, event: Any, line: int) -> bool:
        if len(self.open) >= DEEPEST:
            self._complain(line, f"it is nested more than {DEEPEST} levels deep.", "A machine needs far fewer.")
            self.root = None
            return False
        self._refuse_extras(event, line, explicit=not event.implicit)
        mapping = isinstance(event, yaml.MappingStartEvent)
        node = Node(line, line, entries={}) if mapping else Node(line, line, items=[])
        self._place(node, None)
        self.open.append(node)
        self.keys.append(None)
        return True

    def _place(self, node: Node, key: str | None) -> None:
        """Put a node where it belongs: as the root, an item, a key or the value of the key before."""
        for level in self.open:
            level.last = max(level.last, node.last)
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if parent.items is not None:
            parent.items.append(node)
            return
        waiting = self.keys[-1]
        if waiting is None:
            self.keys[-1] = (self._good_key(key, node.line), node.line)
            return
        self.keys[-1] = None
        name, line = waiting
        if name is None:
            return
        entries = parent.entries if parent.entries is not None else {}
        if name in entries:
            first = parent.key_lines[name]
            self._complain(line, f"'{name}' is given twice; first on line {first}.", "Rename or remove one of them.")
            return
        entries[name] = node
        parent.key_lines[name] = line

    def _good_key(self, key: str | None, line: int) -> str | None:
        """Return a key, or None for one whose value is left out because of what is noted here."""
        if key is None:
            self._complain(line, "a key must be a single word or text.", "")
        elif len(key) > LONGEST_KEY:
            rule = f"the key that begins with '{key[:40]}' has {len(key)} letters."
            self._complain(line, rule, f"Use at most {LONGEST_KEY}.")
        elif key == "<<":
            self._complain(line, "'<<' would merge other settings into these.", "Write them here, or make a group.")
        else:
            return key
        return None

    def _refuse_extras(self, event: Any, line: int, *, explicit: bool) -> None:
        if explicit and event.tag is not None:
            self._complain(line, f"'{event.tag}' is a tag.", "Remove it; values are read by what they look like.")
        if event.anchor is not None:
            self._complain(line, f"'&{event.anchor}' is an anchor.", "Remove it; to repeat parts, make a group.")

    def _complain(self, line: int, rule: str, fix: str) -> None:
        self.problems.append(Problem(rule, lines=(line, line), fix=fix))


def _syntax(error: yaml.YAMLError, source: str) -> Problem:
    mark: Any = getattr(error, "problem_mark", None)
    reason = " ".join(str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).split())
    context = getattr(error, "context", None)
    text = f"{reason} ({context})" if context else reason
    lines, at, fix = None, "", "Look for a missing colon, bracket, quote or space."
    if mark is not None:
        lines, at = (mark.line + 1, mark.line + 1), f" at column {mark.column + 1}"
        around = source.splitlines()[mark.line : mark.line + 1]
        if around and around[0][mark.column : mark.column + 1] == "\t":
            fix = "There is a tab; indent with spaces."
    return Problem(f"it is not YAML{at}: {text}.", lines=lines, fix=fix)
