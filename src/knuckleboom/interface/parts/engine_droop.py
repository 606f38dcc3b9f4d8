# SPDX-License-Identifier: BSD-3-Clause
"""Combustion engine on a shaft: idle, droop line, full-load torque curve, stall.

    T = T_r·(n_set − n)/(droop·n_r)     between the full-load curve, which falls to the drag at the stall speed, and
                                        the drag −T_d·tanh(n/n_d) of an engine that is not fed, n_d = idle/10

Row         its shaft                       States  none
Input       the part's name: speed without load, rad/s; acts within idle and the last speed of the curve
Droop       share of the rated speed by which n falls from no load to the rated torque T_r = T_full(n_r)
Lug-down    more load than T_full(n): speed falls along the curve, and with more torque at lower speed it holds there
Stall       at `stall` and below nothing is fed: the engine stops, and does not start by itself
Power       supplies T·n where T > 0; where it drags it supplies nothing, and what it takes is dissipated. Fuel,
            turbocharger and the lag of torque are not modelled.
Validated by: validation/analytic/test_engine.py
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator

from knuckleboom.describe import Fault, Net, Part, ShaftName, param
from knuckleboom.quantities import AngularSpeed, Number, Torque

ROUND = 0.01
"""Share of the largest torque over which the corners of the characteristic are rounded."""
SLOW = 0.1
"""Share of the idle speed below which drag fades."""


def _pairs(value: Any) -> Any:
    """Points as they stand in a file or a script, as tuples."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return tuple(tuple(one) if isinstance(one, list) else one for one in value) if isinstance(value, list) else value


class EngineDroop(Part):
    """A combustion engine with a droop governor."""

    shaft: ShaftName = param("shaft that it turns")
    torque: Annotated[tuple[tuple[AngularSpeed, Torque], ...], BeforeValidator(_pairs)] = param(
        "full-load curve: speed and torque, by rising speed"
    )
    rated_speed: AngularSpeed = param("speed at which droop is counted", above=0)
    setting: AngularSpeed = param("speed without load; also an input of the part's name", above=0)
    idle: AngularSpeed = param("lowest speed that can be set", above=0)
    droop: Number = param("speed that is lost from no load to rated torque, over rated speed", 0.05, above=0, most=0.5)
    stall: AngularSpeed = param("speed at and below which it gives no torque", above=0)
    drag: Torque = param("torque that it takes when nothing is injected", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        speeds, torques = [speed for speed, _ in self.torque], [torque for _, torque in self.torque]
        field = "torque"
        if len(self.torque) < 2:
            yield Fault("torque has fewer than two points.", "Give speed and torque: [[800 rpm, 500 N m], ...]", field)
            return
        unsorted = [place for place in range(1, len(speeds)) if speeds[place] <= speeds[place - 1]]
        if unsorted:
            place = unsorted[0]
            rule = f"torque is not sorted: the speed of point {place + 1} is not above that of point {place}."
            yield Fault(rule, "Give the points by rising speed.", field)
        if min(torques) < 0.0 or max(torques) <= 0.0:
            yield Fault("torque has a point below zero, or none above.", "Give what the engine can push.", field)
        if not unsorted and not speeds[0] <= self.rated_speed <= speeds[-1]:
            yield Fault("rated_speed is outside the speeds of torque.", "Give a speed of the curve.", "rated_speed")
        elif not unsorted and np.interp(self.rated_speed, speeds, torques) == 0.0:
            rule = "torque is 0 at rated_speed, so that the governor has no droop line."
            yield Fault(rule, "Give a speed at which it pushes.", "rated_speed")
        if self.stall >= speeds[0]:
            fix = "Give a speed below the first point of torque."
            yield Fault("stall is not below the first speed of torque.", fix, "stall")
        if not unsorted and self.setting > speeds[-1]:
            fix = "Lower setting, or give the curve up to there."
            yield Fault("setting is above the last speed of torque.", fix, "setting")
        if not self.stall < self.idle <= self.setting:
            yield Fault("stall < idle ≤ setting does not hold.", "Give them in that order.", "idle")

    def curve(self) -> list[tuple[float, float]]:
        """The full-load curve with its fall to the drag at the stall speed."""
        return [(self.stall, -self.drag), *self.torque]

    @property
    def gain(self) -> float:
        """Torque per speed below the setting, N·m·s/rad."""
        return self.full_load(self.rated_speed) / (self.droop * self.rated_speed)

    @property
    def most(self) -> float:
        """Highest speed that can be set, rad/s."""
        return self.torque[-1][0]

    def full_load(self, speed: float) -> float:
        """Full-load torque at a speed between two points, on the straight line, N·m."""
        points = self.curve()
        for (n, t), (n_next, t_next) in pairwise(points):
            if n <= speed <= n_next:
                return t + (t_next - t) * (speed - n) / (n_next - n)
        return points[-1][1] if speed > points[-1][0] else 0.0

    def expand(self, net: Net) -> None:
        largest = max(torque for _, torque in self.torque)
        meaning = "speed without load"
        wanted = net.input(self.setting, unit="rad/s", meaning=meaning, within=(self.idle, self.most), held=True)
        net.element(
            "engine_droop", net.scalar(self.shaft), curve=self.curve(), wanted=wanted,
            gain=self.gain, idle=self.idle, most=self.most,
            drag=self.drag, drag_speed=SLOW * self.idle, round=ROUND * largest,
        )  # fmt: skip
