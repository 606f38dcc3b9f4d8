# SPDX-License-Identifier: BSD-3-Clause
"""A soak on the ground: what shoves a machine that stands free and rolls it over, and what is seen of it.

    shoves       level forces at the body that carries it, every 3 to 8 s, up to a part of its weight, both ways
    roll-over    torques about its own x that turn it at 1 rad/s as far as they are strong enough, at parts of the time,
                 3 s each: to one side, then to the other, three times in all
    gain         energy from nowhere: what the audit cannot account for, and what contacts and tires gave that only
                 take; each its largest rise
    tunnelled    a contact, tire or pair that was deeper than half of its thickness: its middle was beyond the surface
    rolled over  the body that carries it leaned by more than 80 degrees from the world's upright, wherever it ended

Tested in tests/bench/test_soak.py
"""

from __future__ import annotations

import copy
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knuckleboom.analysis.mass import machine_mass
from knuckleboom.bench.machines import Cycle
from knuckleboom.control import Controller
from knuckleboom.interface.parts import Force, Torque
from knuckleboom.machine import Machine
from knuckleboom.net import Outline
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.simulation.audit import meeting

SHOVE, BETWEEN, LASTING = 0.5, (3.0, 8.0), (0.1, 0.5)
"""Part of the weight, s, s."""
ARM, SPEED, ROLLED, EVERY = 4.0, 1.0, 3.0, 0.01
"""Torque over the weight, m; rad/s; s; s between two looks at the speed."""
ROLLS = ((0.65, 1.0), (0.8, -1.0), (0.9, -1.0))
"""Parts of the time at which they begin, and sides."""
OVER = 80.0  # degrees
SHOVES, ROLL = {"soak_shove_x": "x", "soak_shove_y": "y"}, "soak_roll"


def carrier(planned: Planned) -> str:
    """The body that is free of the ground and carries the machine; empty where nothing of it touches the ground."""
    free, network = planned.topology.free_joint, planned.layout.network
    touches = network.touches or network.treads
    return planned.topology.crossings[free].far if free and touches else ""


def shoved(cycle: Cycle, planned: Planned, seconds: float, seed: int) -> tuple[Cycle, Shoving]:
    """The cycle with forces and a torque on what carries the machine, and what they do; itself without ground."""
    body = carrier(planned)
    if not body:
        return cycle, Shoving({}, ())
    rng = np.random.default_rng([seed, 1, zlib.crc32(cycle.name.encode())])
    weight = machine_mass(planned).total * float(np.linalg.norm(planned.machine.gravity))
    begins = [round(part * seconds, 3) for part, _ in ROLLS]

    def roll(time: float, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
        """Roll it at a speed, with no more than a torque."""
        writes[0] = 0.0
        for begin, (_, side) in zip(begins, ROLLS, strict=True):
            if begin <= time < begin + ROLLED:
                wanted = ARM * weight / SPEED * (SPEED - side * reads[0])
                writes[0] = side * min(max(wanted, 0.0), ARM * weight)

    rate = f"{planned.topology.free_joint}.angular_velocity.x"
    forces = {name: _spells(seconds, SHOVE * weight, rng) for name in SHOVES}
    roller = Controller(roll, name="soak_roller", reads=[rate], writes=[ROLL], every=EVERY)
    return replace(cycle, machine=_with(cycle.machine, body)), Shoving(forces, (roller,))


def _with(machine: Machine, body: str) -> Machine:
    """A copy of a machine with shoves and the torque."""
    found = copy.copy(machine)
    found.parts = dict(machine.parts)
    for name, direction in SHOVES.items():
        found.make(Force, {"name": name, "at": body, "direction": direction})
    found.make(Torque, {"name": ROLL, "body": body, "axis": "x", "frame": "body"})
    return found


def _spells(seconds: float, most: float, rng: np.random.Generator) -> dict[float, float]:
    """Times and sizes of a force that comes now and then."""
    found, time = {0.0: 0.0}, 0.0
    while (time := time + float(rng.uniform(*BETWEEN))) < seconds:
        found[round(time, 3)] = float(rng.uniform(-most, most))
        time += float(rng.uniform(*LASTING))
        found[round(time, 3)] = 0.0
    return found


class Shoving(NamedTuple):
    """What shoves: forces over time by the name of their input, and what rolls a machine over."""

    inputs: Mapping[str, Mapping[float, float]]
    controllers: tuple[Controller, ...]


class Rise:
    """The largest rise of something over chunks that each begin at zero."""

    def __init__(self) -> None:
        self.now = self.least = self.most = 0.0

    def look(self, values: np.ndarray) -> None:
        """Take a chunk into account."""
        whole = self.now + values
        lows = np.minimum(np.minimum.accumulate(whole), self.least)
        self.most = max(self.most, float((whole - lows).max()))
        self.now, self.least = float(whole[-1]), float(lows[-1])


class OnGround:
    """What was seen so far of what touches."""

    def __init__(self, planned: Planned) -> None:
        self.body, self.limits = carrier(planned), dict(depths(planned))
        self.upright = f"{self.body}.orientation"
        self.deepest = dict.fromkeys(self.limits, (0.0, 0.0))
        self.parts = list(dict.fromkeys(part for part, _, _ in meeting(planned.layout)))
        self.rises, self.lean = {name: Rise() for name in ("", *self.parts)}, 0.0

    def look(self, results: Results) -> None:
        """Take a chunk of a run into account."""
        for path, (so_far, _) in self.deepest.items():
            values = np.asarray(results[path].values)
            end = int(values.argmax())
            if values[end] > so_far:
                self.deepest[path] = (float(values[end]), float(results.time[end]))
        self.rises[""].look(np.asarray(results["energy.residual"].values))
        for part in self.parts:
            self.rises[part].look(-np.asarray(results[f"{part}.dissipated"].values))
        if self.body:
            _, x, y, _ = np.asarray(results[self.upright].values).T
            upright = float(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0).min())
            self.lean = max(self.lean, math.degrees(math.acos(upright)))

    def to_row(self, given: float) -> dict[str, Any]:
        """The numbers of a machine; `given` is the energy that was fed to it, J."""
        gained = {part: one.most for part, one in self.rises.items()}
        worst = max(self.parts, key=lambda part: gained[part], default="")
        through = [
            {
                "name": path.rpartition(".")[0],
                "depth_mm": 1e3 * depth,
                "most_mm": 1e3 * self.limits[path],
                "time_s": time,
            }
            for path, (depth, time) in self.deepest.items()
            if depth > self.limits[path]
        ]
        return {
            "energy_gain_percent": 100.0 * sum(gained.values()) / given if given > 0.0 else None,
            "energy_gain_of": worst if gained.get(worst, 0.0) > gained[""] else "",
            "tunnelled": through,
            "lean_deg": self.lean if self.body else None,
            "rolled_over": self.lean > OVER if self.body else None,
        }


def depths(planned: Planned) -> Iterator[tuple[str, float]]:
    """Paths of depths of all that may touch, and how deep that may be, m."""
    network = planned.layout.network
    yield from ((f"{touch.path}.depth", middle(touch.outline)) for touch in network.touches)
    yield from ((f"{tread.part}.deflection", tread.radius) for tread in network.treads)
    for pair in network.pairings:
        sizes = [network.shapes[one] for one in (pair.a, pair.b)]
        yield f"{pair.path}.depth", min(one.radius or min(one.half) for one in sizes)


def middle(outline: Outline) -> float:
    """Half of the thickness of a shape, m."""
    balls = [one.radius for one in outline.features if not any(one.axis)]
    return min(balls) if all(balls) else 0.5 * outline.size
