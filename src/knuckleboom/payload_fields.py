# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of inertias that change, as layout.py lists all others: it takes them from here.

Sizes: nload (payloads), nmoving (columns of oil), npayload (both), ncarried (nscrew where there are payloads, else 0).
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("payload.index",         ("npayload", 5),  "int",   "columns of mechanics/payload.py: payloads, then oil"),
    ("payload.number",        ("nload", 14),    "float", "as links.inertia, of 1 kg; velocity of what joins (3), m/s; time constant, s"),
    ("payload.moving",        ("nmoving", 10),  "float", "columns of mechanics/moving_oil.py"),
    ("newton.moving_row",     ("nmoving",),     "int",   "row of each column of oil among those with slopes"),
    ("newton.moving_first",   ("nmoving+1",),   "int",   "first screw of each"),
    ("newton.moving_screw",   ("nmovingpath",), "int",   "screws that move the link of each"),
    ("newton.moving_place",   ("nmovingplace",), "place", "where the products of each of these with an entry of the row stand in newton.J"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("payload.flow",       ("npayload", 2),                 "float", "mechanics.payload",         "mass, kg, and how fast it grows, at least 0, kg/s"),
    ("payload.unit",       ("npayload", 10),                "float", "mechanics.payload, .moving_oil", "spatial inertia of 1 kg"),
    ("payload.end",        ("npayload", 10),                "float", "mechanics.payload, .moving_oil", "that of 1 kg where it joins and leaves"),
    ("payload.comes",      ("npayload", 3),                 "float", "mechanics.payload, .moving_oil", "velocity of what joins, m/s"),
    ("payload.moved",      ("npayload", 6),                 "float", "mechanics.payload, .moving_oil", "what the motion of 1 kg needs"),
    ("payload.gained",     ("npayload", 6),                 "float", "mechanics.payload",         "momentum that 1 kg gains as it joins"),
    ("payload.wrench",     ("npayload", 6),                 "float", "mechanics.payload",         "what each payload needs of its link"),
    ("tangent.payload_S",  ("ncarried", 6),                 "float", "mechanics.payload",         "screws at the start of the step"),
    ("tangent.payload_D",  ("nload", 10),                   "float", "mechanics.payload",         "spatial inertia that each payload adds to the mass: τ ṁ⁺ times that of 1 kg"),
)
# fmt: on
