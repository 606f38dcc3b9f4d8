# SPDX-License-Identifier: BSD-3-Clause
"""The hydraulic manipulator of the co-simulation benchmarks: two absolute angles, their rates, two pressures; SciPy.

Rod 1 of L = 1 m, m = 200 kg with m_p = 250 kg at its tip Q; rod 2, massless, L₂ = 0.5 m from Q to R with m_h = 100 kg.
Angles from x; T and V, with the cylinder's force f along s from B(√3/2, 0) to the middle of rod 1:

    T = ½(m/3 + m_p + m_h) L² ω₁² + ½ m_h L₂² ω₂² + m_h L L₂ cos(θ₁ − θ₂) ω₁ω₂
    V = (m/2 + m_p + m_h) g L sin θ₁ + m_h g L₂ sin θ₂
    s² = ¼ + ¾ − (√3/2) cos θ₁,   ds/dθ₁ = (√3/4) sin θ₁ / s,   f = (p₂ − p₁) A − c ṡ

so that Lagrange's equations are

    (m/3 + m_p + m_h) L² ω̇₁ + m_h L L₂ [cos(θ₁ − θ₂) ω̇₂ + sin(θ₁ − θ₂) ω₂²] = f ds/dθ₁ − (m/2 + m_p + m_h) g L cos θ₁
    m_h L₂² ω̇₂ + m_h L L₂ [cos(θ₁ − θ₂) ω̇₁ − sin(θ₁ − θ₂) ω₁²] = −m_h g L₂ cos θ₂

Pressures as in naya_rod.py, whose oil, cylinder and valve these are. Laws of κ: `m1`, `m2` as [González 2021] has them;
each piece between their corners is integrated on its own. `late` delays a law: the published solutions have the κ
of the beginning of each of their steps of 0.05 ms, that is, it is 0.05 ms late.

Radau at rtol 1e-10; checked in validation/analytic/test_cosim_references.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from knuckleboom.bench.references import naya_rod

Array = NDArray[np.float64]
LENGTH, ROD_MASS, TIP_MASS, G = naya_rod.LENGTH, naya_rod.ROD_MASS, naya_rod.TIP_MASS, naya_rod.G
LENGTH_2, MASS_2 = 0.5, 100.0  # m, kg
PISTON, STROKE, VISCOUS, S0 = naya_rod.PISTON, naya_rod.STROKE, naya_rod.VISCOUS, naya_rod.S0
PUMP, TANK = naya_rod.PUMP, naya_rod.TANK
CORNERS = {"m1": (2.0, 2.001, 6.0, 6.002), "m2": (1.0, 8.0, 9.0)}  # s
DURATION = 10.0  # s
INERTIA_1 = (ROD_MASS / 3.0 + TIP_MASS + MASS_2) * LENGTH**2
INERTIA_2, COUPLED = MASS_2 * LENGTH_2**2, MASS_2 * LENGTH * LENGTH_2
WEIGHT_1 = (0.5 * ROD_MASS + TIP_MASS + MASS_2) * G * LENGTH
WEIGHT_2 = MASS_2 * G * LENGTH_2
RTOL, ATOL = 1e-10, (1e-12, 1e-12, 1e-12, 1e-12, 1e-3, 1e-3)  # of rad, rad, rad/s, rad/s, Pa, Pa


def equilibrium() -> tuple[float, float, float]:
    """p₁, p₂ [Pa] and κ₀ that hold the arm with rod 2 hanging; p₁ + p₂ = p_P + p_T as in naya_rod.py."""
    slope = 0.25 * math.sqrt(3.0) * math.sin(math.pi / 6.0) / S0
    difference = WEIGHT_1 * math.cos(math.pi / 6.0) / slope / PISTON
    p1, p2 = 0.5 * (PUMP + TANK - difference), 0.5 * (PUMP + TANK + difference)
    return p1, p2, 1.0 / (1.0 + math.sqrt((PUMP - p1) / (p1 - TANK)))


def start() -> Array:
    """θ₁, θ₂, ω₁, ω₂, p₁, p₂ at the start."""
    p1, p2, _ = equilibrium()
    return np.array([math.pi / 6.0, 1.5 * math.pi, 0.0, 0.0, p1, p2])


def step_law(time: float) -> float:
    """Law m1: κ at a time [s]."""
    kappa = equilibrium()[2]
    if time <= 6.0:
        return kappa - 0.01 * min(max((time - 2.0) / 0.001, 0.0), 1.0)
    return kappa - 0.01 + 0.03 * min((time - 6.0) / 0.002, 1.0)


def sine_law(time: float) -> float:
    """Law m2: κ at a time [s]."""
    if time <= 8.0:
        size = 0.1 * min(time, 1.0)
    else:
        size = 0.1 * max(9.0 - time, 0.0)
    return equilibrium()[2] * (1.0 - size * math.sin(4.0 * math.pi * time))


LAWS: dict[str, Callable[[float], float]] = {"m1": step_law, "m2": sine_law}


def oil_rates(s: float, sdot: float, p1: float, p2: float, kappa: float) -> tuple[float, float]:
    """Rates of p₁ and p₂ [Pa/s]."""
    bulk = [(1.0 + naya_rod.OIL_A * p + naya_rod.OIL_B * p * p) / (naya_rod.OIL_A + 2.0 * naya_rod.OIL_B * p)
            for p in (p1, p2)]  # fmt: skip
    a_in, a_out = (naya_rod.CD * naya_rod.VALVE_AREA * opening for opening in (kappa, 1.0 - kappa))
    flow_1 = a_in * _speed(PUMP - p1) - a_out * _speed(p1 - TANK)
    flow_2 = a_out * _speed(PUMP - p2) - a_in * _speed(p2 - TANK)
    volume_1, volume_2 = PISTON * (0.5 * STROKE + S0 - s), PISTON * (0.5 * STROKE + s - S0)
    return bulk[0] / volume_1 * (flow_1 + PISTON * sdot), bulk[1] / volume_2 * (flow_2 - PISTON * sdot)


def _speed(drop: float) -> float:
    """√(2Δp/ρ) [m/s], zero against the drop."""
    return math.sqrt(2.0 * max(drop, 0.0) / naya_rod.DENSITY)


def rates(y: Array, kappa: float) -> tuple[float, ...]:
    """Derivative of (θ₁, θ₂, ω₁, ω₂, p₁, p₂)."""
    theta_1, theta_2, omega_1, omega_2, p1, p2 = (float(one) for one in y)
    s = math.sqrt(1.0 - 0.5 * math.sqrt(3.0) * math.cos(theta_1))
    slope = 0.25 * math.sqrt(3.0) * math.sin(theta_1) / s
    sdot = slope * omega_1
    force = (p2 - p1) * PISTON - VISCOUS * sdot

    m12 = COUPLED * math.cos(theta_1 - theta_2)
    turning = COUPLED * math.sin(theta_1 - theta_2)
    torque_1 = force * slope - WEIGHT_1 * math.cos(theta_1) - turning * omega_2**2
    torque_2 = -WEIGHT_2 * math.cos(theta_2) + turning * omega_1**2
    determinant = INERTIA_1 * INERTIA_2 - m12 * m12
    return (
        omega_1,
        omega_2,
        (INERTIA_2 * torque_1 - m12 * torque_2) / determinant,
        (INERTIA_1 * torque_2 - m12 * torque_1) / determinant,
        *oil_rates(s, sdot, p1, p2, kappa),
    )


def length(theta_1: Any) -> Any:
    """Cylinder length s [m] between its pins."""
    return np.sqrt(1.0 - 0.5 * np.sqrt(3.0) * np.cos(theta_1))


@lru_cache(maxsize=8)
def solve(law: str = "m1", method: str = "Radau", interval: float = 0.01, late: float = 0.0) -> dict[str, Array]:
    """Histories over 10 s at an interval [s]: time, theta1, theta2, s, sdot, p1, p2, force, kappa."""
    kappa = LAWS[law]
    grid = interval * np.arange(round(DURATION / interval) + 1)
    ends = [0.0, *(corner + late for corner in CORNERS[law]), DURATION]
    y, states = start(), []
    for begin, end in itertools.pairwise(ends):
        inside = grid[(grid >= begin - 1e-9) & (grid < end - 1e-9)]
        done = solve_ivp(
            lambda time, z: rates(z, kappa(time - late)),
            (begin, end),
            y,
            method=method,
            t_eval=np.append(np.maximum(inside, begin), end),
            first_step=1e-5,
            rtol=RTOL,
            atol=ATOL,
        )
        y = done.y[:, -1]
        states.append(done.y[:, :-1])
    states.append(y[:, None])
    theta_1, theta_2, omega_1, _, p1, p2 = np.concatenate(states, axis=1)
    s = length(theta_1)
    sdot = 0.25 * np.sqrt(3.0) * np.sin(theta_1) / s * omega_1
    return {
        "time": grid,
        "theta1": theta_1,
        "theta2": theta_2,
        "s": s,
        "sdot": sdot,
        "p1": p1,
        "p2": p2,
        "force": (p2 - p1) * PISTON - VISCOUS * sdot,
        "kappa": np.array([kappa(time - late) for time in grid]),
    }
