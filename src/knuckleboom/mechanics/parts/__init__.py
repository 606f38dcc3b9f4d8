# SPDX-License-Identifier: BSD-3-Clause
"""The mechanical parts a user can name, one line each."""

from knuckleboom.describe import Part
from knuckleboom.mechanics.parts.attachment import Attachment
from knuckleboom.mechanics.parts.body import Body
from knuckleboom.mechanics.parts.cylindrical import Cylindrical
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.fixed import Fixed
from knuckleboom.mechanics.parts.free import Free
from knuckleboom.mechanics.parts.gear import Gear
from knuckleboom.mechanics.parts.gear_stage import GearStage
from knuckleboom.mechanics.parts.ground import Ground
from knuckleboom.mechanics.parts.held_sum import HeldSum
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.planar import Planar
from knuckleboom.mechanics.parts.prismatic import Prismatic
from knuckleboom.mechanics.parts.revolute import Revolute
from knuckleboom.mechanics.parts.rod import Rod
from knuckleboom.mechanics.parts.shaft import Shaft
from knuckleboom.mechanics.parts.shaft_of import ShaftOf
from knuckleboom.mechanics.parts.shafting import Moving, Shafting
from knuckleboom.mechanics.parts.shape import Shape
from knuckleboom.mechanics.parts.spherical import Spherical
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.mechanics.parts.universal import Universal

PARTS: tuple[type[Part], ...] = (
    Body,
    Fixed,
    Revolute,
    Prismatic,
    Cylindrical,
    Universal,
    Spherical,
    Planar,
    Free,
    Rod,
    Gear,
    Driver,
    Shaft,
    ShaftOf,
    GearStage,
    HeldSum,
    Shape,
    Attachment,
    Terrain,
)

__all__ = [
    "PARTS", "Attachment", "Body", "Cylindrical", "Driver", "Fixed", "Free", "Gear", "GearStage", "Ground", "HeldSum",
    "Joint", "Moving", "Planar", "Prismatic", "Revolute", "Rod", "Shaft", "ShaftOf", "Shafting", "Shape", "Spherical",
    "Terrain", "Universal",
]  # fmt: skip
