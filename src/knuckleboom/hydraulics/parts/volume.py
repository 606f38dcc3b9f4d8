# SPDX-License-Identifier: BSD-3-Clause
"""Volume: a space full of oil, such as a manifold or a long line taken as one.

    V·ė + elastic·ṗ = ΣQ,   V = size + elastic·(p − p_ambient),   elastic = size/wall,   p = P(e)

e is the oil's strain, P the law of the fluid: 1/B_e = 1/B + 1/wall for small pressures [Baharudin 2016, publ. IV
eq. 15, corrected]. Without `wall` the space is rigid and ė = ΣQ/size.

Port        one, with the part's name       Sign    flow into the volume is positive
States      oil strain, from the start pressure
Power       stores the compression energy of oil and wall.
Validated by: validation/analytic/test_hose.py, test_pressure_decay.py          ISO 1219: none of its own
"""

from knuckleboom import quantities
from knuckleboom.describe import Net, OilName, Part, param
from knuckleboom.symbol import Symbol, arc, line


class Volume(Part):
    """An oil volume."""

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
    wall: quantities.PressureDrop | None = param("bulk modulus of its wall; default: rigid", None, above=0)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        elastic = 0.0 if self.wall is None else self.size / self.wall
        net.volume(self.port(), self.size, self.pressure, elastic=elastic)
