# SPDX-License-Identifier: BSD-3-Clause
"""kb.linearise: a machine near a state as ẋ = A x + B u, y = C x + D u, every row and column with its name.

States are the independent coordinates and speeds by joint name, pressures of the oil volumes, spools. Loops are reduced
exactly: dependent coordinates follow by closing, dependent speeds by T (mechanism.py). Turns of balls are small
rotations seen from the moving body, so that a steadily spinning body has constant matrices:

    ξ̇ = η − (v₀ × ξ on balls),   η̇ = v̇_i,   ṗ = p'(e) ė                              docs/theory/linearisation.md

Slopes come from differences.py with an error estimate. Where the state is not at rest, `remainder` is the rate of the
state itself, and the matrices describe deviations from that motion, for a moment. Tested in tests/analysis/,
validated by: validation/analytic/test_linearisation.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from knuckleboom.analysis.differences import slope
from knuckleboom.analysis.mechanism import AnalysisError, Basis, Mechanism
from knuckleboom.analysis.running import running_shafts
from knuckleboom.analysis.state import State
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.names import Signal, closest, component_labels
from knuckleboom.plan.work import record_blocks
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.units import rate_unit

if TYPE_CHECKING:
    from knuckleboom.analysis.modes import Modes

Array = NDArray[np.float64]

COORDINATE_STEP = 2e-2  # rad or m, and rad/s or m/s: largest step of the differences
STRAIN_STEP = 1e-4  # about 1.5 bar
SPOOL_STEP = 1e-2
INPUT_STEP = 1e-2  # of the input, or of 1
RESTING, RESTING_OIL = 1e-6, 1e3  # rad or m per s and per s²; Pa/s, a bar in 100 s: slower than this is at rest
PRESSURE_STEP = 1e4  # Pa, for an input that is a pressure


@dataclass(frozen=True)
class Linear:
    """State-space matrices of a machine at a state; names and units are coordinates of the arrays.

    `remainder` is the rate of the state itself (zero at rest), `error` the estimated error of each entry of A.
    `shapes` turns the states into movements of all joints, those that follow by the loops included.
    """

    machine: str
    A: xr.DataArray = field(repr=False)
    B: xr.DataArray = field(repr=False)
    C: xr.DataArray = field(repr=False)
    D: xr.DataArray = field(repr=False)
    remainder: xr.DataArray = field(repr=False)
    error: xr.DataArray = field(repr=False)
    shapes: xr.DataArray = field(repr=False)
    owners: dict[str, str] = field(repr=False)
    coordinates: int
    snapshot: dict[str, Array] = field(repr=False)

    @property
    def states(self) -> list[str]:
        """Names of the states: coordinates, their speeds, then oil and spools."""
        return [str(name) for name in self.A.coords["state"].values]

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return [str(name) for name in self.B.coords["input"].values]

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs, with their component."""
        return [str(name) for name in self.C.coords["output"].values]

    @property
    def at_rest(self) -> bool:
        """Whether the state stays where it is, as far as anyone would notice."""
        limit = [RESTING_OIL if unit == "Pa/s" else RESTING for unit in self.A.coords["rate_unit"].values]
        return bool(np.all(np.abs(self.remainder.values) <= limit))

    def modes(self, *, damped: bool = True) -> Modes:
        """Eigenmodes; without `damped` those of masses, stiffness and locked oil alone."""
        from knuckleboom.analysis.modes import damped_modes, undamped_modes

        return damped_modes(self) if damped else undamped_modes(self)

    def to_scipy(self) -> Any:
        """Return the matrices as a scipy.signal.StateSpace."""
        from scipy.signal import StateSpace

        return StateSpace(self.A.values, self.B.values, self.C.values, self.D.values)

    def __str__(self) -> str:
        counts = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        lines = [f"{self.machine}, linearised: {counts}"]
        for title, names, unit in (
            ("states", self.states, self.A.coords["unit"].values),
            ("inputs", self.inputs, self.B.coords["input_unit"].values),
            ("outputs", self.outputs, self.C.coords["output_unit"].values),
        ):
            listed = ", ".join(f"{name} [{one}]" for name, one in zip(names, unit, strict=True))
            lines.append(f"  {title:<8} {listed or 'none'}")
        if not self.at_rest:
            worst = int(np.argmax(np.abs(self.remainder.values)))
            rate = f"{self.remainder.values[worst]:.4g} {self.A.coords['rate_unit'].values[worst]}"
            lines.append(f"  not at rest: {self.states[worst]} changes by {rate}")
        return "\n".join(lines)


def linearise(
    machine: Machine,
    at: State | dict[str, Array] | None = None,
    *,
    inputs: Sequence[str] | Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
) -> Linear:
    """Linearise a machine at its start, at a State (kb.equilibrium) or at a snapshot of a run.

    `inputs` are names that kb.simulate takes, all without it; given with values they are held there. `outputs` are
    paths of quantities, without them the coordinates of all joints and the pressures of all volumes.
    """
    values = inputs if isinstance(inputs, Mapping) else {}
    mechanism = Mechanism(machine, values)
    held = mechanism.work.state.u.copy()
    if at is not None:
        mechanism.planned.restore(at.snapshot if isinstance(at, State) else at)
    signals = [signal.path for signal in mechanism.planned.layout.inputs]
    given = np.array([part in values for part in signals], bool)
    mechanism.work.state.u[given] = held[given]
    if isinstance(inputs, Mapping):
        inputs = [name for name in inputs if name in signals]  # the others are drivers
    return Point(mechanism, inputs, outputs).linear()


