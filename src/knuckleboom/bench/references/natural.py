# SPDX-License-Identifier: BSD-3-Clause
"""Natural coordinates: a point and three unit vectors per body, a constant mass matrix, quadratic constraints.

    q = (r, u, v, w) per body, 12 numbers; a point is r + x u + y v + z w  [Jalon and Bayo 1994, ch. 2, 4]
    M = P ⊗ 1₃ per body, P = ∫ (1, x)(1, x)ᵀ dm;   Φ_k = ½ qᵀH_k q + g_kᵀ q + c_k         [Naya 2011, §2]

Per body six rows hold u, v, w at unit length and right angles; rows of joints are scalar products of what is linear in
q. So Φ_q = H q + g, and no inertia forces depend on velocity. `lagrange` gives accelerations and reactions as
bench/references/reference_point.py does; `Index3` makes steps with any `System`: a machine, or the rod with oil of
bench/references/natural_rod.py. Points and vectors that joints let bodies share are not shared here: every body keeps
its twelve. Derived in docs/theory/natural.md, checked in tests/bench/test_reference_formulations.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple, Protocol

import numpy as np

from knuckleboom.bench.references.reference_point import saddle
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

# --- constraints ------------------------------------------------------------------------------------------------------


class Quadratic(NamedTuple):
    """Φ = ½ qᵀH q + g q + c, row by row."""

    H: Array
    g: Array
    c: Array

    def value(self, q: Array) -> Array:
        """Φ."""
        return np.asarray((0.5 * (self.H @ q) + self.g) @ q + self.c)

    def slope(self, q: Array) -> Array:
        """Φ_q = H q + g."""
        return np.asarray(self.H @ q + self.g)

    def bias(self, v: Array) -> Array:
        """Φ̇_q q̇ = q̇ᵀH q̇."""
        return np.asarray(self.H @ v @ v)


class Linear(NamedTuple):
    """A point or vector that is linear in q: B q + c."""

    B: Array
    c: Array

    def __sub__(self, other: Linear) -> Linear:
        return Linear(self.B - other.B, self.c - other.c)

    def rows(self) -> Quadratic:
        """Its three components as rows."""
        n = self.B.shape[1]
        return Quadratic(np.zeros((3, n, n)), self.B, self.c)

    def dot(self, other: Linear, less: float = 0.0) -> Quadratic:
        """The scalar product less a number, as a row."""
        H = self.B.T @ other.B
        g = self.c @ other.B + other.c @ self.B
        return Quadratic((H + H.T)[None], g[None], np.array([self.c @ other.c - less]))


def carried(nbody: int, body: int, inner: Array, is_point: bool) -> Linear:
    """A point or vector of a body."""
    B = np.zeros((3, 12 * nbody))
    if body == GROUND:
        return Linear(B, inner)
    B[:, 12 * body : 12 * body + 12] = np.kron(np.concatenate([[float(is_point)], inner]), np.eye(3))
    return Linear(B, np.zeros(3))


def body_rows(nbody: int, body: int) -> Iterator[Quadratic]:
    """½ (u·u − 1), u·v, …: six rows."""
    axes = [carried(nbody, body, unit, False) for unit in np.eye(3)]
    for i, k in combinations_with_replacement(range(3), 2):
        row = axes[i].dot(axes[k], float(i == k))
        yield Quadratic(*(0.5 * part for part in row)) if i == k else row


def joint_rows(nbody: int, joint: Joint) -> Iterator[Quadratic]:
    """Rows of a joint, in the order of ROWS."""

    def axis(body: int, frame: Frame, letter: str) -> Linear:
        return carried(nbody, body, frame.axes[:, "xyz".index(letter)], False)

    gap = carried(nbody, joint.b, joint.M.point, True) - carried(nbody, joint.a, joint.F.point, True)
    for row in ROWS[joint.kind]:
        if row == "meet":
            yield gap.rows()
        elif len(row) == 1:
            yield axis(joint.a, joint.F, row).dot(gap)
        else:
            yield axis(joint.a, joint.F, row[0]).dot(axis(joint.b, joint.M, row[1]))


def constraints(machine: Machine) -> Quadratic:
    """Rows of all joints in the order of the machine, then six per body."""
    n = len(machine.bodies)
    rows = [row for joint in machine.joints for row in joint_rows(n, joint)]
    rows += [row for body in range(n) for row in body_rows(n, body)]
    return Quadratic(*(np.concatenate(part) for part in zip(*rows, strict=True)))


# --- bodies -----------------------------------------------------------------------------------------------------------


def mass_matrix(machine: Machine) -> Array:
    """Constant M: per body P ⊗ 1₃, with ∫ x xᵀ dm = ½ tr(J_O) 1 − J_O."""
    M = np.zeros((12 * len(machine.bodies),) * 2)
    for k, body in enumerate(machine.bodies):
        J, first = body.inertia_at_origin, body.mass * body.centre
        P = np.empty((4, 4))
        P[0, 0], P[0, 1:], P[1:, 0] = body.mass, first, first
        P[1:, 1:] = 0.5 * np.trace(J) * np.eye(3) - J
        M[12 * k : 12 * k + 12, 12 * k : 12 * k + 12] = np.kron(P, np.eye(3))
    return M


def weight(machine: Machine) -> Array:
    """Constant generalised force of gravity: m g on r, m c_x g on u, …"""
    return np.concatenate([
        np.kron(body.mass * np.concatenate([[1.0], body.centre]), machine.gravity) for body in machine.bodies
    ])  # fmt: skip


def applied(nbody: int, wrenches: Array | None) -> tuple[Array, Array]:
    """Generalised force B q + f of wrenches [n; f] about the origins: f on r, ½ n × u on u, …, and B and f."""
    B, constant = np.zeros((12 * nbody, 12 * nbody)), np.zeros(12 * nbody)
    if wrenches is not None:
        for k, wrench in enumerate(wrenches):
            constant[12 * k : 12 * k + 3] = wrench[3:]
            B[12 * k + 3 : 12 * k + 12, 12 * k + 3 : 12 * k + 12] = 0.5 * np.kron(np.eye(3), skew(wrench[:3]))
    return B, constant


def coordinates(state: State) -> tuple[Array, Array]:
    """q and q̇: columns of R_WB are u, v, w, and u̇ = ω × u."""
    q, rate = [], []
    for p, R, velocity, omega in zip(*state, strict=True):
        q += [p, *R.T]
        rate += [velocity, *np.cross(omega, R.T)]
    return np.concatenate(q), np.concatenate(rate)


def turning(q: Array, rate: Array) -> Array:
    """½ Σ u × u̇ over each body's unit vectors: ω of q̇, and ω̇ of q̈, to which centripetal parts add nothing."""
    axes, rates = q.reshape(-1, 4, 3)[:, 1:], rate.reshape(-1, 4, 3)[:, 1:]
    return np.asarray(0.5 * np.cross(axes, rates).sum(axis=1))


