# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank in space: the crank turns about x, the slider slides along x, the connecting rod lies aslant.

Spatial rigid slider-crank of the IFToMM multibody benchmark library [Masoudi 2013], after [Haug 1989]:

    crank      0.08 m from A(0, 0.1, 0.12), 0.12 kg, 1e-4 kg·m² about x at its middle, turns about x
    rod        0.3 m, 0.5 kg, 4e-4 kg·m² along and 4e-3 kg·m² across, at its middle
    slider     2 kg, on the x-axis
    joints     crank - rod a ball; rod - slider a cross whose axis on the slider is x
    gravity    9.81 m/s² along −z; start: crank straight up, 6 rad/s, slider at x = 0.2; 5 s

The cross's other axis is fixed in the rod and perpendicular to it and to x; it decides how the rod spins about itself.
The solutions submitted to the library disagree about which axis of the rod has the small inertia: at 5 s they have the
slider at 0.2408 m (small along the rod, as for any real rod: ours) or at 0.2610 m (small about the third axis, and
4e-3 along the rod: `slider_crank(rod_inertia=SUBMITTED)`). Both are reproduced by the validation.

The ball is the cut joint: 4 coordinates, 3 loop equations, 1 degree of freedom.
Validated by: validation/literature/test_slider_crank.py
"""

from __future__ import annotations

import math

from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

CRANK, ROD = 0.08, 0.30  # m
CENTRE = (0.0, 0.10, 0.12)  # A, m
CRANK_MASS, ROD_MASS, SLIDER_MASS = 0.12, 0.5, 2.0  # kg
CRANK_INERTIA = (1e-4, 1e-4, 1e-5)  # kg·m²; only the first has an effect
ROD_INERTIA = (4e-4, 4e-3, 4e-3)  # along the rod, about the cross's axis in the rod, about the third
SUBMITTED = (4e-3, 4e-3, 4e-4)
SLIDER_INERTIA = (1e-4, 1e-4, 1e-4)  # it does not turn
SPEED = 6.0  # rad/s


def slider_crank(rod_inertia: tuple[float, float, float] = ROD_INERTIA) -> Case:
    """Return the mechanism with its crank straight up and turning."""
    m = Machine("slider-crank")
    end = (CENTRE[0], CENTRE[1], CENTRE[2] + CRANK)
    reach = math.sqrt(ROD**2 - end[1] ** 2 - end[2] ** 2)

    crank = m.body("crank", mass=CRANK_MASS, com=(0.0, 0.0, 0.5 * CRANK), inertia=CRANK_INERTIA)
    rod = m.body("rod", mass=ROD_MASS, com=(-0.5 * ROD, 0.0, 0.0), inertia=rod_inertia)
    slider = m.body("slider", mass=SLIDER_MASS, inertia=SLIDER_INERTIA)
    m.revolute("main", m.ground.at(CENTRE), crank, axis="x", start=0.0, speed=SPEED)
    m.prismatic("slide", m.ground, slider, axis="x", start=reach)

    # the rod lies along its x-axis and ends at the slider: turned about x until its y is across, then about that y
    turned = math.atan2(-end[1], end[2])
    tilt = math.atan2(math.hypot(end[1], end[2]), reach)
    m.universal("cross", slider, rod, axis="x", second_axis="y", start=(turned, tilt))
    m.spherical("ball", crank.at(0.0, 0.0, CRANK), rod.at(-ROD, 0.0, 0.0), cut=True)

    upright = (0.0, math.radians(90.0), 0.0)  # a cylinder's z along x
    crank.shape("box", size=(0.01, 0.015, CRANK), at=(0.0, 0.0, 0.5 * CRANK), colour="orange")
    crank.shape("cylinder", size=(0.012, 0.03), rpy=upright, colour="black")
    crank.shape("sphere", size=0.011, at=(0.0, 0.0, CRANK), colour="black")
    rod.shape("box", size=(ROD, 0.012, 0.012), at=(-0.5 * ROD, 0.0, 0.0), colour="grey")
    slider.shape("box", size=(0.05, 0.03, 0.03), colour="steelblue")
    m.ground.shape("box", size=(0.35, 0.04, 0.006), at=(0.2, 0.0, -0.02), colour="black")
    m.cite = "masoudi2013"
    return m.case(
        "turn",
        duration=5.0,
        step=5e-4,
        meaning="slider-crank in space of the IFToMM benchmark library, thrown at 6 rad/s; no losses",
    )
