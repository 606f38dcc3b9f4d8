# SPDX-License-Identifier: BSD-3-Clause
"""Torque on a body about an axis, an input.

    τ = value·axis/|axis|                       in world axes, or in body axes

Rows        one turn row                    States  none          Input  the part's name
The torque has no reaction on another body: use an effort in a joint for that.
Validated by: validation/analytic/test_applied_force.py
"""

from collections.abc import Iterator
from typing import Literal

from knuckleboom import quantities
from knuckleboom.describe import BodyName, Fault, Net, Part, param
from knuckleboom.quantities import Axis, show, unit_vector


class Torque(Part):
    """An applied torque."""

    body: BodyName = param("the body it acts on")
    axis: Axis = param("axis: x, y, z, -x, -y, -z or 3 values; its length has no effect", "z")
    frame: Literal["world", "body"] = param("axes of the axis: world or body", "world")
    value: quantities.Torque = param("size of the torque; also an input of this name", 0.0)

    def faults(self) -> Iterator[Fault]:
        if not isinstance(self.axis, str) and not any(self.axis):
            yield Fault(f"axis is {show(self.axis)}, which has no direction.", "Write one such as axis: z", "axis")

    def expand(self, net: Net) -> None:
        row = net.turn(self.body, unit_vector(self.axis), self.frame)
        net.push(row, net.input(self.value, unit="N*m", meaning="applied torque"))
