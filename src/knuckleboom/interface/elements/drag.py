# SPDX-License-Identifier: BSD-3-Clause
"""Drag: a force against the motion that grows with the rate, and with its square.

    λ = −linear·w − quadratic·w·|w|

A column of oil has both, of laminar and of turbulent flow. Dissipates |λ w| ≥ 0.
Validated by: validation/analytic/test_oil_column.py
"""

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(gives=("force", "by_w"), columns=("linear", "quadratic"), label="drag_")


@kernel
def law(w, linear, quadratic):
    """Return λ [N] and its slope ∂λ/∂w [N·s/m], or in the units of a row that turns or flows."""
    size = abs(w)
    return -(linear + quadratic * size) * w, -(linear + 2.0 * quadratic * size)
