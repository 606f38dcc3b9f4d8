# SPDX-License-Identifier: BSD-3-Clause
"""What the file of an element declares, and the kernels that are made of it.

An element acts on m rows: forces λ from values s and rates w of rows, k states z of its own, signals and columns. Its
file has ELEMENT, the declaration, and kernels that take numbers and return numbers:

    law           what `gives` lists, in that order
    stored        energy in the element [J]; where there is one
    supplied      power that comes from outside [W]; where the account is "supplied"
    ahead         what a linearly implicit step of h [s] adds to ∂λ/∂s and ∂λ/∂w, where it meets a corner of the law
    suddenness    how far a step of h [s] goes, over what it can: above some tenths it is made in parts
    between       modes, before each step is made, from the state and the inputs at its start

What a kernel is given, its arguments say by their names: `s`, `w` (with several rows `s_along`, `w_along` …), names of
states (where there is one also `z`), of signals, columns and modes, `force_normal` for λ of a row that is only read,
`oil_force` for what the chambers of its row push, `numbers` for the list of a curve, `h`. What `law` gives:

    force         λ                             rate          ż
    by_s, by_w    ∂λ/∂s, ∂λ/∂w                  rate_s, rate_w    ∂ż/∂s, ∂ż/∂w
    by_z          ∂λ/∂z                         rate_z        ∂ż/∂z
    by_oil        ∂λ/∂(oil_force)               by_force      ∂λ by the forces that it reads

Each is a number, with several rows or states a tuple, a matrix row by row. Rates may not depend on forces that are
read: those of a step come later. Of the names the lines of code are made that gather a kernel's arguments and scatter
what it returns, so that an element is one file and straight-line code: docs/decisions/elements.md.
Tested in tests/interface/test_contract.py
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from knuckleboom.kernels import kernel, kernel_of_lines
from knuckleboom.layout import signal_value

ROW, SIGNAL, STATE, CHAMBER, CHAMBERS, BLOCK, MORE, SUPPLY, MODE = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Columns of plan_forces.index: first row, signal and state; chambers of its row; where its slopes with states or other
rows begin; where its further rows, then its further signals are in plan_forces.more; the power that it is supplied;
its first mode. −1 for none."""
CHAMBER_NODE = 1  # column of plan_forces.chamber_index
DISSIPATES, APPLIED, SUPPLIED = "dissipates", "applied", "supplied"
ACCOUNTS = (DISSIPATES, APPLIED, SUPPLIED)
GIVES = ("force", "by_s", "by_w", "by_z", "by_oil", "by_force", "rate", "rate_z", "rate_s", "rate_w")
BLOCKS = ("by_s", "by_w", "by_z", "rate_z", "rate_s", "rate_w")
"""What is kept of an element with several rows or states, one after the other, each row by row."""
HOOKS = ("law", "stored", "supplied", "ahead", "suddenness", "between")
MOST = 6
"""Rows, and states, that an element may have."""
Kinds = Sequence[tuple[int, ModuleType]]
"""Elements with the numbers of their kinds."""
Body = Callable[[ModuleType, int], list[str]]
"""What makes the lines for element i of a kind."""


@dataclass(frozen=True)
class State:
    """A state of an element. Without a unit it has that of the element's row."""

    name: str
    meaning: str
    unit: str = ""
    start: float = 0.0
    scale: float = math.inf
    """Newton goes on while corrections are above its tolerance times this; ∞ where the rows say enough."""


@dataclass(frozen=True)
class Mode:
    """An integer of an element, which changes between accepted steps only."""

    name: str
    meaning: str
    start: int = 0


@dataclass(frozen=True)
class Element:
    """The declaration of an element; the names are those of its kernels' arguments."""

    gives: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ("",)
    """Rows that it acts on."""
    reads: tuple[str, ...] = ()
    """Rows of which it reads the force."""
    states: tuple[State, ...] = ()
    signals: tuple[str, ...] = ()
    """A name that is a column, too, is the signal where there is one, and the column else."""
    modes: tuple[Mode, ...] = ()
    label: str = ""
    """What its work and its energy are called with, beside its part's name."""
    account: str = DISSIPATES
    """In the audit: what it takes and does not store is dissipated; or its work is applied; or what it is supplied with
    and neither stores nor hands on is dissipated."""
    mean_power: bool = False
    """Whether its work is that of its mean force over a step: the force at the start of a step hardly acts."""

    @property
    def single(self) -> bool:
        """Whether it has one row and one state that follows its rate only."""
        alone = len(self.rows) == len(self.states) == 1 and not self.reads
        return alone and "rate_w" in self.gives and "rate_s" not in self.gives

    @property
    def block(self) -> bool:
        """Whether its slopes are a block: of several rows or states."""
        several = len(self.rows) > 1 or bool(self.reads) or bool(self.states)
        return self.stiff and several and not self.single

    @property
    def stiff(self) -> bool:
        """Whether its force has slopes."""
        return any(name.startswith("by_") for name in self.gives)

    def sizes(self) -> tuple[int, int, int]:
        """Rows that it acts on, these and those that it reads, states."""
        return len(self.rows), len(self.rows) + len(self.reads), len(self.states)

    def shape(self, what: str) -> tuple[int, int]:
        """Lines and columns of what the law gives."""
        rows, _, states = self.sizes()
        lines = states if what.startswith("rate") else rows
        across = {"force": 1, "rate": 1, "by_oil": 1, "by_force": len(self.reads)}
        by = what.rpartition("_")[2]
        return lines, across.get(what, states if by == "z" else rows)

    def places(self) -> dict[str, int]:
        """Where each of BLOCKS begins in an element's numbers, and their count under ''."""
        rows, all_rows, states = self.sizes()
        size = {"by_s": rows * all_rows, "by_w": rows * all_rows, "by_z": rows * states, "rate_z": states * states}
        found, at = {}, 0
        for what in BLOCKS:
            found[what] = at
            at += size.get(what, states * all_rows)
        return found | {"": at}


