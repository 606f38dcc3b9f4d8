# SPDX-License-Identifier: BSD-3-Clause
"""Spring and damper between two rows: a shaft that twists, a coupling.

    φ = s_b − s_a − rest,   T = stiffness·φ + damping·(w_b − w_a),   λ_a = T,   λ_b = −T

Stores ½·stiffness·φ², dissipates damping·(w_b − w_a)². `rest_a` and `rest_b` are where both rows are without twist.
Validated by: validation/analytic/test_shafts.py
"""

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_s", "by_w"), columns=("stiffness", "damping", "rest_a", "rest_b"), rows=("a", "b"),
    label="twist_",
)  # fmt: skip


@kernel
def law(s_a, s_b, w_a, w_b, stiffness, damping, rest_a, rest_b):
    """Return λ [N·m], ∂λ/∂s [N·m/rad] and ∂λ/∂w [N·m·s/rad] of both rows, matrices row by row."""
    torque = stiffness * ((s_b - rest_b) - (s_a - rest_a)) + damping * (w_b - w_a)
    by_s = (-stiffness, stiffness, stiffness, -stiffness)
    by_w = (-damping, damping, damping, -damping)
    return (torque, -torque), by_s, by_w


@kernel
def stored(s_a, s_b, stiffness, rest_a, rest_b):
    """Return the energy of the twist [J]."""
    twist = (s_b - rest_b) - (s_a - rest_a)
    return 0.5 * stiffness * twist * twist
