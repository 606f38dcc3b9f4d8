# SPDX-License-Identifier: BSD-3-Clause
"""Good machines spoilt one place at a time, always in the same way: every value, every key, and the text itself."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import yaml

ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, -60, 1e300, float("nan"), float("inf"), "", " ", "x", "on", "1e9", "5 parsecs per fortnight",
    "3 kg", "2 m", "-1 mm2", "76 bar", "10 ** 10 ** 10 m", "1 m^9^9^9", "ground", "ground.", ".",
    "a" * 300, "../../etc/passwd", "\x1b[2J", "\u202e", "line\nbreak", [], [[]], [1], [1, 2, 3], [1, 2, 3, 4],
    ["x", "y", "z"], {}, {"kind": "revolute"}, {"body": "ground", "at": [1, 2]},
    {"ref": "ground", "body": "ground"}, 2**70, 10**40,
)  # fmt: skip
"""What a value is replaced by."""

ODD_LETTERS = (*"\t\n:-[]{}\"'&*!%@`|#?\x07é\u2028",)


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value inside a tree of dictionaries and lists."""
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from paths(value, (*path, key))


def holder(tree: Any, path: tuple[Any, ...]) -> Any:
    """Return the dictionary or list that holds the last step of a path."""
    for step in path[:-1]:
        tree = tree[step]
    return tree


def written(tree: Any) -> str:
    """Return a tree as YAML text, keys in their order."""
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)


def spoilt_trees(text: str, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield `count` texts with one value replaced, one key removed, renamed or added, and what was done."""
    chance = random.Random(seed)
    good = yaml.safe_load(text)
    places = list(paths(good))
    for _ in range(count):
        tree = copy.deepcopy(good)
        path = chance.choice(places)
        last, inside = path[-1], holder(tree, path)
        way = chance.choice(("value", "value", "value", "remove", "rename", "add", "swap"))
        if way == "value":
            inside[last] = chance.choice(ODD_VALUES)
            done = f"{path} = {inside[last]!r:.40}"
        elif way == "remove":
            del inside[last]
            done = f"{path} removed"
        elif way == "rename" and isinstance(inside, dict):
            new = typo(str(last), chance)
            inside[new] = inside.pop(last)
            done = f"{path} renamed to {new!r}"
        elif way == "swap":
            other = chance.choice(places)
            inside[last] = copy.deepcopy(holder(good, other)[other[-1]])
            done = f"{path} = what is at {other}"
        else:
            value = chance.choice(ODD_VALUES)
            if isinstance(inside, dict):
                inside[chance.choice(("colour", "masss", "", "x" * 500, "start", "kind"))] = value
            else:
                inside.append(value)
            done = f"beside {path} = {value!r:.40}"
        yield written(tree), done


def typo(word: str, chance: random.Random) -> str:
    """Return a word with two letters swapped, one lost or one added."""
    place = chance.randrange(max(1, len(word)))
    way = chance.randrange(3)
    if way == 0:
        return word[:place] + word[place + 1 :] or "x"
    if way == 1:
        return word[:place] + chance.choice("abxyz_") + word[place:]
    return word[:place] + word[place : place + 2][::-1] + word[place + 2 :]


def spoilt_texts(text: str, count: int, seed: int) -> Iterator[tuple[bytes, str]]:
    """Yield `count` texts with a letter put in, taken out or replaced, a line lost, doubled or indented, or cut off."""
    chance = random.Random(seed)
    for _ in range(count):
        place, lines = chance.randrange(len(text)), text.splitlines(keepends=True)
        number = chance.randrange(len(lines))
        way = chance.choice(("insert", "insert", "delete", "replace", "cut", "lose", "double", "indent", "byte"))
        spoilt = text
        if way == "insert":
            spoilt = text[:place] + chance.choice(ODD_LETTERS) + text[place:]
        elif way == "delete":
            spoilt = text[:place] + text[place + 1 :]
        elif way == "replace":
            spoilt = text[:place] + chance.choice(ODD_LETTERS) + text[place + 1 :]
        elif way == "cut":
            spoilt = text[:place]
        elif way == "lose":
            spoilt = "".join(lines[:number] + lines[number + 1 :])
        elif way == "double":
            spoilt = "".join(lines[: number + 1] + lines[number:])
        elif way == "indent":
            spoilt = "".join([*lines[:number], "  " + lines[number], *lines[number + 1 :]])
        content = spoilt.encode()
        if way == "byte":
            content = content[:place] + bytes([chance.randrange(256)]) + content[place:]
        yield content, f"{way} at {place}, line {number + 1}"
