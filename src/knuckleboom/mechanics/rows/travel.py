# SPDX-License-Identifier: BSD-3-Clause
"""How far a slide of a cut joint is out: s = f·(p_b − p_a), f fixed in a; W = (p_b×f; f).

What acts in a joint that is cut. Index: link a, link b.
"""

from knuckleboom.mechanics.rows.contract import FORCE, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import slide_moved, slide_position, slide_velocity

ROW = RowKind(FORCE, PATH, columns=("p_a", "p_b", "f"), cut=True, held_as="point_dot")
position, velocity, moved = slide_position, slide_velocity, slide_moved
