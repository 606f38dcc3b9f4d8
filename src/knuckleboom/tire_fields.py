# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of tires, as layout.py lists all others: it takes them from here.

Sizes: ntire, ndisc (discs of all tires). Links of tires are among those of contact_fields.py.
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("tire.index",            ("ntire", 7),     "int",   "columns of interface/tire.py"),
    ("tire.number",           ("ntire", 22),    "float", "columns of interface/tire.py"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("tire.disc",          ("ndisc", 32),                   "float", "interface.tire",            "columns of interface/tire.py"),
    ("tire.roll",          ("ntire", 9),                    "float", "interface.tire",            "columns of interface/tire.py"),
    ("tire.wrench",        ("ntire", 6),                    "float", "interface.tire",            "what the tire does to its link, at O"),
    ("tangent.tire_disc",  ("ndisc", 22),                   "float", "interface.tire_tangent",    "where discs touch at the start of the step, D and slopes: columns of interface/tire_tangent.py"),
    ("tangent.tire_roll",  ("ntire", 7),                    "float", "interface.tire_tangent",    "the same of rolling resistance"),
    ("tangent.tire_rate",  ("ndisc", 3),                    "float", "interface.tire_tangent",    "scratch: A times increments of discs"),
    ("tangent.tire_turning", ("ntire",),                    "float", "interface.tire_tangent",    "the same of wheels about their axles"),
    ("newton.tire_law",    ("ndisc", 24),                   "float", "interface.tire_slopes",     "slopes of friction over load and of bends: columns of interface/tire_slopes.py"),
    ("newton.tire_rate",   ("ndisc", 24),                   "float", "interface.tire_slopes",     "change of each disc's two bend rates with pose and velocity of its link"),
    ("newton.tire_turn",   ("ntire",),                      "float", "interface.tire_slopes",     "1/(1 − τ ∂ż/∂z) of the bristles of rolling"),
    ("newton.tire_roll_rate", ("ntire", 12),                "float", "interface.tire_slopes",     "change of their rates with pose and velocity of the link"),
    ("newton.tire_slope",  ("ntire", 72),                   "float", "interface.tire_slopes",     "change of each tire's wrench with them, bends eliminated"),
)
# fmt: on
