# SPDX-License-Identifier: BSD-3-Clause
"""Chain: a pendulum of any number of bodies, one behind the other on pins: as deep as it is large.

Bars of 1 m and 1 kg hang from the ground, each turned a little against the one above, no two alike, so that everything
moves at once.
"""

from __future__ import annotations

import math

from knuckleboom.machine import Machine

LENGTH, MASS = 1.0, 1.0  # m, kg of a bar
INERTIA = (0.01, 0.09, 0.09)  # kg m² about its centre; a bar without thickness could not be on its own


def chain(bodies: int) -> Machine:
    """Return a chain of exactly so many bodies; bars lie along their x-axis, which points down at angle zero."""
    m = Machine(f"chain-{bodies}")
    above = m.ground.at((0.0, 0.0, 0.0), rpy=(0.0, math.radians(90.0), 0.0))
    for number in range(bodies):
        bar = m.body(f"bar_{number}", mass=MASS, com=(0.5 * LENGTH, 0.0, 0.0), inertia=INERTIA)
        m.revolute(f"pin_{number}", above, bar, axis="y", start=0.1 * math.sin(1.0 + number))
        above = bar.at(LENGTH, 0.0, 0.0)
    return m
