# SPDX-License-Identifier: BSD-3-Clause
"""The hydraulic parts a user can name, one line each."""

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts.accumulator import Accumulator
from knuckleboom.hydraulics.parts.anti_cavitation_valve import AntiCavitationValve
from knuckleboom.hydraulics.parts.bypass_flow_control import BypassFlowControl
from knuckleboom.hydraulics.parts.cartridge_valve import CartridgeValve
from knuckleboom.hydraulics.parts.check_valve import CheckValve
from knuckleboom.hydraulics.parts.counterbalance_valve import CounterbalanceValve
from knuckleboom.hydraulics.parts.differential_pressure_sensor import DifferentialPressureSensor
from knuckleboom.hydraulics.parts.filter import Filter
from knuckleboom.hydraulics.parts.flow_control import FlowControl
from knuckleboom.hydraulics.parts.flow_divider import FlowDivider
from knuckleboom.hydraulics.parts.flow_sensor import FlowSensor
from knuckleboom.hydraulics.parts.flow_source import FlowSource
from knuckleboom.hydraulics.parts.hose import Hose
from knuckleboom.hydraulics.parts.junction import Junction
from knuckleboom.hydraulics.parts.laminar_restrictor import LaminarRestrictor
from knuckleboom.hydraulics.parts.load_sensing_pump import LoadSensingPump
from knuckleboom.hydraulics.parts.local_loss import LocalLoss
from knuckleboom.hydraulics.parts.naya_valve import NayaValve
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.hydraulics.parts.pilot_check import PilotCheck
from knuckleboom.hydraulics.parts.pilot_relief_valve import PilotReliefValve
from knuckleboom.hydraulics.parts.pipe import Pipe
from knuckleboom.hydraulics.parts.piston_accumulator import PistonAccumulator
from knuckleboom.hydraulics.parts.post_compensator import PostCompensator
from knuckleboom.hydraulics.parts.power_sensor import PowerSensor
from knuckleboom.hydraulics.parts.pressure import Pressure
from knuckleboom.hydraulics.parts.pressure_compensated_pump import PressureCompensatedPump
from knuckleboom.hydraulics.parts.pressure_compensator import PressureCompensator
from knuckleboom.hydraulics.parts.pressure_sensor import PressureSensor
from knuckleboom.hydraulics.parts.priority_valve import PriorityValve
from knuckleboom.hydraulics.parts.pump import Pump
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
from knuckleboom.hydraulics.parts.variable_pump import VariablePump
from knuckleboom.hydraulics.parts.volume import Volume

PARTS: tuple[type[Part], ...] = (
    Oil,
    Pressure,
    FlowSource,
    Tank,
    Volume,
    Junction,
    Hose,
    Pipe,
    LocalLoss,
    Filter,
    Pump,
    VariablePump,
    PressureCompensatedPump,
    LoadSensingPump,
    Accumulator,
    PistonAccumulator,
    PressureSensor,
    DifferentialPressureSensor,
    FlowSensor,
    PowerSensor,
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
    NayaValve,
)

__all__ = [
    "PARTS", "Accumulator", "AntiCavitationValve", "BypassFlowControl", "CartridgeValve", "CheckValve",
    "CounterbalanceValve", "DifferentialPressureSensor", "Filter", "FlowControl", "FlowDivider", "FlowSensor",
    "FlowSource", "Hose", "Junction", "LaminarRestrictor", "LoadSensingPump", "LocalLoss", "NayaValve", "Oil",
    "PilotCheck", "PilotReliefValve", "Pipe", "PistonAccumulator", "PostCompensator", "PowerSensor", "Pressure",
    "PressureCompensatedPump", "PressureCompensator", "PressureSensor", "PriorityValve", "Pump", "ReducingValve",
    "ReliefValve", "Restrictor", "SequenceValve", "ShockValve", "ShuttleValve", "Tank", "ThrottleCheck",
    "UnloadingValve", "ValveFourThree", "ValveFourTwo", "ValveSixThree", "ValveThreeTwo", "ValveTwoTwo", "VariablePump",
    "Volume",
]  # fmt: skip
