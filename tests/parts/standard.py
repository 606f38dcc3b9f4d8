# SPDX-License-Identifier: BSD-3-Clause
"""A small standard machine for every kind of part, with inputs that move: what the batteries over all parts run.

`STANDARD` is the table: a new kind adds its line. The part is called "it", but for `NAME`. Time constants are some
milliseconds, so that explicit steps of 20 µs are fine ones, and implicit steps of a quarter of a millisecond still
resolve everything. Inputs jump at multiples of 5 ms, never within a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import knuckleboom as kb
from knuckleboom.mechanics.joints import JOINTS

FREE = {"com": (0.1, 0.2, 0.3), "inertia": (1.0, 1.5, 2.0)}
SMALL = ("5 l/min", "35 bar")
WIDE = ("10 l/min", "4 bar")
INNER = {"volume": "0.2 l", "pressure": "20 bar"}
LOST = {"volumetric_efficiency": 0.95, "mechanical_efficiency": 0.9, "rated_pressure": "150 bar"}
PUMP = {"displacement": "4 cm3/rev", "speed": "1500 rpm", **LOST}

SUPPLY = kb.steps({"0 s": "100 bar", "5 ms": "12 bar", "10 ms": "90 bar", "15 ms": "60 bar"})
"""Pressure of the supply: it falls below that of what it feeds, so that every flow turns."""
SPOOL = kb.steps({"0 s": 0.8, "5 ms": -0.6, "10 ms": 0.0, "15 ms": 0.3})
SWITCH = kb.steps({"0 s": 1.0, "5 ms": 0.0, "10 ms": 0.7})
FORCE = kb.steps({"0 s": 10.0, "5 ms": -20.0, "10 ms": 5.0})
SPEED = kb.steps({"0 s": 0.4, "5 ms": -0.3, "10 ms": 0.2})
MASS = kb.steps({"0 s": 10.0, "5 ms": 2.0, "10 ms": 5.0})


class Standard(NamedTuple):
    """A machine and the inputs that move it; the part in question is called "it"."""

    machine: kb.Machine
    inputs: dict[str, Any]


Builder = Callable[[], Standard]

# --- mechanisms -------------------------------------------------------------------------------------------------------


def block(start: float = 1.0, speed: float = 0.5) -> tuple[kb.Machine, Any]:
    """A body that slides along x, at `start` from the ground's origin."""
    m = kb.Machine("block")
    body = m.body("block", mass=2.0, **FREE)
    m.prismatic("slide", m.ground, body, axis="x", start=start, speed=speed)
    return m, body


def with_joint(kind: str) -> Builder:
    """A body that moves in the joint, on a hinge that moves as well."""

    def build() -> Standard:
        m = kb.Machine(kind)
        arm, body = m.body("arm", mass=3.0, **FREE), m.body("body", mass=2.0, **FREE)
        m.revolute("hinge", m.ground, arm, axis="y", speed=1.0)
        size = len(kb.machine.kinds.all_kinds()[kind].COORDINATES)
        getattr(m, kind)("it", arm.at(1, 0, 0), body.at(0, 0.5, 0), start=(0.1,) * size, speed=(0.7,) * size)
        return Standard(m, {})

    return build


def with_body() -> Standard:
    m = kb.Machine("body")
    it = m.body("it", mass=2.0, **FREE)
    it.point_mass("lump", 0.5, (0.3, 0.0, 0.0))
    m.free("flight", m.ground, it, speed=(1.0, 0.0, 2.0, 1.0, 2.0, 3.0))
    return Standard(m, {})


def with_rod() -> Standard:
    m = kb.Machine("rod")
    body = m.body("body", mass=2.0, **FREE)
    m.free("flight", m.ground, body, start=(1.0, 0, 0, 0, 0, 0), speed=(0.0, 1.0, 0.0, 0.5, 0.0, 0.0))
    m.rod("it", m.ground, body)
    return Standard(m, {})


def with_gear() -> Standard:
    m = kb.Machine("gear")
    for name, speed in (("one", 1.0), ("two", -2.0)):
        m.revolute(name, m.ground, m.body(f"{name}_wheel", mass=2.0, **FREE), axis="y", speed=speed)
    m.gear("it", "one", "two", ratio=-2.0)
    return Standard(m, {})


