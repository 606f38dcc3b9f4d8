# SPDX-License-Identifier: BSD-3-Clause
"""Held sums: what they add up has one unit, angles of shafts or volumes of columns of oil."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.machine.machine import Machine
from knuckleboom.mechanics.parts import HeldSum, Moving


def sums_fit(machine: Machine) -> Iterator[Problem]:
    """A held sum does not add angles to volumes."""
    for held in machine.of(HeldSum):
        units: dict[str, str] = {}
        for name in held.of:
            part = machine.parts.get(name)
            if isinstance(part, Moving):
                scalar = part.scalar_inertia()
                units.setdefault("rad" if scalar is None else scalar.unit, name)
        if len(units) > 1:
            (one, shaft), (other, column) = sorted(units.items(), reverse=True)
            rule = f"of adds the angle of '{shaft}' ({one}) to the volume of '{column}' ({other})."
            fix = "Sums are of shafts, or of columns of oil; a pump is what ties these to each other."
            yield problem(held, rule, fix, field="of")
