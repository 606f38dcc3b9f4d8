# SPDX-License-Identifier: BSD-3-Clause
"""What the forwarder crane looks like, with a piece of the forwarder's rear frame; nothing that computes reads it."""

from __future__ import annotations

import math
from itertools import pairwise

from knuckleboom.catalogue.side_view import bar
from knuckleboom.machine import Machine

GREEN, DARK, STEEL, GREY, RUBBER, GLASS = "#2f7d4f", "#34373c", "#8a929b", "#5b626a", "#24262a", "#bcd9e8"
ACROSS = (0.5 * math.pi, 0.0, 0.0)  # a cylinder along y


def add(m: Machine) -> None:
    """Add the shapes of all bodies."""
    _base(m)
    _boom(m)
    _tip(m)
    _grapple(m)


def _base(m: Machine) -> None:
    """Base on the frame, whose bunk and wheels lie behind the crane, and the pillar with the operator's cab beside."""
    base, pillar = m["base"], m["pillar"]
    base.shape("box", size=(5.8, 0.7, 0.30), at=(-1.8, 0.0, 0.95), colour=GREY)
    for x in (-1.6, -3.2):
        for y in (-1.0, 1.0):
            base.shape("cylinder", size=(0.65, 0.6), at=(x, y, 0.65), rpy=ACROSS, colour=RUBBER)
            base.shape("cylinder", size=(0.30, 0.64), at=(x, y, 0.65), rpy=ACROSS, colour=STEEL)
    for x in (-1.2, -3.6):
        base.shape("box", size=(0.14, 2.3, 0.14), at=(x, 0.0, 1.45), colour=GREY)
        for y in (-1.15, 1.15):
            base.shape("box", size=(0.12, 0.10, 1.5), at=(x, y, 2.1), colour=GREY)
    for y in (-1.35, 1.35):  # stabilisers
        base.shape("box", size=(0.20, 0.14, 1.10), at=(0.90, y, 0.75), colour=GREEN)
        base.shape("sphere", size=(0.20,), at=(0.90, y, 0.20), colour=STEEL)
    base.shape("box", size=(0.22, 2.70, 0.20), at=(0.90, 0.0, 1.10), colour=GREEN)
    base.shape("box", size=(0.8, 0.9, 0.35), at=(0.0, 0.0, 1.25), colour=GREEN)
    base.shape("cylinder", size=(0.14, 1.5), at=(0.16, 0.0, 1.50), rpy=ACROSS, colour=DARK)  # slewing cylinders
    base.shape("cylinder", size=(0.14, 1.5), at=(-0.16, 0.0, 1.50), rpy=ACROSS, colour=DARK)
    base.shape("cylinder", size=(0.34, 0.14), at=(0.0, 0.0, 1.68), colour=STEEL)
    pillar.shape("cylinder", size=(0.19, 1.35), at=(-0.05, 0.0, 0.68), colour=GREEN)
    for y in (-0.17, 0.17):
        bar(pillar, (-0.05, 1.05), (-0.05, 1.50), 0.34, 0.05, GREEN, y)
        bar(pillar, (0.0, 0.15), (0.17, 0.115), 0.20, 0.05, GREEN, y)
    pillar.shape("cylinder", size=(0.06, 0.46), at=(-0.05, 0.0, 1.45), rpy=ACROSS, colour=STEEL)
    pillar.shape("box", size=(1.10, 0.84, 0.10), at=(-0.20, 0.80, 0.45), colour=DARK)
    pillar.shape("box", size=(1.05, 0.80, 0.45), at=(-0.20, 0.80, 0.72), colour=GREEN)
    pillar.shape("box", size=(1.00, 0.76, 0.95), at=(-0.20, 0.80, 1.40), colour=GLASS)
    pillar.shape("box", size=(1.10, 0.84, 0.08), at=(-0.20, 0.80, 1.91), colour=GREEN)


