# SPDX-License-Identifier: BSD-3-Clause
"""Expand one part: its `expand` may be anybody's code, so that what goes wrong in it is a problem of that part.

Tested by tests/contract/test_bad_expand.py, golden text: tests/errors/outside_parts.
"""

from __future__ import annotations

import inspect
import re
import traceback
from pathlib import Path

from knuckleboom.describe import Part, problem
from knuckleboom.errors import Problem
from knuckleboom.names import closest
from knuckleboom.net import Net

METHODS = [name for name, _ in inspect.getmembers(Net, inspect.isfunction) if not name.startswith("_")]


class ExpandError(Exception):
    """A part that cannot be expanded, with the problem in words."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.rule)


def expand_part(part: Part, net: Net) -> None:
    """Let a part write itself; raise ExpandError when it cannot, or returns something, which is not used."""
    try:
        returned: object = part.expand(net)  # type: ignore[func-returns-value]
    except Exception as error:
        raise ExpandError(raised(part, net, error)) from error
    if returned is not None:
        rule = f"its expand returns a {type(returned).__name__}, which nobody reads."
        fix = "Call the methods of net, and let expand have neither return values nor yield."
        raise ExpandError(problem(part, rule, fix))


def raised(part: Part, net: Net, error: Exception) -> Problem:
    """An exception as a problem of the part, with the line of the part's own code."""
    where = line_of(part, error)
    if isinstance(error, AttributeError) and error.obj is net and error.name:
        rule = f"its expand calls net.{error.name}, which does not exist."
        return problem(part, rule, where, closest=tuple(closest(error.name, METHODS)))
    # methods are named as their caller knows them
    text = re.sub(r"\b\w+\.(\w+)\(\)", lambda call: f"net.{call[1]}()" if call[1] in METHODS else call[0], str(error))
    reason = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return problem(part, f"its expand ends with {reason.rstrip('.')}.", where)


def line_of(part: Part, error: Exception) -> str:
    """Where in the file of the part's `expand` an exception arose, as a sentence; nothing for one without source."""
    code = getattr(inspect.unwrap(type(part).expand), "__code__", None)
    file = code.co_filename if code else ""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"See line {lines[-1]} of {Path(file).name}, which has the kind {part.KIND}." if lines else ""
