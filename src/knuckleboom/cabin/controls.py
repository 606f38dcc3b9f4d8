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
the sources of the two of excavators; the others are our choice. What the machine says of its levers itself goes before
(machine/lever.py); with an axis of its own it has one pattern, `own`: the usual one with that. Inputs that the pattern
does not know get the axes that are left over, then buttons: a button goes one way, so that such an input has two, and a
valve with two positions one. Of these, what lifts (analysis/lifting.py) is raised by pulling back and has the words up
and down; of others the effect is unknown, so that their words are plus and minus. Other inputs (a load, a speed)
are no levers, unless the machine says so: the page has sliders for them.
Tested in tests/cabin/test_controls.py, the words too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knuckleboom.cabin.titles import words
from knuckleboom.machine.lever import BUTTONS, Lever

Pattern = dict[str, tuple[str, int]]
Motion = tuple[str, str, str]
"""What moves, and which way at −1 and at 1 of the input."""

AXES = ("right.y", "right.x", "left.y", "left.x", "thumb.right", "thumb.left", "pedal.right", "pedal.left")
"""In the order in which they are handed out; buttons follow, two for an input."""
SAID = {
    "left fore-aft": "left.y", "left sideways": "left.x", "right fore-aft": "right.y", "right sideways": "right.x",
    "left thumb wheel": "thumb.left", "right thumb wheel": "thumb.right", "left pedal": "pedal.left",
    "right pedal": "pedal.right",
}  # fmt: skip
"""Axes as a machine says them."""


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


def make_controls(
    inputs: Iterable[Mapping[str, Any]], said: Mapping[str, Lever] | None = None,
    lifting: Mapping[str, int] | None = None,
) -> dict[str, dict[str, list[Any]]]:  # fmt: skip
    """Return the patterns of a machine as clients get them: {pattern: {axis: [input, sign, what, minus, plus]}}.

    `said` is what the machine says of its levers, `lifting` has the sign with which an input lifts.
    """
    hands = Hands.of(inputs, said or {}, lifting or {})
    usual = next(iter(hands.kind.patterns.values()))
    patterns = {"own": usual} if any(one.axis for one in hands.said.values()) else hands.kind.patterns
    return {
        name: {axis: hands.entry(*bound) for axis, bound in hands.complete(pattern).items()}
        for name, pattern in patterns.items()
    }


def unknown_levers(inputs: Iterable[Mapping[str, Any]], said: Mapping[str, Lever]) -> list[str]:
    """Levers of which neither a pattern nor the machine says what they do, so that it is worth finding out."""
    hands = Hands.of(inputs, said, {})
    known = {hands.known[name] for name in hands.kind.motions}
    return [name for name in hands.levers if name not in known and not says_direction(hands.said.get(name))]


@dataclass(frozen=True)
class Hands:
    """The levers and switches of a machine by name, its kind with the machine's own names, and what it says itself."""

    levers: list[str]
    switches: list[str]
    known: dict[str, str]
    kind: Kind
    said: Mapping[str, Lever]
    lifting: Mapping[str, int]

    @classmethod
    def of(cls, inputs: Iterable[Mapping[str, Any]], said: Mapping[str, Lever], lifting: Mapping[str, int]) -> Hands:
        """Sort inputs into levers, switches and others."""
        listed = list(inputs)
        switches = [one["name"] for one in listed if is_switch(one)]
        levers = [one["name"] for one in listed if is_lever(one) or (one["name"] in said and not is_switch(one))]
        known = {name.removesuffix("_valve"): name for name in reversed(levers)}
        kind = next((kind for kind in KINDS if kind.fits(known)), UNKNOWN)
        own = {name: lever for name, lever in said.items() if name in levers or name in switches}
        return cls(levers, switches, known, kind, own, lifting)

    def entry(self, name: str, sign: int) -> list[Any]:
        """Return what clients get of one axis: its words are for −1 and 1 of the axis, not of the input."""
        what, minus, plus = self.motion(name)
        return [name, sign, what, minus, plus] if sign > 0 else [name, sign, what, plus, minus]

    def motion(self, name: str) -> Motion:
        """What an input moves and which way, in the machine's own words where it has some."""
        said = self.said.get(name, Lever())
        what, minus, plus = self._usual_motion(name)
        return said.what or what, said.minus or minus, said.plus or plus

    def _usual_motion(self, name: str) -> Motion:
        for short, motion in self.kind.motions.items():
            if self.known[short] == name:
                return motion
        if name in self.switches:
            return plain(name), "off", "on"
        up = self.lifting.get(name, 0)
        return plain(name), *{1: ("down", "up"), -1: ("up", "down"), 0: ("−", "+")}[up]

    def complete(self, pattern: Pattern) -> Pattern:
        """Return a pattern with the machine's own names, its own axes, and the others on free axes and buttons."""
        own = {SAID[lever.axis]: name for name, lever in self.said.items() if lever.axis in SAID}
        moved = {name for name, lever in self.said.items() if lever.axis}
        found: Pattern = {axis: (name, self.sign(axis, name)) for axis, name in own.items()}
        for axis, (short, sign) in pattern.items():
            name = self.known[short]
            if axis not in own and name not in moved:
                found[axis] = name, self.sign(axis, name, sign)
        free, taken = [axis for axis in AXES if axis not in found], {name for name, _ in found.values()}
        buttons: list[tuple[str, int]] = []
        for name in [*self.levers, *self.switches]:
            pushed = name in self.switches or self.said.get(name, Lever()).axis == BUTTONS or not free
            if name not in taken and pushed:
                buttons += [(name, 1)] if name in self.switches else [(name, 1), (name, -1)]
            elif name not in taken:
                axis = free.pop(0)
                found[axis] = name, self.sign(axis, name)
        first = 1 + max((int(axis.removeprefix("button.")) for axis in found if axis.startswith("button.")), default=-1)
        return found | {f"button.{number}": bound for number, bound in enumerate(buttons, start=first)}

    def sign(self, axis: str, name: str, usual: int = 0) -> int:
        """Which way an input goes when its axis is above zero: pulled back it raises, unless the machine says else."""
        said = self.said.get(name, Lever())
        if axis.startswith("button."):
            return usual
        if said.back is not None:
            return -1 if said.back == "plus" else 1
        raised = -1 if axis.startswith("thumb.") else 1
        up = says_direction(said) or self.lifting.get(name, 0)
        return usual or (-raised * up if up else 1)


def says_direction(said: Lever | None) -> int:
    """Sign of the input that a machine calls up: 1 or −1; 0 where it says nothing of the kind."""
    if said is None:
        return 0
    return int(said.plus == "up" or said.minus == "down") - int(said.plus == "down" or said.minus == "up")


def plain(name: str) -> str:
    """An input that is on no known machine, as words."""
    return words(name.removesuffix("_valve"))


def is_lever(one: Mapping[str, Any]) -> bool:
    """Whether an input is moved by hand to both sides of its rest: a spool, not a load or a speed."""
    both = one["low"] < one["rest"] < one["high"] or (one.get("kind") == "lever" and one["low"] < 0.0)
    return bool(one["unit"] == "1" and both)


def is_switch(one: Mapping[str, Any]) -> bool:
    """Whether an input is a valve that is moved by hand to one side only."""
    return one.get("kind") == "lever" and not is_lever(one)
