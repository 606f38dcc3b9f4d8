# SPDX-License-Identifier: BSD-3-Clause
"""Every array of the simulator, once: the frozen Plan, the mutable Work, and the Schedule of a call.

Each field: name, shape in symbolic sizes, type or owner (who writes it), meaning. A `place` is an unsigned integer that
is only looked up, never reckoned with, a `short` one of 32 bits, for long lists. Sizes: nlink (link 0 is the ground),
nq, nv, nx, nu (inputs), nrow, nrowkind, nterm (rows that rows are made of), nloop (rows that close loops), nslot = nv +
nloop, nL (entries of the factor), npair (velocity and ancestor), npath (entries of all loop rows), ndriver (loop rows
that follow a motion), nangle (rows that are an angle), nforce, nsingle (elements with one row and one state), nmean
(elements with mean power), nblock, nblockrow, nslope, nfactor, nfollow and ncross (elements with several rows or
states, their rows, slopes, factors and pairs of rows), nscaled, nmore, nkind, nforcecurve, nchamber, npiston (chambers
on volumes, the first of all), nsetting (chambers that a state scales), nnode, nvolume (nodes with a strain), nsteered
(states that pressures steer), nsolved = nvolume + nsteered, ncircuit, nbranch, nopening, noilcurve, nreading, nlag,
nsecond, nstiff (rows whose force has slopes), npush and npushpair (their entries and pairs of these), ncircuitentry and
nresponse (entries of E and Z), nlower, nupper and noiltarget (of E's factors), nexchange, nsteering, nmetered, nopened
and nanswer (what branches, pressures, spools and rows do to strains), nrowpath (entries of all rows with a wrench),
nsystem (unknowns of Newton), njoint (joints with a reaction), nbeyond and nborder (bodies and rows of all reactions),
ntarget (products of the factor on a pattern), nplace, npushplace and nmatrix (entries of Newton's matrix and of lists
of them), nconstant, nnatural, nquadratic, nlinear and nproduct (of natural coordinates, 0 in others), nlean and nsquare
(rows added to the mass and their products), ncg (nv for conjugate gradients, else 0), nscalar, nturn, nball, nbody,
npoint, npower, nrecord (columns of the record), ndense and ndense_loop (nv and nloop when dense, else 0), nstate and
nmode (numbers and integers of the state), ncontrol (controllers), nread, nwrite, nmemory, nparameter (of all
controllers), nsignal (control signals), nline = nrecord + nsignal, nstop. Further ones are in the *_fields.py.
"""

from __future__ import annotations

from typing import Any

from knuckleboom import (
    bounded_fields,
    contact_fields,
    course_fields,
    ground_fields,
    impulse_fields,
    pair_fields,
    payload_fields,
    screw_fields,
    tableau_fields,
    tire_fields,
)
from knuckleboom.family import Family
from knuckleboom.kernels import kernel

# status of a run; Python turns it into a sentence with names
OK, NOT_FINITE, SINGULAR, EMPTY, NOT_CONVERGED, UNSETTLED = 0, 1, 2, 3, 4, 5
STOPPED, CONTROLLER_FAILED, CONTROLLER_NOT_FINITE, HALF_FAILED = 10, 11, 12, 13

# bits of `due`: where an input jumps, where controllers wrote before the run was called, and one for each controller
JUMP = 1 << 62
WRITTEN = 1 << 61
CONTROLLERS = WRITTEN - 1

# entries of work.tableau.count
CORRECTED_STEPS, PARTED_STEPS, UNRESOLVED_STEPS, MOST_ITERATIONS = 0, 1, 2, 3

