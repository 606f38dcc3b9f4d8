# SPDX-License-Identifier: BSD-3-Clause
"""A reckless operator: random inputs for a machine, the same for the same seed.

Levers are all inputs of valves. Each goes its own way: full out or in two times of three, else somewhere between or to
its centre, and stays there shortly (it is slammed) or so long that cylinders come to their stops. Now and then all
pumps stall at once, with the levers where they are, and start again; what a pump may set is drawn, too. Inputs of other
parts keep what the machine's own work cycle does with them. Changes fall on whole milliseconds.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from knuckleboom.bench.machines import Cycle
from knuckleboom.hydraulics.parts import Pressure
from knuckleboom.hydraulics.parts.directional import Directional, TwoPositions
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.plan import Planned

FULL, CENTRE = 0.65, 0.8  # parts of the draws up to which a lever is full out or in, then centred; else anywhere
SLAMMED, LEFT = 0.4, 0.9  # parts of the draws up to which it stays shortly, then long; else very long
SHORT, LONG, VERY_LONG = (0.05, 0.3), (0.5, 15.0), (15.0, 60.0)  # s; telescopes take a minute
SET_EVERY = 15.0  # s: pumps' settings
BETWEEN_STALLS, STALLED = (15.0, 30.0), (0.5, 2.0)  # s
LEAST_SETTING = 0.3  # of a pump's displacement


def operate(cycle: Cycle, planned: Planned, seconds: float, seed: int) -> dict[str, Mapping[float, float]]:
    """Steps of all levers and pumps by the name of the input, over a time."""
    rng = np.random.default_rng([seed, zlib.crc32(cycle.name.encode())])
    stalls = stalled(seconds, rng)
    found: dict[str, Mapping[float, float]] = {}
    for signal in planned.layout.inputs:
        part: Any = planned.machine.parts.get(signal.part)
        if isinstance(part, Directional):
            low = 0.0 if isinstance(part, TwoPositions) else -1.0
            found[signal.path] = lever(seconds, low, rng)
        elif isinstance(part, Pumping) and signal.unit == "1":
            times = np.arange(0.0, seconds, SET_EVERY)
            found[signal.path] = {round(float(t), 3): float(rng.uniform(LEAST_SETTING, 1.0)) for t in times}
        elif isinstance(part, Pumping | Pressure):
            rest = 0.0 if isinstance(part, Pumping) else planned.machine.ambient
            found[signal.path] = {time: rest if off else signal.default for time, off in stalls.items()}
    return found


def lever(seconds: float, low: float, rng: np.random.Generator) -> dict[float, float]:
    """Times and values of one lever between `low` and 1."""
    steps, time = {0.0: 0.0}, float(rng.uniform(*SHORT))
    while time < seconds:
        drawn = rng.uniform()
        value = rng.uniform(low, 1.0) if drawn > CENTRE else 0.0 if drawn > FULL else rng.choice([low, 1.0])
        steps[round(time, 3)] = float(value)
        drawn = rng.uniform()
        time += float(rng.uniform(*(SHORT if drawn < SLAMMED else LONG if drawn < LEFT else VERY_LONG)))
    return steps


def stalled(seconds: float, rng: np.random.Generator) -> dict[float, bool]:
    """When all pumps stop and start again."""
    changes, time = {0.0: False}, 0.0
    while True:
        time += float(rng.uniform(*BETWEEN_STALLS))
        if time >= seconds:
            return changes
        changes[round(time, 3)] = True
        time += float(rng.uniform(*STALLED))
        changes[round(time, 3)] = False