def turning(*speeds: float) -> kb.Machine:
    """Shafts called it, other, …, at these speeds."""
    m = kb.Machine("shafts")
    for name, inertia, speed in zip(("it", "other"), (0.4, 0.7), speeds, strict=True):
        m.shaft(name, inertia, speed=speed)
    return m


def with_shaft() -> Standard:
    m = turning(20.0, -10.0)
    m.shaft_spring("coupling", "it", "other", stiffness=500.0, damping=1.0)
    return Standard(m, {})


def with_shaft_of() -> Standard:
    m = kb.Machine("shaft_of")
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, **FREE), axis="y", speed=3.0)
    m.shaft_of("it", "axle")
    m.shaft("other", 0.5, speed=-4.0)
    m.shaft_spring("coupling", "it", "other", stiffness=500.0, damping=1.0)
    return Standard(m, {})


def with_gear_stage() -> Standard:
    m = kb.Machine("gear_stage")
    for name, inertia, speed in (("one", 0.4, 20.0), ("two", 0.7, -10.0), ("three", 0.2, 5.0)):
        m.shaft(name, inertia, speed=speed)
    m.gear_stage("it", "one", "two", ratio=-0.5)
    m.shaft_spring("coupling", "two", "three", stiffness=500.0, damping=1.0)
    return Standard(m, {})


def with_shaft_spring() -> Standard:
    m = kb.Machine("shaft_spring")
    m.shaft("one", 0.4, speed=20.0)
    m.shaft("two", 0.7, speed=-10.0)
    m.shaft_spring("it", "one", "two", stiffness=500.0, damping=1.0)
    return Standard(m, {})


def with_held_sum() -> Standard:
    """A differential, whose sides are turned back by springs."""
    m = kb.Machine("held_sum")
    for name, inertia, speed in (("cage", 0.4, 5.0), ("left", 0.7, 20.0), ("right", 0.2, -10.0)):
        m.shaft(name, inertia, speed=speed)
    m.held_sum("it", {"cage": 1.0, "left": -0.5, "right": -0.5})
    m.shaft_spring("left_spring", "left", stiffness=300.0, damping=1.0)
    m.shaft_spring("right_spring", "right", stiffness=500.0)
    return Standard(m, {})


def with_spring() -> Standard:
    m, body = block()
    m.spring("it", m.ground, body, stiffness=1e3, rest=0.9, damping=20.0, preload=5.0)
    return Standard(m, {})


def with_rope() -> Standard:
    m, body = block()
    m.rope("it", m.ground, body, stiffness=1e3, length=0.99, damping=0.5)
    return Standard(m, {})


def with_damper() -> Standard:
    m, body = block()
    m.damper("it", m.ground, body, damping=20.0)
    return Standard(m, {})


def with_joint_spring() -> Standard:
    m, _ = block()
    m.joint_spring("it", "slide", stiffness=1e3, rest=0.9, damping=20.0)
    return Standard(m, {})


def with_joint_friction() -> Standard:
    m, _ = block(speed=0.1)
    m.spring("pull", m.ground, "block", stiffness=1e5, rest=0.999)
    bristles = {"breakaway": 5.0, "stribeck_speed": 0.05, "bristle_stiffness": 1e5, "bristle_damping": 100.0}
    m.joint_friction("it", "slide", coulomb=3.0, viscous=2.0, **bristles)
    return Standard(m, {})


def with_joint_stop() -> Standard:
    m, _ = block()
    m.joint_stop("it", "slide", upper=1.005, stiffness=1e5, damping=0.5)
    return Standard(m, {})


def bending(shape: str, attachment: str) -> Standard:
    """A body on a hinge, which bends, with a mass at its end."""
    m = kb.Machine("bending")
    body = m.body("body", mass=2.0, **FREE)
    m.revolute("hinge", m.ground, body, axis="y", speed=1.0)
    m.shape(shape, of=body, stiffness=8e3, damping=5.0, mass=0.2, start=0.002, speed=0.3)
    m.attachment(
        attachment, of=body, at=(1.0, 0, 0), moves={shape: (0, 0.2, 1.0)}, turns={shape: (0.1, -1.4, 0.2)}, mass=1.0
    )  # fmt: skip
    m.force("push", attachment, (1, 2, 3), value=5.0)
    return Standard(m, {"push": FORCE})


