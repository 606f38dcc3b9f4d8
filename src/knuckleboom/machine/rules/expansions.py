# SPDX-License-Identifier: BSD-3-Clause
"""Expansions: every part writes itself without an error, on ports that exist and under names of its own.

The parts of this package do; one from outside may not, and the problem names it. What an `expand` raises becomes a
sentence in machine/expanding.py. Golden text: tests/errors/outside_parts; tests/contract/test_bad_expand.py.
"""

from collections import Counter
from collections.abc import Iterator
from numbers import Real
from typing import Any

from knuckleboom.describe import Part, problem
from knuckleboom.errors import Problem
from knuckleboom.machine.expanding import ExpandError
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.rules.recorder import CircuitRecorder, record
from knuckleboom.names import closest
from knuckleboom.quantities import show


def parts_expand(machine: Machine) -> Iterator[Problem]:
    """Every part whose own values are right can be expanded, and what it writes holds together."""
    known: list[str] = [port for part in machine.parts.values() for port in part.ports()]
    for part in machine.parts.values():
        if any(True for _ in part.faults()):
            continue
        try:
            net = record(machine, part)
        except ExpandError as error:
            yield error.problem
            continue
        yield from unknown_ports(machine, part, net, known)
        yield from unwritten_ports(part, net)
        yield from faulty_flows(part, net)
        yield from foreign_rows(part, net)


def unknown_ports(machine: Machine, part: Part, net: CircuitRecorder, known: list[str]) -> Iterator[Problem]:
    """Ports that an expansion writes to are those of a part; what a field names is checked as a reference."""
    referred = {value for _, value in part.references() if isinstance(value, str)}
    settled: set[str] = set(net.nodes)  # a part may have volumes inside that nobody else names
    written: list[Any] = list(net.ports())  # of anybody's code
    for port in written:
        if not isinstance(port, str):
            yield problem(part, f"its expand writes to {show(port)}, which is not the name of a port.")
        elif port not in referred | settled and machine.port_owner(port) is None and not machine.is_unread(port):
            settled.add(port)
            rule = f"its expand writes to port '{port}', which does not exist."
            yield problem(part, rule, closest=tuple(closest(port, known)))


def unwritten_ports(part: Part, net: CircuitRecorder) -> Iterator[Problem]:
    """Each of a part's own ports has a pressure."""
    for port in part.ports():
        if port not in net.nodes:
            rule = f"its expand gives its own port '{port}' no pressure."
            yield problem(part, rule, "Write the port with net.volume, net.gas or net.pressure.")


def faulty_flows(part: Part, net: CircuitRecorder) -> Iterator[Problem]:
    """Flows of a part have names of their own and finite numbers, and readings are of flows that it has."""
    names = Counter(str(branch.name) for branch in net.branches)
    for name, count in names.items():
        if count > 1:
            rule = f"its expand writes {count} flows of the name '{name}'."
            yield problem(part, rule, "Give each flow a name of its own.")
    for branch in net.branches:
        numbers: list[Any] = list(branch.numbers)
        wrong = [number for number in numbers if not isinstance(number, Real) or number != number]
        if wrong:
            rule = f"its expand writes a flow '{branch.name}' with {show(wrong[0])} in place of a number."
            yield problem(part, rule)
    for reading in net.readings:
        if reading.flow and reading.flow not in names:
            rule = f"its expand writes a reading '{reading.name}' of a flow '{reading.flow}', which it does not have."
            yield problem(part, rule, closest=tuple(closest(str(reading.flow), names)))


def foreign_rows(part: Part, net: CircuitRecorder) -> Iterator[Problem]:
    """Forces and chambers act on rows that the same expansion was given."""
    own = {id(row) for row in net.rows}
    acted_on = [row for force in net.forces for row in force.rows] + [chamber.row for chamber in net.chambers]
    if any(id(row) not in own for row in acted_on):
        rule = "its expand writes a force or a chamber on a row that net did not return."
        yield problem(part, rule, "Take it from net.length, net.coordinate, net.direction or net.turn.")
