# SPDX-License-Identifier: BSD-3-Clause
"""An angle that is held: s as in angle.py, W = (f; 0).

Driven angles of joints that are cut. Index: link a, link b, the link that holds f, its place in state.angle.
"""

from knuckleboom.mechanics.rows.contract import HELD, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import turn_moved, turn_position, turn_velocity

ROW = RowKind(HELD, PATH, columns=("e_a", "e_b", "f"), unit="rad", turning=True, continued=True, cut=True)
position, velocity, moved = turn_position, turn_velocity, turn_moved
