# SPDX-License-Identifier: BSD-3-Clause
"""Heavy symmetric top: height in closed form, the axis by one vector equation; compared at the centre (`top.centre`).

The height u = cos θ of the centre over the arm is an elliptic function of time [Goldstein 2002, section 5.7]:

    u̇² = (α − β·u)·(1 − u²) − (b − a·u)²                a = C·ω₃/A,  b = L_z/A,  β = 2·m·g·l/A
    u = u₁ + (u₂ − u₁)·sn²(w·t + t₀ | k²)                w² = β·(u₃ − u₁)/4,  k² = (u₂ − u₁)/(u₃ − u₁)

with A about the fixed point and u₁ < u₂ < u₃ the roots. Here u₂ = 0 is the start, and u₁ is within 1e-12 of −1: the
axis passes straight down, where precession φ̇ = (b − a·u)/(1 − u²) is a spike and angles are of no use. So the direction
of the axis e is integrated as a vector, from dL/dt = m·g·l·ẑ × e with L = A·e × ė + C·ω₃·e:

    ë = −|ė|²·e + a·e × ė + m·g·l/A·((e·ẑ)·e − ẑ)
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from knuckleboom.bench.references.one_dof import Array

MASS, ARM, ALONG, ACROSS, G = 15.0, 1.0, 0.46875, 0.234375, 9.81
SPIN, PRECESSION = 150.0, -4.61538  # rad/s, at the start, the axis level along +y
A = ACROSS + MASS * ARM**2  # kg·m²
GYRO, PULL = ALONG * SPIN / A, MASS * G * ARM / A  # a, 1/s; β/2, 1/s²
UP = np.array([0.0, 0.0, 1.0])
TOLERANCE = 1e-12


def height(times: Array) -> Array:
    """u from the elliptic function; in v = 1 + u the roots are v₂ = 1 and those of β·v² − q·v + (a + b)²."""
    beta, both = 2.0 * PULL, GYRO + PRECESSION
    q = PRECESSION**2 + 2.0 * beta + GYRO**2
    third = 0.5 * (q + math.sqrt(q * q - 4.0 * beta * both**2)) / beta
    lower = both**2 / (beta * third)
    k2 = (1.0 - lower) / (third - lower)
    sn = ellipj(0.5 * math.sqrt(beta * (third - lower)) * times + ellipk(k2), k2)[0]
    return np.asarray(lower + (1.0 - lower) * sn**2 - 1.0)


def rates(_: float, state: Array) -> Array:
    """Time derivative of e and ė."""
    e, v = state[:3], state[3:]
    return np.concatenate([v, -(v @ v) * e + GYRO * np.cross(e, v) + PULL * ((e @ UP) * e - UP)])


def path(times: Array) -> Array:
    """Where the centre is, m."""
    start = [0.0, 1.0, 0.0, -PRECESSION, 0.0, 0.0]
    span = (0.0, float(times[-1]))
    done = solve_ivp(rates, span, start, method="DOP853", t_eval=times, rtol=TOLERANCE, atol=TOLERANCE)
    return np.asarray(ARM * done.y[:3].T)
