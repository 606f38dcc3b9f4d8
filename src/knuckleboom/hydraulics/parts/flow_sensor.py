# SPDX-License-Identifier: BSD-3-Clause
"""Flow sensor: a measuring turbine or gear in a line, which costs a pressure drop.

    Q = k·√Δp, from `drop`: [60 l/min, 1 bar]; its reading is `<name>.flow`

Ports       none of its own; a and b name ports of others          Sign  Q > 0 flows from a to b
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
Validated by: validation/analytic/test_sensors.py           ISO 1219: a circle with a flow sign, in the line
Every part records its flow; this one is for the drop of a real sensor, and to have a name for what a controller reads.
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import Symbol, arc, circle, line


class FlowSensor(Between):
    """A flow sensor in a line."""

    SYMBOL = Symbol(
        1.0, 1.5, {"a": (0.5, 0.0), "b": (0.5, 1.5)},
        line((0.5, 0.0), (0.5, 1.5)) + circle(0.5, 0.75, 0.5) + arc(0.15, 0.75, 0.25, -60.0, 60.0)
        + arc(0.85, 0.75, 0.25, 120.0, 240.0),
    )  # fmt: skip

    drop: FlowAt = param("a flow and the pressure drop that it costs")
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "0.2 bar", above=0)

    def expand(self, net: Net) -> None:
        net.restrictor(self.a, self.b, flow=self.drop, transition=self.transition)
