# SPDX-License-Identifier: BSD-3-Clause
"""Comb: a machine of any number of bodies and always the same depth, to see how cost grows with size.

A free base carries arms side by side. An arm is a link on a hinge, and a barrel and a rod that are pinned to it: three
bodies, one loop of 2 equations. Where three do not fit any more, single links fill up.
"""

from __future__ import annotations

import math

from knuckleboom.machine import Machine

PITCH = 0.5  # m between arms
CLOSED = 0.6  # m, pin to pin of a retracted cylinder


def comb(bodies: int) -> Machine:
    """Return a comb of exactly so many bodies."""
    m = Machine(f"comb-{bodies}")
    base = m.body("base", mass=1000.0, inertia=(100.0, 100.0, 100.0))
    m.free("float", m.ground, base)
    arms, single = divmod(bodies - 1, 3)
    for number in range(arms + single):
        angle = 0.3 + 0.1 * math.sin(number)  # no two arms alike
        link = m.body(f"link_{number}", mass=20.0, com=(0.5, 0.0, 0.0), inertia=(0.1, 2.0, 2.0))
        m.revolute(f"hinge_{number}", base.at(0.0, PITCH * number, 0.0), link, axis="-y", start=angle)
        if number >= arms:
            continue

        # the cylinder stands 0.4 m below the hinge and ends 0.7 m along the link
        line = (0.7 * math.cos(angle), 0.7 * math.sin(angle) + 0.4)
        foot = base.at(0.0, PITCH * number, -0.4)
        barrel = m.body(f"barrel_{number}", mass=5.0, com=(0.3, 0.0, 0.0), inertia=(0.01, 0.2, 0.2))
        m.revolute(f"foot_{number}", foot, barrel, axis="-y", start=math.atan2(line[1], line[0]))
        rod = m.body(f"rod_{number}", mass=3.0, com=(0.3, 0.0, 0.0), inertia=(0.01, 0.1, 0.1))
        m.prismatic(f"stroke_{number}", barrel, rod, axis="x", start=math.hypot(*line) - CLOSED)
        m.revolute(f"pin_{number}", rod.at(CLOSED, 0.0, 0.0), link.at(0.7, 0.0, 0.0), axis="-y", cut=True)
    return m
