# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on tires for measurements and tests: one wheel on a rig, and four wheels on a chassis with axles and
steering.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from knuckleboom.machine import Machine

RADIUS, WIDTH, LOADED = 0.66, 0.6, 0.60
BASE, TRACK = 3.2, 2.0
"""m: from axle to axle, from wheel to wheel."""
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
CHASSIS, WHEEL, INERTIA = 6800.0, 300.0, 60.0
"""kg, kg, and kg·m² about the axle."""
HEIGHT = 1.0
"""m: of the centre of the chassis over the axles' level ground."""
LOAD = (CHASSIS + 4 * WHEEL) * 9.81 / 4


def rig(
    *, load: float = 30e3, gravity: float = 9.81, driven: tuple[float, float] | None = None, speed: float = 0.0,
    terrain: Mapping[str, Any] | None = None, drop: bool = True, **tire: Any,
) -> Machine:  # fmt: skip
    """A wheel under a weight that slides up and down on a carriage that slides along x: joints carriage, lift, axle.

    With `driven` (speed ahead, speed of the rim) both are prescribed; else `speed` is that ahead at the start.
    """
    m = Machine("rig", gravity=(0, 0, -gravity))
    m.terrain("floor", **(terrain or {}))
    cart = m.body("cart", mass=1.0, inertia=(1, 1, 1))
    leg = m.body("leg", mass=load / gravity - WHEEL, inertia=(1, 1, 1))
    wheel = m.body("wheel", mass=WHEEL, inertia=(0.6 * INERTIA, INERTIA, 0.6 * INERTIA))
    settings = {"radius": RADIUS, "width": WIDTH, "load": load, "discs": 1, "rolling_resistance": 0.0} | tire
    stands = LOADED if drop else RADIUS
    ahead, rim = driven or (speed, speed)
    m.prismatic("carriage", m.ground, cart, axis="x", speed=ahead)
    m.prismatic("lift", cart, leg, axis="z", start=stands)
    m.revolute("axle", leg, wheel, axis="y", speed=rim / LOADED)
    m.tire("tire", wheel, **settings)
    if driven:
        m.driver("tow", "carriage", speed=ahead)
        m.driver("turn", "axle", speed=rim / LOADED)
    return m


def four_wheels(
    *, speed: float = 0.0, braked: bool = False, slope: float = 0.0,
    steer: float | Mapping[str, float] | None = 0.0, terrain: Mapping[str, Any] | None = None,
    start: Sequence[float] | None = None, tires: bool = True, **tire: Any,
) -> Machine:  # fmt: skip
    """A chassis on four wheels that heads along x, up the slope; front wheels are turned by the angle `steer`, of
    each by its name, or fixed (None). Without `tires` nothing carries it.

    Joints frame, axle_… and, in front, kingpin_…; efforts drive_…. `braked` holds the axles by bristles.
    """
    m = Machine("vehicle", gravity=(-9.81 * math.sin(slope), 0, -9.81 * math.cos(slope)))
    m.terrain("floor", **(terrain or {}))
    chassis = m.body("chassis", mass=CHASSIS, inertia=(3e3, 9e3, 1e4))
    settings = {"radius": RADIUS, "width": WIDTH, "load": LOAD} | tire
    rest = HEIGHT - 0.06 * math.cos(slope)
    m.free("frame", m.ground, chassis, start=start or (0, 0, rest, 0, 0, 0), speed=(speed, 0, 0, 0, 0, 0))
    for name in WHEELS:
        x = 0.5 * BASE if name.startswith("front") else -0.5 * BASE
        y = 0.5 * TRACK if name.endswith("left") else -0.5 * TRACK
        on = chassis.at(x, y, RADIUS - HEIGHT)
        if x > 0.0 and steer is not None:
            knuckle = m.body(f"knuckle_{name}", mass=20.0, inertia=(1, 1, 1))
            angle = steer[name] if isinstance(steer, Mapping) else steer
            m.revolute(f"kingpin_{name}", on, knuckle, axis="z", start=angle)
            m.driver(f"steer_{name}", f"kingpin_{name}", start=angle)
            on = knuckle
        wheel = m.body(f"wheel_{name}", mass=WHEEL, inertia=(0.6 * INERTIA, INERTIA, 0.6 * INERTIA))
        m.revolute(f"axle_{name}", on, wheel, axis="y", speed=speed / LOADED)
        if tires:
            m.tire(name, wheel, **settings)
        m.effort(f"drive_{name}", f"axle_{name}")
        if braked:
            m.joint_friction(
                f"brake_{name}", f"axle_{name}", coulomb="30 kN m", bristle_stiffness="3 MN m/rad",
                bristle_damping="10 kN m s/rad", stribeck_speed="0.2 rad/s",
            )  # fmt: skip
    return m
