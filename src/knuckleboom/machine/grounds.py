# SPDX-License-Identifier: BSD-3-Clause
"""Grounds by words, to put a machine on another: level, a slope, rough ground, a ridge like a log, a file of heights.

    level                    as it is without anything
    slope:10%      slope:6 deg:y     rises so steeply, towards x or the direction that is named: x, -x, y, -y
    rough:30 cm    rough:30 cm:7     smooth bumps, so high from the lowest to the highest place; the seed comes last
    ridge:30 cm                      across the way, so high and three times as wide, 1 m ahead of where it stands
    hill.csv:0.5 m                   a file of rows of heights, so far apart; its middle is below the machine

Sizes may be left out, but that of a file. What is rough or a file ends around the machine, and all is level from there
on. Heights are rounded to 0.1 mm, so that files with them stay small. Tested in tests/machine/test_grounds.py
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.describe import Fault
from knuckleboom.errors import MachineError, Problem
from knuckleboom.mechanics.heights import faults_of_rows, read_heights
from knuckleboom.names import closest
from knuckleboom.units import UnitError, parse

Array = NDArray[np.float64]
Settings = dict[str, Any]

WORDS = ("level", "slope", "rough", "ridge")
DIRECTIONS = ("x", "-x", "y", "-y")
EXAMPLES = "level, slope:10%, rough:30 cm, ridge:30 cm, or a file with the distance of its heights, hill.csv:0.5 m"
PLACE = "the ground"
STEEP, ROUGH, RIDGE = "10%", "30 cm", "30 cm"
"""What a word means without a size."""
STEEPEST = math.radians(45.0)
HIGHEST, LOWEST_RIDGE = 5.0, 0.01  # m; a lower ridge would need too many heights
FILE = ".csv"
SIDE, SPACING, BUMP, FADE = 40.0, 0.5, 0.75, 4.0  # m: rough ground, its heights, how wide bumps are, edge that fades
AHEAD, HALF_WIDTH, ACROSS, FINE = 1.0, 1.5, 20.0, 8  # m; over the height; m; heights over the height of a ridge
LEVEL = 6  # heights before and behind it, until which the surface through them is level
DIGITS = 4


def ground_settings(text: str, middle: tuple[float, float, float], front: float) -> Settings:
    """Settings of a terrain for the ground that a text means; what stands on it is around a middle [m] on the ground
    there is now, as far as x = front. A MachineError says what can be written.
    """
    word, *more = (part.strip() for part in text.split(":"))
    if any(part.lower().endswith(FILE) for part in (word, *more)):  # a path may have colons, too
        return _file(text, middle)
    made: dict[str, Callable[[], Settings]] = {
        "level": lambda: {"at": middle},
        "slope": lambda: _slope(text, middle, *more),
        "rough": lambda: _rough(text, middle, *more),
        "ridge": lambda: _ridge(text, (front, *middle[1:]), *more),
    }
    if word not in made:
        raise _refusal(f"there is no ground '{word}'.", f"Write {EXAMPLES}.", tuple(closest(word, WORDS)))
    if len(more) > (0, 2, 2, 1)[WORDS.index(word)]:
        raise _refusal(f"'{text}' has too many parts.", f"Write {EXAMPLES}.")
    return made[word]()


def _refusal(rule: str, fix: str, near: tuple[str, ...] = ()) -> MachineError:
    return MachineError([Problem(rule, fix=fix, closest=near)], PLACE)


def _length(text: str, size: str, least: float = 0.0, most: float = HIGHEST) -> float:
    try:
        value = parse(size, "m")
    except UnitError as error:
        raise _refusal(f"'{text}': {error}.", f"Write {EXAMPLES}.") from None
    if value <= 0.0 or not least <= value <= most:
        raise _refusal(f"'{text}': {size} is not between {least:g} and {most:g} m.", f"Write {EXAMPLES}.")
    return value


def _slope(text: str, middle: tuple[float, float, float], steep: str = STEEP, rises: str = "x") -> Settings:
    try:
        angle = math.atan(parse(steep, "1")) if steep.endswith("%") else parse(steep, "rad")
    except UnitError as error:
        raise _refusal(f"'{text}': {error}.", "Write slope:10% or slope:6 deg.") from None
    if not 0.0 < angle <= STEEPEST:
        rule = f"'{text}': {steep} is not between 0 and {math.degrees(STEEPEST):g} deg."
        raise _refusal(rule, "Write slope:10% or slope:6 deg.")
    if rises not in DIRECTIONS:
        rule = f"'{text}': '{rises}' is no direction in which it rises."
        raise _refusal(rule, f"Write one of {', '.join(DIRECTIONS)}: slope:10%:y")
    return {"at": middle, "slope": angle, "rises": rises}


def _rough(text: str, middle: tuple[float, float, float], size: str = ROUGH, seed: str = "1") -> Settings:
    if not seed.isdecimal():
        raise _refusal(f"'{text}': its seed '{seed}' is no whole number.", "Write rough:30 cm:7.")
    from scipy.ndimage import gaussian_filter

    height, count = _length(text, size), round(SIDE / SPACING) + 1
    noise = np.random.default_rng(int(seed)).normal(size=(count, count))
    bumps = gaussian_filter(noise, BUMP / SPACING)
    # down to level ground at its edges
    edge = np.minimum(np.arange(count), np.arange(count)[::-1]) * SPACING / FADE
    fade = np.sin(0.5 * math.pi * np.minimum(edge, 1.0)) ** 2
    bumps = (bumps - bumps.mean()) * np.outer(fade, fade)
    bumps *= height / np.ptp(bumps)
    corner = (middle[0] - 0.5 * SIDE, middle[1] - 0.5 * SIDE, middle[2])
    return {"at": corner, "heights": _rounded(bumps), "spacing": SPACING}


def _ridge(text: str, front: tuple[float, float, float], size: str = RIDGE) -> Settings:
    height = _length(text, size, LOWEST_RIDGE)
    spacing, half = height / FINE, round(HALF_WIDTH * FINE) + LEVEL
    x = np.arange(-half, half + 1) / (HALF_WIDTH * FINE)
    profile = height * np.clip(1.0 - x * x, 0.0, None) ** 2
    count = round(ACROSS / spacing) + 1
    corner = (front[0] + AHEAD, front[1] - 0.5 * (count - 1) * spacing, front[2])
    return {"at": corner, "heights": _rounded(np.outer(profile, np.ones(count))), "spacing": spacing}


def _file(text: str, middle: tuple[float, float, float]) -> Settings:
    file, _, distance = text.rpartition(":")
    if not file.strip().lower().endswith(FILE):
        rule = f"'{text}' does not say how far apart its heights are."
        raise _refusal(rule, f"Write their distance behind it: {text.strip()}:0.5 m")
    spacing = _length(text, distance.strip(), most=math.inf)
    try:
        rows = read_heights(file.strip())
        for fault in faults_of_rows(rows, file.strip()):
            raise fault
    except Fault as fault:
        raise _refusal(fault.rule.removeprefix("csv: "), fault.fix) from None
    corner = (middle[0] - 0.5 * spacing * (len(rows) - 1), middle[1] - 0.5 * spacing * (len(rows[0]) - 1), middle[2])
    return {"at": corner, "heights": _rounded(np.array(rows)), "spacing": spacing}


def _rounded(heights: Array) -> list[list[float]]:
    return [[float(one) for one in row] for row in np.round(heights, DIGITS) + 0.0]