def with_shape() -> Standard:
    """The shape of a body that bends."""
    return bending("it", "end")


def with_attachment() -> Standard:
    """The end of a body that bends."""
    return bending("bend", "it")


def with_contact() -> Standard:
    m = kb.Machine("contact")
    body = m.body("body", mass=2.0, **FREE)
    m.free("flight", m.ground, body, start=(0, 0, 0.0999, 0, 0, 0), speed=(0.5, 0.2, -0.1, 0.0, 0.1, 0.5))
    m.terrain("floor")
    m.contact("it", body, box=(0.3, 0.25, 0.2), depth="0.5 mm")
    return Standard(m, {})


def with_terrain() -> Standard:
    m = kb.Machine("terrain")
    m.terrain("it", heights=[[0, 0.1, 0], [0.1, 0, 0.2]], spacing=2.0, areas=[{"corners": [(0, 0), (1, 1)]}])
    body = m.body("body", mass=2.0, **FREE)
    m.free("flight", m.ground, body, start=(1.0, 1.0, 0.45, 0, 0, 0), speed=(0.5, 0.2, -0.1, 0.0, 0.1, 0.5))
    m.contact("foot", body, sphere=0.4, depth="2 mm")
    return Standard(m, {})


def with_tire() -> Standard:
    m = kb.Machine("tire")
    m.terrain("floor")
    wheel = m.body("wheel", mass=2000.0, com=(0, 0.02, 0), inertia=(100.0, 200.0, 100.0))
    m.free("flight", m.ground, wheel, start=(0, 0, 0.58, 0.05, 0, 0.1), speed=(2.0, 0.3, -0.1, 0.0, 4.0, 0.2))
    m.tire("it", wheel, radius="0.6 m", width="0.5 m", load="20 kN")
    return Standard(m, {})


def with_payload() -> Standard:
    m = kb.Machine("payload")
    arm = m.body("arm", mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.2, 0.2))
    m.revolute("foot", m.ground, arm, axis="-y", start=0.3, speed=1.0)
    m.payload("it", arm.at(1.0, 0, 0.1), most=20.0, mass=1.0, box=(0.3, 0.2, 0.1), time_constant="5 ms")
    return Standard(m, {"it": MASS})


def with_driver() -> Standard:
    m, _ = block()
    m.driver("it", "slide", amplitude=0.1, frequency=3.0)
    return Standard(m, {})


def with_effort() -> Standard:
    m, _ = block()
    m.effort("it", "slide", value=10.0)
    return Standard(m, {"it": FORCE})


def with_force() -> Standard:
    m, body = block()
    m.force("it", body.at(0, 0, 1), (1.0, 1.0, 0.0), value=10.0)
    return Standard(m, {"it": FORCE})


def with_thrust() -> Standard:
    m, body = block()
    m.thrust("it", m.ground, body.at(0, 0, 0.4), value=10.0)
    return Standard(m, {"it": FORCE})


def with_joint_servo() -> Standard:
    m, _ = block()
    m.joint_servo("it", "slide", gain=200.0)
    return Standard(m, {"it": SPEED})


def with_length_servo() -> Standard:
    m, body = block()
    m.length_servo("it", m.ground, body.at(0, 0, 0.4), gain=200.0)
    return Standard(m, {"it": SPEED})


def with_torque() -> Standard:
    m = kb.Machine("torque")
    body = m.body("body", mass=2.0, **FREE)
    m.free("flight", m.ground, body, speed=(1.0, 0.0, 2.0, 1.0, 2.0, 3.0))
    m.torque("it", body, (1.0, 1.0, 1.0), frame="body", value=10.0)
    return Standard(m, {"it": FORCE})


# --- circuits ---------------------------------------------------------------------------------------------------------


