# SPDX-License-Identifier: BSD-3-Clause
"""Bucket linkage: rocker and link through which a cylinder turns a bucket, as a four-bar in closed form.

In the stick's plane (x along the stick, z to its outside): the rocker turns about G, the bucket about P; the cylinder
goes from F to A, the rocker's end, and the link from A to B, the bucket's ear. At a bucket angle χ

    B = P + ear at χ,     A where the circles about G (rocker) and B (link) meet outside

A positive angle opens the bucket; the cylinder extends as it closes. Rates per χ̇ follow from the link's length:
ω_rocker = (A − B)·(k × (B − P)) / (A − B)·(k × (A − G)), and so do levers and, by virtual work, the cylinder's force.
Validated by: validation/analytic/test_excavator.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

Point = tuple[float, float]


class Linkage(NamedTuple):
    """Where everything is at a bucket angle (points in the stick's plane, m; angles against the stick, rad), and rates.

    `lever` is −∂s/∂χ of the cylinder's length s, m; `rocker_rate` and `link_rate` are angles per bucket angle.
    """

    end: Point
    ear: Point
    rocker: float
    link: float
    length: float
    lever: float
    rocker_rate: float
    link_rate: float


@dataclass(frozen=True)
class BucketLinkage:
    """Pins on the stick and lengths, m; `ear` is where the link holds the bucket, in the bucket's plane."""

    foot: Point  # of the cylinder, on the stick
    rocker_pin: Point
    bucket_pin: Point
    rocker: float
    link: float
    ear: Point

    def at(self, angle: float) -> Linkage:
        """Return the linkage at a bucket angle [rad]; a ValueError where rocker and link do not reach."""
        c, s = math.cos(angle), math.sin(angle)
        arm = c * self.ear[0] - s * self.ear[1], s * self.ear[0] + c * self.ear[1]
        ear = self.bucket_pin[0] + arm[0], self.bucket_pin[1] + arm[1]
        along, up = ear[0] - self.rocker_pin[0], ear[1] - self.rocker_pin[1]
        gap = math.hypot(along, up)
        if not abs(self.rocker - self.link) < gap < self.rocker + self.link:
            raise ValueError(f"rocker and link do not reach a bucket at {math.degrees(angle):.1f} degrees")
        aim = math.acos((self.rocker**2 + gap**2 - self.link**2) / (2.0 * self.rocker * gap))
        rocker = math.atan2(up, along) + aim
        crank = self.rocker * math.cos(rocker), self.rocker * math.sin(rocker)
        end = self.rocker_pin[0] + crank[0], self.rocker_pin[1] + crank[1]
        link = ear[0] - end[0], ear[1] - end[1]

        # the link keeps its length; k × (x, z) = (−z, x)
        rate = _dot(link, _turned(arm)) / _dot(link, _turned(crank))
        moved = _turned(arm)[0] - rate * _turned(crank)[0], _turned(arm)[1] - rate * _turned(crank)[1]
        ram = end[0] - self.foot[0], end[1] - self.foot[1]
        length = math.hypot(*ram)
        return Linkage(
            end=end, ear=ear, rocker=rocker, link=math.atan2(link[1], link[0]), length=length,
            lever=-rate * _dot(ram, _turned(crank)) / length, rocker_rate=rate,
            link_rate=_dot(moved, _turned(link)) / self.link**2,
        )  # fmt: skip


def _turned(v: Point) -> Point:
    return -v[1], v[0]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]
