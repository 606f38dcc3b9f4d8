# SPDX-License-Identifier: BSD-3-Clause
"""Where a machine begins that stands on points of one body, each pressed into level ground by stiffness·depth.

    Σ k·d = W     Σ k·d·(p − c) = 0 along both level axes     height, roll and pitch of the body, d = −z of each point

c is the centre of all mass in the start pose, k alike at all points. Build bodies and joints first, with the body on a
free joint that starts at zero, level; friction of the ground has nothing to do then. A frame that is to start level
is held by loads N_i, so that each support may be as stiff or as low as its load wants it:

    N_i = a + b·(x_i − c_x) + c·(y_i − c_y),   Σ N_i = W,   Σ N_i·(p_i − c) = 0

Validated by: validation/analytic/test_excavator.py, test_mobile_crane.py, test_harvester_30.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.machine import Machine

EXACT = 1e-12
"""Relative error of the three unknowns."""


def weight(m: Machine) -> float:
    """Weight of a machine, N."""
    return -StartPose(m).weight()[0] * m.gravity[2]


def frame_loads(pose: StartPose, places: Sequence[tuple[float, float]]) -> list[float]:
    """Loads of supports at level places, N, m, that carry a machine in a pose as equal springs carry a rigid frame."""
    mass, centre = pose.weight()
    around = np.array([[1.0, x - centre[0], y - centre[1]] for x, y in places])
    loads = around @ np.linalg.solve(around.T @ around, [-mass * pose.machine.gravity[2], 0.0, 0.0])
    return [float(load) for load in loads]


def rest(m: Machine, joint: str, points: Sequence[Sequence[float]], stiffness: float) -> None:
    """Give a free joint the start at which the machine is at rest on points of its body (m), stiffness in N/m."""
    from scipy.optimize import fsolve
    from scipy.spatial.transform import Rotation

    mass, centre = StartPose(m).weight()
    pull, feet = -mass * m.gravity[2], np.array(points)

    def missing(unknown: np.ndarray) -> np.ndarray:
        height, roll, pitch = unknown
        R = Rotation.from_rotvec((roll, pitch, 0.0)).as_matrix()
        loads = -stiffness * (height + feet @ R[2]) / pull
        return np.array([loads.sum() - 1.0, *(loads @ (feet - centre) @ R[:2].T)])

    # sunk in level it carries the weight
    level = -pull / (stiffness * len(feet)) - feet[:, 2].mean()
    height, roll, pitch = fsolve(missing, (level, 0.0, 0.0), xtol=EXACT).tolist()
    m[joint].start = (0.0, 0.0, height, roll, pitch, 0.0)
