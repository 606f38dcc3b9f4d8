# SPDX-License-Identifier: BSD-3-Clause
"""Mobile crane with a telescopic boom on four outriggers, with a load on its hook.

A generic machine of this class; not a maker's data. Sizes, masses and speeds are our own, within what cranes of the
40 t class have: 38 t without load, boom of 10.7 to 28.7 m, 6 t on four falls of rope, two lift cylinders
200/140 × 2000 mm, slewing 1 turn a minute, lifting the boom 1.5 °/s, telescoping 0.3 m/s at the head, hook 0.25 m/s,
pump 190 l/min at 260 bar, an engine of 92 kW in the superstructure.

    8 bodies, 14 coordinates, 2 equations of the cables, 12 degrees of freedom; the load is loose, and counted apart
    bodies  coordinates
       1         6       carrier, free: it stands on the plates of its four outriggers, which lift off when it tips
       2         2       superstructure (slews about z), boom (lifts about −y, so that positive lifts)
       3         3       telescope_1 to 3; one cylinder pushes the first, cables carry the others along: two gears of 1
       1         2       rope: direction of the falls, which swing in a cross at the boom's head
       1         1       hook: its block, which slides along the falls

Boom and telescope sections lie along x, with points `root` and `tip`: they are what can become flexible.

Rope    the falls only pull, 5000 kN/m: where more of them is paid out than the hook hangs down, they are slack. Drum,
        gear and motor turn with 20 kg·m². Four slings, which only pull, too, carry the load of 6 t from the block.
        What telescopes pull out of the rope is not taken from its length: the winch's operator would pay it out.
Ground  gravel. A plate sinks in by 10 mm under a quarter of the weight, beams of the outriggers included; at the start,
        which is one of rest, the carrier is level. The ground stops plates, load, block, carrier and the boom's head;
        the load touches block, deck and cab of the carrier, the block the deck.
Engine  92 kW at 1900 rpm (462 N·m), 1.6 kg·m² with its pumps; set to 1950 rpm without load it turns at the rated speed
        under the loads of the cycle. Both pumps at their corners would take 102 kW: the torque limiter of the main one,
        340 N·m of the oil's torque, keeps both together within 0.95 of the engine's
Oil     main  load-sensing pump, three compensated sections: lift (two cylinders, a counterbalance valve on each),
              telescope (counterbalance valve), winch (brake valve on its hoisting side)
        slew  pressure-compensated pump, throttling 4/3 valve, shock valves
Inputs  lift_valve, telescope_valve, winch_valve, slew_valve, −1 to 1: up, out, up, left; engine: speed without load
Cycle   32 s: boom up, slew with the load swinging, telescope out, hook down until the load stands on the ground and the
        rope is slack. Axes: x forward, y left, z up.
Validated by: validation/analytic/test_mobile_crane.py
"""

from __future__ import annotations

import math
from typing import Any

from knuckleboom.catalogue.constant_pressure import constant_pressure
from knuckleboom.catalogue.engines import FRICTION_SHARE, SHAFT, add_engine
from knuckleboom.catalogue.load_sensing import FLOATING, OVERLAP, TANK, LoadSensing, shock_valves, standby_pressure
from knuckleboom.catalogue.resting import frame_loads
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.standing_cylinder import bore_pressure
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

# start pose
BOOM = math.radians(45.0)
OUT, ROPE = 1.5, 11.0  # m: each telescope, and from the boom's head to the hook block

# where joints sit on the part that carries them, m; the carrier's origin is on the ground below the slewing ring
RING_AT = (0.0, 0.0, 1.45)  # on the carrier
BOOM_AT = (-1.60, 0.0, 2.00)  # on the superstructure
TELESCOPES_AT = ((0.6, 0.0, 0.0), (0.4, 0.0, 0.0), (0.4, 0.0, 0.0))  # each on the section before it
HEAD_AT = (9.30, 0.0, 0.0)  # on the last section
SECTIONS = (("boom", 3000.0, 10.2, 0.70), ("telescope_1", 1700.0, 9.6, 0.60), ("telescope_2", 1300.0, 9.4, 0.51),
            ("telescope_3", 950.0, 9.3, 0.43))  # fmt: skip
