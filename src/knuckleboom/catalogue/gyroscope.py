# SPDX-License-Identifier: BSD-3-Clause
"""Gyroscope: a heavy symmetric top on a ball joint, spinning fast with its axis level; it precesses and nutates.

Heavy top of [Bruls 2012], the usual test of integrators for rotations: a disc of 15 kg, moments of inertia
0.46875 kg·m² along and 0.234375 kg·m² across its axis, 1 m from the fixed point; gravity 9.81 m/s². The axis starts
along +y; spin 150 rad/s about it, and −4.61538 rad/s about the vertical; 2 s.

Axes: z up; the body's y is the top's axis. `top.centre` is the disc's centre. The motion has a closed form: the height
is an elliptic function of time [Goldstein 2002, section 5.7]. Once a swing the axis passes straight down, to within
1e-6 rad, where Euler angles fail. Validated by: validation/literature/test_gyroscope.py
"""

from __future__ import annotations

import math

from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

MASS, ARM = 15.0, 1.0  # kg, m
ALONG, ACROSS = 0.46875, 0.234375  # about the centre, kg·m²
SPIN, PRECESSION = 150.0, -4.61538  # at the start, rad/s


def gyroscope() -> Case:
    """Return the top with its axis level, spinning and precessing."""
    m = Machine("gyroscope")
    top = m.body("top", mass=MASS, com=(0.0, ARM, 0.0), inertia=(ACROSS, ALONG, ACROSS))
    top.point("centre", (0.0, ARM, 0.0))
    m.spherical("ball", m.ground, top, speed=(0.0, SPIN, PRECESSION))

    across = (math.radians(90.0), 0.0, 0.0)  # a cylinder's z along y
    radius = math.sqrt(2.0 * ALONG / MASS)  # of the uniform disc with this inertia
    top.shape("cylinder", size=(0.015, ARM), at=(0.0, 0.5 * ARM, 0.0), rpy=across, colour="grey")
    top.shape("cylinder", size=(radius, 0.04), at=(0.0, ARM, 0.0), rpy=across, colour="orange")
    top.shape("box", size=(2.0 * radius, 0.045, 0.03), at=(0.0, ARM, 0.0), colour="black")  # so that the spin shows
    m.ground.shape("cylinder", size=(0.03, 0.8), at=(0.0, 0.0, -0.4), colour="black")
    m.ground.shape("sphere", size=0.03, colour="black")
    m.cite = "bruls2012"
    return m.case(
        "precess",
        duration=2.0,
        step=1e-4,
        meaning="heavy top that spins at 150 rad/s with its axis level; no losses",
    )