# columns of plan.system.method
INTEGRATOR, ENFORCEMENT, FACTORISATION = 0, 1, 2

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("links.index",           ("nlink", 8),     "int",   "kind of movement, parent link, first q, first v, 1 if R_PF = 1, number of velocities, first screw, first line of links.shape (0: none)"),
    ("links.frame",           ("nlink", 12),    "float", "R_PF (9) and p_PF (3): joint frame in the parent link"),
    ("links.inertia",         ("nlink", 10),    "float", "mass, centre of mass (3), inertia about it (6), link axes"),
    ("links.scalars",         ("nscalar", 2),   "place", "q and v of every movement with one coordinate"),
    ("links.turns",           ("nturn",),       "place", "q of every turn, in the order of the links"),
    ("links.balls",           ("nball", 2),     "int",   "first q and first v of every ball"),
    ("links.origin",          (3,),             "int",   "q indices of the position of the common point O, −1 none"),
    ("links.gravity",         (3,),             "float", "acceleration of free fall, m/s²"),
    ("rows.first",            ("nrowkind+1",),  "int",   "first row of each kind; mechanics/rows/kinds.py"),
    ("rows.index",            ("nrow", 5),      "int",   "kind, link a, link b, two more"),
    ("rows.number",           ("nrow", 12),     "float", "points and directions of the row in their links"),
    ("rows.term",             ("nterm", 2),     "int",   "rows that rows are made of, one after the other; their velocities where they are coordinates, else −1"),
    ("rows.weight",           ("nterm",),       "float", "coefficients of these"),
    ("rows.driven",           ("ndriver",),    "int",   "loop row of each driver"),
    ("forces.first",          ("nkind+1",),     "int",   "first element of each kind; kinds of interface/forces.py"),
    ("forces.index",          ("nforce", 9),    "int",   "columns of interface/contract.py"),
    ("forces.single",         ("nsingle", 2),   "int",   "row and state of each element with one of each"),
    ("forces.block",          ("nblock", 9),    "int",   "elements with several rows or states: columns of interface/states.py"),
    ("forces.block_row",      ("nblockrow",),   "int",   "rows of these, one after the other"),
    ("forces.scaled",         ("nscaled",),     "int",   "states of elements whose corrections Newton looks at"),
    ("forces.scale",          ("nscaled",),     "float", "what these are compared with"),
    ("forces.mean",           ("nmean",),       "int",   "elements whose work is that of their mean force over a step"),
    ("forces.more",           ("nmore",),       "int",   "further rows, then further signals, then chambers whose force they read, of elements that have them, one after the other"),
    ("forces.number",         ("nforce", "ncolumn"),    "float", "columns of the element's file"),
    ("forces.curve",          ("nforcecurve",), "float", "numbers of efficiency curves and stages, one after the other"),
    ("forces.chamber_index",  ("nchamber", 5),  "int",   "row, node, start and number of its stages in forces.curve (0: one area), signal that scales it (−1 none)"),
    ("forces.chamber_number", ("nchamber", 4),  "float", "signed area m² or m³/rad, dead volume m³, s at zero stroke volume m, 1 if the volume grows with s, 0 for a motor"),
    ("oil.ambient",           (1,),             "float", "ambient pressure, Pa"),
    ("oil.node_first",        (7,),             "int",   "first node of each kind; kinds of hydraulics/oil_laws.py, sources last"),
    ("oil.node_number",       ("nnode", 6),     "float", "fixed volume, then the oil's constants or a source's pressure"),
    ("oil.node_elastic",      ("nnode",),       "float", "wall compliance, m³/Pa"),
    ("oil.node_signal",       ("nnode",),       "int",   "signal that sets a source's pressure, −1 none"),
    ("oil.branch_first",      (6,),             "int",   "first branch of each kind; kinds of hydraulics/network.py"),
    ("oil.branch_index",      ("nbranch", 5),   "int",   "nodes a, b, pilot nodes c, d, opening"),
    ("oil.branch_number",     ("nbranch", 8),   "float", "columns of the element's file"),
    ("oil.opening_first",     (7,),             "int",   "first opening of each kind"),
    ("oil.opening_signal",    ("nopening",),    "int",   "signal of each opening, −1 constant"),
    ("oil.opening_factor",    ("nopening",),    "int",   "input that multiplies it, −1 none"),
    ("oil.opening_number",    ("nopening", 3),  "float", "columns of the element's file"),
    ("oil.curve",             ("noilcurve",),   "float", "numbers of metering tables, one after the other"),
    ("oil.steered_first",     (3,),             "int",   "first of each kind of states that pressures steer"),
    ("oil.steered_index",     ("nsteered", 5),  "int",   "signal (−1 none), four nodes"),
    ("oil.steered_number",    ("nsteered", 7),  "float", "columns of the element's file"),
    ("oil.lag_state",         ("nlag",),        "int",   "state of each first-order lag"),
    ("oil.lag_signal",        ("nlag",),        "int",   "signal it follows"),
    ("oil.lag_number",        ("nlag", 3),      "float", "time constant, s; ends within which it keeps what it follows"),
    ("oil.second_state",      ("nsecond",),     "int",   "state of each second-order lag; its rate is the next"),
    ("oil.second_signal",     ("nsecond",),     "int",   "signal it follows"),
    ("oil.second_number",     ("nsecond", 2),   "float", "columns of hydraulics/elements/second_order.py"),
    ("oil.circuit_first",     ("ncircuit+1",),  "int",   "first state of each circuit: volumes joined by branches, and what they steer"),
    ("oil.circuit_state",     ("nsolved",),     "int",   "states of all circuits, one after the other"),
    ("oil.circuit_start",     ("ncircuit",),    "int",   "where a circuit's matrix begins in tangent.E"),
    ("oil.state_circuit",     ("nsolved",),     "int",   "circuit of each volume and steered state"),
    ("oil.state_place",       ("nsolved",),     "int",   "its place in that circuit"),
    ("oil.diagonal",          ("nsolved",),     "place", "its diagonal in tangent.E"),
    ("oil.lower_first",       ("nsolved+1",),   "int",   "first entry below the diagonal of each state, in the order of circuit_state"),
    ("oil.lower",             ("nlower", 2),    "place", "such entries of tangent.E and the place of their row in the circuit"),
    ("oil.upper_first",       ("nsolved+1",),   "int",   "first entry right of the diagonal of each state"),
    ("oil.upper",             ("nupper", 2),    "place", "such entries and the place of their column"),
    ("oil.target",            ("noiltarget",),  "place", "where the product of each lower with each upper entry of a state goes"),
    ("oil.exchange",          ("nexchange", 5), "place", "branch, node it fills or empties, node whose pressure does so, entry of tangent.E, column of oil.slope"),
    ("oil.exchange_sign",     ("nexchange",),   "float", "+1 at the branch's end a, −1 at b"),
    ("oil.steering",          ("nsteering", 4), "place", "steered state, node that steers it, entry of tangent.E, column of oil.steering"),
    ("oil.metered",           ("nmetered", 4),  "place", "branch that a state opens, node it fills or empties, opening, state; then chambers that a state scales, likewise, without opening"),
    ("oil.metered_sign",      ("nopened",),     "float", "of the branches: +1 at the end b, −1 at a"),
    ("oil.metered_entry",     ("nmetered",),    "int",   "entry of tangent.E of a steered state, −1 of another"),
    ("oil.reading_index",     ("nreading", 6),  "int",   "branch, nodes high and low, signal or row of the speed, signal of the setting; −1 none"),
    ("oil.reading_number",    ("nreading", 11),  "float", "its gains"),
    ("oil.power_first",       (2,),             "int",   "first power of branches and of nodes"),
    ("system.method",         (3,),             "int",   "integrator, enforcement, factorisation: integer switches"),
    ("system.pair_first",     ("nv+1",),        "int",   "first pair of each velocity"),
    ("system.pair_turning",   ("nv",),          "int",   "first pair whose ancestor can turn: slides come before"),
    ("system.pair_ancestor",  ("npair",),       "place",  "ancestor velocity of each pair, itself included"),
    ("system.pair_address",   ("npair",),       "place",  "where M_jk stands in L"),
    ("system.path_first",     ("nloop+1",),     "int",   "first entry of each loop row"),
    ("system.path_dof",       ("npath",),       "place",  "velocity of each entry"),
    ("system.path_sign",      ("npath",),       "float", "+1 on the side of b, −1 of a; a gear's coefficient"),
    ("system.path_row",       ("npath",),       "int",   "row whose wrench the entry takes, of rows that are made of others; else −1"),
    ("system.path_address",   ("npath",),       "place",  "where the entry stands in L"),
    ("system.path_diagonal",  ("npath",),       "place",  "where the diagonal of the entry's velocity stands in L"),
    ("system.loop_address",   ("nloop",),       "place",  "where the row's diagonal stands in L"),
    ("system.loop_slot",      ("nloop",),       "place",  "place of the row's multiplier in the elimination order"),
    ("system.velocity_slot",  ("nv",),          "place",  "place of each velocity in the elimination order"),
    ("system.slot_start",     ("nslot",),       "int",   "start of each slot's entries in L"),
    ("system.slot_depth",     ("nslot",),       "int",   "number of ancestors of each slot"),
    ("system.slot_ancestor",  ("nL",),          "place",  "ancestor slots beside the entries of L, root first"),
    ("system.slot_sign",      ("nslot",),       "float", "sign of the pivot: +1 velocity, −1 multiplier"),
    ("system.target",         ("ntarget",),     "short", "where each product of two entries of a row is taken off; none where the order is that of the tree"),
    ("system.block_first",    ("nv",),          "int",   "first velocity of the body that each velocity belongs to, for conjugate gradients"),
    ("system.trunk",          (1,),             "int",   "6 when the first six slots are one chain that carries all others, else 0"),
    ("system.penalty",        (1,),             "float", "α of penalty and augmented, kg or kg·m²"),
    ("system.damping",        (1,),             "float", "2ξω of the loops' stabilisation, 1/s"),
    ("system.stiffness",      (1,),             "float", "ω² of the loops' stabilisation, 1/s²"),
    ("system.tolerance",      (1,),             "float", "augmented iteration stops at this |Φ_q v̇ − γ|, m/s² or rad/s²"),
    ("system.regularisation", (1,),             "float", "least pivot of a loop row, as a part of its Φ_q diag(M)⁻¹ Φ_qᵀ"),
    ("system.sweeps",         (1,),             "int",   "most solves per evaluation; of lagrange and index3 more than one where rows are redundant"),
    ("tangent.row",           ("nstiff",),      "int",   "rows whose force has slopes"),
    ("tangent.stiff",         ("nrow",),        "int",   "number of each row among them, −1 none"),
    ("tangent.path_first",    ("nstiff+1",),    "int",   "first entry of each such row"),
    ("tangent.path_dof",      ("npush",),       "place", "velocity of each entry"),
    ("tangent.path_sign",     ("npush",),       "float", "+1 on the side of b, −1 of a; 0 for a row of a coordinate"),
    ("tangent.pair_address",  ("npushpair",),   "place", "where the product of two entries of one row stands in L: each with those up to itself"),
    ("tangent.cross",         ("ncross", 2),    "int",   "pairs of rows with slopes that one element acts on"),
    ("tangent.cross_address", ("ncrossentry",), "place", "where the products of their entries stand in L"),
    ("tangent.chamber",       ("npiston", 2) ,  "place", "node of each chamber, number of its row among those with slopes"),
    ("tangent.chamber_entry", ("npiston",),    "place", "entry of tangent.Z with what each chamber does to its own node"),
    ("tangent.column",        ("npiston",),     "place", "chambers in the order of the columns of tangent.Z: circuit after circuit"),
    ("tangent.setting",       ("nsetting", 2),  "place", "chambers that a state scales, and that state"),
    ("tangent.column_first",  ("ncircuit+1",),  "int",   "first column of each circuit"),
    ("tangent.response_first", ("ncircuit",),  "int",   "where a circuit's part of tangent.Z begins: a line for each of its states, a column for each chamber"),
    ("tangent.answer",        ("nanswer", 3),   "place", "chamber, number of its row, entry of tangent.Z by which that row moves it"),
    ("newton.path_first",     ("nrow+1",),      "int",   "first entry of each row that has a wrench"),
    ("newton.path_dof",       ("nrowpath",),    "int",   "velocity of each entry"),
    ("newton.path_sign",      ("nrowpath",),    "float", "+1 on the side of b, −1 of a"),
    ("newton.path_link",      ("nrowpath",),    "int",   "its link"),
    ("newton.path_axis",      ("nrowpath",),    "int",   "1 + its place among the nine components of a body's vectors, −1 for a shape, 0 for other velocities"),
    ("newton.place_first",    ("nrow",),        "int",   "where the places of a row's entries begin"),
    ("newton.place",          ("nplace",),      "place", "where the products of any two entries of a row stand in newton.J, row by row"),
    ("newton.pair_place",     ("npair", 2),     "place", "where the pair of a velocity and its ancestor stands in newton.J: in the velocity's row, in the ancestor's"),
    ("newton.path_place",     ("npath", 2),     "place", "where an entry of Φ_q stands there: in the velocity's row, in the multiplier's"),
    ("newton.loop_place",     ("nloop",),       "place", "where the multiplier's diagonal stands there"),
    ("newton.push_first",     ("nstiff", "nstiff"), "int", "where the places of two rows with slopes begin, −1 when nothing couples them"),
    ("newton.push_place",     ("npushplace",),  "place", "where their products stand in newton.J"),
    ("newton.square_place",   ("nsquare", 2),   "place", "where the products of stiffened.square stand there, both ways"),
    ("newton.product_place",  ("nproduct", 2),  "place", "where the products of natural.product stand there, both ways"),
    ("newton.whole",          (1,),             "int",   "1 when all of newton.J is kept, 0 when only its pattern"),
    ("newton.rule",           (4,),             "float", "α_m, α_f, β, γ of the integrator"),
    ("newton.tolerance",      (2,),             "float", "Newton stops below this change of q (m or rad) and of pressures (Pa)"),
    ("newton.compliance",     (1,),             "float", "1/α of the loops' augmented Lagrangian, 1/kg"),
    ("natural.mass",          ("nconstant",),   "float", "M of each pair, constant; none in other coordinates"),
    ("natural.weight",        ("nnatural",),    "float", "what gravity takes of each velocity's force"),
    ("natural.row",           ("nquadratic",),  "place", "loop rows that are quadratic in q"),
    ("natural.linear",        ("nlinear",),     "float", "the linear part of each entry of Φ_q"),
    ("natural.product",       ("nproduct", 5),  "place", "row, entries and velocities of each product of two coordinates"),
    ("natural.share",         ("nproduct",),    "float", "its coefficient"),
    ("stiffened.row",         ("nlean",),       "place", "loop rows that are added to the mass, too"),
    ("stiffened.sigma",       ("nlean",),       "float", "by this factor, kg or kg·m²"),
    ("stiffened.square",      ("nsquare", 3),   "place", "two entries of such a row, and where their product stands in L"),
    ("stiffened.share",       ("nsquare",),     "float", "the factor of that row"),
    ("reactions.index",       ("njoint", 2),    "int",   "link that carries b's place, sign of the reaction: −1 when b is nearer to the ground"),
    ("reactions.place",       ("njoint", 3),    "float", "b's place on that link, m"),
    ("reactions.body_first",  ("njoint+1",),    "int",   "first body beyond each joint"),
    ("reactions.body",        ("nbeyond",),     "int",   "bodies beyond the joint"),
    ("reactions.row_first",   ("njoint+1",),    "int",   "first row across each joint's border"),
    ("reactions.row",         ("nborder",),     "int",   "rows that act on one body beyond the joint and on one that is not"),
    ("reactions.row_sign",    ("nborder",),     "float", "+1 when the row's b is beyond, −1 when its a is"),
    ("reactions.inertia",     ("nbody", 10),    "float", "as links.inertia, of each body, in the axes of its link"),
    ("shown.body_link",       ("nbody",),       "int",   "link that carries each body"),
    ("shown.body_frame",      ("nbody", 12),    "float", "R_LB (9), p_LB (3)"),
    ("shown.point_link",      ("npoint",),      "int",   "link that carries each named point"),
    ("shown.point_place",     ("npoint", 3),    "float", "p_LP, m"),
    ("control.first",         ("ncontrol+1", 5), "int",  "address of each controller, its first read, write, memory and parameter"),
    ("control.read",          ("nread",),       "int",   "column of the line that each read is taken from"),
    ("control.write",         ("nwrite",),      "int",   "where each write goes: inputs first, then control signals"),
    ("control.parameter",     ("nparameter",),  "float", "parameters of the controllers"),
    ("control.stop_column",   ("nstop",),       "int",   "column of the line that each stop condition looks at"),
    ("control.stop_number",   ("nstop", 2),     "float", "its sign and threshold"),
    *contact_fields.PLAN_FIELDS, *course_fields.PLAN_FIELDS, *ground_fields.PLAN_FIELDS,
    *impulse_fields.PLAN_FIELDS, *pair_fields.PLAN_FIELDS,
    *payload_fields.PLAN_FIELDS, *screw_fields.PLAN_FIELDS, *tableau_fields.PLAN_FIELDS, *tire_fields.PLAN_FIELDS,
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("state.q",            ("nq",),                         "float", "engine.integrators",        "joint coordinates: rad, m, unit quaternions"),
    ("state.v",            ("nv",),                         "float", "engine.integrators",        "joint velocities"),
    ("state.x",            ("nx",),                         "float", "engine.integrators",        "oil strains, then spools"),
    ("state.energy",       ("npower",),                     "float", "engine.integrators",        "integrals of power, J"),
    ("state.angle",        ("nangle",),                     "float", "mechanics.rows",            "angles of joints that are cut, over whole turns, rad"),
    ("state.u",            ("nu",),                         "float", "engine.run",                "inputs, at the time that is evaluated"),
    ("state.signal",       ("nsignal",),                    "float", "engine.control",            "control signals, at the time that is evaluated"),
    ("state.memory",       ("nmemory",),                    "float", "engine.control",            "memory of the controllers"),
    ("state.time",         (1,),                            "float", "engine.run",                "time of the state, s"),
    ("state.rate_v",       ("nv",),                         "float", "engine.theta",              "accelerations carried to the next step"),
    ("state.rate_x",       ("nx",),                         "float", "engine.theta",              "rates of x carried to the next step"),
    ("state.true_v",       ("nv",),                         "float", "engine.theta",              "accelerations at the end of the last step"),
    ("state.true_x",       ("nx",),                         "float", "engine.theta",              "rates of x there"),
    ("state.multiplier",   ("nloop",),                      "float", "engine.theta",              "multipliers carried to the next step"),
    ("state.power",        ("npower",),                     "float", "engine.theta",              "powers carried to the next step, W"),
    ("state.z",            ("nmode",),                      "int",   "engine.run",                "modes of elements; they change between accepted steps only"),
    ("state.whole",        ("nstate",),                     "float", "engine.run",                "all numbers of the state in one piece: the fields of STATE are parts of it"),
    ("state.fault",        (1,),                            "int",   "engine.run",                "index of what went wrong"),
    ("motion.p_WO",        (3,),                            "float", "mechanics.kinematics",      "common point O in the world, m"),
    ("motion.R_WL",        ("nlink", 9),                    "float", "mechanics.kinematics",      "axes of each link"),
    ("motion.p_OL",        ("nlink", 3),                    "float", "mechanics.kinematics",      "origin of each link relative to O, m"),
    ("motion.angle",       ("nturn",),                      "float", "mechanics.kinematics",      "angle of every turn, rad"),
    ("motion.sine",        ("nturn",),                      "float", "mechanics.kinematics",      "its sine"),
    ("motion.cosine",      ("nturn",),                      "float", "mechanics.kinematics",      "its cosine"),
    ("motion.S",           ("nscrew", 6),                   "float", "mechanics.kinematics",      "screws at O: of each velocity (none of shapes), of each attachment, of links.between"),
    ("motion.V_WL",        ("nlink", 6),                    "float", "mechanics.kinematics",      "spatial velocity at O"),
    ("motion.A_WL",        ("nlink", 6),                    "float", "mechanics.kinematics",      "bias acceleration at O, ground at −g"),
    ("motion.inertia",     ("nlink", 10),                   "float", "mechanics.dynamics",        "spatial inertia of each link, then of its subtree"),
    ("motion.wrench",      ("nlink", 6),                    "float", "mechanics.rows, .dynamics", "bias wrench of each link, then of its subtree"),
    ("motion.body_inertia", ("nbody", 10),                  "float", "mechanics.reactions",       "spatial inertia of each body"),
    ("motion.body_wrench", ("nbody", 6),                    "float", "mechanics.reactions",       "what each body's motion needs"),
    ("rows.W",             ("nrow", 6),                     "float", "mechanics.rows",            "wrench of each row at O"),
    ("rows.s",             ("nrow",),                       "float", "mechanics.rows",            "value of each row: m, rad"),
    ("rows.w",             ("nrow",),                       "float", "mechanics.rows",            "rate of each row"),
    ("rows.bias",          ("nrow",),                       "float", "mechanics.rows",            "Ȧv of each row"),
    ("rows.target",        ("ndriver", 3),                  "float", "engine.motion",             "value, rate and acceleration that each driver prescribes now"),
    ("rows.force",         ("nrow",),                       "float", "interface.forces",          "λ: N, N·m"),
    ("rows.stiffness",     ("nrow",),                       "float", "interface.forces",          "∂λ/∂s"),
    ("rows.damping",       ("nrow",),                       "float", "interface.forces",          "∂λ/∂w"),
    ("rows.stored",        ("nforce",),                     "float", "interface.forces",          "elastic energy of each element, J"),
    ("rows.single",        ("nsingle", 3),                  "float", "interface.forces",          "∂λ/∂z, ∂ż/∂z, ∂ż/∂w of each element with one row and one state"),
    ("rows.block",         ("nslope",),                     "float", "interface.forces",          "slopes of each element with several rows or states: interface/contract.py, BLOCKS"),
    ("oil.p",              ("nnode",),                      "float", "hydraulics.network",        "pressure, Pa"),
    ("oil.gauge",          ("nnode",),                      "float", "hydraulics.network",        "pressure above ambient, Pa"),
    ("oil.p_slope",        ("nnode",),                      "float", "hydraulics.network",        "dp/de, Pa"),
    ("oil.p_curve",        ("nvolume",),                    "float", "hydraulics.network",        "d²p/de² where walls are compliant, else 0, Pa"),
    ("oil.V",              ("nnode",),                      "float", "interface.forces, hydraulics.network", "volume with that of compliant walls, m³"),
    ("oil.room",           ("nvolume",),                    "float", "hydraulics.network",        "effective volume (ΣQ − V̇)/ė: V, and more where walls are compliant, m³"),
    ("oil.area",           ("nchamber",),                   "float", "interface.forces",          "signed area of each chamber, m² or m³/rad"),
    ("oil.area_slope",     ("nchamber",),                   "float", "interface.forces",          "its slope with s, m"),
    ("oil.by_setting",     ("nchamber",),                   "float", "interface.forces",          "flow into each chamber's node by its setting, m³/s"),
    ("oil.push",           ("nchamber",),                   "float", "interface.forces",          "∂λ/∂p of each chamber: its area without what friction takes, m²"),
    ("oil.steering",       ("nsteered", 4),                 "float", "hydraulics.network",        "∂ẋ/∂p of each steered state with its four nodes"),
    ("oil.V_dot",          ("nnode",),                      "float", "interface.forces",          "flow into chambers, m³/s: the rate of V, and what motors hand on"),
    ("oil.growth",         ("nnode",),                      "float", "interface.forces",          "rate of V, m³/s"),
    ("oil.density",        ("nvolume",),                    "float", "hydraulics.oil_laws",       "elastic energy of 1 m³ where it was needed last, J"),
    ("oil.energy",         ("nvolume",),                    "float", "hydraulics.oil_laws",       "elastic energy of the oil, zero at ambient pressure, J"),
    ("oil.opening_slope",  ("nopening",),                   "float", "hydraulics.network",        "their slopes with the signal"),
    ("oil.opening",        ("nopening",),                   "float", "hydraulics.network",        "openings, 0..1, and the flows of flow sources, m³/s"),
    ("oil.slope",          ("nbranch", 6),                  "float", "hydraulics.network, .circuits", "∂Q/∂p_a, ∂Q/∂p_b, ∂Q/∂p_c, ∂Q/∂p_d, ∂Q/∂opening, secant conductance"),
    ("oil.Q",              ("nbranch",),                    "float", "hydraulics.network",        "flow from a to b, m³/s"),
    ("oil.Q_net",          ("nnode",),                      "float", "hydraulics.network",        "net flow into each node, m³/s"),
    ("oil.x_dot",          ("nx",),                         "float", "hydraulics.network",        "rates of x"),
    ("oil.power",          ("npower",),                     "float", "interface, hydraulics",     "power of forces, pistons, branches, nodes, drivers, W"),
    ("system.effort",      ("nv",),                         "float", "mechanics.rows",            "joint forces of coordinate rows"),
    ("system.bias",        ("nv",),                         "float", "mechanics.dynamics",        "generalised bias force"),
    ("system.L",           ("nL",),                         "float", "mechanics",                 "M and Φ_q, then their factor"),
    ("system.phi",         ("npath",),                      "float", "mechanics.accelerations",   "Φ_q on the paths of the loop rows"),
    ("system.compliance",  ("nloop",),                      "float", "mechanics.accelerations",   "C of each loop row, 1/kg or 1/(kg·m²)"),
    ("system.floor",       ("nslot",),                      "float", "mechanics.accelerations",   "least size of each pivot; 0 for velocities"),
    ("system.gamma",       ("nloop",),                      "float", "mechanics.accelerations",   "right-hand side of the loop rows"),
    ("system.rhs",         ("nslot",),                      "float", "mechanics.accelerations",   "right-hand side, then the solution"),
    ("system.multiplier",  ("nloop",),                      "float", "mechanics.accelerations",   "λ of the loop rows"),
    ("system.a",           ("nv",),                         "float", "engine.theta, .linearly_implicit", "accelerations that an evaluation is given: those Newton asks for, or those of a step's first stage"),
    ("system.v_dot",       ("nv",),                         "float", "mechanics.accelerations",   "joint accelerations"),
    ("system.dense_M",     ("ndense", "ndense"),            "float", "mechanics.accelerations",   "Cholesky factor of M"),
    ("system.dense_Y",     ("ndense_loop", "ndense"),       "float", "mechanics.accelerations",   "Φ_q L⁻ᵀ"),
    ("system.dense_schur", ("ndense_loop", "ndense_loop"),  "float", "mechanics.accelerations",   "factor of Φ_q M⁻¹ Φ_qᵀ + C"),
    ("system.dense_y",     ("ndense",),                     "float", "mechanics.accelerations",   "scratch"),
    ("system.dense_z",     ("ndense_loop",),                "float", "mechanics.accelerations",   "scratch"),
    ("system.block",       ("ncg", 12),                     "float", "mechanics.accelerations",   "factors of the bodies' own blocks, for conjugate gradients"),
    ("system.vectors",     (4, "ncg"),                      "float", "mechanics.accelerations",   "scratch of conjugate gradients"),
    ("system.push",        ("ncg",),                        "float", "mechanics.accelerations",   "their right-hand side"),
    ("tangent.row_entry",  ("npush",),                      "float", "interface.coupling",        "A of the rows with slopes"),
    ("tangent.row_turn",   ("npush",),                      "float", "mechanics.row_slopes",      "∂w/∂q of the rows with slopes, for Newton"),
    ("tangent.row_s",      ("nstiff",),                     "float", "interface.coupling",        "∂λ/∂s, looking one step ahead"),
    ("tangent.row_w",      ("nstiff",),                     "float", "interface.coupling",        "∂λ/∂w"),
    ("tangent.row_D",      ("nstiff",),                     "float", "interface.coupling",        "what the row adds to the mass it moves, kg or kg·m²"),
    ("tangent.row_rate",   ("nstiff",),                     "float", "interface.coupling",        "scratch: A times rates or increments"),
    ("tangent.stiffness",  ("nvolume",),                    "float", "interface.coupling, .exact_coupling", "dp/de of each volume, Pa; of a linearly implicit step looking one step ahead"),
    ("tangent.chamber_w",  ("npiston",),                    "float", "interface.forces",          "∂ė/∂w of each chamber's volume, 1/m"),
    ("tangent.chamber_s",  ("npiston",),                    "float", "interface.forces",          "∂ė/∂s over ∂ė/∂w, 1/s"),
    ("tangent.chamber_x",  ("npiston",),                    "float", "interface.coupling",        "∂λ/∂e of each chamber, N"),
    ("tangent.speed",      ("npiston",),                    "float", "interface.coupling, .exact_coupling", "scratch: what the row of each column of Z does"),
    ("tangent.openness",   ("nvolume",),                    "float", "hydraulics.circuits",       "how far flows hold each pressure within a step, over its own stiffness"),
    ("tangent.ahead",      ("nnode",),                      "float", "interface.coupling, engine.oil_pass", "pressures after an explicit Euler step, or after a correction, Pa"),
    ("tangent.single",     ("nsingle", 3),                  "float", "engine.linearly_implicit",  "rows.single at the start of the step"),
    ("tangent.block",      ("nslope",),                     "float", "engine.linearly_implicit",  "rows.block at the start of the step"),
    ("tangent.factor",     ("nfactor",),                    "float", "interface.states",          "factors of 1 − τ ∂ż/∂z of these elements"),
    ("tangent.follow",     ("nfollow",),                    "float", "interface.states",          "how far their states follow rates, then values, of their rows, s"),
    ("tangent.cross_s",    ("ncross",),                     "float", "interface.states",          "∂λ/∂s between the rows of one element, the symmetric part"),
    ("tangent.cross_D",    ("ncross",),                     "float", "interface.states",          "what such a pair adds to the mass they move"),
    ("tangent.row_kept",   ("nstiff",),                     "float", "interface.coupling, .exact_coupling", "scratch"),
    ("tangent.turn",       ("nmean",),                      "float", "interface.mean_power",      "∂λ/∂w·Ȧv/(v·v) of each such element at the start of the step"),
    ("tangent.conductance", ("nbranch", 4),                "float", "hydraulics.circuits",       "slopes of each branch with p_a … p_d for the tangent, m³/(s·Pa)"),
    ("tangent.spool",      ("nmetered",),                   "float", "hydraulics.circuits",       "∂ė/∂state of each entry of oil.metered"),
    ("tangent.E",          ("ncircuitentry",),              "float", "hydraulics.circuits",       "factors of 1 − τ ∂ė/∂e of all circuits"),
    ("tangent.Z",          ("nresponse",),                  "float", "interface.coupling, .exact_coupling", "strain rates of a circuit by each chamber's row speed"),
    ("tangent.strain",     ("nsolved",),                    "float", "interface.coupling, .exact_coupling, engine.oil_pass", "scratch: rates of strains and steered states without motion of the rows, or Newton's corrections"),
    ("newton.J",           ("nmatrix",),                    "float", "engine.theta",              "tangent, then its factors: all rows, or on the pattern of L, lower half first"),
    ("newton.rhs",         ("nsystem",),                    "float", "engine.theta",              "right-hand side, then the correction"),
    ("newton.u_q",         ("nv",),                         "float", "engine.theta",              "increment of q over the step, in velocity space"),
    ("newton.rate_x",      ("nx",),                         "float", "engine.theta",              "residual of x, then its correction"),
    ("newton.B",           ("nlink", 36),                   "float", "mechanics.derivatives",     "2B of each link, then of its subtree"),
    ("newton.wrench",      ("nlink", 6),                    "float", "mechanics.derivatives",     "what each link's motion needs, then its subtree's"),
    ("newton.psi_1",       ("nscrew", 6),                       "float", "mechanics.derivatives",     "V_P × S"),
    ("newton.psi_2",       ("nscrew", 6),                       "float", "mechanics.derivatives",     "A_P × S + V_P × ψ̇"),
    ("newton.chi",         ("nscrew", 6),                       "float", "mechanics.derivatives",     "2 ψ̇ + (V_L − V_P) × S"),
    ("newton.mixed",       (2, 6),                          "float", "mechanics.derivatives",     "scratch"),
    ("newton.left",        (2, 6),                          "float", "mechanics.derivatives",     "scratch"),
    ("newton.same",        (6,),                            "float", "mechanics.derivatives",     "scratch"),
    ("newton.above",       (6,),                            "float", "mechanics.derivatives",     "scratch"),
    ("newton.way",         ("nvolume",),                    "float", "engine.ringing",            "how far each strain went in the last step"),
    ("newton.bend",        (2, "nvolume"),                  "float", "engine.ringing",            "its change from step to step: the last one and the one before"),
    ("newton.ringing",     (3,),                            "float", "engine.ringing",            "largest pressure that changed sides at every step, Pa; its node; its time"),
    ("newton.count",       (2,),                            "float", "engine.theta",              "Newton iterations and steps so far"),
    ("begun.whole",        ("nstate",),                     "float", "engine.run",                "state.whole at the start of a step that may be made in parts"),
    ("begun.z",            ("nmode",),                      "int",   "engine.run",                "state.z there"),
    ("begun.x",            ("nx",),                         "float", "engine.run",                "x there, a part of begun.whole"),
    ("stage.whole",        ("nstate",),                     "float", "engine.run",                "state.whole at the start of the step, or of a part of it"),
    ("stage.z",            ("nmode",),                      "int",   "engine.run",                "state.z there"),
    ("stage.q0",           ("nq",),                         "float", "engine.integrators",        "q there, a part of stage.whole"),
    ("stage.v0",           ("nv",),                         "float", "engine.integrators",        "v there, likewise"),
    ("stage.x0",           ("nx",),                         "float", "engine.integrators",        "x there, likewise"),
    ("stage.u_q",          ("nv",),                         "float", "engine.integrators",        "increment of quaternions in velocity space"),
    ("stage.u_q_dot",      ("nv",),                         "float", "engine.integrators",        "its rate"),
    ("stage.sum_q",        ("nv",),                         "float", "engine.integrators",        "weighted sum of the stages' u_q_dot, times h"),
    ("stage.sum_v",        ("nv",),                         "float", "engine.integrators",        "weighted sum of v_dot"),
    ("stage.sum_x",        ("nx",),                         "float", "engine.integrators",        "weighted sum of x_dot"),
    ("stage.sum_power",    ("npower",),                     "float", "engine.integrators",        "weighted sum of power"),
    ("control.line",       ("nline",),                      "float", "engine.control",            "line of the record that controllers read"),
    ("control.reads",      ("nread",),                      "float", "engine.control",            "what each controller reads"),
    ("control.writes",     ("nwrite",),                     "float", "engine.control",            "what each controller writes"),
    *bounded_fields.WORK_FIELDS, *contact_fields.WORK_FIELDS, *course_fields.WORK_FIELDS, *impulse_fields.WORK_FIELDS,
    *pair_fields.WORK_FIELDS, *payload_fields.WORK_FIELDS,
    *screw_fields.WORK_FIELDS, *tableau_fields.WORK_FIELDS, *tire_fields.WORK_FIELDS,
)

