# SPDX-License-Identifier: BSD-3-Clause
"""What pumps share: a displacement, a shaft at a given speed, and losses from the efficiencies at one rated point.

    Q = D·n·x from a to b,   leakage G·(p_b − p_a) back,   x the setting, 0..1 (1 for a fixed pump)
    G = (1 − η_v)·D·n_r/p_r          so that (Q − leakage)/Q = η_v at the rated point, full setting       [Merritt 1967]
    P = Q·(p_b − p_a) + c·n²,   c = D·p_r·(1/η_m − 1)/n_r     so that Q·(p_b − p_a)/P = η_m at the rated point

The leakage is laminar and depends on the pressure alone, the mechanical loss is viscous and depends on the speed alone:
one coefficient each, what one catalogue point can tell. Both can only lose. The shaft is not a body: its power is read,
and the energy audit counts what the pump gives to the oil. A pump on a real shaft is a motor.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.net import NetSignal
from knuckleboom.quantities import AngularSpeed, Displacement, Number, PressureDrop


class Pumping(Between):
    """Base of the pumps: from a to b at a speed, with losses."""

    a: Port = param("port that the oil is taken from, such as a tank")
    b: Port = param("port that the oil is put into")
    displacement: Displacement = param("oil that passes per angle at full setting", above=0)
    speed: AngularSpeed = param("speed of the shaft; also an input, <name>.speed")
    volumetric_efficiency: Number = param("flow over ideal flow at the rated point", 1.0, above=0, most=1)
    mechanical_efficiency: Number = param("power to the oil over shaft power at the rated point", 1.0, above=0, most=1)
    rated_pressure: PressureDrop | None = param("p_b − p_a at the rated point", None, above=0)
    rated_speed: AngularSpeed | None = param("speed at the rated point; default: speed", None, above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        losing = min(self.volumetric_efficiency, self.mechanical_efficiency) < 1.0
        if losing and self.rated_pressure is None:
            fix = "Give the point the efficiencies hold for: rated_pressure: 200 bar, rated_speed: 1500 rpm"
            yield Fault("it has efficiencies, but rated_pressure is missing.", fix, field="rated_pressure")
        if losing and self.rated_speed is None and self.speed <= 0.0:
            yield Fault("it has efficiencies, but rated_speed is missing.", "Add rated_speed: 1500 rpm", "rated_speed")

    @property
    def leak(self) -> float:
        """Conductance of the leakage from b back to a, m³/(s·Pa)."""
        if self.volumetric_efficiency == 1.0 or self.rated_pressure is None:
            return 0.0
        return (1.0 - self.volumetric_efficiency) * self.displacement * self._rated_speed / self.rated_pressure

    @property
    def shaft_viscous(self) -> float:
        """Loss torque per speed, N·m·s/rad."""
        if self.mechanical_efficiency == 1.0 or self.rated_pressure is None:
            return 0.0
        return self.displacement * self.rated_pressure * (1.0 / self.mechanical_efficiency - 1.0) / self._rated_speed

    @property
    def _rated_speed(self) -> float:
        return self.speed if self.rated_speed is None else self.rated_speed

    def pump(self, net: Net, setting: NetSignal | None) -> None:
        """Write the flow at a setting (none: full), the leakage and the reading of the shaft's power."""
        speed = net.input(self.speed, unit="rad/s", meaning="speed of the shaft", name="speed")
        if setting is None:
            ideal = net.product(speed, None, self.displacement)
        else:
            ideal = net.product(setting, speed, self.displacement)
        net.flow(self.a, self.b, ideal)
        if self.leak > 0.0:
            net.laminar(self.b, self.a, conductance=self.leak)
        net.reading(
            "shaft_power", unit="W", meaning="power that the shaft takes", flow="flow", high=self.b, low=self.a,
            gains=(1.0, 0.0, 0.0, 0.0, 0.0, self.shaft_viscous), speed=speed,
        )  # fmt: skip
        if setting is None:
            net.reading(
                "torque", unit="N*m", meaning="torque that the shaft takes", high=self.b, low=self.a,
                gains=(0.0, self.displacement, 0.0, 0.0, self.shaft_viscous, 0.0), speed=speed,
            )  # fmt: skip
