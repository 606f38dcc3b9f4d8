# SPDX-License-Identifier: BSD-3-Clause
"""Curves: every recorded quantity in the unit people read, thinned so that a report stays small.

A curve with more points than are asked for keeps the smallest and the largest value of each stretch of time, so that a
peak of a single record stays visible; one that never changes keeps its two ends. Curves of one unit that nobody could
tell apart, such as those of two parallel cylinders, are known by the first of them and drawn once. Numbers go into the
page as little-endian float32 in base64. Tested in tests/report/test_curves.py.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.names import component_labels
from knuckleboom.plots.first import apart, first, lively
from knuckleboom.plots.overview import MOVING, PICTURES, pick
from knuckleboom.plots.reading import shown
from knuckleboom.results import Quantity, Results

Array = NDArray[np.float64]

MOST_POINTS = 2000
"""Points of one curve."""
MOST_IN_ALL = 300_000
"""Points of all curves together; with very many curves each gets fewer, but never below LEAST_POINTS."""
LEAST_POINTS = 200
PANEL_LINES = 8
SAME = 1e-4
"""Two curves whose largest difference is below this part of their span are the same to the eye."""
SPATIAL = {"positions": ("*.position",), "turning": ("*.angular_velocity",)}
"""What is plotted of a machine that has no joint coordinates or lengths, only orientations: title and patterns."""


@dataclass(frozen=True)
class Curve:
    """One line of a plot: its name, the unit it is shown in, what it is, and its points."""

    name: str
    unit: str
    meaning: str
    time: Array
    values: Array


def all_curves(results: Results) -> list[Curve]:
    """Return every recorded quantity, one curve per component, with all its points."""
    return [curve for path in results for curve in curves_of(results[path])]


def curves_of(quantity: Quantity) -> list[Curve]:
    """Return the components of a quantity in the unit people read."""
    unit, factor = shown(quantity)
    columns = quantity.values.reshape(len(quantity.time), len(quantity.signal.columns)).T * factor
    labels = component_labels(quantity.signal)
    return [
        Curve(label, unit, quantity.meaning, quantity.time, values)
        for label, values in zip(labels, columns, strict=True)
    ]


def same_curves(curves: Sequence[Curve]) -> dict[str, str]:
    """Return, for each curve that is the same as an earlier one of its unit, the name of that one."""
    found: dict[str, str] = {}
    by_unit: dict[str, list[Curve]] = {}
    for curve in curves:
        if len(curve.values):
            by_unit.setdefault(curve.unit, []).append(curve)
    for alike in by_unit.values():
        lows, highs = (np.array([find(curve.values) for curve in alike]) for find in (np.min, np.max))
        apart = SAME * (highs - lows)
        for place, curve in enumerate(alike):
            # only those with the same extremes are compared point by point
            near = (np.abs(lows - lows[place]) <= apart[place]) & (np.abs(highs - highs[place]) <= apart[place])
            for other in np.flatnonzero(near[:place]):
                first = alike[other]
                if first.name not in found and _is_same(curve, first, apart[place]):
                    found[curve.name] = first.name
                    break
    return found


def _is_same(curve: Curve, other: Curve, apart: float) -> bool:
    return len(curve.values) == len(other.values) and bool(np.abs(curve.values - other.values).max() <= apart)


def thinned(time: Array, values: Array, most: int) -> tuple[Array, Array]:
    """Return at most so many points of a curve, with the extremes of every stretch."""
    count = len(values)
    if count > 2 and float(np.ptp(values)) == 0.0:
        return time[[0, -1]], values[[0, -1]]
    if count <= most:
        return time, values

    # stretches of equal numbers of records, the last one filled up with the last value
    length = -(-count // max((most - 2) // 2, 1))
    padded = np.concatenate([values, np.full(-count % length, values[-1])]).reshape(-1, length)
    starts = np.arange(len(padded)) * length
    extremes = np.stack([starts + padded.argmin(axis=1), starts + padded.argmax(axis=1)], axis=1)
    inside = np.minimum(np.sort(extremes, axis=1).ravel(), count - 1)
    kept = np.concatenate([[0], inside, [count - 1]])
    return time[kept], values[kept]


def packed(values: Any) -> str:
    """Return numbers as float32, little-endian, in base64."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def page_curves(curves: Sequence[Curve], same: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the curves as the page reads them; the times are left out where they are all recorded ones."""
    most = int(np.clip(MOST_IN_ALL // max(len(curves), 1), LEAST_POINTS, MOST_POINTS))
    written = []
    for curve in curves:
        time, values = thinned(curve.time, curve.values, most)
        entry = {"name": curve.name, "unit": curve.unit, "meaning": curve.meaning, "y": packed(values)}
        if len(time) != len(curve.time) or len(curve.time) > most:
            entry["t"] = packed(time)
        if curve.name in same:
            entry["alike"] = same[curve.name]
        written.append(entry)
    return written


def panels(results: Results, same: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return which quantities are plotted at first: a panel for each kind and unit, with what matters most.

    Curves that are the same count as one line, and are all named.
    """
    kinds = [(name, title, patterns) for name, (title, patterns) in PICTURES.items()]
    if not any(pick(results, name, patterns) for name, _, patterns in kinds if name in MOVING):
        kinds[:0] = [(title, title, patterns) for title, patterns in SPATIAL.items()]
    found: list[dict[str, Any]] = []
    for name, title, patterns in kinds:
        by_unit: dict[str, list[Quantity]] = {}
        for quantity in lively(pick(results, name, patterns)):  # what never changes is left to the chooser
            by_unit.setdefault(shown(quantity)[0], []).append(quantity)
        largest_first = sorted(by_unit.values(), key=len, reverse=True)  # levers before what the soil does
        for quantities in (alike for same in largest_first for alike in apart(same)):
            unit = shown(quantities[0])[0]
            lines: dict[str, list[Quantity]] = {}
            for quantity in quantities:
                lines.setdefault(same.get(quantity.path, quantity.path), []).append(quantity)
            chosen = first(results, [alike[0] for alike in lines.values()], PANEL_LINES)
            labels = [label for quantity in chosen for label in component_labels(quantity.signal)][:PANEL_LINES]
            shown_paths = {same.get(label, label) for label in labels}
            labels += [one.path for path in lines for one in lines[path][1:] if path in shown_paths]
            left_out = sum(len(quantity.signal.columns) for quantity in quantities) - len(labels)
            found.append({"title": title, "unit": unit, "curves": labels, "left_out": left_out})
    return found
