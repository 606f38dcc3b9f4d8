# SPDX-License-Identifier: BSD-3-Clause
"""Winch: a hydraulic motor that winds rope on a drum, on a joint whose travel is the length of the rope.

    D = displacement·gear·falls/drum            oil per length of hook, m³/m
    λ = −D·(p_a − p_b) − friction,   Q = −D·ẋ + leak·(p_a − p_b) from a through the motor to b
    friction = coulomb·tanh(ẋ/friction_speed) + viscous·ẋ,   ė_a = (ΣQ + D·ẋ)/dead_a, b likewise with −

Ports       a (pressure here hoists: it shortens the rope), b                   [Merritt 1967, ch. 4]
Signs       x is the joint's coordinate; it grows as the rope is paid out; flow into a port counts positive.
Rows        one coordinate row, with a rope also that of the drum
States      oil strain at each port, from pressure_a and pressure_b
Power       oil does λ·ẋ; friction and leakage dissipate.
Validated by: validation/analytic/test_winch.py             ISO 1219: a motor
One layer of rope, `drum` is its radius. Friction is at the hook: multiply a torque at the drum by falls/drum.

Rope        with `stiffness` and `inertia` the rope only pulls, and is slack when more of it is paid out than hangs:
            T = k·d·(1 + c·ḋ) ≥ 0,   inertia·(falls/drum)²·ẍ_d = T − D·(p_a − p_b) − friction,   d = x − x_d + start
            x_d, `paid_out`, is what the drum has paid out since the start, at the hook; at the start the rope has
            `tension`. The rope is as stiff at any length and has no mass.
Without     the hook moves with the drum, which has no mass: the rope pushes, too, as feed rollers do on a log.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, JointName, Net, OilName, Part, param
from knuckleboom.interface.parts.motor import Motor
from knuckleboom.net import FromStart, Scalar
from knuckleboom.quantities import (
    Conductance,
    Damping,
    Displacement,
    Force,
    Index,
    Inertia,
    Length,
    Number,
    Pressure,
    Speed,
    Stiffness,
    StopDamping,
    Volume,
)


class Winch(Part):
    """A hydraulic winch on the length of a hanging rope."""

    SECTION = "winches"
    PORTS = ("a", "b")
    SYMBOL = Motor.SYMBOL

    joint: JointName = param("the joint whose travel is the rope's length")
    displacement: Displacement = param("oil that passes the motor per angle", above=0)
    drum: Length = param("radius of the rope on the drum", above=0)
    oil: OilName = param("oil at both ports")
    gear: Number = param("turns of the motor per turn of the drum", 1.0, above=0)
    falls: Number = param("falls of rope that carry the hook", 1.0, least=1)
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    dead_a: Volume = param("oil volume at a, with hose", "0.1 l", above=0)
    dead_b: Volume = param("oil volume at b, with hose", "0.1 l", above=0)
    pressure_a: Pressure = param("start pressure at a", "1.01325 bar", above=0)
    pressure_b: Pressure = param("start pressure at b", "1.01325 bar", above=0)
    viscous: Damping = param("friction at the hook per speed", 0.0, least=0)
    coulomb: Force = param("dry friction at the hook", 0.0, least=0)
    friction_speed: Speed = param("speed at which tanh takes dry friction to 76 %", "1 cm/s", above=0)
    leak: Conductance = param("leakage from a to b per pressure difference", 0.0, least=0)
    stiffness: Stiffness | None = param("of all falls at the hook; the rope only pulls then", None, above=0)
    inertia: Inertia | None = param("of drum, gear and motor, at the drum", None, above=0)
    tension: Force = param("of all falls at the start", 0.0, least=0)
    damping: StopDamping = param("rise of the rope's force per speed", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        given = self.model_fields_set
        for one, other in (("stiffness", "inertia"), ("inertia", "stiffness")):
            if getattr(self, one) is not None and getattr(self, other) is None:
                rule = f"it has {one} without {other}: a rope that only pulls is wound on a drum with a mass."
                yield Fault(rule, "Give both: stiffness: 5000 kN/m, inertia: 20 kg m2", field=one)
        for one in ("tension", "damping"):
            if one in given and self.stiffness is None:
                rule = f"it has {one}, but its rope has no stiffness."
                yield Fault(rule, "Give stiffness and inertia, or leave it out.", field=one)

    @property
    def oil_per_length(self) -> float:
        """Oil that passes per length of hook, m³/m: force over pressure difference, flow over speed."""
        return self.displacement * self.gear * self.falls / self.drum

    def scalar_inertia(self) -> Scalar | None:
        if self.inertia is None:
            return None
        meaning = "rope that is paid out since the start, at the hook"
        mass = self.inertia * (self.falls / self.drum) ** 2
        return Scalar(mass, "m", words=("paid_out", "rate"), meaning=meaning, rests=True)

    def expand(self, net: Net) -> None:
        net.oil(self.oil)
        net.volume(self.port("a"), self.dead_a, self.pressure_a)
        net.volume(self.port("b"), self.dead_b, self.pressure_b)
        row = hook = net.coordinate(self.joint, self.coordinate)
        if self.stiffness is not None:
            row = net.scalar(self.name)
            net.element(
                "drum_rope", hook, row, stiffness=self.stiffness, damping=self.damping,
                taut=self.tension / self.stiffness, rest_hook=FromStart(), rest_drum=FromStart(row=1),
            )  # fmt: skip
        # oil from b to a pays rope out
        net.motor(row, self.port("b"), self.port("a"), self.oil_per_length)
        if self.coulomb > 0.0 or self.viscous > 0.0:
            net.friction(row, self.coulomb, self.viscous, self.friction_speed)
        if self.leak > 0.0:
            net.laminar(self.port("a"), self.port("b"), conductance=self.leak)
