# SPDX-License-Identifier: BSD-3-Clause
"""Pressure sensor: reads the absolute pressure of a port, at once or with a lag.

    τ·ẏ = p − y                                 y is `<name>.pressure`; with time_constant 0, y = p

Ports       none of its own; `at` names a port of another           States  its reading, when time_constant > 0
Power       none: no oil flows into it.
Validated by: validation/analytic/test_sensors.py           ISO 1219: a circle with a pointer
"""

from knuckleboom.describe import Net, Part, Port, param
from knuckleboom.quantities import Time
from knuckleboom.symbol import Symbol, arrow, circle, line, pilot


class PressureSensor(Part):
    """A pressure sensor."""

    SYMBOL = Symbol(
        1.0, 1.25, {"at": pilot(0.5, 0.0)},
        line((0.5, 0.0), (0.5, 0.25)) + circle(0.5, 0.75, 0.5) + arrow((0.25, 0.5), (0.75, 1.0)),
    )  # fmt: skip

    at: Port = param("port whose pressure it reads")
    time_constant: Time = param("lag of the reading; 0: at once", 0.0, least=0)

    def expand(self, net: Net) -> None:
        meaning = f"absolute pressure that it reads at {self.at}"
        if self.time_constant > 0.0:
            net.sensed({self.at: 1.0}, time_constant=self.time_constant, name="pressure", unit="Pa", meaning=meaning)
        else:
            net.reading("pressure", unit="Pa", meaning=meaning, high=self.at, gains=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