class Point:
    """The state to linearise at, and the machine's rates and outputs around it."""

    def __init__(self, mechanism: Mechanism, inputs: Sequence[str] | None, outputs: Sequence[str] | None) -> None:
        self.mechanism, self.planned = mechanism, mechanism.planned
        layout = self.planned.layout
        self.basis: Basis = mechanism.basis()
        self.start = self.planned.snapshot()
        self.eta = self.start["v"][self.basis.independent]
        self.start["v"] = mechanism.velocities(self.basis, self.eta)
        self.nvolume, self.nlag = layout.nvolume, len(layout.lags)
        self.inputs = self.choose_inputs(inputs)
        self.restore()
        line = mechanism.line()
        self.names, _ = add_cut_joints(self.planned, self.planned.names, line[None])
        self.outputs = self.choose_outputs(outputs)
        self.labels = [label for signal in self.outputs for label in component_labels(signal)]
        self.columns = [column for signal in self.outputs for column in signal.columns]
        self.slopes = mechanism.work.oil.p_slope[: self.nvolume].copy()
        self.line = line

    # what is asked for

    def choose_inputs(self, wanted: Sequence[str] | None) -> list[int]:
        """Numbers of the inputs by name."""
        known = [signal.path for signal in self.planned.layout.inputs]
        if wanted is None:
            return list(range(len(known)))
        wanted = [wanted] if isinstance(wanted, str) else wanted
        unknown = [name for name in wanted if name not in known]
        fix = f"The machine's inputs are {', '.join(known)}." if known else "The machine has no inputs."
        problems = [
            Problem(f"There is no input '{name}'.", part=name, fix=fix, closest=tuple(closest(name, known)))
            for name in unknown
        ]
        if problems:
            raise MachineError(problems, "the inputs")
        return [known.index(name) for name in wanted]

    def choose_outputs(self, wanted: Sequence[str] | None) -> list[Signal]:
        """Signals by path; integrals over a run have no meaning here."""
        if wanted is None:
            paths = [c.path for c in self.mechanism.coordinates if c.q >= 0 and c.path in self.names]
            paths += [f"{node.port}.pressure" for node in self.planned.layout.nodes if node.source is None]
            return [self.names[path] for path in paths]
        signals = [self.names[path] for path in ([wanted] if isinstance(wanted, str) else wanted)]
        first, width = energy_columns(self.planned.work_size)
        integrals = [signal for signal in signals if first <= signal.columns[0] < first + width]
        if integrals:
            rule = "'{}' is counted over a run, so it has no slope at a state."
            problems = [Problem(rule.format(one.path), fix="Ask for the force or flow instead.") for one in integrals]
            raise MachineError(problems, "the outputs")
        return signals

    # the functions whose slopes are taken

    def restore(self) -> None:
        """Put the point itself into Work."""
        self.planned.restore(self.start)

    def response(self) -> Array:
        """Rates of speeds, pressures and spools, and the outputs, at the state in Work; NaN where there is none."""
        try:
            line = self.mechanism.line()
        except AnalysisError:
            return np.full(len(self.basis.independent) + self.nvolume + self.nlag + len(self.columns), np.nan)
        if max(self.columns, default=0) >= len(line):
            # angles of cut joints are taken near their value at the point, so both lines are needed
            _, extended = add_cut_joints(self.planned, self.planned.names, np.vstack([self.line, line]))
            line = extended[1]
        work = self.mechanism.work
        rates = work.oil.x_dot.copy()
        rates[: self.nvolume] *= work.oil.p_slope[: self.nvolume]
        return np.concatenate([work.system.v_dot[self.basis.independent], rates, line[self.columns]])

    def moved(self, number: int) -> Callable[[float], Array]:
        """The response over one independent coordinate, with the same independent speeds."""
        unit = np.zeros(len(self.basis.independent))
        unit[number] = 1.0

        def function(h: float) -> Array:
            self.restore()
            if not self.mechanism.place(self.basis, self.start["q"], h * unit):
                return np.full(len(unit) + self.nvolume + self.nlag + len(self.columns), np.nan)
            if self.start["v"].any():
                here = self.mechanism.at_same_split(self.basis)
                self.mechanism.work.state.v[:] = self.mechanism.velocities(here, self.eta)
            return self.response()

        return function

    def changed(self, array: str, change: Array) -> Callable[[float], Array]:
        """The response over a change of the speeds v, the states x or the inputs u."""

        def function(h: float) -> Array:
            self.restore()
            getattr(self.mechanism.work.state, array)[:] += h * change
            return self.response()

        return function

    # the matrices

    def linear(self) -> Linear:
        """All slopes, arranged and named."""
        n, nx, nu = len(self.basis.independent), self.nvolume + self.nlag, len(self.inputs)
        size, noutput = 2 * n + nx, len(self.columns)
        A, error, B = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, nu))
        C, D = np.zeros((noutput, size)), np.zeros((noutput, nu))

        # accelerations, pressure rates and spool rates are alike; every output is its own kind
        kinds = np.repeat(np.arange(3), (n, self.nvolume, self.nlag))
        kinds = np.concatenate([kinds, 3 + np.arange(noutput)]).astype(np.intp)

        def fill(column: int, function: Callable[[float], Array], step: float, scale: float = 1.0) -> None:
            value, doubt = slope(function, step, kinds)
            A[n:, column], error[n:, column] = scale * value[: n + nx], scale * doubt[: n + nx]
            C[:, column] = scale * value[n + nx :]

        A[:n, :n] = 0.0 - (self.turning() @ self.basis.T)[self.basis.independent]
        A[:n, n : 2 * n] = np.eye(n)
        for j in range(n):
            fill(j, self.moved(j), COORDINATE_STEP)
            fill(n + j, self.changed("v", self.basis.T[:, j]), COORDINATE_STEP)
        for j in range(nx):
            oil = j < self.nvolume
            change = np.eye(nx)[j]
            scale = 1.0 / float(self.slopes[j]) if oil else 1.0
            fill(2 * n + j, self.changed("x", change), STRAIN_STEP if oil else SPOOL_STEP, scale)
        signals = self.planned.layout.inputs
        for place, number in enumerate(self.inputs):
            change = np.eye(len(signals))[number]
            step = PRESSURE_STEP if signals[number].unit == "Pa" else INPUT_STEP
            step *= max(1.0, abs(float(self.start["u"][number]))) if signals[number].unit != "Pa" else 1.0
            value, _ = slope(self.changed("u", change), step, kinds)
            B[n:, place], D[:, place] = value[: n + nx], value[n + nx :]
        self.restore()
        # angles of shafts that turn on count from where these would be by then
        turns_on = np.isin(self.basis.independent, running_shafts(self.planned))
        remainder = np.concatenate([np.where(turns_on, 0.0, self.eta), self.response()[: n + nx]])
        return self.named(A, B, C, D, remainder, error)

    def turning(self) -> Array:
        """The matrix of v₀× on the balls, zero elsewhere: a deviation is seen from the moving body."""
        result, v = np.zeros((self.mechanism.nv, self.mechanism.nv)), self.start["v"]
        for _, first in self.mechanism.plan.links.balls:
            x, y, z = v[first : first + 3]
            result[first : first + 3, first : first + 3] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
        return result

    def named(self, A: Array, B: Array, C: Array, D: Array, remainder: Array, error: Array) -> Linear:
        """Give every row and column its name and unit."""
        layout, known = self.planned.layout, self.mechanism.coordinates
        chosen = [known[i] for i in self.basis.independent]
        lags = [(f"{lag.part}.{lag.name}", lag.unit, lag.part) for lag in layout.lags]
        volumes = [(f"{node.port}.pressure", "Pa", node.port) for node in layout.nodes[: self.nvolume]]
        listed = [(c.path, c.unit, c.joint) for c in chosen]
        listed += [(c.rate, f"{c.unit}/s", c.joint) for c in chosen] + volumes + lags
        states = [path for path, _, _ in listed]
        unit = ("state", [one for _, one, _ in listed])
        signals = [layout.inputs[number] for number in self.inputs]
        of_input = {
            "input": [signal.path for signal in signals],
            "input_unit": ("input", [signal.unit for signal in signals]),
        }
        units = [signal.unit for signal in self.outputs for _ in signal.columns]
        of_output = {"output": self.labels, "output_unit": ("output", units)}
        of_state = {"state": states, "unit": unit}
        of_rate = {"rate": states, "rate_unit": ("rate", [rate_unit(one) for one in unit[1]])}
        shapes = np.zeros((len(known), len(states)))
        shapes[:, : len(chosen)] = self.basis.T
        of_shape = {"coordinate": [c.path for c in known], "joint": ("coordinate", [c.joint for c in known])}
        return Linear(
            machine=self.planned.machine.name,
            A=xr.DataArray(A, of_rate | of_state, ("rate", "state"), "A"),
            B=xr.DataArray(B, of_rate | of_input, ("rate", "input"), "B"),
            C=xr.DataArray(C, of_output | of_state, ("output", "state"), "C"),
            D=xr.DataArray(D, of_output | of_input, ("output", "input"), "D"),
            remainder=xr.DataArray(remainder, of_rate, ("rate",), "remainder"),
            error=xr.DataArray(error, of_rate | of_state, ("rate", "state"), "error"),
            shapes=xr.DataArray(shapes, of_shape | of_state, ("coordinate", "state"), "shapes"),
            owners={path: owner for path, _, owner in listed},
            coordinates=len(chosen),
            snapshot=self.start,
        )


def energy_columns(size: dict[str, int]) -> tuple[int, int]:
    """First column and number of the integrals in the record."""
    column = 0
    for name, width, count in record_blocks(size):
        if name == "energy":
            return column, width * count
        column += width * count
    return column, 0
