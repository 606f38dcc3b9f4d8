# SPDX-License-Identifier: BSD-3-Clause
"""What the file of a kind of row declares, and the loops over kinds that are made of it.

A file has ROW, the declaration, and kernels for row r. What a kernel is given, its arguments say by their names; those
that it writes come last:

    position      s and W                     r, index, number, term, weight, q, R, p, angle, s, W
    velocity      w and bias                  r, index, number, term, weight, v, R, p, V, A, s, W, w, bias
    moved         returns ∂_jW, where it has a wrench: velocity j on the side of b (side 1) or a (side −1)
                                              r, j, side, index, number, R, p, S, s, W
    accelerate    adds A a to the bias, where it is held and has no wrench    r, index, number, term, weight, a, bias
    push          hands λ to velocities, where it has a force and no wrench   r, index, number, force, effort

R, p, V, A, S are R_WL, p_OL, V_WL, A_WL and S of the family motion. Plain functions of a file, which plans call:

    touched       velocities with their signs, where `entries` are VELOCITIES
    products      what it is in natural coordinates, where it is quadratic in these

docs/decisions/rows.md has the reasons. Tested in tests/contract/test_every_row_kind.py
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from knuckleboom.kernels import kernel_of_lines

HELD, FORCE = "held", "force"
BLOCKS = (HELD, FORCE)
"""Loop rows, whose value is held at zero or follows a motion; interface rows, on which elements act. In this order."""
PATH, ROWS, PRODUCTS, VELOCITIES = "path", "rows", "products", "velocities"
ENTRIES = (PATH, ROWS, PRODUCTS, VELOCITIES)
"""Which velocities a row touches: those on the path between links a and b, by its wrench; those of other rows; those of
its products of natural coordinates; those that it names. Held rows are listed in this order."""
OWN = 0.0
"""The sign that stands for a coordinate's own velocity: its entry is 1."""
HOOKS = ("position", "velocity", "moved", "accelerate", "push")
Index = tuple[int, int, int, int]
Terms = Mapping[str, Any]
"""Columns of a row by name: numbers, or three of them."""
Kinds = Sequence[tuple[int, ModuleType]]
"""Kinds with their numbers."""


@dataclass(frozen=True)
class RowKind:
    """The declaration of a kind of row."""

    block: str
    entries: str
    columns: tuple[str, ...] = ()
    """Names of geometry.PLACES."""
    unit: str = "m"
    """That of its value, unless the row says another."""
    value: bool = True
    """Whether it has a value s, or only a rate. Without one, too, is a row whose second index is −1."""
    turning: bool = False
    """Whether its wrench is a moment only: no slide moves it."""
    continued: bool = False
    """Whether its value goes on over whole turns: each row then has a place in state.angle, its fourth index."""
    cut: bool = False
    """Whether only machines have it whose bodies are on their own: its loops are called for no others."""
    held_as: str = ""
    """The kind that holds what it acts along: that of a driver in a joint that is cut."""
    rod: bool = False
    """Whether s = (|d|² − L²)/2L with L its column `length`; driven, it follows a length f: L² is then f²."""
    never_zero: bool = False
    """Whether its direction is that of its value: it has none where this is zero."""


class Form(Protocol):
    """A sum of products of natural coordinates, to which the function `products` of a kind adds (plan/natural.py)."""

    def direction(self, link: int, local: Any) -> Any:
        """The components of a direction that is fixed in a link."""

    def point(self, link: int, local: Any) -> Any:
        """The components of a point that is fixed in a link."""

    def between(self, begin: Any, end: Any) -> Any:
        """The components from one point to another."""

    def add(self, one: Any, other: Any, factor: float = 1.0) -> None:
        """Add the scalar product of two vectors."""

    def add_vectors(self, one: int, other: int, factor: float) -> None:
        """Add that of two vectors of a body, given by their first coordinates."""


def name_of(module: ModuleType) -> str:
    """A kind is called as its file."""
    return module.__name__.rpartition(".")[2]


def has_hook(module: ModuleType, hook: str) -> bool:
    """Whether a kind has a kernel or function of that name."""
    return hasattr(module, hook)


def write_call(kind: int, module: ModuleType, hook: str) -> str:
    """The call of one of its kernels; the names of its arguments are those of the loops."""
    function = getattr(module, hook)
    return f"{hook}_{kind}({', '.join(inspect.signature(getattr(function, 'py_func', function)).parameters)})"


def make_kernel(title: str, arguments: str, lines: Sequence[str], kinds: Kinds, **scope: Any) -> Any:
    """A kernel of these lines, in which `position_0` is that of the first kind; it is not compiled into its callers."""
    own = {f"{hook}_{kind}": getattr(one, hook) for kind, one in kinds for hook in HOOKS if has_hook(one, hook)} | scope
    origin = ", ".join(name_of(module) for _, module in kinds)
    return kernel_of_lines(title, arguments, lines, {"__name__": __name__, **own}, origin, shared=True)