def name_of(module: ModuleType) -> str:
    """An element is called as its file."""
    return module.__name__.rpartition(".")[2]


def function_of(module: ModuleType, hook: str) -> Any:
    """The Python function of one of an element's kernels, None where it has none."""
    found = getattr(module, hook, None)
    return getattr(found, "py_func", found)


def has(module: ModuleType, hook: str) -> bool:
    """Whether an element has a kernel of that name."""
    return function_of(module, hook) is not None


def takes(module: ModuleType, hook: str) -> list[str]:
    """Names of the arguments of one of its kernels."""
    return list(inspect.signature(function_of(module, hook)).parameters) if has(module, hook) else []


# --- from names to lines of code --------------------------------------------------------------------------------------


def row_text(number: int) -> str:
    """The number of one of the element's rows: those it acts on, then those it reads."""
    return "index[i, ROW]" if number == 0 else f"more[index[i, MORE] + {number - 1}]"


def meanings(element: Element) -> dict[str, str]:
    """What each argument of a kernel may be, as code for element i."""
    _, all_rows, _ = element.sizes()
    found = {"h": "h", "oil_force": "total", "numbers": "plan_forces.curve"}
    found |= {"start": f"number[i, {len(element.columns)}]", "count": f"number[i, {len(element.columns) + 1}]"}
    for number, row in enumerate(element.rows):
        tail = f"_{row}" if row else ""
        found |= {f"s{tail}": f"rows.s[r_{number}]", f"w{tail}": f"rows.w[r_{number}]"}
    for number, row in enumerate(element.reads, start=len(element.rows)):
        found[f"force_{row}"] = f"rows.force[r_{number}]"
    found |= {column.strip("_"): f"number[i, {place}]" for place, column in enumerate(element.columns)}
    for number, signal in enumerate(element.signals):
        place = "index[i, SIGNAL]" if number == 0 else f"more[index[i, MORE] + {all_rows - 2 + number}]"
        column = found.get(signal)
        value = f"signal_value(u, x, {place})"
        found[signal] = value if column is None else f"({value} if {place} >= 0 else {column})"
    for number, state in enumerate(element.states):
        found[state.name] = f"x[index[i, STATE] + {number}]"
    if len(element.states) == 1:
        found["z"] = found[element.states[0].name]
    for number, mode in enumerate(element.modes):
        found[mode.name] = f"modes[index[i, MODE] + {number}]"
    return found


def call(module: ModuleType, kind: int, hook: str) -> str:
    """The call of one of its kernels for element i."""
    known = meanings(module.ELEMENT)
    return f"{hook}_{kind}({', '.join(known[name.strip('_')] for name in takes(module, hook))})"


def names_of(element: Element, what: str) -> list[str]:
    """The numbers of what a law gives, as names in code."""
    lines, across = element.shape(what)
    if lines == across == 1:
        return [what]
    return [f"{what}_{line}{column}" for line in range(lines) for column in range(across)]


def unpacked(element: Element) -> str:
    """What a law's result is assigned to."""
    parts = (names_of(element, what) for what in element.gives)
    return ", ".join(names[0] if len(names) == 1 else f"({', '.join(names)})" for names in parts)


HEAD = "index, number, more = plan_forces.index, plan_forces.number, plan_forces.more"


def loop(module: ModuleType, kind: int, body: Sequence[str]) -> list[str]:
    """The loop over all elements of a kind."""
    rows = [f"r_{number} = {row_text(number)}" for number in range(module.ELEMENT.sizes()[1])]
    return [
        f"for i in range(plan_forces.first[{kind}], plan_forces.first[{kind + 1}]):  # {name_of(module)}",
        *(f"    {line}" for line in (*rows, *body)),
    ]


