# SPDX-License-Identifier: BSD-3-Clause
"""How fast a rolling tire carries its bent bristles out of the patch, and takes in straight ones.

    κ L = (1 − e⁻ˣ)/(1 − (1 − e⁻ˣ)/x),   x = c L/u              rate κ u;  L patch, c rate at which bristles slip
        ≈ (2 + .49128 x + .11629 x² + .020946 x³)/(1 + .41389 x + .094565 x² + .020946 x³)          to 4e-4

The mean bend z̄ of bristles that are straight where they enter the patch, ∂z/∂t + u ∂z/∂ξ = w − c z
[Canudas de Wit 2003], is at rest w/c (1 − (1 − e⁻ˣ)/x): that of ż̄ = w − (c + κ u) z̄ with this κ. κ L is 2 where little
slips and 1 where all does. The lumped form with its constant is of the same paper; κ(x) and its fit are our own.

Towards standstill it fades as (u/v₁)⁴/(1 + (u/v₁)⁴): κ|u| would be a ratchet for a wheel that rocks on its shaft.
Validated by: tests/laws/test_tire_friction.py, validation/analytic/test_tire.py
"""

from knuckleboom.kernels import kernel

ALL_SLIPS = 1e4
"""x from which on κ L is 1 to four digits."""


@kernel
def tire_convection(slipping, u, patch, fade_speed):
    """Return κ u [1/s]; slipping c [1/s], rolling speed u ≥ 0 [m/s], patch L [m], fade_speed v₁ [m/s]."""
    ratio = u / fade_speed
    fourth = ratio * ratio * ratio * ratio
    rate = u * (fourth / (1.0 + fourth)) / patch
    if slipping * patch >= ALL_SLIPS * u:
        return rate
    x = slipping * patch / u
    cube = 0.020946 * x * x * x  # the coefficients above
    return rate * (2.0 + x * (0.49128 + 0.11629 * x) + cube) / (1.0 + x * (0.41389 + 0.094565 * x) + cube)  # likewise


@kernel
def tire_convection_slopes(slipping, u, patch, fade_speed):
    """Return the slopes of κ u by c [1] and by u [1/m]; slipping c [1/s], rolling speed u ≥ 0 [m/s], patch L [m],
    fade_speed v₁ [m/s].
    """
    ratio = u / fade_speed
    fourth = ratio * ratio * ratio * ratio
    fading = fourth / (1.0 + fourth)
    by_u = (fading + 4.0 * fading / (1.0 + fourth)) / patch  # of u times the fourth power
    if slipping * patch >= ALL_SLIPS * u:
        return 0.0 * fading, by_u
    x = slipping * patch / u
    cube = 0.020946 * x * x * x  # the coefficients above
    over, under = 2.0 + x * (0.49128 + 0.11629 * x) + cube, 1.0 + x * (0.41389 + 0.094565 * x) + cube  # likewise
    steep = 3.0 * 0.020946 * x * x  # likewise
    by_x = (0.49128 + 2.0 * 0.11629 * x + steep) / under  # likewise
    by_x -= (0.41389 + 2.0 * 0.094565 * x + steep) * over / (under * under)  # likewise
    return fading * by_x, by_u * over / under - fading * by_x * x / patch
