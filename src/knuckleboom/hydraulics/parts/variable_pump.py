# SPDX-License-Identifier: BSD-3-Clause
"""Variable pump: a pump whose displacement follows a setting, with a lag.

    Q = D·x·n − leakage,   τ·ẋ = u − x                                          losses and torque: pumping.py

Ports       none of its own; a (often a tank) and b name ports of others          Sign  Q > 0 flows from a to b
Branches    `<name>.leak`, from b back to a; with a speed also the displacement, `<name>.flow`: on a shaft a reading
States      swash, when time_constant > 0   Inputs  the part's name, the setting −1..1; `<name>.speed` unless on a shaft
Readings    shaft_power, torque; with a speed and friction also friction_power
Power       supplies (p_b − p_a)·Q, on a shaft takes it from there; leakage dissipates, on a shaft also friction
Validated by: validation/analytic/test_pumps.py              ISO 1219: a pump with an arrow across it
The setting is not held within a range: a negative one pumps from b to a.
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.quantities import Number, Time
from knuckleboom.symbol import pump


class VariablePump(Pumping):
    """A pump of variable displacement."""

    SYMBOL = pump(adjustable=True, datum="{displacement:cm3/rev} cm³/rev")

    setting: Number = param("share of the displacement; also an input of the part's name", 1.0, least=-1, most=1)
    time_constant: Time = param("lag of the displacement behind the setting; 0: it follows at once", "50 ms", least=0)

    def expand(self, net: Net) -> None:
        wanted = net.input(self.setting, unit="1", meaning="setting of the displacement, -1..1", within=(-1.0, 1.0))
        self.pump(net, net.spool(wanted, self.time_constant, name="swash"))
