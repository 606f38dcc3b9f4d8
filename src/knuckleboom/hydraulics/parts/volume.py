# SPDX-License-Identifier: BSD-3-Clause
"""Volume: a rigid space full of oil, such as a hose or a manifold.

    ė = ΣQ/size,   p = P(e)                     e is the oil's strain, P the law of the fluid

Port        one, with the part's name       Sign    flow into the volume is positive
States      oil strain, from the start pressure
Power       stores the oil's compression energy.
"""

from knuckleboom import quantities
from knuckleboom.describe import Net, OilName, Part, param
from knuckleboom.symbol import Symbol, arc, line


class Volume(Part):
    """A rigid oil volume."""

    PORTS = ("",)
    SYMBOL = Symbol(
        0.5, 1.0, {"": (0.25, 0.0)},
        arc(0.25, 0.75, 0.25, 0.0, 180.0) + arc(0.25, 0.25, 0.25, 180.0, 360.0)
        + line((0.0, 0.25), (0.0, 0.75)) + line((0.5, 0.25), (0.5, 0.75)),
        datum="{size:l} l",
    )  # fmt: skip

    oil: OilName = param("oil of the circuit")
    size: quantities.Volume = param("how much oil it holds", above=0)
    pressure: quantities.Pressure = param("start pressure", "1.01325 bar", above=0)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.volume(self.port(), self.size, self.pressure)
