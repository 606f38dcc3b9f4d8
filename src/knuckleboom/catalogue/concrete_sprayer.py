# SPDX-License-Identifier: BSD-3-Clause
"""Concrete sprayer: a boom for tunnels that carries and turns the nozzle, on a frame that is the ground.

A generic machine of this class; not a maker's data. Sizes, masses and speeds are our own, within what such booms have:
reach of 7 to 11 m, 1.6 t with the concrete line, 71 l/min at 210 bar from an electric motor; at full lever it slews by
8 °/s, lifts by 4 °/s, and each telescope goes out by 0.1 m/s. Counts are those of
[Baharudin 2016, table 4.1], which says nothing of sizes and joints:

    11 bodies, 66 generalised and 12 joint coordinates, 2 loop equations, 10 degrees of freedom; the frame is the ground
    bodies  coordinates
       2         2       turret (slews about z), boom (lifts about −y, so that positive lifts)
       2         2       telescopes in the boom
       2         2       barrel and rod of the lift cylinder; its rod-end pin is the cut joint and adds 2 equations
       2         2       head (tilts about −y and keeps the lance level), swing (about z)
       1         2       lance: slides and rolls in the swing, a cylindrical joint
       2         2       bracket (tilts the nozzle about −y), nozzle (wobbles about x, 8° off that axis)

Oil     boom  load-sensing pump, four compensated sections: slew motor with shock valves, lift cylinder with
              counterbalance valve, both telescopes
        head  pressure-compensated pump, six throttling 4/3 valves: head tilt, swing with shock valves, lance, roll,
              nozzle tilt, wobble
Inputs  <function>_valve, −1 to 1, of slew, lift, telescope_1, telescope_2, tilt, swing, lance, roll, nozzle, wobble;
        jet, the recoil of the concrete, N: a force that the cycle scripts; no concrete flows or lands
Cycle   20 s: nozzle wobbles under the recoil, the lance swings to and fro, boom, telescopes and slew move it from strip
        to strip and back. Axes: x forward, y left, z up.

Spools without a float centre are tight at rest, as with pilot checks behind them. Galleries and sensing lines are taken
with their hoses and compensators are soft, so that rk4 is stable with the published step of 0.8 ms.
Validated by: validation/analytic/test_concrete_sprayer.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.constant_pressure import constant_pressure
from knuckleboom.catalogue.load_sensing import FLOATING, OVERLAP, TANK, LoadSensing, shock_valves, standby_pressure
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.standing_cylinder import holding_pressures
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.describe import Place
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

# start pose: lance level, nozzle up and forward
BOOM, HEAD, NOZZLE = math.radians(20.0), math.radians(-20.0), math.radians(60.0)
TELESCOPE_1, TELESCOPE_2, LANCE = 0.5, 0.4, 0.3  # m

# where joints sit on the part that carries them, m
TURRET_AT = (0.0, 0.0, 0.9)  # on the frame
BOOM_AT = (-0.35, 0.0, 1.45)  # on the turret
TELESCOPE_1_AT = (0.30, 0.0, 0.0)  # on the boom
TELESCOPE_2_AT = (0.25, 0.0, 0.0)  # on the first telescope
HEAD_AT = (3.15, 0.0, 0.0)  # on the second telescope
SWING_AT = (0.30, 0.0, -0.20)  # on the head
LANCE_AT = (0.0, 0.0, -0.22)  # on the swing
BRACKET_AT = (1.70, 0.0, 0.0)  # on the lance
NOZZLE_AT = (0.20, 0.0, 0.0)  # on the bracket
MUZZLE = 0.45  # m, from the wobble bearing to where the concrete leaves
WOBBLE = math.radians(8.0)  # half angle of the nozzle's cone

# cylinders: bore, rod, stroke, length when retracted, m; foot on the carrier and eye on the carried part
LIFT, LIFT_FOOT, LIFT_EYE = (0.100, 0.060, 0.82, 1.105), (0.20, 0.0, 0.10), (0.735, 0.0, -0.15)
TELESCOPE, TELESCOPE_FOOT = (0.063, 0.045, 2.0, 2.3), 0.15
TILT, TILT_FOOT, TILT_EYE = (0.063, 0.036, 0.34, 0.570), (2.41, 0.0, 0.13), (-0.068, 0.0, 0.188)
LANCE_RAM, LANCE_FOOT = (0.040, 0.025, 1.2, 1.45), (-0.80, 0.0, 0.0)
SEALS = {"coulomb": 400.0, "breakaway": 600.0, "bristle_stiffness": 2e6, "bristle_damping": 2e4, "viscous": 2000.0}
CUSHIONS = {"cushion_in": 0.04, "cushion_out": 0.04}

# motors: oil per angle of their joint, with gears and racks, m³/rad
SLEW_OIL, SWING_OIL, ROLL_OIL, NOZZLE_OIL, WOBBLE_OIL = 1.0e-3, 1.0e-4, 3e-5, 3e-5, 8e-6

BULK = 1.0e9  # Pa: oil with the usual air in it
BOOM_RATED, HEAD_RATED = 210e5, 140e5  # Pa
BACK = 15e5  # Pa, on the side of a closed chamber that does not carry
JET = 250.0  # N: 18 t/h of concrete at 50 m/s

LEVERS = {
    "wobble_valve": {0.0: 0.0, 0.5: 0.9, 19.0: 0.0},
    "jet": {0.0: 0.0, 1.5: JET, 18.5: 0.0},
    "swing_valve": {0.0: 0.0, 1.5: 0.7, 2.8: -0.7, 5.4: 0.7, 8.0: -0.7, 10.6: 0.7, 13.2: -0.7, 15.8: 0.7, 17.1: 0.0},
    "telescope_1_valve": {0.0: 0.0, 2.5: 0.9, 6.0: 0.0, 13.0: -0.9, 14.7: 0.0},
    "telescope_2_valve": {0.0: 0.0, 5.0: 0.9, 8.0: 0.0, 11.5: -0.9, 13.0: 0.0},
    "lift_valve": {0.0: 0.0, 4.0: 0.7, 8.0: 0.0, 11.0: -0.7, 13.6: 0.0},
    "tilt_valve": {0.0: 0.0, 4.0: 0.27, 8.0: 0.0, 11.0: -0.45, 15.0: 0.0},
    "slew_valve": {0.0: 0.0, 6.0: 0.7, 9.0: 0.0, 14.0: -0.7, 17.0: 0.0},
    "lance_valve": {0.0: 0.0, 8.0: 0.6, 11.0: 0.0, 14.0: -0.6, 17.8: 0.0},
    "roll_valve": {0.0: 0.0, 9.0: 0.6, 11.0: -0.6, 13.0: 0.0},
    "nozzle_valve": {0.0: 0.0, 6.0: -0.6, 7.0: 0.0, 15.0: 0.6, 16.0: 0.0},
}
"""Times and values of the spraying cycle."""


def concrete_sprayer() -> Case:
    """Return the sprayer at rest, lance level, with a spraying cycle of 20 s."""
    m = Machine("concrete-sprayer")
    _boom(m)
    _head(m)
    _lift_bodies(m, StartPose(m))
    _look(m)
    pose = StartPose(m)
    oil = m.oil("oil", mineral_oil(bulk=BULK))
    _boom_oil(m, oil, pose)
    _head_oil(m, oil, pose)
    m.cite = "baharudin2016"
    return m.case(
        "spray",
        duration=20.0,
        step=1e-3,
        meaning="concrete sprayer of 11 bodies with its hydraulics, on a fixed frame; the jet is a scripted force",
        inputs=LEVERS,
    )


def _boom(m: Machine) -> None:
    """Turret, boom and telescopes, with the frame to look at."""
    turret = m.body("turret", mass=420.0, com=(0.0, 0.0, 0.6), inertia=box(420.0, (0.7, 0.6, 1.4)))
    m.revolute("slew", m.ground.at(TURRET_AT), turret, axis="z")
    boom = m.body("boom", mass=480.0, com=(1.6, 0.0, 0.0), inertia=box(480.0, (3.5, 0.3, 0.36)))
    m.revolute("boom_hinge", turret.at(BOOM_AT), boom, axis="-y", start=BOOM)
    outer = m.body("telescope_1", mass=230.0, com=(1.5, 0.0, 0.0), inertia=box(230.0, (3.2, 0.24, 0.28)))
    m.prismatic("telescope_1_slide", boom.at(TELESCOPE_1_AT), outer, axis="x", start=TELESCOPE_1)
    inner = m.body("telescope_2", mass=170.0, com=(1.6, 0.0, 0.0), inertia=box(170.0, (3.1, 0.18, 0.22)))
    inner.point("tip", HEAD_AT)
    m.prismatic("telescope_2_slide", outer.at(TELESCOPE_2_AT), inner, axis="x", start=TELESCOPE_2)


def _head(m: Machine) -> None:
    """Head, swing, lance, bracket and nozzle."""
    head = m.body("head", mass=70.0, com=(0.15, 0.0, -0.05), inertia=box(70.0, (0.5, 0.25, 0.4)))
    m.revolute("head_hinge", m["telescope_2"].at(HEAD_AT), head, axis="-y", start=HEAD)
    swing = m.body("swing", mass=60.0, com=(0.0, 0.0, -0.18), inertia=box(60.0, (0.8, 0.2, 0.25)))
    m.revolute("swing_bearing", head.at(SWING_AT), swing, axis="z")
    lance = m.body("lance", mass=65.0, com=(0.7, 0.0, 0.0), inertia=box(65.0, (1.9, 0.15, 0.15)))
    m.cylindrical("lance_slide", swing.at(LANCE_AT), lance, axis="x", start=(LANCE, 0.0))
    bracket = m.body("bracket", mass=18.0, com=(0.08, 0.0, 0.0), inertia=box(18.0, (0.25, 0.2, 0.2)))
    m.revolute("nozzle_hinge", lance.at(BRACKET_AT), bracket, axis="-y", start=NOZZLE)
    aside = 0.5 * MUZZLE * math.sin(WOBBLE)
    nozzle = m.body(
        "nozzle", mass=12.0, com=(0.5 * MUZZLE * math.cos(WOBBLE), 0.0, aside), inertia=box(12.0, (MUZZLE, 0.1, 0.1))
    )
    nozzle.frame("muzzle", at=(MUZZLE * math.cos(WOBBLE), 0.0, MUZZLE * math.sin(WOBBLE)), rpy=(0.0, -WOBBLE, 0.0))
    m.revolute("wobble", bracket.at(NOZZLE_AT), nozzle, axis="x")
    m.force("jet", "nozzle.muzzle", "-x", frame="body")


def _lift_bodies(m: Machine, pose: StartPose) -> None:
    """Barrel and rod of the lift cylinder, in line from foot to eye."""
    base, end = m["turret"].at(LIFT_FOOT), m["boom"].at(LIFT_EYE)
    foot, eye = pose.world(base), pose.world(end)
    bore, rod_bore, _, closed = LIFT
    barrel = m.body("lift_barrel", mass=55.0, com=(0.45, 0.0, 0.0), inertia=box(55.0, (0.95, bore, bore)))
    aim = math.atan2(eye[2] - foot[2], eye[0] - foot[0])
    m.revolute("lift_foot", base, barrel, axis="-y", start=aim)
    # x from the retracted piston to the eye
    rod = m.body("lift_rod", mass=30.0, com=(0.6, 0.0, 0.0), inertia=box(30.0, (0.95, rod_bore, rod_bore)))
    rod.point("eye", (closed, 0.0, 0.0))
    m.prismatic("lift_stroke", barrel, rod, axis="x", start=pose.distance(base, end) - closed)
    m.revolute("lift_pin", "lift_rod.eye", end, axis="-y", cut=True)


def _boom_oil(m: Machine, oil: Handle, pose: StartPose) -> None:
    """Load-sensing circuit of slew, lift and telescopes."""
    tank = oil.tank("tank", TANK)
    supply = oil.junction("supply", "4 l", TANK + standby_pressure(BOOM_RATED))
    sensing = ("1 l/min", "5 bar")
    spool = {"frequency": "6 Hz", "damping": 1.0, "overlap": OVERLAP, "ls_flow": sensing}
    block = LoadSensing(oil, tank, supply, gallery="0.6 l", spool=spool)
    slew = m.motor(
        "slew_motor", "slew", displacement=SLEW_OIL, oil=oil, dead_a="0.6 l", dead_b="0.6 l", pressure_a=BACK,
        pressure_b=BACK, viscous=2000.0, coulomb=400.0, friction_speed=0.02, leak=2e-13,
    )  # fmt: skip
    _guard(oil, tank, "slew", slew, flow="30 l/min", setting=100e5)
    block.section("slew", slew.a, slew.b, flow="9 l/min", leak=0.0)

    bore, rod, stroke, closed = LIFT
    force = pose.ram_force("boom_hinge", "lift", m["turret"].at(LIFT_FOOT), m["boom"].at(LIFT_EYE))
    pressures = holding_pressures(force, bore, rod, TANK)
    lift = m.cylinder(
        "lift", "lift_barrel", "lift_rod.eye", bore=bore, rod=rod, stroke=stroke, closed=closed, oil=oil,
        dead_a="0.3 l", dead_b="0.8 l", pressure_a=pressures[0], pressure_b=pressures[1], **SEALS, **CUSHIONS,
    )  # fmt: skip
    line = oil.junction("lift_line", "0.8 l", TANK)
    oil.counterbalance_valve(
        "lift_holding", lift.a, line, x=lift.b, flow=("40 l/min", "20 bar"), setting="150 bar", ratio=3.0,
        override="60 bar", free_flow=("40 l/min", "6 bar"), full="4 bar",
    )  # fmt: skip
    oil.anti_cavitation_valve("lift_suction", tank, lift.b, flow=("12 l/min", "2 bar"), full="0.5 bar")
    block.section("lift", line, lift.b, flow="24 l/min", **FLOATING)

    for number, carrier, at in ((1, "boom", TELESCOPE_1_AT), (2, "telescope_1", TELESCOPE_2_AT)):
        name = f"telescope_{number}"
        foot = m[carrier].at(TELESCOPE_FOOT, 0.0, 0.0)
        eye = m[name].at(TELESCOPE[3] + TELESCOPE_FOOT - at[0], 0.0, 0.0)
        ram = _ram(m, f"{name}_ram", foot, eye, TELESCOPE, oil, pose.effort(f"{name}_slide"), dead="0.6 l")
        block.section(name, ram.a, ram.b, flow="20 l/min", leak=0.0)
    block.pump(
        block.highest(volume="0.1 l", flow=sensing), displacement="48 cm3/rev", speed="1480 rpm", cutoff=BOOM_RATED,
        relief=BOOM_RATED + 15e5, flow="100 l/min", time_constant="30 ms",
    )  # fmt: skip


def _head_oil(m: Machine, oil: Handle, pose: StartPose) -> None:
    """Throttled circuit of head tilt, swing, lance, roll, nozzle tilt and wobble, on a pump of its own."""
    supply, tank = constant_pressure(
        oil, "head", rated=HEAD_RATED, size="2 l", displacement="16 cm3/rev", speed="1480 rpm"
    )

    def valve(name: str, ports: Handle, flow: str) -> None:
        oil.valve_4_3(
            f"{name}_valve", P=supply, T=tank, A=ports.a, B=ports.b, flow=(flow, "70 bar"), time_constant="30 ms",
            overlap=0.05, leak=0.0,
        )  # fmt: skip

    for name, joint, coordinate, displacement, flow, drag in (
        ("swing", "swing_bearing", 0, SWING_OIL, "4 l/min", 150.0),
        ("roll", "lance_slide", 1, ROLL_OIL, "1.5 l/min", 40.0),
        ("nozzle", "nozzle_hinge", 0, NOZZLE_OIL, "1.5 l/min", 40.0),
        ("wobble", "wobble", 0, WOBBLE_OIL, "5 l/min", 3.0),
    ):  # fmt: skip
        torque = pose.effort(joint) if name == "nozzle" else 0.0
        motor = m.motor(
            f"{name}_motor", joint, coordinate=coordinate, displacement=displacement, oil=oil, dead_a="0.3 l",
            dead_b="0.3 l", pressure_a=BACK + max(torque, 0.0) / displacement,
            pressure_b=BACK - min(torque, 0.0) / displacement, viscous=drag, coulomb=0.2 * drag, friction_speed=0.05,
        )  # fmt: skip
        valve(name, motor, flow)
        if name == "swing":
            _guard(oil, tank, name, motor, flow="8 l/min", setting=HEAD_RATED)
    foot, eye = m["telescope_2"].at(TILT_FOOT), m["head"].at(TILT_EYE)
    force = pose.effort("head_hinge") / pose.lever("head_hinge", foot, eye)
    valve("tilt", _ram(m, "tilt", foot, eye, TILT, oil, force, dead="0.4 l"), "5 l/min")
    foot, eye = m["swing"].at(LANCE_FOOT), m["lance"].at(LANCE_RAM[3] + LANCE_FOOT[0], 0.0, 0.0)
    valve("lance", _ram(m, "lance_ram", foot, eye, LANCE_RAM, oil, 0.0, dead="0.3 l"), "8 l/min")
    m.joint_stop("swing_stop", "swing_bearing", lower="-120 deg", upper="120 deg", stiffness=2e5, damping=2.0)
    m.joint_stop("nozzle_stop", "nozzle_hinge", lower="-120 deg", upper="120 deg", stiffness=2e4, damping=2.0)


def _guard(oil: Handle, tank: Handle, name: str, motor: Handle, *, flow: str, setting: float) -> None:
    """Guard both ports of a motor that an inertia drives on when its valve has closed."""
    ports = {f"{name}_shock_a": motor.a, f"{name}_shock_b": motor.b}
    shock_valves(
        oil, tank, ports, setting=setting, flow=(flow, setting + 20e5), suction=(flow, "2 bar"), cracking="0.1 bar"
    )


def _ram(
    m: Machine, name: str, foot: Place, eye: Place, sizes: tuple[float, float, float, float], oil: Handle,
    force: float, dead: str,
) -> Handle:  # fmt: skip
    """Add a massless cylinder whose closed chambers carry a force at rest."""
    bore, rod, stroke, closed = sizes
    pressure_a, pressure_b = holding_pressures(force, bore, rod, BACK)
    return m.cylinder(
        name, foot, eye, bore=bore, rod=rod, stroke=stroke, closed=closed, oil=oil, dead_a=dead, dead_b=dead,
        pressure_a=pressure_a, pressure_b=pressure_b, **SEALS, **CUSHIONS,
    )  # fmt: skip


def _look(m: Machine) -> None:
    """What the machine looks like; the carrier under the boom is drawn only, it is the ground."""
    across, along = (0.5 * math.pi, 0.0, 0.0), (0.0, 0.5 * math.pi, 0.0)
    frame, turret = m.ground, m["turret"]
    frame.shape("box", size=(5.6, 1.6, 0.5), at=(-2.3, 0.0, 0.62), colour="orange")
    frame.shape("box", size=(1.4, 1.7, 1.5), at=(-1.6, 0.0, 1.6), colour="orange")  # cabin
    frame.shape("box", size=(1.1, 1.75, 0.7), at=(-1.55, 0.0, 1.85), colour="lightblue")  # its windows
    frame.shape("box", size=(2.6, 1.7, 0.9), at=(-3.75, 0.0, 1.3), colour="orange")  # pumps and motor
    for x, y in ((-0.6, 0.85), (-0.6, -0.85), (-3.9, 0.85), (-3.9, -0.85)):
        frame.shape("cylinder", size=(0.55, 0.4), at=(x, y, 0.55), rpy=across, colour="black")
    for x, y in ((0.3, 1.25), (0.3, -1.25), (-4.9, 1.1), (-4.9, -1.1)):
        frame.shape("box", size=(0.18, 0.9, 0.18), at=(x, 0.7 * y, 0.6), colour="grey")
        frame.shape("cylinder", size=(0.07, 0.6), at=(x, y, 0.32), colour="grey")
        frame.shape("cylinder", size=(0.22, 0.05), at=(x, y, 0.025), colour="grey")

    turret.shape("cylinder", size=(0.42, 0.16), at=(0.0, 0.0, 0.06), colour="grey")
    turret.shape("box", size=(0.5, 0.5, 0.5), at=(0.0, 0.0, 0.3), colour="orange")
    for side in (0.24, -0.24):
        turret.shape("box", size=(0.45, 0.06, 1.25), at=(-0.25, side, 1.0), colour="orange")
        turret.shape("box", size=(0.4, 0.06, 0.2), at=(0.15, side, 0.12), colour="orange")
    for name, length, wide, high, colour in (
        ("boom", 3.45, 0.30, 0.36, "orange"), ("telescope_1", 3.2, 0.24, 0.28, "lightgrey"),
        ("telescope_2", 3.1, 0.18, 0.22, "lightgrey"),
    ):  # fmt: skip
        m[name].shape("box", size=(length, wide, high), at=(0.5 * length, 0.0, 0.0), colour=colour)
    m["boom"].shape("box", size=(0.3, 0.2, 0.2), at=(LIFT_EYE[0], 0.0, -0.2), colour="grey")
    m["telescope_2"].shape("box", size=(0.2, 0.22, 0.26), at=HEAD_AT, colour="grey")
    barrel, rod = m["lift_barrel"], m["lift_rod"]
    barrel.shape("cylinder", size=(0.065, 0.95), at=(0.475, 0.0, 0.0), rpy=along, colour="grey")
    rod.shape("cylinder", size=(0.5 * LIFT[1], 1.0), at=(LIFT[3] - 0.5, 0.0, 0.0), rpy=along, colour="lightgrey")

    m["head"].shape("box", size=(0.45, 0.16, 0.16), at=(0.15, 0.0, -0.05), colour="orange")
    m["head"].shape("cylinder", size=(0.12, 0.2), at=(0.30, 0.0, -0.12), colour="grey")
    m["swing"].shape("box", size=(1.1, 0.2, 0.2), at=(-0.2, 0.0, LANCE_AT[2]), colour="orange")
    m["swing"].shape("cylinder", size=(0.10, 0.2), at=(0.0, 0.0, -0.08), colour="grey")
    m["lance"].shape("cylinder", size=(0.065, 2.2), at=(0.6, 0.0, 0.0), rpy=along, colour="lightgrey")
    m["bracket"].shape("box", size=(0.3, 0.16, 0.16), at=(0.08, 0.0, 0.0), colour="orange")
    m["nozzle"].shape("cylinder", size=(0.09, 0.08), at=(0.02, 0.0, 0.0), rpy=along, colour="grey")
    middle = (0.5 * MUZZLE * math.cos(WOBBLE), 0.0, 0.5 * MUZZLE * math.sin(WOBBLE))
    m["nozzle"].shape(
        "cylinder", size=(0.04, MUZZLE), at=middle, rpy=(0.0, 0.5 * math.pi - WOBBLE, 0.0), colour="black"
    )
