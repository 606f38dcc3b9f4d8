# SPDX-License-Identifier: BSD-3-Clause
"""What cylinders with oil on one side share: its port, its volume when retracted, and a leakage to a drain.

    Q = leak·(p_a − p_drain), out of the chamber

Oil pushes them out; what brings them back is a load or a spring. Friction, cushions and stops: ram.py.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.quantities import Conductance, Pressure, Volume


class OneChamber(Ram):
    """Base of the cylinders that oil can only extend."""

    PORTS = ("a",)

    dead_a: Volume = param("oil volume when retracted, with stiff lines", "0.1 l", least=0)
    pressure_a: Pressure = param("start pressure", "1.01325 bar", above=0)
    leak: Conductance = param("leakage past the piston or the sleeves per pressure difference", 0.0, least=0)
    drain: Port | None = param("port that it leaks to, such as a tank", None)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from self.drain_faults("leak", self.drain)

    def leak_out(self, net: Net) -> None:
        """Write the leakage."""
        if self.drain is not None:
            net.laminar(self.port("a"), self.drain, conductance=self.leak)
