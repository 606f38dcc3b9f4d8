# SPDX-License-Identifier: BSD-3-Clause
"""How far a turn of a cut joint is: s from e_a to e_b about f, which is fixed in either link; W = (f; 0).

It goes on over whole turns from where it was last (state.angle). What acts in a joint that is cut. Index: link a,
link b, the link that holds f, its place in state.angle.
"""

from knuckleboom.mechanics.rows.contract import FORCE, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import turn_moved, turn_position, turn_velocity

ROW = RowKind(
    FORCE, PATH, columns=("e_a", "e_b", "f"), unit="rad", turning=True, continued=True, cut=True, held_as="held_angle"
)
position, velocity, moved = turn_position, turn_velocity, turn_moved
