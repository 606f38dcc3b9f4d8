# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are compiled apart: what few machines need is no part of the run loops, which call it by its address.

    @apart_kernel
    def act(plan, work):                      called by kernels like any other
    make_ready(act, plan, work)               compiles it, or takes it from the cache, before a machine that needs it

Each has a cell of its own with the address of its machine code, 0 until it is ready; machine code finds the cell by its
name when it is loaded. So an entry point neither contains such a kernel nor changes with it, and all couplings share
one machine code of it: of Plan and Work it sees the families that all have, others are arguments of their own. It
returns nothing. Under NUMBA_DISABLE_JIT=1 it is the plain Python function.
Why: docs/decisions/apart.md. Validated by: tests/kernels/test_apart.py
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from knuckleboom.family import FamilyType
from knuckleboom.kernels import address_of, entry_point
from knuckleboom.layout import FAMILIES_OF

F = TypeVar("F", bound=Callable[..., Any])


class _Apart:
    """The machine code of such a kernel, and the cell with its address."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.code: Any = entry_point(function)
        self.cell = np.zeros(1, np.int64)
        self.name = f"{function.__module__}.{function.__qualname__}".replace(".", "_")
        self.types: tuple[Any, ...] | None = None
        binding.add_symbol(self.name, self.cell.ctypes.data)

    def agree(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types it is compiled for: the same for all that call it."""
        if self.types is None:
            self.types = given
        elif self.types != given:
            raise TypeError(f"Kernel '{self.name}' is called with {given}, and elsewhere with {self.types}.")
        return given

    def call(self, context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """Instructions that call what the cell points at."""
        wanted = tuple(_handed_over(kind) for kind in signature.args)
        # a family is an address, whatever is known of its members
        given = [
            value if isinstance(kind, FamilyType) else context.cast(builder, value, kind, want)
            for value, kind, want in zip(values, signature.args, wanted, strict=True)
        ]
        module = builder.module
        cell = module.globals.get(self.name) or ir.GlobalVariable(module, ir.IntType(64), self.name)
        kind = context.call_conv.get_function_type(types.none, wanted)
        code = builder.inttoptr(builder.load(cell), kind.as_pointer())
        context.call_conv.call_function(builder, code, types.none, wanted, given)
        return context.get_dummy_value()


_apart: dict[Any, _Apart] = {}


def _handed_over(kind: Any) -> Any:
    """The type as which an argument is handed over: Plan and Work as layout.shared_by_couplings has them."""
    if isinstance(kind, types.Integer):
        return types.int64
    if not isinstance(kind, FamilyType):
        return kind
    special = {family for families in FAMILIES_OF.values() for family in families}
    return FamilyType(kind.title, tuple(
        (name, FamilyType(member.title, ()) if name in special and isinstance(member, FamilyType) else member, fixed)
        for name, member, fixed in kind.members
    ))  # fmt: skip


def apart_kernel(function: F) -> F:
    """Compile a kernel on its own, once for all couplings, for the machines for which it is made ready."""
    if numba.config.DISABLE_JIT:
        return function
    apart = _Apart(function)

    def call(_, *kinds):  # type: ignore[no-untyped-def]
        apart.agree(tuple(_handed_over(kind) for kind in kinds))
        return types.none(*kinds), apart.call

    given = inspect.Parameter("_", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    own = inspect.signature(function)
    call.__signature__ = own.replace(parameters=[given, *own.parameters.values()])  # type: ignore[attr-defined]
    call.__name__ = function.__name__
    made: Any = intrinsic(call)
    made.py_func = function
    _apart[made] = apart
    return made  # type: ignore[no-any-return]


def make_ready(kernel: Any, *arguments: Any) -> None:
    """Let machine code call a kernel with arguments like these."""
    if kernel not in _apart:  # plain Python
        return
    apart = _apart[kernel]
    if apart.cell[0] == 0:
        given = apart.agree(tuple(_handed_over(numba.typeof(argument)) for argument in arguments))
        apart.cell[0] = address_of(apart.code, given)
