# SPDX-License-Identifier: BSD-3-Clause
"""Dry friction event by event: a block on an incline, a block on a spring and a moving belt.

    incline    along the line of steepest descent v̇ = g (sin α − μ cos α sign v), at rest for tan α ≤ μ: parabolas;
               in the plane v̇ = g sin α x̂ − μ g cos α v/|v| until it stops, if it does: SciPy
    belt       m ẍ + k x = −F sign(ẋ − v_b) while it slips, |k x| ≤ F_s while it sticks: arcs of circles and lines

Checked in ``validation/analytic/test_nonsmooth_references.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


def on_incline(
    time: np.ndarray, degrees: float, friction: float, speed: float, g: float = 9.81
) -> tuple[np.ndarray, np.ndarray]:
    """Way [m] downhill and speed [m/s] of a block that starts with `speed` downhill (negative: uphill)."""
    time = np.asarray(time, float)
    slope, drag = g * np.sin(np.radians(degrees)), friction * g * np.cos(np.radians(degrees))
    first = slope - drag * np.sign(speed) if speed != 0.0 else max(slope - drag, 0.0)
    stop = -speed / first if speed * first < 0.0 else np.inf
    later = max(slope - drag, 0.0)
    before, after = np.minimum(time, stop), np.maximum(time - stop, 0.0)
    way = speed * before + 0.5 * first * before**2 + 0.5 * later * after**2
    return way, np.where(time < stop, speed + first * time, later * after)


def across_incline(
    time: np.ndarray, degrees: float, friction: float, velocity: tuple[float, float], g: float = 9.81
) -> np.ndarray:
    """Way and velocity (n, 4) downhill and across of a block that slides in any direction but straight uphill; it rests
    once it stopped. Speed s, angle ψ to the slope: ṡ = g sin α cos ψ − μ g cos α, ψ̇ = −g sin α sin ψ/s.
    """
    time = np.asarray(time, float)
    slope, drag = g * np.sin(np.radians(degrees)), friction * g * np.cos(np.radians(degrees))
    start = float(np.hypot(*velocity))

    def rates(_: float, y: np.ndarray) -> list[float]:
        s, psi = y[2], y[3]
        return [
            s * np.cos(psi),
            s * np.sin(psi),
            slope * np.cos(psi) - drag,
            -slope * np.sin(psi) / max(s, 1e-9 * start),
        ]

    def stops(_: float, y: np.ndarray) -> float:
        return float(y[2] - 1e-8 * start)

    stops.terminal = True  # type: ignore[attr-defined]
    done = solve_ivp(
        rates, (0.0, time[-1]), [0.0, 0.0, start, float(np.arctan2(velocity[1], velocity[0]))], method="DOP853",
        events=stops, rtol=1e-11, atol=1e-12, dense_output=True,
    )  # fmt: skip
    x, y, speed, psi = done.sol(np.minimum(time, done.t[-1]))
    speed = np.where(time > done.t[-1], 0.0, speed)
    return np.stack([x, y, speed * np.cos(psi), speed * np.sin(psi)], axis=1)


@dataclass(frozen=True)
class Belt:
    """A block on a spring and a belt: kg, N/m, N, N, m/s. The belt moves in the direction that stretches the spring."""

    mass: float = 1.0
    stiffness: float = 100.0
    kinetic: float = 4.0
    static: float = 4.0
    speed: float = 0.2

    def solve(self, time: np.ndarray, x: float, v: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions [m] and speeds [m/s] of the block."""
        time = np.asarray(time, float)
        position, rate, now = np.empty(len(time)), np.empty(len(time)), 0.0
        omega = np.sqrt(self.stiffness / self.mass)
        while now <= time[-1]:
            relative = v - self.speed
            pull = self.stiffness * x
            if abs(relative) <= 1e-12 * self.speed and abs(pull) <= self.static * (1.0 + 1e-12):
                lasts = max((self.static - pull) / (self.stiffness * self.speed), 0.0)
                here = (time >= now) & (time <= now + lasts)
                position[here], rate[here] = x + self.speed * (time[here] - now), self.speed
                x, v, now = self.static / self.stiffness, self.speed, now + lasts
                relative, pull = 0.0, np.inf
            drags = (
                1.0 if relative < -1e-12 * self.speed or (abs(relative) <= 1e-12 * self.speed and pull > 0.0) else -1.0
            )
            centre = drags * self.kinetic / self.stiffness
            a, b = x - centre, v / omega
            size, phase = omega * np.hypot(a, b), np.arctan2(a, b)
            lasts = np.inf  # until ẋ = size·cos(ω t + phase) is the speed of the belt again
            if size >= self.speed:
                angle = np.arccos(min(self.speed / size, 1.0))
                turns = (np.array([angle, -angle])[:, None] + 2.0 * np.pi * np.arange(-1, 3)).ravel() - phase
                lasts = float(turns[turns > 1e-7].min() / omega)
            here = (time >= now) & (time <= now + lasts)
            cosine, sine = np.cos(omega * (time[here] - now)), np.sin(omega * (time[here] - now))
            position[here], rate[here] = centre + a * cosine + b * sine, omega * (b * cosine - a * sine)
            if not np.isfinite(lasts):
                break
            cosine, sine = np.cos(omega * lasts), np.sin(omega * lasts)
            x, v, now = centre + a * cosine + b * sine, self.speed, now + lasts
        return position, rate
