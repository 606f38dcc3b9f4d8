# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of a power side that has steps of its own, as layout.py lists all others: it takes them from here.

Sizes: nplaced (rows that move it), nexchanged (rows whose force is handed over, of `cosimulated`, else 0), nown and
nownpower (rows with slopes and powers there, else 0), nreached (slots that these rows reach), nchamberrow (chambers
there), nfree, nheld and nreach (nv, nloop and nslot there), nelsewhere (nexchanged where another process computes a
side, else 0), nexchange = 4 nexchanged + 4.
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("course.kind",           (1,),             "int",   "how the rates of rows go in a step of the mechanics: engine/power_side.py"),
    ("course.integrator",     (1,),             "int",   "how the power side is integrated on its own, −1 with the mechanics: engine/power_side.py"),
    ("course.step",           (1,),             "float", "in steps of this, s"),
    ("course.tolerance",      (1,),             "float", "its own Newton iteration stops below this change of pressures, Pa"),
    ("course.row",            ("nplaced",),     "place", "rows that move it"),
    ("course.exchange",       (4,),             "int",   "order, what is handed over, variables, integrator of the mechanics: engine/cosimulate.py"),
    ("course.stiff",          ("nexchanged",),  "place", "number of each row whose force is handed over among those with slopes"),
    ("course.own",            ("nown",),        "float", "1 for a row with slopes that the mechanics evaluates alone, else 0"),
    ("course.own_power",      ("nownpower",),   "float", "1 for a power that the mechanics accounts for, 0 for one of the power side"),
    ("course.chamber",        ("nchamberrow",), "place", "which of these rows each chamber acts on"),
    ("course.elsewhere",      (2,),             "int",   "which side another process computes, 0 none, and the address of the call that exchanges with it: engine/elsewhere.py"),
    ("course.stand_power",    ("nelsewhere",),  "place", "power of the push that stands for what is computed elsewhere, of each of these rows"),
    ("course.stand_input",    ("nelsewhere",),  "place", "input that it follows"),
    ("course.slot_first",     ("nexchanged+1",), "int",  "first slot that each of these rows reaches in the factor"),
    ("course.slot",           ("nreached",),    "place", "these slots, in the order in which they are eliminated"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("state.exchange",     ("nexchange",),                  "float", "engine.cosimulate",         "per row handed over: value that the power side has reached, rate one and two exchanges ago, force handed last; then sizes of the last two steps, s, energy that the last exchange made and that of all, J"),
    ("course.row_s0",      ("nrow",),                       "float", "engine.power_side",             "values of the rows at the start of the step"),
    ("course.row_w0",      ("nrow",),                       "float", "engine.power_side",             "their rates"),
    ("course.row_s1",      ("nrow",),                       "float", "engine.power_side",             "values of the rows at its end, as far as they are known"),
    ("course.row_w1",      ("nrow",),                       "float", "engine.power_side",             "their rates"),
    ("course.u0",          ("nu",),                         "float", "engine.run",                "inputs at the start of the step"),
    ("course.u1",          ("nu",),                         "float", "engine.run",                "inputs at its end"),
    ("course.u_start",        ("nu",),                         "float", "engine.course",             "inputs at the start of an exchange, which has many such steps"),
    ("course.u_end",          ("nu",),                         "float", "engine.course",             "inputs at its end"),
    ("course.x_start",     ("nx",),                         "float", "engine.power_side",         "x at the start of a small step"),
    ("course.x_first",     ("nx",),                         "float", "engine.course",             "x at the start of an exchange, while its first small step is tried"),
    ("course.x_sum",       ("nx",),                         "float", "engine.power_side",         "scratch"),
    ("course.bends",       ("nbend",),                      "float", "engine.cointegrate",        "bends of what touches, which Newton solves for"),
    ("course.residual",    ("nx",),                         "float", "engine.power_side",         "scratch: what x lacks in a small step, then its correction"),
    ("course.rate",        ("nexchanged", 3),               "float", "engine.power_side",             "rate over the step as a polynomial of the fraction of it"),
    ("course.Y",           ("nexchanged", "nexchanged"),    "float", "interface.row_space",       "A M⁻¹ Aᵀ with the loops: acceleration of each row by a force on another, 1/kg"),
    ("course.free",        ("nexchanged",),                 "float", "interface.row_space",       "acceleration of each row without their forces"),
    ("course.half",        ("nexchanged", "nreach"),        "float", "interface.row_space",       "scratch: half solves, 0 where a row does not reach"),
    ("course.force",       ("nexchanged",),                 "float", "engine.course",             "force or chamber force of each row at the last small step"),
    ("course.damping",     ("nexchanged",),                 "float", "engine.course",             "−∂λ/∂w there, at least 0"),
    ("course.speed",          ("nexchanged",),                 "float", "engine.course",             "rate there, then that of the end of the next small step"),
    ("course.matrix",         ("nexchanged", "nexchanged"),    "float", "engine.course",             "scratch: 1 + α h Y D"),
    ("course.force_before",   ("nexchanged",),                 "float", "engine.course",             "force a small step before"),
    ("course.speed_before",   ("nexchanged",),                 "float", "engine.course",             "rate there"),
    ("course.drive",          ("nexchanged",),                 "float", "engine.course",             "force that drives the reduced model over a small step"),
    ("course.impulse",        ("nexchanged",),                 "float", "engine.course",             "its integral so far, N s"),
    ("course.lean",           ("nexchanged",),                 "float", "engine.course",             "∫ (H/2 − t) λ dt of it, N s²"),
    ("course.way",            ("nfree",),                      "float", "engine.cosimulate",         "by how much coordinates advance further for that, in velocity space"),
    ("course.next",           ("nexchanged",),                 "float", "engine.course",             "scratch: rates at the end of a small step"),
    ("course.s",              ("nexchanged",),                 "float", "engine.cosimulate",         "values of the rows when the step begins"),
    ("course.w",              ("nexchanged",),                 "float", "engine.cosimulate",         "their rates"),
    ("course.mean",        ("nexchanged",),                 "float", "engine.course",             "mean force over the small steps"),
    ("course.handed",      ("nexchanged",),                 "float", "engine.cosimulate",         "what the mechanics gets"),
    ("course.work",        ("nexchanged",),                 "float", "engine.course",             "work of these forces in the small steps, J"),
    ("course.reached",        ("nelsewhere",),                 "float", "engine.elsewhere",          "value of each row that a power side elsewhere has reached"),
    ("course.size",           (1,),                            "float", "engine.elsewhere",          "size of the exchange that another process is asked for, s"),
    ("course.power",          ("nownpower",),                  "float", "engine.course",             "powers at the start of a small step, W"),
    ("course.multiplier",     ("nheld",),                      "float", "engine.cosimulate",         "multipliers of the loops without these forces"),
    ("course.v_dot",       ("nfree",),                      "float", "engine.cosimulate",         "accelerations at the start of the step, first without these forces"),
    ("course.count",          (2,),                            "float", "engine.cosimulate",         "iterations of the trapezoidal rule and exchanges so far"),
    ("course.rule",           ("nfree",),                      "float", "engine.cosimulate",         "accelerations at the end of the step as the trapezoidal rule has them"),
)
# fmt: on
