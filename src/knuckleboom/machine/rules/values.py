# SPDX-License-Identifier: BSD-3-Clause
"""Values: what each part says about its own values, such as a rod thicker than its bore."""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.machine.machine import Machine


def own_faults(machine: Machine) -> Iterator[Problem]:
    """Every part's own values make sense; the rules are in the parts' files."""
    for part in machine.parts.values():
        for fault in part.faults():
            yield problem(part, fault.rule, fault.fix, field=fault.field, closest=fault.closest)
