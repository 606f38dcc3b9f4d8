# SPDX-License-Identifier: BSD-3-Clause
"""Junction: the small oil volume where several lines and valves meet, such as a tee or a block.

    ė = ΣQ/size,   p = P(e)                     e is the oil's strain, P the law of the fluid

Port        one, with the part's name; any number of parts join it      Sign  flow into it is positive
States      oil strain, from the start pressure
Power       stores the oil's compression energy; no loss (add a local_loss).
Validated by: validation/analytic/test_hose.py              ISO 1219: a dot where lines meet
Every pressure between parts needs a volume. Small ones are stiff: `unified` and `realtime` do not mind, `explicit`
needs steps of the order of size/(bulk·∂Q/∂p). Use `volume` where the size matters and is known.
"""

from knuckleboom import quantities
from knuckleboom.describe import Net, OilName, Part, param
from knuckleboom.symbol import Symbol, circle, line


class Junction(Part):
    """A point where lines meet."""

    PORTS = ("",)
    SYMBOL = Symbol(0.5, 0.5, {"": (0.25, 0.0)}, line((0.25, 0.0), (0.25, 0.3)) + circle(0.25, 0.4, 0.1))

    oil: OilName = param("oil of the circuit")
    size: quantities.Volume = param("oil in it", "20 cm3", above=0)
    pressure: quantities.Pressure = param("start pressure", "1.01325 bar", above=0)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.volume(self.port(), self.size, self.pressure)
