# SPDX-License-Identifier: BSD-3-Clause
"""What valves with oil of their own share: a small volume between their throttles, or at their own port.

Its pressure is a state, so it must not be too small for explicit steps: V > h·β·∂Q/∂p or so. Implicit steps take any.
"""

from knuckleboom import quantities
from knuckleboom.describe import Net, OilName, Part, Port, param


class InnerVolume(Part):
    """Base of the parts with a small volume."""

    oil: OilName = param("oil of the circuit")
    volume: quantities.Volume = param("oil in its own small volume", "10 cm3", above=0)
    pressure: quantities.Pressure = param("start pressure there", "1.01325 bar", above=0)

    def inside(self, net: Net, name: str = "inner") -> Port:
        """Write the volume and return its port: the part's own, or one that nothing else can be joined to."""
        net.oil(self.oil)
        port = self.port() if "" in self.PORTS else Port(f"{self.name}.{name}")
        net.volume(port, self.volume, self.pressure)
        return port