SCHEDULE_FIELDS = (
    # name       shape                       meaning
    ("times",    ("nstep+1",),               "when each step begins; the last entry is when the last one ends, s"),
    ("sizes",    ("nstep",),                 "size of each step, s"),
    ("inputs",   ("nstep+1", "npoint", "nu+nsignal"), "inputs and control signals at points of each step; NaN leaves one to its controller"),
    ("motions",  ("nstep+1", "ndriver", 3),  "value, rate and acceleration that each driver prescribes when a step begins"),
    ("due",      ("nstep+1",),               "bits: JUMP, WRITTEN, and one for each controller that acts when a step begins"),
    ("lines",    ("nstep+1",),               "line of the record to fill when a step begins, −1 none"),
    ("record",   ("nrow", "nline"),          "the record"),
)

# fmt: on
STATE = (
    "q", "v", "angle", "x", "energy", "u", "signal", "memory", "time", "rate_v", "rate_x", "true_v", "true_x",
    "multiplier", "power", "exchange", "pressing", "active",
)  # fmt: skip
"""The numbers of the state, in the order in which they lie in state.whole; with MODES they are all of it."""
MODES = "z"
"""The integers of the state."""
COPIES = {"state": {name: name for name in STATE}, "stage": {"q0": "q", "v0": "v", "x0": "x"}, "begun": {"x": "x"}}
"""Families of Work that hold a whole state, and which of its parts have a name there."""


