# SPDX-License-Identifier: BSD-3-Clause
"""Bricard's mechanism: five rods and the ground, six hinges, each perpendicular to its neighbours; overconstrained.

IFToMM multibody benchmark A04 [Gonzalez 2006]: rods 1 m, 1 kg, square section 0.1 m, gravity 9.81 m/s², at rest at the
start, 10 s. By Grübler's count it has no degree of freedom, yet it moves: of the 5 equations of the cut hinge on 5
coordinates one is redundant at every pose, and not always the same one. Its run is `augmented`: with `lagrange` and the
sparse factorisation it breaks down at 1.25 s (dense: not), see the test.

At the start the rods lie along six edges of a cube, the sixth being the ground. In the benchmark's axes (y up) P0(0, 0,
0), P1(1, 0, 0), P2(1, −1, 0), P3(1, −1, 1), P4(0, −1, 1), P5(0, 0, 1), and the hinges at P0 … P5 turn about y, z, x, y,
z, x. Ours: z up, the benchmark's (x, y, z) is our (x, −z, y). Rods have world axes at the start, so that all joint
coordinates are zero there; each has its origin at P(k−1). The benchmark compares P3, here `rod_3.P3`.

It has a closed form: alternate hinges turn alike, by θ and φ with cos(θ/2)·cos(φ/2) = ½, both 90° at the start.
Validated by: validation/literature/test_bricard.py
"""

from __future__ import annotations

from knuckleboom.catalogue.solids import box
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

LENGTH, MASS, SECTION = 1.0, 1.0, 0.1  # m, kg, m
RODS = ((1, 0, 0), (0, 0, -1), (0, -1, 0), (-1, 0, 0), (0, 0, 1))  # directions P(k−1) → P(k) at the start
HINGES = ("z", "y", "x", "z", "y", "x")  # axes at the start
LAST = (0.0, -LENGTH, 0.0)  # P5, on the ground
COLOURS = ("orange", "steelblue", "green", "brown", "grey")


def bricard() -> Case:
    """Return the mechanism at rest along six edges of a cube."""
    m = Machine("bricard")
    place = m.ground.at(0.0, 0.0, 0.0)
    for number, (direction, axis, colour) in enumerate(zip(RODS, HINGES, COLOURS, strict=False), start=1):
        x, y, z = (LENGTH * part for part in direction)
        size = (abs(x) or SECTION, abs(y) or SECTION, abs(z) or SECTION)
        middle = (0.5 * x, 0.5 * y, 0.5 * z)
        rod = m.body(f"rod_{number}", mass=MASS, com=middle, inertia=box(MASS, size))
        rod.shape("box", size=size, at=middle, colour=colour)
        m.revolute(f"hinge_{number - 1}", place, rod, axis=axis)
        place = rod.point(f"P{number}", (x, y, z))
    m.revolute("hinge_5", place, m.ground.at(LAST), axis=HINGES[5], cut=True)
    m.ground.shape("box", size=(0.04, LENGTH, 0.04), at=(0.0, -0.5 * LENGTH, 0.0), colour="black")
    m.cite = "gonzalez2006"
    return m.case(
        "published",
        duration=10.0,
        step=1e-3,
        meaning="overconstrained loop of six hinges that falls from a cube, IFToMM benchmark A04; no losses",
        method={"enforcement": "augmented"},
    )
