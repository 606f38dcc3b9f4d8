# SPDX-License-Identifier: BSD-3-Clause
"""Two points meet in a direction: s = f·(p_b − p_a), f fixed in a; W = (p_b×f; f).

Loops: what a cut joint holds, and a driven slide of one. Index: link a, link b.
"""

from knuckleboom.mechanics.rows.contract import HELD, PATH, Form, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import slide_moved, slide_position, slide_velocity

ROW = RowKind(HELD, PATH, columns=("p_a", "p_b", "f"))
position, velocity, moved = slide_position, slide_velocity, slide_moved


def products(form: Form, a: int, b: int, given: Terms) -> None:
    """In natural coordinates: f·(p_b − p_a)."""
    form.add(form.direction(a, given["f"]), form.between(form.point(a, given["p_a"]), form.point(b, given["p_b"])))
