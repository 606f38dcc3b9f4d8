# SPDX-License-Identifier: BSD-3-Clause
"""Stand: what a machine stands on until its wheels or tracks touch ground; few damped springs hold its free frame.

    upright     one spring under each foot, preloaded by its share of the weight
    sideways    one level spring along y at each place of `beside`; with two of them the frame cannot yaw
    lengthwise  one level spring along x at `ahead`
    leaning     a foot that swings about an upright axis leans on a point of it (`leaning`), so that its spring stays as
                long as it is; at the start the lengthwise spring takes what these push along x

With four feet these are seven springs: all six components of the frame are held, no count of the machine changes.
The shares are those of a rigid frame on equal springs: load = a + b·x + c·y, which carries W at its centre.
`sink` is how far the machine sinks in by its own weight, which makes the stiffness: k = W/(n·sink), and √(g/sink) is
about the frequency of heaving. Level springs together are half as stiff as the upright ones. The start pose is one of
rest: build the machine whole, then call this; pictures do not show the springs. Feet that lean have `ahead` at their
height and lean alike both ways. Springs also pull: no foot lifts off, and no machine tips over.
Validated by: tests/catalogue/test_stand.py
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.describe import Place
from knuckleboom.interface.parts import Spring
from knuckleboom.machine import Machine

LENGTH = 2.0  # m, of every spring: long against the few mm of its deflection, so that it hardly turns
LEVEL = 0.5  # stiffness of all springs of one level direction over that of all upright ones


def stand(
    m: Machine, feet: Mapping[str, Place], *, beside: Sequence[Place], ahead: Place,
    leaning: Mapping[str, Sequence[float]] | None = None, sink: float = 0.01, damping: float = 0.2,
    length: float = LENGTH,
) -> None:  # fmt: skip
    """Put a machine on springs at its feet (places by name, three or more); `damping` is the ratio of heaving.

    `leaning` has points of the ground, m, for feet that do not stand upright; `length` is that of other springs, m.
    """
    pose = StartPose(m)
    mass, centre = pose.weight()
    pull = -mass * m.gravity[2]
    at = {name: pose.world(place) for name, place in feet.items()}

    # load = a + b·x + c·y at every foot
    around = np.array([[1.0, p[0] - centre[0], p[1] - centre[1]] for p in at.values()])
    loads = around @ np.linalg.solve(around.T @ around, [pull, 0.0, 0.0])

    total = pull / sink
    drag = 2.0 * damping * math.sqrt(total * mass)
    pushed = 0.0  # along x, by feet that lean
    for (name, place), load in zip(feet.items(), loads, strict=True):
        under = np.array((leaning or {}).get(name, _moved(at[name], (0.0, 0.0, -length))))
        line = (at[name] - under) / np.linalg.norm(at[name] - under)
        # as stiff and as loaded upright as any other foot
        share, preload = 1.0 / (len(feet) * line[2] ** 2), float(load / line[2])
        pushed += preload * line[0]
        spot = m.ground.at(*_moved(under, (0.0, 0.0, 0.0)))
        m.spring(f"stand_{name}", spot, place, total * share, damping=drag * share, preload=preload)
    for number, place in enumerate(beside, 1):
        share = LEVEL / len(beside)
        post = m.ground.at(*_moved(pose.world(place), (0.0, -length, 0.0)))
        m.spring(f"stand_side_{number}", post, place, total * share, damping=drag * share)
    post = m.ground.at(*_moved(pose.world(ahead), (-length, 0.0, 0.0)))
    m.spring("stand_length", post, ahead, total * LEVEL, damping=drag * LEVEL, preload=0.0 - float(pushed))
    m.hide(*(part.name for part in m.of(Spring) if part.name.startswith("stand_")))


def _moved(point: Sequence[float] | np.ndarray, by: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = (float(value) + step for value, step in zip(point, by, strict=True))
    return x, y, z
