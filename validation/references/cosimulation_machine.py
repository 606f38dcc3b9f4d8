# SPDX-License-Identifier: BSD-3-Clause
"""Co-simulation of any small machine, step by step in plain NumPy, to compare trajectories with.

The machine is given as Python functions: mechanics M(q) v̇ = f₀(q, v) + A(q)ᵀ λ with rows s(q), w = A v, and a power
side ẋ = rate(x, s, w, t), λ = force(x, s, w). The scheme is that of ``cosimulation.Scheme``; this is the same as
``cosimulation.macro_step``, written a second time, for what is not linear and for several rows.

One macro step from t to t + H:

    course      w over the macro step for the power side, a function of α = 0 … 1; that of the reduced interface also
                of its force λ (``reduced``) or of ∫λ dt since the exchange (``integrated``)
    micro       x, the power side's own s and ∫λ dt by its integrator, ds/dt = w
    mechanics   v and q with the force that was handed, kept constant
    carry       the displacement that the power side did not see goes into the next course as a constant

The order is ``scheme.order``. What is our own choice, where the papers are silent:

- ``euler`` takes w at the start of a micro step, ``lie`` at its end, the other two where their evaluations are.
- The mean force is ∫λ dt/H by the power side's rule, of the very evaluations that drove the course.
- Where λ depends on w, the reduced course w = w⁰ + αH (a + Y λ(x, s, w)) is solved for w at every evaluation.
- s begins each macro step at the value of the rows; with ``keeps`` where the power side had got to.
- With fewer past values than a course asks for it has the order that there are values for.

Checked in ``validation/analytic/test_cosimulation_machine.py``: against the matrices, and against SciPy as H → 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from references.cosimulation import Scheme, full_step, reduced_terms

Vector = np.ndarray
Loops = Callable[[Vector, float], tuple[np.ndarray, Vector, Vector]]

POINTS = {"hold": 1, "linear": 2, "quadratic": 3}
"""Values of w that a course goes through."""


@dataclass(frozen=True)
class Mechanics:
    """M(q), f₀(q, v), A(q), s(q); q⁺ = q + H v, so that the coordinates are numbers and not quaternions.

    ``bias`` is Ȧ v: given, it is added to a of the reduced course. ``loops(q, H)`` gives A_c, the diagonal of C_c and
    d_c of eq. (1), the latter with Φ/H where positions are to be held; for ``semi-implicit-euler`` only.
    """

    mass: Callable[[Vector], np.ndarray]
    force: Callable[[Vector, Vector], Vector]
    rows: Callable[[Vector], np.ndarray]
    values: Callable[[Vector], Vector]
    bias: Callable[[Vector, Vector], Vector] | None = None
    loops: Loops | None = None

    def held(self, q: Vector, H: float) -> tuple[np.ndarray, Vector, Vector]:
        """A_c, C_c, d_c; empty without loops."""
        if self.loops is None:
            return np.zeros((0, len(q))), np.zeros(0), np.zeros(0)
        return self.loops(q, H)


@dataclass(frozen=True)
class Power:
    """ẋ = rate(x, s, w, t) and λ = force(x, s, w) + friction(s, w).

    With ``pressure-displacement`` only the first part is handed, and the mechanics has the friction, of its own s and
    w at its own times. ``sizes`` are typical values of x, for differences.
    """

    rate: Callable[[Vector, Vector, Vector, float], Vector]
    force: Callable[[Vector, Vector, Vector], Vector]
    friction: Callable[[Vector, Vector], Vector] | None = None
    sizes: float | Vector = 1.0


@dataclass(frozen=True)
class Step:
    """What one macro step leaves to be looked at, beside the state."""

    given: Vector  # the force that was handed to the mechanics in this step
    swept: Vector  # Δs of the mechanics
    moved: Vector  # ½H (w + w⁺) of the mechanics
    seen: Vector  # ∫w dt of the power side
    work: float  # ∫λ·w dt of the power side

    @property
    def residual(self) -> float:
        """Energy that the interface made in this step: λ·Δs of the mechanics less ∫λ·w dt of the power side."""
        return float(self.given @ self.swept) - self.work

    @property
    def kinetic_residual(self) -> float:
        """The same with λ·½H (w + w⁺), by which λ changes the kinetic energy in a step v⁺ = v + H M⁻¹(f₀ + Aᵀλ)."""
        return float(self.given @ self.moved) - self.work


class Cosimulation:
    """A machine, a scheme and where they are; ``step`` makes one macro step."""

    def __init__(
        self, mechanics: Mechanics, power: Power, scheme: Scheme, H: float, q: Vector, v: Vector, x: Vector,
        *, keeps: bool = False,
    ) -> None:  # fmt: skip
        if mechanics.loops is not None and scheme.mechanics != "semi-implicit-euler":
            raise ValueError(f"loops are held at velocity level, which {scheme.mechanics!r} mechanics does not do")
        self.mechanics, self.power, self.scheme, self.H = mechanics, power, scheme, H
        self.t, self.q, self.v, self.x = 0.0, *(np.array(each, float) for each in (q, v, x))
        self.reached, self.keeps = self.s, keeps
        self.past = [self.w]  # w of the exchanges, the present one last
        self.carried = np.zeros_like(self.w)
        self.given = self.handed_force(self.x, self.s, self.w)

    @property
    def s(self) -> Vector:
        return self.mechanics.values(self.q)

    @property
    def w(self) -> Vector:
        return self.mechanics.rows(self.q) @ self.v

    def handed_force(self, x: Vector, s: Vector, w: Vector) -> Vector:
        """λ as it crosses the interface."""
        lam = self.power.force(x, s, w)
        if self.power.friction is not None and self.scheme.interface == "force-displacement":
            lam = lam + self.power.friction(s, w)
        return lam

    def own_force(self, q: Vector, v: Vector) -> Vector:
        """f₀, with the friction of the rows where that is the mechanics' business."""
        f0 = self.mechanics.force(q, v)
        if self.power.friction is not None and self.scheme.interface == "pressure-displacement":
            A = self.mechanics.rows(q)
            f0 = f0 + A.T @ self.power.friction(self.mechanics.values(q), A @ v)
        return f0

    def step(self) -> Step:
        """Advance both sides from t to t + H."""
        scheme, given = self.scheme, self.given
        if scheme.order == "mechanics-first":
            q, v = self.advance_mechanics(given)
            course = self.course((q, v))
            x, seen, work, self.given = self.advance_power(course)
        else:
            x, seen, work, self.given = self.advance_power(self.course(None))
            given = self.given if scheme.order == "power-first" else given
            q, v = self.advance_mechanics(given)

        swept, wanted = self.mechanics.values(q) - self.s, self.wanted(q, v)
        self.reached = self.reached + seen if self.keeps else self.mechanics.values(q)
        self.t, self.q, self.v, self.x = self.t + self.H, q, v, x
        moved = 0.5 * self.H * (self.past[-1] + self.w)
        self.past = [*self.past, self.w][-3:]
        if scheme.balance != "none":
            self.carried = self.carried + wanted - seen
        return Step(given, swept, moved, seen, work)

    def wanted(self, q: Vector, v: Vector) -> Vector:
        """The displacement that the power side should see while the mechanics goes from the present state to q, v."""
        swept = self.mechanics.values(q) - self.s
        if self.scheme.balance == "staggered":
            swept = swept - 0.5 * self.H * (self.mechanics.rows(q) @ v - self.w)
        return swept

    def course(self, after: tuple[Vector, Vector] | None) -> Callable[[float, Vector, Vector, Vector], Vector]:
        """Return w(α, x, s, ∫λ dt) of this macro step; ``after`` is the mechanics' new state where it went first."""
        H, balanced = self.H, self.scheme.balance != "none"
        shift = self.scheme.returns * self.carried / H if balanced else np.zeros_like(self.carried)
        if self.scheme.course in ("reduced", "integrated"):
            M, A = self.mechanics.mass(self.q), self.mechanics.rows(self.q)
            held = self.mechanics.held(self.q, H)
            w0, a, Y = reduced_terms(M, *held, A, self.v, self.own_force(self.q, self.v))
            if self.mechanics.bias is not None:
                a = a + self.mechanics.bias(self.q, self.v)

            if self.scheme.course == "integrated":
                return lambda alpha, x, s, impulse: w0 + shift + alpha * H * a + Y @ impulse

            def reduced(alpha: float, x: Vector, s: Vector, _: Vector) -> Vector:
                def deficit(w: Vector) -> Vector:
                    return w - shift - w0 - alpha * H * (a + Y @ self.handed_force(x, s, w))

                return newton(deficit, w0, np.maximum(np.abs(w0), 1e-3))

            return reduced

        if after is not None and self.scheme.course != "hold":
            known = [*self.past, self.mechanics.rows(after[0]) @ after[1]]
            newest = 1.0
        else:
            known, newest = self.past, 0.0
        known = known[-POINTS[self.scheme.course] :]
        places = [newest - len(known) + 1.0 + i for i in range(len(known))]

        def through(alpha: float) -> Vector:
            """Lagrange's polynomial."""
            total = np.zeros_like(known[0])
            for i, value in enumerate(known):
                others = places[:i] + places[i + 1 :]
                total = total + value * np.prod([(alpha - other) / (places[i] - other) for other in others])
            return total

        if after is not None and balanced:
            mean = (through(0.0) + 4.0 * through(0.5) + through(1.0)) / 6.0
            shift = shift + self.wanted(*after) / H - mean
        return lambda alpha, x, s, impulse: through(alpha) + shift

    def advance_mechanics(self, lam: Vector) -> tuple[Vector, Vector]:
        """q and v at t + H with λ kept constant."""
        H, q, v = self.H, self.q, self.v
        if self.scheme.mechanics == "semi-implicit-euler":
            M, A = self.mechanics.mass(q), self.mechanics.rows(q)
            after, _ = full_step(M, *self.mechanics.held(q, H), A, v, self.own_force(q, v), lam, H)
            return q + H * after, after

        def acceleration(q: Vector, v: Vector) -> Vector:
            return np.linalg.solve(self.mechanics.mass(q), self.own_force(q, v) + self.mechanics.rows(q).T @ lam)

        first = acceleration(q, v)
        after = newton(
            lambda new: new - v - 0.5 * H * (first + acceleration(q + 0.5 * H * (v + new), new)),
            v + H * first,
            np.maximum(np.abs(v), 1e-3),
        )
        return q + 0.5 * H * (v + after), after

    def advance_power(self, course: Callable) -> tuple[Vector, Vector, float, Vector]:
        """x at t + H, ∫w dt, ∫λ·w dt and the force to hand over."""
        H, parts = self.H, np.cumsum([len(self.x), len(self.carried)])
        h = H / self.scheme.micro

        def look(alpha: float, y: Vector) -> tuple[Vector, Vector, Vector, Vector]:
            x, s, impulse = np.split(y, parts)
            w = course(alpha, x, s, impulse)
            return x, s, w, self.handed_force(x, s, w)

        def rates(alpha: float, y: Vector) -> Vector:
            x, s, w, lam = look(alpha, y)
            return np.concatenate([self.power.rate(x, s, w, self.t + alpha * H), w, lam])

        nothing = np.zeros_like(self.carried)
        lengths = np.maximum(np.abs(self.s), 1e-3)
        forces = np.maximum(np.abs(self.given), 1e-3)
        sizes = np.concatenate([np.full(len(self.x), 1.0) * self.power.sizes, lengths, H * forces])
        y, work = np.concatenate([self.x, self.reached, nothing]), 0.0
        for j in range(self.scheme.micro):
            y, evaluations = micro_step(self.scheme, rates, y, j, h, sizes)
            for weight, alpha, there in evaluations:
                _, _, w, lam = look(alpha, there)
                work += weight * h * float(lam @ w)
        x, s, impulse = np.split(y, parts)
        given = look(1.0, y)[3] if self.scheme.handed == "end" else impulse / H
        return x, s - self.reached, work, given


