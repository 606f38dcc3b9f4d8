# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of a case become controllers of a run; a function that one names is imported here and nowhere else.

To be checked, such a controller gets a function that does nothing. Tested in tests/simulate/test_cases.py.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from typing import Any

from knuckleboom import control
from knuckleboom.control import Controller
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.case_controllers import FUNCTION, SETTINGS, GivenController
from knuckleboom.names import closest

_announced: set[str] = set()


def make_controller(item: Any, *, checking: bool = False) -> Controller:
    """The controller of what a case has, which may be one already; MachineError with every problem of its settings.

    Nothing is imported when it is only checked.
    """
    if isinstance(item, Controller):
        return item
    assert isinstance(item, GivenController)
    required, optional = SETTINGS[item.kind]
    known = [*required, *optional]
    problems = [unknown_setting(item, key, known) for key in item.settings if key not in known]
    for key in required:
        if key not in item.settings and not any(key in problem.closest for problem in problems):
            problems.append(problem_of(item, f"'{key}' is missing."))
    if problems:
        raise MachineError(problems, f"controller '{item.name}'")
    try:
        if item.kind != FUNCTION:
            return maker_of(item.kind)(item.name, **item.settings)
        return Controller(do_nothing if checking else import_function(item), name=item.name, **item.settings)
    except (TypeError, ValueError, AttributeError, IndexError) as error:  # a list for a number and the like
        rule = f"its settings cannot be used: {error}."
        raise MachineError([problem_of(item, rule)], f"controller '{item.name}'") from None


def maker_of(kind: str) -> Callable[..., Controller]:
    """What makes a ready block of a kind."""
    return {"pid": control.pid, "low_pass": control.low_pass, "rate_limit": control.rate_limit}[kind]


def problem_of(item: GivenController, rule: str, fix: str = "", near: tuple[str, ...] = ()) -> Problem:
    """A problem of a controller."""
    return Problem(f"controller '{item.name}': {rule}", part=item.name, kind="controller", fix=fix, closest=near)


def unknown_setting(item: GivenController, key: str, known: list[str]) -> Problem:
    """A setting that its kind does not have."""
    near = tuple(closest(key, known))
    fix = "" if near else f"Its settings are {', '.join(known)}."
    return problem_of(item, f"'{key}' is not a setting of {item.kind}.", fix, near)


def do_nothing(time: float, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
    """What stands in for a function that is not imported."""


def import_function(item: GivenController) -> Callable[..., Any]:
    """Import the function that a controller names, after it has been said; MachineError if that cannot be."""
    if item.reference not in _announced:
        _announced.add(item.reference)
        print(f"controller '{item.name}' imports and runs {item.reference}", file=sys.stderr, flush=True)
    try:
        module = module_of_file(item.file) if item.file.endswith(".py") else importlib.import_module(item.file)
    except (Exception, SystemExit) as error:
        rule = f"importing {item.file} failed with {type(error).__name__}: {error}."
        raise MachineError([problem_of(item, rule)], f"controller '{item.name}'") from error
    found = getattr(module, item.function, None)
    if not callable(found):
        near = tuple(closest(item.function, [name for name in vars(module) if callable(getattr(module, name))]))
        rule = f"'{item.function}' of {item.file} is {found!r}, not a function."
        if not hasattr(module, item.function):
            rule = f"{item.file} has no function '{item.function}'."
        raise MachineError([problem_of(item, rule, near=near)], f"controller '{item.name}'")
    return found  # type: ignore[no-any-return]


def module_of_file(file: str) -> Any:
    """Import a file by its path; files of one name in several folders are kept apart."""
    path = os.path.realpath(file)
    name = f"knuckleboom_case_{hashlib.sha256(path.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