"""Sections of the boom: name, mass, length, height."""
DECK, DECK_AT = (10.0, 2.4, 0.5), (-0.3, 0.0, 1.1)
CAB, CAB_AT = (1.7, 2.4, 1.5), (4.3, 0.0, 1.6)  # m: the driver's
FEET = {"front_left": (3.2, 3.0), "front_right": (3.2, -3.0), "rear_left": (-3.4, 3.0), "rear_right": (-3.4, -3.0)}
PLATE, SINK = 0.6, 0.01  # m: sides of a plate; how far all four sink in under the weight
LOAD, BLOCK, SLING = 6000.0, 350.0, 2.2  # kg, kg; m from the block to the load's centre
LOAD_SIZE, BLOCK_SIZE = (1.36, 1.36, 1.36), (0.35, 0.3, 0.6)  # m: concrete; the block hangs below its origin
SLING_AT = (0.15, 0.15, 0.6)  # m: where slings are on the block, right, ahead and below its origin
SLING_STIFFNESS, SLING_DAMPING = 3e6, 2.0  # N/m, s/m

# cylinders: bore, rod, stroke, length when retracted, m
LIFT, LIFT_FOOT, LIFT_EYE = (0.200, 0.140, 2.0, 3.02), (-0.90, 0.45, 0.35), (3.50, 0.45, -0.50)
TELESCOPE, TELESCOPE_FOOT = (0.140, 0.115, 6.0, 6.6), 0.3
SEALS = {"coulomb": 1500.0, "breakaway": 2200.0, "bristle_stiffness": 2e7, "bristle_damping": 2e5, "viscous": 2e4}
CUSHIONS = {"cushion_in": 0.06, "cushion_out": 0.06}

# winch: oil of its motor per angle, gear, radius of the drum, falls of rope; m³ of oil per m of hook
WINCH_MOTOR, WINCH_GEAR, WINCH_DRUM, FALLS = 80e-6 / (2.0 * math.pi), 30.0, 0.2, 4.0
ROPE_STIFFNESS, ROPE_DAMPING, DRUM = 5e6, 1.0, 20.0  # N/m of all falls, s/m; kg·m² with gear and motor, at the drum
WINCH_OIL = WINCH_MOTOR * WINCH_GEAR * FALLS / WINCH_DRUM
SLEW_OIL = 5e-3  # m³/rad, with its gear

# counterbalance valves: small pilot ratios and small openings, so that lowering does not swing up with the boom
HOLDING = {"setting": "200 bar", "ratio": 1.5, "override": "200 bar", "full": "3 bar"}
LIFT_HOLDING = HOLDING | {"flow": ("80 l/min", "60 bar"), "free_flow": ("100 l/min", "8 bar")}
TELESCOPE_HOLDING = HOLDING | {"flow": ("100 l/min", "60 bar"), "free_flow": ("100 l/min", "8 bar")}
WINCH_BRAKE = HOLDING | {"flow": ("100 l/min", "60 bar"), "free_flow": ("120 l/min", "8 bar")}

RATED, SLEW_RATED = 260e5, 140e5  # Pa
ENGINE = {"power": 92e3, "rated": 1900.0, "setting": 1950.0, "inertia": 1.6}
ON_SHAFT: dict[str, Any] = {"shaft": SHAFT, "rated_speed": "1900 rpm", "friction_share": FRICTION_SHARE}  # both pumps
TORQUE_LIMIT = 340.0  # N·m, of the main pump
RAMP = "1.5 Hz"  # of the spools, whose pilots have ramps: 95 % after 0.5 s
BACK = 15e5  # Pa, at both sides of the slew motor at rest

LEVERS = {
    "lift_valve": {0.0: 0.0, 0.5: 0.6, 9.4: 0.0},
    "winch_valve": {0.0: 0.0, 1.0: 0.6, 4.0: 0.0, 14.0: -0.9, 24.5: -0.4, 30.0: 0.0},
    "slew_valve": {0.0: 0.0, 5.9: 0.6, 13.0: 0.0},
    "telescope_valve": {0.0: 0.0, 8.8: 0.5, 12.2: 0.0},
}
"""Times and spools of the work cycle; the load swings once in 7.1 s, and slewing takes as long."""


