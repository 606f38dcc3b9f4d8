# SPDX-License-Identifier: BSD-3-Clause
"""Shapes in a side view, x forward and z up: what booms, linkages and buckets are drawn with.

Only what a machine looks like; nothing that computes reads it. Tested in tests/catalogue/test_written_files.py.
"""

from __future__ import annotations

import math

from knuckleboom.machine import Handle

Point = tuple[float, float]


def bar(
    body: Handle, a: Point, b: Point, high: float, wide: float, colour: str, y: float = 0.0, *, beyond: float = 0.0
) -> None:
    """Draw a box from a to b, m, longer than that by `beyond`."""
    along, up = b[0] - a[0], b[1] - a[1]
    middle = (0.5 * (a[0] + b[0]), y, 0.5 * (a[1] + b[1]))
    size = (math.hypot(along, up) + beyond, wide, high)
    body.shape("box", size=size, at=middle, rpy=(0.0, -math.atan2(up, along), 0.0), colour=colour)
