# SPDX-License-Identifier: BSD-3-Clause
"""Speed servo on a row: λ = gain·(u − w), u the set speed, a signal.

Sign: λ > 0 pushes the row towards larger s. It stores nothing; its work λ·w is external, as that of an applied force.
Validated by: validation/analytic/test_servo.py
"""

from knuckleboom.interface.contract import APPLIED, Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_w"), columns=("gain",), signals=("wanted",), account=APPLIED, mean_power=True
)


@kernel
def law(w, wanted, gain):
    """Return λ [N] and its slope ∂λ/∂w [N·s/m] (or N·m and rad for a turning row)."""
    return gain * (wanted - w), -gain
