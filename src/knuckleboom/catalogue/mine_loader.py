# SPDX-License-Identifier: BSD-3-Clause
"""Mine loader: a low articulated loader, as they dig, carry and dump ore underground; 26.5 t, 10 t in the bucket.

A generic machine of this class; not a maker's data. Sizes are typical of loaders of 10 t payload: wheel base 3.4 m,
bucket of 4.6 m³ and 2.5 m, steering ±40°, 200 to 240 bar, 200 kW at 2000 rpm, raising in 7 to 8 s, dumping in 2 s.

    bodies  coordinates
       7        12       free front frame, rear frame on the articulation, oscillating rear axle, 4 wheels
       4         4       boom, bellcrank, link, bucket: the Z-bar, closed by the link's front pin (2 equations)

Axes: x forward, y left, z up; the front frame's origin is on the articulation, at the height of the axles. The boom's
hinges turn about −y, so that a positive angle lifts; the articulation turns about −z: positive steers left.

    engine      200 kW at 2000 rpm (955 N·m), 3.0 kg·m² with its pumps; set to 2060 rpm without load it turns at the
                rated speed while it lifts. Both pumps at their corners take 160 kW, the rest is for driving: such
                machines have no torque limiter, and this one does not drive
    bucket      load-sensing pump 150 cm³/rev, cut off at 240 bar, relief at 260 bar; sections `lift` (two cylinders
                150/90) and `tilt` (one, 160/90), each a 4/3 valve behind its compensator, port reliefs with suction;
                a shuttle reports the higher load
    steering    a pump of its own, 40 cm³/rev, cut off at 210 bar, relief at 230 bar; valve `steer`; two cylinders
                90/50 crossed, bore side of one with rod side of the other, shock valves on both lines

Operator: `lift`, `tilt` (positive curls, negative dumps) and `steer` (positive left), −1…1; `engine`, its speed
without load, rad/s. Surroundings are scripted over time by the cycle, wherever the bucket is: `ore`, kg in the
bucket, with weight and inertia, which lay still before, and `pile`, N, what pushes back at the lip.
The cycle of 20 s: crowd and curl, lift, steer out, dump, steer back, lower; it ends near its start. `load_cell` reads
the lift pressure, from which such machines weigh their load. Closed spools do not leak: what seals them is a seat.
It stands on four tires with its brakes on and does not drive: there is no drive line yet. Tires scrub while it steers,
brakes slip where they must. The floor of the bucket, from heel to lip, touches the ground, and so do both frames.
The start is at rest: bucket empty and flat above ground, pressures by moments about pins, tires by their loads.
Validated by: validation/analytic/test_mine_loader.py
"""

from __future__ import annotations

import math
from typing import Any

from knuckleboom.catalogue.engines import FRICTION_SHARE, SHAFT, add_engine
from knuckleboom.catalogue.load_sensing import OVERLAP, LoadSensing, openings, shock_valves, standby_pressure
from knuckleboom.catalogue.mine_loader_shapes import shape
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.solids import wheel as disc
from knuckleboom.catalogue.standing_cylinder import bore_pressure
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.catalogue.z_bar import ZBar
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

