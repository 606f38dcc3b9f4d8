# SPDX-License-Identifier: BSD-3-Clause
"""Which lever moves what: patterns of axes and inputs for known kinds of machines, and a plain one for any other.

An axis is from −1 to 1; x is positive to the right, y when pushed away from the operator. A sign says which way the
input goes. What an input's positive value does is in the machine's own description. A pattern belongs to a machine that
has all inputs it names, whatever the machine is called, so that an excavator of one's own is driven like ours; a
trailing `_valve` of an input's name does not matter.

    excavator   iso  left: slew, stick      right: bucket, boom       as ISO 10968 has it
                sae  left: slew, boom       right: bucket, stick      as on backhoe loaders
    crane       left: slew, telescope       right: luffing, hoist     after ISO 7752-2
    harvester   left: slew, jib             right: rotator, boom; telescope and tilt under the thumbs
    loader      left: steering              right: bucket, boom
    sprayer     left: slew, boom            right: swing and tilt of the head; telescopes under the thumbs, lance and
                roll on pedals, nozzle and wobble on buttons

In any pattern pulling a lever back raises, pushing it away lowers or reaches out, and left is left. Inputs that the
pattern does not know get the axes that are left over, then buttons: a button goes one way, so that such an input has
two, and a valve with two positions one. Other inputs (a load, a speed) are no levers: the page has sliders for them.
Tested in tests/cabin/test_controls.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Pattern = dict[str, tuple[str, int]]

AXES = ("right.y", "right.x", "left.y", "left.x", "thumb.right", "thumb.left", "pedal.right", "pedal.left")
"""In the order in which they are handed out; buttons follow, two for an input."""

EXCAVATORS: dict[str, Pattern] = {
    "iso": {"left.x": ("slew", -1), "left.y": ("stick", -1), "right.x": ("bucket", -1), "right.y": ("boom", -1)},
    "sae": {"left.x": ("slew", -1), "left.y": ("boom", -1), "right.x": ("bucket", -1), "right.y": ("stick", -1)},
}
OTHERS: tuple[Pattern, ...] = (
    # sprayer
    {
        "left.x": ("slew", -1), "left.y": ("lift", -1), "right.x": ("swing", -1), "right.y": ("tilt", -1),
        "thumb.left": ("telescope_1", 1), "thumb.right": ("telescope_2", 1),
        "pedal.left": ("lance", 1), "pedal.right": ("roll", 1),
        "button.0": ("nozzle", 1), "button.1": ("nozzle", -1), "button.2": ("wobble", 1), "button.3": ("wobble", -1),
    },
    # harvester with feed and saw, harvester without
    {
        "left.x": ("slew", -1), "left.y": ("fold", 1), "right.x": ("rotator", -1), "right.y": ("lift", -1),
        "thumb.left": ("telescope", 1), "thumb.right": ("tilt", 1), "pedal.left": ("steer", -1),
        "button.0": ("grip", 1), "button.1": ("grip", -1), "button.2": ("feed", 1), "button.3": ("feed", -1),
        "button.4": ("saw", 1), "button.5": ("saw", -1),
    },
    {
        "left.x": ("slew", -1), "left.y": ("fold", 1), "right.x": ("rotator", -1), "right.y": ("lift", -1),
        "thumb.left": ("telescope", 1), "thumb.right": ("tilt", 1), "pedal.left": ("steer", -1),
        "button.0": ("grip", 1), "button.1": ("grip", -1),
    },
    # mobile crane
    {"left.x": ("slew", -1), "left.y": ("telescope", 1), "right.x": ("lift", -1), "right.y": ("winch", -1)},
    # loader
    {"left.x": ("steer", -1), "right.x": ("tilt", -1), "right.y": ("lift", -1)},
)  # fmt: skip


def make_controls(inputs: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Return the patterns of a machine as clients are told: {pattern: {axis: [input, sign]}}."""
    listed = list(inputs)
    levers = [one["name"] for one in listed if is_lever(one)]
    switches = [one["name"] for one in listed if is_switch(one)]
    known = {name.removesuffix("_valve"): name for name in reversed(levers)}
    patterns = {name: pattern for name, pattern in EXCAVATORS.items() if fits(pattern, known)}
    if not patterns:
        patterns = {"default": next((pattern for pattern in OTHERS if fits(pattern, known)), {})}
    return {name: complete(pattern, known, levers, switches) for name, pattern in patterns.items()}


def is_lever(one: Mapping[str, Any]) -> bool:
    """Whether an input is moved by hand to both sides of its rest: a spool, not a load or a speed."""
    return bool(one["unit"] == "1" and one["low"] < one["rest"] < one["high"])


def is_switch(one: Mapping[str, Any]) -> bool:
    """Whether an input is a valve that is moved by hand to one side only."""
    return one.get("kind") == "lever" and not is_lever(one)


def fits(pattern: Pattern, known: Mapping[str, str]) -> bool:
    """Whether a machine has all inputs of a pattern."""
    return all(name in known for name, _ in pattern.values())


def complete(
    pattern: Pattern, known: Mapping[str, str], levers: list[str], switches: list[str]
) -> dict[str, list[Any]]:
    """Return a pattern with the machine's own names, with what it leaves over on free axes and buttons."""
    found: dict[str, list[Any]] = {axis: [known[name], sign] for axis, (name, sign) in pattern.items()}
    free = [axis for axis in AXES if axis not in found]
    button = 1 + max((int(axis.removeprefix("button.")) for axis in found if axis.startswith("button.")), default=-1)
    taken = {name for name, _ in found.values()}
    for name in levers:
        if name in taken:
            continue
        if free:
            found[free.pop(0)] = [name, 1]
        else:
            found[f"button.{button}"], found[f"button.{button + 1}"] = [name, 1], [name, -1]
            button += 2
    for number, name in enumerate(switches):
        found[f"button.{button + number}"] = [name, 1]
    return found
