# SPDX-License-Identifier: BSD-3-Clause
"""Second-order state: a spool or a pump's setting that follows its signal u like a mass on a spring.

    ẋ₁ = x₂,   ẋ₂ = ω² (u − x₁) − 2 ζ ω x₂                  columns: ω², 2 ζ ω

States      x₁ (position, in the unit of u) and x₂ (its rate), one after the other
Linear in both, so that an implicit step eliminates the pair in closed form.
Validated by: validation/analytic/test_second_order.py
"""

from knuckleboom.kernels import kernel

COLUMNS = ("square", "drag")


@kernel
def law(signal, position, rate, square, drag):
    """Return the rates of position and rate."""
    return rate, square * (signal - position) - drag * rate


@kernel
def correction(tau, position, rate, square, drag):
    """Solve δ₁ − τ δ₂ = r₁ and δ₂ + τ (ω² δ₁ + 2 ζ ω δ₂) = r₂, the implicit step's pair; position and rate are r."""
    change = (rate - tau * square * position) / (1.0 + tau * drag + tau * tau * square)
    return position + tau * change, change
