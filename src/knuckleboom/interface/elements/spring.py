# SPDX-License-Identifier: BSD-3-Clause
"""Spring and damper on a row: λ = preload − k (s − rest) − c w.

Sign: λ > 0 pushes the row towards larger s.
Stores ½ k (s − rest)² − preload (s − rest), dissipates c w².
Validated by: validation/analytic/test_spring_mass.py
"""

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_s", "by_w"), columns=("stiffness", "rest", "damping", "preload"), label="spring_"
)


@kernel
def law(s, w, stiffness, rest, damping, preload):
    """Return λ [N] and its slopes ∂λ/∂s [N/m], ∂λ/∂w [N·s/m] (or N·m and rad for a turning row)."""
    return preload - stiffness * (s - rest) - damping * w, -stiffness, -damping


@kernel
def stored(s, stiffness, rest, preload):
    """Return the elastic energy [J], that of the preload included."""
    stretch = s - rest
    return stretch * (0.5 * stiffness * stretch - preload)
