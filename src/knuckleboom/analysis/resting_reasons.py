# SPDX-License-Identifier: BSD-3-Clause
"""What is said of oil at rest: by name what had to move, what was left open, what creeps, and why there is no rest.

Tested in tests/analysis/test_resting_oil.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.resting_oil import Rest, Standing, metering_inputs
from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.units import format_si, rate_unit

Array = NDArray[np.float64]

TAKES_PART = 0.05  # of a unit vector: who takes part in what the equations leave open
UNMOVED = 1e-12  # of an input: rounding
SLOW = 1e-9  # m/s or rad/s: a row slower than this stands


def moved_inputs(standing: Standing, rest: Rest) -> dict[str, float]:
    """By how much each input was moved."""
    first, signals = standing.nx, standing.layout.inputs
    change = (rest.X - rest.unloaded)[first : first + standing.nu]
    return {signal.part: float(one) for signal, one in zip(signals, change, strict=True) if abs(one) > UNMOVED}


def creep_speeds(standing: Standing, rest: Rest) -> dict[str, float]:
    """Speed of each cylinder and motor that does not stand, by its name."""
    speeds = standing.P @ rest.X[standing.is_creep]
    parts = [standing.layout.rows[row].part for row in standing.rows]
    return {part: float(speed) for part, speed in zip(parts, speeds, strict=True) if abs(speed) > SLOW}


def notes(standing: Standing, rest: Rest) -> list[str]:
    """Sentences about what was moved and what was left open, for a state that rests or creeps."""
    said = []
    moved = moved_inputs(standing, rest)
    for signal, value in zip(standing.layout.inputs, standing.work.state.u, strict=True):
        if signal.part in moved:
            before = f"{value - moved[signal.part]:.4g}"
            said.append(f"Input '{signal.part}' was moved from {before} to {value:.4g}, so that the load rests.")
    said += [creep_sentence(standing, part, speed) for part, speed in creep_speeds(standing, rest).items()]
    said += open_sentences(standing, rest, moved)
    return said


def open_sentences(standing: Standing, rest: Rest, moved: dict[str, float]) -> list[str]:
    """Sentences about trapped oil and about loads that can be shared in more than one way."""
    said = []
    changed = np.zeros(standing.size, bool)
    for number, signal in enumerate(standing.layout.inputs):
        changed[standing.nx + number] = signal.part in moved
    part = standing.left_open(rest.X, changed)[: standing.nvolume]
    trapped = [standing.layout.nodes[i].port for i in np.flatnonzero(part > TAKES_PART)]
    if trapped:
        many = "are" if len(trapped) > 1 else "is"
        rule = f"The oil in {listed(trapped)} {many} trapped: more than one pressure would do."
        said.append(f"{rule} Taken is what differs least from the start pressures.")
    free = np.linalg.norm(np.eye(len(standing.rows)) - standing.P @ standing.P.T, axis=1)
    sharing = [described(standing, int(row)) for row in standing.rows[free > TAKES_PART]]
    if len(sharing) > 1:
        said.append(f"How {', '.join(sharing)} share the load is left open: taken is the least change of pressures.")
    return said


def creep_sentence(standing: Standing, part: str, speed: float) -> str:
    """A sentence about a cylinder that moves."""
    row = next(row for row in standing.rows.tolist() if standing.layout.rows[row].part == part)
    unit = rate_unit(standing.layout.rows[row].unit)
    size = f"{1e3 * speed:.3g} mm/s" if unit == "m/s" else f"{speed:.3g} {unit}"
    return f"{described(standing, row).capitalize()} creeps at {size}: nothing holds its load."


def refusal(standing: Standing, rest: Rest) -> str:
    """Why there is no rest, by name, and what to change."""
    name = standing.mechanism.planned.machine.name
    reason, fix = restless(standing, rest) if rest.ending == "restless" else unheld(standing, rest)
    return f"machine '{name}' has no static equilibrium: {reason}.\n   {fix}"


def restless(standing: Standing, rest: Rest) -> tuple[str, str]:
    """The oil does not come to rest even with all rows standing: where it gathers."""
    residual = standing.residual(rest.X)
    if not np.isfinite(residual).all():
        return "its oil cannot be evaluated at the start", "Check start pressures and volumes."
    rates = np.abs(residual[: standing.nvolume])
    worst = int(np.argmax(rates)) if len(rates) else -1
    if worst < 0 or (rates[worst] < 1.0 and standing.nx > standing.nvolume):  # Pa/s
        state = int(np.argmax(np.abs(residual[standing.nvolume : standing.nx])))
        lag = standing.layout.lags[state]
        return f"'{lag.part}.{lag.name}' does not come to rest", "Hold its input, or begin from other pressures."
    flow = float(standing.work.oil.Q_net[worst])
    what = "gains" if flow > 0.0 else "loses"
    port, pressure = standing.layout.nodes[worst].port, format_si(float(standing.work.oil.p[worst]), "Pa")
    reason = f"the oil in '{port}' {what} {format_si(abs(flow), 'm^3/s')} at {pressure} and all cylinders standing"
    return reason, "Give it a way out (a relief valve, an open valve), or stop what feeds or empties it."


def unheld(standing: Standing, rest: Rest) -> tuple[str, str]:
    """The rows that do not get the force they need, or creep."""
    standing.residual(rest.unloaded)
    given = standing.work.rows.force[standing.rows].copy()
    lacking = np.abs(standing.P @ (standing.P.T @ (given - standing.needed)))
    worst = int(np.argmax(lacking))
    row = standing.rows[worst]
    unit = "N*m" if standing.layout.rows[row].unit == "rad" else "N"
    name, needed = described(standing, row), float(standing.needed[worst])
    limit = reach(standing, row, needed)
    if limit is not None:
        most, sources = limit
        reason = f"{name} needs {format_si(needed, unit)}, but {sources} give it at most {format_si(most, unit)}"
        return reason, "Raise the pressure or its piston's area, or lower the load."
    reason = f"{name} needs {format_si(needed, unit)} and gets {format_si(float(given[worst]), unit)}"
    if rest.ending == "creeps":
        speeds = [creep_sentence(standing, *one).split(":")[0] for one in creep_speeds(standing, rest).items()]
        reason += "; " + ", ".join(speed[0].lower() + speed[1:] for speed in speeds)
    valves = metering_inputs(standing.mechanism)
    held = [one.part for i, one in enumerate(standing.layout.inputs) if not standing.is_input[standing.nx + i]]
    held = [part for part in held if any(valve.part == part for valve in valves)]
    if held:
        return reason, f"Leave {listed(held)} out of the inputs: a valve then goes where the load rests."
    return reason, "Close what leaks, or give it a valve that can hold the load."


def reach(standing: Standing, row: int, needed: float) -> tuple[float, str] | None:
    """The largest force towards the one needed that pressure sources can give, and these by name; None if enough.

    Known only where oil comes from pressure sources alone: no flow is forced in, no chamber is trapped.
    """
    layout, work = standing.layout, standing.work
    if any(branch.kind == flow_source.KIND for branch in layout.branches):
        return None
    first = standing.nvolume
    sources = {node.port: float(work.oil.p[first + i]) for i, node in enumerate(layout.nodes[first:])}
    chambers = [chamber for chamber in layout.chambers if chamber.row is layout.rows[row]]
    if not sources or not chambers:
        return None
    ambient = float(standing.plan.oil.ambient[0])
    high, low = max(sources, key=lambda port: sources[port]), min(sources, key=lambda port: sources[port])
    sign = 1.0 if needed > 0.0 else -1.0
    most = sum(chamber.area * (sources[high if sign * chamber.area > 0.0 else low] - ambient) for chamber in chambers)
    if sign * most >= abs(needed):
        return None
    return most, f"'{high}' at {format_si(sources[high], 'Pa')} and '{low}' at {format_si(sources[low], 'Pa')}"


def described(standing: Standing, row: int) -> str:
    """A row by its part: cylinder 'lift'."""
    part = standing.layout.rows[row].part
    return f"{standing.mechanism.planned.machine.parts[part].KIND} '{part}'"


def listed(names: list[str]) -> str:
    """Names in quotes, the first few."""
    shown = ", ".join(f"'{name}'" for name in names[:6])
    return shown + (f" and {len(names) - 6} others" if len(names) > 6 else "")
