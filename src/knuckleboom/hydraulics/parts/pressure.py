# SPDX-License-Identifier: BSD-3-Clause
"""Pressure source: fixes the pressure of its port; an ideal pump.

Port        one, with the part's name       States  none          Input  the part's name, Pa absolute
Power       supplies p·Q; takes any flow in either direction.
A port can have one pressure source; put a restrictor or a valve between two.
Validated by: validation/analytic/test_pressure_decay.py
"""

import math

from knuckleboom import quantities
from knuckleboom.describe import Net, OilName, Part, param
from knuckleboom.symbol import Symbol, circle, line, triangle


class Pressure(Part):
    """A port of given pressure."""

    PORTS = ("",)
    SYMBOL = Symbol(
        1.0, 1.25, {"": (0.5, 1.25)},
        circle(0.5, 0.5, 0.5) + triangle((0.5, 0.9), "up", 0.6) + line((0.5, 1.0), (0.5, 1.25)),
        datum="{value:bar} bar", level="bottom",
    )  # fmt: skip

    oil: OilName = param("oil of the circuit")
    value: quantities.Pressure = param("pressure; also an input of this name", least=0)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        value = net.input(self.value, unit="Pa", meaning="absolute pressure of the source", within=(0.0, math.inf))
        net.pressure(self.port(), value)
