# SPDX-License-Identifier: BSD-3-Clause
"""How fast shafts turn at the start: what rules, gauges and advice take for the speed of a pump."""

from knuckleboom.hydraulics.parts.pumping import Pumping
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
