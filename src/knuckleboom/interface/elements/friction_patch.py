# SPDX-License-Identifier: BSD-3-Clause
"""Friction of a patch that is pressed together: bristles along, across and about its normal, with one circular limit.

    a = (w₁, w₂, ρω),  e = (z₁, z₂, ρζ),  v = |a|,  φ = exp(−(v/v_s)²),  μ = μ_c + (μ_s − μ_c) φ,  r = σ₀|e|/μ
    ż = w − c z,  c = hold(r, v) σ₀ v/μ            f = −(σ₀ e + σ₁ φ ė + σ₂ a)            λ = N (f₁, f₂, ρ f₃)

Rows: two in the plane of the patch and the turn about its normal; N is the force of a fourth row, which is only read,
0 where that pulls. ρ is the mean arm of the pressure about the centre: spin and slip share one limit, so that a block
that spins slides more easily. Sliding steadily λ = −μ N a/v, rows and arm alike. σ in 1/m and s/m, so that what it does
depends neither on mass nor on load. LuGre [Canudas de Wit 1995] as in laws/bristle.py, with laws/hold.py; the vector
form and the shared limit are our own derivation.

Stores N σ₀ |e|²/2. Passive for constant N while σ₁ φ v ≤ 4 μ; a changing N changes what is stored by σ₀ |e|²/2 Ṅ.
Bends stay within μ_s/σ₀; what a step of finite size puts beyond it pulls no more than there.
|a| is not smoothed: at rest the slopes of slip are the mean of all directions.
Validated by: validation/analytic/test_friction_patch.py
"""

import math

from knuckleboom.interface.contract import Element, State
from knuckleboom.kernels import kernel
from knuckleboom.laws.hold import hold

ELEMENT = Element(
    gives=("force", "by_w", "by_z", "by_force", "rate", "rate_z", "rate_w"),
    columns=("coulomb", "breakaway", "stribeck", "stiffness", "damping", "viscous", "hold_speed", "arm"),
    rows=("along", "across", "spin"),
    reads=("normal",),
    states=(
        State("bend_along", "bend of its bristles along", "m", scale=1e-3),
        State("bend_across", "bend of its bristles across", "m", scale=1e-3),
        State("bend_spin", "turn of its bristles about the normal", "rad", scale=1e-2),
    ),
    label="patch_",
)


@kernel
def law(
    w_along, w_across, w_spin, force_normal, bend_along, bend_across, bend_spin, coulomb, breakaway, stribeck,
    stiffness, damping, viscous, hold_speed, arm,
):  # fmt: skip
    """Return λ [N, N, N·m], ∂λ/∂w, ∂λ/∂z, ∂λ/∂N, ż [m/s, m/s, rad/s], ∂ż/∂z and ∂ż/∂w, matrices row by row."""
    a1, a2, a3 = w_along, w_across, arm * w_spin
    e1, e2, e3 = bend_along, bend_across, arm * bend_spin
    v, bent = math.sqrt(a1 * a1 + a2 * a2 + a3 * a3), math.sqrt(e1 * e1 + e2 * e2 + e3 * e3)
    fall = math.exp(-(v * v) / (stribeck * stribeck))
    fall_v = -2.0 * v / (stribeck * stribeck) * fall
    mu, mu_v = coulomb + (breakaway - coulomb) * fall, (breakaway - coulomb) * fall_v
    r = stiffness * bent / mu
    held, held_r, held_v = hold(r, v, hold_speed)
    held_v -= held_r * r * mu_v / mu
    c = held * stiffness * v / mu
    c_v = stiffness * (held * (1.0 - v * mu_v / mu) + v * held_v) / mu

    # directions of slip and bend, none at rest
    n1, n2, n3 = (a1 / v, a2 / v, a3 / v) if v > 0.0 else (0.0, 0.0, 0.0)
    c_e = held_r * stiffness * stiffness * v / (mu * mu * bent) if bent > 0.0 else 0.0
    c1, c2, c3 = c_e * e1, c_e * e2, c_e * e3
    m1, m2, m3 = c_v * n1, c_v * n2, c_v * n3
    d1, d2, d3 = a1 - c * e1, a2 - c * e2, a3 - c * e3

    # what λ is made of, before the load: σ₀ e + σ₁ φ ė + σ₂ a
    load, fading, fading_v = max(force_normal, 0.0), damping * fall, damping * fall_v
    beyond = stiffness * bent > breakaway
    pulled = breakaway / bent if beyond else stiffness
    u1, u2, u3 = (e1 / bent, e2 / bent, e3 / bent) if beyond else (0.0, 0.0, 0.0)
    p1, p2, p3 = pulled * u1, pulled * u2, pulled * u3
    f1 = -(pulled * e1 + fading * d1 + viscous * a1)
    f2 = -(pulled * e2 + fading * d2 + viscous * a2)
    f3 = -(pulled * e3 + fading * d3 + viscous * a3)
    own_e, own_a, turned = fading * c - pulled, -fading - viscous, load * arm
    k1, k2, k3 = fading * e1, fading * e2, fading * e3
    b1, b2, b3 = -fading_v * d1, -fading_v * d2, -fading_v * d3
    by_w = (
        load * (own_a + k1 * m1 + b1 * n1), load * (k1 * m2 + b1 * n2), turned * (k1 * m3 + b1 * n3),
        load * (k2 * m1 + b2 * n1), load * (own_a + k2 * m2 + b2 * n2), turned * (k2 * m3 + b2 * n3),
        turned * (k3 * m1 + b3 * n1), turned * (k3 * m2 + b3 * n2), turned * arm * (own_a + k3 * m3 + b3 * n3),
    )  # fmt: skip
    by_z = (
        load * (own_e + k1 * c1 + p1 * u1), load * (k1 * c2 + p1 * u2), turned * (k1 * c3 + p1 * u3),
        load * (k2 * c1 + p2 * u1), load * (own_e + k2 * c2 + p2 * u2), turned * (k2 * c3 + p2 * u3),
        turned * (k3 * c1 + p3 * u1), turned * (k3 * c2 + p3 * u2), turned * arm * (own_e + k3 * c3 + p3 * u3),
    )  # fmt: skip
    by_force = (f1, f2, arm * f3) if force_normal > 0.0 else (0.0, 0.0, 0.0)
    rate_z = (
        -c - e1 * c1, -e1 * c2, -e1 * arm * c3,
        -e2 * c1, -c - e2 * c2, -e2 * arm * c3,
        -bend_spin * c1, -bend_spin * c2, -c - bend_spin * arm * c3,
    )  # fmt: skip
    rate_w = (
        1.0 - e1 * m1, -e1 * m2, -e1 * arm * m3,
        -e2 * m1, 1.0 - e2 * m2, -e2 * arm * m3,
        -bend_spin * m1, -bend_spin * m2, 1.0 - bend_spin * arm * m3,
    )  # fmt: skip
    force = (load * f1, load * f2, turned * f3)
    return force, by_w, by_z, by_force, (d1, d2, w_spin - c * bend_spin), rate_z, rate_w


@kernel
def stored(force_normal, bend_along, bend_across, bend_spin, stiffness, arm):
    """Return the energy of the bent bristles [J]."""
    e3 = arm * bend_spin
    square = bend_along * bend_along + bend_across * bend_across + e3 * e3
    return 0.5 * max(force_normal, 0.0) * stiffness * square
