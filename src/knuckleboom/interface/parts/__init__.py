# SPDX-License-Identifier: BSD-3-Clause
"""The parts that push on the mechanism and that a user can name, one line each."""

from knuckleboom.describe import Part
from knuckleboom.interface.parts.contact import Contact
from knuckleboom.interface.parts.cylinder import Cylinder
from knuckleboom.interface.parts.damper import Damper
from knuckleboom.interface.parts.effort import Effort
from knuckleboom.interface.parts.engine_droop import EngineDroop
from knuckleboom.interface.parts.force import Force
from knuckleboom.interface.parts.joint_friction import JointFriction
from knuckleboom.interface.parts.joint_servo import JointServo
from knuckleboom.interface.parts.joint_spring import JointSpring
from knuckleboom.interface.parts.joint_stop import JointStop
from knuckleboom.interface.parts.length_servo import LengthServo
from knuckleboom.interface.parts.motor import Motor
from knuckleboom.interface.parts.oil_column import OilColumn
from knuckleboom.interface.parts.payload import Payload
from knuckleboom.interface.parts.rope import Rope
from knuckleboom.interface.parts.shaft_spring import ShaftSpring
from knuckleboom.interface.parts.single_acting_cylinder import SingleActingCylinder
from knuckleboom.interface.parts.spring import Spring
from knuckleboom.interface.parts.telescopic_cylinder import TelescopicCylinder
from knuckleboom.interface.parts.thrust import Thrust
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.interface.parts.torque import Torque
from knuckleboom.interface.parts.winch import Winch

PARTS: tuple[type[Part], ...] = (
    Spring,
    Damper,
    Rope,
    JointSpring,
    JointFriction,
    JointStop,
    Effort,
    Force,
    Torque,
    Thrust,
    JointServo,
    LengthServo,
    Contact,
    Tire,
    Payload,
    Cylinder,
    SingleActingCylinder,
    TelescopicCylinder,
    Motor,
    Winch,
    ShaftSpring,
    EngineDroop,
    OilColumn,
)

__all__ = [
    "PARTS", "Contact", "Cylinder", "Damper", "Effort", "EngineDroop", "Force", "JointFriction", "JointServo",
    "JointSpring", "JointStop", "LengthServo", "Motor", "OilColumn", "Payload", "Rope", "ShaftSpring",
    "SingleActingCylinder", "Spring", "TelescopicCylinder", "Thrust", "Tire", "Torque", "Winch",
]  # fmt: skip
