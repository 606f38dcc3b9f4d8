# SPDX-License-Identifier: BSD-3-Clause
"""Reference-point coordinates as the thesis writes them: position and Euler parameters per body, rows for all joints.

    q = (R, θ_E) per body,  v = (Ṙ in W, ω̄ in B) per body,  ω̄ = Ḡ θ̇_E          [Baharudin 2016, eqs 2.1-2.9]
    M v̇ + Φ_qᵀ λ = Q_e + Q_v,   Φ_q v̇ = γ                                            [Baharudin 2016, eqs 2.16-2.19]
    γ = −(Φ̇_q v + 2ξω Φ̇ + ω² Φ), the last two terms being Baumgarte's                  [Baumgarte 1972]

R is the body's origin and need not be its centre of mass. Φ_q stands for ∂Φ̇/∂v. `lagrange`, `penalty` and `augmented`
are three ways to hold the rows; all bodies' accelerations, multipliers and reactions come back in world axes. Plain
NumPy, dense, for small machines: made to be compared with, not to be fast. `lagrange_in_euler_parameters` has θ̈_E and
eq. 2.5 as the thesis writes them, and must give the same. Slips of the thesis: docs/theory/reference_point.md.
Checked in tests/bench/test_reference_formulations.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from knuckleboom.bench.references.small_machine import (
    GROUND,
    ROWS,
    Array,
    Frame,
    Joint,
    Machine,
    Solution,
    State,
    reaction,
    skew,
)

REDUNDANT = 1e-11
"""Singular values below this part of the largest belong to redundant rows, which then share their force."""


# --- Euler parameters -------------------------------------------------------------------------------------------------


def rotation(theta: Array) -> Array:
    """A(θ_E), [Baharudin 2016, eq. 2.4] with −θ0θ1 in element (2, 3), where the thesis prints a plus."""
    t0, t1, t2, t3 = theta
    return np.array(
        [
            [1 - 2 * t2**2 - 2 * t3**2, 2 * (t1 * t2 - t0 * t3), 2 * (t1 * t3 + t0 * t2)],
            [2 * (t1 * t2 + t0 * t3), 1 - 2 * t1**2 - 2 * t3**2, 2 * (t2 * t3 - t0 * t1)],
            [2 * (t1 * t3 - t0 * t2), 2 * (t2 * t3 + t0 * t1), 1 - 2 * t1**2 - 2 * t2**2],
        ]
    )


def local_g(theta: Array) -> Array:
    """Ḡ(θ_E), [Baharudin 2016, eq. 2.8] with the factor 2 that the thesis leaves out."""
    t0, t1, t2, t3 = theta
    return 2.0 * np.array([[-t1, t0, t3, -t2], [-t2, -t3, t0, t1], [-t3, t2, -t1, t0]])


def euler_parameters(R: Array) -> Array:
    """θ_E of a rotation: eigenvector of the largest eigenvalue of Bar-Itzhack's matrix, without cases or signs.

    θ_Eᵀ K θ_E = tr(RᵀA(θ_E)), which is largest, 3, where A(θ_E) = R.
    """
    K = np.empty((4, 4))
    K[0, 0] = np.trace(R)
    K[0, 1:] = K[1:, 0] = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    K[1:, 1:] = R + R.T - np.trace(R) * np.eye(3)
    return np.asarray(np.linalg.eigh(K)[1][:, -1])


def pack(state: State) -> Array:
    """(R, θ_E) of all bodies, then (Ṙ, ω̄) of all bodies."""
    places = [np.concatenate([p, euler_parameters(R)]) for p, R in zip(state.place, state.axes, strict=True)]
    speeds = [np.concatenate(part) for part in zip(state.velocity, local(state, state.omega), strict=True)]
    return np.concatenate(places + speeds)


def unpack(y: Array, nbody: int) -> State:
    """The bodies' state of packed coordinates; θ_E is taken at unit length, eq. 2.5."""
    q, v = y[: 7 * nbody].reshape(nbody, 7), y[7 * nbody :].reshape(nbody, 6)
    axes = np.array([rotation(theta / np.linalg.norm(theta)) for theta in q[:, 3:]])
    return State(q[:, :3].copy(), axes, v[:, :3].copy(), np.einsum("bij,bj->bi", axes, v[:, 3:]))


def local(state: State, vectors: Array) -> Array:
    """Vectors of the world, one per body, in each body's axes."""
    return np.asarray(np.einsum("bji,bj->bi", state.axes, vectors))


def stacked(state: State) -> Array:
    """v = (Ṙ, ω̄) of all bodies."""
    return np.hstack([state.velocity, local(state, state.omega)]).ravel()