def make_kernel(title: str, arguments: str, lines: Sequence[str], kinds: Kinds) -> Any:
    """A kernel of these lines, in which `law_0` is the law of the first kind; debuggers find them by its title."""
    own = {f"{hook}_{kind}": getattr(one, hook) for kind, one in kinds for hook in HOOKS if has(one, hook)} | SCOPE
    return kernel_of_lines(title, arguments, lines, own, ", ".join(name_of(module) for _, module in kinds))


def loops(title: str, arguments: str, kinds: Kinds, body: Body, first: str = "", last: str = "return") -> Any:
    """A kernel with the loops of several kinds, one after the other."""
    lines = [line for kind, module in kinds for line in loop(module, kind, body(module, kind))]
    return make_kernel(title, arguments, [*([first] if first else []), HEAD, *lines, last], kinds)


# --- the kernels of an element ----------------------------------------------------------------------------------------


@kernel
def add(r, element, force, stiffness, damping, rows, power):
    """Add one element's force and slopes to row r and note its power. Writes rows, power."""
    rows.force[r] += force
    rows.stiffness[r] += stiffness
    rows.damping[r] += damping
    power[element] = force * rows.w[r]


OIL_BEFORE = (
    "begin = index[i, CHAMBER]",
    "total, moved = 0.0, 0.0",
    "for place in range(begin, begin + index[i, CHAMBERS]):",
    "    c = plan_forces.more[place]",
    "    gauge = oil.gauge[plan_forces.chamber_index[c, CHAMBER_NODE]]",
    "    total += oil.area[c] * gauge",
    "    moved += oil.area_slope[c] * gauge",
)
"""What the chambers of an element's row push on it, and the slope of that with s."""
OIL_AFTER = (
    "rows.stiffness[r_0] += by_oil * moved",
    "for place in range(begin, begin + index[i, CHAMBERS]):",
    "    c = plan_forces.more[place]",
    "    oil.push[c] += by_oil * oil.area[c]",
)


SCOPE: dict[str, Any] = {
    "__name__": __name__, "signal_value": signal_value, "add": add, "CHAMBER_NODE": CHAMBER_NODE, "ROW": ROW,
    "SIGNAL": SIGNAL, "STATE": STATE, "CHAMBER": CHAMBER, "CHAMBERS": CHAMBERS, "BLOCK": BLOCK, "MORE": MORE,
    "SUPPLY": SUPPLY, "MODE": MODE,
}  # fmt: skip
"""What made lines know beside the kernels of elements."""


def act(kinds: Kinds, title: str = "act") -> Any:
    """Forces, slopes and powers of all elements of some kinds."""

    def body(module: ModuleType, kind: int) -> list[str]:
        element = module.ELEMENT
        lines = [f"{unpacked(element)} = {call(module, kind, 'law')}"]
        if len(element.rows) > 1:
            lines += several_rows(element)
        else:
            by_s, by_w = (what if what in element.gives else "0.0" for what in ("by_s", "by_w"))
            lines.append(f"add(r_0, i, force, {by_s}, {by_w}, rows, power)")
        if "by_oil" in element.gives:
            lines = [*OIL_BEFORE, *lines, *OIL_AFTER]
        lines += kept_slopes(element)
        if has(module, "supplied"):
            lines.append(f"power[index[i, SUPPLY]] = {call(module, kind, 'supplied')}")
        return lines

    return loops(title, "plan_forces, u, x, modes, oil, rows, power", kinds, body)


def several_rows(element: Element) -> list[str]:
    """Lines that add forces and the slopes of each row by itself, and note the power."""
    count, lines = len(element.rows), []
    forces = names_of(element, "force")
    own = {
        what: [names_of(element, what)[(count + 1) * a] if what in element.gives else "0.0" for a in range(count)]
        for what in ("by_s", "by_w")
    }
    for a in range(count):
        lines.append(f"add(r_{a}, i, {forces[a]}, {own['by_s'][a]}, {own['by_w'][a]}, rows, power)")
    work = " + ".join(f"{forces[a]} * rows.w[r_{a}]" for a in range(count))
    return [*lines, f"power[i] = {work}"]


def kept_slopes(element: Element) -> list[str]:
    """Lines that keep slopes with states and between rows."""
    if element.single:
        columns = ("by_z", "rate_z", "rate_w")
        return [f"rows.single[index[i, BLOCK], {place}] = {what}" for place, what in enumerate(columns)]
    if not element.block:
        return []
    _, all_rows, states = element.sizes()
    lines, places = ["at = index[i, BLOCK]"], element.places()
    for what in BLOCKS:
        names = names_of(element, what) if what in element.gives else []
        across = states if what.endswith("z") else all_rows
        for line in range(element.shape(what)[0]):
            for column in range(across):
                place = f"rows.block[at + {places[what] + line * across + column}]"
                lines.append(f"{place} = {slope_text(element, what, names, line, column)}")
    return lines


