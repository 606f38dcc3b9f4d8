# SPDX-License-Identifier: BSD-3-Clause
"""A reckless operator: inputs for a machine that spare nothing, the same for the same seed.

For the first part of the time all levers are held fully out or in, so long that what is slowest comes to its stop: in
four stretches, of which neighbouring levers have two the same way and two against each other, as a boom that cannot be
raised with its telescope out can be with it in; which way each begins is drawn. They end as slams at full speed. Then
every lever goes its own way: full out or in two times of three, else somewhere between or to its centre, and stays
there shortly (it is slammed) or so long that most cylinders come to their stops; what a pump may set is drawn, too.
All the time, all levers are let go at once now and then, at whatever speed, and taken again, so that the pump's oil has
nowhere to go; all pumps stall at once, with the levers where they are, and start again, every other time with the
levers let go, against closed valves (engines go to idle instead); and surroundings push: a force or a load that the
work cycle knows comes suddenly, with any size between those there, and goes again. Inputs of other parts keep what the
work cycle does. Changes fall on whole milliseconds.
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
from knuckleboom.interface.parts import EngineDroop, Force, Payload
from knuckleboom.plan import Planned
from knuckleboom.simulation.inputs import read_inputs

HELD = 0.6  # part of the time in which levers are held
LOOKS = 1000  # at what the work cycle does with an input
STRETCHES = ((1, 1, -1, -1), (1, -1, -1, 1))  # of levers in turn
FULL, CENTRE = 0.65, 0.8  # parts of the draws up to which a lever is full out or in, then centred; else anywhere
SLAMMED = 0.6  # part of the draws that it stays shortly
SHORT, LONG = (0.05, 0.3), (0.5, 15.0)  # s
SET_EVERY = 15.0  # s: pumps' settings
BETWEEN_STALLS, STALLED, LET_GO = (15.0, 30.0), (0.5, 2.0), (0.2, 1.0)  # s
AROUND = 0.4  # s: before and after the end of a stall, with levers let go
LEAST_SETTING = 0.3  # of a pump's displacement
BETWEEN_PUSHES, PUSHED = (1.0, 8.0), (0.1, 1.0)  # s


def operate(cycle: Cycle, planned: Planned, seconds: float, seed: int) -> dict[str, Mapping[float, float]]:
    """Steps of all levers and pumps by the name of the input, over a time."""
    rng = np.random.default_rng([seed, zlib.crc32(cycle.name.encode())])
    stalls = spells(seconds, BETWEEN_STALLS, STALLED, rng)
    let_go = spells(seconds, BETWEEN_STALLS, LET_GO, rng)
    let_go += [(end - AROUND, end + AROUND) for _, end in stalls[::2]]
    found: dict[str, Mapping[float, float]] = {}
    levers, looks = 0, np.linspace(0.0, cycle.duration, LOOKS)
    for signal, usual in zip(planned.layout.inputs, read_inputs(planned, cycle.inputs), strict=True):
        part: Any = planned.machine.parts.get(signal.part)
        if isinstance(part, Directional):
            low = 0.0 if isinstance(part, TwoPositions) else -1.0
            moves = held(seconds, low, STRETCHES[levers % 2], rng) | lever(seconds, low, rng)
            found[signal.path] = during(let_go, 0.0, moves)
            levers += 1
        elif isinstance(part, Pumping) and signal.unit == "1":
            times = np.arange(HELD * seconds, seconds, SET_EVERY)
            drawn = {round(float(t), 3): float(rng.uniform(LEAST_SETTING, 1.0)) for t in times}
            found[signal.path] = {0.0: signal.default, **drawn}
        elif isinstance(part, Pumping | Pressure):
            rest = 0.0 if isinstance(part, Pumping) else planned.machine.ambient
            found[signal.path] = during(stalls, rest, {0.0: signal.default})
        elif isinstance(part, EngineDroop):
            found[signal.path] = during(stalls, part.idle, {0.0: signal.default})
        elif isinstance(part, Force | Payload):
            known = usual.sample(looks, 0.0)
            pushes = {0.0: 0.0}
            for begin, end in spells(seconds, BETWEEN_PUSHES, PUSHED, rng):
                pushes |= {begin: float(rng.uniform(known.min(), known.max())), end: 0.0}
            found[signal.path] = pushes
    return found


def held(seconds: float, low: float, stretches: tuple[int, ...], rng: np.random.Generator) -> dict[float, float]:
    """Times and values of one lever while all are held."""
    each, first = HELD * seconds / len(stretches), rng.choice([-1, 1])
    return {round(k * each, 3): 1.0 if way == first else low for k, way in enumerate(stretches)}


def lever(seconds: float, low: float, rng: np.random.Generator) -> dict[float, float]:
    """Times and values of one lever between `low` and 1, once it is no longer held."""
    steps, time = {}, HELD * seconds
    while time < seconds:
        drawn = rng.uniform()
        value = rng.uniform(low, 1.0) if drawn > CENTRE else 0.0 if drawn > FULL else rng.choice([low, 1.0])
        steps[round(time, 3)] = float(value)
        time += float(rng.uniform(*(SHORT if rng.uniform() < SLAMMED else LONG)))
    return steps


def during(spells: list[tuple[float, float]], value: float, moves: Mapping[float, float]) -> dict[float, float]:
    """The same moves of an input, but another value during spells."""
    found: dict[float, float] = {}
    for time in sorted({*moves, *(round(end, 3) for spell in spells for end in spell)}):
        inside = any(round(begin, 3) <= time < round(end, 3) for begin, end in spells)
        found[time] = value if inside else moves[max(begun for begun in moves if begun <= time)]
    return found


def spells(
    seconds: float, between: tuple[float, float], lasting: tuple[float, float], rng: np.random.Generator
) -> list[tuple[float, float]]:  # fmt: skip
    """When something begins and ends that happens now and then."""
    found, time = [], 0.0
    while (time := time + float(rng.uniform(*between))) < seconds:
        begin, time = time, time + float(rng.uniform(*lasting))
        found.append((round(begin, 3), round(time, 3)))
    return found
