# SPDX-License-Identifier: BSD-3-Clause
"""Friction of a tire on its patch, over its load: bristles along and across, which slip, and leave as the tire rolls.

    φ = exp(−(v/v_s)²),   μ_i = μ_c,i (1 + (b − 1) φ),   m = √((μ₁w₁)² + (μ₂w₂)²),   c_i = hold σ₀_i m/μ_i² + κ_i u
    ż_i = w_i − c_i z_i                  λ_i = −N (σ₀_i z_i + σ₁ φ ż_i + σ₂ w_i)

w is the slip velocity of the patch, v its size, u the rolling speed; κ is of laws/tire_convection.py, hold of
laws/hold.py with √(v² + u²) for its speed: bristles hold at standstill only. Rolling steadily

    λ_i = −N (σ₀_i w_i/c_i (1 − (1 − e⁻ˣ)/x) + σ₂ w_i),   x = c_i L/u,   c_i = σ₀_i m/μ_i²

is that of bristles along the patch [Canudas de Wit 2003]; of small slip s = w/u it is ½ σ₀ L s, of a locked wheel
μ + σ₂ v, and of full slip it lies on the ellipse of μ₁ and μ₂. The averaged form, the ellipse and the hold are our own.

Passive for a constant load while σ₁ φ v ≤ 4 μ. Slopes are those of each direction alone, with c and φ as they are:
for tangents of linearly implicit steps. Validated by: tests/laws/test_tire_friction.py and
validation/analytic/test_tire.py
"""

import math

from knuckleboom.kernels import kernel
from knuckleboom.laws.hold import hold
from knuckleboom.laws.tire_convection import tire_convection


@kernel
def tire_friction(
    w1, w2, u, z1, z2, coulomb_1, coulomb_2, breakaway, stribeck, stiffness_1, stiffness_2, damping, viscous, patch,
    hold_speed,
):  # fmt: skip
    """Return pairs: λ/N [1], its slopes by w [s/m] and by z [1/m], ż [m/s], c = −∂ż/∂z [1/s] and ∂ż/∂w [1].

    Slip w1 [m/s] and w2 [m/s], rolling speed u ≥ 0 [m/s], bends z1 [m] and z2 [m], coulomb_1 [1] and coulomb_2 [1] are
    μ_c, breakaway b [1], stribeck v_s [m/s], stiffness_1 [1/m] and stiffness_2 [1/m] are σ₀, damping σ₁ [s/m], viscous
    σ₂ [s/m], patch L [m], hold_speed v₁ [m/s].
    """
    square = w1 * w1 + w2 * w2
    fall = math.exp(-square / (stribeck * stribeck))
    rise = 1.0 + (breakaway - 1.0) * fall
    mu1, mu2 = coulomb_1 * rise, coulomb_2 * rise
    m1, m2, r1, r2 = mu1 * w1, mu2 * w2, stiffness_1 * z1 / mu1, stiffness_2 * z2 / mu2
    m = math.sqrt(m1 * m1 + m2 * m2)
    held, _, _ = hold(math.sqrt(r1 * r1 + r2 * r2), math.sqrt(square + u * u), hold_speed)
    slips1, slips2 = stiffness_1 * m / (mu1 * mu1), stiffness_2 * m / (mu2 * mu2)
    c1 = held * slips1 + tire_convection(slips1, u, patch, hold_speed)
    c2 = held * slips2 + tire_convection(slips2, u, patch, hold_speed)
    follow1, follow2 = follows(held * stiffness_1 * z1 * w1, m), follows(held * stiffness_2 * z2 * w2, m)
    return per_load(
        w1, w2, z1, z2, c1, c2, follow1, follow2, stiffness_1, stiffness_2, damping * fall, viscous
    )  # fmt: skip


@kernel
def follows(slips, m):
    """Return ∂ż/∂w [1] of one direction, 0 to 1: 1 − slips/m, both [m/s]; without slip the mean of both sides."""
    return min(max(1.0 - slips / m, 0.0), 1.0) if m > 0.0 * m else 1.0


@kernel
def per_load(w1, w2, z1, z2, c1, c2, follow1, follow2, stiffness_1, stiffness_2, damping, viscous):
    """Return pairs: λ/N [1], slopes by w [s/m] and by z [1/m], ż [m/s], c [1/s], ∂ż/∂w [1].

    Slip w1 [m/s] and w2 [m/s], bends z1 [m] and z2 [m], rates c1 [1/s] and c2 [1/s], ∂ż/∂w: follow1 [1] and
    follow2 [1], stiffness_1 [1/m] and stiffness_2 [1/m], damping [s/m], viscous [s/m].
    """
    rate1, rate2 = w1 - c1 * z1, w2 - c2 * z2
    force = (
        -(stiffness_1 * z1 + damping * rate1 + viscous * w1),
        -(stiffness_2 * z2 + damping * rate2 + viscous * w2),
    )
    by_w = (-(damping * follow1 + viscous), -(damping * follow2 + viscous))
    by_z = (damping * c1 - stiffness_1, damping * c2 - stiffness_2)
    return force, by_w, by_z, (rate1, rate2), (c1, c2), (follow1, follow2)
