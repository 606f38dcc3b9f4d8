# SPDX-License-Identifier: BSD-3-Clause
"""A cylinder that carries a load at rest: its areas, and the pressures of its chambers.

(p_a − p_0)·A_a − (p_b − p_0)·A_b = F              p_0 ambient, F the force that it gives, without friction

Validated by: validation/analytic/test_mobile_crane.py, test_concrete_sprayer.py
"""

from __future__ import annotations

import math

AMBIENT = 101325.0  # Pa


def areas(bore: float, rod: float) -> tuple[float, float]:
    """Areas of the bore and the rod side, m², of diameters in m."""
    return 0.25 * math.pi * bore**2, 0.25 * math.pi * (bore**2 - rod**2)


def bore_pressure(force: float, bore: float, rod: float, back: float) -> float:
    """Pressure of the bore side that gives a force [N] against the pressure `back` of the rod side, Pa absolute."""
    area_a, area_b = areas(bore, rod)
    return AMBIENT + (force + area_b * (back - AMBIENT)) / area_a


def holding_pressures(force: float, bore: float, rod: float, back: float) -> tuple[float, float]:
    """Pressures of both sides that give a force [N], the side that does not carry it being at `back`, Pa absolute."""
    area_a, area_b = areas(bore, rod)
    rest = (area_a - area_b) * (back - AMBIENT)  # what both sides give at the same pressure
    if force >= rest:
        return bore_pressure(force, bore, rod, back), back
    return back, AMBIENT + (area_a * (back - AMBIENT) - force) / area_b
