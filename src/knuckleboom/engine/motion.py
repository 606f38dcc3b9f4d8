# SPDX-License-Identifier: BSD-3-Clause
"""Where drivers want their rows to be within a step.

The motion is known at both ends of a step in value, rate and acceleration; between them the polynomial of degree 5
that agrees with all six is used (quintic Hermite interpolation, own derivation). Its error is h⁶/46080 of the sixth
derivative, far below that of any integrator.
"""

from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import copy


@kernel
def aim(fraction, h, start, end, target):
    """Motion of every driver at a fraction of a step of size h [s], from that at its ends. Writes target."""
    for d in range(target.shape[0]):
        if fraction == 0.0:
            copy(start[d], target[d])
            continue
        # f(τ) = Σ c_k τ^k, with c_0 to c_2 from the start and the rest from what then still lacks at the end
        c1, c2 = h * start[d, 1], 0.5 * h * h * start[d, 2]
        value = end[d, 0] - start[d, 0] - c1 - c2
        rate = h * end[d, 1] - c1 - 2.0 * c2
        curve = h * h * end[d, 2] - 2.0 * c2
        # the 3 × 3 system τ³, τ⁴, τ⁵ at τ = 1, solved
        c3 = 10.0 * value - 4.0 * rate + 0.5 * curve
        c4 = -15.0 * value + 7.0 * rate - curve
        c5 = 6.0 * value - 3.0 * rate + 0.5 * curve
        t = fraction
        target[d, 0] = start[d, 0] + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))))
        # derivatives of the powers: 3, 4, 5 and 6, 12, 20
        target[d, 1] = (c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))) / h
        target[d, 2] = (2.0 * c2 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))) / (h * h)  # same powers
