# SPDX-License-Identifier: BSD-3-Clause
"""Z-bar linkage of a loader: boom, bellcrank, link and bucket in a side view; its pose and what holds it, closed forms.

The boom turns about `hinge` on the frame and carries the bucket on a pin at `length` and the bellcrank on `pivot`. The
tilt cylinder goes from `tilt_foot` on the frame to the bellcrank's upper arm; its lower arm draws the bucket by a link.

    pose     the link's rear pin is where two circles meet: the lower arm's about the pivot, the link's about the
             bucket's ear; of the two points the lower one
    forces   bucket about its pin → pull of the link → bellcrank about its pivot → tilt cylinder;
             all that turns with the boom about its hinge → lift cylinders. A link's weight rests half on each pin.

Points are (x, z) in m, x forward, z up, in the axes of their part: the boom's x goes from hinge to bucket pin, those of
bellcrank and bucket are the frame's at angle 0. Angles are those of the parts in the frame's axes, rad, positive lifts.
Validated by: validation/analytic/test_mine_loader.py
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

Point = tuple[float, float]
Weights = Mapping[str, tuple[float, Point]]
"""Force downwards, N, and where it acts on `boom`, `bellcrank`, `link` and `bucket`, in their axes."""


class ZBarPose(NamedTuple):
    """Angles of the parts in the frame's axes, rad."""

    boom: float
    bellcrank: float
    link: float
    bucket: float


@dataclass(frozen=True)
class ZBar:
    """Places of the pins, m."""

    hinge: Point  # of the boom, on the frame
    length: float  # of the boom, hinge to bucket pin
    pivot: Point  # of the bellcrank, on the boom
    upper: Point  # rod end of the tilt cylinder, on the bellcrank
    lower: Point  # rear pin of the link, on the bellcrank
    link: float  # pin to pin
    ear: Point  # front pin of the link, on the bucket
    tilt_foot: Point  # on the frame
    lift_foot: Point  # on the frame
    lift_eye: Point  # on the boom

    def pose(self, boom: float, bucket: float) -> ZBarPose:
        """Return all angles for those of boom and bucket."""
        pivot = self._at(self.pivot, boom)
        apart = complex(*self.ear) * cmath.rect(1.0, bucket) + self._at((self.length, 0.0), boom) - pivot
        arm, distance = abs(complex(*self.lower)), abs(apart)
        # law of cosines in the triangle pivot - rear pin - ear
        along = (distance**2 + arm**2 - self.link**2) / (2.0 * distance)
        if abs(along) > arm:
            raise ValueError(f"the link of {self.link:g} m does not reach: the ear is {distance:g} m from the pivot")
        rear = apart / distance * complex(along, -((arm**2 - along**2) ** 0.5))
        crank = cmath.phase(rear / complex(*self.lower))
        return ZBarPose(boom, crank, cmath.phase(apart - rear), bucket)

    def lift_length(self, pose: ZBarPose) -> float:
        """Return the lift cylinders' length, pin to pin, m."""
        return abs(self._at(self.lift_eye, pose.boom) - complex(*self.lift_foot))

    def tilt_length(self, pose: ZBarPose) -> float:
        """Return the tilt cylinder's length, pin to pin, m."""
        return abs(self._places(pose)["upper"] - complex(*self.tilt_foot))

    def holding_forces(self, pose: ZBarPose, weights: Weights) -> tuple[float, float]:
        """Return the force of both lift cylinders together and that of the tilt cylinder, N, positive extends them."""
        at = self._places(pose)
        half = 0.5 * weights["link"][0]
        loads = {name: (force, self._on(name, where, pose, at)) for name, (force, where) in weights.items()}

        # what turns the bucket forward, over the lever of the link about the bucket's pin, is the link's pull
        forward, place = loads["bucket"]
        turning = forward * (place - at["pin"]).real + half * (at["ear"] - at["pin"]).real
        along = (at["rear"] - at["ear"]) / abs(at["rear"] - at["ear"])
        pull = turning / _cross(at["ear"] - at["pin"], along)

        # the link draws the lower arm forward, the tilt cylinder pushes the upper one
        weight, place = loads["bellcrank"]
        drawn = _cross(at["rear"] - at["pivot"], -pull * along)
        drawn -= weight * (place - at["pivot"]).real + half * (at["rear"] - at["pivot"]).real
        push = at["upper"] - complex(*self.tilt_foot)
        tilt = -drawn / _cross(at["upper"] - at["pivot"], push / abs(push))

        # all weights about the hinge; the tilt cylinder lifts a little, too
        hinge, eye = complex(*self.hinge), self._at(self.lift_eye, pose.boom)
        sinking = sum(force * (place - hinge).real for force, place in loads.values())
        rest = sinking - tilt * _cross(at["upper"] - hinge, push / abs(push))
        thrust = eye - complex(*self.lift_foot)
        return rest / _cross(eye - hinge, thrust / abs(thrust)), tilt

    def _at(self, point: Point, boom: float) -> complex:
        """A point of the boom in the frame's axes, as x + iz."""
        return complex(*self.hinge) + complex(*point) * cmath.rect(1.0, boom)

    def _places(self, pose: ZBarPose) -> dict[str, complex]:
        """Pins in the frame's axes."""
        pin, pivot = self._at((self.length, 0.0), pose.boom), self._at(self.pivot, pose.boom)
        crank = cmath.rect(1.0, pose.bellcrank)
        return {
            "pin": pin,
            "ear": pin + complex(*self.ear) * cmath.rect(1.0, pose.bucket),
            "pivot": pivot,
            "upper": pivot + complex(*self.upper) * crank,
            "rear": pivot + complex(*self.lower) * crank,
        }

    def _on(self, name: str, where: Point, pose: ZBarPose, at: Mapping[str, complex]) -> complex:
        """A point of a part in the frame's axes."""
        origin = {"boom": complex(*self.hinge), "bellcrank": at["pivot"], "link": at["rear"], "bucket": at["pin"]}
        return origin[name] + complex(*where) * cmath.rect(1.0, getattr(pose, name))


def _cross(arm: complex, force: complex) -> float:
    """Moment of a force at the end of an arm, positive from x to z: lifts."""
    return arm.real * force.imag - arm.imag * force.real