GRAVITY = 9.81  # m/s²
RADIUS, TRACK = 0.80, 0.95  # m: loaded tire 18.00-25; half track
TIRE_WIDTH, TIRE_LOAD, TIRE_DEFLECTION = 0.45, 100e3, 0.06  # m; N and m: sinks by that, typical of loaders
BRAKE, BRAKE_STIFFNESS, BRAKE_DAMPING = 20e3, 2e6, 10e3  # N·m, N·m/rad, N·m·s/rad, of one wheel: 0.38 of the weight
FRONT_AXLE, REAR_AXLE = 1.7, -1.7  # m from the articulation
LINKAGE = ZBar(
    hinge=(0.65, 0.80), length=2.62, pivot=(1.75, 0.05), upper=(0.42, 0.73), lower=(0.0, -0.50), link=0.68,
    ear=(-0.09, 0.30), tilt_foot=(0.80, 0.43), lift_foot=(0.30, -0.35), lift_eye=(1.35, -0.20),
)  # fmt: skip
LOW, HIGH = math.radians(-28.5), math.radians(38.0)  # boom: bucket pin 0.35 m and 3.2 m above ground
LIP, ORE_CENTRE = (1.40, -0.33), (0.62, 0.22)  # m, on the bucket
HEEL, WIDE = (0.12, -0.30), 2.50  # m: where its floor begins, and its width
PAYLOAD, HEAPED, ORE_SIZE = 10e3, 12e3, (1.3, 2.3, 1.4)  # kg, kg, m
MASSES = {
    # kg; centre, m; size of the box that it is like, m
    "front_frame": (6500.0, (1.35, 0.0, 0.15), (2.6, 1.5, 1.2)),
    "rear_frame": (11300.0, (-1.95, 0.0, 0.45), (3.6, 2.0, 1.4)),
    "rear_axle": (1900.0, (0.0, 0.0, 0.0), (0.5, 1.6, 0.5)),
    "boom": (2200.0, (1.25, 0.0, 0.0), (2.6, 1.2, 0.4)),
    "bellcrank": (350.0, (0.12, 0.0, 0.10), (0.4, 0.2, 1.2)),
    "link": (90.0, (0.34, 0.0, 0.0), (0.7, 0.15, 0.15)),
    "bucket": (2000.0, (0.50, 0.0, 0.05), (1.6, 2.5, 1.3)),
}
WHEEL = 550.0  # kg
BOXES = {
    # on which frame; centre, m; size, m
    "plates": ("front_frame", (0.90, 0.0, 0.35), (1.70, 0.60, 1.10)),
    "hood": ("rear_frame", (-2.65, 0.0, 0.60), (2.90, 2.20, 1.30)),
}
"""What of the frames touches the ground when it lies on its side."""
LIFT_BORE, LIFT_ROD, TILT_BORE, TILT_ROD, STEER_BORE, STEER_ROD = 0.150, 0.090, 0.160, 0.090, 0.090, 0.050  # m
LIFT_CLOSED, LIFT_STROKE = LINKAGE.lift_length(LINKAGE.pose(LOW, 0.0)) - 0.02, 0.93  # m
TILT_CLOSED, TILT_STROKE = 1.46, 0.62  # m
STEER_FOOT, STEER_EYE = (-1.05, 0.50), (0.22, 0.36)  # m, on the rear and the front frame, left
STEER_CLOSED, STEER_STROKE = 0.99, 0.505  # m: stops at 40° to either side
TANK, LINE = 2e5, 10e5  # Pa: tank with its return check; lines of the steering at rest
RATED = 240e5  # Pa, of both pumps
ENGINE = {"power": 200e3, "rated": 2000.0, "setting": 2060.0, "inertia": 3.0}
ON_SHAFT: dict[str, Any] = {"shaft": SHAFT, "rated_speed": "2000 rpm", "friction_share": FRICTION_SHARE}  # both pumps
BUCKET_PUMP, STEERING_PUMP = 150e-6 / (2.0 * math.pi), 40e-6 / (2.0 * math.pi)  # m³/rad
BUCKET_CUTOFF, STEERING_CUTOFF = 240e5, 210e5  # Pa
PORT_MARGIN = 25e5  # Pa, of port reliefs above the cut-off: just above the pump's relief valve, which has 20 bar
SUCTION = ("150 l/min", "5 bar")  # of the valves that guard working ports
LEVERS = {
    "lift": {0.0: 0.0, 2.5: 0.5, 3.0: 1.0, 8.0: 0.5, 8.4: 0.0, 12.8: -0.4, 13.2: -0.8, 17.2: -0.3, 17.8: 0.0},
    "tilt": {0.0: 0.0, 1.0: 0.9, 3.2: 0.3, 3.7: 0.0, 9.0: -0.5, 9.4: -1.0, 11.4: -0.4, 11.7: 0.0, 12.2: 0.9, 14.5: 0.0},
    "steer": {0.0: 0.0, 5.0: 0.5, 5.4: 0.9, 7.2: 0.5, 7.6: 0.0, 11.8: -0.5, 12.2: -0.9, 14.0: -0.5, 14.4: 0.0},
}
"""Times, s, and lever positions of the work cycle."""


def steering_length(angle: float, side: float) -> float:
    """Length of a steering cylinder, m, at an articulation angle [rad, positive left]; `side` 1 is the left one."""
    c, s = math.cos(angle), math.sin(angle)
    x, y = STEER_FOOT[0], side * STEER_FOOT[1]
    return math.hypot(STEER_EYE[0] - (c * x + s * y), side * STEER_EYE[1] - (c * y - s * x))


