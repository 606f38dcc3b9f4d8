# SPDX-License-Identifier: BSD-3-Clause
"""Friction through bristles that bend and slip (LuGre): stick, presliding, Stribeck curve, stick-slip.

    ż = w − hold σ₀ |w| z/g(w),   g(w) = F_c + (F_s − F_c)·φ,   φ = exp(−(w/w_s)²)   [Canudas de Wit 1995, eqs 2, 3, 5]
    λ = −(σ₀ z + σ₁ φ ż + σ₂ w)            damping that fades with speed: [Olsson 1998]; its width w_s is our own choice

z is the mean bend of the bristles; λ acts on the row whose rate is w, against w. Sliding steadily, σ₀ z = g(w)·sign w:
the Stribeck curve. At w = 0 nothing changes, so that every |z| ≤ F_s/σ₀ rests: the static law that goes with it, for
the start [Ylinen 2014]. F_c > 0 and w_s > 0 are needed. The published law is hold = 1; laws/hold.py keeps bristles
from walking under a load that swings.

With ψ = σ₀ z²/2 stored, −λ w − ψ̇ = hold |w|/g·((σ₀ z)² − σ₁φ σ₀ z w) + (σ₁φ + σ₂) w², which is not negative for any z
while hold σ₁φ |w| ≤ 4 g: with a constant σ₁ that fails at high speed; with the fading one it is so whenever
σ₁ ≤ 4 √(2e) F_c/w_s, because |w| φ ≤ w_s/√(2e) and hold ≤ 1.

|w| is not smoothed: bristles whose slip starts softly would creep past F_s under a slowly growing load. So ∂ż/∂w jumps
at w = 0 where they slip, and the mean of both sides is returned. Validated by: tests/laws/test_bristle.py
"""

import math

from knuckleboom.kernels import kernel
from knuckleboom.laws.hold import hold


@kernel
def bristle(z, w, coulomb, breakaway, stribeck, stiffness, damping, viscous, hold_speed):
    """Return λ [N], ∂λ/∂z [N/m], ∂λ/∂w [N·s/m], ż [m/s], ∂ż/∂z [1/s] and ∂ż/∂w [1].

    z [m], w [m/s], coulomb F_c [N], breakaway F_s [N], stribeck w_s [m/s], stiffness σ₀ [N/m], damping σ₁ [N·s/m],
    viscous σ₂ [N·s/m], hold_speed v₁ [m/s], 0 for the published law; for a turning row m is rad and N is N·m.
    """
    ratio = w / stribeck
    fall = math.exp(-ratio * ratio)
    fall_w = -2.0 * ratio / stribeck * fall
    g = coulomb + (breakaway - coulomb) * fall
    g_w = (breakaway - coulomb) * fall_w
    sign = (1.0 if ratio > 0.0 else 0.0) - (1.0 if ratio < 0.0 else 0.0)

    slip = stiffness * z / g  # how far the bristles are from slipping fully: ±1
    bent = abs(slip)
    held, held_r, held_w = hold(bent, w, hold_speed)
    z_dot = w - abs(w) * slip * held
    z_dot_z = -abs(w) * stiffness / g * (held + held_r * bent)
    z_dot_w = 1.0 - slip * (held * (sign - abs(w) * g_w / g) + abs(w) * (held_w - held_r * bent * g_w / g))

    fading = damping * fall
    force = -(stiffness * z + fading * z_dot + viscous * w)
    force_z = -(stiffness + fading * z_dot_z)
    force_w = -(damping * fall_w * z_dot + fading * z_dot_w + viscous)
    return force, force_z, force_w, z_dot, z_dot_z, z_dot_w


@kernel
def sliding_force(w, coulomb, breakaway, stribeck, viscous):
    """Return λ [N] of steady sliding at w [m/s], zero at rest.

    coulomb F_c [N], breakaway F_s [N], stribeck w_s [m/s], viscous σ₂ [N·s/m].
    """
    ratio = w / stribeck
    sign = (1.0 if ratio > 0.0 else 0.0) - (1.0 if ratio < 0.0 else 0.0)
    return -sign * (coulomb + (breakaway - coulomb) * math.exp(-ratio * ratio)) - viscous * w


@kernel
def static_band(force, breakaway, stiffness):
    """Return the bend z [m] at which the row rests with the friction force λ = force [N], and the part of that force
    that the bristles cannot hold [N], zero within the band |λ| ≤ F_s; breakaway F_s [N], stiffness σ₀ [N/m].
    """
    held = max(-breakaway, min(breakaway, force))
    return -held / stiffness, force - held


@kernel
def energy_bristle(z, stiffness):
    """Return the energy [J] stored in bristles bent by z [m]; stiffness σ₀ [N/m]."""
    return 0.5 * stiffness * z * z
