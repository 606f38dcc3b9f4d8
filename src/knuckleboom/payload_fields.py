# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of payloads, as layout.py lists all others: it takes them from here.

Sizes: npayload, ncarried (nv where there are payloads, else 0).
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("payload.index",         ("npayload", 4),  "int",   "columns of mechanics/payload.py"),
    ("payload.number",        ("npayload", 14), "float", "as links.inertia, of 1 kg; velocity of what joins (3), m/s; time constant, s"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("payload.flow",       ("npayload", 2),                 "float", "mechanics.payload",         "mass, kg, and how fast it grows, at least 0, kg/s"),
    ("payload.unit",       ("npayload", 10),                "float", "mechanics.payload",         "spatial inertia of 1 kg"),
    ("payload.moved",      ("npayload", 6),                 "float", "mechanics.payload",         "what the motion of 1 kg needs"),
    ("payload.gained",     ("npayload", 6),                 "float", "mechanics.payload",         "momentum that 1 kg gains as it joins"),
    ("payload.wrench",     ("npayload", 6),                 "float", "mechanics.payload",         "what each payload needs of its link"),
    ("tangent.payload_S",  ("ncarried", 6),                 "float", "mechanics.payload",         "screws at the start of the step"),
    ("tangent.payload_D",  ("npayload", 10),                "float", "mechanics.payload",         "spatial inertia that each payload adds to the mass: τ ṁ⁺ times that of 1 kg"),
)
# fmt: on