# --- bodies -----------------------------------------------------------------------------------------------------------


def mass_matrix(machine: Machine, state: State) -> Array:
    """M of eq. 2.12 in (R̈, ω̄̇), per body [[m 1, −m A c̃], [m c̃ Aᵀ, J_O]]."""
    M = np.zeros((6 * len(machine.bodies),) * 2)
    for k, body in enumerate(machine.bodies):
        A, i = state.axes[k], 6 * k
        coupling = -body.mass * A @ skew(body.centre)
        M[i : i + 3, i : i + 3] = body.mass * np.eye(3)
        M[i : i + 3, i + 3 : i + 6] = coupling
        M[i + 3 : i + 6, i : i + 3] = coupling.T
        M[i + 3 : i + 6, i + 3 : i + 6] = body.inertia_at_origin
    return M


def forces(machine: Machine, state: State, wrenches: Array | None = None) -> Array:
    """Q_e + Q_v of eqs 2.12 and 2.13: gravity, given wrenches [n; f] about the origins in world axes, inertia.

    Q_v = (−m A ω̃ ω̃ c, −ω̃ J_O ω̄).
    """
    Q = np.zeros((len(machine.bodies), 6))
    given = np.zeros((len(machine.bodies), 6)) if wrenches is None else wrenches
    for k, (body, omega) in enumerate(zip(machine.bodies, local(state, state.omega), strict=True)):
        A, c, w = state.axes[k], body.centre, skew(omega)
        weight = body.mass * machine.gravity
        Q[k, :3] = weight + given[k, 3:] - body.mass * A @ w @ w @ c
        Q[k, 3:] = skew(c) @ A.T @ weight + A.T @ given[k, :3] - w @ body.inertia_at_origin @ omega
    return Q.ravel()


# --- rows -------------------------------------------------------------------------------------------------------------


class Carried(NamedTuple):
    """A point or vector that moves with a body: value and rate in W, and J with rate = J v, and J̇."""

    value: Array
    rate: Array
    slope: Array
    slope_rate: Array

    def __sub__(self, other: Carried) -> Carried:
        return Carried(*(mine - its for mine, its in zip(self, other, strict=True)))

    def dot(self, other: Carried) -> Carried:
        """The scalar product, by the product rule; one row."""
        return Carried(
            np.array([self.value @ other.value]),
            np.array([self.rate @ other.value + self.value @ other.rate]),
            (other.value @ self.slope + self.value @ other.slope)[None],
            (
                other.rate @ self.slope
                + other.value @ self.slope_rate
                + self.rate @ other.slope
                + self.value @ other.slope_rate
            )[None],
        )


def carried(state: State, body: int, inner: Array, is_point: bool) -> Carried:
    """R + A ū for a point, A ū for a vector.

    Eqs 2.1, 2.9 and 2.10: J = [1, −A ũ], J̇ = [0, −A ω̃ ũ]; eq. 2.10 prints the latter with a plus.
    """
    slope, slope_rate = np.zeros((2, 3, 6 * len(state.place)))
    if body == GROUND:
        return Carried(inner, np.zeros(3), slope, slope_rate)
    A, i = state.axes[body], 6 * body
    omega = skew(A.T @ state.omega[body])
    slope[:, i + 3 : i + 6] = -A @ skew(inner)
    slope_rate[:, i + 3 : i + 6] = -A @ omega @ skew(inner)
    value, rate = A @ inner, A @ omega @ inner
    if is_point:
        slope[:, i : i + 3] = np.eye(3)
        value, rate = value + state.place[body], rate + state.velocity[body]
    return Carried(value, rate, slope, slope_rate)


def joint_rows(state: State, joint: Joint) -> Carried:
    """Φ, Φ̇, Φ_q and Φ̇_q of a joint."""

    def point(body: int, frame: Frame) -> Carried:
        return carried(state, body, frame.point, True)

    def axis(body: int, frame: Frame, letter: str) -> Carried:
        return carried(state, body, frame.axes[:, "xyz".index(letter)], False)

    gap = point(joint.b, joint.M) - point(joint.a, joint.F)
    rows = []
    for row in ROWS[joint.kind]:
        if row == "meet":
            rows.append(gap)
        elif len(row) == 1:
            rows.append(axis(joint.a, joint.F, row).dot(gap))
        else:
            rows.append(axis(joint.a, joint.F, row[0]).dot(axis(joint.b, joint.M, row[1])))
    return Carried(*(np.concatenate(part) for part in zip(*rows, strict=True)))


