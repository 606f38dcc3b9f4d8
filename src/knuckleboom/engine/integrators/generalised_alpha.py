# SPDX-License-Identifier: BSD-3-Clause
"""The generalised-α rule: order 2, one evaluation an iteration, implicit, damps what is faster than the step.

    α_m = (2ρ − 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = ½ + α_f − α_m,   β = ¼ (γ + ½)²      [Arnold Brüls 2007]

ρ, the spectral radius, is what is left in each step of a motion much faster than it: 1 is the trapezoidal rule. Oil
takes the same numbers, with which a first-order rate has order 2 too. The step is in engine/theta.py; order measured in
validation/analytic/test_integrator_order.py
"""

KIND = 6
ORDER = 2
STAGES = 1


def coefficients(radius: float) -> tuple[float, float, float, float]:
    """α_m, α_f, β and γ for a spectral radius."""
    alpha_m, alpha_f = (2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma
