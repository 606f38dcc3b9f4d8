# SPDX-License-Identifier: BSD-3-Clause
"""Mass of a whole machine at its start: how much, where its centre is, and its inertia about that centre.

    m = Σ m_i,   c = Σ m_i c_i/m,   I = Σ R_i I_i R_iᵀ + m_i (|d_i|² 1 − d_i d_iᵀ),   d_i = c_i − c

In world axes, loops closed; bodies with their point masses, payloads, and oil where a cylinder has `oil_mass`.
Tested in tests/analysis/test_mass.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.mechanics.parts import Body
from knuckleboom.mechanics.payload import MASS
from knuckleboom.plan import Planned
from knuckleboom.plan.topology import Inertia

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mass:
    """Mass [kg], centre of mass [m] and inertia about it [kg·m²], in world axes."""

    total: float
    centre: Array
    inertia: Array


def machine_mass(planned: Planned) -> Mass:
    """Mass, centre and inertia of all bodies together, with payloads and moving oil as they are now; fills Work."""
    planned.bias()  # fills where every link is
    motion, whole = planned.work.motion, Inertia()
    for body in planned.machine.of(Body):
        frame = planned.topology.bodies[body.name]
        own = frame.inertia
        R = motion.R_WL[frame.link].reshape(3, 3)
        origin = motion.p_WO + motion.p_OL[frame.link]
        # about the link's origin, in its axes: to the centre of mass, then into the world
        if own.mass == 0.0:
            continue  # an attachment without mass
        c = own.moment / own.mass
        about = own.inertia - own.mass * (c @ c * np.eye(3) - np.outer(c, c))
        whole.add(own.mass, origin + R @ c, R @ about @ R.T)
    payload = planned.work.payload
    for mass, (_, *numbers) in zip(payload.flow[:, MASS].tolist(), payload.unit, strict=True):
        c, (xx, yy, zz, xy, xz, yz) = np.array(numbers[:3]), numbers[3:]
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - (c @ c * np.eye(3) - np.outer(c, c))
        whole.add(mass, motion.p_WO + c, mass * about)
    c = whole.moment / whole.mass if whole.mass > 0.0 else np.zeros(3)
    inertia = whole.inertia - whole.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return Mass(whole.mass, np.asarray(c), np.asarray(inertia))