def holding_pressures() -> tuple[float, float]:
    """Bore pressures of the lift and the tilt cylinders that carry the empty bucket at the start, Pa absolute."""
    weights = {
        name: (GRAVITY * MASSES[name][0], (MASSES[name][1][0], MASSES[name][1][2]))
        for name in ("boom", "bellcrank", "link", "bucket")
    }
    both, tilt = LINKAGE.holding_forces(LINKAGE.pose(LOW, 0.0), weights)
    return bore_pressure(0.5 * both, LIFT_BORE, LIFT_ROD, TANK), bore_pressure(tilt, TILT_BORE, TILT_ROD, TANK)


def mine_loader() -> Case:
    """Return the loader at rest with its bucket flat and empty, and a cycle of 20 s."""
    m = Machine("mine-loader", gravity=(0.0, 0.0, -GRAVITY))
    front = _chassis(m)
    bucket = _linkage(m, front)
    oil = m.oil(mineral_oil())
    tank = oil.tank("tank", TANK)
    _bucket_circuit(m, oil, tank)
    _steering_circuit(m, oil, tank)
    add_engine(m, **ENGINE)
    m.payload("ore", bucket.at(ORE_CENTRE[0], 0.0, ORE_CENTRE[1]), most=HEAPED, box=ORE_SIZE)
    m.force("pile", bucket.at(LIP[0], 0.0, LIP[1]), "-x")
    _ground(m, bucket)
    shape(m)
    return m.case(
        "load",
        duration=20.0,
        step=1e-3,
        meaning="articulated mine loader of 26.5 t with its hydraulics, on its tires; ore and pile are scripted",
        inputs={**LEVERS, "ore": _ore(), "pile": _pile()},
    )


def _ore() -> dict[float, float]:
    """Mass of the ore, kg: it comes in while the bucket curls, and falls out in lumps while it dumps."""
    coming = {round(1.2 + 0.2 * n, 3): 0.1 * n * PAYLOAD for n in range(1, 11)}
    going = {round(9.8 + 0.1 * n, 3): (1.0 - 0.1 * n) * PAYLOAD for n in range(1, 11)}
    return {0.0: 0.0, **coming, **going}


def _pile() -> dict[float, float]:
    """What the pile pushes back at the lip while the loader crowds: up to 80 kN, none once the bucket is curled."""
    rising = {round(0.4 + 0.1 * n, 3): 10e3 * n for n in range(1, 9)}
    falling = {round(1.6 + 0.2 * n, 3): 80e3 - 10e3 * n for n in range(1, 9)}
    return {0.0: 0.0, **rising, **falling}


def _body(m: Machine, name: str) -> Handle:
    mass, com, size = MASSES[name]
    return m.body(name, mass=mass, com=com, inertia=box(mass, size))


def _chassis(m: Machine) -> Handle:
    """Frames, rear axle and wheels; returns the front frame."""
    front, rear, axle = _body(m, "front_frame"), _body(m, "rear_frame"), _body(m, "rear_axle")
    m.free("base", m.ground, front, start=(0.0, 0.0, RADIUS, 0.0, 0.0, 0.0))
    m.revolute("articulation", front, rear, axis="-z", start=0.0)
    m.revolute("oscillation", rear.at(REAR_AXLE, 0.0, 0.0), axle, axis="x", start=0.0)
    for end, carrier, along in (("front", front, FRONT_AXLE), ("rear", axle, 0.0)):
        for side, out in (("left", TRACK), ("right", -TRACK)):
            wheel = m.body(f"wheel_{end}_{side}", mass=WHEEL, inertia=disc(WHEEL, RADIUS, 0.5))
            m.revolute(f"axle_{end}_{side}", carrier.at(along, out, 0.0), wheel, axis="y", start=0.0)
            m.joint_friction(
                f"brake_{end}_{side}", f"axle_{end}_{side}", coulomb=BRAKE, bristle_stiffness=BRAKE_STIFFNESS,
                bristle_damping=BRAKE_DAMPING, stribeck_speed=0.2,
            )  # fmt: skip
    # bushes of the axle
    m.joint_friction("axle_bush", "oscillation", coulomb="0.5 kN m", viscous="5 kN m s/rad")
    return front