def mobile_crane() -> Case:
    """Return the crane at rest with its load hanging, and a cycle of 32 s."""
    return standing_crane().case(
        "lift",
        duration=32.0,
        step=1e-3,
        meaning="mobile crane of 8 bodies with its hydraulics, on outriggers: lifts a load, slews, and sets it down",
        inputs=LEVERS,
    )


def standing_crane(slew: float = 0.0, out: float = OUT, rope: float = ROPE, load: float = LOAD) -> Machine:
    """The crane at rest: slewed by an angle, rad, telescopes out, hook below the head, m, and a load, kg."""
    m = Machine("mobile-crane")
    _bodies(m, slew, out, rope)
    pose = hanging(slew, out, rope, load)
    _slings(m, slew, load)
    oil = m.oil("oil", mineral_oil())
    _main_oil(m, oil, pose)
    _slew_oil(m, oil)
    add_engine(m, **ENGINE)
    _ground(m, pose)
    _look(m)
    return m


def lift_force(pose: StartPose) -> float:
    """Force of each lift cylinder that holds boom and load in the start pose, N."""
    m = pose.machine
    lever = pose.lever("boom_hinge", m["superstructure"].at(LIFT_FOOT), m["boom"].at(LIFT_EYE))
    return 0.5 * pose.effort("boom_hinge") / lever


def telescope_force(pose: StartPose) -> float:
    """Force of the telescope cylinder that holds all sections in the start pose, N: the cables move them alike."""
    return sum(pose.effort(f"telescope_{number}_slide") for number in (1, 2, 3))


def hanging(slew: float = 0.0, out: float = OUT, rope: float = ROPE, load: float = LOAD) -> StartPose:
    """The start pose with the load as a part of the hook: what it asks of joints and outriggers."""
    m = Machine("hanging")
    _bodies(m, slew, out, rope)
    m["hook"].point_mass("load", load, (0.0, 0.0, -SLING))
    return StartPose(m)


def outrigger_loads(pose: StartPose) -> dict[str, float]:
    """What each outrigger carries in a pose, N, as a rigid frame does on equal springs."""
    return dict(zip(FEET, frame_loads(pose, list(FEET.values())), strict=True))


def _bodies(m: Machine, slew: float, out: float, rope: float) -> None:
    """Bodies and joints of the machine itself."""
    _carrier(m, slew)
    _boom(m, out)
    _hook(m, rope)


