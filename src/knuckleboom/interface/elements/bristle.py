# SPDX-License-Identifier: BSD-3-Clause
"""Bristle friction on a row (LuGre, with hold): sticks, breaks away, slides; holds a load at rest.

Law         laws/bristle.py, hold.py               States  z, the mean bend of the bristles, m (or rad)
Power       ∮ λ w dt ≤ 0 while damping ≤ 4 √(2e) coulomb/stribeck; bristles store ½ stiffness z² while they bend.
Validated by: validation/analytic/test_bristle.py and test_bristle_hold.py
"""

from knuckleboom.interface.contract import Element, State
from knuckleboom.laws.bristle import bristle as law
from knuckleboom.laws.bristle import energy_bristle as stored

__all__ = ["ELEMENT", "law", "stored"]

ELEMENT = Element(
    gives=("force", "by_z", "by_w", "rate", "rate_z", "rate_w"),
    columns=("coulomb", "breakaway", "stribeck", "stiffness", "damping", "viscous", "hold_speed"),
    states=(State("bristle", "bend of the bristles of its friction"),),
    label="bristle_",
)
