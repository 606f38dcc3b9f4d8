# SPDX-License-Identifier: BSD-3-Clause
"""The mechanism of harvester-30 with its four heavy cylinders on leaking valves and a supply of given pressure.

Soft enough for explicit steps of 0.05 ms to be a reference: what the engine does with mechanism and oil together is
seen without the stiff load-sensing lines of the complete machine. The front frame and all else are held by springs.
"""

import math

import numpy as np

import knuckleboom as kb
from knuckleboom.catalogue import harvester_30
from knuckleboom.catalogue.harvester_ground import WHEELS
from knuckleboom.catalogue.harvester_oil import ram_cylinder
from knuckleboom.catalogue.harvester_parts import HEIGHT, LINK_DRAG, Start
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.mechanics.parts import Joint

RAMS = ("lift", "fold", "tilt", "steer")
HELD = (
    "slew", "telescope_slide", "rotator_bearing", "grip_left_hinge", "grip_right_hinge", "saw_hinge", "log_slide",
    "bogie_left_hinge", "bogie_right_hinge", *(f"wheel_{name}_axle" for name in WHEELS),
)  # fmt: skip
LEVERS = {
    "lift_valve": {0.0: 0.0, 0.2: 0.6, 1.0: 0.0, 1.3: -0.8, 2.2: 1.0},
    "fold_valve": {0.0: 0.0, 0.4: -0.8, 1.2: 0.7, 2.4: -1.0},
    "tilt_valve": {0.0: 0.0, 0.3: 0.5, 1.6: -0.5, 3.0: 0.3},
    "steer_valve": {0.0: 0.0, 0.6: 0.8, 1.5: -1.0, 2.6: 1.0, 3.4: 0.0},
}
"""4 s with 14 steps after the start; cylinders go into their stops."""


def four_rams() -> kb.Machine:
    """The machine at rest but for the leakage of its valves."""
    m = harvester_30.mechanism(Start(rotator=0.0))
    for joint in ("link_hinge", "yoke_hinge"):
        m.joint_friction(f"{joint}_drag", joint, coulomb=0.0, viscous=LINK_DRAG)
    starts = {joint.name: joint.start[0] for joint in m.of(Joint) if joint.start}
    for name in HELD:
        m.joint_spring(f"{name}_hold", name, stiffness=1e6, rest=starts[name], damping=1e4)
    oil = m.oil("oil", kb.fluids.mineral_oil(bulk=1.5e9))
    pump, tank = oil.pressure("pump", "210 bar"), oil.tank("tank")
    for name in RAMS:
        ram = ram_cylinder(m, oil, name, dead="1 l", other=20e5)
        oil.valve_4_3(
            f"{name}_valve", P=pump, T=tank, A=ram.a, B=ram.b, flow=("100 l/min", "10 bar"), leak=2.5e-3,
            transition="1 bar",
        )  # fmt: skip
    on_springs(m)
    return m


def on_springs(m):
    """Hold the front frame by three upright springs, which carry the weight and sink by 1 cm, and three level ones."""
    mass, centre = StartPose(m).weight()
    weight = 9.81 * mass
    stiffness, length = weight / 0.01, 2.0
    damping = 2.0 * 0.2 * math.sqrt(stiffness * mass)
    feet = ((1.0, 0.95, -0.44), (1.0, -0.95, -0.44), (-2.8, 0.0, -0.44))
    at = np.array(feet)
    loads = np.linalg.solve([np.ones(3), at[:, 0], at[:, 1]], weight * np.array([1.0, *centre[:2]]))
    away = [(*foot, (0.0, 0.0, length), 3.0, load) for foot, load in zip(feet, loads, strict=True)]
    away += [(1.0, 0.95, -0.44, (0.0, length, 0.0), 4.0, 0.0), (-0.9, 0.0, 0.0, (0.0, length, 0.0), 4.0, 0.0)]
    away += [(1.0, 0.0, -0.44, (length, 0.0, 0.0), 2.0, 0.0)]
    for number, (x, y, z, by, parts, load) in enumerate(away):
        post = m.ground.at(x - by[0], y - by[1], HEIGHT + z - by[2])
        m.spring(
            f"held_{number}", post, m["front_frame"].at(x, y, z), stiffness / parts, damping=damping / parts,
            preload=float(load),
        )  # fmt: skip
