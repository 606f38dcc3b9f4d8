# SPDX-License-Identifier: BSD-3-Clause
"""The good machines that are spoilt: the README's, one of the catalogue, and one with a part of nearly every kind."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

WORKSHOP = """\
knuckleboom: 1
machine: workshop
gravity: [0, 0, -9.81]
ambient: 1 bar
bodies:
  ground: {points: {rail: [0, 1, 0]}, frames: {desk: {at: [0, 2, 0], rpy: [0, 0, 90 deg]}}}
  boom:
    mass: 200 kg
    com: [0.5, 0, 0]
    inertia: [0.1, 16.7, 16.7, 0, 0, 0]
    points: {tip: [1, 0, 0], eye: [500 mm, 0, 0]}
    point_masses: {hook: {mass: 5 kg, at: [1, 0, 0]}}
  sled: {mass: 10 kg, inertia: [1, 1, 1]}
  wheel: {mass: 3 kg, inertia: [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.1]]}
  ball: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], points: {eye: [0, 0, -0.3]}}
joints:
  foot: {kind: revolute, a: ground, b: boom, axis: y, start: -30 deg}
  rail: {kind: prismatic, a: ground.rail, b: sled, axis: x, start: 10 mm, speed: 0.1 m/s}
  hub: {kind: revolute, a: sled, b: wheel, axis: [0, 1, 0], speed: 20 rpm}
  socket: {kind: spherical, a: ground.desk, b: ball, start: [0.1, 0, 0]}
gears: {mesh: {a: rail, b: hub, ratio: 2}}
springs: {coil: {a: ground.rail, b: boom.tip, stiffness: 1 kN/m, damping: 5 N s/m}}
joint_springs: {hinge: {joint: foot, stiffness: 10 N m/rad, rest: 0}}
joint_frictions: {rub: {joint: hub, coulomb: 0.1 N m, viscous: 0.1 N m s/rad}}
joint_stops: {ends: {joint: foot, lower: -80 deg, upper: 80 deg, stiffness: 1e5}}
forces: {push: {at: boom.tip, direction: z, value: 10 N}}
torques: {twist: {body: ball, axis: [0, 0, 1], value: 0.1 N m}}
oils: {oil: {fluid: {law: cavitating, density: 870 kg/m3, bulk: 1.4 GPa}}}
pressures: {pump: {oil: oil, value: 76 bar}}
tanks: {tank: {oil: oil}}
volumes: {hose: {oil: oil, size: 0.5 l, pressure: 10 bar}}
cylinders:
  lift:
    a: {body: ground, at: [0.87, 0, 0]}
    b: boom.eye
    bore: 91 mm
    rod: 40 mm
    stroke: 442 mm
    oil: oil
    pressure_a: 20 bar
    pressure_b: 20 bar
motors: {drive: {joint: foot, displacement: 100 cm3/rev, oil: oil, leak: 1e-13, viscous: 2 N m s/rad}}
flow_sources: {feed: {a: tank, b: drive.a, value: 5 l/min, time_constant: 20 ms}}
relief_valves: {relief: {a: drive.a, b: drive.b, setting: 150 bar, flow: [60 l/min, 160 bar]}}
valves_4_3: {spool: {P: pump, T: tank, A: lift.a, B: lift.b, flow: [60 l/min, 35 bar], frequency: 20 Hz}}
restrictors: {throttle: {a: pump, b: hose, area: 2 mm2}}
check_valves: {check: {a: hose, b: lift.a, area: 3 mm2}}
appearance: {boom: [{shape: box, size: [1, 0.1, 0.1], at: [0.5, 0, 0], colour: orange}]}
"""


def good_machines() -> dict[str, str]:
    """Return their texts by name."""
    (readme,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    naya_rod = (ROOT / "src" / "knuckleboom" / "catalogue" / "naya_rod.yaml").read_text(encoding="utf-8")
    return {"four-bar": readme, "naya-rod": naya_rod, "workshop": WORKSHOP}
