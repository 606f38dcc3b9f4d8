# SPDX-License-Identifier: BSD-3-Clause
"""Pumps: something limits the pressure behind a fixed one, and they are not joined backwards.

The oil of a pump is followed along the ways that cannot close: orifices, lines and filters both ways, and valves that
its pressure opens. A valve is opened when the ports that its pressure reaches push it open more than they push it
shut; one that is open at rest, such as a compensator, passes pressure on, but closes before it could relieve. Spools
can close, so that no centre is a relief; leakage, accumulators and what moves are none either. A tank or pressure
source that is reached limits the pressure. Golden texts: tests/errors/pump_without_relief and pump_backwards.
"""

from collections.abc import Iterator

from knuckleboom.describe import problem
from knuckleboom.errors import Problem
from knuckleboom.hydraulics.parts import Pump, ReliefValve, Tank, VariablePump
from knuckleboom.hydraulics.parts.directional import OPEN
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.rules.recorder import Way, expand_parts
from knuckleboom.machine.shafts import speed_of
from knuckleboom.units import format_si

UNLIMITED = (Pump, VariablePump)
"""Pumps that deliver against any pressure."""


def pumps_without_relief(machine: Machine) -> Iterator[Problem]:
    """Oil of a pump that no pressure stops can always get to a tank."""
    pumps = [part for part in machine.parts.values() if isinstance(part, UNLIMITED)]
    if not pumps:
        return
    ways, fixed = circuit_ways(machine)
    for pump in pumps:
        outlet = ends(machine, pump)[1]
        reached = reached_ports(outlet, ways)
        if not reached & fixed:
            rule = f"nothing limits the pressure at '{outlet}', into which it pumps: no relief valve guards it, "
            rule += "and every way to a tank can close."
            yield problem(pump, rule, relief_fix(machine, pump, outlet, reached))


def pumps_backwards(machine: Machine) -> Iterator[Problem]:
    """A pump does not empty the work line into the tank."""
    pumps = [part for part in machine.parts.values() if isinstance(part, Pumping)]
    if not pumps:
        return
    ways, fixed = circuit_ways(machine)
    still = [way for way in ways if way.by is None]
    for pump in pumps:
        inlet, outlet = ends(machine, pump)
        drained = reached_ports(outlet, still) & fixed
        if drained and not reached_ports(inlet, ways) & fixed and not suction(inlet, ways) & fixed:
            rule = f"it takes oil from '{inlet}' and pumps it into '{outlet}': it is joined backwards."
            field, fix = turning_fix(machine, pump)
            yield problem(pump, rule, fix, field=field)


def ends(machine: Machine, pump: Pumping) -> tuple[str, str]:
    """The ports that a pump takes oil from and puts it into, by the signs of its speed and its setting."""
    turned = speed_of(machine, pump) * getattr(pump, "setting", 1.0) < 0.0
    return (pump.b, pump.a) if turned else (pump.a, pump.b)


def turning_fix(machine: Machine, pump: Pumping) -> tuple[str, str]:
    """The setting that makes a pump work backwards, and what to do about it."""
    if speed_of(machine, pump) < 0.0:
        if pump.shaft is None:
            return "speed", "Change the sign of its speed."
        return "shaft", f"Change the sign of the speed of '{pump.shaft}'."
    if getattr(pump, "setting", 1.0) < 0.0:
        return "setting", "Change the sign of its setting."
    return "b", f"Swap its ports: a: {pump.b}, b: {pump.a}"


def circuit_ways(machine: Machine) -> tuple[list[Way], set[str]]:
    """All ways that oil can take, and the ports whose pressure is fixed."""
    ways: list[Way] = []
    fixed: set[str] = set()
    for _, net in expand_parts(machine):
        ways += net.ways
        fixed.update(net.fixed)
    return ways, fixed


def reached_ports(start: str, ways: list[Way]) -> set[str]:
    """Ports that oil gets to from a port whatever spools do, once its pressure has risen far enough."""
    flows, pressed = {start}, {start}  # where oil gets to, and where at least its pressure does
    while True:
        before = len(flows) + len(pressed)
        for way in ways:
            if way.by is None:
                if way.open >= OPEN and not flows.isdisjoint((way.a, way.b)):
                    flows |= {way.a, way.b}
            elif way.a in flows:
                at_rest = way.setting < 0.0
                pressed |= {way.b} if at_rest else set()
                push = sum(weight for port, weight in way.by.items() if port in pressed)
                if push > 0.0 or (at_rest and push == 0.0):
                    flows.add(way.b)
        pressed |= flows
        if len(flows) + len(pressed) == before:
            return flows


def suction(port: str, ways: list[Way]) -> set[str]:
    """Ports that oil can be sucked from through what is open or opens by itself, such as a check valve."""
    found = {port}
    while True:
        more = {way.a for way in ways if way.b in found and (way.by is not None or way.open >= OPEN)}
        more |= {way.b for way in ways if way.a in found and way.by is None and way.open >= OPEN}
        if more <= found:
            return found
        found |= more


def relief_fix(machine: Machine, pump: Pumping, outlet: str, reached: set[str]) -> str:
    """A relief valve that is joined the wrong way round, or one to add."""
    for valve in machine.of(ReliefValve):
        if valve.b in reached and valve.a not in reached:
            swap = f"a: {valve.b}, b: {valve.a}"
            return f"Relief valve '{valve.name}' is joined the wrong way round, a is the port it guards: {swap}"
    tanks = [tank.name for tank in machine.of(Tank)]
    tank = pump.a if pump.a in tanks else (tanks or ["tank"])[0]
    speed = speed_of(machine, pump) or 150.0  # rad/s where none is given
    flow = format_si(abs(pump.displacement * speed), "m^3/s")
    size = f"setting: 250 bar, flow: [{flow}, 270 bar]"
    return f"Put a relief valve beside it:\n  relief_valves: {{{pump.name}_relief: {{a: {outlet}, b: {tank}, {size}}}}}"
