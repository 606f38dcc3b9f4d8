# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod as published: five natural coordinates and two pressures in one index-3 step   [Naya 2011, eqs 27-38].

    q = (x₁, y₁, x₂, y₂, s),  p = (p₁, p₂)                                                 [Naya 2011, eq. 27]

Point 1 is the rod's middle, point 2 its end with the tip mass, s the cylinder's length; M has entries for point 2 only
(eq. 33). `run(PUBLISHED)` takes steps of 10 ms with α = 1e10, |Φ| ≤ 1e-7 and one pass of the projections, and
carries rates of pressures over the spool's jumps, which lets the motion come half a step late. A `Rod` with its spool
held at one value has no jumps, and what is left is the method's own error, of order 2. The oil's numbers are those of
bench/references/naya_rod.py, which has the same equations in one angle, solved by SciPy. Derived in
docs/theory/natural.md, checked in tests/bench/test_reference_formulations.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knuckleboom.bench.references import naya_rod as one_angle
from knuckleboom.bench.references.natural import Index3, Loads, Oil, Point, Quadratic
from knuckleboom.bench.references.small_machine import Array

A_PIN, B_PIN = np.zeros(2), np.array([np.sqrt(0.75), 0.0])  # m
X1, Y1, X2, Y2, S = range(5)
PUBLISHED = Index3(step=0.01, alpha=1e10, constraint=1e-7, change=np.inf, pressure=np.inf)
"""[Naya 2011, §5]: Newton is asked for |Φ| ≤ 1e-7 only, which takes one iteration but for the steps after jumps."""


def rod_rows() -> Quadratic:
    """Eq. 35: |A1| = L/2, A2 = 2 A1 (two rows), |B1| = s; A is the origin."""
    H, g, c = np.zeros((4, 5, 5)), np.zeros((4, 5)), np.zeros(4)
    H[0, X1, X1] = H[0, Y1, Y1] = 2.0
    c[0] = -((0.5 * one_angle.LENGTH) ** 2)
    g[1, [X2, X1]] = 1.0, -2.0
    g[2, [Y2, Y1]] = 1.0, -2.0
    H[3, X1, X1] = H[3, Y1, Y1] = 2.0
    H[3, S, S] = -2.0
    g[3, [X1, Y1]] = -2.0 * B_PIN
    c[3] = B_PIN @ B_PIN
    return Quadratic(H, g, c)


def spool(t: float) -> float:
    """κ(t), eq. 38: jumps belong to the time before them. A billionth of a second keeps k·Δt on its side."""
    change = next(change for begin, end, change in one_angle.JUMPS if t <= end + 1e-9)
    return one_angle.equilibrium()[2] + change


class Rod:
    """Eqs 28-37; `kappa` [1] holds the spool at one value, None moves it as in eq. 38."""

    rows = rod_rows()

    def __init__(self, kappa: float | None = None) -> None:
        self.kappa = kappa
        moving = one_angle.TIP_MASS + one_angle.ROD_MASS / 3.0
        self.mass = np.diag([0.0, 0.0, moving, moving, 0.0])  # eq. 33

    def loads(self, t: float, q: Array, v: Array, p: Array) -> Loads:
        """Q of eq. 34, C(5, 5) = c, ∂Q/∂p of eq. 36."""
        m, M, g = one_angle.ROD_MASS, one_angle.TIP_MASS, one_angle.G
        Q = np.array([0.0, -m * g, 0.0, -M * g, (p[1] - p[0]) * one_angle.PISTON - one_angle.VISCOUS * v[S]])
        C, Q_p = np.zeros((5, 5)), np.zeros((5, 2))
        C[S, S] = one_angle.VISCOUS
        Q_p[S] = -one_angle.PISTON, one_angle.PISTON
        return Loads(Q, np.zeros((5, 5)), C, Q_p)

    def oil(self, t: float, q: Array, v: Array, p: Array) -> Oil:
        """h of eq. 29 with the slopes of eqs 36 and 37, which leave out how β changes with p."""
        kappa = spool(t) if self.kappa is None else self.kappa
        area, cd, rho = one_angle.PISTON, one_angle.CD, one_angle.DENSITY
        a_in, a_out = one_angle.VALVE_AREA * kappa, one_angle.VALVE_AREA * (1.0 - kappa)  # eq. 31
        from_pump, to_tank = np.array([a_in, a_out]), np.array([a_out, a_in])
        travel = q[S] - one_angle.S0
        l = 0.5 * one_angle.STROKE + np.array([-travel, travel])  # noqa: E741 - the paper's letter, eq. 30
        beta = (1.0 + one_angle.OIL_A * p + one_angle.OIL_B * p**2) / (one_angle.OIL_A + 2.0 * one_angle.OIL_B * p)
        over, under = np.maximum(one_angle.PUMP - p, 0.0), np.maximum(p - one_angle.TANK, 0.0)  # δ_P, δ_T
        flow = cd * np.sqrt(2.0 / rho) * (from_pump * np.sqrt(over) - to_tank * np.sqrt(under))
        h = beta / (area * l) * (area * v[S] * np.array([1.0, -1.0]) + flow)

        h_q, h_v = np.zeros((2, 5)), np.zeros((2, 5))
        h_q[:, S] = np.array([1.0, -1.0]) * h / l
        h_v[:, S] = np.array([1.0, -1.0]) * beta / l
        inverse = [np.divide(1.0, np.sqrt(drop), out=np.zeros(2), where=drop > 0.0) for drop in (over, under)]
        D_E = (from_pump * inverse[0] + to_tank * inverse[1]) / l
        return Oil(h, h_q, h_v, np.diag(-beta * cd / (area * np.sqrt(2.0 * rho)) * D_E))


class Histories(NamedTuple):
    """After each step: time [s], length [m], two pressures [Pa], norms of Φ, Φ̇ and Φ̈; iterations of each step."""

    time: Array
    s: Array
    p: Array
    norms: Array
    iterations: Array


def start(method: Index3, system: Rod) -> Point:
    """Equilibrium at 30°, eq. 32."""
    p1, p2, _ = one_angle.equilibrium()
    end = one_angle.LENGTH * np.array([np.sqrt(0.75), 0.5])
    q = np.concatenate([0.5 * end, end, [one_angle.S0]])
    return method.start(system, q, np.zeros(5), np.array([p1, p2]))


def run(method: Index3) -> Histories:
    """The 10 s of section 4."""
    system = Rod()
    return histories(method.run(system, start(method, system), round(one_angle.JUMPS[-1][1] / method.step)))


def histories(points: list[Point]) -> Histories:
    """Of a run of the rod."""
    rows = Rod.rows
    norms = [
        [
            np.linalg.norm(part)
            for part in (rows.value(x.q), rows.slope(x.q) @ x.v, rows.slope(x.q) @ x.a + rows.bias(x.v))
        ]
        for x in points
    ]
    return Histories(
        np.array([x.t for x in points]),
        np.array([x.q[S] for x in points]),
        np.array([x.p for x in points]),
        np.array(norms),
        np.array([x.iterations for x in points[1:]]),
    )