def _boom(m: Machine) -> None:
    """Boom, knuckle and telescope."""
    boom, jib = m["boom"], m["jib"]
    bar(boom, (-0.08, 0.0), (1.0, 0.06), 0.30, 0.22, GREEN)
    bar(boom, (0.9, 0.06), (3.2, 0.06), 0.34, 0.24, GREEN)
    bar(boom, (3.1, 0.05), (3.68, 0.0), 0.26, 0.22, GREEN)
    for y in (-0.10, 0.10):
        bar(boom, (0.38, -0.02), (0.54, -0.10), 0.20, 0.04, GREEN, y)
        bar(boom, (1.55, -0.10), (1.72, -0.30), 0.22, 0.04, GREEN, y)
    boom.shape("cylinder", size=(0.08, 0.34), at=(3.6, 0.0, 0.0), rpy=ACROSS, colour=STEEL)
    boom.shape("cylinder", size=(0.05, 0.42), at=(3.25, 0.0, -0.10), rpy=ACROSS, colour=STEEL)
    for y in (-0.16, 0.16):
        bar(m["rocker"], (0.0, 0.0), (0.48, 0.0), 0.12, 0.04, DARK, y, beyond=0.10)
        bar(m["knuckle_link"], (0.0, 0.0), (0.55, 0.0), 0.10, 0.04, STEEL, 0.70 * y, beyond=0.10)
    bar(jib, (-0.10, 0.0), (0.45, 0.02), 0.30, 0.18, GREEN)
    bar(jib, (0.40, 0.02), (2.50, 0.02), 0.28, 0.20, GREEN)
    bar(jib, (0.15, 0.20), (0.35, 0.22), 0.14, 0.06, GREEN)
    bar(m["extension_1"], (0.0, 0.0), (2.4, 0.0), 0.21, 0.15, STEEL)
    bar(m["extension_1"], (2.00, 0.08), (2.06, 0.24), 0.10, 0.06, GREEN)
    bar(m["extension_2"], (0.0, 0.0), (2.34, 0.0), 0.16, 0.11, STEEL)
    for y in (-0.07, 0.07):
        bar(m["extension_2"], (2.25, 0.0), (2.44, 0.0), 0.14, 0.03, GREEN, y)


def _tip(m: Machine) -> None:
    """Link, rotator and grapple frame."""
    m["link"].shape("box", size=(0.10, 0.09, 0.20), at=(0.0, 0.0, -0.08), colour=DARK)
    m["link"].shape("cylinder", size=(0.04, 0.22), rpy=ACROSS, colour=STEEL)
    rotator = m["rotator"]
    for x in (-0.07, 0.07):
        rotator.shape("box", size=(0.03, 0.12, 0.18), at=(x, 0.0, -0.05), colour=DARK)
    rotator.shape("cylinder", size=(0.13, 0.18), at=(0.0, 0.0, -0.19), colour=DARK)
    grapple = m["grapple"]
    grapple.shape("cylinder", size=(0.11, 0.06), at=(0.0, 0.0, -0.01), colour=STEEL)
    for x in (-0.20, 0.20):
        grapple.shape("box", size=(0.04, 0.86, 0.16), at=(x, 0.0, -0.26), colour=GREEN)
    grapple.shape("box", size=(0.44, 0.30, 0.08), at=(0.0, 0.0, -0.06), colour=GREEN)
    for x in (-0.17, 0.17):
        grapple.shape("box", size=(0.05, 0.24, 0.20), at=(x, 0.0, -0.14), colour=GREEN)
    for y in (-0.35, 0.35):
        grapple.shape("cylinder", size=(0.035, 0.46), at=(0.0, y, -0.30), rpy=(0.0, 0.5 * math.pi, 0.0), colour=STEEL)


def _grapple(m: Machine) -> None:
    """Arms as bent plates, two on each side, and the coupler."""
    for side, out in (("left", 1.0), ("right", -1.0)):
        arm = m[f"arm_{side}"]
        # (y, z) of their outline: ear, pin, belly, tip
        outline = ((0.055, 0.175), (0.0, 0.0), (0.17, -0.30), (0.14, -0.58), (-0.06, -0.80))
        for x in (-0.14, 0.14):
            for (y1, z1), (y2, z2) in pairwise(outline):
                turn = math.atan2(out * (y2 - y1), -(z2 - z1))
                length = math.hypot(y2 - y1, z2 - z1) + 0.05
                arm.shape(
                    "box", size=(0.05, 0.10, length), at=(x, 0.5 * out * (y1 + y2), 0.5 * (z1 + z2)),
                    rpy=(turn, 0.0, 0.0), colour=DARK,
                )  # fmt: skip
        arm.shape("box", size=(0.30, 0.06, 0.10), at=(0.0, -0.04 * out, -0.78), colour=STEEL)
    half = math.hypot(0.35, 0.12)
    m["coupler"].shape("box", size=(0.05, 2.0 * half, 0.05), at=(0.0, -half, 0.0), colour=STEEL)
