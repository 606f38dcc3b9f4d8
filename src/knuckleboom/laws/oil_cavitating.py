# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of oil from its strain, with a constant bulk modulus that vanishes smoothly towards vapour pressure.

    p(e) = p_v + B/2·(e + √(e² + ε²)),   ε = 2 p_h/B   ⇔   β(p) = B z²/(z² + p_h²),   z = p − p_v

    elastic energy: ∫ (p − p_0)/β dp = [(z − z_0)²/2 + p_h² (ln(z/z_0) + z_0/z − 1)]/B above the ambient pressure p_0

p never reaches p_v and nothing is clipped; e < 0 is cavitation. At z = p_h the bulk modulus is B/2. Our own law.
Validated by: tests/laws/test_oil_cavitating.py
"""

import math

from knuckleboom.kernels import kernel


@kernel
def oil_cavitating(e, bulk, vapour, half):
    """Return p [Pa] and its slope dp/de [Pa]; e [1], bulk [Pa], vapour [Pa], half [Pa]."""
    width = 2.0 * half / bulk
    root = math.sqrt(e * e + width * width)
    # on the cavitated side the sum cancels: use its conjugate there
    lift = e + root if e >= 0.0 else width * width / (root - e)
    return vapour + 0.5 * bulk * lift, 0.5 * bulk * lift / root


@kernel
def curvature_cavitating(e, bulk, half):
    """Return d²p/de² [Pa]; e [1], bulk [Pa], half [Pa]."""
    width = 2.0 * half / bulk
    root = math.sqrt(e * e + width * width)
    return 0.5 * bulk * (width / root) * (width / root) / root


@kernel
def strain_cavitating(p, bulk, vapour, half):
    """Return the strain e [1] at the pressure p [Pa]; bulk [Pa], vapour [Pa], half [Pa]."""
    z = p - vapour
    return (z - half * half / z) / bulk


@kernel
def energy_cavitating(p, ambient, bulk, vapour, half):
    """Return the elastic energy of 1 m³ [J] at p [Pa], zero at ambient [Pa], or half above vapour where that is below;
    bulk [Pa], vapour [Pa], half [Pa].
    """
    z, least = p - vapour, ambient - vapour
    zero = least if least > 0.0 else half
    dry = 0.5 * (z * z - zero * zero) - least * (z - zero)
    torn = half * half * (math.log(z / zero) + least / z - least / zero)
    return (dry + torn) / bulk
