# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of time stepping beside those of its solvers, as layout.py lists all others: it takes them from here.

Sizes: nmet (meetings with bounded impulses: contacts with the ground, pairs of bodies, then stops and dry friction of
rows, of which nlimit are), nmetentry (entries of the paths between their links), nmetslot (slots that these reach in
the factor), nmetway (entries of the longest path), nbounded (rows that there may be), nkept and nactive (numbers of the
state for these and their points), nmetslots and nfreed (nslot and nv where there are such, else 0).
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("impulse.solver",        (1,),             "int",   "solver of bounded rows: engine/timestepping.py"),
    ("impulse.way_first",     ("nmet+1",),      "int",   "first entry of the path between the links of each meeting"),
    ("impulse.way_dof",       ("nmetentry",),   "int",   "its velocity"),
    ("impulse.way_screw",     ("nmetentry",),   "int",   "its screw"),
    ("impulse.way_sign",      ("nmetentry",),   "float", "+1 on the side of b, of the body; −1 on that of a"),
    ("impulse.slot_first",    ("nmet+1",),      "int",   "first slot that the path of each meeting reaches in the factor"),
    ("impulse.slot",          ("nmetslot",),    "int",   "these slots, in the order in which they are eliminated"),
    ("impulse.link",          ("nmet",),        "int",   "the body's link, of a pair that of b, −1 of a limit of a row"),
    ("impulse.power",         ("nmet",),        "int",   "its first power"),
)

WORK_FIELDS = (
    # name                 shape                       type     owner                   meaning
    ("state.pressing",         ("nkept",),                 "float", "interface.bounded",    "of each meeting over the last step: normal force (3) and friction (3), their moment about the link's origin (3), load; normal impulse of all impacts so far; of a limit its force is the first"),
    ("state.active",       ("nactive",),               "float", "interface.bounded",    "modes in the last step, integers: of normal rows, of each feature on the ground and each planned spot of pairs, then of the cone and the spin of each meeting"),
    ("impulse.met",        ("nbounded",),              "int",   "interface.bounded",    "meeting of each row"),
    ("impulse.mode_at",    ("nbounded",),              "int",   "interface.bounded",    "where its mode is kept in state.active, −1 none"),
    ("impulse.gap",        ("nbounded",),              "float", "interface.bounded",    "gap of a normal row, m"),
    ("impulse.stiffness",  ("nbounded",),              "float", "interface.bounded",    "its stiffness, N/m"),
    ("impulse.restitution", ("nbounded",),             "float", "interface.bounded",    "its restitution, −1 where it has no impact"),
    ("impulse.place",      ("nbounded", 3),            "float", "interface.bounded",    "its point, relative to O, m"),
    ("impulse.mode",       ("nbounded",),              "int",   "interface.bounded",    "mode of each row, for the solver"),
    ("impulse.direction",  ("nbounded", 3),            "float", "interface.bounded",    "direction of its force, 0 of a torque"),
    ("impulse.moment",     ("nbounded", 3),            "float", "interface.bounded",    "its moment at O, m; a direction of a torque"),
    ("impulse.entry",      ("nbounded", "nmetway"),    "float", "interface.bounded",    "entries of each row along the path of its meeting"),
    ("impulse.half",       ("nbounded", "nmetslots"),  "float", "interface.bounded",    "half solves L⁻¹ Aᵀ of the rows, 0 where they do not reach"),
    ("impulse.rate",       ("nbounded",),              "float", "interface.bounded",    "rates at the start of the step"),
    ("impulse.other",      ("nbounded",),              "float", "engine.timestepping",  "scratch: impulses of impacts with all restitution"),
    ("impulse.count",      (1,),                       "int",   "interface.bounded",    "rows in this step"),
    ("impulse.work",       ("nmet", 2),                "float", "interface.bounded",    "work of normal impulses and of friction in this step, J"),
    ("impulse.struck",     ("nmet",),                  "float", "interface.bounded",    "normal impulse of impacts in this step, N s"),
    ("impulse.eased",      (4,),                       "float", "engine.timestepping",  "whether friction yielded in this step, whether restitution was less; how many steps so far each"),
    ("impulse.jump",       ("nfreed",),                "float", "interface.bounded",    "change of velocities by impacts at the start of the step"),
    ("impulse.solution",   ("nmetslots",),             "float", "interface.bounded",    "scratch: change of velocities by impulses, in elimination order"),
)
# fmt: on
