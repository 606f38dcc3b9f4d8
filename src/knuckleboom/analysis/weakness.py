# SPDX-License-Identifier: BSD-3-Clause
"""Whether an actuator is too weak, whatever valves do: the pressure it needs beside the highest it can get.

    p_needed = p_ambient + (|F| − F_s + A_other (p_other − p_ambient))/A        p_other: ambient; F_s: static friction

The highest pressure is that of actuators.py, with the override of the valve that limits it. Where nothing limits the
pressure, or no source or only a tank feeds the chamber, nothing is claimed. Tested in tests/analysis/test_unheld.py.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from knuckleboom.analysis.actuators import highest_pressures
from knuckleboom.analysis.resting_oil import Standing
from knuckleboom.hydraulics.parts import Tank

CERTAIN = 1e-6  # of a pressure: what rounding may do


class Weakness(NamedTuple):
    """A chamber that cannot have its pressure: row, port, needed and highest pressure in Pa, who limits it."""

    place: int
    port: str
    needed: float
    highest: float
    limited_by: str


def weakness(standing: Standing, group: int) -> Weakness | None:
    """The weakness of a group that is one row; None where it is strong enough, or where that is not certain."""
    (places,) = np.nonzero(standing.groups[group])
    if len(places) != 1:
        return None
    place = int(places[0])
    force, layout = float(standing.needed[place]), standing.layout
    own = layout.rows[int(standing.rows[place])]
    pushing = [(chamber.port, abs(float(standing.work.oil.area[i]))) for i, chamber in enumerate(layout.chambers)
               if chamber.row is own and chamber.area * force > 0.0]  # fmt: skip
    if len(pushing) != 1:
        return None
    (port, area), ambient = pushing[0], float(standing.plan.oil.ambient[0])
    friction = sum(one.breakaway for one in standing.bristles if one.place == place)
    needed = ambient + max(abs(force) - friction, 0.0) / area
    planned = standing.mechanism.planned
    above, by = highest_pressures(planned).get(port, (math.inf, ""))
    if not math.isfinite(above) or isinstance(planned.machine.parts.get(by), Tank):
        return None
    tanks = [part.pressure for part in planned.machine.parts.values() if isinstance(part, Tank)]
    highest = max([ambient, *tanks]) + above + float(getattr(planned.machine.parts.get(by), "override", 0.0) or 0.0)
    if needed <= highest * (1.0 + CERTAIN):
        return None
    return Weakness(place, port, needed, highest, by)
