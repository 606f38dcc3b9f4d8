# SPDX-License-Identifier: BSD-3-Clause
"""Friction on one coordinate of a joint: smooth through zero speed, or with bristles that stick and slip.

    g(w) = coulomb + (breakaway − coulomb)·exp(−(w/stribeck_speed)²)         w is the rate of the coordinate
    smooth:    λ = −g(w)·tanh(w/speed) − viscous·w
    bristles:  λ = −(σ₀·z + σ₁·exp(−(w/stribeck_speed)²)·ż + viscous·w),   ż = w − hold·σ₀·|w|·z/g(w)
                                                                               [Canudas de Wit 1995], hold: laws/hold.py

Rows        one coordinate row              States  the bend z of the bristles, with bristle_stiffness
Power       dissipates; bristles store ½·σ₀·z².
Validated by: validation/analytic/test_joint_friction.py, test_bristle.py, test_bristle_hold.py
Smooth friction creeps under a force below `coulomb`: it does not hold. A smaller `speed` creeps less and needs a
smaller step. With `bristle_stiffness` σ₀ (σ₁ is bristle_damping) it holds any force up to `breakaway`, and one that
swings up to 0.9 of it, while bristles move slower than hold_speed; at hold_speed 0 (LuGre as published) it walks under
any that swings. Default of hold_speed: breakaway/σ₀ in 10 ms, at most stribeck_speed. Without bristle_damping a load
that is let go oscillates on its bristles and walks by it.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, JointName, Net, Part, param
from knuckleboom.interface.parts.rubbing import rub, rubbing_faults
from knuckleboom.quantities import CoordinateDamping, CoordinateEffort, CoordinateRate, CoordinateStiffness, Index


class JointFriction(Part):
    """Dry and viscous friction in a joint."""

    joint: JointName = param("the joint")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    coulomb: CoordinateEffort = param("dry friction torque or force", least=0)
    viscous: CoordinateDamping = param("friction per rate", 0.0, least=0)
    speed: CoordinateRate = param("rate at which tanh takes dry friction to 76 %", 0.01, above=0)
    breakaway: CoordinateEffort | None = param("largest dry friction at rest; default: coulomb", None, least=0)
    stribeck_speed: CoordinateRate = param("rate by which friction falls from breakaway to coulomb", 0.02, above=0)
    bristle_stiffness: CoordinateStiffness | None = param(
        "stiffness while it sticks (LuGre); none: smooth", None, above=0
    )
    bristle_damping: CoordinateDamping = param("damping while it sticks", 0.0, least=0)
    hold_speed: CoordinateRate | None = param(
        "rate below which bristles do not slip before 0.9 of breakaway; 0: LuGre as published", None, least=0
    )

    def faults(self) -> Iterator[Fault]:
        yield from rubbing_faults(self, "speed")

    def expand(self, net: Net) -> None:
        rub(net, net.coordinate(self.joint, self.coordinate), self, self.speed)
