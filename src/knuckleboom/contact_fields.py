# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of contact with the ground, as layout.py lists all others: it takes them from here.

Sizes: ncontact (pairs of a shape and a ground), nlaw (lines of laws of all), nfeature (of all shapes), nspot (planned
points of all contacts), ntouchrow = nspot + 3 ncontact (their normal rows, then those of patches), nbend (bristles of
contacts, tires and pairs), ncarrying (links on which contacts and tires hang), nlinked and nmoved (nlink and nscrew
where there are such, else 0).
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("touch.index",           ("ncontact", 10), "int",   "columns of interface/contact.py"),
    ("touch.number",          ("ncontact", 9),  "float", "columns of interface/contact.py"),
    ("touch.law",             ("nlaw", 4),      "float", "columns of interface/contact.py, of each contact for each area of its ground"),
    ("touch.place",           ("nfeature", 7),  "float", "columns of geometry/feature.py"),
    ("touch.held",            (1,),             "int",   "1 where impulses act instead of forces: interface/bounded.py"),
    ("touch.limit",           ("nlimit", 2),    "int",   "stops and dry friction of rows that act by impulses: columns of interface/bounded_limits.py"),
    ("touch.limit_number",    ("nlimit", 3),    "float", "columns of interface/bounded_limits.py"),
    ("touch.chain",           ("ncarrying",),   "int",   "links on which contacts and tires hang, from the leaves to the root"),
    ("touch.bends",           ("nbend",),       "int",   "states of the bristles of contacts, tires and pairs"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("touch.p",            ("nspot", 3),                    "float", "interface.contact",         "points that touch or are next to it, relative to O, m"),
    ("touch.n",            ("nspot", 3),                    "float", "interface.contact",         "the ground's normals there"),
    ("touch.s",            ("nspot",),                      "float", "interface.contact",         "their gaps, deepest first, m"),
    ("touch.w",            ("nspot",),                      "float", "interface.contact",         "rates of the gaps, m/s"),
    ("touch.N",            ("nspot",),                      "float", "interface.contact",         "normal forces, N"),
    ("touch.by_s",         ("nspot",),                      "float", "interface.contact",         "∂N/∂s"),
    ("touch.by_w",         ("nspot",),                      "float", "interface.contact",         "∂N/∂w"),
    ("touch.feature",      ("nspot",),                      "int",   "interface.contact",         "which feature each point is of"),
    ("touch.area",         ("nspot",),                      "int",   "interface.contact",         "line of plan_touch.law for the area that it is on"),
    ("touch.axes",         ("ncontact", 9),                 "float", "interface.contact",         "mean normal, along and across it"),
    ("touch.pressed",      ("ncontact", 6),                 "float", "interface.contact",         "load, N; centre of pressure (3) relative to O and mean arm about it, m; load by what each area rubs, N"),
    ("touch.slip",         ("ncontact", 3),                 "float", "interface.contact",         "slip along, across and at the arm of spin, m/s"),
    ("touch.force",        ("ncontact", 3),                 "float", "interface.contact",         "friction along these, N"),
    ("touch.slope",        ("ncontact", 39),                "float", "interface.contact",         "slopes of friction and of bristles' rates"),
    ("touch.wrench",       ("ncontact", 6),                 "float", "interface.contact",         "what the contact does to its link, at O"),
    ("touch.missed",       ("ncontact",),                   "int",   "interface.contact",         "points that touch beyond those planned"),
    ("touch.dropped",      ("ncontact", 2),                 "float", "interface.contact",         "steps with such points so far, the most at once"),
    ("tangent.touch_S",    ("nmoved", 6),                   "float", "interface.ground_tangent",  "screws at the start of the step"),
    ("tangent.touch_W",    ("ntouchrow", 6),                "float", "interface.contact_tangent", "wrenches of normal rows and patches there"),
    ("tangent.touch_s",    ("nspot",),                      "float", "interface.contact_tangent", "∂N/∂s, looking one step ahead"),
    ("tangent.touch_D",    ("nspot",),                      "float", "interface.contact_tangent", "what each normal row adds to the mass it moves, kg"),
    ("tangent.touch_patch", ("ncontact", 36),               "float", "interface.contact_tangent", "the same of each patch, and slopes of its bristles"),
    ("tangent.touch_K",    ("nlinked", 21),                 "float", "interface.link_sums",       "Σ D W Wᵀ of each link, then of its subtree: the upper half"),
    ("tangent.touch_V",    ("nlinked", 6),                  "float", "interface.link_sums",       "scratch: velocities of links"),
    ("tangent.touch_f",    ("nlinked", 6),                  "float", "interface.link_sums",       "scratch: wrenches on links"),
    ("tangent.touch_rate", ("ntouchrow",),                  "float", "interface.contact_tangent", "scratch: A times rates or increments"),
    ("tangent.touch_moved", (6,),                           "float", "interface.link_sums",       "scratch"),
    ("newton.touch_slope", ("ncontact", 72),                "float", "interface.contact_slopes",  "change of each contact's wrench with pose and velocity of its link, bristles eliminated"),
    ("newton.touch_rate",  ("ncontact", 36),                "float", "interface.contact_slopes",  "the same of its bristles' rates"),
    ("newton.touch_solve", ("ncontact", 9),                 "float", "interface.contact_slopes",  "(1 − τ ∂ż/∂z)⁻¹ of its bristles"),
    ("newton.touch_column", ("nmoved", 6),                  "float", "interface.link_slopes",     "scratch: what each screw asks of a link, for screws above"),
    ("newton.touch_turned", ("nmoved", 6),                  "float", "interface.link_slopes",     "the same for its own link or below"),
    ("newton.divided",     (1,),                            "float", "engine.theta",              "1 while a step in which something touches is made in parts by its own rule"),
    ("newton.touch_moved", (12,),                           "float", "interface.link_slopes, .pair_slopes", "scratch: a small motion of a link and change of its velocity"),
    ("newton.touch_wrench", (1, 6),                         "float", "interface.contact_slopes, .tire_slopes, .pair_slopes", "scratch"),
)
# fmt: on
