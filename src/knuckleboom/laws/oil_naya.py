# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of oil from its strain, with Naya's bulk modulus.

    β(p) = (1 + a p + b p²)/(a + 2 b p)                             [Naya 2011, eq. 3]
    ė = ṗ/β  ⇒  e = ln(1 + a p + b p²),   p(e) = 2 g/(a + √(a² + 4 b g)),   g = exp(e) − 1

The strain is the state (docs/decisions/strain_state.md); the root is written so that no digits cancel for small b.
Valid while a² + 4 b g > 0; with b = −1.19e-18 1/Pa² that is p below 2700 bar. No cavitation: p goes negative under
tension; use oil_cavitating.py where that can happen. Its elastic energy is ∫ (p − p_0)/β dp, by five points of
Gauss: β hardly changes over a machine's pressures. Validated by: tests/laws/test_oil_naya.py
"""

import math

from knuckleboom.kernels import kernel

GAUSS = (
    (0.0, 0.5688888888888889),
    (-0.5384693101056831, 0.4786286704993665),
    (0.5384693101056831, 0.4786286704993665),
    (-0.9061798459386640, 0.2369268850561891),
    (0.9061798459386640, 0.2369268850561891),
)
"""Points and weights of the quadrature of order 10 on (−1, 1)."""


@kernel
def oil_naya(e, a, b):
    """Return p [Pa] and its slope β = dp/de [Pa]; e [1], a [1/Pa], b [1/Pa²]."""
    g = math.expm1(e)
    root = math.sqrt(a * a + 4.0 * b * g)  # 4: discriminant of b p² + a p − g
    return 2.0 * g / (a + root), (1.0 + g) / root


@kernel
def curvature_naya(e, a, b):
    """Return d²p/de² [Pa]; e [1], a [1/Pa], b [1/Pa²]."""
    g = math.expm1(e)
    root = math.sqrt(a * a + 4.0 * b * g)  # 4: as above
    slope = (1.0 + g) / root
    return slope * (1.0 - 2.0 * b * slope / root)


@kernel
def strain_naya(p, a, b):
    """Return the strain e [1] at the pressure p [Pa]; a [1/Pa], b [1/Pa²]."""
    return math.log1p(p * (a + b * p))


@kernel
def energy_naya(p, ambient, a, b):
    """Return the elastic energy of 1 m³ [J] at p [Pa], zero at ambient [Pa]; a [1/Pa], b [1/Pa²]."""
    middle, half = 0.5 * (ambient + p), 0.5 * (p - ambient)
    total = 0.0
    for at, weight in GAUSS:
        x = middle + at * half
        total += weight * (x - ambient) * (a + 2.0 * b * x) / (1.0 + x * (a + b * x))
    return half * total
