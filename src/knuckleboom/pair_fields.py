# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of contact between bodies, as layout.py lists all others: it takes them from here.

Sizes: nshape (shapes that may touch others), npairing (pairs of them), nmeet (planned spots of all pairs), nmeetrow =
nmeet + 3 npairing (rows of all), npairscrew (nscrew where there are pairs, else 0), nway and
nwayentry (paths between two links of pairs, and their entries; none in explicit steps), nwayplace (their products),
npairframe (numbers of how two boxes lie, 0 without pairs); nroute, nrouteentry and nrouteplace (the same paths in
implicit steps, where each link's screws stay apart; none in others).
"""

# fmt: off
PLAN_FIELDS = (
    # name                 shape               type     meaning
    ("pairs.shape",        ("nshape", 16),     "float", "columns of geometry/placed.py, in the axes of the link"),
    ("pairs.of",           ("nshape", 3),      "int",   "kind of geometry/placed.py, link and body of each shape"),
    ("pairs.first",        ("nshape+1",),      "int",   "first pair of each shape, with the end appended"),
    ("pairs.other",        ("npairing",),      "int",   "the second shape of each pair"),
    ("pairs.index",        ("npairing", 7),    "int",   "columns of interface/pairs.py"),
    ("pairs.number",       ("npairing", 12),   "float", "columns of interface/pairs.py"),
    ("pairs.way_first",    ("nway+1",),        "int",   "first entry of each path between two links"),
    ("pairs.way_dof",      ("nwayentry",),     "int",   "its velocity"),
    ("pairs.way_screw",    ("nwayentry",),     "int",   "its screw"),
    ("pairs.way_sign",     ("nwayentry",),     "float", "+1 on the side of b, −1 on that of a"),
    ("pairs.way_start",    ("nway",),          "int",   "first product of each path"),
    ("pairs.way_address",  ("nwayplace",),     "int",   "where the products of any two entries of a path stand in L"),
    ("newton.route_first", ("nroute+1",),      "int",   "first entry of each path between two links"),
    ("newton.route_dof",   ("nrouteentry",),   "int",   "its velocity"),
    ("newton.route_screw", ("nrouteentry",),   "int",   "its screw"),
    ("newton.route_sign",  ("nrouteentry",),   "float", "+1 on the side of b, −1 on that of a"),
    ("newton.route_start", ("nroute",),        "int",   "first product of each path"),
    ("newton.route_place", ("nrouteplace",),   "place", "where the products of any two entries stand in newton.J, row by row"),
    ("newton.route_turn",  ("nrouteplace",),   "float", "1 where the row's screw turns with the column's, less 1 where that is on the side of a"),
    ("newton.route_shape", ("nrouteplace",),   "int",   "the link whose shapes both are, else 0"),
)

WORK_FIELDS = (
    # name                 shape               type     owner                     meaning
    ("pairs.mode",         (2,),               "float", "engine.linearly_implicit, .theta", "size of the step that begins, s, 0 where none does; 1 while features are kept"),
    ("pairs.placed",       ("nshape", 16),     "float", "interface.pairs",        "shapes in world axes, relative to O"),
    ("pairs.bounds",       ("nshape", 6),      "float", "interface.pairs",        "boxes along the world's axes around them, m"),
    ("pairs.order",        ("nshape",),        "int",   "geometry.near",          "shapes as they were sorted last"),
    ("pairs.hits",         ("nshape",),        "int",   "geometry.near",          "scratch: near pairs of each shape"),
    ("pairs.marked",       ("npairing",),      "int",   "geometry.near",          "scratch: pairs that are near"),
    ("pairs.near",         ("npairing",),      "int",   "interface.pairs",        "pairs with spots, ascending"),
    ("pairs.count",        (1,),               "int",   "interface.pairs",        "how many have"),
    ("pairs.spots",        ("npairing",),      "int",   "interface.pairs",        "spots of each pair"),
    ("pairs.frame",        ("npairframe",),    "float", "geometry.box_axes",      "scratch: how two boxes lie"),
    ("pairs.spot",         ("nmeet", 12),      "float", "interface.pairs",        "columns of geometry/spots.py"),
    ("pairs.kept",         ("nmeet", 9),       "float", "interface.pairs",        "points A and B in the axes of their links, the normal in those of its holder"),
    ("pairs.p",            ("nmeet", 3),       "float", "interface.pairs",        "points between both surfaces, relative to O, m"),
    ("pairs.w",            ("nmeet",),         "float", "interface.pairs",        "rates of the gaps, m/s"),
    ("pairs.N",            ("nmeet",),         "float", "interface.pairs",        "normal forces, N"),
    ("pairs.by_s",         ("nmeet",),         "float", "interface.pairs",        "∂N/∂s"),
    ("pairs.by_w",         ("nmeet",),         "float", "interface.pairs",        "∂N/∂w"),
    ("pairs.axes",         ("npairing", 9),    "float", "interface.pairs",        "mean normal, along and across it"),
    ("pairs.pressed",      ("npairing", 5),    "float", "interface.pairs",        "load, N; centre of pressure (3) relative to O and mean arm about it, m"),
    ("pairs.slip",         ("npairing", 3),    "float", "interface.pairs",        "slip of b along, across and at the arm of spin, m/s"),
    ("pairs.force",        ("npairing", 3),    "float", "interface.pairs",        "friction on b along these, N"),
    ("pairs.slope",        ("npairing", 39),   "float", "interface.pairs",        "slopes of friction and of bristles' rates"),
    ("pairs.wrench",       ("npairing", 6),    "float", "interface.pairs",        "what a does to b, at O"),
    ("tangent.pair_S",     ("npairscrew", 6),  "float", "interface.pair_tangent", "screws at the start of the step"),
    ("tangent.pair_W",     ("nmeetrow", 6),    "float", "interface.pair_tangent", "wrenches of normal rows, then of patches, there"),
    ("tangent.pair_s",     ("nmeet",),         "float", "interface.pair_tangent", "∂N/∂s, looking one step ahead"),
    ("tangent.pair_D",     ("nmeet",),         "float", "interface.pair_tangent", "what each normal row adds to the mass it moves, kg"),
    ("tangent.pair_patch", ("npairing", 36),   "float", "interface.pair_tangent", "the same of each patch, and slopes of its bristles"),
    ("tangent.pair_turn",  ("npairing", 9),    "float", "interface.pair_tangent", "along, across and the normal there, in the axes of link a"),
    ("tangent.pair_K",     (1, 21),            "float", "interface.pair_tangent", "scratch: Σ D W Wᵀ, the upper half"),
    ("tangent.pair_V",     (2, 6),             "float", "interface.pair_tangent", "scratch: velocities or wrenches"),
    ("tangent.pair_rate",  ("nmeetrow",),      "float", "interface.pair_tangent", "scratch: A times rates or increments"),
    ("newton.pair_slope",  ("npairing", 72),   "float", "interface.pair_slopes",  "change of each pair's wrench with pose and velocity of b, bends eliminated"),
    ("newton.pair_rate",   ("npairing", 48),   "float", "interface.pair_slopes",  "the same of its bends' rates: along, across, along and about the normal"),
    ("newton.pair_solve",  ("npairing", 9),    "float", "interface.pair_slopes",  "(1 − τ ∂ż/∂z)⁻¹ of its bristles"),
    ("newton.pair_spot",   ("nmeet", 7),       "float", "interface.pair_slopes",  "scratch: how each spot changes"),
    ("newton.pair_column", ("npairscrew", 6),  "float", "interface.pair_slopes",  "scratch: what each screw asks of b"),
    ("newton.pair_turned", ("npairscrew", 6),  "float", "interface.pair_slopes",  "scratch: the wrench that turns with each screw"),
)
# fmt: on
