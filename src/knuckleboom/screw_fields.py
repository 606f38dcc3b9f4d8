# SPDX-License-Identifier: BSD-3-Clause
"""Screws apart from velocities: fields of Plan and Work, as layout.py has them.

Rows 0 … nv − 1 of motion.S are the screws of the velocities (none of shapes); then come those of attachments, link by
link, and last differences of two of these. Sizes: nshape (screws of attachments), nshare (their pairs), nshared
(velocities of shapes), nbetween (differences), nscrew = nv + nshape + nbetween, nlean (nscrew where there are
attachments, else 0). docs/decisions/screws.md
"""

# fmt: off
PLAN_FIELDS = (
    # name                    shape             type     meaning
    ("links.shape",           ("nshape", 6),    "float", "of each screw of an attachment: φ and ψ, how far and by how much its shape moves and turns it, in the axes of F"),
    ("links.between",         ("nbetween", 2),  "place", "screws of b and of a whose difference is a screw, too, for rows between two attachments of one body; the last ones"),
    ("links.shared",          ("nshared",),     "place", "velocities that several links share: those of shapes"),
    ("links.modal",           ("nshared",),     "float", "what each has of mass beside that of its links, kg"),
    ("system.pair_screw",     ("npair",),       "place",  "its screw"),
    ("system.shared_place",   ("nshared",),     "place",  "where the diagonal of each shared velocity stands in L"),
    ("system.share_first",    ("nshape+1",),    "int",   "first pair of each screw of an attachment"),
    ("system.share_ancestor", ("nshare",),      "place",  "ancestor velocity of each pair, itself included"),
    ("system.share_screw",    ("nshare",),      "place",  "its screw"),
    ("system.share_address",  ("nshare",),      "place",  "where M_jk stands in L, to which each attachment adds"),
    ("system.path_screw",     ("npath",),       "place",  "its screw"),
    ("tangent.path_screw",    ("npush",),       "place", "its screw"),
    ("newton.path_screw",     ("nrowpath",),    "int",   "its screw"),
    ("newton.path_entry",     ("nrowpath",),    "int",   "its velocity's place among the entries of the row in tangent: two attachments of one body have one"),
    ("newton.share_place",    ("nshare", 2),    "place", "the same for the pairs of attachments' screws"),
    ("newton.shared_place",   ("nshared",),     "place", "where the diagonal of each shared velocity stands there"),
)

WORK_FIELDS = (
    # name                 shape                            type     owner                        meaning
    ("motion.lean",        ("nlean",),                      "float", "mechanics.kinematics",      "how far each shape turns along the attachment's turn: mechanics/elements/deform.py"),
)
# fmt: on
