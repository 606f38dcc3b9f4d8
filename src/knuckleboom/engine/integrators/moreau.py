# SPDX-License-Identifier: BSD-3-Clause
"""MOREAU: velocities by impulses, order 1, one stage, one factorisation; without impulses it is LIE (lie.py).

    K (v⁺ − v) = h f + Aᵀ P,   q⁺ = q ⊕ h v⁺,   P by rows with bounds      [Moreau 1999], engine/timestepping.py

Tested in validation/analytic/test_timestepping.py; order measured in validation/analytic/test_integrator_order.py
"""

from knuckleboom.engine.integrators import lie

KIND = 7
ORDER = 1
GAMMA, FRESH, STAGES, NODES, A, C = lie.GAMMA, lie.FRESH, lie.STAGES, lie.NODES, lie.A, lie.C
M, WEIGHTS, INPUTS = lie.M, lie.WEIGHTS, lie.INPUTS
