# SPDX-License-Identifier: BSD-3-Clause
"""Motions given for a run: what an input of a driver's name may be, and how it is asked for value, rate, acceleration.

A number holds still. A table becomes the cubic spline through its points, at rest at both ends. A function of time
returns the value, or value, rate and acceleration; in the first case it is differentiated by differences of order 6,
for which it is also asked a few milliseconds before and after each step. A quantity of an earlier run becomes the
spline through its record. Validated by: validation/analytic/test_drivers.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.over_time import PLACE, CsvColumn, Floats, Steps, Table
from knuckleboom.mechanics.motions import Harmonic, Motion, Spline
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.results import Quantity
from knuckleboom.simulation.inputs import Array, Function, InputFault, describe_error, read_files, read_input

APART = 2e-3
"""Time between the values that are differenced, s: the error is (ω·APART)⁶/560 of an acceleration, and 1e-10."""
AROUND = APART * np.arange(-3.0, 4.0)
RATE = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / (60.0 * APART)
ACCELERATION = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / (180.0 * APART**2)


@dataclass(frozen=True)
class Called:
    """A Python function of time."""

    name: str
    function: Callable[[float], Any]

    def at(self, times: Array) -> Array:
        """Value, rate and acceleration at each time; what is not a number, or three, is an InputFault."""
        lines = np.empty((len(times), 3))
        for place, time in enumerate(times.tolist()):
            try:
                lines[place] = self._line(time)
            except InputFault as fault:
                raise InputFault(self.name, fault.what, time, lines[:place]) from fault
        return lines

    def _line(self, time: float) -> Array:
        try:
            line = np.asarray(self.function(time), np.float64)
        except Exception as error:
            raise InputFault(self.name, describe_error(error), time, np.empty(0)) from error
        if line.ndim != 1:
            values = Function(self.name, self.function).sample(time + AROUND, 0.0)
            return np.array([values[3], RATE @ values, ACCELERATION @ values])
        if len(line) != 3 or not np.isfinite(line).all():
            what = f"gave {line!r}, which is neither a number nor value, rate and acceleration"
            raise InputFault(self.name, what, time, np.empty(0))
        return line


class Recorded:
    """A quantity of an earlier run, as the cubic spline through its record."""

    def __init__(self, name: str, quantity: Quantity) -> None:
        from scipy.interpolate import CubicSpline

        self.name, self.last = name, float(quantity.time[-1])
        self.spline = CubicSpline(quantity.time, quantity.values)

    def at(self, times: Array) -> Array:
        """Value, rate and acceleration at each time of the record."""
        inside = times <= self.last * (1.0 + 1e-12)  # 1e-12: rounding of the times
        lines = np.stack([self.spline(times[inside], order) for order in range(3)], axis=1)
        if not inside.all():
            what = f"comes from a run that ended at {self.last:g} s"
            remedy = f"a duration of {self.last:g} s, or an earlier run that lasts as long"
            raise InputFault(self.name, what, float(times[~inside][0]), lines, remedy)
        return lines


@dataclass(frozen=True)
class Driven:
    """A motion among the inputs of a run: three columns of what is held."""

    motion: Motion
    width: ClassVar[int] = 3

    def jumps(self) -> Floats:
        """A motion has none."""
        return ()

    def sample(self, times: Array, slack: float) -> Array:
        """Value, rate and acceleration at each time."""
        return self.motion.at(times)


def read_motion(driver: Driver, unit: str, given: Any) -> Motion:
    """Turn what a user gave for a driver into a motion."""
    if isinstance(given, Quantity):
        if given.unit != unit or np.ndim(given.values) != 1 or len(given.time) < 4:
            rule = f"'{given.path}' ({given.unit}) is not a record of one {unit} over four or more times."
            raise MachineError([Problem(f"driver '{driver.name}': {rule}", part=driver.name)], PLACE)
        return Recorded(driver.name, given)
    if callable(given):
        return Called(driver.name, given)
    source = read_input(driver.name, unit, given)
    if isinstance(source, Table) and len(source.times) > 1:
        return Spline(source.times, [float(value) for value in source.values])
    if isinstance(source, Steps) and len(source.times) > 1:
        rule = f"driver '{driver.name}': a motion cannot jump, as that would take an infinite force."
        fix = f'Write a table: inputs={{"{driver.name}": kb.table([0, 2], [0.0, 0.1])}}'
        raise MachineError([Problem(rule, part=driver.name, fix=fix)], PLACE)
    assert not isinstance(source, Function)
    return Harmonic(float(source.values[0]))


def unit_of(driver: Driver, machine: Machine) -> str:
    """The SI unit of a driver's motion."""
    joint = machine.parts.get(driver.joint or "")
    turning = isinstance(joint, Joint) and joint.COORDINATES[driver.coordinate][1] == "angle"
    return "rad" if turning else "m"


def read_motions(machine: Machine, given: Mapping[str, Any]) -> dict[str, Motion]:
    """The motions among the inputs of a run, by driver; all problems at once."""
    motions: dict[str, Motion] = {}
    units = {driver.name: unit_of(driver, machine) for driver in machine.of(Driver) if driver.name in given}
    tables, problems = read_files(given, units)
    for driver in machine.of(Driver):
        if driver.name not in units:
            continue
        value = tables.get(driver.name, given[driver.name])
        if isinstance(value, CsvColumn):  # its file is faulty
            continue
        try:
            motion = read_motion(driver, units[driver.name], value)
            motion.at(np.zeros(1))
            motions[driver.name] = motion
        except MachineError as error:
            problems += error.problems
        except InputFault as fault:
            problems.append(Problem(str(fault), part=driver.name))
    if problems:
        raise MachineError(problems, PLACE)
    return motions
