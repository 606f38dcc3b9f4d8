# SPDX-License-Identifier: BSD-3-Clause
"""Attachment: a place on a body that bends, moved by the body's shapes, and a body for all that is fixed to it.

    p = at + Σ φ_j η_j,   ε = Σ ψ_j η_j,   R = 1 + (ε~ + ½ ε~²)/(1 + ¼ ε·ε)        in the axes of the body

φ is `moves`, ψ is `turns`, η the deflection of each shape (shape.py). At rest its axes are those of the body. Joints,
cylinders, springs and forces are put on it like on any body, `boom_tip` or `boom_tip.at(0, 0, 0.1)`; mass and inertia
are what is lumped there. A shape that is not named does not move it. Body and attachment need no joint; the way from
the ground reaches the body first, by a joint on the body itself.
Validated by: validation/analytic/test_shapes.py
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BeforeValidator

from knuckleboom.describe import BodyName, Fault, param
from knuckleboom.mechanics.parts.body import Body, InertiaValues
from knuckleboom.quantities import Mass, Number, Quantity, Vec3, three

PerLength = Annotated[float, Quantity("1/m")]
Moves = Annotated[tuple[Number, Number, Number], BeforeValidator(three)]
Turns = Annotated[tuple[PerLength, PerLength, PerLength], BeforeValidator(three)]


class Attachment(Body):
    """A place on a body that bends."""

    SECTION = "attachments"

    of: BodyName = param("the body that bends")
    at: Vec3 = param("where, in body axes, when nothing is deflected")
    moves: dict[str, Moves] = param("by shape: how far it moves with the deflection, m/m, in body axes", {})
    turns: dict[str, Turns] = param("by shape: the angle by which it turns with the deflection, in body axes", {})
    mass: Mass = param("mass that is lumped there", 0.0, least=0)
    inertia: InertiaValues = param("inertia about its centre of mass: 3, 6 or 3×3 values", (0.0, 0.0, 0.0))

    def moved_by(self, shape: str) -> bool:
        """Whether a shape moves or turns it."""
        return any(self.moves.get(shape, ())) or any(self.turns.get(shape, ()))

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if self.loose:
            fix = f"Leave loose out here, and give it to '{self.of}'."
            yield Fault(f"it is loose, but a part of '{self.of}'.", fix, field="loose")
        if self.mass == 0.0 and any(self.inertia):
            rule = "it has an inertia, but no mass."
            yield Fault(rule, "Give its mass, too, or leave the inertia out.", field="inertia")