def state_of(q: Array, rate: Array) -> State:
    """Bodies of q and q̇."""
    per_body = q.reshape(-1, 4, 3)
    return State(
        per_body[:, 0].copy(),
        per_body[:, 1:].transpose(0, 2, 1).copy(),
        rate.reshape(-1, 4, 3)[:, 0].copy(),
        turning(q, rate),
    )


def lagrange(machine: Machine, state: State, wrenches: Array | None = None) -> Solution:
    """[M Φ_qᵀ; Φ_q 0] (q̈, λ) = (Q, −Φ̇_q q̇); redundant rows share their force."""
    q, v = coordinates(state)
    rows = constraints(machine)
    B, constant = applied(len(machine.bodies), wrenches)
    Q = weight(machine) + B @ q + constant
    second, multipliers = saddle(mass_matrix(machine), rows.slope(q), Q, -rows.bias(v))
    joints = multipliers[: len(multipliers) - 6 * len(machine.bodies)]
    return Solution(
        second.reshape(-1, 4, 3)[:, 0], turning(q, second), joints, reactions(machine, state, rows.slope(q), joints)
    )


def reactions(machine: Machine, state: State, slope: Array, multipliers: Array) -> Array:
    """[n; f] of every joint from −Φ_qᵀ λ of its rows: f is what acts on r, n = Σ u × what acts on u."""
    found = np.zeros((len(machine.joints), 6))
    for k, (joint, at) in enumerate(zip(machine.joints, machine.slices(), strict=True)):
        push = (-slope[at].T @ multipliers[at]).reshape(-1, 4, 3)
        wrenches = [
            np.zeros(6)
            if body == GROUND
            else np.concatenate([np.cross(state.axes[body].T, push[body, 1:]).sum(axis=0), push[body, 0]])
            for body in (joint.a, joint.b)
        ]
        found[k] = reaction(joint, state, *wrenches)
    return found


