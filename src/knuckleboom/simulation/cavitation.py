# SPDX-License-Identifier: BSD-3-Clause
"""Cavitation in a run: which volumes cavitated, how long and how often, from the record.

Cavitation itself is in the law of the oil; here it is only counted. Oil counts as cavitated while its pressure is below
`cavitates_below` of its fluid (hydraulics/parts/fluids.py): half way from vapour pressure to ambient, or where the law
bends if that is lower; for oil with air half way to its reference pressure. Laws without cavitation count where the
pressure is negative, and then the run is to be doubted. Between two records the pressure is taken as straight, so that
what is shorter than the time between records may be missed. Tested in tests/simulate/test_cavitation.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.names import Names
from knuckleboom.plan import Planned

Array = NDArray[np.float64]


def torn_volumes(planned: Planned, names: Names, record: Array) -> dict[str, dict[str, float]]:
    """Return, for every port whose oil cavitated: time and since when [s], episodes, lowest [Pa], when [s], limit."""
    found = {}
    for node in planned.layout.nodes[: planned.layout.nvolume]:
        path, oil = f"{node.port}.pressure", planned.machine.parts[node.oil]
        if node.gas is not None or path not in names or not isinstance(oil, Oil):
            continue
        limit = oil.fluid.cavitates_below(planned.machine.ambient)
        torn = count(record[:, 0], record[:, names[path].columns[0]], limit)
        if torn:
            found[node.port] = torn
    return found


def count(time: Array, pressure: Array, limit: float) -> dict[str, float]:
    """Return how long and how often a pressure was below a limit; nothing when it never was."""
    below = pressure < limit
    if not below.any():
        return {}
    above = pressure - limit
    # the part of each interval in which the straight line between its ends is below
    deep, size = np.maximum(-above, 0.0), np.abs(above)
    whole = size[1:] + size[:-1]
    part = np.divide(deep[1:] + deep[:-1], whole, out=np.zeros_like(whole), where=whole > 0.0)
    lowest = int(np.argmin(pressure))
    return {
        "time": float(np.sum(part * np.diff(time))),
        "first": float(time[int(np.argmax(below))]),
        "episodes": int(below[0]) + int(np.count_nonzero(below[1:] & ~below[:-1])),
        "lowest": float(pressure[lowest]),
        "at": float(time[lowest]),
        "below": limit,
    }
