# SPDX-License-Identifier: BSD-3-Clause
"""What is on shafts: how fast pumps turn at the start, and which chambers move the mechanism."""

from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts.motor import Motor
from knuckleboom.interface.parts.winch import Winch
from knuckleboom.machine.elements import Chamber
from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts.gear_stage import GearStage
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.shaft import Shaft
from knuckleboom.mechanics.parts.shaft_of import ShaftOf
from knuckleboom.mechanics.parts.shafting import Shafting


def speed_of(machine: Machine, pump: Pumping) -> float:
    """Speed of a pump at the start, its own or that of its shaft, rad/s; 0 where nothing gives it."""
    if pump.shaft is None:
        return pump.speed or 0.0
    return shaft_speeds(machine).get(pump.shaft, 0.0)


def shaft_speeds(machine: Machine) -> dict[str, float]:
    """Speeds of shafts at the start, rad/s: of each its own, or that to which gears tie it."""
    found: dict[str, float] = {}
    for shaft in machine.of(Shafting):
        joint = machine.parts.get(shaft.joint) if isinstance(shaft, ShaftOf) else None
        if isinstance(shaft, Shaft) and "speed" in shaft.model_fields_set:
            found[shaft.name] = shaft.speed
        elif isinstance(shaft, ShaftOf) and isinstance(joint, Joint) and shaft.coordinate < len(joint.speed):
            found[shaft.name] = joint.speed[shaft.coordinate]
    stages = [stage for stage in machine.of(GearStage) if stage.ratio != 0.0]
    for _ in stages:
        for stage in stages:
            if stage.a in found:
                found.setdefault(stage.b, stage.ratio * found[stage.a])
            elif stage.b in found:
                found[stage.a] = found[stage.b] / stage.ratio
    return found


def moves_mechanism(machine: Machine, chamber: Chamber) -> bool:
    """Whether a chamber is that of a cylinder, motor or winch, not of a pump on a shaft or a column of oil."""
    part = machine.parts[chamber.part]
    return not isinstance(part, Pumping) and (isinstance(part, Motor | Winch) or not chamber.turns_shaft)
