# SPDX-License-Identifier: BSD-3-Clause
"""FW2: linearly implicit W-method, order 2, three stages, two evaluations, one factorisation.

Of order 2 with any tangent [Hairer Wanner 1996, IV.7], L-stable, and its damping of stiff parts is flat in the error of
the tangent (R(∞) = 0.14 where the matrix has twice the true slope, as secants of orifices do). Our own coefficients:
W-conditions of order 2 and R(∞) = 0 exact, third-order defects small. The second stage takes the rates of the first.

INPUTS is where in the step inputs are taken: c with c1 + 3 c3 = 2, so that a ramp acts without delay where nothing is
stiff, and m3 c3 − (m3 − 1) c1 = 1, so that what is much faster than the step follows it without delay, too (own
derivation; between these the delay is at most 0.12 steps; at NODES it would be up to 1.6 early).
Conditions and damping are tests: tests/engine/test_linearly_implicit.py; order measured in
validation/analytic/test_integrator_order.py
"""

KIND = 2
ORDER = 2
GAMMA = 0.1915
FRESH = (1, 0, 1)  # stages that are evaluated
STAGES = len(FRESH)
NODES = (0.0, 0.0, 2.0 / 3.0)  # where in the step each stage is
A = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (-2.8410673829212367, 3.2114882506527405, 0.0))
C = ((0.0, 0.0, 0.0), (5.0583206648078578, 0.0, 0.0), (24.834028341130175, -11.002223534241670, 0.0))
M = (-1.86881829925239, 0.4031036820128473, 3.91644908616188)
WEIGHTS = (0.25, 0.0, 0.75)  # of a quadrature: what M does to rates without slopes
EARLY, LATE = (2.0 * M[2] - 3.0) / (4.0 * M[2] - 3.0), (2.0 * M[2] - 1.0) / (4.0 * M[2] - 3.0)  # 0.38, 0.54
INPUTS = (EARLY, EARLY, LATE)
