# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of oil with air bubbles in it from its strain, smooth down to vapour pressure.

    v(p) = (1 − α) exp(−(p − p_r)/B) + α ((p_r − p_v)/(p − p_v))^(1/n),   e = −ln v(p)

v is the volume relative to that at the reference pressure p_r, where a part α of it is air: oil and bubbles under one
pressure add up their volumes, as their compressibilities do in [Merritt 1967, ch. 2]. The bubbles follow a polytrope of
exponent n, counted from the vapour pressure p_v (our own choice), so that p stays above p_v however far the oil
expands. No air dissolves: at high pressure the bubbles are small, but they come back. Needs 0 < α < 1 and p_r > p_v.

The inverse: with q = (p − p_v)/(p_r − p_v) the sum v(q) is convex and falls, so that Newton's iterates, from a q below
the root, rise to it and never pass it (11 of them at most in 40 000 trials, 3 as a rule).
Elastic energy: ∫ (p − p_0) de, by five points of Gauss on every unit of ln q.
Validated by: tests/laws/test_oil_with_air.py
"""

import math

from knuckleboom.kernels import kernel
from knuckleboom.laws.oil_naya import GAUSS

MOST = 40
"""Iterations after which Newton stops whatever happens."""
LEAST = 1e-15
"""Relative change of q that is rounding."""
TORN = -50.0
"""Strain below which the oil's own volume is less than rounding beside that of the bubbles."""


@kernel
def filling_with_air(e, bulk, alpha, span, exponent):
    """Return q = (p − p_v)/(p_r − p_v) [1] at the strain e [1]; bulk B [Pa], alpha α [1], span p_r − p_v [Pa],
    exponent n [1].
    """
    if e < TORN:
        return math.exp(exponent * (e + math.log(alpha)))
    k, grown = span / bulk, math.expm1(-e)

    # from below: the oil's share of the volume is at least 1 − α if cavitated, and all that is left if compressed
    if e < 0.0:
        q = math.exp(-exponent * math.log1p(grown / alpha))
    else:
        q = 1.0 + max(0.0, e + math.log1p(-alpha)) / k

    for _ in range(MOST):
        oil, air = math.expm1(k * (1.0 - q)), math.expm1(-math.log(q) / exponent)
        missing = (1.0 - alpha) * oil + alpha * air - grown
        step = missing / ((1.0 - alpha) * k * (1.0 + oil) + alpha * (1.0 + air) / (exponent * q))
        q += step
        if not step > LEAST * q:
            break
    return q


@kernel
def oil_with_air(e, bulk, alpha, reference, vapour, exponent):
    """Return p [Pa] and its slope dp/de [Pa]; e [1], bulk B [Pa], alpha α [1], reference p_r [Pa], vapour p_v [Pa],
    exponent n [1].
    """
    span = reference - vapour
    q = filling_with_air(e, bulk, alpha, span, exponent)
    if e < TORN:
        return vapour + span * q, span * q * exponent
    k = span / bulk
    oil, air = (1.0 - alpha) * math.exp(k * (1.0 - q)), alpha * math.exp(-math.log(q) / exponent)
    return vapour + span * q, span * (oil + air) / (k * oil + air / (exponent * q))


@kernel
def curvature_with_air(e, bulk, alpha, reference, vapour, exponent):
    """Return d²p/de² [Pa]; e [1], bulk B [Pa], alpha α [1], reference p_r [Pa], vapour p_v [Pa], exponent n [1]."""
    span = reference - vapour
    q = filling_with_air(e, bulk, alpha, span, exponent)
    if e < TORN:
        return span * q * exponent * exponent
    k = span / bulk
    oil, air = (1.0 - alpha) * math.exp(k * (1.0 - q)), alpha * math.exp(-math.log(q) / exponent)

    # with v, v′ = −fall and v″ by q: dq/de = v/fall, and once more
    volume, fall = oil + air, k * oil + air / (exponent * q)
    bend = k * k * oil + air * (1.0 + exponent) / (exponent * exponent * q * q)
    return span * volume / fall * (volume * bend / (fall * fall) - 1.0)


@kernel
def strain_with_air(p, bulk, alpha, reference, vapour, exponent):
    """Return the strain e [1] at the pressure p [Pa], above vapour; bulk B [Pa], alpha α [1], reference p_r [Pa],
    vapour p_v [Pa], exponent n [1].
    """
    oil = math.expm1((reference - p) / bulk)
    air = math.expm1(-math.log((p - vapour) / (reference - vapour)) / exponent)
    return -math.log1p((1.0 - alpha) * oil + alpha * air)


@kernel
def energy_with_air(p, ambient, bulk, alpha, reference, vapour, exponent):
    """Return the elastic energy of 1 m³ [J] at p [Pa], zero at ambient [Pa], or at reference where that is not above
    vapour; bulk B [Pa], alpha α [1], reference p_r [Pa], vapour p_v [Pa], exponent n [1].
    """
    span = reference - vapour
    zero = ambient if ambient > vapour else reference
    start = math.log((zero - vapour) / span)
    length = math.log((p - vapour) / span) - start
    panels = 1 + int(abs(length))
    half = 0.5 * length / panels

    total = 0.0 * ambient
    for panel in range(panels):
        middle = start + (2.0 * panel + 1.0) * half
        for at, weight in GAUSS:
            y = middle + at * half
            q = math.exp(y)
            oil, air = (1.0 - alpha) * math.exp(span / bulk * (1.0 - q)), alpha * math.exp(-y / exponent)
            strain = (span / bulk * q * oil + air / exponent) / (oil + air)
            total += weight * half * (vapour + span * q - ambient) * strain
    return total
