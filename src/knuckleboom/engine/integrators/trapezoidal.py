# SPDX-License-Identifier: BSD-3-Clause
"""The trapezoidal rule: order 2, one evaluation an iteration, implicit, no damping. [Naya 2011, eqs 7 and 18]

Carries accelerations and rates from step to step; they are filled anew after a declared jump, and the step there is
made of two of the implicit Euler rule, which damps what the jump would let ring. The step is in engine/theta.py; order
measured in validation/analytic/test_integrator_order.py
"""

KIND = 5
ORDER = 2
STAGES = 1
RULE = (0.0, 0.0, 0.25, 0.5)
"""α_m, α_f, β and γ of engine/theta.py."""