# --- index 3 ----------------------------------------------------------------------------------------------------------


class Loads(NamedTuple):
    """Q with K = −∂Q/∂q, C = −∂Q/∂q̇ and ∂Q/∂p, as eqs 13 and 26 want them."""

    Q: Array
    K: Array
    C: Array
    Q_p: Array


class Oil(NamedTuple):
    """ṗ = h and its slopes ∂h/∂q, ∂h/∂q̇, ∂h/∂p."""

    h: Array
    h_q: Array
    h_v: Array
    h_p: Array


class System(Protocol):
    """What an index-3 step has to know."""

    mass: Array
    rows: Quadratic

    def loads(self, t: float, q: Array, v: Array, p: Array) -> Loads:
        """Applied forces."""

    def oil(self, t: float, q: Array, v: Array, p: Array) -> Oil:
        """Rates of pressures."""


class Free:
    """A machine of rigid bodies under gravity and constant wrenches, without oil."""

    def __init__(self, machine: Machine, wrenches: Array | None = None) -> None:
        self.mass, self.rows = mass_matrix(machine), constraints(machine)
        B, constant = applied(len(machine.bodies), wrenches)
        self.B, self.constant = B, constant + weight(machine)

    def loads(self, t: float, q: Array, v: Array, p: Array) -> Loads:
        """Gravity, and moments that turn with no body."""
        return Loads(self.B @ q + self.constant, -self.B, np.zeros_like(self.B), np.zeros((len(q), 0)))

    def oil(self, t: float, q: Array, v: Array, p: Array) -> Oil:
        """None."""
        return Oil(np.zeros(0), np.zeros((0, len(q))), np.zeros((0, len(q))), np.zeros((0, 0)))


@dataclass
class Point:
    """Where a run stands: q, q̇, q̈, p and ṗ at time t [s], and how many iterations the step took.

    `multipliers` are Newton's λ*, of order 1 only; `holding` those that go with the projected q̈, for reactions.
    """

    t: float
    q: Array
    v: Array
    a: Array
    multipliers: Array
    holding: Array
    p: Array
    p_rate: Array
    iterations: int = 0


