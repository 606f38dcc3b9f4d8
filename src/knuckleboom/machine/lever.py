# SPDX-License-Identifier: BSD-3-Clause
"""Lever: what the operator's cabin calls the motion of an input, where its lever is, and which way it is pulled.

    m.lever(valve, what="boom", plus="up", minus="down", axis="right fore-aft", back="plus")

    levers:                                                              # the same in the machine's file
      valve: {what: boom, plus: up, minus: down, axis: right fore-aft, back: plus}

Kept apart from physics: nothing that computes reads it. Whatever is left out is chosen by the cabin
(cabin/controls.py). Tested in tests/machine/test_levers.py.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from knuckleboom.describe import Described, param
from knuckleboom.quantities import show

LONGEST = 20
"""Letters of a word: what there is room for beside a lever."""

Axis = Literal[
    "left fore-aft", "left sideways", "right fore-aft", "right sideways",
    "left thumb wheel", "right thumb wheel", "left pedal", "right pedal", "buttons",
]  # fmt: skip
BUTTONS = "buttons"
"""The one axis that several inputs may have: there are as many buttons as are needed."""
Sign = Literal["plus", "minus"]


def _read_word(word: Any) -> Any:
    if not isinstance(word, str):
        raise ValueError(f"{show(word)} is not a word; in a file quotes make it one")
    if len(word) > LONGEST or not word.isprintable() or word != word.strip():
        raise ValueError(f"'{word[: 2 * LONGEST]}' does not fit beside a lever; give at most {LONGEST} letters")
    return word


Word = Annotated[str, BeforeValidator(_read_word)]


class Lever(Described):
    """How an input is driven by hand."""

    what: Word = param("what it moves, such as boom", "")
    plus: Word = param("which way that goes when the input is positive, such as up", "")
    minus: Word = param("which way that goes when the input is negative, such as down", "")
    axis: Axis | None = param("which lever it is on, and which way that moves", None)
    back: Sign | None = param("sign of the input when the lever is pulled back, moved left or turned down", None)


def source_of(name: str) -> str:
    """Under which name the lines of an input's lever are kept among the sources of a machine."""
    return f"{name}.lever"
