# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod with a hydraulic cylinder in its one degree of freedom: angle θ, speed, two pressures; SciPy.

Rod A-2 of length L = 1 m, mass m = 200 kg, tip mass M = 250 kg, A = (0, 0), B = (√3/2, 0), cylinder from B to the
rod's middle.

    s² = ¼ + ¾ − (√3/2) cos θ,   ds/dθ = (√3/4) sin θ / s
    (M + m/3) L² θ̈ = [(p₂ − p₁) A − c ṡ] ds/dθ − (M + m/2) g L cos θ                      [from Naya 2011, eqs 33-35]
    ṗ₁ = β₁/(A l₁) [ A ṡ + A_i c_d √(2(p_P − p₁)/ρ) δ − A_o c_d √(2(p₁ − p_T)/ρ) δ ]        [Naya 2011, eq. 29]
    ṗ₂ = β₂/(A l₂) [−A ṡ + A_o c_d √(2(p_P − p₂)/ρ) δ − A_i c_d √(2(p₂ − p_T)/ρ) δ ]
    A_i = 5e-4 κ, A_o = 5e-4 (1 − κ);  l₁ = l/2 + s₀ − s, l₂ = l/2 + s − s₀               [Naya 2011, eqs 30, 31]

p₁ is the upper chamber, p₂ the lower one, which extends. The two-sided root is sign(Δp) √|Δp|, eq. (4). a and b of
β(p) are not printed in the paper; those of later papers of the same group are used. κ₀ makes the start an equilibrium
(eq. 32): p₁ + p₂ = p_P + p_T. The spool moves to κ₀ − 0.01 at 2 s and to κ₀ + 0.01 at 6 s; each piece is
integrated on its own. With a `bulk` above 0 Pa the bulk modulus is that constant, for programs that know no other.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
LENGTH, ROD_MASS, TIP_MASS, G = 1.0, 200.0, 250.0, 9.81
PISTON, STROKE, VISCOUS = 0.0065, 0.442, 1.0e5
CD, DENSITY, PUMP, TANK, VALVE_AREA = 0.67, 850.0, 7.6e6, 0.1e6, 5.0e-4
OIL_A, OIL_B = 6.53e-10, -1.19e-18
JUMPS = ((0.0, 2.0, 0.0), (2.0, 6.0, -0.01), (6.0, 10.0, 0.01))
S0 = 0.5
RTOL, ATOL = 1e-10, (1e-12, 1e-12, 1e-2, 1e-2)  # of rad, rad/s, Pa, Pa


def equilibrium() -> tuple[float, float, float]:
    """p₁, p₂ [Pa] and κ₀ of eq. (32), in closed form.

    Both chambers in balance with the same κ means (p_P − p₁)/(p₁ − p_T) = (p₂ − p_T)/(p_P − p₂), hence p₁ + p₂ = p_P
    + p_T.
    """
    difference = (2.0 * TIP_MASS + ROD_MASS) * G / PISTON
    p1 = 0.5 * (PUMP + TANK - difference)
    p2 = 0.5 * (PUMP + TANK + difference)
    ratio = math.sqrt((PUMP - p1) / (p1 - TANK))  # A_o/A_i
    return p1, p2, 1.0 / (1.0 + ratio)


def start() -> Array:
    """θ, θ̇, p₁, p₂ at the start."""
    p1, p2, _ = equilibrium()
    return np.array([math.pi / 6.0, 0.0, p1, p2])


def length(theta: Any) -> Any:
    """Cylinder length s [m] between its pins."""
    return np.sqrt(1.0 - 0.5 * np.sqrt(3.0) * np.cos(theta))


@numba.njit
def bulk_modulus(p: float) -> float:
    """β(p), eq. (3)."""
    return (1.0 + OIL_A * p + OIL_B * p * p) / (OIL_A + 2.0 * OIL_B * p)


@numba.njit
def root(drop: float, one_sided: bool) -> float:
    """√(2Δp/ρ), for Δp < 0 zero or the negative root."""
    if drop >= 0.0:
        return math.sqrt(2.0 * drop / DENSITY)
    return 0.0 if one_sided else -math.sqrt(-2.0 * drop / DENSITY)


@numba.njit
def rates(y: Array, kappa: float, one_sided: bool, bulk: float) -> tuple[float, float, float, float]:
    """Derivative of (θ, θ̇, p₁, p₂)."""
    theta, omega, p1, p2 = y[0], y[1], y[2], y[3]
    s = math.sqrt(1.0 - 0.5 * math.sqrt(3.0) * math.cos(theta))
    slope = 0.25 * math.sqrt(3.0) * math.sin(theta) / s
    sdot = slope * omega
    force = (p2 - p1) * PISTON - VISCOUS * sdot
    torque = force * slope - (TIP_MASS + 0.5 * ROD_MASS) * G * LENGTH * math.cos(theta)
    a_in, a_out = VALVE_AREA * kappa * CD, VALVE_AREA * (1.0 - kappa) * CD
    flow1 = a_in * root(PUMP - p1, one_sided) - a_out * root(p1 - TANK, one_sided)
    flow2 = a_out * root(PUMP - p2, one_sided) - a_in * root(p2 - TANK, one_sided)
    volume1 = PISTON * (0.5 * STROKE + S0 - s)
    volume2 = PISTON * (0.5 * STROKE + s - S0)
    bulk1 = bulk if bulk > 0.0 else bulk_modulus(p1)
    bulk2 = bulk if bulk > 0.0 else bulk_modulus(p2)
    return (
        omega,
        torque / ((TIP_MASS + ROD_MASS / 3.0) * LENGTH**2),
        bulk1 / volume1 * (PISTON * sdot + flow1),
        bulk2 / volume2 * (-PISTON * sdot + flow2),
    )


@lru_cache(maxsize=8)
def solve(
    method: str = "Radau", one_sided: bool = False, interval: float = 0.01, bulk: float = 0.0
) -> dict[str, Array]:
    """Histories over 10 s at a fixed interval [s]: time, theta, s, sdot, p1, p2, kappa."""
    _, _, kappa0 = equilibrium()
    y = start()
    times, states, kappas = [], [], []
    for begin, end, change in JUMPS:
        count = round((end - begin) / interval)
        grid = begin + interval * np.arange(count + 1)
        grid[-1] = end
        kappa = kappa0 + change
        done = solve_ivp(
            lambda _, z, kappa=kappa: rates(z, kappa, one_sided, bulk),
            (begin, end),
            y,
            method=method,
            t_eval=grid,
            rtol=RTOL,
            atol=ATOL,
        )
        y = done.y[:, -1]
        keep = slice(0, None) if end == JUMPS[-1][1] else slice(0, -1)
        times.append(done.t[keep])
        states.append(done.y[:, keep])
        kappas.append(np.full(done.t[keep].size, kappa))
    theta, omega, p1s, p2s = np.concatenate(states, axis=1)
    s = length(theta)
    return {
        "time": np.concatenate(times),
        "theta": theta,
        "s": s,
        "sdot": 0.25 * np.sqrt(3.0) * np.sin(theta) / s * omega,
        "p1": p1s,
        "p2": p2s,
        "kappa": np.concatenate(kappas),
    }
