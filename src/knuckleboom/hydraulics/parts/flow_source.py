# SPDX-License-Identifier: BSD-3-Clause
"""Flow source: takes oil from one port and puts it into another, whatever the pressures; an ideal pump.

    Q = value, or what follows it with a lag (time_constant) or like a mass on a spring (frequency, damping)

Ports       none of its own; a (often a tank) and b name ports of others          Sign  Q > 0 flows from a to b
States      none; delivery when time_constant > 0; delivery and delivery_rate with frequency
Input       the part's name, m³/s
Power       supplies (p_b − p_a)·Q; negative where it lets oil down.
Nothing limits the pressure: put a relief valve beside it. It empties a volume at a, too: take oil from a tank.
Validated by: validation/analytic/test_flow_source.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.hydraulics.parts.following import follow, following_faults
from knuckleboom.quantities import FlowRate, Frequency, Number, Time
from knuckleboom.symbol import pump


class FlowSource(Between):
    """A given flow from one port to another."""

    SYMBOL = pump(datum="{value:l/min} l/min")

    a: Port = param("port that the oil is taken from, such as a tank")
    b: Port = param("port that the oil is put into")
    value: FlowRate = param("flow; also an input of this name")
    time_constant: Time = param("lag behind the input; 0: it follows at once", 0.0, least=0)
    frequency: Frequency | None = param("natural frequency of its control; instead of time_constant", None, above=0)
    damping: Number = param("damping ratio of its control, used with frequency", 0.8, least=0)

    def faults(self) -> Iterator[Fault]:
        yield from following_faults(self)
        yield from super().faults()

    def expand(self, net: Net) -> None:
        command = net.input(self.value, unit="m^3/s", meaning="flow of the source")
        delivery = follow(net, command, self.time_constant, self.frequency, self.damping, "delivery")
        net.flow(self.a, self.b, delivery)
