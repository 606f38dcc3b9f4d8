# SPDX-License-Identifier: BSD-3-Clause
"""What the mine loader looks like: plates of frame, boom and bucket, hood, cab and tyres; x forward, z up, m."""

from __future__ import annotations

import math

from knuckleboom.catalogue.side_view import Point, bar
from knuckleboom.machine import Handle, Machine

YELLOW, DARK, BLACK, STEEL, GLASS = "#e3a81c", "#3c4147", "#1f2124", "#8b9097", "#9fc3d6"


def shape(m: Machine) -> None:
    """Give every body its shapes."""
    _front_frame(m["front_frame"])
    _rear_frame(m["rear_frame"])
    m["rear_axle"].shape("box", size=(0.35, 1.5, 0.35), colour=DARK)
    for wheel in [body.name for body in m.bodies() if body.name.startswith("wheel")]:
        across = (math.radians(90.0), 0.0, 0.0)
        m[wheel].shape("cylinder", size=(0.80, 0.50), rpy=across, colour=BLACK)
        m[wheel].shape("cylinder", size=(0.40, 0.54), rpy=across, colour=YELLOW)
        m[wheel].shape("box", size=(0.55, 0.56, 0.10), colour=STEEL)  # shows that it turns
    _boom(m["boom"])
    _bar(m["bellcrank"], (0.0, 0.0), (0.42, 0.73), 0.16, 0.16, YELLOW)
    _bar(m["bellcrank"], (0.0, 0.0), (0.0, -0.50), 0.16, 0.16, YELLOW)
    _bar(m["link"], (0.0, 0.0), (0.68, 0.0), 0.14, 0.12, STEEL)
    _bucket(m["bucket"])


def _bar(body: Handle, a: Point, b: Point, high: float, wide: float, colour: str, y: float = 0.0) -> None:
    """A bar that ends half its own height beyond both pins."""
    bar(body, a, b, high, wide, colour, y, beyond=high)


def _front_frame(body: Handle) -> None:
    body.shape("box", size=(0.40, 1.50, 0.45), at=(1.70, 0.0, 0.0), colour=DARK)  # axle
    for y in (0.24, -0.24):
        body.shape("box", size=(1.55, 0.08, 0.75), at=(1.00, y, -0.10), colour=YELLOW)
        _bar(body, (0.35, 0.10), (0.65, 0.80), 0.30, 0.08, YELLOW, y)  # tower of the boom's hinge
    body.shape("box", size=(0.25, 0.60, 0.90), at=(0.25, 0.0, -0.05), colour=DARK)  # plate before the articulation
    for y in (0.95, -0.95):
        body.shape("box", size=(1.50, 0.52, 0.06), at=(1.60, y, 0.90), colour=YELLOW)  # mudguards


def _rear_frame(body: Handle) -> None:
    for z in (0.32, -0.42):
        body.shape("box", size=(0.75, 0.55, 0.12), at=(-0.25, 0.0, z), colour=DARK)  # forks of the articulation
    body.shape("box", size=(3.20, 1.10, 0.55), at=(-2.15, 0.0, 0.10), colour=DARK)
    body.shape("box", size=(2.60, 2.30, 0.45), at=(-2.65, 0.0, 1.08), colour=YELLOW)  # hood
    body.shape("box", size=(2.55, 1.30, 0.60), at=(-2.60, 0.0, 0.62), colour=YELLOW)
    body.shape("box", size=(0.30, 2.20, 0.90), at=(-3.95, 0.0, 0.45), colour=YELLOW)  # counterweight and grille
    body.shape("box", size=(0.04, 1.20, 0.55), at=(-4.12, 0.0, 0.55), colour=BLACK)

    # cab on the left side, between the axles
    body.shape("box", size=(1.05, 0.85, 0.60), at=(-0.80, 0.72, 0.50), colour=YELLOW)
    body.shape("box", size=(1.00, 0.80, 0.60), at=(-0.80, 0.72, 1.08), colour=GLASS)
    body.shape("box", size=(1.15, 0.95, 0.08), at=(-0.80, 0.72, 1.42), colour=YELLOW)
    for x in (-1.30, -0.30):
        for y in (0.33, 1.11):
            body.shape("box", size=(0.07, 0.07, 0.60), at=(x, y, 1.10), colour=DARK)
    body.shape("box", size=(0.95, 0.75, 0.85), at=(-0.80, -0.70, 0.55), colour=YELLOW)  # oil tank on the right side


def _boom(body: Handle) -> None:
    for y in (0.42, -0.42):
        _bar(body, (0.0, 0.0), (1.45, -0.06), 0.34, 0.09, YELLOW, y)
        _bar(body, (1.45, -0.06), (2.62, 0.0), 0.30, 0.09, YELLOW, y)
        _bar(body, (1.20, -0.02), (1.35, -0.20), 0.20, 0.09, YELLOW, y)  # ear of the lift cylinder
    body.shape("cylinder", size=(0.14, 0.90), at=(1.75, 0.0, -0.10), rpy=(math.radians(90.0), 0.0, 0.0), colour=YELLOW)
    for y in (0.13, -0.13):
        _bar(body, (1.75, -0.10), (1.75, 0.05), 0.24, 0.06, YELLOW, y)  # bearing of the bellcrank


def _bucket(body: Handle) -> None:
    wide = 2.50
    _bar(body, (0.12, -0.30), (1.30, -0.33), 0.05, wide, STEEL)  # floor
    _bar(body, (1.28, -0.33), (1.40, -0.33), 0.04, wide + 0.04, BLACK)  # lip
    _bar(body, (0.02, -0.15), (0.12, -0.30), 0.05, wide, STEEL)
    _bar(body, (0.02, -0.15), (0.05, 0.55), 0.05, wide, STEEL)  # back
    _bar(body, (0.05, 0.55), (0.25, 0.95), 0.05, wide, STEEL)  # spill plate
    for y in (0.5 * wide, -0.5 * wide):
        body.shape("box", size=(0.90, 0.04, 0.55), at=(0.48, y, -0.05), colour=STEEL)  # cheeks
        body.shape("box", size=(0.45, 0.04, 0.40), at=(0.30, y, 0.40), colour=STEEL)
        _bar(body, (0.60, 0.55), (1.32, -0.28), 0.16, 0.04, STEEL, y)
    for y in (0.42, -0.42):
        _bar(body, (0.0, 0.0), (0.10, -0.05), 0.26, 0.16, DARK, y)  # lugs of the pin
    for y in (0.12, -0.12):
        _bar(body, (-0.09, 0.30), (0.05, 0.30), 0.18, 0.05, DARK, y)  # ear of the link
