# SPDX-License-Identifier: BSD-3-Clause
"""Oil at rest in a machine that stands: pressures, spools, pump controls, bristles and, where needed, valve inputs.

    ẋ(x, u, w) = 0,     Pᵀ (λ(x, w) − F) = 0         λ: forces of rows with oil, F: what the standing machine needs
    ω̇ = 0                                            of shafts that turn on (running.py)

P spans the speeds that these rows can have, so that cylinders which work against each other share what is left open;
its columns are sorted by groups of rows that depend on each other, and groups that are not `active` count as rigid.
First the oil comes to rest by itself, rows standing and inputs held: implicit Euler steps in a time of its own, longer
and longer [Kelley Keyes 1998]. Then the load is put on: Newton's method with the shortest step (pressures in bar) on
all equations, at once or in parts. It moves the pressures of trapped oil and, next, friction within its static band
[Ylinen 2014], and those inputs of valves that it is given. In which order this is done: resting_search.py.
How and why: docs/decisions/equilibrium.md. Tested in tests/analysis/test_resting_oil.py, validated by:
validation/analytic/test_oil_equilibrium.py
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.holding import ground_states
from knuckleboom.analysis.mechanism import RANK, Basis, Mechanism, null_space
from knuckleboom.analysis.running import Running
from knuckleboom.engine import run
from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.interface.contract import ROW, STATE
from knuckleboom.interface.elements import bristle
from knuckleboom.interface.forces import KINDS
from knuckleboom.layout import OK
from knuckleboom.machine.elements import Branch
from knuckleboom.net import NetSignal

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

BAR, CREEP = 1e5, 1e-3  # Pa, m/s: sizes of pressures and of row speeds
INPUT, BRISTLE = 1e-3, 1e-4  # how readily inputs and bristles move, beside oil: only when they must
DIFFERENCE = 1e-4  # of a pressure's size, 10 Pa: step of the differences; their error only slows the last steps down
FINE = 1e-7  # the same of other states and inputs, which have the size 1, and of creep
BAND = 0.999  # of the breakaway force: what bristles may take
AT_ONCE = 1e-6  # slowness of spools and pump controls in the oil's own time: they follow, else pumps overshoot
MASS = 1e3  # kg: with it rows that creep come to a steady motion
STIFFNESS = 1e9  # Pa: turns rates of strains into those of pressures
MOST_FALL = 0.8  # of a pressure, in one step of the oil's own time
LOWEST = 1e4  # Pa: oil is not taken below a tenth of a bar, and below ambient pressure only if it must
RATE, FORCE = 1e-2, 1e-9  # Pa/s, and part of the load: what counts as rest; iterations go on to rounding
OTHER_RATE = 1e-9  # of the size of other states, per s
NEGLIGIBLE_FLOW = 1e-5 / 60000.0  # m³/s, 1e-5 l/min: rest, too, where iterations get no further. A poppet valve that
# makers call leak-free may pass 25 times as much (5 drops a minute), and a piston of 50 cm² moves 2 µm in a minute
NEGLIGIBLE_FORCE, NEGLIGIBLE_RATE = 1e-6, 1e-6  # of the load, and of the size of other states per s: likewise
RELAXATIONS, NEWTONS = 200, 60  # most steps of each kind
PARTS, ATTEMPTS = 1024, 24  # the smallest part of the load, as 1/this, and how many are tried
FIRST_TIME, LAST_TIME = 1e-3, 1e8  # s: steps of the oil's own time
INVERSIONS = 80  # most steps from a pressure to its strain
PRECISE = 1e-10  # of a change of pressure: how exactly it is made
LONGEST, LONGEST_INPUT = 20.0, 0.1  # bar, and of an input: in one step of the oil's own time or of Newton
ASIDE, OPERATOR = 0.3, 100.0  # of an input, to see what it does; 1/m: 0.1 of an input in a second against 1 mm/s
STILL = 1e-12  # m/s or rad/s: a speed that is rounding
WILD = 2e8  # Pa: a pressure that only rises
UNSOLVED = 0.9  # of the equations, in the weighted norm: a step that leaves more of them leads nowhere
SINGULAR = 1e-10  # of the largest singular value, with every equation scaled to its largest slope


class Bristle(NamedTuple):
    """Bristles: their state, the place of their row among those with oil, σ₀ in N/m, the breakaway force in N."""

    state: int
    place: int
    stiffness: float
    breakaway: float


class Operator(NamedTuple):
    """Inputs that an operator moves, and how fast by the speeds of the rows: u̇ = gains c."""

    inputs: Mask
    gains: Array


class Standing:
    """The oil of a machine in a pose that is kept. X = (x, ω, u, c): states, speeds of shafts that turn on, which count
    as states, inputs, and speeds of the rows, w = P c.
    """

    def __init__(self, mechanism: Mechanism, basis: Basis, given: Collection[str]) -> None:
        self.mechanism, self.basis = mechanism, basis
        self.plan, self.work = mechanism.plan, mechanism.work
        layout = mechanism.planned.layout
        self.layout, self.rows = layout, mechanism.held
        self.nu, self.nvolume = len(self.work.state.u), layout.nvolume
        self.P, self.needed = self.loads()
        self.shafts = Running(mechanism)
        self.first_shaft, self.nx = len(self.work.state.x), len(self.work.state.x) + len(self.shafts.sizes)
        self.groups = dependent_rows(self.P @ self.P.T)
        self.P, self.group_of = sorted_by_group(self.P @ self.P.T, self.groups)
        self.active = np.ones(self.P.shape[1], bool)
        self.size = self.nx + self.nu + self.P.shape[1]
        self.is_state, self.is_input, self.is_creep = (np.zeros(self.size, bool) for _ in range(3))
        self.is_state[: self.nx], self.is_creep[self.nx + self.nu :] = True, True
        metered = {id(signal) for signal in metering_inputs(mechanism)}
        for number, signal in enumerate(layout.inputs):
            self.is_input[self.nx + number] = id(signal) in metered and signal.path not in given
        self.bristles, self.on_ground = self.find_bristles(), ground_states(mechanism)
        self.target = np.zeros(self.P.shape[1])
        self.lowest, self.at_floor = np.full(self.nvolume, LOWEST), np.zeros(self.nvolume, bool)
        self.pinned = np.zeros(self.nvolume, bool)

    def loads(self) -> tuple[Array, Array]:
        """P and the forces F that the rows must give so that nothing else moves, the smallest where they may differ."""
        mechanism = self.mechanism
        f, J, A = mechanism.forces(), mechanism.jacobian(), mechanism.row_jacobian()[self.rows]
        loops = J[: mechanism.nloop]
        lacking = np.linalg.lstsq(np.hstack([loops.T, -A.T]), f, rcond=RANK)[0][mechanism.nloop :]
        # speeds that loops allow, and what they do to the rows
        T = null_space(loops) if len(loops) else np.eye(mechanism.nv)
        U, sizes, _ = np.linalg.svd(A @ T, full_matrices=False)
        P = U[:, sizes > RANK * sizes.max(initial=0.0)]
        return P, np.asarray(self.work.rows.force[self.rows] + lacking)

    def find_bristles(self) -> list[Bristle]:
        """The bristles on rows with oil."""
        tables, found = self.plan.forces, []
        kind = KINDS.index(bristle)
        for i in range(tables.first[kind], tables.first[kind + 1]):
            columns = dict(zip(bristle.ELEMENT.columns, tables.number[i].tolist(), strict=False))
            for place in np.flatnonzero(self.rows == tables.index[i, ROW]).tolist():
                state = int(tables.index[i, STATE])
                found.append(Bristle(state, place, columns["stiffness"], columns["breakaway"]))
        return found

    # the equations

    def start(self) -> Array:
        """X of the state in Work, rows standing."""
        state = self.work.state
        return np.concatenate([state.x, self.shafts.speeds(), state.u, np.zeros(self.P.shape[1])])

    def put(self, X: Array) -> None:
        """Write X into Work."""
        state = self.work.state
        state.x[:], state.u[:] = X[: self.first_shaft], X[self.nx : self.nx + self.nu]
        speeds = self.P @ X[self.is_creep]
        state.v[:] = 0.0
        if speeds.any():
            state.v[:] = self.mechanism.velocities(self.basis, np.zeros(self.basis.T.shape[1]), speeds)
        self.shafts.put(X[self.first_shaft : self.nx])

    def residual(self, X: Array) -> Array:
        """Rates of all states, then force deficits of active groups; NaN where it cannot be evaluated.

        Rates of strains are in Pa/s of oil of 1 GPa: where there is vapour, the pressure itself hardly changes. Pinned
        volumes keep their pressure.
        """
        self.put(X)
        if run.system_once(self.plan, self.work) != OK:
            return np.full(self.nx + self.P.shape[1], np.nan)
        rates = self.work.oil.x_dot.copy()
        rates[: self.nvolume] *= np.where(self.pinned, 0.0, STIFFNESS)
        rates[self.on_ground] = 0.0  # what creeps drags contacts and tires along
        deficit = self.P.T @ (self.work.rows.force[self.rows] - self.needed) - self.target
        return np.concatenate([rates, self.shafts.rates(), np.where(self.active, deficit, 0.0)])

    def sizes(self) -> Array:
        """What is one unit of each unknown, at the state of the last residual."""
        sizes = np.ones(self.size)
        sizes[: self.nvolume] = BAR / self.work.oil.p_slope[: self.nvolume]
        for number, state in enumerate(self.layout.lags):
            sizes[self.nvolume + number] = BAR if state.unit == "Pa" else 1.0
        for one in self.bristles:
            sizes[one.state] = one.breakaway / one.stiffness
        sizes[self.first_shaft : self.nx] = self.shafts.sizes
        sizes[self.is_creep] = CREEP
        return sizes

    def slopes(self, X: Array, columns: Mask, here: Array, sizes: Array) -> Array:
        """Slopes of the residual per unit of the chosen unknowns."""
        J = np.zeros((len(here), int(columns.sum())))
        fine = np.full(self.size, FINE)
        fine[: self.nvolume] = fine[[one.state for one in self.bristles]] = DIFFERENCE
        for place, column in enumerate(np.flatnonzero(columns)):
            moved = X.copy()
            moved[column] += fine[column] * sizes[column]
            J[:, place] = (self.residual(moved) - here) / fine[column]
        return J

    def pressures(self) -> Array:
        """Pressures of the volumes at the state of the last residual, Pa."""
        return np.array(self.work.oil.p[: self.nvolume])

    # the oil by itself

    def relax(self, X: Array, *, moving: bool = False, operator: Operator | None = None) -> tuple[Array, bool]:
        """Let the oil come to rest with inputs held and rows standing, or with rows that come to a steady motion.

        An operator moves inputs against that motion: u̇ = gains c. Return where that led and whether it rests, or is
        steady.
        """
        columns = self.is_state.copy()
        columns[: self.nvolume] &= ~self.pinned
        if moving:
            columns[self.is_creep] = self.active
        slowness, units = np.ones(self.size), np.ones(self.size)
        slowness[self.nvolume : self.nx] = AT_ONCE
        slowness[[one.state for one in self.bristles]] = 1.0
        inputs = np.zeros(self.size, bool) if operator is None else operator.inputs
        columns |= inputs
        units[inputs] = LONGEST_INPUT / LONGEST
        tau, here = FIRST_TIME, self.residual(X)
        calmest, least = X, np.inf
        share, last = np.ones(self.size), np.zeros(self.size)
        for _ in range(RELAXATIONS):
            sizes, p = self.sizes() * units, self.pressures()
            rate = sizes.copy()
            rate[: self.nvolume] *= STIFFNESS
            rate[self.is_creep] *= MASS
            J = self.in_time(self.slopes(X, columns, here, sizes))
            rates = self.in_time(here)
            if operator is not None:
                J[np.ix_(inputs, self.is_creep[columns])] = operator.gains[:, self.active] * CREEP
                rates[inputs] = operator.gains @ X[self.is_creep]
            J, rates = (J / rate[:, None])[columns], (rates / rate)[columns]
            step = np.zeros(self.size)
            step[columns] = np.linalg.solve(np.diag(slowness[columns]) / tau - J, rates)
            longest = float(np.max(np.abs(step), initial=0.0))
            # what turns round takes shorter steps, as where a valve is leapt over to and fro
            share = np.where(step * last < 0.0, 0.5 * share, np.minimum(1.0, 1.5 * share))
            last = step.copy()
            step *= share * min(1.0, LONGEST / max(longest, 1e-300))
            moved = X + step * sizes
            # no pressure falls to nothing in one step
            change = np.maximum(BAR * step[: self.nvolume], -MOST_FALL * p)
            there = self.at_pressures(moved, p + change, np.abs(change))
            if not np.isfinite(there).all():
                tau *= 0.1
                if tau < 1e-12:  # s: no step is short enough
                    return X, False
                self.residual(X)
                continue
            after = (self.in_time(there) / rate)[columns]
            turned = after * rates < -0.25 * rates**2
            X, here = moved, there
            # between volumes that are wide open to each other differences leave noise, in which it wanders
            worst = float(np.max(np.abs(here[: self.nvolume]), initial=0.0))
            if worst < least and self.rests(here, negligible=True) and (self.carries(here) or not moving):
                calmest, least = X.copy(), worst
            if longest < 1e-12 and tau >= LAST_TIME:  # of a bar
                break
            # a rate that changes sides and stays large: the step went too far
            beyond = (
                bool(np.any(turned & (np.abs(after) > 0.1 * np.abs(after).max(initial=0.0)))) and longest > 1e-6
            )  # of a bar
            factor = 0.3 if beyond else np.clip(LONGEST / (2.0 * max(longest, 1e-300)), 0.2, 10.0)
            # nor does time go on where the rates grow by it, as when a valve is leapt over
            grown = float(np.max(np.abs(after), initial=0.0)) / max(float(np.max(np.abs(rates), initial=0.0)), 1e-300)
            if grown > 1.0 and longest > 1e-6:  # of a bar
                factor = min(factor, max(0.03, 1.0 / grown))
            tau = min(LAST_TIME, tau * float(factor))
            if float(np.max(self.pressures(), initial=0.0)) > WILD:
                return X, False
        if np.isfinite(least):
            self.residual(calmest)
            return calmest, True
        return X, False

    def in_time(self, residual: Array) -> Array:
        """Equations in the places of the unknowns that they move in time: rates of states, and forces on the rows."""
        full = np.zeros((self.size, *residual.shape[1:]))
        full[self.is_state], full[self.is_creep] = residual[: self.nx], residual[self.nx :]
        return full

    def operate(self, X: Array, inputs: Mask) -> tuple[Array, bool]:
        """Move inputs as an operator would: against the motion of the rows, until they stand. Return X and whether.

        This finds its way where nothing happens at first, as behind a check valve or through the overlap of a spool.
        """
        gains = np.zeros((self.P.shape[1], int(inputs.sum())))
        for place, column in enumerate(np.flatnonzero(inputs)):
            for side in (1.0, -1.0):
                aside = X.copy()
                aside[column] += side * ASIDE
                found, _ = self.relax(aside)
                gains[:, place] += side * self.residual(found)[self.nx :]
        gains /= np.maximum(np.abs(gains).sum(axis=0), 1e-300)
        found, steady = self.relax(X, moving=True, operator=Operator(inputs, -OPERATOR * gains.T))
        if not steady:
            return X, False
        found[self.is_creep] = 0.0
        return self.newton(found, self.is_state | inputs)

    def rests(self, residual: Array, *, negligible: bool = False) -> bool:
        """Whether no state changes but for rounding, or but for what is negligible."""
        rates, sizes = np.abs(residual[: self.nx]), self.sizes()[self.nvolume : self.nx]
        most, others = np.full(self.nvolume, RATE), OTHER_RATE
        if negligible:
            flows = np.maximum(np.asarray(self.work.oil.room[: self.nvolume]), 1e-12)  # m³
            most, others = np.maximum(most, STIFFNESS * NEGLIGIBLE_FLOW / flows), NEGLIGIBLE_RATE
        return bool(np.all(rates[: self.nvolume] <= most) and np.all(rates[self.nvolume :] <= others * sizes))

    def carries(self, residual: Array, *, negligible: bool = False) -> bool:
        """Whether the rows have the forces that they need."""
        size = float(np.max(np.abs(self.needed), initial=0.0)) + 1.0  # N
        most = (NEGLIGIBLE_FORCE if negligible else FORCE) * size
        return bool(np.all(np.abs(residual[self.nx :]) <= most))

    def creeping_flow(self, X: Array) -> float:
        """The largest flow that the speeds in X displace, m³/s."""
        speeds = dict(zip(self.rows.tolist(), (self.P @ X[self.is_creep]).tolist(), strict=True))
        rows = {id(self.layout.rows[number]): speed for number, speed in speeds.items()}
        flows = [abs(one.area * rows[id(one.row)]) for one in self.layout.chambers if id(one.row) in rows]
        return max(flows, default=0.0)

    # the load

    def carry(self, X: Array, columns: Mask) -> tuple[Array, float]:
        """Put the load on, at once or in parts; return where that led and the part of the load that is carried."""
        self.target[:] = 0.0
        here = self.residual(X)
        whole = here[self.nx :]
        J = self.slopes(X, columns, here, self.sizes()) * self.weights()[columns]
        weight = equalised(J)
        step = np.linalg.lstsq(weight[:, None] * J, -weight * here, rcond=SINGULAR)[0]
        met = np.linalg.norm(weight * (here + J @ step)) <= UNSOLVED * np.linalg.norm(weight * here)
        done, part = 0.0, 1.0 if met else 0.0
        for _ in range(ATTEMPTS):
            if done == 1.0 or part < 1.0 / PARTS:
                break
            self.target = (1.0 - min(1.0, done + part)) * whole
            found, good = self.newton(X, columns)
            if good:
                X, done = found, min(1.0, done + part)
                part *= 2.0
            else:
                part *= 0.5
        self.target = np.zeros_like(whole)
        return X, done

    def newton(self, X: Array, columns: Mask) -> tuple[Array, bool]:
        """Solve all equations with the shortest steps in these unknowns, to rounding."""
        here, best, waited = self.residual(X), np.inf, 0
        found, good, near = X, False, None
        for _ in range(NEWTONS):
            sizes, weights, p = self.sizes(), self.weights(), self.pressures()
            lower, upper = self.bounds(X, p, sizes * weights)
            J = self.slopes(X, columns, here, sizes) * weights[columns]
            weight = equalised(J)
            size = float(np.linalg.norm(weight * here))
            if size < 0.5 * best:
                waited = 0
            elif good:
                waited += 1
            if size < best and self.rests(here) and self.carries(here):
                found, good = X, True
            elif size < best and self.rests(here, negligible=True) and self.carries(here, negligible=True):
                near = X
            best = min(best, size)
            if waited > 1 or size == 0.0:
                break
            step, at_bound = shortest(weight[:, None] * J, -weight * here, lower[columns], upper[columns])
            self.at_floor |= at_bound[: self.nvolume]
            if not good and np.linalg.norm(weight * (here + J @ step)) > UNSOLVED * size:
                break
            units = np.zeros(self.size)
            units[columns] = step
            X, here = self.along(X, units * weights, sizes, p, weight, here)
            if not np.isfinite(here).all():
                break
        if not good and near is not None:
            found, good = near, True
        self.residual(found)
        return found, good

    def along(self, X: Array, step: Array, sizes: Array, p: Array, weight: Array, here: Array) -> tuple[Array, Array]:
        """Go along a step from X, where pressures are p, as far as the equations become better; NaN where none does."""
        size = float(np.linalg.norm(weight * here))
        far = np.abs(step[: self.nvolume]).max(initial=0.0) / LONGEST
        far = max(float(far), float(np.abs(step[self.is_input]).max(initial=0.0)) / LONGEST_INPUT)
        alpha = min(1.0, 1.0 / max(far, 1e-300))
        for _ in range(12):
            moved, change = X + alpha * step * sizes, alpha * BAR * step[: self.nvolume]
            there = self.at_pressures(moved, p + change, np.abs(change))
            after = float(np.linalg.norm(weight * there))
            if after < (1.0 - 0.1 * alpha) * size or (after <= 10.0 * size and self.rests(here) and self.carries(here)):
                return moved, there
            alpha *= 0.5
        return X, np.full_like(here, np.nan)

    def at_pressures(self, X: Array, wanted: Array, change: Array) -> Array:
        """Move the strains in X to where the volumes have the pressures wanted after a change; return the residual."""
        slack = np.maximum(PRECISE * change, 1e-5)  # Pa: rounding
        low, high = np.full(self.nvolume, -np.inf), np.full(self.nvolume, np.inf)
        there = self.residual(X)
        for _ in range(INVERSIONS):
            lacking, e = wanted - self.pressures(), X[: self.nvolume]
            if not np.any(np.abs(lacking) > slack):
                break
            low, high = np.where(lacking >= 0.0, e, low), np.where(lacking <= 0.0, e, high)
            newton = e + lacking / self.work.oil.p_slope[: self.nvolume]
            # pressure rises with strain: where the slope misleads, halve what is known to hold it
            outside = np.isfinite(low) & np.isfinite(high) & ((newton < low) | (newton > high))
            middle = 0.5 * (np.where(outside, low, 0.0) + np.where(outside, high, 0.0))
            X[: self.nvolume] = np.where(np.abs(lacking) > slack, np.where(outside, middle, newton), e)
            there = self.residual(X)
        return there

    def weights(self) -> Array:
        """How readily each unknown moves: oil does, inputs and bristles only when they must."""
        weights = np.where(self.is_input, INPUT, 1.0)
        weights[[one.state for one in self.bristles]] = BRISTLE
        return weights

    def bounds(self, X: Array, p: Array, sizes: Array) -> tuple[Array, Array]:
        """How far each unknown may go, in units, where pressures are p: bristles within their static band."""
        lower, upper = np.full(self.size, -np.inf), np.full(self.size, np.inf)
        lower[: self.nvolume] = np.minimum(0.0, (self.lowest - p) / BAR)
        for one in self.bristles:
            band = BAND * one.breakaway / one.stiffness
            lower[one.state] = min(0.0, (-band - X[one.state]) / sizes[one.state])
            upper[one.state] = max(0.0, (band - X[one.state]) / sizes[one.state])
        return lower, upper

    def left_open(self, X: Array, moved: Mask) -> Array:
        """How much each unknown takes part in what the equations leave open, 0 to 1, at a state that was found."""
        columns = self.is_state | moved
        columns[[one.state for one in self.bristles]] = False
        here = self.residual(X)
        J = self.slopes(X, columns, here, self.sizes())
        part = np.zeros(self.size)
        part[columns] = np.linalg.norm(null_space(equalised(J)[:, None] * J), axis=1)
        self.residual(X)
        return part


def dependent_rows(projector: Array) -> list[Mask]:
    """Groups of rows whose speeds depend on each other, by the projector P Pᵀ; most rows are alone."""
    joined = np.abs(projector) > RANK
    np.fill_diagonal(joined, True)
    groups: list[Mask] = []
    for row in joined:
        group = row.copy()
        for other in [one for one in groups if np.any(one & group)]:
            group |= other
            groups = [one for one in groups if one is not other]
        groups.append(group)
    return sorted(groups, key=lambda group: int(np.argmax(group)))


def sorted_by_group(projector: Array, groups: list[Mask]) -> tuple[Array, NDArray[np.intp]]:
    """P with columns that belong to one group each, and the group of every column."""
    columns, group_of = [np.zeros((len(projector), 0))], []
    for number, group in enumerate(groups):
        values, vectors = np.linalg.eigh(projector[np.ix_(group, group)])
        full = np.zeros((len(projector), int(np.sum(values > 0.5))))  # eigenvalues of a projector are 0 and 1
        full[group] = vectors[:, values > 0.5]
        columns.append(full)
        group_of += [number] * full.shape[1]
    return np.hstack(columns), np.array(group_of, np.intp)


def equalised(J: Array) -> Array:
    """Weights that give every equation the same largest slope; one without slopes counts little."""
    return np.asarray(1.0 / np.maximum(np.max(np.abs(J), axis=1, initial=0.0), 1e-6))  # per Pa/s or N


def shortest(J: Array, r: Array, lower: Array, upper: Array) -> tuple[Array, Mask]:
    """The shortest step with J step = r, or as near as that goes; what would go beyond a bound stays there, and which
    that is.
    """
    step, at_bound = np.zeros(J.shape[1]), np.zeros(J.shape[1], bool)
    while True:
        rest = r - J[:, at_bound] @ step[at_bound]
        step[~at_bound] = np.linalg.lstsq(J[:, ~at_bound], rest, rcond=SINGULAR)[0]
        beyond = ~at_bound & ((step < lower) | (step > upper))
        if not beyond.any():
            return step, at_bound
        step[beyond] = np.clip(step, lower, upper)[beyond]
        at_bound |= beyond


def metering_signal(branch: Branch) -> NetSignal | None:
    """The signal that opens or closes a restrictor, an input where a spool follows one; None for other branches."""
    signal = branch.opening.signal if branch.opening is not None and branch.kind != flow_source.KIND else None
    while signal is not None and signal.follows is not None:
        signal = signal.follows
    return signal


def metering_inputs(mechanism: Mechanism) -> list[NetSignal]:
    """Inputs that open or close restrictors, by themselves or through a spool: those of valves."""
    layout = mechanism.planned.layout
    signals = [metering_signal(branch) for branch in layout.branches]
    return [signal for signal in signals if signal is not None and any(signal is one for one in layout.inputs)]
