# SPDX-License-Identifier: BSD-3-Clause
"""kb.inverse_dynamics: the forces that a motion takes, without integrating it.

    M v̇ + Φ_qᵀ λ = f + B τ,    Nᵀ B τ = Nᵀ (M v̇ − f)       N spans what the loops allow: Φ_q N = 0

f are the forces the machine already has (gravity, springs, inertia of its speed), B the actuators. As many actuators as
degrees of freedom have one answer; of more, the smallest forces are taken (least squares); fewer are refused unless
they happen to do. The motion of some coordinates or lengths brings all others along, which is kinematics: the machine
is copied with a driver for each. Tested in tests/analysis/test_inverse_dynamics.py against forward dynamics on random
machines, validated by: validation/analytic/test_inverse_dynamics.py
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg
import xarray as xr
from numpy.typing import NDArray

from knuckleboom.analysis.coordinates import Coordinate, find_coordinate
from knuckleboom.analysis.driven import add_drivers
from knuckleboom.analysis.mechanism import RANK, AnalysisError, Mechanism
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.over_time import is_number
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.rows.geometry import LENGTH
from knuckleboom.names import closest
from knuckleboom.plan import assembly
from knuckleboom.results import Results
from knuckleboom.simulation.inputs import Source, read_inputs, sample

Array = NDArray[np.float64]

LACKING = 1e-8  # of the forces at work: what may lack before a motion is called impossible


@dataclass(frozen=True)
class Efforts:
    """Forces of the actuators over time, by their names; a motion at one instant has no time axis."""

    machine: str
    values: xr.DataArray = field(repr=False)

    @property
    def actuators(self) -> list[str]:
        """Names of the actuators."""
        return [str(name) for name in self.values.coords["actuator"].values]

    def __getitem__(self, name: str) -> xr.DataArray:
        """The force of one actuator, in N or N·m."""
        if name not in self.actuators:
            near = tuple(closest(name, self.actuators))
            problem = Problem(f"There is no actuator '{name}'.", closest=near or tuple(self.actuators))
            raise MachineError([problem], "the actuators")
        return self.values.sel(actuator=name)

    def __str__(self) -> str:
        lines = [f"{self.machine}: forces of {len(self.actuators)} actuators"]
        for name in self.actuators:
            one = self[name]
            low, high, unit = float(one.min()), float(one.max()), str(one.coords["unit"].values)
            lines.append(f"  {name}  {low:.6g} {unit}" if low == high else f"  {name}  {low:.6g} to {high:.6g} {unit}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Actuator:
    """Where a force acts: along one coordinate, or along the row of a part, whose own force it replaces."""

    name: str
    unit: str
    velocity: int = -1
    row: int = -1


def inverse_dynamics(
    machine: Machine,
    motion: Mapping[str, Any] | Results | tuple[Array, Array, Array],
    *,
    times: Sequence[float] | Array | None = None,
    actuators: Sequence[str] | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Efforts:
    """Find the forces of the actuators that make a machine move as given.

    `motion` names coordinates (`foot`, `slide.travel`) or parts with a length (a cylinder, a spring), each with what an
    input of a driver may be (number, table, function of time, quantity of a run) or its value, rate and acceleration at
    one instant; at `times`, or at one instant without. It may also be a run, or arrays q, v and v̇ of all coordinates.
    `actuators` are coordinates or parts; without them the coordinates that were given, or the independent ones.
    """
    if isinstance(motion, Mapping):
        return along(machine, motion, times, actuators, inputs)
    mechanism = Mechanism(machine, inputs)
    if isinstance(motion, Results):
        moments, states = motion.time, read_run(mechanism, motion)
    else:
        moments, states = np.zeros(1), read_arrays(mechanism, motion)
        if len(states[0]) != 1:
            moments = np.arange(len(states[0]), dtype=float) if times is None else np.asarray(times, float)
    sources = read_inputs(mechanism.planned, inputs)
    chosen = choose(mechanism, actuators, [])
    loops = np.ones(mechanism.nloop, bool)
    lines = []
    for time, u, q, v, v_dot in zip(moments, held_at(sources, moments), *states, strict=True):
        mechanism.planned.set_state(q, v)
        at_time(mechanism, float(time), u)
        lines.append(efforts(mechanism, chosen, loops, v_dot))
    instant = not isinstance(motion, Results) and np.ndim(motion[0]) == 1
    return named(machine, chosen, moments, np.array(lines), instant)


# where the motion comes from


def along(
    machine: Machine,
    motion: Mapping[str, Any],
    times: Sequence[float] | Array | None,
    actuators: Sequence[str] | None,
    inputs: Mapping[str, Any] | None,
) -> Efforts:
    """Efforts along a motion of some coordinates or lengths, by a copy of the machine that is driven."""
    driven = copy.deepcopy(machine)
    drivers = dict(zip(add_drivers(driven, motion, "the motion"), motion.values(), strict=True))
    given = {name: instant_of(what, drivers[name]) for what, name in zip(motion, drivers, strict=True)}
    mechanism = Mechanism(driven, {**(inputs or {}), **given})
    refuse_freedom(mechanism)
    rows = [row.part for row in mechanism.planned.layout.loops.kept]
    loops = np.array([part not in drivers for part in rows], bool)
    chosen = choose(mechanism, actuators, list(zip(motion, drivers, strict=True)))
    moments = np.zeros(1) if times is None else np.asarray(times, float)
    sources = read_inputs(mechanism.planned, inputs)
    lines = []
    for time, u in zip(moments, held_at(sources, moments), strict=True):
        at_time(mechanism, float(time), u)
        follow(mechanism, float(time))
        mechanism.line()
        lines.append(efforts(mechanism, chosen, loops, np.array(mechanism.work.system.v_dot)))
    return named(machine, chosen, moments, np.array(lines), times is None)


def instant_of(name: str, value: Any) -> Any:
    """Value, rate and acceleration at one instant, as a motion."""
    if isinstance(value, tuple | list) and len(value) == 3:
        if not all(map(is_number, value)):
            rule = f"'{name}': {value!r} is not a value, a rate and an acceleration."
            raise MachineError([Problem(rule, part=name, fix="Give three numbers in SI.")], "the motion")
        read = [float(one) for one in value]
        return lambda time: (read[0] + time * (read[1] + 0.5 * time * read[2]), read[1] + time * read[2], read[2])
    return value


def refuse_freedom(mechanism: Mechanism) -> None:
    """A motion that leaves something free cannot be followed without integrating."""
    free = [mechanism.coordinates[i] for i in mechanism.basis().independent]
    if free:
        rule = f"The motion leaves {', '.join(f'{one.path!r}' for one in free)} free."
        fix = (
            "Give their motion too, or run the machine with drivers (m.driver): their force is a result of kb.simulate."
        )
        raise MachineError([Problem(rule, fix=fix)], "the motion")


def follow(mechanism: Mechanism, time: float) -> None:
    """Bring pose and speeds in Work to where the drivers want them."""
    plan, work = mechanism.plan, mechanism.work
    worst = assembly.newton(plan, work, list(range(mechanism.nloop)), np.ones(mechanism.nv, bool))
    if worst > assembly.GOOD:
        phi = np.abs(assembly.residual(plan, work))
        part = mechanism.planned.layout.loops.kept[int(np.argmax(phi))].part
        name = mechanism.planned.machine.name
        text = f"machine '{name}' cannot follow the motion at {time:g} s: '{part}' stays open by {worst:.2g}."
        raise AnalysisError(f"{text}\n   Keep the motion within what lengths and loops allow.")
    J = mechanism.jacobian()
    work.state.v[:] = np.linalg.lstsq(J, assembly.driven_rates(plan, work), rcond=RANK)[0]


def read_run(mechanism: Mechanism, run: Results) -> tuple[Array, Array, Array]:
    """q, v and v̇ of a run of this machine, or of one with the same joints."""
    count = len(run.time)
    q, v, v_dot = (np.empty((count, size)) for size in (mechanism.planned.topology.nq, mechanism.nv, mechanism.nv))
    for name, columns in mechanism.planned.topology.tree.items():
        joint = mechanism.planned.machine.parts[name]
        assert isinstance(joint, Joint)
        for array, places, paths in (
            (q, columns.q, list(paths_of(joint, "position"))),
            (v, columns.v, list(paths_of(joint, "rate"))),
            (v_dot, columns.v, list(paths_of(joint, "acceleration"))),
        ):
            if paths:
                array[:, places] = np.hstack([run[path].values.reshape(count, -1) for path in paths])
    for name, columns in mechanism.planned.topology.scalars.items():
        scalar = mechanism.planned.machine.parts[name].scalar_inertia()
        assert scalar is not None
        q[:, columns.q[0]], v[:, columns.v[0]] = (run[f"{name}.{word}"].values for word in scalar.words)
        v_dot[:, columns.v[0]] = run[f"{name}.acceleration"].values
    return q, v, v_dot


def paths_of(joint: Joint, what: str) -> Iterator[str]:
    """Names in a record of a joint's coordinates, their rates or accelerations, as plan/naming.py gives them."""
    if not joint.SPATIAL:
        tail = {"position": "", "rate": "_rate", "acceleration": "_acceleration"}[what]
        yield from (f"{joint.name}.{label}{tail}" for label, _ in joint.COORDINATES)
        return
    sliding = {"position": "position", "rate": "velocity", "acceleration": "acceleration"}
    turning = {"position": "orientation", "rate": "angular_velocity", "acceleration": "angular_acceleration"}
    if joint.KIND == "free":
        yield f"{joint.name}.{sliding[what]}"
    yield f"{joint.name}.{turning[what]}"


