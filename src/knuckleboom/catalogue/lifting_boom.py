# SPDX-License-Identifier: BSD-3-Clause
"""Lifting boom: a straight boom on a pin, with the places of one lift cylinder and the force that holds it up.

Axes: x forward, z up, the pin at the origin; it turns about −y, so that a positive angle lifts. The cylinder goes from
`foot` on the ground to `eye` on the boom. About the pin, with s = |eye − foot| and its lever h = ds/dφ:

    holding force = g·cos φ·(m·c + M·L)/h          m the boom, its centre at c on the boom's axis; M the load at its tip
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from knuckleboom.catalogue.solids import box
from knuckleboom.machine import Handle, Machine

GRAVITY = 9.81  # m/s²


@dataclass(frozen=True)
class LiftingBoom:
    """A boom and what it carries, in m, kg and rad; points are (x, z)."""

    length: float
    mass: float
    centre: float
    load: float
    foot: tuple[float, float]
    eye: tuple[float, float]
    angle: float
    thick: float = 0.2

    def add(self, m: Machine) -> Handle:
        """Add the boom on its pin, `pin`, and its places `boom.eye`, `boom.tip` and `ground.foot`; return the boom."""
        inertia = box(self.mass, (self.length, self.thick, self.thick))
        boom = m.body("boom", mass=self.mass, com=(self.centre, 0.0, 0.0), inertia=inertia)
        boom.point("eye", (self.eye[0], 0.0, self.eye[1]))
        boom.point("tip", (self.length, 0.0, 0.0))
        m.ground.point("foot", (self.foot[0], 0.0, self.foot[1]))
        m.revolute("pin", m.ground, boom, axis="-y", start=self.angle)
        boom.shape("box", size=(self.length, self.thick, self.thick), at=(0.5 * self.length, 0.0, 0.0))
        return boom

    def reach(self, angle: float) -> tuple[float, float]:
        """Pin-to-pin length of the cylinder at an angle [rad], m, and its lever, m."""
        c, s = math.cos(angle), math.sin(angle)
        x, z = c * self.eye[0] - s * self.eye[1], s * self.eye[0] + c * self.eye[1]
        along, up = x - self.foot[0], z - self.foot[1]
        length = math.hypot(along, up)
        return length, (x * up - z * along) / length

    def line(self, angle: float) -> tuple[float, float]:
        """Angle of the cylinder's line at an angle of the boom [rad], and its slope, dθ/dφ."""
        c, s = math.cos(angle), math.sin(angle)
        x, z = c * self.eye[0] - s * self.eye[1], s * self.eye[0] + c * self.eye[1]
        along, up = x - self.foot[0], z - self.foot[1]
        return math.atan2(up, along), (along * x + up * z) / (along**2 + up**2)

    @property
    def pins(self) -> float:
        """Pin-to-pin length at the start, m."""
        return self.reach(self.angle)[0]

    @property
    def holding_force(self) -> float:
        """Force of the cylinder that holds the boom in its start pose, N."""
        moment = GRAVITY * math.cos(self.angle) * (self.mass * self.centre + self.load * self.length)
        return moment / self.reach(self.angle)[1]