class Rig:
    """A supply of moving pressure that feeds a line, a tank, and volumes that are joined to it by throttles."""

    def __init__(self, fluid: Any = None) -> None:
        self.machine = kb.Machine("rig")
        self.oil = self.machine.oil("fluid", fluid or kb.fluids.mineral_oil())
        self.supply, self.tank = self.oil.pressure("supply", "100 bar"), self.oil.tank("tank")
        self.line = self.space("line", "60 bar")
        self.throttle("feed", self.supply, self.line, ("20 l/min", "35 bar"))

    def space(self, name: str, pressure: str = "20 bar") -> Any:
        return self.oil.volume(name, "0.2 l", pressure)

    def throttle(self, name: str, a: Any, b: Any, flow: tuple[str, str] = SMALL) -> None:
        self.oil.restrictor(name, a, b, flow=flow)

    def drained(self, name: str, pressure: str = "20 bar") -> Any:
        """A volume with a throttle to the tank."""
        space = self.space(name, pressure)
        self.throttle(f"out_of_{name}", space, self.tank)
        return space

    def done(self, **inputs: Any) -> Standard:
        return Standard(self.machine, {"supply": SUPPLY} | inputs)


def between(kind: str, pilot: str = "", spring: str = "", **settings: Any) -> Builder:
    """A part from the line to a volume; what is called pilot and spring are further volumes at its ports."""

    def build() -> Standard:
        rig = Rig()
        ports = {}
        if pilot:
            ports[pilot] = rig.drained("pilot", "60 bar")
            rig.throttle("into_pilot", rig.supply, ports[pilot])
        if spring:
            ports[spring] = rig.drained("spring", "2 bar")
        getattr(rig.oil, kind)("it", rig.line, rig.drained("behind"), **ports, **settings)
        return rig.done()

    return build


def directional(kind: str, ports: str = "PTAB", command: Any = SPOOL, **settings: Any) -> Builder:
    """A directional valve between the line, the tank and working volumes with a throttle between them."""

    def build() -> Standard:
        rig = Rig()
        at = {"P": rig.line, "T": rig.tank, "A": rig.drained("a"), "C": rig.line, "D": rig.tank}
        if "B" in ports:
            at["B"] = rig.space("b", "10 bar")
            rig.throttle("load", at["A"], at["B"])
        if "S" in ports:
            at["LS"] = rig.space("sensing", "5 bar")
        named = {port: at[port] for port in ("P", "T", "A", "B", "C", "D") if port in ports}
        getattr(rig.oil, kind)("it", **named, **({"LS": at["LS"]} if "S" in ports else {}), flow=SMALL, **settings)
        return rig.done(it=command)

    return build


def with_shuttle_valve() -> Standard:
    rig = Rig()
    rig.oil.shuttle_valve("it", rig.line, rig.drained("other", "50 bar"), flow=SMALL, full="5 bar", **INNER)
    return rig.done()


def with_priority_valve() -> Standard:
    rig = Rig()
    ports = {"P": rig.line, "CF": rig.drained("first"), "EF": rig.drained("second"), "LS": rig.drained("sensing")}
    rig.oil.priority_valve("it", **ports, flow=SMALL, band="5 bar")
    return rig.done()


def with_flow_divider() -> Standard:
    rig = Rig()
    ports = {"a": rig.line, "b": rig.drained("one"), "c": rig.drained("other", "5 bar")}
    rig.oil.flow_divider("it", **ports, flow=SMALL, **INNER)
    return rig.done()


def with_oil(fluid: Any = None) -> Standard:
    """Naya's oil, a pressure source and a volume that fills."""
    m = kb.Machine("oil")
    oil = m.oil("it", kb.fluids.naya())
    supply, tank, volume = oil.pressure("supply", "100 bar"), oil.tank("tank"), oil.volume("volume", "0.2 l", "20 bar")
    oil.restrictor("feed", supply, volume, flow=SMALL)
    oil.restrictor("out", volume, tank, flow=SMALL)
    return Standard(m, {"supply": SUPPLY})


def with_pressure() -> Standard:
    rig = Rig()
    rig.oil.pressure("it", "50 bar")
    rig.throttle("second", "it", rig.line)
    return rig.done(it=kb.steps({"0 s": "50 bar", "5 ms": "20 bar"}))


def with_tank() -> Standard:
    rig = Rig()
    rig.throttle("back", rig.line, rig.oil.tank("it", "5 bar"))
    return rig.done()


