# SPDX-License-Identifier: BSD-3-Clause
"""Force at a place along a direction, an input.

    F = value·direction/|direction|             in world axes, or in the axes of the place (frame: body)

Rows        one direction row               States  none          Input  the part's name
The force acts on the body of the place and has no reaction on another body: use a spring or an effort for that.
Validated by: validation/analytic/test_applied_force.py
"""

from collections.abc import Iterator
from typing import Literal

from knuckleboom import quantities
from knuckleboom.describe import Fault, Net, Part, Place, param
from knuckleboom.quantities import Axis, show, unit_vector


class Force(Part):
    """An applied force."""

    at: Place = param("where it acts")
    direction: Axis = param("direction: x, y, z, -x, -y, -z or 3 values; its length has no effect")
    frame: Literal["world", "body"] = param("axes of the direction: world, or body for those of the place", "world")
    value: quantities.Force = param("size of the force; also an input of this name", 0.0)

    def faults(self) -> Iterator[Fault]:
        if not isinstance(self.direction, str) and not any(self.direction):
            rule = f"direction is {show(self.direction)}, which has no direction."
            yield Fault(rule, "Write one such as direction: -z", field="direction")

    def expand(self, net: Net) -> None:
        row = net.direction(self.at, unit_vector(self.direction), self.frame)
        net.push(row, net.input(self.value, unit="N", meaning="applied force"))
