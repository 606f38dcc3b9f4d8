# SPDX-License-Identifier: BSD-3-Clause
"""What is said of oil at rest: by name what had to move, what was left open, what creeps, and why there is no rest.

A `place` is that of a row among the rows with oil. Tested in tests/analysis/test_resting_oil.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.resting_oil import Rest, Standing, metering_inputs
from knuckleboom.hydraulics.elements import flow_source
from knuckleboom.interface.elements import friction
from knuckleboom.interface.forces import FORCE_ROW
from knuckleboom.plan.elements import Row
from knuckleboom.units import format_si

Array = NDArray[np.float64]

TAKES_PART = 0.05  # of a unit vector: who takes part in what the equations leave open
UNMOVED = 1e-12  # of an input: rounding
SLOW = 1e-9  # m/s or rad/s: a row slower than this stands
NO_FRICTION = 1e-3  # of the breakaway force: what the weights leave to bristles when oil carries the load
SHOWN = 6  # names in a sentence

# what was found, by name


def moved_inputs(standing: Standing, rest: Rest) -> dict[str, float]:
    """By how much each input was moved."""
    first, signals = standing.nx, standing.layout.inputs
    change = (rest.X - rest.unloaded)[first : first + standing.nu]
    return {signal.path: float(one) for signal, one in zip(signals, change, strict=True) if abs(one) > UNMOVED}


def creep_speeds(standing: Standing, rest: Rest) -> dict[str, float]:
    """Speed of each cylinder and motor that does not stand, m/s or rad/s."""
    speeds = (standing.P @ rest.X[standing.is_creep]).tolist()
    return {row_at(standing, place).part: one for place, one in enumerate(speeds) if abs(one) > SLOW}


def static_friction(standing: Standing, rest: Rest) -> dict[str, float]:
    """Force −σ₀ z of the bristles of each cylinder and motor that needs them to stand, N or N·m."""
    held: dict[str, float] = {}
    moving = creep_speeds(standing, rest)
    for one in standing.bristles:
        part, force = row_at(standing, one.place).part, -one.stiffness * float(rest.X[one.state])
        if abs(force) > NO_FRICTION * one.breakaway and part not in moving:
            held[part] = held.get(part, 0.0) + force
    return held


# what is said of it


def notes(standing: Standing, rest: Rest) -> list[str]:
    """Sentences about what was moved and what was left open, for a state that rests or creeps."""
    said = []
    moved = moved_inputs(standing, rest)
    values = dict(zip((signal.path for signal in standing.layout.inputs), rest.X[standing.nx :], strict=False))
    for path, change in moved.items():
        now = values[path]
        said.append(f"Input '{path}' was moved from {now - change:.4g} to {now:.4g}, so that the load rests.")
    said += [f"{capital(sentence)}: nothing holds its load." for sentence in creeping(standing, rest)]
    held = static_friction(standing, rest)
    for place, row in enumerate(standing.rows):
        force = held.get(standing.layout.rows[row].part)
        if force is not None:
            of = f"{effort(standing, place, abs(force))} of at most {effort(standing, place, band(standing, place))}"
            said.append(f"Static friction of {described(standing, place)} holds {of}.")
    return said + trapped(standing, rest, moved) + shared(standing)


def trapped(standing: Standing, rest: Rest, moved: dict[str, float]) -> list[str]:
    """A sentence about oil whose pressure the equations leave open."""
    changed = np.zeros(standing.size, bool)
    for number, signal in enumerate(standing.layout.inputs):
        changed[standing.nx + number] = signal.path in moved
    part = standing.left_open(rest.X, changed)[: standing.nvolume]
    ports = [standing.layout.nodes[i].port for i in np.flatnonzero(part > TAKES_PART)]
    if not ports:
        return []
    rule = f"The oil in {listed(ports)} is trapped: more than one pressure would do."
    return [f"{rule} Taken is what differs least from the start."]


def shared(standing: Standing) -> list[str]:
    """A sentence about rows that work against each other."""
    free = np.linalg.norm(np.eye(len(standing.rows)) - standing.P @ standing.P.T, axis=1)
    sharing = [described(standing, place) for place in np.flatnonzero(free > TAKES_PART).tolist()]
    if len(sharing) < 2:
        return []
    return [f"How {' and '.join(sharing)} share the load is left open: taken is the least change of pressures."]


def creeping(standing: Standing, rest: Rest) -> list[str]:
    """A clause for each row that moves."""
    said = []
    for place, speed in enumerate((standing.P @ rest.X[standing.is_creep]).tolist()):
        if abs(speed) > SLOW:
            turning = row_at(standing, place).unit == "rad"
            size = f"{speed:.3g} rad/s" if turning else f"{1e3 * speed:.3g} mm/s"
            said.append(f"{described(standing, place)} creeps at {size}")
    return said


# why there is no rest


def refusal(standing: Standing, rest: Rest) -> str:
    """Why there is no rest, by name, and what to change."""
    name = standing.mechanism.planned.machine.name
    reason, fix = restless(standing, rest) if rest.ending == "restless" else unheld(standing, rest)
    return f"machine '{name}' has no static equilibrium: {reason}.\n   {fix}"


def restless(standing: Standing, rest: Rest) -> tuple[str, str]:
    """The oil does not come to rest even with all rows standing: where it gathers, or what does not settle."""
    residual = standing.residual(rest.X)
    if not np.isfinite(residual).all():
        return "its oil cannot be evaluated at the start", "Check start pressures and volumes."
    rates, others = np.abs(residual[: standing.nvolume]), np.abs(residual[standing.nvolume : standing.nx])
    if not np.any(rates > 1.0) and np.any(others > 0.0):  # Pa/s
        state = standing.layout.lags[int(np.argmax(others))]
        return f"'{state.part}.{state.name}' does not come to rest", "Hold its input, or begin from other pressures."
    worst = int(np.argmax(rates))
    flow, pressure = float(standing.work.oil.Q_net[worst]), float(standing.work.oil.p[worst])
    what = f"{'gains' if flow > 0.0 else 'loses'} {format_si(abs(flow), 'm^3/s')}"
    port = standing.layout.nodes[worst].port
    reason = f"the oil in '{port}' {what} at {format_si(pressure, 'Pa')} though all cylinders stand"
    return reason, "Give it a way out (a relief valve, an open valve), or stop what feeds or empties it."


def unheld(standing: Standing, rest: Rest) -> tuple[str, str]:
    """The row that lacks most of the force it needs, what it could get, and how fast it moves."""
    standing.residual(rest.unloaded)
    given = np.array(standing.work.rows.force[standing.rows])
    lacking = np.abs(standing.P @ (standing.P.T @ (given - standing.needed)))
    worst = int(np.argmax(lacking))
    name, needed = described(standing, worst), float(standing.needed[worst])
    limit = reach(standing, worst, needed)
    most = float(given[worst]) + rest.part * (needed - float(given[worst]))
    # how far the search for a rest came says nothing of what pumps and sources could give
    gets = ", but no rest was found in which it gets more than" if rest.part > 0.0 else " and gets"
    reason = f"{name} needs {effort(standing, worst, needed)}{gets} {effort(standing, worst, most)}"
    if limit is not None:
        reason = f"{name} needs {effort(standing, worst, needed)}, but {limit}"
    if band(standing, worst) > 0.0:
        reason += f"; its static friction holds at most {effort(standing, worst, band(standing, worst))}"
    smooth = smoothed(standing, worst)
    if smooth > 0.0:
        reason += f"; its friction of {effort(standing, worst, smooth)} is smoothed and holds nothing at rest"
    if rest.ending == "creeps":
        reason = "; ".join([reason, *creeping(standing, rest)])
    if limit is not None:
        return reason, "Raise the pressure or its piston's area, or lower the load."
    valves = [signal.path for signal in metering_inputs(standing.mechanism)]
    held = [one.path for i, one in enumerate(standing.layout.inputs) if not standing.is_input[standing.nx + i]]
    held = [path for path in held if path in valves]
    if held:
        return reason, f"Leave {listed(held)} out of the inputs: a valve then goes where the load rests."
    if smooth >= lacking[worst]:
        return reason, "Give it friction that sticks (bristle_stiffness), or close what leaks."
    return reason, "Close what leaks, or give it a valve that can hold the load."


def reach(standing: Standing, place: int, needed: float) -> str | None:
    """The largest force towards the one needed that pressure sources can give, in words; None if it is enough.

    Known only where all oil comes from pressure sources: no flow is forced in.
    """
    layout, work = standing.layout, standing.work
    first, own = standing.nvolume, row_at(standing, place)
    sources = {node.port: float(work.oil.p[first + i]) for i, node in enumerate(layout.nodes[first:])}
    areas = [float(work.oil.area[i]) for i, chamber in enumerate(layout.chambers) if chamber.row is own]
    if not sources or not areas or any(branch.kind == flow_source.KIND for branch in layout.branches):
        return None
    ambient = float(standing.plan.oil.ambient[0])
    high, low = max(sources, key=lambda port: sources[port]), min(sources, key=lambda port: sources[port])
    sign = 1.0 if needed > 0.0 else -1.0
    most = sum(area * (sources[high if sign * area > 0.0 else low] - ambient) for area in areas)
    if sign * most + band(standing, place) >= abs(needed):
        return None
    named = dict.fromkeys(f"'{port}' at {format_si(sources[port], 'Pa')}" for port in (high, low))
    return f"{' and '.join(named)} give{'s' if len(named) == 1 else ''} it at most {effort(standing, place, most)}"


# words


def row_at(standing: Standing, place: int) -> Row:
    """The row at a place."""
    return standing.layout.rows[int(standing.rows[place])]


def described(standing: Standing, place: int) -> str:
    """A row by its part: cylinder 'lift'."""
    part = row_at(standing, place).part
    return f"{standing.mechanism.planned.machine.parts[part].KIND.replace('_', ' ')} '{part}'"


def effort(standing: Standing, place: int, value: float) -> str:
    """A force of a row, or a torque of a turning one, as people read it."""
    return format_si(value, "N*m" if row_at(standing, place).unit == "rad" else "N")


def band(standing: Standing, place: int) -> float:
    """The most that static friction of a row can hold, N or N·m."""
    return sum(one.breakaway for one in standing.bristles if one.place == place)


def smoothed(standing: Standing, place: int) -> float:
    """Dry friction of a row that is smooth at rest, N or N·m."""
    tables, row = standing.plan.forces, standing.rows[place]
    elements = range(tables.first[friction.KIND], tables.first[friction.KIND + 1])
    return float(sum(tables.number[i, 0] for i in elements if tables.index[i, FORCE_ROW] == row))


def capital(sentence: str) -> str:
    """A sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def listed(names: list[str]) -> str:
    """Names in quotes, the first few."""
    shown = ", ".join(f"'{name}'" for name in names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} others" if len(names) > SHOWN else "")