def with_volume() -> Standard:
    rig = Rig()
    it = rig.oil.volume("it", "0.2 l", "20 bar", wall="500 MPa")
    rig.throttle("into", rig.line, it)
    return rig.done()


def with_junction() -> Standard:
    rig = Rig()
    it = rig.oil.junction("it", "0.1 l", "20 bar")
    rig.throttle("into", rig.line, it)
    rig.throttle("out", it, rig.tank)
    return rig.done()


def with_line(kind: str, wall: str) -> Builder:
    """A hose or pipe from the line to a throttle."""

    def build() -> Standard:
        rig = Rig()
        it = getattr(rig.oil, kind)("it", rig.line, length="4 m", diameter="8 mm", wall=wall, pressure="20 bar")
        rig.throttle("out", it, rig.tank)
        return rig.done()

    return build


def with_flow_source() -> Standard:
    rig = Rig()
    rig.oil.flow_source("it", rig.tank, rig.drained("fed"), "5 l/min", frequency="30 Hz", damping=0.5)
    return rig.done(it=kb.steps({"0 s": "10 l/min", "5 ms": "-2 l/min", "10 ms": "5 l/min"}))


def pumping(kind: str, command: dict[str, Any] | None = None, **settings: Any) -> Builder:
    """A pump from the tank into the line, whose speed changes."""

    def build() -> Standard:
        rig = Rig()
        ports = {"ls": rig.drained("sensing", "40 bar")} if kind == "load_sensing_pump" else {}
        getattr(rig.oil, kind)("it", rig.tank, rig.line, **PUMP, **ports, **settings)
        return rig.done(**{"it.speed": kb.steps({"0 s": "1500 rpm", "10 ms": "900 rpm"})}, **(command or {}))

    return build


def with_oil_column() -> Standard:
    rig = Rig()
    rig.oil.oil_column("it", "5 m", "1 cm2", a=rig.line, b=rig.drained("behind"), laminar=("10 l/min", "2 bar"),
                       turbulent=("10 l/min", "5 bar"), flow="2 l/min")  # fmt: skip
    return rig.done()


def with_engine_droop() -> Standard:
    """An engine that turns a pump with a torque limiter and losses, and a fixed one."""
    rig = Rig()
    m = rig.machine
    m.shaft("crank", 0.05, speed="1500 rpm")
    m.engine_droop("it", "crank", torque=[["800 rpm", 20.0], ["1400 rpm", 30.0], ["2200 rpm", 22.0]],
                   rated_speed="2000 rpm", setting="1600 rpm", idle="800 rpm", stall="500 rpm", drag=4.0)  # fmt: skip
    size = {key: value for key, value in PUMP.items() if key != "speed"} | {"rated_speed": "1500 rpm"}
    size |= {"shaft": "crank", "friction_share": 0.6}
    rig.oil.pressure_compensated_pump("swashed", rig.tank, rig.line, cutoff="150 bar", torque_limit=3.0,
                                      time_constant="5 ms", **size)  # fmt: skip
    rig.oil.pump("fixed", rig.tank, rig.drained("fed"), **size)
    return rig.done(it=kb.steps({"0 s": "1600 rpm", "5 ms": "1300 rpm", "10 ms": "1800 rpm"}))


def with_accumulator(kind: str) -> Builder:
    """An accumulator on the line, which falls below its precharge."""

    def build() -> Standard:
        rig = Rig()
        settings = {"size": "0.3 l", "precharge": "30 bar", "pressure": "40 bar", "flow": SMALL}
        getattr(rig.oil, kind)("it", rig.line, **settings)
        return rig.done()

    return build


def with_sensor(kind: str, ports: str, **settings: Any) -> Builder:
    """A sensor at the line, between it and a volume, or in the way of the oil."""

    def build() -> Standard:
        rig = Rig()
        at = (rig.line, rig.drained("behind"))[: len(ports)]
        low = {"low": rig.tank} if kind == "power_sensor" else {}
        getattr(rig.oil, kind)("it", *at, **low, **settings)
        if kind.endswith("pressure_sensor"):
            rig.throttle("in_the_way", rig.line, rig.drained("other"))
        return rig.done()

    return build


