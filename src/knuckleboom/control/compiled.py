# SPDX-License-Identifier: BSD-3-Clause
"""Controllers as machine code: `@kb.compiled`, the address of what it made, and the call through an address.

    @kb.compiled
    def hold(time, reads, writes, memory, parameters):
        writes[0] = parameters[0] * (parameters[1] - reads[0])

The step loop is compiled once for all machines, so a controller reaches it as a number, the address of its machine code
in the plan. It is compiled for one signature only: time in s, then four arrays of 64-bit floats. An index out of bounds
is an error as in Python; division by zero gives inf. Under NUMBA_DISABLE_JIT=1 it stays a plain Python function.
Tested in tests/control/test_compiled.py.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from knuckleboom import kernels
from knuckleboom.errors import KnuckleboomError

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"error_model": "numpy", "boundscheck": True, "nogil": True}
ARRAY = types.Array(types.float64, 1, "C")
SIGNATURE = types.void(types.float64, ARRAY, ARRAY, ARRAY, ARRAY)
ARGUMENTS = "time, reads, writes, memory, parameters"


class CompileError(KnuckleboomError):
    """A controller that cannot be compiled; the text has the reason."""


def compiled(function: F) -> F:
    """Compile a controller function, or one that it calls, when it is first used."""
    return numba.njit(**OPTIONS)(function)  # type: ignore[no-any-return]


def block(function: F) -> F:
    """Compile a controller function of ours and keep its machine code on disk, as that of the entry points."""
    return kernels.keep_on_disk(function, **OPTIONS)


def is_compiled(function: Any) -> bool:
    """Whether a function has machine code that the step loop can call."""
    return isinstance(function, Dispatcher)


def address_of(function: Any) -> int:
    """The address of a compiled controller's machine code, compiled now if it was not."""
    try:
        return kernels.address_of(function, SIGNATURE.args)
    except NumbaError as error:
        name = function.py_func.__name__
        reason = str(error).strip()
        raise CompileError(
            f"Controller function '{name}({ARGUMENTS})' cannot be compiled. Leave @kb.compiled away to run it as plain "
            f"Python. Numba says:\n{reason}"
        ) from error


@intrinsic
def call_controller(typing_context, address, time, reads, writes, memory, parameters):  # type: ignore[no-untyped-def]
    """Call the machine code at an address; return 1 if it raised, else 0. Writes writes, memory."""
    arguments = (time, reads, writes, memory, parameters)

    def generate(context, builder, signature, values):  # type: ignore[no-untyped-def]
        kind = context.call_conv.get_function_type(types.none, arguments)
        code = builder.inttoptr(values[0], kind.as_pointer())
        status, _ = context.call_conv.call_function(builder, code, types.none, arguments, values[1:])
        return builder.zext(status.is_error, context.get_value_type(types.int64))

    return types.int64(types.int64, *arguments), generate
