# SPDX-License-Identifier: BSD-3-Clause
"""Column of oil: the inertia of the oil in a line, and what resists its flow; rigid, without a volume of its own.

    L·Q̇ = p_a − p_b − r·Q − R·Q·|Q|,   L = ρ·length/area          [Merritt 1967, ch. 3]
    r = Δp/Q of `laminar`,   R = Δp/Q² of `turbulent`

Ports       none of its own; a and b name ports of others: tanks and pressures, or volumes that oil of this column
            fills. An end that is left out is at ambient pressure, or joined to others by a held sum.
Sign        Q > 0 flows from a to b         Row         the volume that has passed, m³; its rate is Q
States      Q, at the start `flow`          Power       stores ½·L·Q², dissipates r·Q² + R·|Q|³
Between volumes it swings, with ω² = B/L·(1/V_a + 1/V_b): steps have to resolve that. What a line's oil and walls store
is in hoses and pipes, which have no inertia; a column beside them is one lump of a long line.
Validated by: validation/analytic/test_oil_column.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, OilName, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice
from knuckleboom.mechanics.parts.shafting import Moving
from knuckleboom.net import Scalar
from knuckleboom.quantities import Area, FlowAt, FlowRate, Length
from knuckleboom.symbol import Symbol, line


class OilColumn(Moving):
    """The inertia of the oil in a line."""

    SECTION = "oil_columns"
    SHARED = False
    SYMBOL = Symbol(
        0.5, 1.0, {"a": (0.25, 0.0), "b": (0.25, 1.0)},
        line((0.25, 0.0), (0.25, 0.25)) + line((0.25, 0.75), (0.25, 1.0)) + line((0.15, 0.25), (0.35, 0.25))
        + line((0.15, 0.75), (0.35, 0.75)) + line((0.15, 0.25), (0.15, 0.75)) + line((0.35, 0.25), (0.35, 0.75)),
        datum="{length:m} m",
    )  # fmt: skip

    oil: OilName = param("the oil that moves")
    length: Length = param("length of the line", above=0)
    area: Area = param("inner area of the line", above=0)
    a: Port | None = param("port at the inlet", None)
    b: Port | None = param("port at the outlet", None)
    laminar: FlowAt | None = param("flow and pressure drop of a resistance that grows with the flow", None)
    turbulent: FlowAt | None = param("flow and pressure drop of one that grows with its square", None)
    flow: FlowRate = param("flow at the start; default: 0, or what a sum that holds it asks for", 0.0)

    def faults(self) -> Iterator[Fault]:
        yield from joined_twice(self, ("a", "b"))
        if self.a is None and self.b is None:
            yield Fault("it has neither a nor b, so that nothing moves its oil.", "Give a port: a: pump", field="a")

    def scalar_inertia(self) -> Scalar:
        rate = self.flow if "flow" in self.model_fields_set else None
        return Scalar(self.length / self.area, "m^3", rate, self.oil, words=("volume", "flow"))

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        row = net.scalar(self.name)
        net.displacement(row, self.a, self.b, 1.0, None)
        linear = 0.0 if self.laminar is None else self.laminar[1] / self.laminar[0]
        quadratic = 0.0 if self.turbulent is None else self.turbulent[1] / self.turbulent[0] ** 2
        if linear > 0.0 or quadratic > 0.0:
            net.element("drag", row, linear=linear, quadratic=quadratic)
