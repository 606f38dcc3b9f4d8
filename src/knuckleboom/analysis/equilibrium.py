# SPDX-License-Identifier: BSD-3-Clause
"""kb.equilibrium: where a mechanism with springs, stops, gravity and constant forces comes to rest.

    g(ξ) = Tᵀ(q) f(q) = 0,   K = −∂g/∂ξ,   (K + μ M̄) d = g          f: applied forces at rest, M̄ = Tᵀ M T

Newton's method in the independent coordinates, from pose to pose with loops closed again. μ M̄ is added until the matrix
is positive definite [Nocedal Wright 2006, §3.4], so that every step goes with the forces, downhill; along it the search
goes on until they no longer push forwards. So the machine settles, and an unstable equilibrium is only found when it
starts there or `nearest` asks for it. Dry friction does not act at rest here: of all poses that it would hold, this is
the one without it. Tested in tests/analysis/test_equilibrium.py, validated by: validation/analytic/test_equilibrium.py
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from knuckleboom.analysis.coordinates import read_coordinates
from knuckleboom.analysis.differences import slope
from knuckleboom.analysis.mechanism import AnalysisError, Basis, Mechanism
from knuckleboom.analysis.state import State
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.plan import assembly

Array = NDArray[np.float64]

ITERATIONS = 300
LARGEST_TURN = 0.5  # rad in one step: springs and gravity turn round within a few of these
FIRST_TRAVEL = 1.0  # m in the first step; doubles whenever a step is as long as allowed
FAR_TURN, FAR_TRAVEL = 20 * 2 * np.pi, 1e5  # rad, m: what has gone this far runs away
DIFFERENCE = 1e-5  # rad or m: step of the differences for K; its error only slows the last steps down
STEP = 1e-3  # rad or m: largest step of the differences for the stability
RESTING = 1e-12  # rad or m: a step this short is rounding
ROUNDING = 1e-14  # of the sizes of the forces that cancel: what is left of them is none
ASIDE = 1e-2  # rad or m: how far it is pushed off an unstable equilibrium that it came to by chance
MARCHES = 40  # most evaluations along one direction
SETTLED = 0.1  # a line search ends when the force along it has fallen to this part
FALLEN = 1e-9  # of the largest force met on the way: what counts as none


def equilibrium(
    machine: Machine,
    *,
    inputs: Mapping[str, Any] | None = None,
    start: State | Mapping[str, Any] | None = None,
    nearest: bool = False,
) -> State:
    """Find where a machine comes to rest, from its start or from other joint coordinates by name.

    `inputs` and drivers are held at their value at time 0. With `nearest` it goes to the equilibrium closest to the
    start, stable or not. Raises AnalysisError, naming what runs away, when there is none.
    """
    mechanism = Mechanism(machine, inputs)
    refuse_oil(mechanism)
    begin_at(mechanism, start)
    return Settling(mechanism, nearest).run()


def refuse_oil(mechanism: Mechanism) -> None:
    """Say why a machine with oil has no static equilibrium of its mechanism alone."""
    ports = [node.port for node in mechanism.planned.layout.nodes if node.source is None]
    if ports:
        shown = ", ".join(f"'{port}'" for port in ports[:4]) + (" and others" if len(ports) > 4 else "")
        rule = f"The oil in {shown} carries load: its pressures are states, which this search does not move yet."
        fix = "Run it until it rests (kb.simulate), or put a spring or a rod in place of each cylinder."
        raise MachineError([Problem(rule, fix=fix)], mechanism.planned.machine.where)


def begin_at(mechanism: Mechanism, start: State | Mapping[str, Any] | None) -> None:
    """Put the start into Work: at rest, drivers held, spools where their inputs want them."""
    planned, state = mechanism.planned, mechanism.work.state
    mechanism.work.rows.target[:, 1:] = 0.0
    if isinstance(start, State):
        state.q[:] = start.snapshot["q"]
    elif start is not None:
        given = read_coordinates(planned, start, "start")
        kept = np.zeros(mechanism.nv, bool)
        for coordinate, value in given.items():
            state.q[coordinate.q], kept[coordinate.v] = value, True
        assembly.close_loops(planned.plan, planned.work, kept, driven=True)
    assembly.close_once(planned.plan, planned.work)
    worst = float(np.max(np.abs(assembly.residual(planned.plan, planned.work)), initial=0.0))
    if worst > assembly.GOOD:
        names = ", ".join(sorted({row.part for row in planned.layout.loops.kept}))
        rule = f"With this start the loops closed by {names} stay open by {worst:.2g}."
        raise MachineError([Problem(rule, fix="Give start values nearer to a closed pose.")], "the start")
    state.v[:] = 0.0
    values = {id(signal): state.u[number] for number, signal in enumerate(planned.layout.inputs)}
    for number, lag in enumerate(planned.layout.lags):
        rests = 0.0 if lag.follows is None else values[id(lag.follows)]
        values[id(lag)] = state.x[planned.layout.nvolume + number] = rests


class Settling:
    """One search: the mechanism, how far it has come, the largest force it has met."""

    def __init__(self, mechanism: Mechanism, nearest: bool) -> None:
        self.mechanism, self.nearest = mechanism, nearest
        self.turning = np.array([coordinate.unit == "rad" for coordinate in mechanism.coordinates], bool)
        self.travelled = np.zeros(mechanism.nv)
        self.travel = FIRST_TRAVEL
        self.largest = 0.0

    def run(self) -> State:
        """Step until the forces are gone."""
        for iteration in range(ITERATIONS):
            basis = self.mechanism.basis()
            q = self.mechanism.work.state.q.copy()
            g, K, mass = self.local(basis, q)
            if not len(g):
                return self.finish(basis, q, iteration)
            d = self.direction(g, K, mass)
            self.largest = max(self.largest, float(np.max(np.abs(g))))
            scale = np.abs(basis.T).T @ self.mechanism.force_scale()
            small = np.max(np.abs(basis.T @ d)) < RESTING or bool(np.all(np.abs(g) <= ROUNDING * scale))
            if small and iteration > 0 and self.leave(basis, q, K, mass):
                continue
            if small or not self.advance(basis, q, g, d):
                # no step makes it better: rest, or a place from which no way leads on
                self.mechanism.work.state.q[:] = q
                if float(np.max(np.abs(g))) > FALLEN * self.largest and not small:
                    break
                return self.finish(basis, q, iteration)
            self.refuse_runaway(basis, d)
        raise AnalysisError(self.no_equilibrium(basis, g))

    def leave(self, basis: Basis, q: Array, K: Array, mass: Array) -> bool:
        """Step off an equilibrium that is not stable, where it pushes away most; False when it is stable."""
        if self.nearest:
            return False
        values, shapes = scipy.linalg.eigh(0.5 * (K + K.T), mass)
        if values[0] > -1e-6 * np.max(np.abs(values)):  # 1e-6: well above the differences' error
            return False
        aside = shapes[:, 0] * ASIDE / float(np.max(np.abs(basis.T @ shapes[:, 0])))
        return self.mechanism.place(basis, q, aside)

    def force(self, basis: Basis) -> Array:
        """g at the pose in Work, which must be closed."""
        f = self.mechanism.forces()
        return self.mechanism.at_same_split(basis).T.T @ f

    def force_at(self, basis: Basis, q: Array, xi: Array) -> Array:
        """g at q ⊕ T ξ, NaN where the loops do not close."""
        if not self.mechanism.place(basis, q, xi):
            return np.full(len(xi), np.nan)
        return self.force(basis)

    def force_along(self, basis: Basis, q: Array, unit: Array, h: float) -> Array:
        """g at a distance h along one coordinate."""
        return self.force_at(basis, q, h * unit)

    def local(self, basis: Basis, q: Array) -> tuple[Array, Array, Array]:
        """g, K and M̄ at a pose."""
        n = basis.T.shape[1]
        K = np.zeros((n, n))
        for j in range(n):
            step = np.zeros(n)
            step[j] = DIFFERENCE
            K[:, j] = (self.force_at(basis, q, -step) - self.force_at(basis, q, step)) / (2.0 * DIFFERENCE)
        g = self.force_at(basis, q, np.zeros(n))
        mass = basis.T.T @ self.mechanism.mass_matrix() @ basis.T
        if not np.isfinite(K).all():
            raise AnalysisError("The mechanism is at the end of its reach: its loops cannot move both ways from here.")
        return g, K, mass

    def direction(self, g: Array, K: Array, mass: Array) -> Array:
        """Newton's step; unless `nearest`, on a matrix made positive definite along the masses."""
        scale = float(np.max(np.abs(K), initial=0.0)) or 1.0
        if self.nearest:
            return np.asarray(np.linalg.lstsq(K, g, rcond=1e-12)[0])  # 1e-12: directions without stiffness stay
        lowest = float(scipy.linalg.eigh(0.5 * (K + K.T), mass, eigvals_only=True)[0])
        floor = 1e-9 * scale / float(np.max(np.abs(np.diag(mass))))  # far below any spring that matters
        shift = 0.0 if lowest > floor else 2.0 * max(-lowest, floor)
        return np.asarray(np.linalg.solve(K + shift * mass, g))

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
            left = float(np.abs(g).max())
            what = f"'{ran.path}' runs away, pushed by {left:.3g} {pushed.effort_unit} that nothing balances"
            fix = f"Hold it with a spring or a stop, or fix joint '{ran.joint}'."
        else:
            what = f"after {ITERATIONS} steps {np.abs(g).max():.3g} {pushed.effort_unit} are left in '{pushed.path}'"
            fix = "Begin nearer to it: start={joint: value}."
        return f"machine '{name}' has no static equilibrium that could be found: {what}.\n   {fix}"

    def finish(self, basis: Basis, q: Array, iterations: int) -> State:
        """Stability and everything by name at the pose found."""
        mechanism = self.mechanism
        planned, n = mechanism.planned, basis.T.shape[1]
        K, error = np.zeros((n, n)), np.zeros((n, n))
        for j, unit in enumerate(np.eye(n)):
            force = functools.partial(self.force_along, basis, q, unit)
            K[:, j], error[:, j] = slope(force, STEP, np.zeros(n, np.intp))
        K *= -1.0
        g = self.force_at(basis, q, np.zeros(n))
        f, M, J = mechanism.forces(), mechanism.mass_matrix(), mechanism.jacobian()
        multipliers = np.linalg.lstsq(J.T, f, rcond=None)[0] if mechanism.nloop else np.zeros(0)
        line = mechanism.line()
        stability, stiffness, softest = "stable", float("inf"), ""
        if n:
            stability, stiffness, shape = classify(K, basis.T.T @ M @ basis.T, error)
            moving = np.sqrt(np.abs(np.diag(M))) * np.abs(basis.T @ shape)
            softest = mechanism.coordinates[int(np.argmax(moving))].joint
        owners: dict[str, list[float]] = {}
        for row, value in zip(planned.layout.loops.kept, multipliers, strict=True):
            owners.setdefault(row.part, []).append(float(value))
        known = mechanism.coordinates
        return State(
            machine=planned.machine.name,
            names=planned.names,
            line=line,
            snapshot=planned.snapshot(),
            coordinates={c.path: float(mechanism.work.state.q[c.q]) for c in known if c.q >= 0},
            coordinate_units={c.path: c.unit for c in known if c.q >= 0},
            residual={known[i].path: float(value) for i, value in zip(basis.independent, g, strict=True)},
            multipliers={part: np.array(values) for part, values in owners.items()},
            stability=stability,
            stiffness=stiffness,
            softest=softest,
            iterations=iterations,
        )


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
