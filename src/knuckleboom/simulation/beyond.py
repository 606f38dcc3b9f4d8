# SPDX-License-Identifier: BSD-3-Clause
"""What went beyond its bounds in a run: pressures that no setting explains, and inputs outside their range.

A pressure is reported from 1.5 times the highest setting of its circuit on (relief, shock and counterbalance valves,
cut-offs of pumps, pressure sources), or from 700 bar on, which oil of working machines never has. A circuit is what oil
can take any way in; tanks and other ports of fixed pressure separate circuits. What is shorter than the time between
two records may be missed. Tested in tests/simulate/test_run_warnings.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts import (
    CounterbalanceValve,
    PilotReliefValve,
    Pressure,
    PressureCompensatedPump,
    ReliefValve,
    ShockValve,
)
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.results.cavitation import MOST, quote_ports
from knuckleboom.simulation.cavitation import count
from knuckleboom.simulation.reliefs import guards, too_little
from knuckleboom.units import format_si

MARGIN = 1.5
"""Of the highest setting: valves overshoot and loads push back by some, pressures beyond have another reason."""
HIGHEST = 700e5
"""Pa, the pressure of jacks and tools; mobile machines have up to 450 bar."""
SHUT_IN = "put a relief valve where the oil is shut in, or find the pump or load that raises it"
LIMITING = (ReliefValve, PilotReliefValve, ShockValve, CounterbalanceValve)


def high_pressures(planned: Planned, results: Results) -> Iterator[str]:
    """Yield a sentence for each of the worst ports whose pressure went beyond its bound, and one for the rest."""
    found, highest = [], highest_settings(planned, results)
    for port, (setting, part) in highest.items():
        pressure = results[f"{port}.pressure"].values
        limit = min(MARGIN * setting, HIGHEST)
        if len(pressure) and np.max(pressure) > limit:
            found.append((float(np.max(pressure)) / limit, port, limit, setting, part))
    found.sort(reverse=True)
    for _, port, limit, setting, part in found[:MOST]:
        peak = count(results.time, -results[f"{port}.pressure"].values, -limit)
        shown = f"{-peak['lowest'] * 1e-5:,.0f} bar at t = {peak['at']:.4g} s"
        bound = f"{format_si(limit, 'Pa')}, which oil of working machines never has"
        if part is not None and limit < HIGHEST:
            whose = f"{format_si(setting, 'Pa')} of {part.KIND} '{part.name}'"
            bound = f"{MARGIN:g} times the highest setting of its circuit ({whose})"
        beside = {one for one, most in highest.items() if most is highest[port]}
        fix = small_relief(planned, results, port, beside, peak["at"]) or SHUT_IN
        yield f"The pressure at '{port}' rose to {shown}, beyond {bound}, for {format_si(peak['time'], 's')}: {fix}."
    if len(found) > MOST:
        yield f"The pressure was beyond its bound also at {quote_ports([port for _, port, *_ in found[MOST:]])}."


def small_relief(planned: Planned, results: Results, port: str, circuit: set[str], time: float) -> str:
    """What to do about a relief valve at a port, or else elsewhere in its circuit, that is open as far as it goes."""
    line = int(np.argmin(np.abs(results.time - time)))

    def value(path: str, otherwise: float) -> float:
        return float(results[path].values[line]) if path in results else otherwise

    own = sorted(guards(planned.machine), key=lambda guard: guard.a != port)
    for guard in (guard for guard in own if guard.a in circuit):
        ambient = planned.machine.ambient
        drop = value(f"{guard.a}.pressure", ambient) - value(f"{guard.b}.pressure", ambient)
        flow = value(f"{guard.name}.{guard.branch}{'' if guard.branch == 'flow' else '.flow'}", 0.0)
        if flow > 0.0 and drop > guard.fully_open:
            return too_little(planned.machine, guard, flow, drop)
    return ""


def highest_settings(planned: Planned, results: Results) -> dict[str, tuple[float, Part | None]]:
    """The highest setting in the circuit of each oil volume, Pa absolute, and whose it is; infinite where none is."""
    nodes = planned.layout.nodes
    fixed = {node.port for node in nodes if node.source is not None}
    volumes = [node.port for node in nodes if node.source is None and f"{node.port}.pressure" in results]
    near: dict[str, set[str]] = {}
    for branch in planned.layout.branches:
        near.setdefault(branch.a, set()).add(branch.b)
        near.setdefault(branch.b, set()).add(branch.a)
    at = list(settings(planned, results))
    found: dict[str, tuple[float, Part | None]] = {}
    for start in volumes:
        if start in found:
            continue
        circuit, waiting, edge = {start}, [start], {start}
        while waiting:
            around = near.get(waiting.pop(), set()) - edge
            edge |= around
            waiting += around - fixed
            circuit |= around - fixed
        chosen = [(value, part) for port, value, part in at if port in edge]
        most = max(chosen, key=lambda one: one[0]) if chosen else (math.inf, None)
        found.update((port, most) for port in circuit if port in volumes)
    return found


def settings(planned: Planned, results: Results) -> Iterator[tuple[str, float, Part]]:
    """Yield what limits pressures: the port, the setting in Pa absolute, and the part."""
    ambient = planned.machine.ambient
    for part in planned.machine.parts.values():
        if isinstance(part, LIMITING):
            yield str(part.a), part.setting + ambient, part
        elif isinstance(part, PressureCompensatedPump):
            yield str(part.b), part.cutoff + ambient, part
        elif isinstance(part, Pressure):
            given = results[f"{part.name}.input"].values if f"{part.name}.input" in results else np.zeros(0)
            highest = max(part.value, float(np.max(given, initial=0.0)))
            if highest > ambient:  # a source at ambient pressure is a tank
                yield part.name, highest, part


def inputs_outside(planned: Planned, results: Results) -> Iterator[str]:
    """Yield a sentence for each input that left its range."""
    for signal in planned.layout.inputs:
        path = f"{signal.part}.{signal.name}"
        if signal.within is None or path not in results or not len(results.time):
            continue
        low, high = signal.within
        values = results[path].values
        off = np.maximum(low - values, values - high)
        if np.max(off) <= 0.0:
            continue
        first, worst = int(np.argmax(off > 0.0)), float(values[np.argmax(off)])
        used = f"it acts as {low if worst < low else high:g} does" if signal.held else "it was used as it is"
        value = f"{worst:g}" if signal.unit == "1" else format_si(worst, signal.unit)
        where = f"Input '{signal.path}' was {value} at t = {results.time[np.argmax(off)]:.4g} s"
        since = f", outside its range of {signal.range_text()} from t = {results.time[first]:.4g} s on"
        yield f"{where}{since}: {used}. Keep it within its range."
