# SPDX-License-Identifier: BSD-3-Clause
"""How the friction of a tire and the rates of its bends change: the exact differential of laws/tire_friction.py and of
laws/tire_published.py, for tangents of Newton.

    dλ_i = −N (σ₀_i dz_i + σ₁ (dφ ż_i + φ dż_i) + σ₂ dw_i),   dż_i = dw_i − dc_i z_i − c_i dz_i

Where |w| has a corner, at rest, it is the mean of all directions. Own derivation; checked against differences in
tests/laws/test_tire_friction.py
"""

import math

from knuckleboom.kernels import kernel
from knuckleboom.laws.hold import hold
from knuckleboom.laws.tire_convection import tire_convection, tire_convection_slopes


@kernel
def tire_friction_change(
    w1, w2, u, z1, z2, dw1, dw2, du, dz1, dz2, coulomb_1, coulomb_2, breakaway, stribeck, stiffness_1, stiffness_2,
    damping, viscous, patch, hold_speed,
):  # fmt: skip
    """Return pairs: change of λ/N [1] and of ż [m/s] with those of slip dw1 [m/s] and dw2 [m/s], of the rolling speed
    du [m/s] and of bends dz1 [m] and dz2 [m].

    Slip w1 [m/s] and w2 [m/s], rolling speed u ≥ 0 [m/s], bends z1 [m] and z2 [m], coulomb_1 [1] and coulomb_2 [1],
    breakaway [1], stribeck [m/s], stiffness_1 [1/m] and stiffness_2 [1/m], damping [s/m], viscous [s/m], patch [m],
    hold_speed [m/s].
    """
    square, d_square = w1 * w1 + w2 * w2, 2.0 * (w1 * dw1 + w2 * dw2)
    fall = math.exp(-square / (stribeck * stribeck))
    d_fall = -fall * d_square / (stribeck * stribeck)
    rise, d_rise = 1.0 + (breakaway - 1.0) * fall, (breakaway - 1.0) * d_fall
    # m = rise·size, and how far bristles are bent
    one, two = coulomb_1 * w1, coulomb_2 * w2
    size = math.sqrt(one * one + two * two)
    d_size = (one * coulomb_1 * dw1 + two * coulomb_2 * dw2) / size if size > 0.0 * size else 0.0
    k1, k2 = stiffness_1 / (coulomb_1 * rise), stiffness_2 / (coulomb_2 * rise)
    r1, r2 = k1 * z1, k2 * z2
    r = math.sqrt(r1 * r1 + r2 * r2)
    d_r = (r1 * k1 * dz1 + r2 * k2 * dz2) / r - r * d_rise / rise if r > 0.0 * r else 0.0
    speed = math.sqrt(square + u * u)
    d_speed = (0.5 * d_square + u * du) / speed if speed > 0.0 * speed else 0.0
    held, held_r, held_v = hold(r, speed, hold_speed)
    d_held = held_r * d_r + held_v * d_speed
    # c_i = hold·slips + κ u
    slips1, slips2 = k1 / coulomb_1 * size, k2 / coulomb_2 * size
    d_slips1 = k1 / coulomb_1 * (d_size - size * d_rise / rise)
    d_slips2 = k2 / coulomb_2 * (d_size - size * d_rise / rise)
    by_c1, by_u1 = tire_convection_slopes(slips1, u, patch, hold_speed)
    by_c2, by_u2 = tire_convection_slopes(slips2, u, patch, hold_speed)
    c1 = held * slips1 + tire_convection(slips1, u, patch, hold_speed)
    c2 = held * slips2 + tire_convection(slips2, u, patch, hold_speed)
    d_c1 = d_held * slips1 + (held + by_c1) * d_slips1 + by_u1 * du
    d_c2 = d_held * slips2 + (held + by_c2) * d_slips2 + by_u2 * du
    d_rate1, d_rate2 = dw1 - d_c1 * z1 - c1 * dz1, dw2 - d_c2 * z2 - c2 * dz2
    fading1, fading2 = d_fall * (w1 - c1 * z1), d_fall * (w2 - c2 * z2)
    force1 = -(stiffness_1 * dz1 + damping * (fading1 + fall * d_rate1) + viscous * dw1)
    force2 = -(stiffness_2 * dz2 + damping * (fading2 + fall * d_rate2) + viscous * dw2)
    return (force1, force2), (d_rate1, d_rate2)


@kernel
def tire_published_change(
    w1, w2, z1, z2, dw1, dw2, dz1, dz2, coulomb_1, coulomb_2, breakaway, stribeck, stiffness_1, stiffness_2, damping,
    viscous,
):  # fmt: skip
    """Return what `tire_friction_change` does, of the law as published.

    Slip w1 [m/s] and w2 [m/s], bends z1 [m] and z2 [m], their changes dw1 [m/s], dw2 [m/s], dz1 [m] and dz2 [m];
    coulomb_1 [1] and coulomb_2 [1], breakaway [1], stribeck [m/s], stiffness_1 [1/m] and stiffness_2 [1/m], damping
    [s/m], viscous [s/m].
    """
    v = math.sqrt(w1 * w1 + w2 * w2)
    fall = (breakaway - 1.0) * math.exp(-math.sqrt(v / stribeck))
    d_c1, d_c2 = 0.0, 0.0
    g1, g2 = coulomb_1 * (1.0 + fall), coulomb_2 * (1.0 + fall)
    if v > 0.0 * v:
        # of σ₀ v/g, with g′ v = −½ √(v/v_s) of the part that falls
        d_v = (w1 * dw1 + w2 * dw2) / v * (1.0 + 0.5 * math.sqrt(v / stribeck) * fall / (1.0 + fall))
        d_c1, d_c2 = stiffness_1 * d_v / g1, stiffness_2 * d_v / g2
    d_rate1 = dw1 - d_c1 * z1 - stiffness_1 * v / g1 * dz1
    d_rate2 = dw2 - d_c2 * z2 - stiffness_2 * v / g2 * dz2
    force1 = -(stiffness_1 * dz1 + damping * d_rate1 + viscous * dw1)
    force2 = -(stiffness_2 * dz2 + damping * d_rate2 + viscous * dw2)
    return (force1, force2), (d_rate1, d_rate2)
