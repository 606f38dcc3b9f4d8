# SPDX-License-Identifier: BSD-3-Clause
"""Words of the command line put together again that a shell took apart: `--for 2 s` is meant as `--for "2 s"`.

A unit that follows the bare number of an option belongs to it; so do the units of lists, `--steps 5 ms,2 ms`, and of
settings, `--set lift.bore=90 mm`. Tested in tests/cli/test_words.py.
"""

import re
from collections.abc import Sequence

from knuckleboom.units import COMMON

WRITTEN_OUT = ("sec", "second", "seconds", "minute", "minutes", "hour", "hours")
UNITS = {*WRITTEN_OUT, *(unit for units in COMMON.values() for unit in units)}
"""What a shell may part from its number; rarer units have to be quoted, or written without a space."""

_ENDS_IN_NUMBER = re.compile(r"(?:^|[=:,])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$")
_BEGINNING = re.compile(r"[^,:]*")


def join_quantities(words: Sequence[str]) -> list[str]:
    """Return the words, each number of an option in one word with the unit that follows it."""
    joined: list[str] = []
    is_value = False
    for word in words:
        if is_value and _ENDS_IN_NUMBER.search(joined[-1]) and _begins_with_unit(word):
            joined[-1] += f" {word}"
            continue
        is_value = (bool(joined) and _is_option(joined[-1])) or (_is_option(word) and "=" in word)
        joined.append(word)
    return joined


def _is_option(word: str) -> bool:
    return word.startswith("--")


def _begins_with_unit(word: str) -> bool:
    beginning = _BEGINNING.match(word)
    return beginning is not None and beginning[0] in UNITS
