# SPDX-License-Identifier: BSD-3-Clause
"""Values: what each part says about its own values, such as a rod thicker than its bore; and what is meant as given."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts import Body
from knuckleboom.mechanics.parts.body import inertia_faults
from knuckleboom.units import format_si

A_BODY = "bodies: {boom: {mass: 200 kg, com: [1, 0, 0], inertia: [2, 70, 70]}}"
A_JOINT = "joints: {foot: {kind: revolute, a: ground, b: boom, axis: y}}"
"""The smallest machine that moves."""


def own_faults(machine: Machine) -> Iterator[Problem]:
    """Every part's own values make sense; the rules are in the parts' files."""
    for part in machine.parts.values():
        for fault in part.faults():
            yield problem(part, fault.rule, fault.fix, field=fault.field, closest=fault.closest)


def some_parts(machine: Machine) -> Iterator[Problem]:
    """A machine has parts."""
    if not machine.parts:
        rule = "The machine has no parts, so that nothing can move."
        yield Problem(rule, fix=f"Add a body, and a joint that holds it:\n  {A_BODY}\n  {A_JOINT}", file=machine.file)


def inertias_as_given(machine: Machine) -> Iterator[Problem]:
    """An inertia that no mass could have is said also where the body takes it as given."""
    for body in machine.of(Body):
        for fault in inertia_faults(body.inertia) if body.inertia_as_given else ():
            yield problem(body, fault.rule, "It is taken as given.", field=fault.field)


def closed_lengths(machine: Machine) -> Iterator[Problem]:
    """A cylinder can be built as short as its closed length says."""
    for ram in machine.of(Ram):
        if ram.closed is not None and not any(True for _ in ram.faults()):
            yield from too_short(ram, ram.closed)


def too_short(ram: Ram, closed: float) -> Iterator[Problem]:
    """Yield what is wrong when a retracted cylinder is shorter than its longest stage with piston and gland."""
    stroke, ends = ram.longest_stage()
    least = stroke + ends
    if closed < least:
        length = f"closed is {format_si(closed, 'm')}"
        if ram.closed is None:
            length = f"retracted it is {format_si(closed, 'm')} long (its start length is half way out)"
        needs = f"a stroke of {format_si(stroke, 'm')} needs at least {format_si(least, 'm')} from pin to pin"
        room = f"{format_si(ends, 'm')}, one bore, is the least that piston and gland take"
        fix = "Give a longer closed, or a shorter stroke; both pins further apart, if the cylinder is to fit."
        field = "stroke" if ram.closed is None else "closed"
        yield problem(ram, f"{length}, but {needs}: {room}.", fix, field=field)
