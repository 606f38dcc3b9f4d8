# SPDX-License-Identifier: BSD-3-Clause
"""Shaft: an inertia that turns, apart from the bodies of the mechanism.

    J·ω̇ = Σ T                  T of all that is on it: engine, pumps, motors, springs, gears

Coordinate  angle, zero at the start, and speed ω; positive as its engine turns
Power       stores ½·J·ω²
It has no place in space: bearings carry no reaction, a carrier that turns feels no gyroscopic moment and no reaction
of the torques. That is what is left out where J·ω is small beside the momentum of the machine; a rotor for which it is
not is a body on a joint, and `shaft_of` puts pumps and motors on that joint.
Validated by: validation/analytic/test_shafts.py
"""

from knuckleboom.describe import param
from knuckleboom.mechanics.parts.shafting import Shafting
from knuckleboom.net import Scalar
from knuckleboom.quantities import AngularSpeed, Inertia


class Shaft(Shafting):
    """A shaft with an inertia of its own."""

    inertia: Inertia = param("of all that turns with it: flywheel, rotors of pumps, couplings", above=0)
    speed: AngularSpeed = param("speed at the start; default: 0, or that to which gears tie it", 0.0)

    def scalar_inertia(self) -> Scalar:
        return Scalar(self.inertia, rate=self.speed if "speed" in self.model_fields_set else None)
