# SPDX-License-Identifier: BSD-3-Clause
"""Rows of heights: read from a file of numbers, what is wrong with them, and the smooth surface through them.

A file has a row for each x with its numbers along y, in m, parted by comma, semicolon, tab or spaces; lines that begin
with # are remarks. What is no number is a hole. The surface is that of geometry/field.py: its coefficients, and
samples of it to draw. Tested in tests/machine/test_terrain.py,
tests/geometry/test_field.py
"""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knuckleboom.describe import Fault

Array = NDArray[np.float64]
Rows = tuple[tuple[float, ...], ...]
MOST_BYTES = 200_000_000
SHOWN = 5
"""Holes that a message lists."""
EDGE, BESIDE, OVER = 1.0, 0.125, 0.75
"""Weights of coefficients at a given height: at an edge its own only, elsewhere its neighbours' and its own."""


def read_heights(file: str) -> Rows:
    """Return the rows of a file; a Fault says why it cannot be read."""
    try:
        known = os.stat(file)
        if not Path(file).is_file() or known.st_size > MOST_BYTES:
            raise Fault(f"csv: '{file}' is not a file, or has more than {MOST_BYTES} bytes.", field="csv")
        return _read(file, known.st_mtime_ns, known.st_size)
    except (OSError, ValueError) as error:
        if isinstance(error, Fault):
            raise
        reason = (getattr(error, "strerror", "") or "it is not text in UTF-8").lower()
        raise Fault(f"csv: '{file}' cannot be read: {reason}.", field="csv") from None


@functools.lru_cache(maxsize=8)
def _read(file: str, changed: int, size: int) -> Rows:
    """The rows of a file, kept until it changes."""
    text = Path(file).read_bytes().decode("utf-8-sig")
    lines = [line.strip() for line in text.splitlines()]
    return tuple(tuple(_numbers(line)) for line in lines if line and not line.startswith("#"))


def _numbers(line: str) -> Iterator[float]:
    for item in re.split(r"\s*[;,\t]\s*", line) if re.search(r"[;,\t]", line) else line.split():
        try:
            yield float(item) if "_" not in item else math.nan
        except ValueError:
            yield math.nan


def faults_of_rows(rows: Rows, field: str) -> Iterator[Fault]:
    """What is wrong with heights: too few, of unequal length, holes."""
    if len(rows) < 2 or min(len(row) for row in rows) < 2:
        fix = "Give two rows of two numbers at least: [[0, 0], [0, 0.1]]"
        yield Fault(f"{field} has {_count(rows)}.", fix, field)
        return
    uneven = [place for place, row in enumerate(rows, 1) if len(row) != len(rows[0])]
    if uneven:
        place = uneven[0]
        rule = f"{field} is no rectangle: row {place} has {len(rows[place - 1])} numbers, row 1 has {len(rows[0])}."
        yield Fault(rule, "Give every row as many.", field)
        return
    holes = [(i, j) for i, row in enumerate(rows, 1) for j, one in enumerate(row, 1) if not math.isfinite(one)]
    if holes:
        some = "; ".join(f"row {i}, number {j}" for i, j in holes[:SHOWN])
        more = f" and {len(holes) - SHOWN} more" if len(holes) > SHOWN else ""
        places = "1 place" if len(holes) == 1 else f"{len(holes)} places"
        yield Fault(f"{field} has no number in {places}: {some}{more}.", "Fill the holes: a height each.", field)


def _count(rows: Rows) -> str:
    """How many rows and numbers there are, where these are too few."""
    if not rows:
        return "no rows"
    if len(rows) == 1:
        return "one row"
    return f"a row of {min(len(row) for row in rows)} numbers"


def coefficients(heights: Array, ring: int) -> Array:
    """Coefficients of the spline through heights (nx, ny), with a ring of more around them."""
    from scipy.linalg import solve_banded

    c = np.array(heights, float)
    for _ in range(2):
        count = len(c)
        bands = np.zeros((3, count))
        bands[1] = OVER
        bands[1, [0, -1]] = EDGE
        bands[0, 2:] = bands[2, : count - 2] = BESIDE
        c = solve_banded((1, 1), bands, c).T
    # along the edge's slope once, then as it is
    for axis in range(2):
        c = np.moveaxis(c, axis, 0)
        before, after = 2.0 * c[0] - c[1], 2.0 * c[-1] - c[-2]
        c = np.concatenate([[before] * ring, c, [after] * ring])
        c = np.moveaxis(c, 0, axis)
    return np.ascontiguousarray(c)


def sampled(heights: Array, nx: int, ny: int) -> Array:
    """The surface through heights at nx by ny places, evenly from the first to the last."""
    c = coefficients(heights, 1)
    for count in (nx, ny):
        s = np.linspace(0.0, len(c) - 3.0, count)
        nearest = np.floor(s + 0.5).astype(int)
        u = (s - nearest)[:, None]
        before, beyond = 0.5 * (0.5 - u) ** 2, 0.5 * (0.5 + u) ** 2
        c = (before * c[nearest] + (0.75 - u * u) * c[nearest + 1] + beyond * c[nearest + 2]).T  # B of three
    return c