@dataclass(frozen=True)
class Index3:
    """Index-3 augmented Lagrangian with the trapezoidal rule and projections     [Naya 2011, eqs 5-16, with oil 17-26].

    `alpha` is the penalty, `step` Δt [s]. Newton stops when |Φ| ≤ `constraint` and |Δq| ≤ `change`, and with oil |Δp| ≤
    `pressure` [Pa]. One pass of the projections is as published: what is left of Φ̇ is W/(Δt²α/4) of what was there.
    More passes repeat it with multipliers of its own and the same factors, down to rounding.
    """

    step: float
    alpha: float = 1e10
    constraint: float = 1e-7
    change: float = 1e-9
    pressure: float = 1.0
    passes: int = 1
    most: int = 50

    def start(self, system: System, q: Array, v: Array, p: Array, t: float = 0.0) -> Point:
        """Consistent q̈, λ and ṗ: index 1."""
        loads = system.loads(t, q, v, p)
        second, multipliers = saddle(system.mass, system.rows.slope(q), loads.Q, -system.rows.bias(v))
        return Point(t, q, v, second, multipliers, multipliers, p, system.oil(t, q, v, p).h)

    def advance(self, system: System, at: Point, t: float) -> Point:
        """One step, to time t; rates of pressures and accelerations are carried over, also over jumps."""
        h, rows, M = self.step, system.rows, system.mass
        nq = len(at.q)
        quarter = 0.25 * h * h

        # eqs 8 and 19: what the difference equations carry over
        q_hat = -(2.0 / h * at.q + at.v)
        a_hat = -(4.0 / h**2 * at.q + 4.0 / h * at.v + at.a)
        p_hat = -(2.0 / h * at.p + at.p_rate)

        q, p, multipliers = at.q + h * at.v + 0.5 * h * h * at.a, at.p, at.multipliers
        for iterations in range(1, self.most + 1):  # noqa: B007 - told in the point
            # eqs 7 and 18
            v, a, p_rate = 2.0 / h * q + q_hat, 4.0 / h**2 * q + a_hat, 2.0 / h * p + p_hat
            value, slope = rows.value(q), rows.slope(q)
            loads, oil = system.loads(t, q, v, p), system.oil(t, q, v, p)

            # eqs 25 and 26
            push = slope.T @ (self.alpha * value + multipliers)
            residual = quarter * np.concatenate([M @ a + push - loads.Q, p_rate - oil.h])
            W = M + 0.5 * h * loads.C + quarter * loads.K
            leading = W + quarter * self.alpha * slope.T @ slope
            tangent = np.block([
                [leading, -quarter * loads.Q_p],
                [-0.5 * h * (0.5 * h * oil.h_q + oil.h_v), 0.5 * h * (np.eye(len(p)) - 0.5 * h * oil.h_p)],
            ])  # fmt: skip
            change = np.linalg.solve(tangent, -residual)
            q, p = q + change[:nq], p + change[nq:]

            # eq. 6
            value = rows.value(q)
            multipliers = multipliers + self.alpha * value
            settled = np.linalg.norm(change[:nq]) <= self.change and bool(np.all(np.abs(change[nq:]) <= self.pressure))
            if settled and np.linalg.norm(value) <= self.constraint:
                break
        else:
            raise ArithmeticError(f"Newton has not converged in {self.most} iterations at t = {t:g} s")

        v, a, p_rate = 2.0 / h * q + q_hat, 4.0 / h**2 * q + a_hat, 2.0 / h * p + p_hat
        slope = rows.slope(q)
        v, _ = self.projected(W, slope, v, np.zeros(len(value)))
        a, more = self.projected(W, slope, a, rows.bias(v))
        return Point(t, q, v, a, multipliers, multipliers + more, p, p_rate, iterations)

    def projected(self, W: Array, slope: Array, rate: Array, bias: Array) -> tuple[Array, Array]:
        """Eqs 14 and 15: the rate nearest in W with Φ_q rate + bias = 0, and the multipliers that hold it there.

        A penalty in the first pass; from the second on those multipliers push too.
        """
        weight = 0.25 * self.step**2 * self.alpha
        leading = W + weight * slope.T @ slope
        star, multipliers = rate, np.zeros(len(bias))
        for _ in range(self.passes):
            rate = np.asarray(np.linalg.solve(leading, W @ star - slope.T @ (weight * bias + multipliers)), dtype=float)
            multipliers = multipliers + weight * (slope @ rate + bias)
        return rate, multipliers

    def run(self, system: System, start: Point, steps: int) -> list[Point]:
        """The start and the points after each step; times are start + k·step."""
        points = [start]
        for k in range(1, steps + 1):
            points.append(self.advance(system, points[-1], start.t + k * self.step))
        return points


def motion(machine: Machine, start: State, duration: float, method: Index3) -> list[Point]:
    """Points of a machine's run."""
    system = Free(machine)
    q, v = coordinates(start)
    return method.run(system, method.start(system, q, v, np.zeros(0)), round(duration / method.step))
