# SPDX-License-Identifier: BSD-3-Clause
"""Displacement machine on a joint that turns, or on a shaft: a hydraulic motor, and a pump when it is driven.

    λ = displacement·(p_a − p_b) − friction,   Q = displacement·ω + leak·(p_a − p_b) from a through the machine to b
    friction = coulomb·tanh(ω/friction_speed) + viscous·ω,   ė_a = (ΣQ − displacement·ω)/dead_a, b likewise with +

Ports       a (pressure here turns the joint forward), b                    [Merritt 1967, ch. 4]
Signs       ω is the rate of the joint's coordinate; λ > 0 turns it forward; flow into a port counts positive.
Rows        one coordinate row              States  oil strain at each port, from pressure_a and pressure_b
Power       oil does λ·ω; friction and leakage dissipate.
Losses      `leak` and `viscous`, or the efficiencies of a motor at one rated point p_r, n_r:
            leak = D·n_r/p_r·(1/η_v − 1), so that D·ω/Q = η_v;   viscous = D·p_r/n_r·(1 − η_m), so that λ/(D·p_r) = η_m
Validated by: validation/analytic/test_motor.py             ISO 1219: a circle with a filled triangle that points in
Pressures are absolute. The oil volumes at its ports, dead_a and dead_b with hoses, do not change with the angle. The
rotor's inertia belongs to the joint's bodies. A text of a displacement is per turn or angle: 100 cm3/rev.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, JointName, Net, OilName, Part, ShaftName, param
from knuckleboom.quantities import (
    AngularDamping,
    AngularSpeed,
    Conductance,
    Displacement,
    Index,
    Number,
    Pressure,
    PressureDrop,
    Torque,
    Volume,
)
from knuckleboom.symbol import Symbol, circle, line, triangle


class Motor(Part):
    """A hydraulic motor or pump of constant displacement in a joint."""

    PORTS = ("a", "b")
    SYMBOL = Symbol(
        2.0, 1.25, {"a": (0.0, 0.0), "b": (2.0, 0.0)},
        circle(1.0, 0.75, 0.5) + triangle((0.8, 0.75), "right", 0.3) + triangle((1.2, 0.75), "left", 0.3)
        + line((0.0, 0.0), (0.0, 0.75), (0.5, 0.75)) + line((2.0, 0.0), (2.0, 0.75), (1.5, 0.75))
        + line((0.95, 0.25), (0.95, 0.0)) + line((1.05, 0.25), (1.05, 0.0)),  # the shaft
        datum="{displacement:cm3/rev} cm³/rev", level="top", label="above",
    )  # fmt: skip

    joint: JointName | None = param("the joint that it turns", None)
    displacement: Displacement = param("oil that passes per angle", above=0)
    oil: OilName = param("oil at both ports")
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    dead_a: Volume = param("oil volume at a, with hose", "0.1 l", above=0)
    dead_b: Volume = param("oil volume at b, with hose", "0.1 l", above=0)
    pressure_a: Pressure = param("start pressure at a", "1.01325 bar", above=0)
    pressure_b: Pressure = param("start pressure at b", "1.01325 bar", above=0)
    viscous: AngularDamping = param("friction torque per speed", 0.0, least=0)
    coulomb: Torque = param("dry friction torque", 0.0, least=0)
    friction_speed: AngularSpeed = param("speed at which tanh takes dry friction to 76 %", 0.5, above=0)
    leak: Conductance = param("leakage from a to b per pressure difference", 0.0, least=0)
    volumetric_efficiency: Number | None = param("at the rated point, instead of leak", None, above=0, most=1)
    mechanical_efficiency: Number | None = param("at the rated point, instead of viscous", None, above=0, most=1)
    rated_pressure: PressureDrop | None = param("p_a − p_b at the rated point", None, above=0)
    rated_speed: AngularSpeed | None = param("speed at the rated point", None, above=0)
    shaft: ShaftName | None = param("the shaft that it turns, instead of a joint", None)

    def faults(self) -> Iterator[Fault]:
        given = self.model_fields_set
        if (self.joint is None) == (self.shaft is None):
            rule = "it has neither joint nor shaft." if self.joint is None else "it has both joint and shaft."
            yield Fault(rule, "Give one: joint: slew, or shaft: axle", field="joint")
        if self.shaft is not None and "coordinate" in given:
            yield Fault("coordinate is of a joint, and it is on a shaft.", "Leave coordinate out.", field="coordinate")
        pairs = (("volumetric_efficiency", "leak"), ("mechanical_efficiency", "viscous"))
        efficient = [efficiency for efficiency, _ in pairs if getattr(self, efficiency) is not None]
        for efficiency, loss in pairs:
            if efficiency in efficient and loss in given:
                yield Fault(f"it has both {loss} and {efficiency}.", "Give one of them.", field=efficiency)
        rated = [field for field in ("rated_pressure", "rated_speed") if getattr(self, field) is None]
        if efficient and rated:
            fix = "Give the point that it holds for: rated_pressure: 200 bar, rated_speed: 1500 rpm"
            yield Fault(f"it has {efficient[0]} without {' and '.join(rated)}.", fix, field=efficient[0])

    def losses(self) -> tuple[float, float]:
        """Leakage per pressure difference, m³/(s·Pa), and friction per speed, N·m·s/rad."""
        leak, viscous = self.leak, self.viscous
        if self.rated_pressure is not None and self.rated_speed is not None:
            if self.volumetric_efficiency is not None:
                passing = self.displacement * self.rated_speed
                leak = passing / self.rated_pressure * (1.0 / self.volumetric_efficiency - 1.0)
            if self.mechanical_efficiency is not None:
                torque = self.displacement * self.rated_pressure
                viscous = torque / self.rated_speed * (1.0 - self.mechanical_efficiency)
        return leak, viscous

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.volume(self.port("a"), self.dead_a, self.pressure_a)
        net.volume(self.port("b"), self.dead_b, self.pressure_b)
        row = net.scalar(self.shaft) if self.shaft else net.coordinate(str(self.joint), self.coordinate)
        net.motor(row, self.port("a"), self.port("b"), self.displacement)
        leak, viscous = self.losses()
        if self.coulomb > 0.0 or viscous > 0.0:
            net.friction(row, self.coulomb, viscous, self.friction_speed)
        if leak > 0.0:
            net.laminar(self.port("a"), self.port("b"), conductance=leak)
