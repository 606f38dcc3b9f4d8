# SPDX-License-Identifier: BSD-3-Clause
"""Which lever moves what: patterns of axes and inputs for known kinds of machines, and a plain one for any other.

An axis is from −1 to 1; x is positive to the right, y when pushed away from the operator. A sign says which way the
input goes, words say what the machine then does. A kind belongs to a machine that has all inputs it names, whatever the
machine is called, so that an excavator of one's own is driven like ours; a trailing `_valve` of an input's name does
not matter.

    excavator   iso  left: slew, stick      right: bucket, boom       known as ISO pattern
                sae  left: slew, boom       right: bucket, stick      known as SAE pattern: boom and stick change hands
    crane       left: slew, telescope       right: luffing, hoist
    harvester   left: slew, jib             right: rotator, boom; telescope and tilt under the thumbs
    forwarder   the crane of a harvester without its head
    loader      left: steering              right: bucket, boom
    sprayer     left: slew, boom            right: swing and tilt of the head; telescopes under the thumbs, lance and
                roll on pedals, nozzle and wobble on buttons

In any pattern pulling a lever back raises, pushing it away lowers or reaches out, and left is left. docs/cabin.md names
the sources of the two of excavators; the others are our choice. Inputs that the pattern does not know get the axes that
are left over, then buttons: a button goes one way, so that such an input has two, and a valve with two positions one;
nobody knows what they do, so that their words are plus and minus. Other inputs (a load, a speed) are no levers: the
page has sliders for them.
Tested in tests/cabin/test_controls.py, the words too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knuckleboom.cabin.titles import words

Pattern = dict[str, tuple[str, int]]
Motion = tuple[str, str, str]
"""What moves, and which way at −1 and at 1 of the input."""

AXES = ("right.y", "right.x", "left.y", "left.x", "thumb.right", "thumb.left", "pedal.right", "pedal.left")
"""In the order in which they are handed out; buttons follow, two for an input."""


@dataclass(frozen=True)
class Kind:
    """A kind of machine: what its inputs do, and its patterns, the usual one first."""

    motions: dict[str, Motion]
    patterns: dict[str, Pattern]

    def fits(self, known: Mapping[str, str]) -> bool:
        """Whether a machine has all inputs of this kind."""
        return all(name in known for name in self.motions)


HARVESTER: dict[str, Motion] = {
    "slew": ("slew", "right", "left"), "lift": ("boom", "down", "up"), "fold": ("jib", "in", "out"),
    "telescope": ("telescope", "in", "out"), "tilt": ("head", "down", "up"), "rotator": ("rotator", "right", "left"),
    "grip": ("grip", "open", "close"), "steer": ("steer", "right", "left"),
}  # fmt: skip
HARVESTER_AXES: Pattern = {
    "left.x": ("slew", -1), "left.y": ("fold", 1), "right.x": ("rotator", -1), "right.y": ("lift", -1),
    "thumb.left": ("telescope", 1), "thumb.right": ("tilt", 1), "pedal.left": ("steer", -1),
    "button.0": ("grip", 1), "button.1": ("grip", -1),
}  # fmt: skip
KINDS = (
    # excavator
    Kind(
        {
            "slew": ("slew", "right", "left"), "stick": ("stick", "out", "in"),
            "bucket": ("bucket", "open", "close"), "boom": ("boom", "down", "up"),
        },
        {
            "iso": {
                "left.x": ("slew", -1), "left.y": ("stick", -1), "right.x": ("bucket", -1), "right.y": ("boom", -1),
            },
            "sae": {
                "left.x": ("slew", -1), "left.y": ("boom", -1), "right.x": ("bucket", -1), "right.y": ("stick", -1),
            },
        },
    ),
    # sprayer
    Kind(
        {
            "slew": ("slew", "right", "left"), "lift": ("boom", "down", "up"), "swing": ("lance", "right", "left"),
            "tilt": ("head", "up", "down"), "telescope_1": ("telescope 1", "in", "out"),
            "telescope_2": ("telescope 2", "in", "out"), "lance": ("lance", "in", "out"),
            "roll": ("roll", "left", "right"), "nozzle": ("nozzle", "down", "up"),
            "wobble": ("wobble", "left", "right"),
        },
        {
            "default": {
                "left.x": ("slew", -1), "left.y": ("lift", -1), "right.x": ("swing", -1), "right.y": ("tilt", 1),
                "thumb.left": ("telescope_1", 1), "thumb.right": ("telescope_2", 1),
                "pedal.left": ("lance", 1), "pedal.right": ("roll", 1),
                "button.0": ("nozzle", 1), "button.1": ("nozzle", -1),
                "button.2": ("wobble", 1), "button.3": ("wobble", -1),
            },
        },
    ),
    # harvester with feed and saw, harvester without
    Kind(
        HARVESTER | {"feed": ("feed", "back", "forward"), "saw": ("saw", "in", "out")},
        {
            "default": HARVESTER_AXES | {
                "button.2": ("feed", 1), "button.3": ("feed", -1), "button.4": ("saw", 1), "button.5": ("saw", -1),
            },
        },
    ),
    Kind(HARVESTER, {"default": HARVESTER_AXES}),
    # forwarder crane
    Kind(
        {name: motion for name, motion in HARVESTER.items() if name not in ("tilt", "steer")},
        {"default": {axis: bound for axis, bound in HARVESTER_AXES.items() if bound[0] not in ("tilt", "steer")}},
    ),
    # mobile crane
    Kind(
        {
            "slew": ("slew", "right", "left"), "telescope": ("telescope", "in", "out"),
            "lift": ("boom", "down", "up"), "winch": ("hook", "down", "up"),
        },
        {
            "default": {
                "left.x": ("slew", -1), "left.y": ("telescope", 1), "right.x": ("lift", -1), "right.y": ("winch", -1),
            },
        },
    ),
    # loader
    Kind(
        {"steer": ("steer", "right", "left"), "tilt": ("bucket", "dump", "curl"), "lift": ("boom", "down", "up")},
        {"default": {"left.x": ("steer", -1), "right.x": ("tilt", -1), "right.y": ("lift", -1)}},
    ),
)  # fmt: skip
UNKNOWN = Kind({}, {"default": {}})


def make_controls(inputs: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Return the patterns of a machine as clients are told: {pattern: {axis: [input, sign, what, minus, plus]}}."""
    listed = list(inputs)
    levers = [one["name"] for one in listed if is_lever(one)]
    switches = [one["name"] for one in listed if is_switch(one)]
    known = {name.removesuffix("_valve"): name for name in reversed(levers)}
    kind = next((kind for kind in KINDS if kind.fits(known)), UNKNOWN)
    motions = {known[name]: motion for name, motion in kind.motions.items()}
    motions |= {name: (plain(name), "−", "+") for name in levers if name not in motions}
    motions |= {name: (plain(name), "off", "on") for name in switches}
    return {
        name: {axis: told(motions, *bound) for axis, bound in complete(pattern, known, levers, switches).items()}
        for name, pattern in kind.patterns.items()
    }


