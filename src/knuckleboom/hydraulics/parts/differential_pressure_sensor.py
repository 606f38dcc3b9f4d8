# SPDX-License-Identifier: BSD-3-Clause
"""Differential pressure sensor: reads how far the pressure of one port is above another's, at once or with a lag.

    τ·ẏ = (p_a − p_b) − y                       y is `<name>.difference`; with time_constant 0, y = p_a − p_b

Ports       none of its own; a and b name ports of others           States  its reading, when time_constant > 0
Power       none: no oil flows into it.
Validated by: validation/analytic/test_sensors.py           ISO 1219: a circle with a pointer and two lines
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Part, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice
from knuckleboom.quantities import Time
from knuckleboom.symbol import Symbol, arrow, circle, line, pilot


class DifferentialPressureSensor(Part):
    """A differential pressure sensor."""

    SYMBOL = Symbol(
        1.0, 1.25, {"a": pilot(0.25, 0.0), "b": pilot(0.75, 0.0)},
        line((0.25, 0.0), (0.25, 0.32)) + line((0.75, 0.0), (0.75, 0.32)) + circle(0.5, 0.75, 0.5)
        + arrow((0.25, 0.5), (0.75, 1.0)),
    )  # fmt: skip

    a: Port = param("port whose pressure counts up")
    b: Port = param("port whose pressure counts down")
    time_constant: Time = param("lag of the reading; 0: at once", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        yield from joined_twice(self, ("a", "b"))

    def expand(self, net: Net) -> None:
        meaning = f"pressure at {self.a} above that at {self.b}"
        if self.time_constant > 0.0:
            net.sensed(
                {self.a: 1.0, self.b: -1.0},
                time_constant=self.time_constant,
                name="difference",
                unit="Pa",
                meaning=meaning,
            )
        else:
            gains = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
            net.reading("difference", unit="Pa", meaning=meaning, high=self.a, low=self.b, gains=gains)