def slope_text(element: Element, what: str, names: Sequence[str], line: int, column: int) -> str:
    """One number of a block: what the law gives, or what it does through a force that it reads."""
    rows, states = len(element.rows), len(element.states)
    if column >= rows and not what.endswith("z"):
        if not what.startswith("by"):
            return "0.0"  # rates may not depend on forces that are read
        by_force = names_of(element, "by_force")[line * len(element.reads) + column - rows]
        return f"{by_force} * rows.{'stiffness' if what == 'by_s' else 'damping'}[r_{column}]"
    return names[line * (states if what.endswith("z") else rows) + column] if names else "0.0"


def law_at(plan_forces: Any, i: int, u: Any, x: Any, modes: Any, rows: Any) -> tuple[float, float]:
    """λ and ∂λ/∂w of element i: what stands for its law in functions that for_each_kind compiles."""
    raise NotImplementedError


@functools.cache
def law_of(module: ModuleType, kind: int) -> Any:
    """λ and ∂λ/∂w of element i, of a kind with one row and no state."""
    by_w = "by_w" if "by_w" in module.ELEMENT.gives else "0.0"
    given = f"{unpacked(module.ELEMENT)} = {call(module, kind, 'law')}"
    lines = [HEAD, f"r_0 = {row_text(0)}", given, f"return force, {by_w}"]
    return make_kernel("law_at", "plan_forces, i, u, x, modes, rows", lines, [(kind, module)])


def for_each_kind(function: Any, kinds: Kinds) -> Any:
    """A kernel that calls a function for one kind after the other, in which KIND and law_at are those of the kind."""
    arguments = ", ".join(inspect.signature(function).parameters)
    own: dict[str, Any] = {"__name__": __name__}
    for kind, module in kinds:
        scope = {**function.__globals__, "KIND": kind, "law_at": law_of(module, kind)}
        own[f"of_{kind}"] = kernel(FunctionType(function.__code__, scope, function.__name__))
    lines = [f"    of_{kind}({arguments})" for kind, _ in kinds]
    exec("\n".join([f"def each({arguments}):", *lines, "    return"]), own)
    return kernel(own["each"])


def rates(kinds: Kinds) -> Any:
    """Rates of the states of all elements of some kinds."""

    def body(module: ModuleType, kind: int) -> list[str]:
        names = enumerate(names_of(module.ELEMENT, "rate"))
        lines = [f"x_dot[index[i, STATE] + {number}] = {name}" for number, name in names]
        return [f"{unpacked(module.ELEMENT)} = {call(module, kind, 'law')}", *lines]

    return loops("rates", "plan_forces, u, x, modes, rows, x_dot", kinds, body)


def energies(kinds: Kinds) -> Any:
    """Energies stored in all elements of some kinds."""

    def body(module: ModuleType, kind: int) -> list[str]:
        return [f"stored_in[i] = {call(module, kind, 'stored')}"]

    return loops("energies", "plan_forces, u, x, modes, rows, stored_in", kinds, body)


def look_ahead(kinds: Kinds) -> Any:
    """Slopes that all elements of some kinds add in a step that meets a corner of their law."""

    def body(module: ModuleType, kind: int) -> list[str]:
        return [
            f"ds, dw = {call(module, kind, 'ahead')}", "k = plan_tangent.stiff[r_0]", "by_s[k] += ds", "by_w[k] += dw",
        ]  # fmt: skip

    return loops("look_ahead", "plan_forces, plan_tangent, h, u, x, modes, rows, by_s, by_w", kinds, body)


def most_sudden(kinds: Kinds) -> Any:
    """The largest suddenness of all elements of some kinds."""

    def body(module: ModuleType, kind: int) -> list[str]:
        return [f"most = max(most, {call(module, kind, 'suddenness')})"]

    arguments = "plan_forces, h, u, x, modes, rows"
    return loops("most_sudden", arguments, kinds, body, "most = 0.0", "return most")


def change_modes(kinds: Kinds) -> Any:
    """Modes of all elements of some kinds after an accepted step; returns 1 where one changed, else 0."""

    def body(module: ModuleType, kind: int) -> list[str]:
        new = [f"mode_{number}" for number in range(len(module.ELEMENT.modes))]
        lines = [f"{', '.join(new)} = {call(module, kind, 'between')}"]
        for number, name in enumerate(new):
            place = f"modes[index[i, MODE] + {number}]"
            lines += [f"changed = 1 if {name} != {place} else changed", f"{place} = {name}"]
        return lines

    return loops("change_modes", "plan_forces, u, x, rows, modes", kinds, body, "changed = 0", "return changed")
