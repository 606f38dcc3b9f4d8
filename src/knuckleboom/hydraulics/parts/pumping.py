# SPDX-License-Identifier: BSD-3-Clause
"""What pumps share: a displacement, a shaft, and losses from the efficiencies at one rated point.

    Q = D·n·x from a to b,   leakage G·(p_b − p_a) back,   x the setting, 0..1 (1 for a fixed pump)
    G = (1 − η_v)·D·n_r/p_r          so that (Q − leakage)/Q = η_v at the rated point, full setting       [Merritt 1967]
    T = D·x·Δp + C·D·x·|Δp| + c·n,   Δp = p_b − p_a                                                       [Wilson 1950]
    C = s·(1/η_m − 1),   c = (1 − s)·D·p_r·(1/η_m − 1)/n_r     so that D·Δp/T = η_m at the rated point, full setting

Slip is laminar and goes with the pressure, torque is lost by dry friction, which goes with pressure and setting, and by
viscous friction, which goes with the speed: the three terms of Wilson's model, one coefficient each, with the viscosity
of the rated point. `friction_share` is the part s of the torque's loss at the rated point that is dry. All can only
lose. The speed n is an input, or that of a shaft: then the pump's torque loads the shaft.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, ShaftName, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.net import NetSignal, Row
from knuckleboom.quantities import AngularSpeed, Displacement, Number, PressureDrop

POWER = "power that the shaft takes"
FRICTION = "friction_power"
"""Name of the reading of what friction takes in a pump whose speed is given."""
SLOW, ROUND = 0.01, 1e-3
"""Shares of the rated speed over which dry friction sets in, and of the rated torque over which it is rounded."""


class Pumping(Between):
    """Base of the pumps: from a to b at a speed, with losses."""

    a: Port = param("port that the oil is taken from, such as a tank")
    b: Port = param("port that the oil is put into")
    displacement: Displacement = param("oil that passes per angle at full setting", above=0)
    speed: AngularSpeed | None = param("speed of its shaft, where that is given; also an input, <name>.speed", None)
    shaft: ShaftName | None = param("shaft that it is on, instead of a speed", None)
    volumetric_efficiency: Number = param("flow over ideal flow at the rated point", 1.0, above=0, most=1)
    mechanical_efficiency: Number = param("power to the oil over shaft power at the rated point", 1.0, above=0, most=1)
    friction_share: Number = param("share of the torque loss that goes with pressure", 0.0, least=0, most=1)
    rated_pressure: PressureDrop | None = param("p_b − p_a at the rated point", None, above=0)
    rated_speed: AngularSpeed | None = param("speed at the rated point; default: speed", None, above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if (self.speed is None) == (self.shaft is None):
            rule = "it has neither speed nor shaft." if self.speed is None else "it has both speed and shaft."
            yield Fault(rule, "Give one: speed: 1500 rpm, or shaft: engine_shaft", field="speed")
        losing = min(self.volumetric_efficiency, self.mechanical_efficiency) < 1.0
        if self.friction_share > 0.0 and self.mechanical_efficiency == 1.0:
            fix = "Give the efficiency at the rated point: mechanical_efficiency: 0.92"
            yield Fault("friction_share shares a torque loss that it does not have.", fix, field="friction_share")
        if losing and self.rated_pressure is None:
            fix = "Give the point the efficiencies hold for: rated_pressure: 200 bar, rated_speed: 1500 rpm"
            yield Fault("it has efficiencies, but rated_pressure is missing.", fix, field="rated_pressure")
        if losing and self.rated_speed is None and not (self.speed or 0.0) > 0.0:
            yield Fault("it has efficiencies, but rated_speed is missing.", "Add rated_speed: 1500 rpm", "rated_speed")

    @property
    def leak(self) -> float:
        """Conductance of the leakage from b back to a, m³/(s·Pa)."""
        if self.volumetric_efficiency == 1.0 or self.rated_pressure is None:
            return 0.0
        return (1.0 - self.volumetric_efficiency) * self.displacement * self._rated_speed / self.rated_pressure

    @property
    def dry_friction(self) -> float:
        """Torque lost over the torque of the oil."""
        return self.friction_share * (1.0 / self.mechanical_efficiency - 1.0)

    @property
    def shaft_viscous(self) -> float:
        """Loss torque per speed, N·m·s/rad."""
        if self.mechanical_efficiency == 1.0 or self.rated_pressure is None:
            return 0.0
        lost = self.displacement * self.rated_pressure * (1.0 / self.mechanical_efficiency - 1.0)
        return (1.0 - self.friction_share) * lost / self._rated_speed

    @property
    def _rated_speed(self) -> float:
        return (self.speed or 0.0) if self.rated_speed is None else self.rated_speed

    def pump(self, net: Net, setting: NetSignal | None) -> None:
        """Write the flow at a setting (none: full), the leakage and the readings of the shaft."""
        speed: NetSignal | Row
        if self.shaft is None:
            speed = net.input(self.speed or 0.0, unit="rad/s", meaning="speed of the shaft", name="speed")
            if setting is None:
                ideal = net.product(speed, None, self.displacement)
            else:
                ideal = net.product(setting, speed, self.displacement)
            net.flow(self.a, self.b, ideal)
        else:
            speed = net.scalar(self.shaft, "shaft")
            self.load(net, speed, setting)
        if self.leak > 0.0:
            net.laminar(self.b, self.a, conductance=self.leak)
        self.show(net, speed, setting)

    def load(self, net: Net, row: Row, setting: NetSignal | None) -> None:
        """Write the displacement on a shaft, with the torque that it loses."""
        net.displacement(row, self.a, self.b, self.displacement, setting)
        if self.dry_friction > 0.0 and self.rated_pressure is not None:
            slow = SLOW * self._rated_speed
            net.element(
                "efficiency", row, curve=((0.0, 0.0), (slow, 1.0)), loss=self.dry_friction,
                round=ROUND * self.displacement * self.rated_pressure,
            )  # fmt: skip
        if self.shaft_viscous > 0.0:
            net.friction(row, 0.0, self.shaft_viscous, 1.0)

    def show(self, net: Net, speed: NetSignal | Row, setting: NetSignal | None) -> None:
        """Write the readings of power and torque, and of the flow where it is that of a shaft."""
        size, dry, viscous = self.displacement, self.displacement * self.dry_friction, self.shaft_viscous

        def read(name: str, unit: str, meaning: str, gains: dict[int, float], flow: str = "") -> None:
            net.reading(
                name, unit=unit, meaning=meaning, gains=[gains.get(place, 0.0) for place in range(11)], flow=flow,
                high=self.b, low=self.a, speed=speed, setting=setting,
            )  # fmt: skip

        # places of the gains: net.Net.reading
        friction = {5: viscous, 10: dry}
        if self.shaft is None:
            read("shaft_power", "W", POWER, {0: 1.0, **friction}, flow="flow")
            if dry + viscous > 0.0:
                read(FRICTION, "W", "power that its friction takes", friction)
        else:
            read("shaft_power", "W", POWER, {9: size, **friction})
            read("flow", "m^3/s", f"flow from {self.a} to {self.b}", {8: size})
        read("torque", "N*m", "torque that the shaft gives", {4: viscous, 6: size, 7: dry})
