# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of rows with bounded impulses, as layout.py lists all others: solvers/bounded_rows.py says what they mean.

Sizes: nbounded (rows that there may be), ntableau (rows of Lemke's tableau for them: bounded_rows.TABLEAU_ROWS has how
many each kind needs), ncovered = ntableau + 2.
"""

# fmt: off
WORK_FIELDS = (
    # name                 shape                       type     owner                    meaning
    ("bounded.kind",       ("nbounded",),              "int",   "engine.timestepping",   "kind of each row, of solvers/bounded_rows.py"),
    ("bounded.leader",     ("nbounded",),              "int",   "engine.timestepping",   "row whose impulse bounds that of friction, −1 none"),
    ("bounded.more",       ("nbounded",),              "int",   "engine.timestepping",   "how many rows after the leader bound it, too: all together"),
    ("bounded.friction",   ("nbounded",),              "float", "engine.timestepping",   "μ of rows of friction"),
    ("bounded.lower",      ("nbounded",),              "float", "engine.timestepping",   "least impulse of bounded rows, or −∞"),
    ("bounded.upper",      ("nbounded",),              "float", "engine.timestepping",   "largest impulse of bounded rows, or ∞"),
    ("bounded.A",          ("nbounded", "nbounded"),   "float", "engine.timestepping",   "rate of each row by the impulse on another, with compliances on the diagonal"),
    ("bounded.b",          ("nbounded",),              "float", "engine.timestepping",   "rate of each row without impulses"),
    ("bounded.P",          ("nbounded",),              "float", "solvers.active_set",    "impulses"),
    ("bounded.w",          ("nbounded",),              "float", "solvers.bounded_rows",  "A P + b"),
    ("bounded.count",      (2,),                       "int",   "solvers.active_set",    "rounds or sweeps of the last solution; pivots of Lemke in it"),
    ("bounded.matrix",     ("nbounded", "nbounded"),   "float", "solvers.active_set",    "scratch: A with pairs that slip turned into their directions"),
    ("bounded.factor",     ("nbounded", "nbounded"),   "float", "solvers.active_set",    "scratch: factor of the rows without a bound"),
    ("bounded.column",     ("nbounded", "nbounded"),   "float", "solvers.active_set",    "scratch: what sliding with each leader does to them"),
    ("bounded.small",      ("nbounded", "nbounded"),   "float", "solvers.active_set",    "scratch: system of the leaders of what slides"),
    ("bounded.value",      (10, "nbounded"),           "float", "solvers.active_set",    "scratch"),
    ("bounded.place",      (4, "nbounded"),            "int",   "solvers.active_set",    "scratch"),
    ("bounded.tableau",    ("ntableau", "ncovered"),   "float", "solvers.lemke",         "scratch"),
    ("bounded.variable",   (3, "ncovered"),            "int",   "solvers.lemke",         "scratch: variables of rows and columns of the tableau"),
)
# fmt: on
