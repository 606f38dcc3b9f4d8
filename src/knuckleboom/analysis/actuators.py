# SPDX-License-Identifier: BSD-3-Clause
"""What cylinders and motors can push with: area or displacement times the pressure that something limits.

    force = pressure·area,   torque = pressure·displacement          pressure above the tank's, nothing flows

The highest pressure that can get to a port is found along the ways that oil can take from sources: on each way the
lowest setting of a relief, pilot relief, shock or reducing valve that guards it or of a pump's cut-off, and of all ways
the highest. Valves let oil pass in the directions of their edges, whatever their spools do; leakage is no way. So it is
the force of a stalled actuator with the other side at tank pressure, without friction. What a load may push back with
is another question: counterbalance valves answer it.
Tested in tests/analysis/test_actuators.py.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from knuckleboom.hydraulics.elements import flow_source, laminar, opened_restrictor, restrictor_one_sided
from knuckleboom.hydraulics.parts import (
    LaminarRestrictor,
    PilotReliefValve,
    Pressure,
    PressureCompensatedPump,
    ReducingValve,
    ReliefValve,
    ShockValve,
)
from knuckleboom.hydraulics.parts.directional import Directional
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import Motor, OilColumn
from knuckleboom.machine.shafts import moves_mechanism
from knuckleboom.plan import Planned

RELIEFS = (ReliefValve, PilotReliefValve)
ONE_WAY = (opened_restrictor.KIND, restrictor_one_sided.KIND)
WORDS = {"N": ("extends", "retracts"), "N*m": ("forward", "back")}


@dataclass(frozen=True)
class Push:
    """One direction of an actuator: its area [m²] or displacement [m³/rad], pressure [Pa] and force [N or N·m].

    A telescopic cylinder has the area of its widest sleeve, which goes out first.
    `limited_by` names the part that limits the pressure; where nothing does, pressure and force are None.
    """

    actuator: str
    direction: str
    port: str
    area: float
    pressure: float | None
    limited_by: str
    force: float | None
    unit: str


def actuator_forces(planned: Planned) -> list[Push]:
    """What every cylinder and motor can push with in each direction, in the machine's order."""
    highest = highest_pressures(planned)
    found = []
    for chamber in planned.layout.chambers:
        part = planned.machine.parts[chamber.part]
        if not moves_mechanism(planned.machine, chamber):
            continue
        unit = "N*m" if isinstance(part, Motor) else "N"
        area, direction = abs(chamber.area), WORDS[unit][0 if chamber.area > 0.0 else 1]
        pressure, by = highest.get(chamber.port, (0.0, ""))
        limited = math.isfinite(pressure)
        force = pressure * area if limited else None
        most, who = (pressure, by) if limited else (None, "")
        found.append(Push(chamber.part, direction, chamber.port, area, most, who, force, unit))
    return found


def highest_pressures(planned: Planned) -> dict[str, tuple[float, str]]:
    """The highest pressure above the tank's that can get to each port, and who limits it; ports without are left out.

    Ways are followed from the sources on, the highest pressure first, so that each port is settled when it is met.
    """
    guards, ways = guarded(planned), oil_ways(planned)
    fixed = {node.port for node in planned.layout.nodes if node.source is not None}  # such as tanks: no way through
    waiting: list[tuple[float, str, str]] = []

    def get_to(port: str, pressure: float, by: str) -> None:
        limit, guard = guards.get(port, (math.inf, ""))
        heapq.heappush(waiting, (-min(pressure, limit), port, guard if limit < pressure else by))

    for port, pressure, by in sources(planned):
        get_to(port, pressure, by)
    found: dict[str, tuple[float, str]] = {}
    while waiting:
        negative, port, by = heapq.heappop(waiting)
        if port not in found:
            found[port] = -negative, by
            for onward in ways.get(port, ()):
                if onward not in fixed:
                    get_to(onward, -negative, by)
    return found


def guarded(planned: Planned) -> dict[str, tuple[float, str]]:
    """The lowest setting at each port that a valve guards, and its name."""
    found: dict[str, tuple[float, str]] = {}
    for part in planned.machine.parts.values():
        if isinstance(part, (*RELIEFS, ShockValve)):
            port = str(part.a)
        elif isinstance(part, ReducingValve):
            port = str(part.b)
        else:
            continue
        if part.setting < found.get(port, (math.inf, ""))[0]:
            found[port] = part.setting, part.name
    return found


def sources(planned: Planned) -> list[tuple[str, float, str]]:
    """Ports that oil comes from, with the pressure above ambient that it can have there and who says so."""
    found = []
    ambient = planned.machine.ambient
    for node in planned.layout.nodes:
        part = planned.machine.parts[node.part]
        if node.source is not None:
            found.append((node.port, part.value - ambient if isinstance(part, Pressure) else 0.0, part.name))
    fed = [(branch.b, branch.part) for branch in planned.layout.branches if branch.kind == flow_source.KIND]
    fed += [(pump.b, pump.name) for pump in planned.machine.of(Pumping) if pump.shaft is not None]
    for port, name in fed:
        part = planned.machine.parts[name]
        most = part.cutoff if isinstance(part, PressureCompensatedPump) else math.inf
        found.append((port, most, name))
    return found


def oil_ways(planned: Planned, *, through_spools: bool = True) -> dict[str, list[str]]:
    """Where oil can get to from each port."""
    ways: dict[str, list[str]] = {}
    for branch in planned.layout.branches:
        part = planned.machine.parts[branch.part]
        leaks = branch.kind == laminar.KIND and not isinstance(part, LaminarRestrictor)
        shut = isinstance(part, Directional) and not through_spools
        if leaks or shut or branch.kind == flow_source.KIND or isinstance(part, RELIEFS):
            continue
        ways.setdefault(branch.a, []).append(branch.b)
        if branch.kind not in ONE_WAY and not isinstance(part, Directional):
            ways.setdefault(branch.b, []).append(branch.a)
    for column in planned.machine.of(OilColumn):
        if column.a is not None and column.b is not None:
            ways.setdefault(column.a, []).append(column.b)
            ways.setdefault(column.b, []).append(column.a)
    return ways