def carrying(kind: str, **settings: Any) -> Builder:
    """A cylinder that carries a block and is fed through throttles, so that it goes out and in."""

    def build() -> Standard:
        rig = Rig()
        m = rig.machine
        body = m.body("block", mass=200.0, **FREE)
        m.prismatic("slide", m.ground, body, axis="x", start=1.2, speed=0.05)
        words = {"closed": "1 m", "pressure_a": "25 bar", "drain": rig.tank, **settings}
        it = getattr(rig.oil, kind)("it", m.ground, body, **words)
        rig.throttle("into_a", rig.line, it.a, ("20 l/min", "35 bar"))
        if kind == "cylinder":
            rig.throttle("out_of_b", it.b, rig.tank)
        else:
            rig.throttle("out_of_a", it.a, rig.tank)
        return rig.done()

    return build


def with_motor() -> Standard:
    rig = Rig()
    m = rig.machine
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, inertia=(0.02, 0.02, 0.02)), axis="y", speed=5.0)
    it = rig.oil.motor("it", "axle", "20 cm3/rev", pressure_a="30 bar", pressure_b="5 bar", viscous=0.05, coulomb=1.0,
                       leak=1e-12)  # fmt: skip
    rig.throttle("into_a", rig.line, it.a, ("20 l/min", "35 bar"))
    rig.throttle("out_of_b", it.b, rig.tank)
    return rig.done()


def with_winch() -> Standard:
    rig = Rig()
    m = rig.machine
    m.prismatic("rope", m.ground, m.body("load", mass=50.0, inertia=(1.0, 1.0, 1.0)), axis="-z", start=2.0)
    it = rig.oil.winch("it", "rope", "20 cm3/rev", "0.1 m", gear=10.0, falls=2.0, pressure_a="30 bar", viscous=500.0,
                       coulomb=50.0, friction_speed="0.1 m/s", leak=1e-12)  # fmt: skip
    rig.throttle("into_a", rig.line, it.a, ("20 l/min", "35 bar"))
    rig.throttle("out_of_b", it.b, rig.tank)
    return rig.done()


def with_naya_valve() -> Standard:
    case = kb.catalogue.NAMES["naya-rod"]()
    return Standard(case.machine, dict(case.inputs))


FRICTION = {"viscous": 2e3, "coulomb": 200.0, "breakaway": 300.0, "leak": 1e-13}
BRISTLES = {"bristle_stiffness": 1e6, "bristle_damping": 1e3}
TABLE = {"PA": [[0, 0], [0.3, 0.1], [1, 1]]}

