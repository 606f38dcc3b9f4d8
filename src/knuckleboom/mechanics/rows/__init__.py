# SPDX-License-Identifier: BSD-3-Clause
"""Rows: one scalar relation each, the only way anything touches the mechanism. One kind of row = one file.

A row has a value s(q), a rate w = A v and a bias Ȧ v. Most rows are one wrench W = [moment about O; force] that acts on
link b and, reversed, on link a:

    w = W·(V_b − V_a),   A_j = ±S_j·W on the path between the links,   Ȧ v = W·(A_b − A_a) + Ẇ·(V_b − V_a)

    file           s                                   W                          used for
    point_dot      f·(p_b − p_a), f fixed in a         (p_b×f; f)                 loops: two points meet in direction f
    axis_dot       f·m, f fixed in a, m in b           (m×f; 0)                   loops: two axes stay perpendicular
    distance       (|d|² − L²)/2L, d = p_b − p_a       (p_b×d; d)/L               rod of constant length
    held_angle     as angle                            (f; 0)                     driven angle of a joint that is cut
    row_sum        Σ c_i s_i − offset                  none: those of its rows    gear between joints that are cut
    rigid          a_i·a_j, or (a_i·a_i − 1)/2         none                       vectors of a body (elements/axes.py)
    gear           q_b − ratio·q_a − offset            none: v_b − ratio·v_a      gear between joint coordinates
    length         |d|                                 (p_b×d; d)/|d|             cylinders, springs
    travel         as point_dot                        (p_b×f; f)                 what acts in a cut joint: slides
    angle          from e_a to e_b about f             (f; 0)                     and turns; f is fixed in either link
    coordinate     q                                   none: v                    joint springs, stops, efforts
    direction      none                                (p_b×f; f)                 applied force
    rotation       none                                (f; 0)                     applied torque

contract.py says what a file declares and makes the loops over all kinds, kinds.py is the list and has these loops,
geometry.py what kinds share, driven.py what rows do that follow a motion. Own derivation; Ȧ v is checked against
differences in tests/mechanics/test_rows.py, of rows that only bodies on their own have against joint coordinates in
validation/analytic/test_coordinates.py, ∂_jW in tests/engine/test_tangents.py. In natural coordinates w and Ȧ v of most
loop rows come from mechanics/natural.py.
"""
