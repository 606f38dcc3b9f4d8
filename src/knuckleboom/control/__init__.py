# SPDX-License-Identifier: BSD-3-Clause
"""Control: controllers at their own sample time, compiled or plain, and ready blocks. Knows nothing of a machine."""

from knuckleboom.control.compiled import compiled
from knuckleboom.control.controller import Controller
from knuckleboom.control.low_pass import low_pass
from knuckleboom.control.pid import pid
from knuckleboom.control.rate_limit import rate_limit

__all__ = ["Controller", "compiled", "low_pass", "pid", "rate_limit"]
