# SPDX-License-Identifier: BSD-3-Clause
"""LIM: the linearly implicit midpoint rule, order 2, two stages, one factorisation.       [Hairer Wanner 1996, IV.7]

Of order 2 with any tangent: ROS2-W with γ = 1 − 1/√2 and its second stage at half the step. A little cheaper than FW2
and as accurate, but it oscillates where chambers are very stiff or slopes in the matrix are wrong.
Tested in tests/engine/test_linearly_implicit.py; order measured in validation/analytic/test_integrator_order.py
"""

import math

KIND = 3
ORDER = 2
GAMMA = 1.0 - math.sqrt(0.5)
FRESH = (1, 1)
STAGES = len(FRESH)
NODES = (0.0, 0.5)
A = ((0.0, 0.0), (0.5 / GAMMA, 0.0))
C = ((0.0, 0.0), (-1.0 / GAMMA, 0.0))
M = (1.0 / GAMMA, 1.0 / GAMMA)
WEIGHTS = (0.0, 1.0)
INPUTS = (GAMMA, 0.5)  # where inputs are taken: a ramp is followed without delay, however stiff what follows it is