def constraints(machine: Machine, state: State) -> Carried:
    """Φ, Φ̇, Φ_q and Φ̇_q of all joints, eqs 2.15-2.18."""
    nothing = np.zeros((0, 6 * len(machine.bodies)))
    parts = [Carried(np.zeros(0), np.zeros(0), nothing, nothing)] + [joint_rows(state, one) for one in machine.joints]
    return Carried(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def consistent(machine: Machine, state: State) -> State:
    """The same pose with the nearest velocities, in the norm of (Ṙ, ω̄), that no joint resists."""
    rows, v = constraints(machine, state), stacked(state)
    v = (v - np.linalg.pinv(rows.slope, REDUNDANT) @ (rows.slope @ v)).reshape(-1, 6)
    return state._replace(velocity=v[:, :3], omega=np.einsum("bij,bj->bi", state.axes, v[:, 3:]))


# --- accelerations ----------------------------------------------------------------------------------------------------


class Stabilisation(NamedTuple):
    """Baumgarte's damping ratio ξ and frequency ω [rad/s], as in eq. 2.20; zero frequency is none."""

    xi: float = 1.0
    omega: float = 0.0


NONE = Stabilisation()
Method = Callable[[Machine, State, Array | None, Stabilisation], Solution]


def required(rows: Carried, v: Array, held: Stabilisation) -> Array:
    """γ = −(Φ̇_q v + 2ξω Φ̇ + ω² Φ); rows do not depend on time, so Φ_t = 0."""
    return np.asarray(-(rows.slope_rate @ v + 2.0 * held.xi * held.omega * rows.rate + held.omega**2 * rows.value))


def lagrange(machine: Machine, state: State, wrenches: Array | None = None, held: Stabilisation = NONE) -> Solution:
    """[M Φ_qᵀ; Φ_q 0] (v̇, λ) = (Q_e + Q_v, γ), [Baharudin 2016, eq. 2.19]; redundant rows share their force."""
    M, Q, rows = mass_matrix(machine, state), forces(machine, state, wrenches), constraints(machine, state)
    return answer(machine, state, *saddle(M, rows.slope, Q, required(rows, stacked(state), held)))


def saddle(M: Array, slope: Array, Q: Array, gamma: Array) -> tuple[Array, Array]:
    """Accelerations and multipliers of eq. 2.19, of least norm where rows are redundant."""
    m = len(slope)
    K = np.block([[M, slope.T], [slope, np.zeros((m, m))]])
    found = np.linalg.lstsq(K, np.concatenate([Q, gamma]), rcond=REDUNDANT)[0]
    return found[: len(Q)], found[len(Q) :]


def penalty(
    machine: Machine,
    state: State,
    wrenches: Array | None = None,
    held: Stabilisation = NONE,
    alpha: float = 1e9,
) -> Solution:
    """(M + Φ_qᵀ α Φ_q) v̇ = Q_e + Q_v + Φ_qᵀ α γ, [Baharudin 2016, eq. 2.20]; λ = α (Φ_q v̇ − γ)."""
    M, Q, rows = mass_matrix(machine, state), forces(machine, state, wrenches), constraints(machine, state)
    gamma = required(rows, stacked(state), held)
    leading = M + alpha * rows.slope.T @ rows.slope
    rate = np.asarray(np.linalg.solve(leading, Q + alpha * rows.slope.T @ gamma), dtype=float)
    return answer(machine, state, rate, alpha * (rows.slope @ rate - gamma))


def augmented(
    machine: Machine,
    state: State,
    wrenches: Array | None = None,
    held: Stabilisation = NONE,
    alpha: float = 1e5,
    tolerance: float = 1e-12,
    most: int = 100,
) -> Solution:
    """Index-1 augmented Lagrangian [Baharudin 2016, eqs 2.21-2.24; Bayo 1988], from λ₀ = 0 until |Δv̇| ≤ ε (1 + |v̇|).

        (M + Φ_qᵀ α Φ_q) v̇_{k+1} = M v̇_k + Φ_qᵀ α γ,   M v̇_0 = Q_e + Q_v,   λ_{k+1} = λ_k + α (Φ_q v̇_{k+1} − γ)

    The thesis prints the term of eq. 2.23 with a plus and the update of eq. 2.22 with a minus. What is solved is
    the same with Q_e + Q_v − Φ_qᵀ λ_k for M v̇_k and for the change of v̇, so that rounding does not grow with α.
    """
    M, Q, rows = mass_matrix(machine, state), forces(machine, state, wrenches), constraints(machine, state)
    gamma = required(rows, stacked(state), held)
    leading = M + alpha * rows.slope.T @ rows.slope
    rate, multipliers = np.asarray(np.linalg.solve(M, Q), dtype=float), np.zeros(len(gamma))
    for k in range(1, most + 1):
        pull = multipliers + alpha * (rows.slope @ rate - gamma)
        change = np.linalg.solve(leading, Q - M @ rate - rows.slope.T @ pull)
        rate = rate + change
        multipliers = multipliers + alpha * (rows.slope @ rate - gamma)
        if np.linalg.norm(change) <= tolerance * (1.0 + np.linalg.norm(rate)):
            return answer(machine, state, rate, multipliers, k)
    raise ArithmeticError(f"the augmented Lagrangian iteration has not met {tolerance:g} in {most} iterations")


def lagrange_in_euler_parameters(
    machine: Machine, state: State, wrenches: Array | None = None, held: Stabilisation = NONE
) -> Solution:
    """Eq. 2.19 with q̈ = (R̈, θ̈_E) and the rows θ_Eᵀθ_E = 1 of eq. 2.5, as the thesis has it.

    v = L q̇ with L = diag(1, Ḡ) and L̇ q̇ = 0, since the rate of Ḡ times θ̇_E vanishes: M becomes Lᵀ M L, Q becomes
    Lᵀ Q, Φ_q becomes Φ_q L. Lᵀ M L alone is singular along θ_E; eq. 2.5 mends it.
    """
    M, Q, rows = mass_matrix(machine, state), forces(machine, state, wrenches), constraints(machine, state)
    n, v = len(machine.bodies), stacked(state)
    L, unit = np.zeros((6 * n, 7 * n)), np.zeros((n, 7 * n))
    unit_rate = np.zeros(n)
    for k in range(n):
        theta = euler_parameters(state.axes[k])
        L[6 * k : 6 * k + 3, 7 * k : 7 * k + 3] = np.eye(3)
        L[6 * k + 3 : 6 * k + 6, 7 * k + 3 : 7 * k + 7] = local_g(theta)
        unit[k, 7 * k + 3 : 7 * k + 7] = 2.0 * theta
        omega = v[6 * k + 3 : 6 * k + 6]
        unit_rate[k] = -0.5 * omega @ omega  # −2 θ̇_Eᵀ θ̇_E
    gamma = np.concatenate([required(rows, v, held), unit_rate])
    second, multipliers = saddle(L.T @ M @ L, np.vstack([rows.slope @ L, unit]), L.T @ Q, gamma)
    return answer(machine, state, L @ second, multipliers[: len(rows.value)])


def answer(machine: Machine, state: State, rate: Array, multipliers: Array, iterations: int = 0) -> Solution:
    """Accelerations in world axes, and reactions from −Φ_qᵀ λ, joint by joint."""
    per_body = rate.reshape(-1, 6)
    slope = constraints(machine, state).slope
    reactions = np.zeros((len(machine.joints), 6))
    for k, (joint, at) in enumerate(zip(machine.joints, machine.slices(), strict=True)):
        push = (-slope[at].T @ multipliers[at]).reshape(-1, 6)
        wrenches = [
            np.zeros(6) if body == GROUND else np.concatenate([state.axes[body] @ push[body, 3:], push[body, :3]])
            for body in (joint.a, joint.b)
        ]
        reactions[k] = reaction(joint, state, *wrenches)
    angular = np.einsum("bij,bj->bi", state.axes, per_body[:, 3:])  # A ω̄̇ = ω̇, since ω × ω = 0
    return Solution(per_body[:, :3], angular, multipliers, reactions, iterations)


def motion(
    machine: Machine, start: State, times: Array, method: Method = lagrange, held: Stabilisation = NONE
) -> list[State]:
    """States at increasing times from 0, by SciPy's DOP853 at 1e-11; θ̇_E = ¼ Ḡᵀ ω̄."""
    n = len(machine.bodies)

    def rates(_: float, y: Array) -> Array:
        state = unpack(y, n)
        found = method(machine, state, None, held)
        q = y[: 7 * n].reshape(n, 7)
        turning = [
            0.25 * local_g(theta).T @ omega for theta, omega in zip(q[:, 3:], local(state, state.omega), strict=True)
        ]
        place = np.hstack([state.velocity, np.array(turning)])
        return np.concatenate([place.ravel(), np.hstack([found.acceleration, local(state, found.angular)]).ravel()])

    done = solve_ivp(rates, (0.0, float(times[-1])), pack(start), method="DOP853", t_eval=times, rtol=1e-11, atol=1e-12)
    return [unpack(y, n) for y in done.y.T]