STANDARD: dict[str, Builder] = {
    **{kind: with_joint(kind) for kind in JOINTS},
    "body": with_body, "rod": with_rod, "gear": with_gear, "driver": with_driver,
    "shaft": with_shaft, "shaft_of": with_shaft_of, "gear_stage": with_gear_stage, "shaft_spring": with_shaft_spring,
    "engine_droop": with_engine_droop, "oil_column": with_oil_column, "held_sum": with_held_sum,
    "spring": with_spring, "rope": with_rope, "damper": with_damper, "joint_spring": with_joint_spring,
    "joint_friction": with_joint_friction, "joint_stop": with_joint_stop,
    "effort": with_effort, "force": with_force, "torque": with_torque, "thrust": with_thrust,
    "joint_servo": with_joint_servo, "length_servo": with_length_servo, "contact": with_contact,
    "tire": with_tire,
    "terrain": with_terrain,
    "payload": with_payload,
    "shape": with_shape, "attachment": with_attachment,
    # what holds or gives oil
    "oil": with_oil, "pressure": with_pressure, "tank": with_tank, "volume": with_volume, "junction": with_junction,
    "hose": with_line("hose", "300 MPa"), "pipe": with_line("pipe", "1 mm"), "flow_source": with_flow_source,
    "pump": pumping("pump"),
    "variable_pump": pumping("variable_pump", {"it": SWITCH}, setting=0.5),
    "pressure_compensated_pump": pumping("pressure_compensated_pump", cutoff="70 bar"),
    "load_sensing_pump": pumping("load_sensing_pump", cutoff="90 bar"),
    "accumulator": with_accumulator("accumulator"), "piston_accumulator": with_accumulator("piston_accumulator"),
    # throttles and checks
    "restrictor": between("restrictor", area="2 mm^2"),
    "laminar_restrictor": between("laminar_restrictor", flow=SMALL),
    "local_loss": between("local_loss", factor=1.2, diameter="2 mm", transition="2 bar"),
    "filter": between("filter", flow=SMALL, bypass="2 bar", bypass_flow=WIDE),
    "throttle_check": between("throttle_check", flow=SMALL, free_flow=WIDE),
    "check_valve": between("check_valve", flow=SMALL, cracking="1 bar"),
    "anti_cavitation_valve": between("anti_cavitation_valve", flow=SMALL),
    "pilot_check": between("pilot_check", "x", "drain", flow=SMALL),
    "cartridge_valve": between("cartridge_valve", spring="x", flow=SMALL),
    "shuttle_valve": with_shuttle_valve,
    # pressure valves
    "relief_valve": between("relief_valve", flow=SMALL, setting="30 bar", override="20 bar"),
    "pilot_relief_valve": between("pilot_relief_valve", spring="vent", flow=SMALL, setting="30 bar", **INNER),
    "shock_valve": between("shock_valve", flow=SMALL, setting="30 bar", free_flow=WIDE),
    "reducing_valve": between("reducing_valve", spring="drain", flow=SMALL, setting="30 bar", relief="2 bar"),
    "sequence_valve": between("sequence_valve", spring="drain", flow=SMALL, setting="30 bar", free_flow=WIDE),
    "unloading_valve": between("unloading_valve", "x", "drain", flow=SMALL, setting="30 bar"),
    "counterbalance_valve": between(
        "counterbalance_valve", "x", "vent", flow=SMALL, setting="90 bar", ratio=3.0, free_flow=WIDE
    ),
    # flow valves
    "pressure_compensator": between("pressure_compensator", "LS", flow=SMALL, band="5 bar"),
    "post_compensator": between("post_compensator", "LS", flow=SMALL, band="5 bar"),
    "flow_control": between("flow_control", value="3 l/min", free_flow=WIDE, band="4 bar", **INNER),
    "bypass_flow_control": between(
        "bypass_flow_control", spring="T", value="3 l/min", bypass_flow=WIDE, band="4 bar"
    ),
    "flow_divider": with_flow_divider,
    "priority_valve": with_priority_valve,
    # directional valves
    "valve_2_2": directional("valve_2_2", "PA", SWITCH, normally="open"),
    "valve_3_2": directional("valve_3_2", "PTA", SWITCH),
    "valve_4_2": directional("valve_4_2", "PTAB", SWITCH, frequency="60 Hz"),
    "valve_4_3": directional("valve_4_3", "PTABS", time_constant="3 ms", centre="tandem", metering=TABLE),
    "valve_6_3": directional("valve_6_3", "PTABCD", time_constant="3 ms", **INNER),
    "naya_valve": with_naya_valve,
    # sensors
    "pressure_sensor": with_sensor("pressure_sensor", "p", time_constant="5 ms"),
    "differential_pressure_sensor": with_sensor("differential_pressure_sensor", "ab"),
    "flow_sensor": with_sensor("flow_sensor", "ab", drop=SMALL),
    "power_sensor": with_sensor("power_sensor", "ab", drop=SMALL),
    # cylinders and motors
    "cylinder": carrying(
        "cylinder", bore="50 mm", rod="30 mm", stroke="0.4 m", pressure_b="10 bar", rod_leak=1e-13, hose_a="0.1 l",
        hose_bulk="300 MPa", **FRICTION,
    ),
    "single_acting_cylinder": carrying(
        "single_acting_cylinder", bore="40 mm", stroke="0.4 m", spring="20 kN/m", spring_force="500 N", **FRICTION,
        **BRISTLES,
    ),
    "telescopic_cylinder": carrying(
        "telescopic_cylinder", bores=("60 mm", "50 mm"), strokes=("0.2 m", "0.2 m"), efficiency=0.9, viscous=1e3,
        leak=1e-13,
    ),
    "motor": with_motor,
    "winch": with_winch,
}  # fmt: skip
"""Builder of the standard machine of each kind."""
NAME = {"naya_valve": "valve"}
"""What the part is called where that is not "it"."""
