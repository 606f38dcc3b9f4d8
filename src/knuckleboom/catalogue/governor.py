# SPDX-License-Identifier: BSD-3-Clause
"""Flyball governor: two rods with balls on a turning shaft, held to a slider by stiff spring-dampers.

IFToMM multibody benchmark A05, the stiff flyball governor [Gonzalez 2006]; Watt's governor with the coupler rods
replaced by spring-dampers. Numbers as in the benchmark:

    shaft, rods     1 × 0.01 × 0.01 m, 3000 kg/m³: 0.3 kg each      balls   5 kg, points at the rods' ends
    slider          cube of 0.1 m, 3000 kg/m³: 3 kg, on the shaft, starts s = 0.5 m above the shaft's foot
    rods            hinged at the shaft's top, 0.05 m from its axis, start α = 30° below the horizontal
    spring-dampers  8e5 N/m, 4e4 N·s/m, 0.5 m at rest, from the slider's sides to the rods' middles
    start           shaft 2π rad/s, the rest at rest; gravity 9.81 m/s²; 10 s

Axes: z up along the shaft, rods in the shaft's x-z plane, hinged about +y and −y so that both angles count from the
horizontal, positive downwards. The benchmark compares s, here `slide.travel` (from the shaft's foot).

The dampers are stiff for an explicit method: their fastest rate, 8.1e3 1/s, bounds RK4's step at 0.34 ms. Energy is
not constant, but energy and what the dampers took are. Validated by: validation/literature/test_governor.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.solids import box
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

DENSITY, LENGTH, THICK, SIDE = 3000.0, 1.0, 0.01, 0.1  # kg/m³, m
BALL = 5.0  # kg
STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5  # N/m, N·s/m, m
HEIGHT, ANGLE, SPEED = 0.5, math.radians(30.0), 2.0 * math.pi  # s, m; α; rad/s
ROD_MASS, SLIDER_MASS = DENSITY * LENGTH * THICK**2, DENSITY * SIDE**3


def governor() -> Case:
    """Return the governor at its start, turning."""
    m = Machine("governor")
    middle = (0.0, 0.0, 0.5 * LENGTH)
    shaft = m.body("shaft", mass=ROD_MASS, com=middle, inertia=box(ROD_MASS, (THICK, THICK, LENGTH)))
    slider = m.body("slider", mass=SLIDER_MASS, inertia=box(SLIDER_MASS, (SIDE, SIDE, SIDE)))
    m.revolute("spin", m.ground, shaft, axis="z", speed=SPEED)
    m.prismatic("slide", shaft, slider, axis="z", start=HEIGHT)
    shaft.shape("cylinder", size=(THICK, LENGTH), at=middle, colour="grey")
    shaft.shape("box", size=(SIDE, 0.5 * SIDE, 0.5 * SIDE), at=(0.0, 0.0, LENGTH), colour="grey")
    slider.shape("box", size=(SIDE, SIDE, SIDE), colour="steelblue")

    for side, out, axis in (("right", 1.0, "y"), ("left", -1.0, "-y")):
        centre = (0.5 * out * LENGTH, 0.0, 0.0)
        rod = m.body(f"{side}_rod", mass=ROD_MASS, com=centre, inertia=box(ROD_MASS, (LENGTH, THICK, THICK)))
        rod.point_mass("ball", BALL, (out * LENGTH, 0.0, 0.0))
        m.revolute(f"{side}_hinge", shaft.at(0.5 * out * SIDE, 0.0, LENGTH), rod, axis=axis, start=ANGLE)
        m.spring(
            f"{side}_spring", slider.at(0.5 * out * SIDE, 0.0, 0.0), rod.at(centre), stiffness=STIFFNESS, rest=REST,
            damping=DAMPING,
        )  # fmt: skip
        rod.shape("box", size=(LENGTH, 2.0 * THICK, 2.0 * THICK), at=centre, colour="orange")
        rod.shape("sphere", size=0.07, at=(out * LENGTH, 0.0, 0.0), colour="black")
    m.cite = "gonzalez2006"
    return m.case(
        "published",
        duration=10.0,
        step=1e-4,
        meaning="stiff flyball governor whose balls swing out, IFToMM benchmark A05",
    )
