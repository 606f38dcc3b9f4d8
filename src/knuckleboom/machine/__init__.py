# SPDX-License-Identifier: BSD-3-Clause
"""Machine: descriptions, reading and writing them, and checking them, all problems at once."""

from knuckleboom.machine.handles import BodyHandle, Handle, OilHandle
from knuckleboom.machine.kinds import all_kinds, register
from knuckleboom.machine.machine import Machine, Source
from knuckleboom.machine.placement import Located
from knuckleboom.machine.reader import from_yaml, read
from knuckleboom.machine.schema import json_schema
from knuckleboom.machine.writer import to_yaml, write

__all__ = [
    "BodyHandle", "Handle", "Located", "Machine", "OilHandle", "Source", "all_kinds", "from_yaml", "json_schema",
    "read", "register", "to_yaml", "write",
]  # fmt: skip
