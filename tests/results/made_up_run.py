# SPDX-License-Identifier: BSD-3-Clause
"""A made-up run of a lifting boom with closed-form signals, for tests that need results but no engine."""

import numpy as np

from knuckleboom.names import Names
from knuckleboom.results import Results

META = {"machine": "lifting boom", "step": 0.001, "integrator": "rk4"}


def names() -> Names:
    """One signal of each kind: scalar, vector, quaternion, rows."""
    names = Names()
    names.add("foot.angle", "rad", "angle of joint foot", (1,))
    names.add("lift.a.pressure", "Pa", "pressure at port a of cylinder lift, absolute", (2,))
    names.add("lift.b.pressure", "Pa", "pressure at port b of cylinder lift, absolute", (3,))
    names.add("spool.PA.flow", "m^3/s", "flow from P to A", (4,))
    names.add("lift.length", "m", "pin-to-pin length of cylinder lift", (5,))
    names.add("boom.tip.position", "m", "position of point tip of body boom in the world", (6, 7, 8), "xyz")
    names.add("boom.orientation", "1", "orientation of body boom in the world, quaternion", (9, 10, 11, 12), "wxyz")
    names.add("pin.residual", "m", "gap of closing joint pin", (13, 14), "row")
    names.add("pin.multiplier", "N", "reaction of closing joint pin", (15, 16), "row")
    names.add("energy.kinetic", "J", "kinetic energy of all bodies", (17,))
    return names


def record(count: int = 101, end: float = 1.0) -> np.ndarray:
    """Rows at equal distances in time; the angle is sin t, the rest follows from it or is a polynomial of t."""
    t = np.linspace(0.0, end, count)
    angle = np.sin(t)
    rows = np.empty((count, 17 + 1))
    rows[:, 0] = t
    rows[:, 1] = angle
    rows[:, 2] = 76e5 + 1e5 * t
    rows[:, 3] = 40e5 - 1e5 * t
    rows[:, 4] = 1e-3 * t
    rows[:, 5] = 0.6 + 0.1 * t
    rows[:, 6:9] = np.column_stack((2.0 * np.cos(angle), 0.0 * t, 2.0 * np.sin(angle)))
    rows[:, 9:13] = np.column_stack((np.cos(angle / 2), 0.0 * t, np.sin(angle / 2), 0.0 * t))
    rows[:, 13:15] = 1e-9 * np.column_stack((t, -t))
    rows[:, 15:17] = 1e3 * np.column_stack((1.0 + t, 1.0 - t))
    rows[:, 17] = 50.0 * np.cos(t) ** 2
    return rows


def made_up_run() -> Results:
    """Results as the engine would hand them over."""
    return Results(names(), record(), META)