def _families(fields: tuple[tuple[Any, ...], ...]) -> dict[str, dict[str, Any]]:
    """For each family the shapes of its fields, in the order of the table."""
    families: dict[str, dict[str, Any]] = {}
    for path, shape, *_ in fields:
        family, name = path.split(".")
        families.setdefault(family, {})[name] = shape
    return families


PLAN_FAMILIES = _families(PLAN_FIELDS)
WORK_FAMILIES = _families(WORK_FIELDS)


FAMILIES_OF = {
    "explicit": (),
    "realtime": ("tangent", "tableau"),
    "unified": ("tangent", "newton", "course"),
    "cointegrated": ("tangent", "newton", "course"),
    "kinematic": ("tangent", "newton", "course"),
    "cosimulated": ("tangent", "course"),
    "timestepping": ("tangent", "tableau", "impulse", "bounded"),
}
"""Families of Plan and Work that a coupling has beside those that all have; the others are empty, and not compiled."""


def is_needed(family: str, coupling: str) -> bool:
    """Whether a coupling needs a family of fields."""
    special = any(family in families for families in FAMILIES_OF.values())
    return not special or family in FAMILIES_OF[coupling]


def group(
    whole: str, families: dict[str, dict[str, Any]], arrays: dict[str, Any], coupling: str, *, frozen: bool
) -> Any:  # fmt: skip
    """Arrays named `family.field` as a family of families, empty where the coupling needs none."""
    members = {}
    for name, shapes in families.items():
        fields = {field: arrays[f"{name}.{field}"] for field in shapes} if is_needed(name, coupling) else {}
        members[name] = Family(f"{whole}_{name}", fields, shapes, frozen=frozen)
    return Family(whole, members)


def shared_by_couplings(whole: Any) -> Any:
    """Plan or Work with the families empty that only some couplings have: its type is the same for all couplings."""
    special = {family for families in FAMILIES_OF.values() for family in families}
    return whole.replaced(**{name: member.emptied() for name, member in whole.items() if name in special})


SCHEDULE_SHAPES: dict[str, Any] = {name: shape for name, shape, _ in SCHEDULE_FIELDS}


def schedule_family(times: Any, sizes: Any, inputs: Any, motions: Any, due: Any, lines: Any, record: Any) -> Any:
    """The arrays of a call as one family: what each step of a run begins with, and the record it fills."""
    arrays = {
        "times": times, "sizes": sizes, "inputs": inputs, "motions": motions, "due": due, "lines": lines,
        "record": record,
    }  # fmt: skip
    return Family("schedule", arrays, SCHEDULE_SHAPES)


def flatten(whole: Any) -> dict[str, Any]:
    """The reverse of group: all arrays by `family.field`."""
    return {f"{name}.{field}": array for name, family in whole.items() for field, array in family.items()}


@kernel
def signal_value(u, x, i):
    """Value of signal i: the inputs u first, then the states x."""
    nu = u.shape[0]
    return u[i] if i < nu else x[i - nu]
