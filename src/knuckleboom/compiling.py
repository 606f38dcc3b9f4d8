# SPDX-License-Identifier: BSD-3-Clause
"""What differs from Numba while one of our entry points is compiled, and only then.

- A question about types is asked once. Numba tries a dozen templates at every `a * b`: 18 000 times for 545 different
  questions in `run_realtime`, a fifth of the compile time.
- An index counts from the front. Numba asks at every element whether a signed index is negative and then counts from
  the end; no kernel does that (tools/kernel_lint.py), and a step is an eighth faster without.
- What lies in Plan does not change during a call, so that what was read need not be read again after a store.
- Nobody times locks. Numba tells of each lock that it takes, 180 000 times, to a timer for each kernel that waits for
  another to be compiled.
- Registries are read once, not before each kernel: nothing of ours is added to them meanwhile. A package's element that
  calls `numba.extending.overload` does so when it is imported, not while it is compiled.
- The size of a type is asked once. LLVM reads a module for each answer.
- Variables of an instruction are found without looking into names, numbers and places.

The last four take a fifth of the compile time. Numba compiles under a lock of its own, so no other compilation meets
these rules. They replace functions of Numba's that are not documented: a new version of it is to be tried with
`make test`.
Why: docs/decisions/families.md. Validated by: tests/kernels/test_compiling.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event, ir, types
from numba.core.base import BaseContext
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext
from numba.np import arrayobj

LOCKS = ("numba:llvm_lock", "numba:compiler_lock")
PLAIN = frozenset({str, int, float, bool, type(None), ir.Loc})
"""What is kept in an instruction and has no variables."""

load = arrayobj.load_item


def remember_answers(ask: Any) -> Callable[..., Any]:
    """Numba's question "what is the type of this operation on these types?", with a memory."""
    answers: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        question = self, tuple(args), tuple(kws.items())
        if question not in answers:
            answers[question] = ask(self, context, args, kws)
        return answers[question]

    return get_call_type


def count_from_the_front(_: Any) -> Callable[..., Any]:
    """Numba's `fix_integer_index` without a look at the sign."""

    def fix_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)

    return fix_index


def read_frozen_once(_: Any) -> Callable[..., Any]:
    """Numba's `load_item`; from arrays that cannot be written, marked for LLVM as written nowhere else."""

    def load_frozen(context: Any, builder: Any, array: Any, pointer: Any) -> Any:
        if array.mutable:
            return load(context, builder, array, pointer)
        return invariant(builder, pointer, context.get_abi_sizeof(context.get_data_type(array.dtype)))

    return load_frozen


def without_locks(tell: Any) -> Callable[..., Any]:
    """Numba's start or end of an event, but for those of locks."""

    def tell_others(kind: str, *given: Any, **more: Any) -> None:
        if kind not in LOCKS:
            tell(kind, *given, **more)

    return tell_others


def once(refresh: Any) -> Callable[..., Any]:
    """Numba's `refresh` of a context, the first time only."""
    fresh: dict[int, Any] = {}  # the contexts themselves, so that no other gets the number of one

    def refresh_once(self: Any) -> None:
        if id(self) not in fresh:
            refresh(self)
            fresh[id(self)] = self

    return refresh_once


def remember_sizes(ask: Any) -> Callable[..., Any]:
    """The size of an LLVM type in bytes, with a memory."""
    sizes: dict[str, int] = {}

    def get_abi_sizeof(self: Any, ty: Any) -> int:
        name = str(ty)
        if name not in sizes:
            sizes[name] = ask(self, ty)
        return sizes[name]

    return get_abi_sizeof


def look_for_variables(_: Any) -> Callable[..., Any]:
    """The variables in what an instruction keeps, in their order."""

    def add_variables(value: Any, found: list[Any]) -> None:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind in PLAIN:
            return
        elif isinstance(value, ir.Inst):
            found.extend(value.list_vars())
        elif isinstance(value, list | tuple):
            for one in value:
                add_variables(one, found)
        elif isinstance(value, dict):
            for one in value.values():
                add_variables(one, found)
        elif isinstance(value, ir.Var):
            found.append(value)

    def list_variables(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        add_variables(value, found)
        return found

    return list_variables


def invariant(builder: Any, pointer: Any, align: int) -> Any:
    """Load what does not change while compiled code runs."""
    loaded = builder.load(pointer, align=align)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


RULES: tuple[tuple[Any, str, Callable[[Any], Any]], ...] = (
    (BaseFunction, "get_call_type", remember_answers),
    (arrayobj, "fix_integer_index", count_from_the_front),
    (arrayobj, "load_item", read_frozen_once),
    (event, "start_event", without_locks),
    (event, "end_event", without_locks),
    (BaseContext, "refresh", once),
    (TypingContext, "refresh", once),
    (BaseContext, "get_abi_sizeof", remember_sizes),
    (ir.Inst, "_rec_list_vars", look_for_variables),
)
"""Where Numba has each, its name there, and what makes ours of it."""
THEIRS = tuple(getattr(owner, name) for owner, name, _ in RULES)


def use_our_rules() -> None:
    """From now on."""
    for (owner, name, make), theirs in zip(RULES, THEIRS, strict=True):
        setattr(owner, name, make(theirs))


def use_their_rules() -> None:
    """Numba's own again."""
    for (owner, name, _), theirs in zip(RULES, THEIRS, strict=True):
        setattr(owner, name, theirs)
