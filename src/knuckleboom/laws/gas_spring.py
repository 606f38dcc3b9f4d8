# SPDX-License-Identifier: BSD-3-Clause
"""Pressure of an accumulator from the oil in it: the polytrope of an ideal gas, continued smoothly when it is empty.

    p = p₀ (1 − e)^(−n),   e = oil in the accumulator / volume of the gas at precharge p₀        for 0 ≤ e ≤ 0.98
    p = p₀/(1 − n e + (e/ε)²)                                                                    for e < 0: empty
    p = its parabola, p_f + p_f′ d + p_f″ d²/2,   d = e − 0.98                                   for e > 0.98: full

n = 1 is isothermal, about 1.4 adiabatic (nitrogen); real gas departs from it above some 200 bar. An empty accumulator
holds back no oil: its pressure falls steeply, to half when ε of its volume is missing, and stays positive. That tail
and the parabola are our own: the first for oil that is drawn on, the second so that an iterate beyond e = 1 is still a
number. Value and slope are continuous everywhere; p rises everywhere. ε n < 2 is needed.
Validated by: tests/laws/test_gas_spring.py
"""

import math

from knuckleboom.kernels import kernel

FULL = 0.98
"""Part of the gas volume that is oil where the polytrope ends: the pressure is 50 (isothermal) to 240 times p₀."""
EMPTY = 1e-3
"""ε that accumulators use: the corner is then some steps of 1 ms wide, and a thousandth of the volume is made up."""


@kernel
def gas_spring(e, precharge, exponent, empty):
    """Return p [Pa] and its slope dp/de [Pa]; e [1], precharge p₀ [Pa], exponent n [1], empty ε [1]."""
    if e < 0.0:
        z = e / empty
        fall = 1.0 - exponent * e + z * z
        return precharge / fall, precharge * (exponent - 2.0 * z / empty) / (fall * fall)

    d = max(e - FULL, 0.0)
    left = 1.0 - e + d
    p = precharge * math.exp(-exponent * math.log(left))
    slope = exponent * p / left
    bend = (exponent + 1.0) * slope / left
    return p + d * (slope + 0.5 * bend * d), slope + bend * d


@kernel
def curvature_gas(e, precharge, exponent, empty):
    """Return d²p/de² [Pa]; e [1], precharge p₀ [Pa], exponent n [1], empty ε [1]."""
    if e < 0.0:
        z = e / empty
        fall, fall_e = 1.0 - exponent * e + z * z, 2.0 * z / empty - exponent
        return 2.0 * precharge * (fall_e * fall_e / fall - 1.0 / (empty * empty)) / (fall * fall)

    left = 1.0 - min(e, FULL)
    return exponent * (exponent + 1.0) * precharge * math.exp(-(exponent + 2.0) * math.log(left))


@kernel
def strain_gas(p, precharge, exponent, empty):
    """Return the filling e [1] at the pressure p [Pa]; precharge p₀ [Pa], exponent n [1], empty ε [1]."""
    if p < precharge:
        # the negative root of (e/ε)² − n e − missing, written so that no digits cancel near precharge
        a, missing = exponent * empty, (precharge - p) / p
        return -2.0 * empty * missing / (a + math.sqrt(a * a + 4.0 * missing))

    e = -math.expm1(-math.log(p / precharge) / exponent)
    if e <= FULL:
        return e
    edge, slope = gas_spring(FULL, precharge, exponent, empty)
    bend = curvature_gas(FULL, precharge, exponent, empty)
    above = p - edge
    return FULL + 2.0 * above / (slope + math.sqrt(slope * slope + 2.0 * bend * above))


@kernel
def energy_gas(e, ambient, precharge, exponent, empty):
    """Return ∫ (p − p_0) de from 0 to e: the energy stored in 1 m³ of gas volume [J], against the ambient p_0 [Pa].

    e [1], ambient [Pa], precharge p₀ [Pa], exponent n [1], empty ε [1].
    """
    if e < 0.0:
        # ∫ de/(1 − n e + (e/ε)²) by the arc tangent, as one arc so that little e loses no digits
        a, z = exponent * empty, e / empty
        half = math.sqrt(1.0 - 0.25 * a * a)  # ¼: square of half of a
        arc = math.atan2(half * z, 1.0 - 0.5 * a * z)
        return precharge * empty / half * arc - ambient * e

    d = max(e - FULL, 0.0)
    log = -math.log(1.0 - e + d)
    growth = (exponent - 1.0) * log
    work = precharge * (log if growth == 0.0 else log * math.expm1(growth) / growth)
    if d > 0.0:
        p, slope = gas_spring(FULL, precharge, exponent, empty)
        bend = curvature_gas(FULL, precharge, exponent, empty)
        work += d * (p + d * (slope / 2.0 + d * bend / 6.0))  # the parabola integrated: 1, 1/2, 1/6
    return work - ambient * e
