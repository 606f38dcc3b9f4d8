# SPDX-License-Identifier: BSD-3-Clause
"""Boxes by separating axes against coal: whether random pairs touch, and how deep.

Every tenth pair has parallel axes. Depths agree to 2e-10 m, or within the 5 % by which a pair of edges must be better
than a face to be taken. The same in validation/programs/test_boxes_of_coal.py
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from knuckleboom.bench.rounds import Progress
from knuckleboom.geometry import box_axes, placed

SEED = 20
EDGE_RULE = 0.05
PIECES = 20


class Verdicts(NamedTuple):
    """Numbers of pairs: those of which one says they touch and the other not, those whose depths are different, those
    that touch, and those of them where a face was taken instead of a pair of edges.
    """

    disagreeing: int
    off: int
    touching: int
    by_rule: int


def against_coal(cases: int, progress: Progress | None = None) -> Verdicts:
    """Compare so many pairs; without coal this is a ModuleNotFoundError."""
    from knuckleboom.bench.peers.coal_boxes import EXACT, BoxPairs

    relate, separate = called(box_axes.relate), called(box_axes.separate)
    pairs, rows, frame = BoxPairs(SEED), np.zeros((2, placed.COLUMNS)), np.empty(box_axes.COLUMNS)
    disagreeing = off = touching = by_rule = 0
    for number in range(cases):
        half, axes, centre = pairs.draw(number)
        for k, (place, turned) in enumerate(zip((np.zeros(3), centre), axes, strict=True)):
            rows[k, placed.CENTRE : placed.AXES] = place
            rows[k, placed.AXES : placed.HALF], rows[k, placed.HALF : placed.RADIUS] = turned.T.ravel(), half[k]
        relate(rows, 0, 1, frame)
        s, way = separate(rows, 0, 1, 0, np.inf, frame)
        theirs = pairs.distance(half, axes, centre)
        touching += s <= 0.0
        if (s <= 0.0) != (theirs <= 0.0):
            disagreeing += 1
        elif s <= 0.0 and abs(s - theirs) > EXACT:
            by_rule += 1
            off += way >= box_axes.EDGES or not (1.0 - EDGE_RULE) * -s <= -theirs <= -s
        if progress is not None and (number + 1) % max(cases // PIECES, 1) == 0:
            progress((number + 1) / cases)
    return Verdicts(disagreeing, off, int(touching), by_rule)


def called(kernel: Any) -> Any:
    """A compiled function around a kernel, which Python can call."""
    return numba.njit(error_model="numpy")(getattr(kernel, "py_func", kernel))


def boxes(cases: int, progress: Progress) -> dict[str, Any]:
    """Cases and disagreements, of verdict or depth; null where coal is not installed."""
    try:
        found = against_coal(cases, progress)
    except ModuleNotFoundError:
        return {"sat_cases": None, "sat_disagreements": None}
    return {"sat_cases": cases, "sat_disagreements": found.disagreeing + found.off}
