# SPDX-License-Identifier: BSD-3-Clause
"""Four-bar: a crank that turns fully, a coupler and a rocker, under gravity.

A crank-rocker of our own, the plainest closed loop: ground 0.50 m, crank 0.20 m, coupler 0.55 m, rocker 0.40 m;
Grashof: 0.20 + 0.55 < 0.50 + 0.40, so the crank, the shortest bar, turns fully. Uniform slender bars of 2, 1.5 and
1.2 kg. The crank starts 0.3 rad above the ground line at 20 rad/s and never stops.

Axes: x along the ground line, z up; hinges turn about −y, so that a positive angle lifts. Bars lie along their x-axis;
the coupler starts at the crank's end. The pin between coupler and rocker (`tip`) is the cut joint: 3 coordinates, 2
loop equations. The start angles are exact: the triangle coupler - rocker - diagonal by the law of cosines.

No losses: energy is constant, and t = ∫ dθ/θ̇(θ) is the exact solution. Validated by:
validation/analytic/test_library_four_bar.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.solids import slender
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

GROUND, CRANK, COUPLER, ROCKER = 0.50, 0.20, 0.55, 0.40  # m, pin to pin
CRANK_MASS, COUPLER_MASS, ROCKER_MASS = 2.0, 1.5, 1.2  # kg
START, SPEED = 0.3, 20.0  # of the crank, rad and rad/s
THICK = 0.03  # m, for the eye only


def closed(crank: float) -> tuple[float, float]:
    """Angles of coupler and rocker against the ground line at a crank angle, rad; the coupler's far end is above."""
    along, up = GROUND - CRANK * math.cos(crank), -CRANK * math.sin(crank)
    diagonal = math.hypot(along, up)
    opening = math.acos((COUPLER**2 + diagonal**2 - ROCKER**2) / (2.0 * COUPLER * diagonal))
    coupler = math.atan2(up, along) + opening
    end = CRANK * math.cos(crank) + COUPLER * math.cos(coupler), CRANK * math.sin(crank) + COUPLER * math.sin(coupler)
    return coupler, math.atan2(end[1], end[0] - GROUND)


def four_bar() -> Case:
    """Return the four-bar with its crank thrown; the other start speeds follow from the loop."""
    m = Machine("four-bar")
    coupler_angle, rocker_angle = closed(START)
    crank = _bar(m, "crank", CRANK_MASS, CRANK, "orange")
    coupler = _bar(m, "coupler", COUPLER_MASS, COUPLER, "grey")
    rocker = _bar(m, "rocker", ROCKER_MASS, ROCKER, "steelblue")
    m.revolute("main", m.ground, crank, axis="-y", start=START, speed=SPEED)
    m.revolute("knee", crank.at(CRANK, 0.0, 0.0), coupler, axis="-y", start=coupler_angle - START)
    m.revolute("foot", m.ground.at(GROUND, 0.0, 0.0), rocker, axis="-y", start=rocker_angle)
    m.revolute("tip", coupler.at(COUPLER, 0.0, 0.0), rocker.at(ROCKER, 0.0, 0.0), axis="-y", cut=True)
    return m.case(
        "swing",
        duration=2.0,
        step=2e-4,
        meaning="crank-rocker under gravity, thrown at 20 rad/s; no losses",
    )


def _bar(m: Machine, name: str, mass: float, length: float, colour: str) -> Handle:
    """A uniform slender bar along x from its first pin."""
    bar = m.body(name, mass=mass, com=(0.5 * length, 0.0, 0.0), inertia=slender(mass, length))
    bar.point("end", (length, 0.0, 0.0))
    bar.shape("box", size=(length, THICK, THICK), at=(0.5 * length, 0.0, 0.0), colour=colour)
    for at in (0.0, length):
        pin = (math.radians(90.0), 0.0, 0.0)  # the cylinder's z across the plane
        bar.shape("cylinder", size=(0.7 * THICK, 1.5 * THICK), at=(at, 0.0, 0.0), rpy=pin, colour="black")
    return bar
