# SPDX-License-Identifier: BSD-3-Clause
"""Relief valves that are too small: open as far as they go, and the pressure rises all the same.

Tested in tests/simulate/test_run_warnings.py and tests/analysis/test_resting_oil.py.
"""

from __future__ import annotations

from typing import NamedTuple

from knuckleboom.hydraulics.parts import PilotReliefValve, ReliefValve, ShockValve
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.machine import Machine
from knuckleboom.machine.shafts import speed_of
from knuckleboom.units import format_si


class Guard(NamedTuple):
    """A relief valve: its name and kind, the ports it is between, its branch, and from which drop on it is open, Pa."""

    name: str
    kind: str
    a: str
    b: str
    branch: str
    fully_open: float


def guards(machine: Machine) -> list[Guard]:
    """All relief valves of a machine."""
    found = []
    for part in machine.parts.values():
        if isinstance(part, PilotReliefValve):
            branch, rise = "main", part.pilot_override + 2.0 * part.spring
        elif isinstance(part, ReliefValve | ShockValve):
            branch, rise = "relief" if isinstance(part, ShockValve) else "flow", part.override
        else:
            continue
        kind = part.KIND.replace("_", " ")
        found.append(Guard(part.name, kind, str(part.a), str(part.b), branch, part.setting + rise))
    return found


def too_little(machine: Machine, guard: Guard, flow: float, drop: float) -> str:
    """That a relief valve is open as far as it goes, with what it lets pass, and which size to take."""
    passed = f"{format_si(flow, 'm^3/s')} pass at a pressure drop of {format_si(drop, 'Pa')}"
    rule = f"{guard.kind} '{guard.name}' is open there as far as it goes and lets only {passed}"
    return f"{rule}; take a larger one{wanted_size(machine, guard)}"


def wanted_size(machine: Machine, guard: Guard) -> str:
    """The flow of the pumps beside a relief valve as a setting of it; nothing where there is none beside it."""
    pumps = [part for part in machine.of(Pumping) if guard.a in (part.a, part.b)]
    flow = sum(abs(part.displacement * speed_of(machine, part)) for part in pumps)
    if not flow:
        return ""
    names, shown = ", ".join(f"'{part.name}'" for part in pumps), format_si(flow, "m^3/s")
    return f" for the {shown} of {names}, flow: [{shown}, {format_si(guard.fully_open, 'Pa')}]"
