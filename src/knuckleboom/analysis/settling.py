# SPDX-License-Identifier: BSD-3-Clause
"""Where a mechanism settles: springs, stops, gravity and constant forces, with loops closed and held rows standing.

    g(ξ) = Tᵀ(q) f(q) = 0,   K = −∂g/∂ξ,   (K + μ M̄) d = g          f: applied forces at rest, M̄ = Tᵀ M T

Newton's method in the independent coordinates, from pose to pose with loops closed again. μ M̄ is added until the matrix
is positive definite [Nocedal Wright 2006, §3.4], so that every step goes with the forces, downhill; along it the search
goes on until they no longer push forwards. So the machine settles, and an unstable equilibrium is only found when it
starts there or `nearest` asks for it. Friction of contacts and tires holds as springs do (holding.py); what tips over
is refused (tipping.py). Tested in tests/analysis/test_equilibrium.py and test_standing.py, validated by:
validation/analytic/test_equilibrium.py
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from knuckleboom.analysis.differences import slope
from knuckleboom.analysis.holding import Holding
from knuckleboom.analysis.mechanism import AnalysisError, Basis, Mechanism
from knuckleboom.analysis.tipping import Upright, why_it_moves

Array = NDArray[np.float64]

ITERATIONS = 300
LARGEST_TURN = 0.5  # rad in one step: springs and gravity turn round within a few of these
FIRST_TRAVEL = 1.0  # m in the first step; doubles whenever a step is as long as allowed
FAR_TURN, FAR_TRAVEL = 20 * 2 * np.pi, 1e5  # rad, m: what has gone this far runs away
DIFFERENCE = 1e-5  # rad or m: step of the differences for K; its error only slows the last steps down
ON_GROUND = 1e-7  # rad or m: the same where something touches, by less than a tenth of a millimetre where it is hard
STEP = 1e-3  # rad or m: largest step of the differences for the stability
RESTING = 1e-12  # rad or m: a step this short is rounding
ROUNDING = 1e-14  # of the sizes of the forces that cancel: what is left of them is none
ASIDE = 1e-2  # rad or m: how far it is pushed off an unstable equilibrium that it came to by chance
MARCHES = 40  # most evaluations along one direction
SETTLED = 0.1  # a line search ends when the force along it has fallen to this part
FALLEN = 1e-9  # of the largest force met on the way: what counts as none


class Stability(NamedTuple):
    """The word, the smallest eigenvalue of M̄⁻¹K in 1/s² and the joint that moves most along it."""

    word: str
    stiffness: float
    softest: str


class Settled(NamedTuple):
    """A pose at rest, which stands in Work: its basis and how many steps led there."""

    basis: Basis
    q: Array
    iterations: int


class Settling:
    """One search: the mechanism, how far it has come, the largest force it has met."""

    def __init__(self, mechanism: Mechanism, nearest: bool) -> None:
        self.mechanism, self.nearest = mechanism, nearest
        self.turning = np.array([coordinate.unit == "rad" for coordinate in mechanism.coordinates], bool)
        self.travelled = np.zeros(mechanism.nv)
        self.travel = FIRST_TRAVEL
        self.largest = 0.0
        self.holding, self.upright = Holding(mechanism), Upright(mechanism)

    def run(self) -> Settled:
        """Step until the forces are gone."""
        for iteration in range(ITERATIONS):
            basis = self.mechanism.basis()
            q = self.mechanism.work.state.q.copy()
            self.holding.keep()
            self.upright.check(self.holding)
            g, K, mass = self.local(basis, q)
            if not len(g):
                return Settled(basis, q, iteration)
            sizes = self.mechanism.force_scale()
            d = self.direction(basis, g, K, mass, ROUNDING * float(np.max(sizes)))
            self.largest = max(self.largest, float(np.max(np.abs(g))))
            scale = np.abs(basis.T).T @ sizes
            small = np.max(np.abs(basis.T @ d)) < RESTING or bool(np.all(np.abs(g) <= ROUNDING * scale))
            if small and iteration > 0 and self.leave(basis, q, K, mass):
                continue
            if small or not (self.jump(basis, q, g, K, mass) or self.advance(basis, q, g, d)):
                # no step makes it better: rest, or a place from which no way leads on
                self.mechanism.work.state.q[:] = q
                self.holding.restore()
                if float(np.max(np.abs(g))) > FALLEN * self.largest and not small:
                    break
                return Settled(basis, q, iteration)
            self.refuse_runaway(basis, d)
        raise AnalysisError(self.no_equilibrium(basis, g))

    def leave(self, basis: Basis, q: Array, K: Array, mass: Array) -> bool:
        """Step off an equilibrium that is not stable, where it pushes away most; False when it is stable."""
        if self.nearest:
            return False
        values, shapes = scipy.linalg.eigh(0.5 * (K + K.T), mass)
        # 1e-6: well above the differences' error
        if values[0] > -1e-6 * np.max(np.abs(values)) or (self.holding.families and steady(K, mass)):
            return False
        aside = shapes[:, 0] * ASIDE / float(np.max(np.abs(basis.T @ shapes[:, 0])))
        return self.place(basis, q, aside)

    def place(self, basis: Basis, q: Array, xi: Array) -> bool:
        """Put the pose q ⊕ T ξ into Work, with friction bent by the way there; False where the loops do not close."""
        if not self.mechanism.place(basis, q, xi):
            return False
        self.holding.follow(basis.T @ xi)
        return True

    def force(self, basis: Basis) -> Array:
        """g at the pose in Work, which must be closed."""
        f = self.mechanism.forces()
        return self.mechanism.at_same_split(basis).T.T @ f

    def force_at(self, basis: Basis, q: Array, xi: Array) -> Array:
        """g at q ⊕ T ξ, NaN where the loops do not close."""
        if not self.place(basis, q, xi):
            return np.full(len(xi), np.nan)
        return self.force(basis)

    def force_along(self, basis: Basis, q: Array, unit: Array, h: float) -> Array:
        """g at a distance h along one coordinate."""
        return self.force_at(basis, q, h * unit)

    def local(self, basis: Basis, q: Array) -> tuple[Array, Array, Array]:
        """g, K and M̄ at a pose."""
        n, h = basis.T.shape[1], ON_GROUND if self.holding.families else DIFFERENCE
        K = np.zeros((n, n))
        for j in range(n):
            step = np.zeros(n)
            step[j] = h
            K[:, j] = (self.force_at(basis, q, -step) - self.force_at(basis, q, step)) / (2.0 * h)
        g = self.force_at(basis, q, np.zeros(n))
        mass = basis.T.T @ self.mechanism.mass_matrix() @ basis.T
        if not np.isfinite(K).all():
            raise AnalysisError("The mechanism is at the end of its reach: its loops cannot move both ways from here.")
        return g, K, mass

    def direction(self, basis: Basis, g: Array, K: Array, mass: Array, rounding: float) -> Array:
        """Newton's step; unless `nearest`, on a matrix made positive definite along the masses.

        What has no stiffness, a wheel that turns, is not moved by forces that are rounding, and what has little goes no
        further than one step may: the others would carry it on and wind it up.
        """
        scale = float(np.max(np.abs(K), initial=0.0)) or 1.0
        if self.nearest:
            return np.asarray(np.linalg.lstsq(K, g, rcond=1e-12)[0])  # 1e-12: directions without stiffness stay
        values, shapes = scipy.linalg.eigh(0.5 * (K + K.T), mass)
        lowest = float(values[0])
        floor = 1e-9 * scale / float(np.max(np.abs(np.diag(mass))))  # far below any spring that matters
        shift = 0.0 if lowest > floor else 2.0 * max(-lowest, floor)
        push = shapes.T @ g
        idle = (np.abs(values) <= floor) & (np.abs(push) <= rounding * np.abs(shapes).sum(axis=0))
        d = np.linalg.solve(K + shift * mass, g - mass @ (shapes[:, idle] @ push[idle]))
        amounts = shapes.T @ mass @ d
        longest = np.array([self.allowed(basis, one) for one in (shapes * amounts).T])
        return np.asarray(d - shapes @ (amounts * (1.0 - np.minimum(1.0, longest))))

    def allowed(self, basis: Basis, d: Array) -> float:
        """The longest factor of d that stays within the steps allowed."""
        u = np.abs(basis.T @ d)
        limit = np.where(self.turning, LARGEST_TURN, self.travel)
        return float(np.min(limit / np.maximum(u, 1e-300)))

    def advance(self, basis: Basis, q: Array, g: Array, d: Array) -> bool:
        """Go along d until the force no longer pushes forwards; False when no step is better than none."""
        size, most = float(np.linalg.norm(g)), self.allowed(basis, d)
        push, low, high = float(g @ d), 0.0, np.inf
        alpha = min(1.0, most)
        if self.nearest:
            return self.shorten(basis, q, d, alpha, size)
        for _ in range(MARCHES):
            here = self.force_at(basis, q, alpha * d)
            ahead = float(here @ d)
            if abs(ahead) <= SETTLED * abs(push) or (np.linalg.norm(here) < 0.5 * size and alpha == 1.0):
                break
            if ahead > 0.0 and self.holding.families and alpha >= most:
                break  # it may have lifted off: what then pushes has another direction
            if ahead > 0.0:
                low, further = alpha, alpha + most
                alpha = 0.5 * (low + high) if np.isfinite(high) else min(further, 1.0) if alpha < 1.0 else further
            else:  # past the lowest point, or not to be closed
                high = alpha
                alpha = 0.5 * (low + high)
            if high - low < 1e-14 * max(1.0, high):  # rounding
                break
        else:
            if low == 0.0:
                return False
            if np.isfinite(high):
                alpha = low
        if not np.isfinite(self.force_at(basis, q, alpha * d)).all():
            if low == 0.0 or not np.isfinite(self.force_at(basis, q, low * d)).all():
                return False
            alpha = low
        if alpha >= most:
            self.travel *= 2.0
        self.travelled += alpha * (basis.T @ d)
        return bool(np.linalg.norm(alpha * d) > 0.0)

    def jump(self, basis: Basis, q: Array, g: Array, K: Array, mass: Array) -> bool:
        """Newton's step where friction holds on the ground and K is stable, if it halves the forces.

        Friction grows with the load, so that K is not symmetric: what is made positive definite goes in tiny steps.
        """
        if self.nearest or not self.holding.families or not steady(K, mass):
            return False
        d: Array = np.asarray(np.linalg.solve(K, g), np.float64)
        if self.allowed(basis, d) < 1.0 or not np.linalg.norm(self.force_at(basis, q, d)) < 0.5 * np.linalg.norm(g):
            return False
        self.travelled += basis.T @ d
        return True

    def shorten(self, basis: Basis, q: Array, d: Array, alpha: float, size: float) -> bool:
        """Halve the step until the forces have become smaller."""
        for _ in range(MARCHES):
            if np.linalg.norm(self.force_at(basis, q, alpha * d)) < size:
                self.travelled += alpha * (basis.T @ d)
                return True
            alpha *= 0.5
        return False

    def refuse_runaway(self, basis: Basis, d: Array) -> None:
        """Stop when a coordinate has gone farther than any machine reaches."""
        far = np.abs(self.travelled) / np.where(self.turning, FAR_TURN, FAR_TRAVEL)
        if float(np.max(far)) > 1.0:
            raise AnalysisError(self.no_equilibrium(basis, self.force(basis)))

    def no_equilibrium(self, basis: Basis, g: Array) -> str:
        """The sentence that names what runs away."""
        coordinates = self.mechanism.coordinates
        far = np.abs(self.travelled) / np.where(self.turning, FAR_TURN, FAR_TRAVEL)
        ran = coordinates[int(np.argmax(far))]
        pushed = coordinates[basis.independent[int(np.argmax(np.abs(g)))]]
        name = self.mechanism.planned.machine.name
        if np.max(far) > 1.0:
            own = np.abs(g[basis.independent == ran.v])
            left, pushed = (float(own[0]), ran) if len(own) else (float(np.abs(g).max()), pushed)
            what = f"'{ran.path}' runs away, pushed by {left:.3g} {pushed.effort_unit} that nothing balances"
            fix = f"Hold it with a spring or a stop, or fix joint '{ran.joint}'."
        else:
            what = f"after {ITERATIONS} steps {np.abs(g).max():.3g} {pushed.effort_unit} are left in '{pushed.path}'"
            fix = "Begin nearer to it: start={joint: value}."
        moves, remedy = why_it_moves(self.mechanism, self.holding)
        if moves:
            what, fix = f"{moves} ({what})", remedy
        return f"machine '{name}' has no static equilibrium that could be found: {what}.\n   {fix}"

    def stability(self, at: Settled) -> tuple[Stability, Array]:
        """How the pose found answers to a push, and the force left along each independent coordinate."""
        mechanism, basis, q = self.mechanism, at.basis, at.q
        n = basis.T.shape[1]
        K, error = np.zeros((n, n)), np.zeros((n, n))
        for j, unit in enumerate(np.eye(n)):
            force = functools.partial(self.force_along, basis, q, unit)
            K[:, j], error[:, j] = slope(force, STEP, np.zeros(n, np.intp))
        K *= -1.0
        g = self.force_at(basis, q, np.zeros(n))
        if not n:
            return Stability("stable", float("inf"), ""), g
        M = mechanism.mass_matrix()
        word, stiffness, shape = classify(K, basis.T.T @ M @ basis.T, error)
        moving = np.sqrt(np.abs(np.diag(M))) * np.abs(basis.T @ shape)
        return Stability(word, stiffness, mechanism.coordinates[int(np.argmax(moving))].joint), g


def steady(K: Array, mass: Array) -> bool:
    """Whether M̄ ξ̈ + K ξ = 0 has only frequencies: K need not be symmetric."""
    values = scipy.linalg.eigvals(K, mass)
    return bool(np.all(values.real > 1e-9 * np.max(np.abs(values))))  # 1e-9: far below any spring that matters


def classify(K: Array, mass: Array, error: Array) -> tuple[str, float, Array]:
    """Stability of M̄ ξ̈ + K ξ = 0: the word, the smallest eigenvalue of M̄⁻¹K and its direction."""
    values, shapes = scipy.linalg.eig(K, mass)
    lowest, size = int(np.argmin(values.real)), float(np.max(np.abs(values)))
    shape = np.abs(shapes[:, lowest])
    # what the error of K can do to this eigenvalue, and rounding; 1/s², 1e-9 is a period of two days
    weight = float(np.real(shapes[:, lowest].conj() @ mass @ shapes[:, lowest]))
    noise = float(shape @ np.where(np.isfinite(error), error, 0.0) @ shape) / weight
    tolerance = 1e-12 * size + 10.0 * noise + 1e-9
    # forces without potential: a complex pair of squared frequencies grows, too
    turning = int(np.argmax(np.abs(values.imag)))
    flutter = abs(values[turning].imag) > tolerance + 1e-6 * size
    value = float(values[lowest].real)
    if flutter and value >= -tolerance:
        shape = np.abs(shapes[:, turning])
    word = "unstable" if value < -tolerance or flutter else "indifferent" if value <= tolerance else "stable"
    return word, value, shape
