# SPDX-License-Identifier: BSD-3-Clause
"""Pipe: a thin-walled metal line from its own port to another.

    V = π/4·d²·l,   1/B_e = 1/B_oil + 1/B_wall,   B_wall = modulus·wall/d                       [Merritt 1967, ch. 1]
    resistance: laminar and turbulent from the oil's viscosity, or `flow` at a pressure drop (line.py)

Port        one, with the part's name: the near end; `to` names the port at the far end
Sign        Q > 0 flows from the own port to `to`           States  oil strain at the near end, from `pressure`
Power       oil and wall store, the resistance dissipates (p − p_to)·Q ≥ 0.
Validated by: validation/analytic/test_hose.py              ISO 1219: a straight line
Without `wall` the pipe is rigid.
"""

from knuckleboom.describe import param
from knuckleboom.hydraulics.parts.line import Line
from knuckleboom.quantities import Length, PressureDrop
from knuckleboom.symbol import Symbol, line


class Pipe(Line):
    """A metal pipe."""

    SYMBOL = Symbol(
        0.5, 1.0, {"": (0.25, 0.0), "to": (0.25, 1.0)},
        line((0.25, 0.0), (0.25, 1.0)) + line((0.15, 0.2), (0.35, 0.2)) + line((0.15, 0.8), (0.35, 0.8)),
        datum="ø{diameter:mm} × {length:m} m",
    )  # fmt: skip

    wall: Length | None = param("thickness of the wall; default: rigid", None, above=0)
    modulus: PressureDrop = param("elastic modulus of the wall", "206 GPa", above=0)

    def wall_bulk(self) -> float | None:
        return None if self.wall is None else self.modulus * self.wall / self.diameter
