# SPDX-License-Identifier: BSD-3-Clause
"""An arm of two links on two cylinders with 4/3 valves: two absolute angles, their rates, four pressures; SciPy.

Points of the plane are complex numbers, x + iz. Link 1 of L₁ turns about 0 at θ₁, link 2 of L₂ about L₁ e^{iθ₁} at θ₂,
both uniform rods. Cylinder 1 reaches from the foot to c₁ on link 1, cylinder 2 from b₂ on link 1 to c₂ on link 2:

    d₁ = c₁e^{iθ₁} − foot,   d₂ = (L₁ − b₂)e^{iθ₁} + c₂e^{iθ₂},   s = |d|,   ∂s/∂θ = Re(d̄ ∂d/∂θ)/s
    T = ½(m₁/3 + m₂) L₁² ω₁² + ½ (m₂/3) L₂² ω₂² + ½ m₂ L₁L₂ cos(θ₁ − θ₂) ω₁ω₂
    V = (m₁/2 + m₂) g L₁ sin θ₁ + ½ m₂ g L₂ sin θ₂
    f = p_a A_a − p_b A_b − p₀ (A_a − A_b) − c ṡ

and Lagrange's equations follow with Jᵀf, J = ∂s/∂θ. Chambers have constant bulk modulus β, x = s − closed:

    ṗ_a = β/(V₀ + A_a x) (Q_a − A_a ṡ),   ṗ_b = β/(V₀ + A_b (stroke − x)) (Q_b + A_b ṡ)

A spool u > 0 opens pump → a and b → tank by u, u < 0 pump → b and a → tank by −u. An edge has the flow k u √Δp, with
k from its rated flow, and below `SMOOTH` the odd cubic k u √SMOOTH r (5 − r²)/4, r = Δp/SMOOTH.

Pieces between the jumps of the spools are integrated on their own, Radau at rtol 1e-10. Checked in
validation/analytic/test_cosim_references.py.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
G, AMBIENT, BULK = 9.81, 101325.0, 1.4e9  # m/s², Pa, Pa
LENGTH_1, LENGTH_2, MASS_1 = 2.5, 1.5, 300.0  # m, m, kg
THETA_1, THETA_2 = math.radians(35.0), math.radians(-55.0)  # at the start
FOOT, EYE_1, BASE_2, EYE_2 = 0.35 - 0.75j, 0.71 - 0.1j, 1.35 + 0.25j, -0.42 + 0.05j  # m
BORES, RODS, STROKE, CLOSED = (0.080, 0.063), (0.045, 0.045), 0.6, (0.81, 0.91)  # m
AREAS_A = tuple(0.25 * math.pi * bore**2 for bore in BORES)
AREAS_B = tuple(0.25 * math.pi * (bore**2 - rod**2) for bore, rod in zip(BORES, RODS, strict=True))
PUMP, TANK, ROD_SIDE = 210e5, 5e5, 80e5  # Pa; the last at the start
RATED, RATED_DROP, SMOOTH = (20e-3 / 60.0, 12e-3 / 60.0), 35e5, 2e5  # m³/s, Pa, Pa
SPOOLS = (
    {0.0: 0.0, 0.2: 0.6, 1.0: 0.0, 1.4: -0.6, 2.2: 0.0},
    {0.0: 0.0, 0.3: -0.6, 1.2: 0.0, 1.5: 0.6, 2.4: 0.0},
)
DURATION = 3.0  # s
RTOL, ATOL = 1e-10, (1e-12,) * 4 + (1e-3,) * 4  # of rad and rad/s, Pa


@dataclass(frozen=True)
class Arm:
    """What may be chosen: viscous friction of both cylinders [N·s/m], mass of link 2 [kg], dead volumes [m³]."""

    damping: float = 3000.0
    outer_mass: float = 100.0
    dead_volume: float = 1e-4

    def mass_matrix(self, theta_1: float, theta_2: float) -> Array:
        """Of the absolute angles."""
        coupled = 0.5 * self.outer_mass * LENGTH_1 * LENGTH_2 * math.cos(theta_1 - theta_2)
        first = (MASS_1 / 3.0 + self.outer_mass) * LENGTH_1**2
        return np.array([[first, coupled], [coupled, self.outer_mass / 3.0 * LENGTH_2**2]])

    def weights(self, theta_1: float, theta_2: float) -> Array:
        """∂V/∂θ, N·m."""
        first = (0.5 * MASS_1 + self.outer_mass) * G * LENGTH_1 * math.cos(theta_1)
        return np.array([first, 0.5 * self.outer_mass * G * LENGTH_2 * math.cos(theta_2)])

    def start(self) -> Array:
        """θ₁, θ₂, ω₁, ω₂, p_a, p_b of cylinder 1, p_a, p_b of cylinder 2, at rest: Jᵀf = ∂V/∂θ."""
        _, jacobian = lengths(THETA_1, THETA_2)
        forces = np.linalg.solve(jacobian.T, self.weights(THETA_1, THETA_2))
        bore_sides = [
            (force + ROD_SIDE * b + AMBIENT * (a - b)) / a for force, a, b in zip(forces, AREAS_A, AREAS_B, strict=True)
        ]
        return np.array([THETA_1, THETA_2, 0.0, 0.0, bore_sides[0], ROD_SIDE, bore_sides[1], ROD_SIDE])

    def rates(self, y: Array, spools: tuple[float, float]) -> Array:
        """Derivative of the state of `start`."""
        theta_1, theta_2, omega_1, omega_2, *pressures = (float(one) for one in y)
        s, (by_1, by_2) = _reach(theta_1, theta_2)
        forces, oil = [], []
        for one, sdot in enumerate((by_1[0] * omega_1, by_2[0] * omega_1 + by_2[1] * omega_2)):
            a, b = AREAS_A[one], AREAS_B[one]
            p_a, p_b = pressures[2 * one : 2 * one + 2]
            forces.append(p_a * a - p_b * b - AMBIENT * (a - b) - self.damping * sdot)
            flow_a, flow_b = valve(spools[one], p_a, p_b, RATED[one])
            travel = s[one] - CLOSED[one]
            oil.append(BULK / (self.dead_volume + a * travel) * (flow_a - a * sdot))
            oil.append(BULK / (self.dead_volume + b * (STROKE - travel)) * (flow_b + b * sdot))

        # both angles' equations, solved by Cramer's rule
        size = 0.5 * self.outer_mass * LENGTH_1 * LENGTH_2
        m_11, m_22 = (MASS_1 / 3.0 + self.outer_mass) * LENGTH_1**2, self.outer_mass / 3.0 * LENGTH_2**2
        m_12, turning = size * math.cos(theta_1 - theta_2), size * math.sin(theta_1 - theta_2)
        torque_1 = by_1[0] * forces[0] + by_2[0] * forces[1] - turning * omega_2**2
        torque_1 -= (0.5 * MASS_1 + self.outer_mass) * G * LENGTH_1 * math.cos(theta_1)
        torque_2 = by_2[1] * forces[1] + turning * omega_1**2
        torque_2 -= 0.5 * self.outer_mass * G * LENGTH_2 * math.cos(theta_2)
        determinant = m_11 * m_22 - m_12 * m_12
        omegadot_1 = (m_22 * torque_1 - m_12 * torque_2) / determinant
        omegadot_2 = (m_11 * torque_2 - m_12 * torque_1) / determinant
        return np.array([omega_1, omega_2, omegadot_1, omegadot_2, *oil])

    def locked(self) -> tuple[float, float]:
        """Frequencies at the start with valves shut and without friction, rad/s: K = Jᵀ diag(β ΣA²/V) J."""
        s, jacobian = lengths(THETA_1, THETA_2)
        travel = s - np.array(CLOSED)
        a, b = np.array(AREAS_A), np.array(AREAS_B)
        springs = BULK * (a**2 / (self.dead_volume + a * travel) + b**2 / (self.dead_volume + b * (STROKE - travel)))
        # the forces at the start turn with their cylinders: Σ f ∂²s/∂θ², by differences, and V bends
        weights = self.weights(THETA_1, THETA_2)
        held: Array = np.asarray(np.linalg.solve(jacobian.T, weights), np.float64)
        by_gravity = -weights * np.tan([THETA_1, THETA_2])
        stiffness: Array = jacobian.T @ (springs[:, None] * jacobian) - _bent(held) + np.diag(by_gravity)
        squares = np.linalg.eigvals(np.linalg.solve(self.mass_matrix(THETA_1, THETA_2), stiffness)).real
        low, high = sorted(np.sqrt(squares))
        return float(low), float(high)


def lengths(theta_1: float, theta_2: float) -> tuple[Array, Array]:
    """s of both cylinders and J = ∂s/∂θ."""
    s, jacobian = _reach(theta_1, theta_2)
    return np.array(s), np.array(jacobian)


Pair = tuple[float, float]


def _reach(theta_1: float, theta_2: float) -> tuple[Pair, tuple[Pair, Pair]]:
    """The same as plain numbers."""
    turn_1, turn_2 = complex(math.cos(theta_1), math.sin(theta_1)), complex(math.cos(theta_2), math.sin(theta_2))
    d_1, d_2 = EYE_1 * turn_1 - FOOT, (LENGTH_1 - BASE_2) * turn_1 + EYE_2 * turn_2
    s_1, s_2 = abs(d_1), abs(d_2)
    by_1 = (d_1.conjugate() * 1j * EYE_1 * turn_1).real / s_1
    by_21 = (d_2.conjugate() * 1j * (LENGTH_1 - BASE_2) * turn_1).real / s_2
    by_22 = (d_2.conjugate() * 1j * EYE_2 * turn_2).real / s_2
    return (s_1, s_2), ((by_1, 0.0), (by_21, by_22))


def _bent(forces: Array) -> Array:
    """Σ f ∂²s/∂θ² at the start, N·m/rad; central differences of J, 1e-6 rad."""
    columns = []
    for one in range(2):
        ahead, behind = ([THETA_1, THETA_2] for _ in range(2))
        ahead[one] += 1e-6
        behind[one] -= 1e-6
        columns.append((lengths(*ahead)[1] - lengths(*behind)[1]).T @ forces / 2e-6)
    return np.array(columns).T


def valve(spool: float, p_a: float, p_b: float, rated: float) -> tuple[float, float]:
    """Flows into the bore side and the rod side, m³/s."""
    k = rated / math.sqrt(RATED_DROP)
    if spool >= 0.0:
        return k * spool * _root(PUMP - p_a), -k * spool * _root(p_b - TANK)
    return k * spool * _root(p_a - TANK), -k * spool * _root(PUMP - p_b)


def _root(drop: float) -> float:
    """√Δp with its sign, smooth below SMOOTH, √Pa."""
    if abs(drop) >= SMOOTH:
        return math.copysign(math.sqrt(abs(drop)), drop)
    r = drop / SMOOTH
    return math.sqrt(SMOOTH) * r * (5.0 - r * r) / 4.0


@lru_cache(maxsize=8)
def solve(arm: Arm = Arm(), method: str = "Radau", interval: float = 0.01) -> dict[str, Array]:
    """Histories over 3 s at an interval [s]: time, theta1, theta2, s1, s2, p1a, p1b, p2a, p2b, u1, u2."""
    grid = interval * np.arange(round(DURATION / interval) + 1)
    ends = sorted({0.0, DURATION, *SPOOLS[0], *SPOOLS[1]})
    y, states, spools = arm.start(), [], []
    for begin, end in itertools.pairwise(ends):
        held = tuple(law[max(time for time in law if time <= begin)] for law in SPOOLS)
        inside = grid[(grid >= begin - 1e-9) & (grid < end - 1e-9)]
        done = solve_ivp(
            lambda _, z, held=held: arm.rates(z, held),
            (begin, end),
            y,
            method=method,
            t_eval=np.append(np.maximum(inside, begin), end),
            first_step=1e-6,
            rtol=RTOL,
            atol=ATOL,
        )
        y = done.y[:, -1]
        states.append(done.y[:, :-1])
        spools += [held] * len(inside)
    states.append(y[:, None])
    spools.append(spools[-1])
    history = np.concatenate(states, axis=1)
    s = np.array([lengths(*angles)[0] for angles in history[:2].T]).T
    names = ("theta1", "theta2", "omega1", "omega2", "p1a", "p1b", "p2a", "p2b")
    found = dict(zip(names, history, strict=True)) | {"s1": s[0], "s2": s[1]}
    return {"time": grid, **found, "u1": np.array(spools)[:, 0], "u2": np.array(spools)[:, 1]}