def plain(name: str) -> str:
    """An input that is on no known machine, as words."""
    return words(name.removesuffix("_valve"))


def is_lever(one: Mapping[str, Any]) -> bool:
    """Whether an input is moved by hand to both sides of its rest: a spool, not a load or a speed."""
    return bool(one["unit"] == "1" and one["low"] < one["rest"] < one["high"])


def is_switch(one: Mapping[str, Any]) -> bool:
    """Whether an input is a valve that is moved by hand to one side only."""
    return one.get("kind") == "lever" and not is_lever(one)


def told(motions: Mapping[str, Motion], name: str, sign: int) -> list[Any]:
    """Return what clients are told of one axis: its words are for −1 and 1 of the axis, not of the input."""
    what, minus, plus = motions[name]
    return [name, sign, what, minus, plus] if sign > 0 else [name, sign, what, plus, minus]


def complete(pattern: Pattern, known: Mapping[str, str], levers: list[str], switches: list[str]) -> Pattern:
    """Return a pattern with the machine's own names, with what it leaves over on free axes and buttons."""
    found: Pattern = {axis: (known[name], sign) for axis, (name, sign) in pattern.items()}
    free = [axis for axis in AXES if axis not in found]
    button = 1 + max((int(axis.removeprefix("button.")) for axis in found if axis.startswith("button.")), default=-1)
    taken = {name for name, _ in found.values()}
    for name in levers:
        if name in taken:
            continue
        if free:
            found[free.pop(0)] = (name, 1)
        else:
            found[f"button.{button}"], found[f"button.{button + 1}"] = (name, 1), (name, -1)
            button += 2
    for number, name in enumerate(switches):
        found[f"button.{button + number}"] = (name, 1)
    return found
