# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of the ground, as layout.py lists all others: it takes them from here.

Sizes: nground (terrains), nheight (coefficients of all height fields), narea (areas of all, the rest of each among
them), ncorner (of their outlines). Nothing is written here while a machine runs: the ground is Plan only.
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("ground.index",          ("nground", 6),   "int",   "columns of geometry/field.py"),
    ("ground.number",         ("nground", 10),  "float", "columns of geometry/field.py"),
    ("ground.height",         ("nheight",),     "float", "coefficients of height fields, one after the other, row by row along x, m"),
    ("ground.area",           ("narea", 6),     "float", "factors of friction and stiffness; least x and y, greatest x and y, m"),
    ("ground.outline",        ("narea", 2),     "int",   "first corner of each area and their number, 0 of what is left of a ground"),
    ("ground.corner",         ("ncorner", 2),   "float", "x and y of corners, m"),
)
# fmt: on
