# SPDX-License-Identifier: BSD-3-Clause
"""Names of parts as an operator says them: "boom cylinder" for `boom_left` and `boom_right`, not what the file calls
them.

A cylinder is called by what it moves; two that differ by left and right alone are one to the operator, who has one
lever for both. What is no cylinder keeps its own name, without underscores.
Tested in tests/cabin/test_titles.py.
"""

from __future__ import annotations

from knuckleboom.interface.parts import Motor, Winch
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine

SIDES = {"left": "right", "right": "left"}
CYLINDERS = ("cylinder", "ram")
JOINTS = ("hinge", "pin", "bearing", "slide", "joint")


def words(name: str) -> str:
    """A name as words: underscores as spaces."""
    return name.replace("_", " ")


def without(name: str, left_out: tuple[str, ...]) -> str:
    """A name as words without some of them, unless nothing else is left."""
    return " ".join(word for word in words(name).split() if word not in left_out) or words(name)


def paired(machine: Machine, name: str) -> str:
    """A part's name without left and right, where the machine has the same part on the other side."""
    split = name.split("_")
    for number, word in enumerate(split):
        twin = "_".join([*split[:number], SIDES.get(word, word), *split[number + 1 :]])
        if word in SIDES and type(machine.parts.get(twin)) is type(machine.parts[name]):
            return "_".join([*split[:number], *split[number + 1 :]])
    return name


def called(machine: Machine, name: str) -> str:
    """A part as an operator says it: "boom cylinder", "slew motor", "slew gallery"."""
    part = machine.parts[name]
    if isinstance(part, Ram):
        return f"{without(paired(machine, name), CYLINDERS)} cylinder"
    if isinstance(part, Motor) and "motor" not in words(name).split():
        return f"{words(name)} motor"
    return words(name)


def chamber(machine: Machine, name: str, port: str) -> str:
    """A chamber's pressure among others of its kind: "boom left bore", "slew B"."""
    part = machine.parts[name]
    if isinstance(part, Ram):
        return f"{without(name, CYLINDERS)} {'bore' if port == 'a' else 'rod'}"
    left_out = ("motor",) if isinstance(part, Motor | Winch) else ()
    return f"{without(name, left_out)} {port.upper()}"


def moved(machine: Machine, joint: str) -> str:
    """A joint by what it moves: "swing" for `swing_bearing`; both arms of a grip are one."""
    return without(paired(machine, joint), JOINTS)
