# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank whose slider has clearance in its guide: four corners that strike two walls. [Flores 2010]

Crank θ₁ and rod θ₂ against the line of the guide, slider θ₃, pinned at the rod's end, length 2a, height 2b, between
walls at ±(b + c). Sizes, masses and start are those of table 1 there, as the example `SliderCrank` of Siconos has them:
150 rad/s of the crank, −75 rad/s of the rod, restitution 0.4 at the corners, friction 0.01.

Two routes. ``by_events`` integrates with SciPy from impact to impact and solves each impact by trying all modes of its
corners, w⁺ = −e w⁻ of those with an impulse, tangents within the friction of their impulse: exact, up to where impacts
accumulate. ``by_steps`` are plain steps of Moreau's midpoint scheme with the same impact law: first order, no limit.
Checked in ``validation/analytic/test_nonsmooth_references.py``.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

START = (np.zeros(3), np.array([150.0, -75.0, 0.0]))
"""Angles [rad] and rates [rad/s]."""


@dataclass(frozen=True)
class ClearanceCrank:
    """Lengths of crank and rod, half-length and half-height of the slider, clearance [m]; masses [kg], inertias about
    the centres [kg m²]; restitution, friction.
    """

    crank: float = 0.153
    rod: float = 0.306
    a: float = 0.05
    b: float = 0.025
    clearance: float = 0.001
    masses: tuple[float, float, float] = (0.038, 0.038, 0.076)
    inertias: tuple[float, float, float] = (7.4e-5, 5.9e-4, 2.7e-6)
    restitution: float = 0.4
    friction: float = 0.01
    g: float = 9.81

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """M of (θ₁, θ₂, θ₃)."""
        (m1, m2, m3), (j1, j2, j3) = self.masses, self.inertias
        cross = (0.5 * m2 + m3) * self.crank * self.rod * np.cos(q[0] - q[1])
        first = j1 + (0.25 * m1 + m2 + m3) * self.crank**2
        second = j2 + (0.25 * m2 + m3) * self.rod**2
        return np.array([[first, cross, 0.0], [cross, second, 0.0], [0.0, 0.0, j3]])

    def forces(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Gravity and what goes with the squares of the rates."""
        m1, m2, m3 = self.masses
        swing = (0.5 * m2 + m3) * self.crank * self.rod * np.sin(q[0] - q[1])
        return np.array(
            [
                -swing * v[1] ** 2 - (0.5 * m1 + m2 + m3) * self.g * self.crank * np.cos(q[0]),
                swing * v[0] ** 2 - (0.5 * m2 + m3) * self.g * self.rod * np.cos(q[1]),
                0.0,
            ]
        )

    def energy(self, q: np.ndarray, v: np.ndarray) -> float:
        """Kinetic and potential energy [J]."""
        m1, m2, m3 = self.masses
        height = (0.5 * m1 + m2 + m3) * self.crank * np.sin(q[0]) + (0.5 * m2 + m3) * self.rod * np.sin(q[1])
        return float(0.5 * v @ self.mass_matrix(q) @ v + self.g * height)

    def corners(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gaps [m] of the corners (back and front at the upper wall, then at the lower one), and the rows (4, 3) of
        their rates and of their speeds along the guide.
        """
        gaps, normals, tangents = np.empty(4), np.empty((4, 3)), np.empty((4, 3))
        s, c = np.sin(q), np.cos(q)
        for k, (upper, front) in enumerate(itertools.product((1.0, -1.0), (-1.0, 1.0))):
            x, y = front * self.a, upper * self.b  # in the slider's axes
            height = self.crank * s[0] + self.rod * s[1] + x * s[2] + y * c[2]
            gaps[k] = self.b + self.clearance - upper * height
            normals[k] = [-upper * self.crank * c[0], -upper * self.rod * c[1], -upper * (x * c[2] - y * s[2])]
            tangents[k] = [-self.crank * s[0], -self.rod * s[1], -x * s[2] - y * c[2]]
        return gaps, normals, tangents

    def slider(self, q: np.ndarray) -> np.ndarray:
        """Place (2,) [m] of the slider's pin."""
        return np.array(
            [
                self.crank * np.cos(q[0]) + self.rod * np.cos(q[1]),
                self.crank * np.sin(q[0]) + self.rod * np.sin(q[1]),
            ]
        )

    def impulses(self, q: np.ndarray, before: np.ndarray, free: np.ndarray, closed: np.ndarray) -> np.ndarray:
        """Rates after the impulses at the closed corners, with `before` those before and `free` those without impulses.

        Of all choices of modes (none, sticks, slips either way) the first that fulfils the law.
        """
        _, normals, tangents = self.corners(q)
        inverse, mu = np.linalg.inv(self.mass_matrix(q)), self.friction
        ways = ("open", "stick", "-", "+") if mu > 0.0 else ("open", "+")
        for modes in itertools.product(ways, repeat=len(closed)):
            columns, rows, wanted = [], [], []
            for k, mode in zip(closed, modes, strict=True):
                if mode == "open":
                    continue
                rows.append(normals[k])
                wanted.append(-self.restitution * normals[k] @ before)
                slip = {"stick": 0.0, "-": -mu, "+": mu}[mode]
                columns.append(normals[k] + slip * tangents[k])
                if mode == "stick":
                    rows.append(tangents[k])
                    wanted.append(0.0)
                    columns.append(tangents[k])
            after, P = free, np.zeros(0)
            if rows:
                W, A = np.array(columns).T, np.array(rows)
                P = np.linalg.lstsq(A @ inverse @ W, np.array(wanted) - A @ free, rcond=1e-12)[0]
                after = free + inverse @ W @ P
                if np.abs(A @ after - wanted).max() > 1e-9 * np.abs(free).max():
                    continue
            if self.allowed(closed, modes, P, normals, tangents, before, after):
                return np.asarray(after)
        raise ArithmeticError(f"no modes fulfil the law at q = {q}, v = {before}")

    def allowed(self, closed, modes, P, normals, tangents, before, after) -> bool:  # type: ignore[no-untyped-def]
        """Do these impulses and rates fulfil unilateral contact and Coulomb's law?"""
        small, place = 1e-9, 0
        for k, mode in zip(closed, modes, strict=True):
            normal = normals[k] @ after + self.restitution * normals[k] @ before
            along = tangents[k] @ after
            if mode == "open":
                if normal < -small:
                    return False
                continue
            if P[place] < -small * self.masses[0]:
                return False
            if mode == "stick":
                place += 1
                if abs(P[place]) > self.friction * P[place - 1] + small * self.masses[0]:
                    return False
            elif self.friction > 0.0 and along * (1.0 if mode == "+" else -1.0) > small:
                return False
            place += 1
        return True

    def by_steps(self, end: float, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times, angles (n, 3) and rates (n, 3) by steps of h: contact where the gap at half the step is closed."""
        q, v = (part.copy() for part in START)
        count = round(end / h)
        angles, rates = np.empty((count + 1, 3)), np.empty((count + 1, 3))
        angles[0], rates[0] = q, v
        for n in range(count):
            half = q + 0.5 * h * v
            free = v + h * np.linalg.solve(self.mass_matrix(half), self.forces(half, v))
            closed = np.flatnonzero(self.corners(half)[0] <= 0.0)
            after = self.impulses(half, v, free, closed) if len(closed) else free
            q, v = half + 0.5 * h * after, after
            angles[n + 1], rates[n + 1] = q, v
        return h * np.arange(count + 1), angles, rates

    def by_events(self, time: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
        """Angles and rates (n, 6) at the times and the times of at most so many impacts; NaN after the last, or where
        they follow each other within 1e-9 s.
        """
        time = np.asarray(time, float)
        y, now, impacts = np.concatenate(START), 0.0, []
        result = np.full((len(time), 6), np.nan)

        def rates(_: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[3:], np.linalg.solve(self.mass_matrix(y[:3]), self.forces(y[:3], y[3:]))])

        def closes(k: int):  # type: ignore[no-untyped-def]
            def gap(_: float, y: np.ndarray) -> float:
                return float(self.corners(y[:3])[0][k])

            gap.terminal, gap.direction = True, -1.0  # type: ignore[attr-defined]
            return gap

        for _ in range(most + 1):
            done = solve_ivp(
                rates, (now, time[-1]), y, method="DOP853", events=[closes(k) for k in range(4)], rtol=1e-11,
                atol=1e-13, dense_output=True,
            )  # fmt: skip
            inside = (time >= now) & (time <= done.t[-1])
            if inside.any():
                result[inside] = done.sol(time[inside]).T
            y, now = done.y[:, -1], float(done.t[-1])
            if done.status != 1 or (impacts and now - impacts[-1] < 1e-9):
                break
            impacts.append(now)
            closed = np.flatnonzero(self.corners(y[:3])[0] < 1e-9)
            y = np.concatenate([y[:3], self.impulses(y[:3], y[3:], y[3:], closed)])
        return result, np.array(impacts)
