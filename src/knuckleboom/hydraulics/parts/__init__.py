# SPDX-License-Identifier: BSD-3-Clause
"""The hydraulic parts a user can name, one line each."""

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts.anti_cavitation_valve import AntiCavitationValve
from knuckleboom.hydraulics.parts.bypass_flow_control import BypassFlowControl
from knuckleboom.hydraulics.parts.cartridge_valve import CartridgeValve
from knuckleboom.hydraulics.parts.check_valve import CheckValve
from knuckleboom.hydraulics.parts.counterbalance_valve import CounterbalanceValve
from knuckleboom.hydraulics.parts.flow_control import FlowControl
from knuckleboom.hydraulics.parts.flow_divider import FlowDivider
from knuckleboom.hydraulics.parts.flow_source import FlowSource
from knuckleboom.hydraulics.parts.laminar_restrictor import LaminarRestrictor
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.hydraulics.parts.pilot_check import PilotCheck
from knuckleboom.hydraulics.parts.pilot_relief_valve import PilotReliefValve
from knuckleboom.hydraulics.parts.post_compensator import PostCompensator
from knuckleboom.hydraulics.parts.pressure import Pressure
from knuckleboom.hydraulics.parts.pressure_compensator import PressureCompensator
from knuckleboom.hydraulics.parts.priority_valve import PriorityValve
from knuckleboom.hydraulics.parts.reducing_valve import ReducingValve
from knuckleboom.hydraulics.parts.relief_valve import ReliefValve
from knuckleboom.hydraulics.parts.restrictor import Restrictor
from knuckleboom.hydraulics.parts.sequence_valve import SequenceValve
from knuckleboom.hydraulics.parts.shock_valve import ShockValve
from knuckleboom.hydraulics.parts.shuttle_valve import ShuttleValve
from knuckleboom.hydraulics.parts.tank import Tank
from knuckleboom.hydraulics.parts.throttle_check import ThrottleCheck
from knuckleboom.hydraulics.parts.unloading_valve import UnloadingValve
from knuckleboom.hydraulics.parts.valve_2_2 import ValveTwoTwo
from knuckleboom.hydraulics.parts.valve_3_2 import ValveThreeTwo
from knuckleboom.hydraulics.parts.valve_4_2 import ValveFourTwo
from knuckleboom.hydraulics.parts.valve_4_3 import ValveFourThree
from knuckleboom.hydraulics.parts.valve_6_3 import ValveSixThree
from knuckleboom.hydraulics.parts.volume import Volume

PARTS: tuple[type[Part], ...] = (
    Oil,
    Pressure,
    FlowSource,
    Tank,
    Volume,
    Restrictor,
    LaminarRestrictor,
    ThrottleCheck,
    CheckValve,
    AntiCavitationValve,
    PilotCheck,
    ShuttleValve,
    CartridgeValve,
    ReliefValve,
    PilotReliefValve,
    ShockValve,
    ReducingValve,
    SequenceValve,
    UnloadingValve,
    CounterbalanceValve,
    PressureCompensator,
    PostCompensator,
    FlowControl,
    BypassFlowControl,
    PriorityValve,
    FlowDivider,
    ValveTwoTwo,
    ValveThreeTwo,
    ValveFourTwo,
    ValveFourThree,
    ValveSixThree,
)

__all__ = [
    "PARTS", "AntiCavitationValve", "BypassFlowControl", "CartridgeValve", "CheckValve", "CounterbalanceValve",
    "FlowControl", "FlowDivider", "FlowSource", "LaminarRestrictor", "Oil", "PilotCheck", "PilotReliefValve",
    "PostCompensator", "Pressure", "PressureCompensator", "PriorityValve", "ReducingValve", "ReliefValve",
    "Restrictor", "SequenceValve", "ShockValve", "ShuttleValve", "Tank", "ThrottleCheck", "UnloadingValve",
    "ValveFourThree", "ValveFourTwo", "ValveSixThree", "ValveThreeTwo", "ValveTwoTwo", "Volume",
]  # fmt: skip
