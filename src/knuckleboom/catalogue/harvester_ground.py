# SPDX-License-Identifier: BSD-3-Clause
"""What the harvesters stand on and what of them touches: six tires with their brakes on, and shapes for contact.

    tires      forestry, three discs each; the unloaded radius of each is such that all is level at the start
    brakes     friction with bristles in all six axles, which holds 0.4 of the weight; they do not drive
    bogies     swing in their bushes: both wheels of a bogie carry alike, but for the torques of their brakes
    touching   the ground: head, grip arms, and of harvester-30 saw bar and log; cab and hood, boxes around both, when
               the machine lies on its side
    pairs      head, saw bar and log meet the cab, the log also the hood; nothing else meets anything: wheels, crane
               and arms go through each other

Four places carry, two bogies and two rear wheels. At the start their loads are those of a rigid frame on their tires
(resting.py). Arms meet the log on joint stops (harvester_parts.py).
Validated by: validation/analytic/test_harvester_30.py, test_harvester_25.py
"""

from __future__ import annotations

from knuckleboom.catalogue.harvester_parts import FRONT_WHEEL, LOG_RADIUS, REAR_WHEEL, WIDTH
from knuckleboom.catalogue.resting import frame_loads
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.machine import Handle, Machine

BRAKE, BRAKE_STIFFNESS, BRAKE_DAMPING = 8.5e3, 1e6, 5e3  # N·m, N·m/rad, N·m·s/rad, of one wheel
BUSH = {"coulomb": "0.3 kN m", "viscous": "3 kN m s/rad"}  # of a bogie
TIRE_LOAD, TIRE_DEFLECTION = 30e3, 0.060  # N; m: sinks by that, typical of forestry tires
SOFT = "1 MN/m"  # of arms, saw bar and log in soil, so that steps of 5 ms will do
SHEARS = "5 mm"  # of soil before arms and saw bar slide: light things that the crane presses down
THIN = 0.03  # m, half of the saw bar, as it is felt
SIDES = ("left", "right")
WHEELS = {
    **{f"{side}_{number}": FRONT_WHEEL for side in SIDES for number in (1, 2)},
    **{f"{side}_rear": REAR_WHEEL for side in SIDES},
}
"""Radius with its load, m."""


def stand_on_tires(m: Machine) -> None:
    """Put a machine that is whole on tires with its brakes on, level and at rest."""
    m.terrain("floor", material="soil")
    stiffness = TIRE_LOAD / TIRE_DEFLECTION
    for name, load in wheel_loads(m).items():
        m.tire(
            f"tire_{name}", m[f"wheel_{name}"], radius=WHEELS[name] + load / stiffness, width=WIDTH, load=TIRE_LOAD,
            stiffness=stiffness, typical="forestry",
        )  # fmt: skip
        m.joint_friction(
            f"wheel_{name}_brake", f"wheel_{name}_axle", coulomb=BRAKE, bristle_stiffness=BRAKE_STIFFNESS,
            bristle_damping=BRAKE_DAMPING, stribeck_speed=0.2,
        )  # fmt: skip
    for side in SIDES:
        m.joint_friction(f"bogie_{side}_bush", f"bogie_{side}_hinge", **BUSH)


def wheel_loads(m: Machine) -> dict[str, float]:
    """Loads of the wheels in the level start pose, N."""
    pose, places = StartPose(m), []
    for name in WHEELS:
        wheel, (side, place) = pose.bodies[f"wheel_{name}"].p, name.split("_")
        # both wheels of a bogie carry what its hinge does
        carried = wheel if place == "rear" else pose.bodies[f"bogie_{side}"].p
        places.append((carried[0], wheel[1]))
    return dict(zip(WHEELS, frame_loads(pose, places), strict=True))


def add_touch(m: Machine) -> None:
    """Add the shapes of head, arms and chassis."""
    front, rear = m["front_frame"], m["rear_frame"]
    steel = {"material": "steel", "depth": "5 mm"}
    m.contact("cab", front.at(-0.15, 0.0, 1.32), box=(1.5, 1.56, 1.85), against=(), **steel)
    m.contact("hood", rear.at(-1.75, 0.0, 0.80), box=(2.6, 1.5, 1.05), against=(), **steel)
    m.contact("head_frame", m["head"].at(0.05, 0.0, -0.20), box=(1.3, 0.60, 0.55), against=("cab",), **steel)
    for side in SIDES:
        m.contact(
            f"grip_{side}_tip", m[f"grip_{side}"].at(0.0, 0.0, -0.35), capsule=(0.05, 0.35), against=(),
            material="steel", stiffness=SOFT, bend=SHEARS,
        )  # fmt: skip


def add_saw_touch(m: Machine, length: float) -> None:
    """Add the saw bar, which hangs from its hinge."""
    m.contact(
        "saw_bar", m["saw"].at(0.0, 0.0, -0.5 * length), capsule=(THIN, length - 2.0 * THIN),
        against=("cab",), material="steel", stiffness=SOFT, bend=SHEARS,
    )  # fmt: skip


def add_log_touch(m: Machine, log: Handle, length: float) -> None:
    """Add the log."""
    m.contact(
        "log_bark", log, capsule=(LOG_RADIUS, length - 2.0 * LOG_RADIUS), axis="x", against=("cab", "hood"),
        material="wood", stiffness=SOFT,
    )  # fmt: skip
