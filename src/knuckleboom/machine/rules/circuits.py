# SPDX-License-Identifier: BSD-3-Clause
"""Circuits: a node has one pressure source, the ports a part joins have one oil, and oil starts within its law."""

import math
from collections.abc import Iterator

from knuckleboom.describe import OilName, Part, Port, problem
from knuckleboom.errors import Problem
from knuckleboom.hydraulics.parts.fluids import AirFluid, AnyFluid, CavitatingFluid, NayaFluid
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.rules.recorder import expand_parts
from knuckleboom.units import format_si


def one_pressure_source(machine: Machine) -> Iterator[Problem]:
    """No two parts fix the pressure of the same port; what a part fixes is found by expanding it."""
    sources: dict[str, list[Part]] = {}
    for part, net in expand_parts(machine):
        for port in net.fixed:
            sources.setdefault(port, []).append(part)
    for port, parts in sources.items():
        if len(parts) < 2:
            continue
        first, second = parts[0], parts[1]
        rule = f"{first.KIND} '{first.name}' and {second.KIND} '{second.name}' both fix the pressure of node '{port}'."
        line, oil = f"{second.name}_line", getattr(machine.port_owner(port), "oil", "oil")
        fix = (
            "A node can have one pressure source. "
            f"Join '{second.name}' to a volume and put a restrictor between them:\n"
            f"  volumes: {{{line}: {{oil: {oil}, size: 0.1 l}}}}\n"
            f"  restrictors: {{{second.name}_inlet: {{a: {port}, b: {line}, flow: [60 l/min, 5 bar]}}}}"
        )
        lines = machine.span(first.name, second.name)
        yield Problem(rule, part=second.name, kind=second.KIND, lines=lines, fix=fix)


def open_ports(machine: Machine) -> Iterator[Problem]:
    """A port that no other part is joined to may be meant, as that of a locked cylinder: it is said, not refused."""
    joined = {value for part in machine.parts.values() for _, value in part.references() if isinstance(value, Port)}
    for part in machine.parts.values():
        free = [port for port in part.ports() if port not in joined]
        if free and len(part.PORTS) == 1:
            # what is joined to others by itself, such as an accumulator by its inlet, needs nobody else
            if not any(isinstance(value, Port) for _, value in part.references()):
                yield problem(part, "nothing is joined to it.")
        elif free:
            listed = " and ".join(f"'{port}'" for port in free)
            yield problem(part, f"nothing is joined to {listed}, so no oil can get in or out there.")


def one_oil(machine: Machine) -> Iterator[Problem]:
    """The ports that a part joins, and its own, have the same oil."""
    for part in machine.parts.values():
        joined: dict[str, str] = {}
        for field, value in part.references():
            if isinstance(value, OilName):
                joined.setdefault(value, f"its own {field}")
            elif isinstance(value, Port):
                oil = getattr(machine.port_owner(value), "oil", None)
                if oil is not None:
                    joined.setdefault(oil, f"'{value}'")
        if len(joined) > 1:
            (oil, end), (other_oil, other_end) = list(joined.items())[:2]
            rule = f"it joins {end} with oil '{oil}' to {other_end} with oil '{other_oil}'."
            yield problem(part, rule, "Oils do not mix: give both the same oil, or join ports of one circuit.")


def start_pressures(machine: Machine) -> Iterator[Problem]:
    """A volume or chamber starts at a pressure that its oil's law covers; what starts is found by expanding a part."""
    for part, net in expand_parts(machine):
        oil = machine.parts.get(str(getattr(part, "oil", "")))
        if not isinstance(oil, Oil):
            continue
        low, high = pressure_range(oil.fluid)
        for field in (name for name in type(part).model_fields if name.startswith("pressure")):
            start = getattr(part, field)
            if start in net.starts and not low < start < high:
                limit = f"above {format_si(low, 'Pa')}" if start <= low else f"below {format_si(high, 'Pa')}"
                rule = f"{field} is {format_si(start, 'Pa')}; the law of oil '{oil.name}' holds {limit}."
                yield problem(part, rule, f"Give {field} {limit}, or another fluid.", field=field)


def pressure_range(fluid: AnyFluid) -> tuple[float, float]:
    """Pressures between which a law can be inverted, Pa: above vapour, and while Naya's bulk modulus is positive."""
    if isinstance(fluid, CavitatingFluid | AirFluid):
        return fluid.vapour, math.inf
    if isinstance(fluid, NayaFluid) and fluid.b < 0.0:
        return -math.inf, -0.5 * fluid.a / fluid.b
    return -math.inf, math.inf
