# SPDX-License-Identifier: BSD-3-Clause
"""What differs from Numba while one of our entry points is compiled, and only then.

- A question about types is asked once. Numba tries a dozen templates at every `a * b`: 18 000 times for 545 different
  questions in `run_realtime`, a fifth of the compile time.
- An index counts from the front. Numba asks at every element whether a signed index is negative and then counts from
  the end; no kernel does that (tools/kernel_lint.py), and a step is an eighth faster without.
- What lies in Plan does not change during a call, so that what was read need not be read again after a store.

Numba compiles under a lock of its own, so no other compilation meets these rules. They replace functions of
Numba's that are not documented: a new version of it is to be tried with `make test`.
Why: docs/decisions/families.md. Validated by: tests/kernels/test_compiling.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.types.functions import BaseFunction
from numba.np import arrayobj

ask, load, fix_index = BaseFunction.get_call_type, arrayobj.load_item, arrayobj.fix_integer_index


def remembering() -> Callable[..., Any]:
    """Numba's question "what is the type of this operation on these types?", with a memory."""
    answers: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        question = self, tuple(args), tuple(kws.items())
        if question not in answers:
            answers[question] = ask(self, context, args, kws)
        return answers[question]

    return get_call_type


def index_from_the_front(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    """Numba's `fix_integer_index` without a look at the sign."""
    return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)


def load_frozen(context: Any, builder: Any, array: Any, pointer: Any) -> Any:
    """Numba's `load_item`; from arrays that cannot be written, marked for LLVM as written nowhere else."""
    if array.mutable:
        return load(context, builder, array, pointer)
    return invariant(builder, pointer, context.get_abi_sizeof(context.get_data_type(array.dtype)))


def invariant(builder: Any, pointer: Any, align: int) -> Any:
    """Load what does not change while compiled code runs."""
    loaded = builder.load(pointer, align=align)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def use_our_rules() -> None:
    """From now on."""
    BaseFunction.get_call_type = remembering()  # type: ignore[method-assign]
    arrayobj.fix_integer_index = index_from_the_front
    arrayobj.load_item = load_frozen


def use_their_rules() -> None:
    """Numba's own again."""
    BaseFunction.get_call_type = ask  # type: ignore[method-assign]
    arrayobj.fix_integer_index = fix_index
    arrayobj.load_item = load
