# SPDX-License-Identifier: BSD-3-Clause
"""Rope, chain or sling between two places: it pulls when it is taut, and never pushes.

    λ = −k d (1 + c ḋ), at least 0 in magnitude              d = s − length ≥ 0, s the distance of the places

Rows        one length row                  States  none
Power       stores ½ k d², dissipates k c d ḋ² [Hunt Crossley 1975].
Without `length` it is just taut at the start; with `tension` it is shorter by as much as that stretches it. It has no
mass and does not bend: a slack one is nowhere. Damping is in s/m: at rest under T it damps as T·c.
Validated by: validation/analytic/test_rope.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Part, Place, param
from knuckleboom.net import FromStart
from knuckleboom.quantities import Force, Length, Stiffness, StopDamping


class Rope(Part):
    """A line between two places that only pulls."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    stiffness: Stiffness = param("force per stretch", above=0)
    length: Length | None = param("where it comes taut; default: from the start and tension", None, above=0)
    tension: Force = param("at the start, instead of a length", 0.0, least=0)
    damping: StopDamping = param("rise of the force per speed", 0.0, least=0)

    def faults(self) -> Iterator[Fault]:
        if self.length is not None and self.tension > 0.0:
            yield Fault("it has both length and tension.", "Give one of them.", field="tension")

    def expand(self, net: Net) -> None:
        row = net.length(self.a, self.b)
        taut = FromStart(-self.tension / self.stiffness) if self.length is None else self.length
        net.stop(row, None, taut, self.stiffness, self.damping)