def _linkage(m: Machine, front: Handle) -> Handle:
    """Boom, bellcrank, link and bucket in their start pose; returns the bucket."""
    pose = LINKAGE.pose(LOW, 0.0)
    boom, bellcrank, link, bucket = (_body(m, name) for name in ("boom", "bellcrank", "link", "bucket"))
    m.revolute("boom_hinge", front.at(_side(LINKAGE.hinge)), boom, axis="-y", start=pose.boom)
    m.revolute("bucket_pin", boom.at(LINKAGE.length, 0.0, 0.0), bucket, axis="-y", start=pose.bucket - pose.boom)
    m.revolute("bellcrank_pivot", boom.at(_side(LINKAGE.pivot)), bellcrank, axis="-y", start=pose.bellcrank - pose.boom)
    m.revolute("link_rear", bellcrank.at(_side(LINKAGE.lower)), link, axis="-y", start=pose.link - pose.bellcrank)
    m.revolute("link_front", link.at(LINKAGE.link, 0.0, 0.0), bucket.at(_side(LINKAGE.ear)), axis="-y", cut=True)
    bucket.point("lip", (LIP[0], 0.0, LIP[1]))
    return bucket


def _bucket_circuit(m: Machine, oil: Handle, tank: Handle) -> None:
    """Pump, relief valve, and the sections of lift and tilt with their cylinders."""
    supply = oil.junction("bucket_supply", "1.5 l", TANK + standby_pressure(RATED))
    lift_pressure, tilt_pressure = holding_pressures()

    # two lift cylinders on a tee each side
    bore, rod = oil.junction("lift_bore", "1 l", lift_pressure), oil.junction("lift_rod", "1 l", TANK)
    for side, y in (("left", 0.42), ("right", -0.42)):
        cylinder = oil.cylinder(
            f"lift_{side}", m["front_frame"].at(_side(LINKAGE.lift_foot, y)), m["boom"].at(_side(LINKAGE.lift_eye, y)),
            bore=LIFT_BORE, rod=LIFT_ROD, stroke=LIFT_STROKE, closed=LIFT_CLOSED, dead_a="0.5 l", dead_b="0.5 l",
            pressure_a=lift_pressure, pressure_b=TANK, coulomb="2.5 kN", viscous="12 kN s/m", cushion_in="5 cm",
            cushion_out="5 cm",
        )  # fmt: skip
        oil.local_loss(f"lift_bore_{side}", bore, cylinder.a, **_tee("32 mm"))
        oil.local_loss(f"lift_rod_{side}", rod, cylinder.b, **_tee("25 mm"))
    tilt = oil.cylinder(
        "tilt_cylinder", m["front_frame"].at(_side(LINKAGE.tilt_foot)), m["bellcrank"].at(_side(LINKAGE.upper)),
        bore=TILT_BORE, rod=TILT_ROD, stroke=TILT_STROKE, closed=TILT_CLOSED, dead_a="1.5 l", dead_b="1.5 l",
        pressure_a=tilt_pressure, pressure_b=TANK, coulomb="2.5 kN", viscous="12 kN s/m", cushion_in="4 cm",
        cushion_out="4 cm",
    )  # fmt: skip

    # lowering and dumping are metered out
    block = _block(oil, tank, supply)
    block.section("lift", bore, rod, flow="260 l/min", metering=openings({"AT": 0.9}))
    block.section("tilt", tilt.a, tilt.b, flow="220 l/min", metering=openings({"AT": 0.42}))
    block.pump(
        block.highest("bucket_sensing", volume="0.1 l"), displacement=BUCKET_PUMP, cutoff=BUCKET_CUTOFF,
        relief=BUCKET_CUTOFF + 20e5, flow="285 l/min", prefix="bucket_", rated=RATED, **ON_SHAFT,
    )  # fmt: skip
    # what falls into the bucket or stops it opens those of the bore sides
    guard = BUCKET_CUTOFF + PORT_MARGIN
    for name, port, setting in (("lift_bore", bore, guard), ("lift_rod", rod, 200e5), ("tilt_bore", tilt.a, guard),
                                ("tilt_rod", tilt.b, 260e5)):  # fmt: skip
        flow = ("150 l/min", setting + 20e5)
        shock_valves(oil, tank, {f"{name}_relief": port}, setting=setting, flow=flow, suction=SUCTION)
    oil.pressure_sensor("load_cell", bore)


