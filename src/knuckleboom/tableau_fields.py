# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of linearly implicit steps, as layout.py lists all others: it takes them from here, with its sizes."""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("tableau.stages",        (1,),             "int",   "stages of the linearly implicit method"),
    ("tableau.fresh",         (3,),             "int",   "1 for a stage that is evaluated, 0 for one that takes the first stage's rates"),
    ("tableau.node",          (3,),             "float", "where in the step each stage is"),
    ("tableau.input",         (3,),             "float", "where in the step each stage takes the inputs"),
    ("tableau.gamma",         (1,),             "float", "γ of the method: τ = γ h"),
    ("tableau.A",             (3, 3),           "float", "stage states: y0 + Σ A_ij u_j"),
    ("tableau.C",             (3, 3),           "float", "stage rates: + Σ C_ij u_j/h"),
    ("tableau.lean",          (3, 3),           "float", "the same for v, with the first stage's accelerations: z_i = Σ lean_ij u_vj/h"),
    ("tableau.kept",          (3,),             "int",   "1 for a stage whose M0 u_v a later one needs"),
    ("tableau.m",             (3,),             "float", "the step: y0 + Σ m_i u_i"),
    ("tableau.weight",        (3,),             "float", "the same for what nothing depends on: energy += h Σ weight_i power_i"),
    ("tableau.whole",         (3,),             "float", "m of a step of one stage"),
    ("tableau.b",             (3,),             "float", "the same for what depends on the tangent, such as multipliers: m Γ"),
    ("tableau.doubtful",      (3,),             "float", "where a step is in doubt: misfit of a pressure, Pa; how far a valve that comes from afar would hold one, over its own stiffness; way at a stop over its depth"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("tableau.u_q",        (3, "nv"),                       "float", "engine.linearly_implicit",  "increments of the stages: coordinates, in velocity space"),
    ("tableau.u_v",        (3, "nv"),                       "float", "engine.linearly_implicit",  "velocities"),
    ("tableau.u_x",        (3, "nx"),                       "float", "engine.linearly_implicit",  "strains and spools"),
    ("tableau.rate_q",     (3, "nv"),                       "float", "engine.linearly_implicit",  "rates of the stages: of q, in velocity space"),
    ("tableau.force",      (3, "nv"),                       "float", "engine.linearly_implicit",  "of v, times M"),
    ("tableau.rate_x",     (3, "nx"),                       "float", "engine.linearly_implicit",  "of x"),
    ("tableau.gamma",      (3, "nloop"),                    "float", "engine.linearly_implicit",  "of the loop rows"),
    ("tableau.power",      (3, "npower"),                   "float", "engine.linearly_implicit",  "powers of the stages, W"),
    ("tableau.push",       ("nv",),                         "float", "engine.linearly_implicit",  "scratch: right-hand side of a stage"),
    ("tableau.lam",        ("nloop",),                      "float", "engine.linearly_implicit",  "multipliers that later stages begin with"),
    ("tableau.momentum",   (3, "nv"),                       "float", "engine.linearly_implicit",  "M0 u_v of the stages that later ones need"),
    ("tableau.closing",    (3, "nloop"),                    "float", "engine.linearly_implicit",  "Φ_q0 u_v of these stages"),
    ("tableau.phi",        ("npath",),                      "float", "engine.linearly_implicit",  "Φ_q of the step's start"),
    ("tableau.rough",      (1,),                            "float", "engine.linearly_implicit",  "1 when the step is one of the linearly implicit Euler method, else 0"),
    ("tableau.mean",       (3, "nmean", 3),                 "float", "interface.mean_power",      "force, speed and change of speed of each such element in the stages"),
    ("tableau.misfit",     ("nvolume",),                    "float", "engine.linearly_implicit",  "pressure by which a later stage misses what the tangent expected, Pa"),
    ("tableau.doubt",      (4,),                            "float", "engine.linearly_implicit",  "1 where a valve comes from afar, a volume misfits, one with a piston does, a volume shrinks fast"),
    ("tableau.outcome",    (1,),                            "int",   "engine.linearly_implicit",  "what became of the step: the worst of its parts"),
    ("tableau.spent",      (1,),                            "float", "engine.oil_pass",           "Newton iterations of the oil in this step"),
    ("tableau.count",      (4,),                            "float", "engine.run",                "steps corrected, made in parts, left though in doubt; most Newton iterations of the oil in one step"),
    ("tableau.row_s0",     ("nstiff",),                     "float", "engine.linearly_implicit",  "values of the rows with slopes at the start of the step"),
    ("tableau.row_mean",   ("nstiff",),                     "float", "engine.oil_pass",           "their mean rates over the step"),
    ("tableau.x_end",      ("nx",),                         "float", "engine.oil_pass",           "x at the end of the step as the stages have it"),
    ("tableau.x_part",     ("nsolved",),                    "float", "engine.oil_pass",           "strains and steered states at the start of a part of the pass"),
    ("tableau.x_base",     ("nsolved",),                    "float", "engine.oil_pass",           "what a stage of the pass begins with"),
    ("tableau.flow_work",  ("npower",),                     "float", "engine.oil_pass",           "energies of branches and nodes over a corrected step, J"),
)
# fmt: on