def _carrier(m: Machine, slew: float) -> None:
    """Carrier with its outriggers, superstructure with cabin and counterweight."""
    carrier = m.body("carrier", mass=22e3, com=(-0.5, 0.0, 0.9), inertia=box(22e3, (9.5, 3.5, 1.2)))
    m.free("base", m.ground, carrier, start=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    top = m.body("superstructure", mass=9e3, com=(-2.2, 0.0, 0.8), inertia=box(9e3, (4.5, 2.5, 1.6)))
    m.revolute("slew", carrier.at(RING_AT), top, axis="z", start=slew)


def _boom(m: Machine, out: float) -> None:
    """Boom and three telescope sections, the last two on cables."""
    before = m["superstructure"]
    for number, (name, mass, length, height) in enumerate(SECTIONS):
        section = m.body(
            name, mass=mass, com=(0.5 * length, 0.0, 0.0), inertia=box(mass, (length, 0.8 * height, height))
        )
        section.point("root", (0.0, 0.0, 0.0))
        section.point("tip", (length, 0.0, 0.0))
        if number == 0:
            m.revolute("boom_hinge", before.at(BOOM_AT), section, axis="-y", start=BOOM)
        else:
            m.prismatic(f"{name}_slide", before.at(TELESCOPES_AT[number - 1]), section, axis="x", start=out)
        before = section
    for number in (2, 3):
        m.gear(f"cable_{number}", "telescope_1_slide", f"telescope_{number}_slide", ratio=1.0)


def _hook(m: Machine, rope: float) -> None:
    """Falls of rope as a direction with some mass, and the hook's block on them."""
    falls = m.body("rope", mass=60.0, com=(0.0, 0.0, -3.0), inertia=box(60.0, (0.3, 0.3, 6.0)))
    m.universal("swing", m["telescope_3"].at(HEAD_AT), falls, axis="y", second_axis="x", start=(BOOM, 0.0))
    hook = m.body("hook", mass=BLOCK, com=(0.0, 0.0, -0.5 * BLOCK_SIZE[2]), inertia=box(BLOCK, BLOCK_SIZE))
    m.prismatic("hoist", falls, hook, axis="-z", start=rope)
    # block at the boom's head, drum empty
    m.joint_stop("hoist_stop", "hoist", lower=2.0, upper=40.0, stiffness=5e6, damping=1.0)
    for coordinate, name in enumerate(("swing_drag_out", "swing_drag_aside")):
        m.joint_friction(name, "swing", coordinate=coordinate, coulomb=0.0, viscous=2e3)


def _slings(m: Machine, slew: float, mass: float) -> None:
    """The load below the hook, and the slings that carry it."""
    load = m.body("load", mass=mass, inertia=box(mass, LOAD_SIZE), loose=True)
    x, y, z = StartPose(m).world(m["hook"].at(0.0, 0.0, -SLING))
    m.free("load_base", m.ground, load, start=(x, y, z, 0.0, 0.0, slew))
    right, ahead, below = SLING_AT
    side, top = 0.5 * LOAD_SIZE[0], 0.5 * LOAD_SIZE[2]
    down, out = SLING - top - below, (side - right, side - ahead)
    tension = -0.25 * mass * m.gravity[2] * math.hypot(down, *out) / down
    for end, x in (("front", 1.0), ("rear", -1.0)):
        for hand, y in (("left", 1.0), ("right", -1.0)):
            m.rope(
                f"sling_{end}_{hand}", m["hook"].at(x * right, y * ahead, -below), load.at(x * side, y * side, top),
                stiffness=SLING_STIFFNESS, tension=tension, damping=SLING_DAMPING,
            )  # fmt: skip


def _ground(m: Machine, pose: StartPose) -> None:
    """Ground, plates, and what else touches it or the carrier."""
    m.terrain("floor", material="gravel")
    half, loads = 0.5 * PLATE, outrigger_loads(pose)
    stiffness = sum(loads.values()) / (len(FEET) * SINK)
    for name, (x, y) in FEET.items():
        # so much lower that the carrier is level at the start
        below = -loads[name] / stiffness
        corners = tuple((x + dx, y + dy, below) for dx in (half, -half) for dy in (half, -half))
        m.contact(f"plate_{name}", m["carrier"], hull=corners, stiffness=0.25 * stiffness, material="steel")
    alike = {"stiffness": 10e6, "friction": 0.5, "restitution": 0.2}
    m.contact("deck", m["carrier"].at(DECK_AT), box=DECK, against=(), **alike)
    m.contact("cab", m["carrier"].at(CAB_AT), box=CAB, against=(), **alike)
    m.contact("head", m["telescope_3"].at(HEAD_AT), sphere=0.4, against=(), **alike)
    m.contact("load_skin", m["load"], box=LOAD_SIZE, against=("deck", "cab"), **alike)
    middle = m["hook"].at(0.0, 0.0, -0.5 * BLOCK_SIZE[2])
    m.contact("block", middle, box=BLOCK_SIZE, against=("deck", "load_skin"), **alike)


def _main_oil(m: Machine, oil: Handle, pose: StartPose) -> None:
    """Load-sensing circuit of lift cylinders, telescope cylinder and winch."""
    tank = oil.tank("tank", TANK)
    supply = oil.junction("supply", "3 l", TANK + standby_pressure(RATED))
    sensing = ("2 l/min", "5 bar")
    spool = {"frequency": RAMP, "damping": 1.0, "overlap": OVERLAP, "ls_flow": sensing, **FLOATING}
    block = LoadSensing(oil, tank, supply, gallery="0.3 l", spool=spool)

    # two lift cylinders, each with its own counterbalance valve, both piloted from the rod line
    bore, rod, stroke, closed = LIFT
    line, rod_line = oil.junction("lift_line", "2 l", TANK), oil.junction("lift_rod_line", "2 l", TANK)
    holding = bore_pressure(lift_force(pose), bore, rod, TANK)
    for side, across in (("left", 1.0), ("right", -1.0)):
        foot, eye = ((x, across * y, z) for x, y, z in (LIFT_FOOT, LIFT_EYE))
        lift = m.cylinder(
            f"lift_{side}", m["superstructure"].at(foot), m["boom"].at(eye), bore=bore, rod=rod, stroke=stroke,
            closed=closed, oil=oil, dead_a="1 l", dead_b="1 l", pressure_a=holding, pressure_b=TANK, **SEALS,
            **CUSHIONS,
        )  # fmt: skip
        oil.counterbalance_valve(f"holding_{side}", lift.a, line, x=rod_line, **LIFT_HOLDING)
        oil.restrictor(f"rod_hose_{side}", rod_line, lift.b, flow=("100 l/min", "3 bar"))
        oil.pressure_sensor(f"lift_sensor_{side}", lift.a, time_constant="20 ms")
    oil.anti_cavitation_valve("lift_suction", tank, rod_line, flow=("100 l/min", "2 bar"), full="0.5 bar")
    block.section("lift", line, rod_line, flow="150 l/min", metering=_slower_in(0.5))

    bore, rod, stroke, closed = TELESCOPE
    foot = m["boom"].at(TELESCOPE_FOOT, 0.0, 0.0)
    eye = m["telescope_1"].at(closed + TELESCOPE_FOOT - TELESCOPES_AT[0][0], 0.0, 0.0)
    telescope = m.cylinder(
        "telescope", foot, eye, bore=bore, rod=rod, stroke=stroke, closed=closed, oil=oil, dead_a="2 l", dead_b="2 l",
        pressure_a=bore_pressure(telescope_force(pose), bore, rod, TANK), pressure_b=TANK, **SEALS, **CUSHIONS,
    )  # fmt: skip
    line = oil.junction("telescope_line", "2 l", TANK)
    oil.counterbalance_valve("telescope_holding", telescope.a, line, x=telescope.b, **TELESCOPE_HOLDING)
    block.section("telescope", line, telescope.b, flow="90 l/min", metering=_slower_in(0.33))

    winch = m.winch(
        "winch", "hoist", displacement=WINCH_MOTOR, gear=WINCH_GEAR, drum=WINCH_DRUM, falls=FALLS, oil=oil,
        dead_a="1 l", dead_b="1 l", pressure_a=TANK - pose.effort("hoist") / WINCH_OIL, pressure_b=TANK,
        viscous=1.5e4, coulomb=2e3, friction_speed=0.02, stiffness=ROPE_STIFFNESS, damping=ROPE_DAMPING, inertia=DRUM,
        tension=-pose.effort("hoist"),
    )  # fmt: skip
    line = oil.junction("winch_line", "1 l", TANK)
    oil.counterbalance_valve("winch_brake", winch.a, line, x=winch.b, **WINCH_BRAKE)
    oil.anti_cavitation_valve("winch_suction", tank, winch.b, flow=("100 l/min", "2 bar"), full="0.5 bar")
    block.section("winch", line, winch.b, flow="120 l/min")
    block.pump(
        block.highest(volume="0.1 l", flow=sensing), displacement="100 cm3/rev", cutoff=RATED, relief=RATED + 15e5,
        flow="100 l/min", time_constant="30 ms", torque_limit=TORQUE_LIMIT, **ON_SHAFT,
    )  # fmt: skip


def _slower_in(share: float) -> dict[str, list[list[float]]]:
    """Metering of a cylinder that should come in no faster than it goes out: its edge to b opens by a share."""
    return {"PB": [[-1.0, share], [-OVERLAP, 0.0], [1.0, 0.0]]}


def _slew_oil(m: Machine, oil: Handle) -> None:
    """Slew motor with shock valves on a pump of its own."""
    supply, tank = constant_pressure(
        oil, "slew", rated=SLEW_RATED, size="1 l", displacement="28 cm3/rev", **ON_SHAFT
    )
    slew = m.motor(
        "slew_motor", "slew", displacement=SLEW_OIL, oil=oil, dead_a="1 l", dead_b="1 l", pressure_a=BACK,
        pressure_b=BACK, viscous=5e4, coulomb=5e3, friction_speed=0.01, leak=1e-12,
    )  # fmt: skip
    shock_valves(
        oil, tank, {"slew_shock_a": slew.a, "slew_shock_b": slew.b}, setting=110e5, flow=("60 l/min", 130e5),
        suction=("60 l/min", "2 bar"), cracking="0.1 bar",
    )  # fmt: skip
    oil.valve_4_3(
        "slew_valve", P=supply, T=tank, A=slew.a, B=slew.b, flow=("40 l/min", "60 bar"), frequency=RAMP,
        damping=1.0, overlap=0.05, leak=0.0,
    )  # fmt: skip


def _look(m: Machine) -> None:
    """What the crane looks like."""
    across = (0.5 * math.pi, 0.0, 0.0)
    carrier, top, hook = m["carrier"], m["superstructure"], m["hook"]
    carrier.shape("box", size=DECK, at=DECK_AT, colour="#e8a817")
    carrier.shape("box", size=CAB, at=CAB_AT, colour="#e8a817")
    carrier.shape("box", size=(0.9, 2.45, 0.6), at=(4.75, 0.0, 1.95), colour="lightblue")
    for x in (3.9, 2.0, -2.3, -4.0):
        for y in (1.05, -1.05):
            carrier.shape("cylinder", size=(0.65, 0.45), at=(x, y, 0.72), rpy=across, colour="black")
    for x, y in FEET.values():
        carrier.shape("box", size=(0.3, 2.2, 0.3), at=(x, 0.65 * y, 1.0), colour="grey")
        carrier.shape("cylinder", size=(0.12, 0.9), at=(x, y, 0.5), colour="grey")
        carrier.shape("box", size=(PLATE, PLATE, 0.08), at=(x, y, 0.04), colour="grey")

    top.shape("cylinder", size=(0.8, 0.2), at=(0.0, 0.0, 0.05), colour="grey")
    top.shape("box", size=(4.0, 1.3, 0.5), at=(-1.4, 0.0, 0.4), colour="#e8a817")
    for y in (0.5, -0.5):
        top.shape("box", size=(1.3, 0.12, 1.7), at=(-1.6, y, 1.4), colour="#e8a817")
    top.shape("box", size=(1.0, 2.5, 1.3), at=(-3.4, 0.0, 0.8), colour="grey")  # counterweight
    top.shape("cylinder", size=(0.35, 1.0), at=(-2.6, 0.0, 1.1), rpy=across, colour="black")  # winch
    top.shape("box", size=(1.5, 0.85, 1.5), at=(0.5, 1.05, 1.0), colour="#e8a817")  # operator's cabin
    top.shape("box", size=(1.2, 0.9, 0.8), at=(0.7, 1.05, 1.3), colour="lightblue")

    for number, (name, _, length, height) in enumerate(SECTIONS):
        colour = "lightgrey" if number % 2 else "#e8a817"
        m[name].shape("box", size=(length, 0.8 * height, height), at=(0.5 * length, 0.0, 0.0), colour=colour)
    m["telescope_3"].shape("cylinder", size=(0.28, 0.3), at=HEAD_AT, rpy=across, colour="grey")
    # falls of rope: the upper ends swing with the rope, the lower ones hang on the block; they overlap up to 12 m
    for x in (0.12, -0.12):
        m["rope"].shape("cylinder", size=(0.025, 6.0), at=(x, 0.0, -3.0), colour="black")
        hook.shape("cylinder", size=(0.025, 6.0), at=(x, 0.0, 3.0), colour="black")
    hook.shape("box", size=BLOCK_SIZE, at=(0.0, 0.0, -0.5 * BLOCK_SIZE[2]), colour="#e8a817")
    m["load"].shape("box", size=LOAD_SIZE, colour="brown")
