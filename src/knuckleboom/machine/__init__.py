# SPDX-License-Identifier: BSD-3-Clause
"""Machine: descriptions, reading and writing them, and checking them, all problems at once."""

from knuckleboom.machine.handles import BodyHandle, Handle, OilHandle
from knuckleboom.machine.kinds import all_kinds, register
from knuckleboom.machine.machine import Machine, Source
from knuckleboom.machine.placement import Located

__all__ = ["BodyHandle", "Handle", "Located", "Machine", "OilHandle", "Source", "all_kinds", "register"]
