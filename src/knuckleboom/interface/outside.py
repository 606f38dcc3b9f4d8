# SPDX-License-Identifier: BSD-3-Clause
"""Elements of installed packages, and what is wrong with an element's file, in sentences.

A package offers an element as a module, in the group `knuckleboom.parts` of its entry points, beside the class of the
part that writes it: `shear_pin_law = "my_package.shear_pin"`. A module has no colon, a class has one. What its law
needs is compiled with the rest, and the package's files are part of the key of the compile cache (kernels.py).
Tested in tests/interface/test_outside.py
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import numba

from knuckleboom.errors import KnuckleboomError
from knuckleboom.interface.contract import (
    ACCOUNTS,
    GIVES,
    HOOKS,
    MOST,
    SUPPLIED,
    Element,
    has,
    meanings,
    name_of,
    takes,
)
from knuckleboom.kernels import PLUGIN_GROUP, plain

STEP = 1e-6
ROUGH = 1e-2
"""Part by which a slope may differ from a difference: coarse, so that only faults are seen."""
SAMPLES = ((0.3, 0.7), (-0.2, 1.3), (0.05, 0.9))
"""Rates and all other arguments where a law is tried."""
CURVE: dict[str, Any] = {"numbers": [0.0, 1.0, 1.0, 0.0] * 4, "start": 0, "count": 1}
"""One piece of a curve (laws/curve.py) for laws that have one."""
RESERVED = ("s", "w", "z", "h", "numbers", "start", "count", "oil_force")


class ElementError(KnuckleboomError):
    """Elements of packages that cannot be used."""


def elements_of_packages(taken: Sequence[str]) -> list[ModuleType]:
    """Modules of installed packages that are elements, by names that are not taken; raise ElementError with all that is
    wrong with them.
    """
    found: list[ModuleType] = []
    problems, names = [], set(taken)
    for entry in sorted(importlib.metadata.entry_points(group=PLUGIN_GROUP), key=lambda entry: entry.name):
        if entry.attr:
            continue
        try:
            module = entry.load()
        except Exception as error:  # it is anybody's code
            problems.append(f"'{entry.value}' cannot be imported: {type(error).__name__}: {error}")
            continue
        problems += [f"element '{name_of(module)}' of '{entry.value}': {fault}" for fault in faults(module)]
        if name_of(module) in names:
            problems.append(f"element '{name_of(module)}' of '{entry.value}': there is one of that name already.")
        names.add(name_of(module))
        found.append(module)
    if problems:
        raise ElementError("\n".join(["An installed package has elements that cannot be used:", *problems]))
    return found


def faults(module: ModuleType) -> Iterator[str]:
    """What is wrong with the file of an element, each as a sentence."""
    element = getattr(module, "ELEMENT", None)
    if not isinstance(element, Element):
        yield "it has no ELEMENT, its declaration (an Element of knuckleboom.interface.contract)."
        return
    if not has(module, "law"):
        yield "it has no law, a kernel that returns what ELEMENT.gives lists."
        return
    wrong = [*declaration_faults(module, element), *argument_faults(module, element)]
    wrong = wrong or list(law_faults(module, element)) or list(slope_faults(module, element))
    undecorated = [] if numba.config.DISABLE_JIT else [hook for hook in HOOKS if is_plain(module, hook)]
    yield from wrong or [f"`{hook}` is no kernel: decorate it with knuckleboom.kernels.kernel." for hook in undecorated]


def declaration_faults(module: ModuleType, element: Element) -> Iterator[str]:
    """What is wrong with the declaration by itself."""
    for what, count in (("rows", element.sizes()[1]), ("states", len(element.states))):
        if count > MOST:
            yield f"it has {count} {what}; {MOST} are the most."
    if not element.rows:
        yield "it acts on no row."
    if element.account not in ACCOUNTS:
        yield f"its account is '{element.account}'; accounts are {', '.join(ACCOUNTS)}."
    if (element.account == SUPPLIED) != has(module, "supplied"):
        yield f"the account '{SUPPLIED}' and the kernel `supplied` go together: it has one without the other."
    plain_row = len(element.rows) == 1 and not element.states and not element.reads
    if element.mean_power and (not plain_row or "by_w" not in element.gives or "by_oil" in element.gives):
        yield "mean_power is for elements with one row and by_w, without states, oil and forces that are read."
    if has(module, "ahead") and not element.stiff:
        yield "`ahead` adds to slopes, and its law gives none."
    if len(element.rows) > 1 and (has(module, "ahead") or "by_oil" in element.gives):
        yield "`ahead` and by_oil are for elements with one row."
    named = [*element.columns, *(one.name for one in element.states), *(one.name for one in element.modes)]
    named += [signal for signal in element.signals if signal not in element.columns]
    of_rows = [name for names in row_arguments(element).values() for name in names]
    of_rows += [f"force_{row}" for row in element.reads]
    for name in dict.fromkeys(named):
        if name in (*RESERVED, *of_rows):
            yield f"'{name}' cannot be a name: it means something else in a kernel."
        if named.count(name) > 1:
            yield f"'{name}' is the name of two things."
    if bool(element.modes) != has(module, "between"):
        yield "modes and the kernel `between` go together: it has one without the other."
    for what in element.gives:
        if what not in GIVES:
            yield f"gives has '{what}'; a law gives {', '.join(GIVES)}."
    wanted = ["force"]
    wanted += ["by_z", "rate", "rate_z"] if element.states else []
    wanted += ["by_force"] if element.reads else []
    wanted += ["by_oil"] if "oil_force" in takes(module, "law") else []
    for what in wanted:
        if what not in element.gives:
            yield f"gives lacks '{what}'."
    if not element.states:
        yield from (f"gives has '{what}', and there is no state." for what in element.gives if what.startswith("rate"))


def argument_faults(module: ModuleType, element: Element) -> Iterator[str]:
    """Arguments of its kernels that are nothing."""
    known = set(meanings(element)) - {"h", "oil_force"}
    for hook in HOOKS:
        more = {"h"} if hook in ("ahead", "suddenness") else {"oil_force"} if hook == "law" else set()
        for name in takes(module, hook):
            if name.strip("_") not in known | more:
                yield f"{hook} has the argument '{name}', which is no row, state, signal, column or mode of it."
    if element.states and "oil_force" in takes(module, "law"):
        yield "law has the argument 'oil_force', which rates of states cannot have."


def law_faults(module: ModuleType, element: Element) -> Iterator[str]:
    """What the law does not return as declared, and slopes that it does not give."""
    names = takes(module, "law")
    for given in samples(module, element):
        try:
            found = returned(module, element, given, names)
            lacking = sorted(set(missing_slopes(module, element, given, names, found)))
        except ShapeError as error:
            yield str(error)
            return
        except (ArithmeticError, ValueError):
            continue  # a law need not be defined everywhere
        except Exception as error:
            yield f"law ends with {type(error).__name__}: {error}"
            return
        if lacking:
            yield from lacking
            return


def is_plain(module: ModuleType, hook: str) -> bool:
    """Whether one of its kernels is a Python function that was not decorated."""
    return has(module, hook) and not hasattr(getattr(module, hook), "py_func")


def slope_faults(module: ModuleType, element: Element) -> Iterator[str]:
    """Slopes that differ from differences wherever the law was tried."""
    columns = row_arguments(element)
    columns["z"] = [name for state in element.states for name in takes(module, "law") if name in (state.name, "z")]
    for slope in element.gives:
        letter = slope.rpartition("_")[2]
        if slope.rpartition("_")[0] not in ("by", "rate") or letter not in columns:
            continue
        tried = [is_off(module, element, given, slope, columns[letter]) for given in samples(module, element)]
        if True in tried and False not in tried:
            yield f"'{slope}' differs from differences of {'force' if slope.startswith('by') else 'rate'}."


def is_off(module: ModuleType, element: Element, given: dict[str, Any], slope: str, columns: list[str]) -> bool | None:
    """Whether a slope that a law gives is another than that of differences; None where the law is not defined."""
    names, what = takes(module, "law"), "force" if slope.startswith("by") else "rate"
    try:
        told = returned(module, element, given, names)[slope]
        for place, name in enumerate(columns):
            if name not in names:
                continue
            moved = ({**given, name: given[name] + side} for side in (STEP, -STEP))
            up, down = (returned(module, element, values, names)[what] for values in moved)
            for line, (high, low) in enumerate(zip(up, down, strict=True)):
                one, other = (high - low) / (2.0 * STEP), told[line * len(columns) + place]
                if abs(one - other) > ROUGH * max(1.0, abs(one), abs(other)):
                    return True
    except (ArithmeticError, ValueError):
        return None
    return False


def row_arguments(element: Element) -> dict[str, list[str]]:
    """What the values `s` and the rates `w` of its rows are called in kernels."""
    return {letter: [f"{letter}_{row}" if row else letter for row in element.rows] for letter in "sw"}


def samples(module: ModuleType, element: Element) -> Iterator[dict[str, Any]]:
    """Arguments with which a law is tried."""
    rated = row_arguments(element)["w"]
    modes = {mode.name for mode in element.modes}
    for rate, other in SAMPLES:
        # another value for each, as laws have corners where two are equal
        given: dict[str, Any] = {
            name: (rate if name in rated else other) * (1.0 + 0.1 * place)
            for place, name in enumerate(takes(module, "law"))
        }
        yield given | {name: 0 for name in given if name in modes} | CURVE


class ShapeError(Exception):
    """A law that returns something else than it declares."""


def returned(module: ModuleType, element: Element, given: dict[str, Any], names: list[str]) -> dict[str, list[float]]:
    """What the law gives, each as a list of numbers."""
    values = plain(module.law)(*(given[name] for name in names))
    parts = values if len(element.gives) > 1 and isinstance(values, tuple) else (values,)
    if len(parts) != len(element.gives):
        raise ShapeError(f"law returns {len(parts)} things, and gives lists {len(element.gives)}.")
    found = {}
    for what, part in zip(element.gives, parts, strict=True):
        lines, across = element.shape(what)
        numbers = list(part) if isinstance(part, tuple) else [part]
        if len(numbers) != lines * across:
            rule = f"law returns {len(numbers)} numbers for '{what}'; {lines} times {across} are declared"
            raise ShapeError(f"{rule}, one tuple row by row.")
        found[what] = numbers
    return found


def missing_slopes(
    module: ModuleType, element: Element, given: dict[str, Any], names: list[str], found: dict[str, list[float]]
) -> Iterator[str]:
    """Slopes that are not given though force or rate depends on something."""
    for letter, arguments in row_arguments(element).items():
        for name in arguments:
            if name not in names:
                continue
            moved = returned(module, element, {**given, name: given[name] + STEP}, names)
            for what, slope in (("force", f"by_{letter}"), ("rate", f"rate_{letter}")):
                if what in found and moved[what] != found[what] and slope not in element.gives:
                    yield f"{what} depends on {name}, and gives lacks '{slope}'."
