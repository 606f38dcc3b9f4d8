# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank and four-bar: positions in closed form over the crank angle, motion by quadrature.

A mechanism with one degree of freedom and no losses keeps E = ½ J(θ) θ̇² + V(θ). Where the crank never stops, this
gives θ̇ = √(2 (E − V)/J) and t = ∫ dθ/θ̇ without any equation of motion. J(θ) = Σ m |dc/dθ|² + I (dφ/dθ)² uses
velocity ratios from the closed-form positions. All in the x-y plane; links are uniform, slender, gravity points along
−y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


class Linkage:
    """One degree of freedom over the crank angle θ [rad]; subclasses give ``inertia`` and ``height``."""

    g: float

    def inertia(self, theta: np.ndarray) -> np.ndarray:
        """J(θ) [kg·m²], so that kinetic energy is ½ J θ̇²."""
        raise NotImplementedError

    def weighted_height(self, theta: np.ndarray) -> np.ndarray:
        """Σ m y [kg·m]."""
        raise NotImplementedError

    def energy(self, theta: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Total energy [J]."""
        return 0.5 * self.inertia(theta) * rate**2 + self.g * self.weighted_height(theta)

    def rate(self, theta: np.ndarray, theta0: float, rate0: float) -> np.ndarray:
        """Crank speed [rad/s] at θ after a start at (θ₀, rate₀ > 0)."""
        total = self.energy(np.asarray(theta0), np.asarray(rate0))
        return np.sqrt(2.0 * (total - self.g * self.weighted_height(theta)) / self.inertia(theta))

    def time(self, theta: np.ndarray, theta0: float, rate0: float, method: str = "DOP853") -> np.ndarray:
        """Time [s] at which the crank reaches increasing angles θ ≥ θ₀."""
        theta = np.asarray(theta, dtype=float)

        def slowness(angle: float, _: np.ndarray) -> np.ndarray:
            return np.array([1.0 / self.rate(np.asarray(angle), theta0, rate0)])

        done = solve_ivp(
            slowness, (theta0, theta[-1]), [0.0], method=method, t_eval=theta, rtol=1e-13, atol=1e-14, max_step=0.02
        )
        return done.y[0]


@dataclass(frozen=True)
class SliderCrank(Linkage):
    """Crank r, connecting rod l, slider on the x-axis through the crank's pin."""

    r: float = 0.2
    l: float = 0.5  # noqa: E741 - the usual letter for a connecting rod
    m_crank: float = 2.0
    m_rod: float = 1.5
    m_slider: float = 1.0
    g: float = 9.81

    def rod_angle(self, theta: np.ndarray) -> np.ndarray:
        """Angle φ of the rod against +x: sin φ = −(r/l) sin θ."""
        return np.arcsin(-self.r / self.l * np.sin(theta))

    def travel(self, theta: np.ndarray) -> np.ndarray:
        """Slider position [m]."""
        return self.r * np.cos(theta) + self.l * np.cos(self.rod_angle(theta))

    def rod_ratio(self, theta: np.ndarray) -> np.ndarray:
        """dφ/dθ."""
        return -self.r * np.cos(theta) / (self.l * np.cos(self.rod_angle(theta)))

    def travel_ratio(self, theta: np.ndarray) -> np.ndarray:
        """dx/dθ [m/rad]."""
        return -self.r * np.sin(theta) - self.l * np.sin(self.rod_angle(theta)) * self.rod_ratio(theta)

    def inertia(self, theta: np.ndarray) -> np.ndarray:
        phi, ratio = self.rod_angle(theta), self.rod_ratio(theta)
        dx = -self.r * np.sin(theta) - 0.5 * self.l * np.sin(phi) * ratio
        dy = self.r * np.cos(theta) + 0.5 * self.l * np.cos(phi) * ratio
        return (
            self.m_crank * self.r**2 / 3.0
            + self.m_rod * (dx**2 + dy**2)
            + self.m_rod * self.l**2 / 12.0 * ratio**2
            + self.m_slider * self.travel_ratio(theta) ** 2
        )

    def weighted_height(self, theta: np.ndarray) -> np.ndarray:
        crank = 0.5 * self.r * np.sin(theta)
        rod = self.r * np.sin(theta) + 0.5 * self.l * np.sin(self.rod_angle(theta))
        return self.m_crank * crank + self.m_rod * rod


@dataclass(frozen=True)
class FourBar(Linkage):
    """Crank a from (0, 0), coupler b, rocker c on (d, 0), in the branch with the coupler's far end above the
    diagonal.
    """

    a: float = 0.2
    b: float = 0.55
    c: float = 0.4
    d: float = 0.5
    m_crank: float = 2.0
    m_coupler: float = 1.5
    m_rocker: float = 1.2
    g: float = 9.81

    def angles(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angles of coupler (at the crank's end) and rocker (at its ground pin) against +x."""
        px, py = self.a * np.cos(theta), self.a * np.sin(theta)
        diagonal = np.hypot(self.d - px, py)
        towards = np.arctan2(-py, self.d - px)
        opening = np.arccos((self.b**2 + diagonal**2 - self.c**2) / (2.0 * self.b * diagonal))
        coupler = towards + opening
        x, y = px + self.b * np.cos(coupler), py + self.b * np.sin(coupler)
        return coupler, np.arctan2(y, x - self.d)

    def ratios(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """dφ/dθ of coupler and rocker, from the time derivative of a e^{iθ} + b e^{iφ} = d + c e^{iψ}."""
        phi, psi = self.angles(theta)
        coupler = self.a * np.sin(psi - theta) / (self.b * np.sin(phi - psi))
        rocker = self.a * np.sin(phi - theta) / (self.c * np.sin(phi - psi))
        return coupler, rocker

    def inertia(self, theta: np.ndarray) -> np.ndarray:
        phi, _ = self.angles(theta)
        coupler, rocker = self.ratios(theta)
        dx = -self.a * np.sin(theta) - 0.5 * self.b * np.sin(phi) * coupler
        dy = self.a * np.cos(theta) + 0.5 * self.b * np.cos(phi) * coupler
        return (
            self.m_crank * self.a**2 / 3.0
            + self.m_coupler * (dx**2 + dy**2)
            + self.m_coupler * self.b**2 / 12.0 * coupler**2
            + self.m_rocker * self.c**2 / 3.0 * rocker**2
        )

    def weighted_height(self, theta: np.ndarray) -> np.ndarray:
        phi, psi = self.angles(theta)
        coupler = self.a * np.sin(theta) + 0.5 * self.b * np.sin(phi)
        return (
            self.m_crank * 0.5 * self.a * np.sin(theta)
            + self.m_coupler * coupler
            + self.m_rocker * 0.5 * self.c * np.sin(psi)
        )
