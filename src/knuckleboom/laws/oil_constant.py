# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of oil from its strain, with a constant bulk modulus: the textbook oil.

    p = B e,   e = 0 at zero absolute pressure                      [Merritt 1967, ch. 2]

    elastic energy: ∫ (p − p_0) de = (p − p_0)²/(2 B) above the ambient pressure p_0

Its curvature is zero. No cavitation: p goes negative under tension; use oil_cavitating.py or oil_with_air.py where that
can happen. Validated by: tests/laws/test_oil_constant.py
"""

from knuckleboom.kernels import kernel


@kernel
def oil_constant(e, bulk):
    """Return p [Pa] and its slope dp/de [Pa]; e [1], bulk B [Pa]."""
    return bulk * e, bulk


@kernel
def strain_constant(p, bulk):
    """Return the strain e [1] at the pressure p [Pa]; bulk B [Pa]."""
    return p / bulk


@kernel
def energy_constant(p, ambient, bulk):
    """Return the elastic energy of 1 m³ [J] at p [Pa], zero at ambient [Pa]; bulk B [Pa]."""
    return 0.5 * (p - ambient) * (p - ambient) / bulk
