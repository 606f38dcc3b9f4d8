# SPDX-License-Identifier: BSD-3-Clause
"""Blocks, balls and boxes for `bench contact`: creep on an incline, sliding, rebound, a stack, throws.

    incline     20°, friction 0.5; the load swings by 10 % at 5 Hz along the slope, and by its weight: the worse counts
    slide       g (sin α − μ cos α) in six directions, v²/2μg of a block, 5/7 v of a ball that slipped
    rebound     e v for the speed that the restitution is given for, h √(k/m) 0.1 to 0.5, touching anywhere in a step:
                a ball on the ground, and two balls
    stack       ten boxes of 100 kg, every other 2 cm off line
    throws      at 10 m/s on a floor, a slope, rough ground, a fixed box and a free one: nothing goes deeper
                than half of its thickness

All at 1 ms. Creep is the largest distance from the place 10 s after the start, always at the same phase of the load.
Closed forms: validation/analytic/test_ground_contact.py, test_terrain.py and test_body_contact.py have more of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.rounds import Progress
from knuckleboom.machine import Machine
from knuckleboom.results import Results
from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

STEP = 1e-3  # s
G = 9.81
MASS, SIDES = 10.0, (0.4, 0.3, 0.2)
DEEP = 1e-4
"""m: how deep a block stands that slides."""
FIRM = {"restitution": 0.1, "impact_speed": 0.01}
INCLINE, HOLDING = 20.0, 0.5
"""Degrees, and the friction that holds on them."""
SWINGS, OFTEN = 0.1, 5.0
"""Part of the load that swings, Hz."""
SETTLED = 10.0  # s
STEEP, RUBBING = 30.0, 0.4
HEADINGS = (0.0, 37.0, 90.0, 180.0, 251.0, 300.0)
RESTITUTIONS, OMEGAS, PLACES = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1), (0.1, 0.3, 0.5), 8
BOXES, SIDE, OFF = 10, 0.5, 0.02
THROWN = 10.0  # m/s
WATCHED = 1.0  # s


def run(
    machine: Machine, seconds: float, record: float = STEP, inputs: Mapping[str, Any] | None = None
) -> Results:  # fmt: skip
    """A run by `realtime`."""
    return WholeRun(machine, seconds, step=STEP, record=record, inputs=inputs or {}, coupling="realtime").recorded()


def gain_percent(results: Results) -> float:
    """The largest rise of all energy in the machine beyond what was fed to it, in % of the work done."""
    stored = sum(np.asarray(results[f"energy.{form}"].values) for form in ("kinetic", "potential", "elastic"))
    fed = np.asarray(results["energy.applied"].values) + np.asarray(results["energy.supplied"].values)
    left = stored - fed
    return 100.0 * float((left - np.minimum.accumulate(left)).max()) / energy(results).work_done


def residual_percent(results: Results) -> float:
    """The most energy that the audit cannot account for, in % of the work done."""
    return 100.0 * float(np.abs(results["energy.residual"].values).max()) / energy(results).work_done


# --- inclines ---------------------------------------------------------------------------------------------------------


def block(
    degrees: float, heading: float, *, mass: float = MASS, sides: Sequence[float] = SIDES, **contact: Any
) -> tuple[Machine, Array]:  # fmt: skip
    """A block that lies on a slope which rises towards a heading, and the direction down the slope."""
    tilt, towards = math.radians(degrees), (math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0)
    normal = np.array([-math.sin(tilt) * towards[0], -math.sin(tilt) * towards[1], math.cos(tilt)])
    down = np.array([-math.cos(tilt) * towards[0], -math.cos(tilt) * towards[1], -math.sin(tilt)])
    m = Machine("block")
    m.terrain("floor", slope=tilt, rises=towards)
    x, y, z = (side**2 for side in sides)
    body = m.body("block", mass=mass, inertia=(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12))
    turned = tilt * np.cross([0.0, 0.0, 1.0], normal) / max(math.sin(tilt), 1e-12)
    place = (0.5 * sides[2] - DEEP) * normal
    m.free("f", m.ground, body, start=(*place.tolist(), *turned.tolist()), speed=contact.pop("speed", (0.0,) * 6))
    m.contact("face", body, box=tuple(sides), depth=DEEP, **(FIRM | contact))
    return m, down


def creep_mm(results: Results, path: str, settled: float) -> float:
    """The largest distance from where something was once it had settled, mm."""
    where = np.asarray(results[path].values)[:, :3]
    late = where[np.asarray(results.time) >= settled - 0.5 * STEP]
    return 1e3 * float(np.linalg.norm(late - late[0], axis=1).max())


def incline(seconds: float, progress: Progress) -> dict[str, Any]:
    """Creep below the friction angle: with a constant load, and with one that swings."""
    settled = min(SETTLED, 0.5 * seconds)
    weight = SWINGS * MASS * G
    still, _ = block(INCLINE, HEADINGS[1], friction=HOLDING)
    found = {"incline_creep_mm": creep_mm(run(still, seconds, 1.0 / OFTEN), "f.position", settled)}
    progress(1.0 / 3.0)
    swinging = []
    for number, along in enumerate((True, False)):
        machine, down = block(INCLINE, HEADINGS[1], friction=HOLDING)
        size = weight * (math.sin(math.radians(INCLINE)) if along else 1.0)
        direction = down if along else np.array([0.0, 0.0, -1.0])
        machine.force("load", machine["block"], direction.tolist())
        results = run(machine, seconds, 1.0 / OFTEN, {"load": partial(swing, size)})
        swinging.append(creep_mm(results, "f.position", settled))
        progress((number + 2.0) / 3.0)
    return found | {"incline_creep_swinging_mm": max(swinging)}


def swing(size: float, time: float) -> float:
    """A load that swings."""
    return size * math.sin(2.0 * math.pi * OFTEN * time)


# --- sliding and rolling ----------------------------------------------------------------------------------------------


def slide() -> dict[str, Any]:
    """The largest relative error of sliding in all directions, of stopping, and of a ball that comes to roll."""
    errors, gains = [], []
    tilt = math.radians(STEEP)
    for heading in HEADINGS:
        machine, down = block(STEEP, heading, friction=RUBBING)
        results = run(machine, 0.6)
        late = results.time > 0.2  # bristles are bent by then
        speed = np.asarray(results["f.velocity"].values)[late, :3] @ down
        wanted = G * (math.sin(tilt) - RUBBING * math.cos(tilt))
        errors.append(float(np.polyfit(results.time[late], speed, 1)[0]) / wanted - 1.0)
        gains.append(gain_percent(results))
    machine, _ = block(0.0, 0.0, friction=RUBBING, bend="50 um", speed=(1.0, 0, 0, 0, 0, 0))
    results = run(machine, 1.0)
    errors.append(float(results["f.position"].values[-1, 0]) * 2 * RUBBING * G - 1.0)
    gains.append(gain_percent(results))
    results = run(ball((0, 0, 0.1 - DEEP), (1.0, 0, 0), friction=0.2, depth=DEEP, bend="50 um", restitution=0.5), 0.4)
    errors.append(float(results["f.velocity"].values[-1, 0]) * 7 / 5 - 1.0)
    gains.append(gain_percent(results))
    return {"slide_error": float(np.abs(errors).max()), "energy_gains": {"slide": max(gains)}}


# --- rebound ----------------------------------------------------------------------------------------------------------


def ball(start: Sequence[float], speed: Sequence[float], gravity: float = G, **contact: Any) -> Machine:
    """A solid sphere of 2 kg and 0.1 m over a floor."""
    m = Machine("ball", gravity=(0, 0, -gravity))
    body = m.body("ball", mass=2.0, inertia=(0.4 * 2.0 * 0.1**2,) * 3)
    m.free("f", m.ground, body, start=(*start, 0, 0, 0), speed=(*speed, 0, 0, 0))
    m.terrain("floor")
    m.contact("foot", body, sphere=0.1, **contact)
    return m


def two_balls(gap: float, **contact: Any) -> Machine:
    """Spheres of 2 and 3 kg that meet at 1 m/s."""
    m = Machine("balls", gravity=(0, 0, 0))
    for name, mass, radius, x, speed in (("one", 2.0, 0.1, 0.0, 0.6), ("two", 3.0, 0.2, 0.3 + gap, -0.4)):
        body = m.body(name, mass=mass, inertia=(0.4 * mass * radius**2,) * 3)
        m.free(f"{name}_free", m.ground, body, start=(x, 0, 0, 0, 0, 0), speed=(speed, 0, 0, 0, 0, 0))
        m.contact(f"{name}_skin", body, sphere=radius, **contact)
    return m


def rebounds(progress: Progress) -> dict[str, Any]:
    """The largest relative error of the speed that comes back, and of the energy that comes with it."""
    errors, gains = [], []
    for number, e in enumerate(RESTITUTIONS):
        for omega in OMEGAS:
            seconds = STEP * math.ceil(14.0 / omega + 2.0)  # the longest touch, of e = 0.1
            for place in range(PLACES):
                away = (place + 0.5) / PLACES * STEP
                given = {"restitution": e, "impact_speed": 1.0, "stiffness": 2.0 * (omega / STEP) ** 2}
                results = run(ball((0, 0, 0.1 + away), (0, 0, -1.0), 0.0, **given), seconds)
                errors.append(float(results["f.velocity"].values[-1, 2]) / e - 1.0)
                gains.append(gain_percent(results))
                # 1.2 kg, and two springs in series
                given["stiffness"] = 2.0 * 1.2 * (omega / STEP) ** 2
                results = run(two_balls(away, **given), seconds)
                speeds = [float(results[f"{name}_free.velocity"].values[-1, 0]) for name in ("one", "two")]
                errors.append((speeds[1] - speeds[0]) / e - 1.0)
                gains.append(gain_percent(results))
        progress((number + 1.0) / len(RESTITUTIONS))
    return {"restitution_error": float(np.abs(errors).max()), "energy_gains": {"rebound": max(gains)}}


# --- a stack ----------------------------------------------------------------------------------------------------------


def stack(count: int = BOXES, *, neighbours: bool = False, gravity: float = G, apart: float = 0.0) -> Machine:
    """Boxes on each other; with `neighbours` only those may touch, `apart` is the room between them."""
    m = Machine("stack", gravity=(0, 0, -gravity))
    m.terrain("floor")
    inertia = 100.0 * SIDE**2 / 6
    for k in range(count):
        box = m.body(f"box{k}", mass=100.0, inertia=(inertia,) * 3)
        m.free(f"f{k}", m.ground, box, start=(OFF * (k % 2), 0, SIDE * (k + 0.5) + apart * (k + 1), 0, 0, 0))
        near = {"against": [f"skin{k - 1}"] if k and not apart else []} if neighbours else {}
        m.contact(f"skin{k}", box, box=(SIDE,) * 3, friction=0.5, **near)
    return m


def box_stack(seconds: float) -> dict[str, Any]:
    """How far boxes of a stack move across."""
    results = run(stack(), seconds, 0.01)
    moved = 0.0
    for k in range(BOXES):
        where = np.asarray(results[f"f{k}.position"].values)[:, :2]
        moved = max(moved, float(np.linalg.norm(where - where[0], axis=1).max()))
    found = {"boxes": BOXES, "seconds": seconds, "creep_mm": 1e3 * moved}
    return {"box_stack": found, "energy_gains": {"stack": gain_percent(results)}}


# --- throws -----------------------------------------------------------------------------------------------------------

SHAPES: tuple[tuple[Mapping[str, Any], float], ...] = (
    ({"sphere": 0.1}, 0.1), ({"box": (0.3, 0.2, 0.4)}, 0.1), ({"capsule": (0.08, 0.3)}, 0.08),
)  # fmt: skip
"""What is thrown, and half of where it is thinnest, m."""
GROUNDS: Mapping[str, Mapping[str, Any]] = {
    "floor": {},
    "slope": {"slope": "30 deg", "rises": "x"},
    "rough ground": {
        "heights": 0.1 * np.random.default_rng(1).normal(size=(61, 161)), "spacing": 0.5, "at": (-5, -40, 0)
    },
}  # fmt: skip
BODIES = ("fixed box", "free box")
TARGET = 0.5  # m: side of a box that is thrown at
TRIES = 4
LANE = 5.0  # m: from one throw to the next


def thrown(target: str) -> tuple[Machine, list[tuple[str, float]]]:
    """A machine in which every shape is thrown several times at one target; paths of depths, and half thicknesses."""
    random = np.random.default_rng(2)
    m = Machine("throws")
    m.terrain("floor", **GROUNDS.get(target, {}))
    found = []
    for k, (shape, half) in enumerate([pair for pair in SHAPES for _ in range(TRIES)]):
        aim = np.array([0.0, LANE * (k - 0.5 * len(SHAPES) * TRIES), 0.9 * TARGET if target in BODIES else 0.0])
        if target in BODIES:
            add_target(m, k, aim[1], free=target == "free box")
        down = math.radians(random.uniform(30.0, 90.0))
        speed = THROWN * np.array([math.cos(down), 0.0, -math.sin(down)])
        start = aim - random.uniform(0.06, 0.08) * speed
        turned = random.normal(size=3) if k % TRIES else np.zeros(3)
        body = m.body(f"thrown{k}", mass=20.0, inertia=(0.4, 0.4, 0.3))
        m.free(f"flight{k}", m.ground, body, start=(*start, *turned), speed=(*speed, 0, 0, 0))
        m.contact(f"skin{k}", body, against=[f"side{k}"] if target in BODIES else [], **shape)
        found.append((f"side{k}.skin{k}.depth" if target in BODIES else f"skin{k}.depth", half))
    return m, found


def add_target(m: Machine, k: int, y: float, *, free: bool) -> None:
    """A box on the floor, held or free."""
    box, place = m.body(f"target{k}", mass=50.0, inertia=(2.1, 2.1, 2.1)), (0.0, y, 0.5 * TARGET)
    if free:
        m.free(f"stand{k}", m.ground, box, start=(*place, 0, 0, 0))
    else:
        m.fixed(f"stand{k}", m.ground, box, at=place)
    m.contact(f"side{k}", box, box=(TARGET,) * 3, against=[], **({} if free else {"touching": ["floor"]}))


def throws(progress: Progress) -> dict[str, Any]:
    """Throw everything at everything; what goes half of its thickness deep, or misses, counts as through."""
    through, count, gains = 0, 0, []
    targets = (*GROUNDS, *BODIES)
    for number, target in enumerate(targets):
        machine, found = thrown(target)
        results = run(machine, WATCHED)
        gains.append(gain_percent(results))
        count += len(found)
        through += sum(not 0.0 < np.max(results[path].values) < half for path, half in found)
        progress((number + 1.0) / len(targets))
    return {"throws": count, "throws_through": through, "energy_gains": {"throws": max(gains)}}
