# SPDX-License-Identifier: BSD-3-Clause
"""Displacement machine on a joint that turns: a hydraulic motor, and a pump when the shaft is driven.

    λ = displacement·(p_a − p_b) − friction,   Q = displacement·ω + leak·(p_a − p_b) from a through the machine to b
    friction = coulomb·tanh(ω/friction_speed) + viscous·ω,   ė_a = (ΣQ − displacement·ω)/dead_a, b likewise with +

Ports       a (pressure here turns the joint forward), b                    [Merritt 1967, ch. 4]
Signs       ω is the rate of the joint's coordinate; λ > 0 turns it forward; flow into a port counts positive.
Rows        one coordinate row              States  oil strain at each port, from pressure_a and pressure_b
Power       oil does λ·ω; friction and leakage dissipate.
Pressures are absolute. The oil volumes at its ports, dead_a and dead_b with hoses, do not change with the angle. The
rotor's inertia belongs to the joint's bodies. A text of a displacement is per turn or angle: 100 cm3/rev.
"""

from knuckleboom.describe import JointName, Net, OilName, Part, param
from knuckleboom.quantities import (
    AngularDamping,
    AngularSpeed,
    Conductance,
    Displacement,
    Index,
    Pressure,
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

    joint: JointName = param("the joint that it turns")
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

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.volume(self.port("a"), self.dead_a, self.pressure_a)
        net.volume(self.port("b"), self.dead_b, self.pressure_b)
        row = net.coordinate(self.joint, self.coordinate)
        net.motor(row, self.port("a"), self.port("b"), self.displacement)
        if self.coulomb > 0.0 or self.viscous > 0.0:
            net.friction(row, self.coulomb, self.viscous, self.friction_speed)
        if self.leak > 0.0:
            net.laminar(self.port("a"), self.port("b"), conductance=self.leak)
