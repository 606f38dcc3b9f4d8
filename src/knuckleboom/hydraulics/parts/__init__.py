# SPDX-License-Identifier: BSD-3-Clause
"""The hydraulic parts a user can name, one line each."""

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts.check_valve import CheckValve
from knuckleboom.hydraulics.parts.flow_source import FlowSource
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.hydraulics.parts.pressure import Pressure
from knuckleboom.hydraulics.parts.relief_valve import ReliefValve
from knuckleboom.hydraulics.parts.restrictor import Restrictor
from knuckleboom.hydraulics.parts.tank import Tank
from knuckleboom.hydraulics.parts.valve_4_3 import ValveFourThree
from knuckleboom.hydraulics.parts.volume import Volume

PARTS: tuple[type[Part], ...] = (
    Oil,
    Pressure,
    FlowSource,
    Tank,
    Volume,
    Restrictor,
    CheckValve,
    ReliefValve,
    ValveFourThree,
)

__all__ = [
    "PARTS", "CheckValve", "FlowSource", "Oil", "Pressure", "ReliefValve", "Restrictor", "Tank", "ValveFourThree",
    "Volume",
]  # fmt: skip
