# SPDX-License-Identifier: BSD-3-Clause
"""Driver: a joint coordinate, or the distance between two places, follows a motion, with whatever force that takes.

    q = f(t)   or   |p_b − p_a| = f(t)             one held row; minus its multiplier is the force of the driver
    f = start + speed·t + amplitude·sin(2π·frequency·t + phase), or the cubic spline through `times` and `values`

The spline is at rest at its ends and outside them. An input of the driver's name replaces f for a run: a number, a
table, a function of time, or a quantity of an earlier run. Sign: a positive force or torque pushes the coordinate up,
or the places apart. Power: brings force·ḟ, counted as applied work. The start pose follows the driver, not the joint's
start. Two drivers cannot move what one of them, or a loop, already determines.
Validated by: validation/analytic/test_drivers.py
"""

import math
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator

from knuckleboom.describe import Fault, JointName, Part, Place, param
from knuckleboom.mechanics.motions import Harmonic, Motion, Spline
from knuckleboom.quantities import Angle, CoordinateRate, CoordinateValue, Frequency, Index, Time


def _listed(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    return tuple(value) if isinstance(value, list) else value


Times = Annotated[tuple[Time, ...], BeforeValidator(_listed)]
Values = Annotated[tuple[CoordinateValue, ...], BeforeValidator(_listed)]


class Driver(Part):
    """A prescribed motion of a joint or of the distance between two places."""

    joint: JointName | None = param("the joint it drives", None)
    coordinate: Index = param("which coordinate of the joint, from 0", 0)
    a: Place | None = param("instead of a joint: place at one end of the distance it drives", None)
    b: Place | None = param("place at the other end", None)
    start: CoordinateValue | None = param("f at time 0 without the sine; default: from the start pose", None)
    speed: CoordinateRate = param("constant speed", 0.0)
    amplitude: CoordinateValue = param("amplitude of the sine", 0.0)
    frequency: Frequency = param("frequency of the sine", 0.0, least=0)
    phase: Angle = param("phase of the sine at time 0", 0.0)
    times: Times = param("times of a table, rising", ())
    values: Values = param("f at these times", ())

    def faults(self) -> Iterator[Fault]:
        places = self.a is not None and self.b is not None
        if (self.joint is None) != places or (self.a is None) != (self.b is None):
            fix = "Give a joint, or the two places a and b."
            yield Fault("it must drive either a joint or the distance between two places.", fix, field="joint")
        if len(self.times) != len(self.values) or len(self.times) == 1:
            rule = (
                f"there are {len(self.times)} times and {len(self.values)} values; a table needs two or more of each."
            )
            yield Fault(rule, "Give a value for each time.", field="times")
        if any(later <= earlier for earlier, later in zip(self.times, self.times[1:], strict=False)):
            yield Fault("times do not rise.", "Sort them, each time once.", field="times")
        moved = [field for field in ("start", "speed", "amplitude") if field in self.model_fields_set]
        if self.times and moved:
            rule = f"it has a table, and {' and '.join(moved)} too."
            yield Fault(rule, "Give either times and values, or start, speed and amplitude.", field=moved[0])
        if not self.times and self.joint is None and self.start is not None and self.start <= 0.0:
            yield Fault("start is the distance of two places, which is longer than zero.", field="start")

    def motion(self, pose: float) -> Motion:
        """Its motion, with the value of the start pose for a start that is not given."""
        if self.times:
            return Spline(self.times, self.values)
        swing = self.amplitude * math.sin(self.phase)
        start = pose - swing if self.start is None else self.start
        return Harmonic(start, self.speed, self.amplitude, 2.0 * math.pi * self.frequency, self.phase)
