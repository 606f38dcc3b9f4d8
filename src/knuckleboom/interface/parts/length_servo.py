# SPDX-License-Identifier: BSD-3-Clause
"""Speed servo between two places: their distance is driven at a speed, an input, by the force that this takes.

    λ = gain·(value − ṡ)                        s = |p_b − p_a|; λ > 0 presses the places apart

Rows        one length row                  States  none          Input  the part's name, m/s
Power       brings λ·ṡ, counted as applied work. Singular when both places coincide.
Limits      the speed is held up to load/gain, whatever force that takes. At rest it has none, so that kb.equilibrium
            lets the places go. A stiff gain needs coupling realtime or unified: explicit steps must be shorter than
            2·mass/gain. A force that is read while the speed changes is gain times the speed error then, far
            above its mean over a step: take the change of `work` instead. A driver has its motion exactly, but as a
            function of time.
Validated by: validation/analytic/test_servo.py
"""

from knuckleboom.describe import Net, Part, Place, param
from knuckleboom.quantities import Damping, Speed


class LengthServo(Part):
    """A speed that the distance of two places is driven at."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    gain: Damping = param("force per speed that lacks", above=0)
    value: Speed = param("speed at which they part; also an input of this name", 0.0)

    def expand(self, net: Net) -> None:
        row = net.length(self.a, self.b)
        net.servo(row, net.input(self.value, unit=net.rate_unit(row), meaning="set speed"), self.gain)
