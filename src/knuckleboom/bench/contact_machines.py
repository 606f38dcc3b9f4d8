# SPDX-License-Identifier: BSD-3-Clause
"""What discs and pairs cost, and machines that touch the ground: real time, wheel loads by statics, energy, errors.

A disc is what a vehicle of four tires of three discs takes more than without tires, over its discs, on a height field
of 5 cm rms every metre, and on a plane. A pair is what a stack takes more, in which neighbours may touch, than its
boxes apart and without any pair, over its pairs, all of which touch. Each is with its share of the tangent and of the
matrix. Processor time of whole runs, the smallest of several.

Machines are those of the catalogue with contacts or tires, and `four-wheels`, which drives slowly. Wheel loads are
those of the equilibrium: what is missing from their sum, and from their moments about both level axes, with the torques
of rolling resistance as found, over the weight, moments also over the machine's largest arm. Position errors are those
of free joints against the same run at 0.1 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import catalogue
from knuckleboom.analysis import equilibrium
from knuckleboom.analysis.mass import machine_mass
from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.analysis.state import State
from knuckleboom.bench.contact_ground import BOXES, STEP, G, residual_percent, stack
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.bench.rounds import Part, Progress, Task, per_call, smallest
from knuckleboom.bench.vehicle import WHEELS, four_wheels
from knuckleboom.errors import KnuckleboomError, SimulationError
from knuckleboom.interface.parts import Contact, Tire
from knuckleboom.machine import Machine
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.parts import Free
from knuckleboom.quantities import unit_vector
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

DISCS = 3
UNEVEN = {"heights": 0.05 * np.random.default_rng(1).normal(size=(21, 21)), "spacing": 1.0, "at": (-10, -10, 0)}
TIMED = 1.0  # s of a run that is timed
REFERENCE, RECORD = 1e-4, 0.01  # s
DRIVES = 10.0  # s
MEASURED = ("real_time_factor", "wheel_load_error_percent", "energy_residual_percent", "position_error_mm")


# --- cost -------------------------------------------------------------------------------------------------------------


def costs(rounds: int, progress: Progress) -> dict[str, Any]:
    """Microseconds of a disc and of a pair."""
    tasks = {
        "tires": of_steps(four_wheels(steer=None, discs=DISCS)),
        "on a field": of_steps(four_wheels(steer=None, discs=DISCS, terrain=UNEVEN)),
        "no tires": of_steps(four_wheels(steer=None, tires=False)),
        "pairs": of_steps(stack(neighbours=True)),
        "no pairs": of_steps(stack(neighbours=True, gravity=0.0, apart=0.1)),
    }
    us = smallest(tasks, rounds, progress)
    return {
        "us_per_disc": (us["on a field"] - us["no tires"]) / (DISCS * len(WHEELS)),
        "us_per_disc_on_plane": (us["tires"] - us["no tires"]) / (DISCS * len(WHEELS)),
        "us_per_pair": (us["pairs"] - us["no pairs"]) / (BOXES - 1),
    }


def of_steps(machine: Machine) -> Task:
    """A task that runs a machine and returns the microseconds of a step."""
    run = WholeRun(machine, TIMED, step=STEP, record=TIMED, coupling="realtime")
    return per_call(run.reset, lambda count: run.unrecorded(), run.steps)


# --- machines ---------------------------------------------------------------------------------------------------------


def touching() -> Iterator[Cycle]:
    """Work cycles of all machines that touch something."""
    drives = {f"drive_{name}": {0.0: 0.0, 0.5: 1500.0, 4.0: 0.0, 6.0: -1500.0} for name in WHEELS}
    yield Cycle("four-wheels", four_wheels(steer=0.1, speed=1.0), DRIVES, drives)
    for name in catalogue.NAMES:
        cycle = cycle_of(name)
        if any(isinstance(part, Contact | Tire) for part in cycle.machine.parts.values()):
            yield cycle


def machines(cycles: Sequence[Cycle] | None, rounds: int, add: Callable[[Any], None], progress: Progress) -> None:
    """Measure all machines, and hand over each row as soon as it is there."""
    wanted = list(touching()) if cycles is None else list(cycles)
    for number, cycle in enumerate(wanted):
        add(measured(cycle, rounds, Part(progress, number / len(wanted), (number + 1) / len(wanted))))


def measured(cycle: Cycle, rounds: int, progress: Progress) -> dict[str, Any]:
    """One machine; what cannot run says so and has no numbers."""
    row: dict[str, Any] = {"machine": cycle.name, "status": "done", "message": ""}
    row |= dict.fromkeys(MEASURED)
    try:
        run = WholeRun(
            cycle.machine, cycle.duration, step=STEP, record=RECORD, inputs=cycle.inputs, **cycle.realtime
        )
        task = per_call(run.reset, lambda count: run.unrecorded(), run.steps)
        row["real_time_factor"] = 1e6 * STEP / smallest({"": task}, rounds)[""]
        progress(0.2)
        results = run.recorded()
        row["energy_residual_percent"] = residual_percent(results)
        run.lay_out(cycle.duration, step=REFERENCE, record=RECORD)
        exact = run.recorded()
        row["position_error_mm"] = 1e3 * max(
            (float(np.abs(results[path].values - exact[path].values).max()) for path in followed(cycle.machine)),
            default=0.0,
        )
        row["wheel_load_error_percent"] = load_error(cycle.machine)
    except SimulationError as error:
        row |= {"status": "failed", "message": str(error)}
    progress(1.0)
    return row


def followed(machine: Machine) -> list[str]:
    """Paths of the places of what moves freely."""
    return [f"{joint.name}.position" for joint in machine.of(Free)]


def load_error(machine: Machine) -> float | None:
    """How far loads of tires and contacts at rest are from the statics of all weights, %; None where none is found."""
    try:
        rest = equilibrium(machine)
    except KnuckleboomError:
        return None
    planned = Mechanism(machine).planned
    planned.restore(rest.snapshot)
    mass = machine_mass(planned)
    loads = [(float(rest[f"{tire.name}.normal_force"]), lowest(rest, machine, tire)) for tire in machine.of(Tire)]
    for touch in planned.layout.network.touches:
        loads.append((float(rest[f"{touch.path}.normal_force"]), np.asarray(rest[f"{touch.path}.point"])))
    rolling = sum((rest[f"{tire.name}.rolling_torque"] * axle(rest, machine, tire) for tire in machine.of(Tire)), 0.0)
    about = np.cross((0.0, 0.0, 1.0), rolling * np.ones(3))  # as a load times a place
    missing = [sum(load for load, _ in loads) / (mass.total * G) - 1.0]
    for axis in (0, 1):
        arm = float(np.ptp([place[axis] for _, place in loads]))
        moment = sum(load * place[axis] for load, place in loads) + about[axis]
        missing.append((moment / (mass.total * G) - mass.centre[axis]) / arm)
    return 100.0 * float(np.abs(missing).max())


def lowest(rest: State, machine: Machine, tire: Tire) -> Array:
    """Where a tire carries its load on level ground: below its middle in the plane of the wheel."""
    body, at, _ = machine.locate(tire.wheel)
    line = axle(rest, machine, tire)
    down = line[2] * line - (0.0, 0.0, 1.0)
    reach = tire.radius - float(rest[f"{tire.name}.deflection"])
    middle = np.asarray(rest[f"{body}.position"]) + turned(np.asarray(rest[f"{body}.orientation"]), np.array(at))
    return np.asarray(middle + reach * down / np.linalg.norm(down))


def axle(rest: State, machine: Machine, tire: Tire) -> Array:
    """The axle of a tire in the world."""
    body, _, rpy = machine.locate(tire.wheel)
    return turned(np.asarray(rest[f"{body}.orientation"]), np.array(rotation(rpy)) @ unit_vector(tire.axle))


def turned(quaternion: Array, vector: Array) -> Array:
    """A vector of a body in world axes."""
    w, r = quaternion[0], quaternion[1:]
    return np.asarray(vector + 2.0 * np.cross(r, np.cross(r, vector) + w * vector))
