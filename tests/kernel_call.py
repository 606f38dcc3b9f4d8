# SPDX-License-Identifier: BSD-3-Clause
"""Let a test call a kernel: kernels have no Python wrapper, so a fresh one is compiled around their source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def callable_kernel(kernel: Any) -> Callable[..., Any]:
    """Return a function that Python can call and that runs ``kernel`` compiled (plain Python when the JIT is off)."""
    source = getattr(kernel, "py_func", kernel)
    compiled: Callable[..., Any] = numba.njit(error_model="numpy")(source)
    return compiled