def _steering_circuit(m: Machine, oil: Handle, tank: Handle) -> None:
    """Pump, relief valve, valve, shock valves and two crossed cylinders."""
    supply = oil.junction("steering_supply", "0.8 l", TANK + standby_pressure(RATED))
    sensing = oil.junction("steering_sensing", "0.1 l", TANK)
    # the line `left` presses the right cylinder out and the left one in
    lines = {turn: oil.junction(f"steering_{turn}", "0.5 l", LINE) for turn in ("left", "right")}
    for side, other, sign in (("left", "right", 1.0), ("right", "left", -1.0)):
        cylinder = oil.cylinder(
            f"steer_{side}", m["rear_frame"].at(STEER_FOOT[0], sign * STEER_FOOT[1], 0.0),
            m["front_frame"].at(STEER_EYE[0], sign * STEER_EYE[1], 0.0), bore=STEER_BORE, rod=STEER_ROD,
            stroke=STEER_STROKE, closed=STEER_CLOSED, dead_a="0.3 l", dead_b="0.3 l", pressure_a=LINE, pressure_b=LINE,
            coulomb="1 kN", viscous="5 kN s/m", cushion_in="3 cm", cushion_out="3 cm",
        )  # fmt: skip
        oil.local_loss(f"steering_{other}_bore", lines[other], cylinder.a, **_tee("19 mm"))
        oil.local_loss(f"steering_{side}_rod", lines[side], cylinder.b, **_tee("19 mm"))
    block = _block(oil, tank, supply)
    block.section(
        "steer", lines["left"], lines["right"], flow="75 l/min", drop="18 bar", sensing=sensing, compensated=False
    )
    block.pump(
        sensing, displacement=STEERING_PUMP, cutoff=STEERING_CUTOFF, relief=STEERING_CUTOFF + 20e5, flow="80 l/min",
        prefix="steering_", rated=RATED, **ON_SHAFT,
    )  # fmt: skip
    # a slammed valve opens them, by the mass of the rear frame
    guarded, guard = {f"steering_{turn}_shock": line for turn, line in lines.items()}, STEERING_CUTOFF + PORT_MARGIN
    shock_valves(oil, tank, guarded, setting=guard, flow=("80 l/min", guard + 20e5), suction=SUCTION)


def _block(oil: Handle, tank: Handle, supply: Handle) -> LoadSensing:
    """What both blocks have in common."""
    spool = {"frequency": "6 Hz", "damping": 1.0, "overlap": OVERLAP, "ls_flow": ("5 l/min", "5 bar"), "leak": 0.0}
    return LoadSensing(oil, tank, supply, gallery="0.5 l", spool=spool, rest=TANK, band=4e5, wide="4 bar", valve="{}")


def _ground(m: Machine, bucket: Handle) -> None:
    """Ground, tires, and what of the bucket touches it."""
    m.terrain("floor", material="gravel")
    mass, centre = StartPose(m).weight()
    on_front = float(centre[0] - REAR_AXLE) / (FRONT_AXLE - REAR_AXLE)
    for end, share in (("front", on_front), ("rear", 1.0 - on_front)):
        # so much larger without load that all axles are level at the start
        sinks = 0.5 * share * mass * GRAVITY * TIRE_DEFLECTION / TIRE_LOAD
        for side in ("left", "right"):
            m.tire(
                f"tire_{end}_{side}", m[f"wheel_{end}_{side}"], radius=RADIUS + sinks, width=TIRE_WIDTH,
                load=TIRE_LOAD, stiffness=TIRE_LOAD / TIRE_DEFLECTION, typical="loader",
            )  # fmt: skip
    floor = tuple((x, y, z) for x, z in (HEEL, LIP) for y in (0.5 * WIDE, -0.5 * WIDE))
    m.contact("bucket_floor", bucket, hull=floor, material="steel", depth="5 mm")
    for name, (frame, at, size) in BOXES.items():
        m.contact(name, m[frame].at(*at), box=size, against=(), material="steel", depth="5 mm")


def _tee(diameter: str) -> dict[str, object]:
    """Hose and fittings from a tee to a cylinder."""
    return {"factor": 3.0, "diameter": diameter, "transition": "1 bar"}


def _side(point: tuple[float, float], y: float = 0.0) -> tuple[float, float, float]:
    return point[0], y, point[1]
