# SPDX-License-Identifier: BSD-3-Clause
"""Shape: a way in which a body bends, as one coordinate that its attachments share.

    m·η̈ + damping·η̇ + stiffness·η = Σ (φ·F + ψ·T)         m of the shape and of all that it moves

η is the deflection, m: attachments move by φ η and turn by ψ η (attachment.py). Attachments with mass, and what hangs
on them, are bodies that take part in the motion of the whole; `mass` is for what only the shape moves.
Power       stores ½·stiffness·η² and ½·mass·η̇², dissipates damping·η̇²
Left out: shapes are linear, so that a body does not stiffen or buckle by axial forces.
Coordinates relative and reference-point; natural ones have no shapes.
Validated by: validation/analytic/test_shapes.py
"""

from knuckleboom.describe import BodyName, Net, Part, param
from knuckleboom.net import Scalar
from knuckleboom.quantities import Damping, Length, Mass, Speed, Stiffness


class Shape(Part):
    """A way in which a body bends."""

    of: BodyName = param("the body that bends")
    stiffness: Stiffness = param("elastic force by the deflection", above=0)
    damping: Damping = param("force by its rate", 0.0, least=0)
    mass: Mass = param("mass that only the shape moves, beside that of attachments", 0.0, least=0)
    start: Length = param("deflection at the start", 0.0)
    speed: Speed = param("its rate at the start", 0.0)

    def scalar_inertia(self) -> Scalar:
        meaning = f"how far shape '{self.name}' is deflected"
        return Scalar(self.mass, "m", self.speed, words=("deflection", "rate"), meaning=meaning)

    def expand(self, net: Net) -> None:
        net.spring(net.scalar(self.name, "elastic"), self.stiffness, 0.0, self.damping, 0.0)
