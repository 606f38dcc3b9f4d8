# SPDX-License-Identifier: BSD-3-Clause
"""Applied force, torque or joint effort: λ is a constant or follows a signal.

Its work is external: it is listed by name in the energy audit. Validated by: validation/analytic/test_applied_force.py
"""

from knuckleboom.interface.contract import APPLIED, Element
from knuckleboom.kernels import kernel

ELEMENT = Element(gives=("force",), columns=("value",), signals=("value",), account=APPLIED)


@kernel
def law(value):
    """Return λ [N] (or N·m for a turning row)."""
    return value
