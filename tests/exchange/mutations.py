# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of a good XML file: what a slip of the hand, a broken disk or malice may make of it."""

import re

import numpy as np

NUMBERS = ("nan", "inf", "-1", "0", "1e308", "-1e-300", "1,5", "", "abc", "1 2", "0x10", "９")
WORDS = ("", "world", "ground", "no such", "../../etc/passwd", "a" * 5000, "é/ü\u200b", "&amp;", "time", "%s%n")


def mutated(text: str, random: np.random.Generator) -> bytes:
    """Return the text with one to three faults in it."""
    for _ in range(random.integers(1, 4)):
        text = MUTATIONS[random.integers(len(MUTATIONS))](text, random)
    raw = text.encode("utf-8", "replace")
    if random.random() < 0.1 and raw:
        place = int(random.integers(len(raw)))
        raw = raw[:place] + bytes([random.integers(256)]) + raw[place + 1 :]
    return raw


def _pick(pattern: str, text: str, random: np.random.Generator) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text, flags=re.DOTALL))
    return found[random.integers(len(found))] if found else None


def _number(text: str, random: np.random.Generator) -> str:
    found = _pick(r"(?<=[\" ])-?\d+\.?\d*(?=[\" ])", text, random)
    return text if found is None else text[: found.start()] + str(random.choice(NUMBERS)) + text[found.end() :]


def _word(text: str, random: np.random.Generator) -> str:
    found = _pick(r"(?<==\")[^\"]*(?=\")", text, random)
    return text if found is None else text[: found.start()] + str(random.choice(WORDS)) + text[found.end() :]


def _no_attribute(text: str, random: np.random.Generator) -> str:
    found = _pick(r" \w+=\"[^\"]*\"", text, random)
    return text if found is None else text[: found.start()] + text[found.end() :]


def _no_element(text: str, random: np.random.Generator) -> str:
    found = _pick(r"<(\w+)[^<>]*/>|<(\w+)[^<>]*>[^<>]*</\2>", text, random)
    return text if found is None else text[: found.start()] + text[found.end() :]


def _twice(text: str, random: np.random.Generator) -> str:
    found = _pick(r"<(\w+)[^<>]*/>|<(body|link|joint)\b[^<>]*>.*?</\2>", text, random)
    return text if found is None else text[: found.end()] + found.group(0) + text[found.end() :]


def _tag(text: str, random: np.random.Generator) -> str:
    found = _pick(r"(?<=<)\w+", text, random)
    return text if found is None else text[: found.start()] + "sheep" + text[found.end() :]


def _cut(text: str, random: np.random.Generator) -> str:
    return text[: random.integers(len(text) + 1)]


def _swapped(text: str, random: np.random.Generator) -> str:
    one, other = (_pick(r"(?<==\")[^\"]*(?=\")", text, random) for _ in range(2))
    if one is None or other is None or one.end() >= other.start():
        return text
    middle = text[one.end() : other.start()]
    return text[: one.start()] + other.group(0) + middle + one.group(0) + text[other.end() :]


MUTATIONS = (_number, _number, _number, _word, _no_attribute, _no_element, _twice, _tag, _cut, _swapped)
