# SPDX-License-Identifier: BSD-3-Clause
"""LIE: the linearly implicit Euler method, order 1, one stage, one factorisation.     [Hairer Wanner 1996, IV.9]

The plainest method that takes stiff oil at 1 ms, and the one that damps most; 50 to 100 times the error of FW2 there.
Inputs are taken in the middle of the step: a ramp is not late, but what is much faster than the step follows it half a
step late.
Tested in tests/engine/test_linearly_implicit.py; order measured in validation/analytic/test_integrator_order.py
"""

KIND = 4
ORDER = 1
GAMMA = 1.0
FRESH = (1,)
STAGES = len(FRESH)
NODES = (0.0,)
A = ((0.0,),)
C = ((0.0,),)
M = (1.0,)
WEIGHTS = (1.0,)
INPUTS = (0.5,)
