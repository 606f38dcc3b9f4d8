# SPDX-License-Identifier: BSD-3-Clause
"""What the excavator looks like: boxes and cylinders on its bodies; nothing that computes reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from knuckleboom.catalogue.side_view import Point, bar
from knuckleboom.machine import Machine

YELLOW, AMBER, DARK, STEEL, GLASS, RUBBER = "#f4b41a", "#d99a0b", "#34373c", "#6d737b", "#9cc7dd", "#24262a"


def add(m: Machine) -> None:
    """Add the shapes of all bodies."""
    _undercarriage(m)
    _upper(m)
    _boom_and_stick(m)
    _bucket(m)


def _undercarriage(m: Machine) -> None:
    body = "undercarriage"
    for y in (-1.1, 1.1):
        _box(m, body, (0.0, y, 0.45), (3.4, 0.60, 0.90), RUBBER)
        for x in (-1.7, 1.7):
            _drum(m, body, (x, y, 0.45), 0.45, 0.60, RUBBER)
            _drum(m, body, (x, y, 0.45), 0.30, 0.64, STEEL)
        for x in (-1.0, -0.5, 0.0, 0.5, 1.0):
            _drum(m, body, (x, y, 0.22), 0.13, 0.64, STEEL)
        _box(m, body, (0.0, y, 0.50), (2.6, 0.62, 0.16), DARK)
    _box(m, body, (0.0, 0.0, 0.62), (1.7, 1.7, 0.40), DARK)
    m.draw(body, {"shape": "cylinder", "size": (0.62, 0.26), "at": (0.0, 0.0, 0.92), "colour": STEEL})


def _upper(m: Machine) -> None:
    body = "upper"
    _box(m, body, (-0.65, 0.0, 0.22), (3.9, 2.5, 0.24), DARK)
    _box(m, body, (-1.35, 0.0, 0.86), (1.5, 2.5, 1.05), YELLOW)
    _box(m, body, (-1.25, 0.35, 1.43), (1.1, 1.2, 0.10), AMBER)
    m.draw(body, {"shape": "cylinder", "size": (0.07, 0.45), "at": (-1.7, -0.75, 1.55), "colour": STEEL})
    # counterweight, rounded behind
    _box(m, body, (-2.35, 0.0, 0.80), (0.55, 2.5, 1.05), AMBER)
    m.draw(body, {"shape": "cylinder", "size": (0.42, 2.1), "at": (-2.55, 0.0, 0.80), "rpy": (0.5 * math.pi, 0.0, 0.0),
                  "colour": AMBER})  # fmt: skip
    # cab on the left, tank and steps on the right
    _box(m, body, (0.35, 0.78, 0.75), (1.75, 0.92, 0.82), YELLOW)
    _box(m, body, (0.33, 0.78, 1.48), (1.55, 0.86, 0.72), GLASS)
    _box(m, body, (0.30, 0.78, 1.88), (1.75, 0.94, 0.10), YELLOW)
    for x in (-0.50, 0.42, 1.10):
        for y in (0.35, 1.21):
            _box(m, body, (x, y, 1.48), (0.09, 0.07, 0.76), DARK)
    _box(m, body, (-0.10, -0.85, 0.72), (1.15, 0.75, 0.76), YELLOW)
    _box(m, body, (0.85, -0.85, 0.52), (0.70, 0.70, 0.36), DARK)
    # cheeks that hold the boom
    for y in (-0.24, 0.24):
        bar(m[body], (-0.35, 0.40), (0.12, 0.86), 0.42, 0.06, YELLOW, y)
        bar(m[body], (-0.10, 0.30), (0.52, 0.16), 0.30, 0.06, YELLOW, y)


def _boom_and_stick(m: Machine) -> None:
    body = "boom_arm"
    outline = ((-0.05, 0.0, 0.42), (0.9, 0.38, 0.56), (2.05, 0.74, 0.68), (2.9, 0.74, 0.66), (4.3, 0.40, 0.52))
    _beam(m, body, (*outline, (5.75, 0.0, 0.34)), 0.44)
    for y in (-0.30, 0.30):
        bar(m[body], (2.78, 0.95), (3.20, 1.18), 0.26, 0.06, AMBER, y * 0.4)
    _drum(m, body, (2.28, 0.0, 0.74), 0.13, 0.95, STEEL)
    _drum(m, body, (5.70, 0.0, 0.0), 0.16, 0.52, STEEL)
    body = "stick_arm"
    _beam(
        m,
        body,
        ((-0.88, 0.30, 0.22), (-0.35, 0.16, 0.46), (0.25, 0.10, 0.58), (1.3, 0.08, 0.46), (2.95, 0.0, 0.26)),
        0.34,
    )
    for y in (-0.11, 0.11):
        bar(m[body], (0.30, 0.34), (0.58, 0.62), 0.24, 0.05, AMBER, y)
    _drum(m, body, (2.92, 0.0, 0.0), 0.10, 0.48, STEEL)
    for y in (-0.22, 0.22):
        bar(m["rocker"], (0.0, 0.0), (0.62, 0.0), 0.13, 0.05, STEEL, y)
    _drum(m, "rocker", (0.62, 0.0, 0.0), 0.07, 0.52, DARK)
    bar(m["link"], (0.0, 0.0), (0.60, 0.0), 0.15, 0.28, STEEL)


def _bucket(m: Machine) -> None:
    body, wide = "bucket_shell", 1.15
    shell: Sequence[Point] = ((0.14, -0.02), (0.20, 0.55), (0.50, 0.83), (0.90, 0.78), (1.20, 0.50), (1.40, 0.06))
    for a, b in pairwise(shell):
        bar(m[body], a, b, 0.05, wide, AMBER)
    # sides: strips from the opening to the shell
    for y in (-0.5 * wide, 0.5 * wide):
        for a, b in (((0.30, 0.04), (0.36, 0.66)), ((0.55, 0.03), (0.58, 0.80)), ((0.80, 0.02), (0.80, 0.78)),
                     ((1.03, 0.02), (1.00, 0.66)), ((1.22, 0.02), (1.17, 0.50))):  # fmt: skip
            bar(m[body], a, b, 0.28, 0.04, AMBER, y)
    for y in (-0.48, -0.24, 0.0, 0.24, 0.48):
        bar(m[body], (1.32, 0.14), (1.47, -0.04), 0.07, 0.09, DARK, y)
    for y in (-0.20, 0.20):
        bar(m[body], (0.0, -0.04), (-0.03, 0.50), 0.18, 0.05, STEEL, y)
        bar(m[body], (0.0, 0.05), (0.22, 0.45), 0.22, 0.05, STEEL, y)


def _box(m: Machine, body: str, at: tuple[float, float, float], size: tuple[float, float, float], colour: str) -> None:
    m.draw(body, {"shape": "box", "at": at, "size": size, "colour": colour})


def _drum(m: Machine, body: str, at: tuple[float, float, float], radius: float, length: float, colour: str) -> None:
    """A cylinder across, along y."""
    turned = {"rpy": (0.5 * math.pi, 0.0, 0.0), "colour": colour}
    m.draw(body, {"shape": "cylinder", "at": at, "size": (radius, length), **turned})


def _beam(m: Machine, body: str, outline: Sequence[tuple[float, float, float]], wide: float) -> None:
    """Boxes along a line of points (x, z, height there), with drums in the knees."""
    for a, b in pairwise(outline):
        bar(m[body], a[:2], b[:2], 0.5 * (a[2] + b[2]), wide, YELLOW)
    for x, z, high in outline[1:-1]:
        _drum(m, body, (x, 0.0, z), 0.5 * high, wide, YELLOW)
