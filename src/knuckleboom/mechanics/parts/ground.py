# SPDX-License-Identifier: BSD-3-Clause
"""Ground: the world, a body that does not move and has no mass. Every machine has exactly one, named `ground`.

It carries named points and frames like a body. In YAML it stands among the bodies, and only when it has any:
`bodies: {ground: {points: {pin: [0.87, 0, 0]}}}`. It is not a kind that a user makes: `machine.ground` is there.
"""

from knuckleboom.describe import Part, param
from knuckleboom.mechanics.parts.body import Frame
from knuckleboom.quantities import Vec3


class Ground(Part):
    """The world, with points and frames fixed in it."""

    SECTION = "bodies"

    points: dict[str, Vec3] = param("named points in the world", {})
    frames: dict[str, Frame] = param("named frames in the world", {})
