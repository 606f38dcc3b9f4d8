# SPDX-License-Identifier: BSD-3-Clause
"""Applied force, torque or joint effort: λ is a constant or follows a signal.

Its work is external: it is listed by name in the energy audit. Validated by: validation/analytic/test_applied_force.py
"""

KIND = 3
COLUMNS = ("value",)  # used when the element has no signal