def micro_step(
    scheme: Scheme, rates: Callable, y: Vector, j: int, h: float, sizes: Vector
) -> tuple[Vector, list[tuple[float, float, Vector]]]:
    """Return y after one micro step, and (weight, α, y) of each evaluation of the rule."""
    start, middle, end = j / scheme.micro, (j + 0.5) / scheme.micro, (j + 1.0) / scheme.micro
    if scheme.power == "euler":
        return y + h * rates(start, y), [(1.0, start, y)]
    if scheme.power == "rk4":
        k1 = rates(start, y)
        y2 = y + 0.5 * h * k1
        k2 = rates(middle, y2)
        y3 = y + 0.5 * h * k2
        k3 = rates(middle, y3)
        y4 = y + h * k3
        k4 = rates(end, y4)
        stages = [(1.0 / 6.0, start, y), (1.0 / 3.0, middle, y2), (1.0 / 3.0, middle, y3), (1.0 / 6.0, end, y4)]
        return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), stages
    if scheme.power == "trapezoidal":
        first = rates(start, y)
        new = newton(lambda new: new - y - 0.5 * h * (first + rates(end, new)), y + h * first, sizes)
        return new, [(0.5, start, y), (0.5, end, new)]
    slope = differences(lambda there: rates(end, there), y, sizes)
    new = y + np.linalg.solve(np.eye(len(y)) - h * slope, h * rates(end, y))
    return new, [(1.0, end, new)]


def differences(function: Callable[[Vector], Vector], y: Vector, sizes: Vector) -> np.ndarray:
    """Jacobian by central differences of 6e-6 of each size."""
    columns = []
    for i, size in enumerate(np.maximum(np.abs(y), sizes)):
        step = np.zeros_like(y)
        step[i] = 6e-6 * size
        columns.append((function(y + step) - function(y - step)) / (2.0 * step[i]))
    return np.array(columns).T


def newton(residual: Callable[[Vector], Vector], guess: Vector, sizes: Vector) -> Vector:
    """A root to rounding, by Newton's iteration whose step is halved while the residual grows."""
    y, left = guess, residual(guess)
    for _ in range(60):
        change = np.linalg.solve(differences(residual, y, sizes), -left)
        part = 1.0
        new, after = y + change, residual(y + change)
        while part > 1e-3 and np.linalg.norm(after / sizes) > np.linalg.norm(left / sizes):
            part *= 0.5
            new, after = y + part * change, residual(y + part * change)
        y, left = new, after
        if np.abs(change / np.maximum(np.abs(y), sizes)).max() < 1e-13:
            return y
    raise ArithmeticError(f"no root within 60 iterations, residual {np.abs(left).max():.3g}")
