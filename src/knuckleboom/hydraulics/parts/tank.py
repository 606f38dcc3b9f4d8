# SPDX-License-Identifier: BSD-3-Clause
"""Tank: a port of constant pressure that takes and gives any flow.

Port        one, with the part's name       States  none
Power       takes p·Q. The oil level is not modelled.
Validated by: validation/analytic/test_pressure_decay.py
"""

from knuckleboom.describe import Net, OilName, Part, param
from knuckleboom.quantities import Pressure
from knuckleboom.symbol import Symbol, line


class Tank(Part):
    """A reservoir at constant pressure."""

    PORTS = ("",)
    SYMBOL = Symbol(
        0.5, 0.5, {"": (0.25, 0.5)},
        line((0.25, 0.5), (0.25, 0.1)) + line((0.0, 0.25), (0.0, 0.0), (0.5, 0.0), (0.5, 0.25)),
        datum="{pressure:bar} bar", level="bottom", local=True,
    )  # fmt: skip

    oil: OilName = param("oil of the circuit")
    pressure: Pressure = param("pressure in the tank", "1.01325 bar", least=0)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.pressure(self.port(), self.pressure)
