# SPDX-License-Identifier: BSD-3-Clause
"""Power sensor: a flow sensor that also reads the hydraulic power passing through it.

    P = (p_a − p_low)·Q                          p_low: pressure of `low`, the return line

Ports       none of its own; a, b and low name ports of others      Sign  Q > 0 flows from a to b, P > 0 with it
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
Readings    power; `<name>.flow` is its flow
Validated by: validation/analytic/test_sensors.py           ISO 1219: a flow sensor and a pressure sensor in one box
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.flow_sensor import FlowSensor
from knuckleboom.symbol import Symbol, circle, line, pilot, text


class PowerSensor(FlowSensor):
    """A power sensor in a line."""

    SYMBOL = Symbol(
        1.0, 1.5, {"a": (0.5, 0.0), "b": (0.5, 1.5), "low": pilot(1.0, 0.75)},
        line((0.5, 0.0), (0.5, 0.25)) + line((0.5, 1.25), (0.5, 1.5)) + circle(0.5, 0.75, 0.5)
        + text(0.5, 0.75, "P", 0.4),
    )  # fmt: skip

    low: Port = param("port of the return line, such as a tank")

    def expand(self, net: Net) -> None:
        super().expand(net)
        net.reading(
            "power", unit="W", meaning="hydraulic power through it", flow="flow", high=self.a, low=self.low,
            gains=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        )  # fmt: skip
