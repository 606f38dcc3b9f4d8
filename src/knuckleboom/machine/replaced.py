# SPDX-License-Identifier: BSD-3-Clause
"""A machine with an actuator taken out, whose torque, force or speed is an input instead: a program computes it.

    electric = kb.replaced(machine, "slew_motor", "torque")      input "slew_motor", N·m; "slew_motor.rate" as before
    electric = kb.replaced(electric, "stick_cylinder", "speed")  input "stick_cylinder", m/s; "stick_cylinder.force"

    motor in a joint                            torque      an effort on its joint
    winch                                       force       an effort on its joint; positive pays rope out
    cylinder, single acting or telescopic       force       a thrust between its pins; positive extends
    motor in a joint, winch                     speed       a joint_servo
    cylinder, single acting or telescopic       speed       a length_servo

The new part has the name of the old one, and so have its readings: angle and rate, length and speed, torque or force.
Nothing else of the old part remains: its friction, leakage, cushions and stops are the program's to compute. Oil lines
that led to it end in closed volumes of the same port names, with the oil of its dead volumes and hoses. The machine
that is given stays as it is. A mass is moved by forces, so that a speed is held by a servo, up to load/gain. The speed
of a pump is an input in any case, or follows from that of an engine on its shaft. After [Baharudin 2016, publ. IV].
Tested in tests/cabin/test_replaced.py.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from knuckleboom.describe import Part, Port, problem
from knuckleboom.errors import MachineError, Problem
from knuckleboom.hydraulics.parts import Volume
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import (
    Cylinder,
    Effort,
    JointServo,
    LengthServo,
    Motor,
    SingleActingCylinder,
    TelescopicCylinder,
    Thrust,
    Winch,
)
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine.machine import Machine
from knuckleboom.names import closest

TORQUE, FORCE, SPEED = "torque", "force", "speed"
LINE = 1e-4
"""m³, of a line whose actuator has no dead volume: the default of actuators."""
LOAD = 1e7
"""Pa: the load pressure on the actuator, 100 bar, under which a servo of the default gain sags by SAG."""
SAG = 1e-4
"""m/s or rad/s."""


def replaced(machine: Machine, name: str, quantity: str, *, gain: float | str | None = None) -> Machine:
    """Return the machine with an actuator's torque, force or speed as an input of its name; MachineError where that
    cannot be.

    `name` is that of a motor, a winch or a cylinder. `gain` is that of the servo that holds a speed, N·s/m or
    N·m·s/rad; without it 100 bar of load lower the speed by 0.1 mm/s or 0.1 mrad/s.
    """
    part = machine.parts.get(name)
    if part is None:
        near = tuple(closest(name, [one.name for one in machine.parts.values() if _right(one)]))
        raise MachineError([Problem(f"there is no part '{name}'.", part=name, closest=near)], machine.where)
    fault = _fault(part, quantity, gain)
    if fault is not None:
        raise MachineError([fault], machine.where)
    found = copy.copy(machine)
    found.parts, found.sources = {}, dict(machine.sources)
    found.sources.pop(name, None)
    for one in machine.parts.values():
        if one.name != name:
            found.parts[one.name] = one
            continue
        found.parts[name] = _servo(part, gain) if quantity == SPEED else _actuator(part)
        for line in _lines(machine, part):
            found.add(line)
    return found


def _right(part: Part) -> str:
    """Return what of a part can be an input in its place; empty when nothing can."""
    if isinstance(part, Motor):
        return TORQUE
    return FORCE if isinstance(part, Winch | Ram) else ""


def _fault(part: Part, quantity: str, gain: float | str | None) -> Problem | None:
    right = _right(part)
    if isinstance(part, Motor) and part.shaft is not None:
        rule = "it turns a shaft, which has no place for an input."
        return problem(part, rule, "Replace a motor that is in a joint.")
    if right and quantity == SPEED:
        return None
    if right and quantity == right:
        rule = f"gain is that of the servo that holds a speed; a {right} needs none."
        return None if gain is None else problem(part, rule, f'Leave it out, or write "{SPEED}".')
    if isinstance(part, Pumping) and part.shaft is not None:
        rule = f"it is on shaft '{part.shaft}': set its engine's input, and what the pump takes is a reading."
        return problem(part, rule, f"Write the input of that engine, read '{part.name}.shaft_power'.")
    if isinstance(part, Pumping):
        rule = "it needs no replacing: its speed is an input already, and what its shaft takes is a reading."
        return problem(part, rule, f"Write the input '{part.name}.speed', read '{part.name}.shaft_power'.")
    if not right:
        return problem(part, "only motors, winches and cylinders can be replaced.")
    return problem(part, f"it has no '{quantity}' that could be an input.", f'Write "{right}" or "{SPEED}".')


def _actuator(part: Part) -> Part:
    if isinstance(part, Motor | Winch):
        return Effort(name=part.name, joint=part.joint, coordinate=part.coordinate)
    assert isinstance(part, Ram)
    return Thrust(name=part.name, a=part.a, b=part.b)


def _servo(part: Part, gain: float | str | None) -> Part:
    if gain is None:
        gain = _area(part) * LOAD / SAG
    if isinstance(part, Motor | Winch):
        return JointServo(name=part.name, joint=part.joint, coordinate=part.coordinate, gain=gain)
    assert isinstance(part, Ram)
    return LengthServo(name=part.name, a=part.a, b=part.b, gain=gain)


def _area(part: Part) -> float:
    """Force over load pressure at the row: m² of a cylinder or its first stage, m³/m of a winch, m³/rad."""
    if isinstance(part, Motor):
        return part.displacement
    if isinstance(part, Winch):
        return part.oil_per_length
    if isinstance(part, TelescopicCylinder):
        return part.areas[0]
    assert isinstance(part, Cylinder | SingleActingCylinder)
    return part.area_a


def _lines(machine: Machine, part: Part) -> Iterator[Part]:
    """Yield what the lines end in that led to the part."""
    used = {
        reference
        for other in machine.parts.values()
        for _, reference in other.references()
        if isinstance(reference, Port) and other is not part
    }
    for own in part.PORTS:
        if part.port(own) in used:
            size = getattr(part, f"dead_{own}") + getattr(part, f"hose_{own}", 0.0)
            pressure = getattr(part, f"pressure_{own}")
            oil = getattr(part, "oil")  # noqa: B009  # every part here has one, their common base does not
            yield Volume(name=str(part.port(own)), oil=oil, size=size or LINE, pressure=pressure)
