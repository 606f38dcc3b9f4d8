# SPDX-License-Identifier: BSD-3-Clause
"""The lumped tire as it was published, to compare with laws/tire_friction.py: bristles that never leave the patch.

    ż = v_r − σ₀ |v_r| z/g,   g = μ_c + (μ_s − μ_c) exp(−√|v_r/v_s|)                [Baharudin 2016, eqs 2.60, 2.62]
    F = (σ₀ z + σ₁ ż + σ₂ v_r) F_n                                                  [Baharudin 2016, eq. 2.63]

Corrected: in print the exponent ½ of (2.62) has a minus and stands outside v_s. The text has the longitudinal force
only; here both directions have such bristles and share |v_r|, so that they cannot exceed μ together. Slip is that of
the patch against the ground: minus v_r, and λ = −F.

Without convection any wheel that slips steadily reaches full friction, and a load that swings makes it walk: not for
machines. Validated by: tests/laws/test_tire_friction.py
"""

import math

from knuckleboom.kernels import kernel
from knuckleboom.laws.tire_friction import follows, per_load


@kernel
def tire_published(
    w1, w2, z1, z2, coulomb_1, coulomb_2, breakaway, stribeck, stiffness_1, stiffness_2, damping, viscous
):  # fmt: skip
    """Return what `tire_friction` does.

    Slip w1 [m/s] and w2 [m/s], bends z1 [m] and z2 [m], coulomb_1 [1] and coulomb_2 [1] are μ_c, breakaway μ_s/μ_c [1],
    stribeck v_s [m/s], stiffness_1 [1/m] and stiffness_2 [1/m] are σ₀, damping σ₁ [s/m], viscous σ₂ [s/m].
    """
    v = math.sqrt(w1 * w1 + w2 * w2)
    rise = 1.0 + (breakaway - 1.0) * math.exp(-math.sqrt(v / stribeck))
    g1, g2 = coulomb_1 * rise, coulomb_2 * rise
    follow1 = follows(stiffness_1 * z1 * w1 / g1, v)
    follow2 = follows(stiffness_2 * z2 * w2 / g2, v)
    return per_load(
        w1, w2, z1, z2, stiffness_1 * v / g1, stiffness_2 * v / g2, follow1, follow2, stiffness_1, stiffness_2,
        damping, viscous,
    )  # fmt: skip
