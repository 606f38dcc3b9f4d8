# SPDX-License-Identifier: BSD-3-Clause
"""What is on shafts: how fast pumps turn at the start, and which chambers move the mechanism."""

from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts.motor import Motor
from knuckleboom.machine.elements import Chamber
from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.shaft import Shaft
from knuckleboom.mechanics.parts.shaft_of import ShaftOf


def speed_of(machine: Machine, pump: Pumping) -> float:
    """Speed of a pump at the start, its own or that of its shaft, rad/s; 0 where the shaft does not exist."""
    if pump.shaft is None:
        return pump.speed or 0.0
    shaft = machine.parts.get(pump.shaft)
    if isinstance(shaft, ShaftOf):
        joint = machine.parts.get(shaft.joint)
        return joint.speed[shaft.coordinate] if isinstance(joint, Joint) else 0.0
    return shaft.speed if isinstance(shaft, Shaft) else 0.0


def moves_mechanism(machine: Machine, chamber: Chamber) -> bool:
    """Whether a chamber is that of a cylinder or motor, not of a pump on a shaft or a column of oil."""
    part = machine.parts[chamber.part]
    return not isinstance(part, Pumping) and (isinstance(part, Motor) or not chamber.turns_shaft)
