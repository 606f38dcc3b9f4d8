# SPDX-License-Identifier: BSD-3-Clause
"""Fixed pump: a displacement at a given speed, with volumetric and mechanical loss.

    Q = D·n − leakage,   torque = D·Δp + C·D·|Δp| + c·n,   power = torque·n,   Δp = p_b − p_a         losses: pumping.py

Ports       none of its own; a (often a tank) and b name ports of others          Sign  Q > 0 flows from a to b
Branches    `<name>.leak`, from b back to a; with a speed also the displacement, `<name>.flow`: on a shaft a reading
States      none                            Input  `<name>.speed`, rad/s, unless it is on a shaft
Readings    shaft_power, torque; with a speed and friction also friction_power
Power       supplies (p_b − p_a)·Q, on a shaft takes it from there; leakage dissipates, on a shaft also friction
Validated by: validation/analytic/test_pumps.py              ISO 1219: a circle with a filled triangle that points out
Nothing limits the pressure: put a relief valve beside it.
"""

from knuckleboom.describe import Net
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.symbol import pump


class Pump(Pumping):
    """A pump of fixed displacement."""

    SYMBOL = pump(datum="{displacement:cm3/rev} cm³/rev")

    def expand(self, net: Net) -> None:
        self.pump(net, None)