def read_arrays(mechanism: Mechanism, motion: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """Arrays of all coordinates, one line or several."""
    sizes = (mechanism.planned.topology.nq, mechanism.nv, mechanism.nv)
    arrays = [np.atleast_2d(np.asarray(one, float)) for one in motion]
    problems = [
        Problem(f"{what} has {array.shape[1]} columns, but the machine {size}.")
        for what, array, size in zip(("q", "v", "v̇"), arrays, sizes, strict=False)
        if array.shape[1] != size
    ]
    if len(arrays) != 3 or len({len(array) for array in arrays}) != 1:
        problems.append(Problem("A motion in arrays is q, v and v̇, with as many lines each."))
    if problems:
        raise MachineError(problems, "the motion")
    return arrays[0], arrays[1], arrays[2]


# one instant


def held_at(sources: Sequence[Source], moments: Array) -> Array:
    """Inputs at all moments."""
    held, fault = sample(sources, moments, 0.0)
    if fault is not None:
        raise MachineError([Problem(str(fault), part=fault.name)], "the inputs") from fault
    return held


def at_time(mechanism: Mechanism, time: float, u: Array) -> None:
    """Put time, inputs and what drivers want then into Work."""
    state = mechanism.work.state
    state.time[0], state.u[:] = time, u
    mechanism.masses_follow()
    mechanism.work.rows.target[:] = mechanism.planned.motions_at(state.time)[0]


def choose(mechanism: Mechanism, wanted: Sequence[str] | None, driven: list[tuple[str, str]]) -> list[Actuator]:
    """The actuators by name; without names the driven coordinates or lengths, or the independent coordinates."""
    planned, known = mechanism.planned, mechanism.coordinates
    if wanted is None and not driven:
        wanted = [known[i].path for i in mechanism.basis().independent]
    numbers = {row.part: number for number, row in enumerate(planned.layout.rows)}
    if wanted is None:
        found = [(name, planned.layout.rows[numbers[driver]], numbers[driver]) for name, driver in driven]
        return [Actuator(str(name), "N*m" if row.unit == "rad" else "N", row=number) for name, row, number in found]
    actuators, problems = [], []
    for name in wanted:
        interface = numbers.get(name, -1)
        if interface >= mechanism.nloop:
            unit = "N*m" if planned.layout.rows[interface].unit == "rad" else "N"
            actuators.append(Actuator(name, unit, row=interface))
            continue
        coordinate = find_coordinate(known, name, "actuators")
        if isinstance(coordinate, Coordinate):
            actuators.append(Actuator(name, coordinate.effort_unit, velocity=coordinate.v))
        else:
            problems.append(coordinate)
    if problems:
        raise MachineError(problems, "the actuators")
    return actuators


def efforts(mechanism: Mechanism, actuators: list[Actuator], loops: NDArray[np.bool_], v_dot: Array) -> Array:
    """Forces of the actuators at the state in Work for this acceleration; `loops` are the rows that hold themselves."""
    f, M, A = mechanism.forces(), mechanism.mass_matrix(), mechanism.row_jacobian()
    J = mechanism.jacobian()[loops]
    need = M @ v_dot - f
    B = np.zeros((mechanism.nv, len(actuators)))
    own = np.zeros(len(actuators))
    for column, one in enumerate(actuators):
        if one.row < 0:
            B[one.velocity, column] = 1.0
            continue
        B[:, column] = A[one.row] * distance_scale(mechanism, one.row)
        own[column] = mechanism.work.rows.force[one.row] if one.row >= mechanism.nloop else 0.0
    need = need + B @ own
    N = scipy.linalg.null_space(J, rcond=RANK) if len(J) else np.eye(mechanism.nv)
    tau, _, _, _ = np.linalg.lstsq(N.T @ B, N.T @ need, rcond=1e-12)  # 1e-12: actuators in one direction share
    lack = N.T @ (need - B @ tau)
    scale = float(np.max(np.abs(N.T) @ (mechanism.force_scale() + np.abs(M) @ np.abs(v_dot)), initial=0.0))
    if np.max(np.abs(lack), initial=0.0) > LACKING * scale:
        refuse_lack(mechanism, actuators, N @ lack)
    return np.asarray(tau)


def distance_scale(mechanism: Mechanism, row: int) -> float:
    """A driven distance has the row (|d|² − f²)/2L: its rate is f/L of the distance's."""
    for d, r in enumerate(mechanism.plan.rows.driven):
        if r == row and assembly.is_rod(mechanism.plan, row):
            return float(mechanism.plan.rows.number[row, LENGTH] / mechanism.work.rows.target[d, 0])
    return 1.0


def refuse_lack(mechanism: Mechanism, actuators: list[Actuator], lack: Array) -> None:
    """Say which coordinate the actuators cannot move as wanted."""
    worst = mechanism.coordinates[int(np.argmax(np.abs(lack)))]
    names = ", ".join(one.name for one in actuators) or "no actuators"
    size = f"{abs(float(lack[worst.v])):.3g} {worst.effort_unit}"
    text = f"{names} cannot make this motion alone: {size} would lack in '{worst.path}'."
    raise AnalysisError(f"{text}\n   Add an actuator there, e.g. actuators=[..., '{worst.path}'].")


def named(machine: Machine, actuators: list[Actuator], moments: Array, values: Array, instant: bool) -> Efforts:
    """The forces as an array with names."""
    coords: dict[str, Any] = {
        "time": ("time", moments, {"units": "s"}),
        "actuator": [one.name for one in actuators],
        "unit": ("actuator", [one.unit for one in actuators]),
    }
    array = xr.DataArray(values.reshape(len(moments), len(actuators)), coords, ("time", "actuator"), "effort")
    return Efforts(machine.name, array.isel(time=0) if instant else array)