def loops(kinds: Kinds, hook: str) -> list[str]:
    """The loops of several kinds, one after the other."""
    return [
        line
        for kind, module in kinds
        for line in (
            f"for r in range(first[{kind}], first[{kind + 1}]):  # {name_of(module)}",
            f"    {write_call(kind, module, hook)}",
        )
    ]


def stages(title: str, arguments: str, heads: Sequence[str], kinds: Kinds, hook: str) -> Any:
    """A kernel with the loops of all kinds: those of bodies on their own apart, called where there are any; last
    the rows that are made of others.
    """
    listed = [(kind, one) for kind, one in kinds if has_hook(one, hook)]
    plain = [(kind, one) for kind, one in listed if one.ROW.entries != ROWS and not one.ROW.cut]
    cut = [(kind, one) for kind, one in listed if one.ROW.entries != ROWS and one.ROW.cut]
    of_rows = [(kind, one) for kind, one in listed if one.ROW.entries == ROWS]
    cut_kernel = make_kernel(f"cut_{title}", arguments, [*heads, *loops(cut, hook), "return"], cut)
    there = " or ".join(f"first[{kind}] < first[{kind + 1}]" for kind, _ in cut)
    lines = [*heads, *loops(plain, hook), f"if {there}:", f"    of_cut({arguments})", *loops(of_rows, hook), "return"]
    return make_kernel(title, arguments, lines, [*plain, *of_rows], of_cut=cut_kernel)


PLAN = (
    "index, number, first = plan_rows.index, plan_rows.number, plan_rows.first; "
    "term, weight = plan_rows.term, plan_rows.weight"
)


def positions(kinds: Kinds) -> Any:
    """s and W of all rows from the poses."""
    heads = [PLAN, "R, p, W, s = motion.R_WL, motion.p_OL, rows.W, rows.s"]
    return stages("positions", "plan_rows, q, motion, angle, rows", heads, kinds, "position")


def velocities(kinds: Kinds) -> Any:
    """w and bias of all rows from the velocities."""
    heads = [
        PLAN,
        "R, p, V, A = motion.R_WL, motion.p_OL, motion.V_WL, motion.A_WL",
        "W, s, w, bias = rows.W, rows.s, rows.w, rows.bias",
    ]
    return stages("velocities", "plan_rows, v, motion, rows", heads, kinds, "velocity")


def accelerate(kinds: Kinds) -> Any:
    """A a added to the biases of held rows without a wrench; for others the links move with the accelerations."""
    listed = [(kind, one) for kind, one in kinds if has_hook(one, "accelerate")]
    return make_kernel("accelerate", "plan_rows, a, bias", [PLAN, *loops(listed, "accelerate"), "return"], listed)


def push_velocities(kinds: Kinds) -> Any:
    """Forces of the rows without a wrench handed to their velocities."""
    listed = [(kind, one) for kind, one in kinds if has_hook(one, "push")]
    return make_kernel("push_velocities", "plan_rows, force, effort", [PLAN, *loops(listed, "push"), "return"], listed)


def choices(kinds: Kinds, hook: str) -> list[str]:
    """Lines that return what the kernel of row r's kind does; kinds that share a kernel share a line."""
    groups: dict[int, list[tuple[int, ModuleType]]] = {}
    for kind, module in kinds:
        groups.setdefault(id(getattr(module, hook)), []).append((kind, module))
    lines = ["kind = index[r, 0]"]
    for group in list(groups.values())[:-1]:
        which = " or ".join(f"kind == {kind}" for kind, _ in group)
        lines += [f"if {which}:", f"    return {write_call(*group[0], hook)}"]
    return [*lines, f"return {write_call(*list(groups.values())[-1][0], hook)}"]


def moved_wrench(kinds: Kinds) -> Any:
    """∂_jW of row r for a velocity j on the side of b (side 1) or a (side −1)."""
    heads = ["index, number = plan_rows.index, plan_rows.number", "R, p, S = motion.R_WL, motion.p_OL, motion.S"]
    listed = [(kind, one) for kind, one in kinds if has_hook(one, "moved")]
    lines = [*heads, *choices(listed, "moved")]
    return make_kernel("moved_wrench", "plan_rows, r, j, side, motion, s, W", lines, listed)


def spans(kinds: Kinds, block: str, entries: str) -> tuple[tuple[int, int], ...]:
    """First kind and end of each run of kinds with one block and entries."""
    found: list[tuple[int, int]] = []
    for kind, module in kinds:
        if (module.ROW.block, module.ROW.entries) != (block, entries):
            continue
        if found and found[-1][1] == kind:
            found[-1] = (found[-1][0], kind + 1)
        else:
            found.append((kind, kind + 1))
    return tuple(found)
