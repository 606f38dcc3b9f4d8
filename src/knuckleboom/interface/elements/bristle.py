# SPDX-License-Identifier: BSD-3-Clause
"""Bristle friction on a row (LuGre, with hold): sticks, breaks away, slides; holds a load at rest.

Law         laws/bristle.py, hold.py               States  z, the mean bend of the bristles, m (or rad)
Power       ∮ λ w dt ≤ 0 while damping ≤ 4 √(2e) coulomb/stribeck; bristles store ½ stiffness z² while they bend.
Validated by: validation/analytic/test_bristle.py and test_bristle_hold.py
"""

KIND = 4
COLUMNS = ("coulomb", "breakaway", "stribeck", "stiffness", "damping", "viscous", "hold_speed")
FORCE_Z, RATE_Z, RATE_W = 0, 1, 2  # columns of rows.bristle: ∂λ/∂z, ∂ż/∂z, ∂ż/∂w
