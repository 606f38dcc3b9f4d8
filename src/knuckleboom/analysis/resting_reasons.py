# SPDX-License-Identifier: BSD-3-Clause
"""What is said of oil at rest: by name what had to move, what was left open, what creeps, and why there is no rest.

A `place` is that of a row among the rows with oil. Tested in tests/analysis/test_resting_oil.py.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.resting_oil import Standing, metering_inputs
from knuckleboom.analysis.resting_search import UNMOVED, Rest, nearest_inputs
from knuckleboom.analysis.unheld import Loss, creep_fix, losses, sentence
from knuckleboom.analysis.weakness import Weakness, weakness
from knuckleboom.interface.contract import ROW
from knuckleboom.interface.elements import friction
from knuckleboom.interface.forces import KINDS
from knuckleboom.net import Row
from knuckleboom.simulation.reliefs import guards, too_little
from knuckleboom.units import format_si

Array = NDArray[np.float64]

TAKES_PART = 0.05  # of a unit vector: who takes part in what the equations leave open
SLOW = 1e-9  # m/s or rad/s: a row slower than this stands
NO_FRICTION = 1e-3  # of the breakaway force: what the weights leave to bristles when oil carries the load
AT_AMBIENT = 100.0  # Pa: what lies this little below ambient pressure is at it
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


def notes(standing: Standing, rest: Rest, held: Collection[str] = ()) -> list[str]:
    """Sentences about what was moved, but for inputs that are held, and what was left open, at rest or in creep."""
    said = []
    moved = moved_inputs(standing, rest)
    values = dict(zip((signal.path for signal in standing.layout.inputs), rest.X[standing.nx :], strict=False))
    owners = moved_for(standing, rest)
    for path, change in moved.items():
        if path in held:
            continue
        now = values[path]
        whose = f" of {owners[path]}" if path in owners else ""
        said.append(f"Input '{path}' was moved from {now - change:.4g} to {now:.4g}, so that the load{whose} rests.")
    said += creep_notes(standing, rest)
    forces = static_friction(standing, rest)
    for place, row in enumerate(standing.rows):
        force = forces.get(standing.layout.rows[row].part)
        if force is not None:
            of = f"{effort(standing, place, abs(force))} of at most {effort(standing, place, band(standing, place))}"
            said.append(f"Static friction of {described(standing, place)} holds {of}.")
    return said + below_ambient(standing, rest) + trapped(standing, rest, moved) + shared(standing)


def below_ambient(standing: Standing, rest: Rest) -> list[str]:
    """A sentence about chambers whose load asks for less than ambient pressure."""
    standing.residual(rest.unloaded)
    # what is there without the load, as in a tank below ambient, is not the load's
    ambient = np.minimum(standing.pressures(), float(standing.plan.oil.ambient[0]))
    standing.residual(rest.X)
    p = standing.pressures()
    ports = {chamber.port for chamber in standing.layout.chambers}
    low = [i for i, node in enumerate(standing.layout.nodes[: standing.nvolume])
           if node.port in ports and p[i] < ambient[i] - AT_AMBIENT]  # fmt: skip
    said = listed([standing.layout.nodes[i].port for i in low])
    least = format_si(float(np.min(p[low], initial=np.inf)), "Pa")
    return [f"Below ambient pressure, because the load asks for it: {said}, down to {least}."] if low else []


def moved_for(standing: Standing, rest: Rest) -> dict[str, str]:
    """Whose load an input was moved for, as far as that is known: "cylinder 'grip'"."""
    found: dict[str, str] = {}
    for column, group in rest.moved_for:
        names = [described(standing, place) for place in np.flatnonzero(standing.groups[group]).tolist()]
        found.setdefault(standing.layout.inputs[column - standing.nx].path, " and ".join(names))
    return found


def creep_notes(standing: Standing, rest: Rest) -> list[str]:
    """A sentence about each row that creeps: that it is too weak, or what would hold its load."""
    said = []
    for group, rows in enumerate(standing.groups):
        moving = creeping(standing, rest, np.flatnonzero(rows).tolist())
        weak = weakness(standing, group) if moving else None
        if weak is not None:
            found = too_weak(standing, weak)
            said.append(f"{capital('; '.join([found.reason, *moving]))}. {found.fix}")
            continue
        fix = creep_fix(standing, losses(standing, rest, group)) if moving else ""
        said += [f"{capital(clause)}: nothing holds its load. {fix}" for clause in moving]
    return said


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


def creeping(standing: Standing, rest: Rest, places: list[int] | None = None) -> list[str]:
    """A clause for each row that moves, or for each of those at some places."""
    said = []
    for place, speed in enumerate((standing.P @ rest.X[standing.is_creep]).tolist()):
        if abs(speed) > SLOW and (places is None or place in places):
            turning = row_at(standing, place).unit == "rad"
            size = f"{speed:.3g} rad/s" if turning else f"{1e3 * speed:.3g} mm/s"
            said.append(f"{described(standing, place)} creeps at {size}")
    return said


# why there is no rest


def refusal(standing: Standing, rest: Rest) -> str:
    """Why there is no rest, by name, and what to change; with inputs that are outside their range."""
    return "\n   ".join([why_no_rest(standing, rest), *outside(standing, rest)])


def outside(standing: Standing, rest: Rest) -> list[str]:
    """A sentence about each input that is held outside its range."""
    said = []
    for number, signal in enumerate(standing.layout.inputs):
        value = float(rest.unloaded[standing.nx + number])
        if signal.is_outside(value):
            shown = f"{value:g}" if signal.unit == "1" else format_si(value, signal.unit)
            said.append(f"Input '{signal.path}' is {shown}, outside its range of {signal.range_text()}.")
    return said


def why_no_rest(standing: Standing, rest: Rest) -> str:
    """Why there is no rest, and what to change; where that is not certain, only that none was found."""
    name = standing.mechanism.planned.machine.name
    if rest.ending == "restless":
        reason, fix = restless(standing, rest)
        return f"machine '{name}' has no static equilibrium: {reason}.\n   {fix}"
    found = [unheld(standing, rest, group) for group in rest.unheld]
    certain = any(one.certain for one in found)
    head = f"machine '{name}' has no static equilibrium" if certain else f"no equilibrium of machine '{name}' was found"
    if not found:
        return (
            f"{head}: each actuator can be held alone, but not all together.\n   Begin from other pressures or inputs."
        )
    if len(found) == 1:
        return f"{head}: {found[0].reason}.\n   {found[0].fix}"
    return "\n".join([f"{head}:", *(f"{n}. {one.reason}.\n   {one.fix}" for n, one in enumerate(found, start=1))])


class Unheld(NamedTuple):
    """Why an actuator has no hold, what to change, and whether it certainly has none."""

    reason: str
    fix: str
    certain: bool


def restless(standing: Standing, rest: Rest) -> tuple[str, str]:
    """The oil does not come to rest even with all rows standing: where it gathers, or what does not settle."""
    residual = standing.residual(rest.X)
    if not np.isfinite(residual).all():
        return "its oil cannot be evaluated at the start", "Check start pressures and volumes."
    rates, others = np.abs(residual[: standing.nvolume]), np.abs(residual[standing.nvolume : standing.nx])
    if not np.any(rates > 1.0) and np.any(others > 0.0):  # Pa/s
        place = int(np.argmax(others))
        if standing.nvolume + place >= standing.first_shaft:
            return "its shafts do not come to a steady speed", "Give what drives them more torque, or load them less."
        state = standing.layout.lags[place]
        return f"'{state.part}.{state.name}' does not come to rest", "Hold its input, or begin from other pressures."
    worst = int(np.argmax(rates))
    flow, pressure = float(standing.work.oil.Q_net[worst]), float(standing.work.oil.p[worst])
    what = f"{'gains' if flow > 0.0 else 'loses'} {format_si(abs(flow), 'm^3/s')}"
    port = standing.layout.nodes[worst].port
    reason = f"the oil in '{port}' {what} at {format_si(pressure, 'Pa')} though all cylinders stand"
    small = small_relief(standing, port) if flow > 0.0 else ""
    return reason, small or "Give it a way out (a relief valve, an open valve), or stop what feeds or empties it."


def small_relief(standing: Standing, port: str) -> str:
    """That a relief valve at a port is open as far as it goes, at the state of the last residual; else nothing."""
    oil, layout = standing.work.oil, standing.layout
    p = {node.port: float(oil.p[number]) for number, node in enumerate(layout.nodes)}
    machine = standing.mechanism.planned.machine
    for guard in (guard for guard in guards(machine) if guard.a == port):
        [number] = [i for i, one in enumerate(layout.branches) if (one.part, one.name) == (guard.name, guard.branch)]
        drop = p[guard.a] - p[guard.b]
        if drop > guard.fully_open:
            return f"{capital(too_little(machine, guard, float(oil.Q[number]), drop))}."
    return ""


def unheld(standing: Standing, rest: Rest, group: int) -> Unheld:
    """Why the rows of one group have no hold: too weak, or where their oil goes; and how fast they move."""
    places = np.flatnonzero(standing.groups[group]).tolist()
    names = " and ".join(described(standing, place) for place in places)
    needs = " and ".join(effort(standing, place, float(standing.needed[place])) for place in places)
    weak = weakness(standing, group)
    if weak is not None:
        return too_weak(standing, weak)
    lost = losses(standing, rest, group)
    where = "; ".join(sentence(standing, loss) for loss in lost)
    reason = f"{names} needs {needs} and has no hold" + (f": {where}" if where else "")
    reason += "".join(friction_said(standing, place) for place in places)
    if rest.ending == "creeps":
        moving = creeping(standing, rest, places)
        reason = "; ".join([reason, *moving])
    # with every valve near it given, oil that flows at the holding pressures leaves no rest
    movable = bool(np.any(nearest_inputs(standing, group) & standing.is_input))
    certain = not movable and (bool(lost) or rest.ending == "creeps")
    return Unheld(reason, remedy(standing, group, places, lost), certain)


def no_hold(standing: Standing, rest: Rest, group: int) -> str:
    """The reason alone, as a clause: too weak, or where the oil goes; nothing where that is not known."""
    weak = weakness(standing, group)
    if weak is not None:
        return too_weak(standing, weak).reason
    return "; ".join(sentence(standing, loss) for loss in losses(standing, rest, group))


def too_weak(standing: Standing, weak: Weakness) -> Unheld:
    """The pressure that is needed beside the one that can be had, and the size that would do."""
    name, needed = described(standing, weak.place), float(standing.needed[weak.place])
    has, highest = format_si(weak.needed, "Pa"), format_si(weak.highest, "Pa")
    reason = f"{name} is too weak: it needs {effort(standing, weak.place, needed)}, which is {has} in '{weak.port}'"
    reason += f", but '{weak.limited_by}' allows at most {highest}"
    reason += friction_said(standing, weak.place)
    ambient = float(standing.plan.oil.ambient[0])
    times = (weak.needed - ambient) / (weak.highest - ambient) if weak.highest > ambient else np.inf
    what = "displacement" if row_at(standing, weak.place).unit == "rad" else "piston area"
    fix = f"Take {times:.3g} times the {what}" if np.isfinite(times) else f"Take a larger {what}"
    return Unheld(reason, f"{fix}, raise the pressure to {has}, or lower the load.", True)


def friction_said(standing: Standing, place: int) -> str:
    """What friction of a row does at rest, as a clause; nothing where it has none."""
    held, smooth = band(standing, place), smoothed(standing, place)
    said = f"; its static friction holds at most {effort(standing, place, held)}" if held > 0.0 else ""
    if smooth > 0.0:
        said += f"; its friction of {effort(standing, place, smooth)} is smoothed and holds nothing at rest"
    return said


def remedy(standing: Standing, group: int, places: list[int], lost: list[Loss]) -> str:
    """What to change for an actuator without hold."""
    near = nearest_inputs(standing, group) & ~standing.is_input
    valves = {signal.path for signal in metering_inputs(standing.mechanism)}
    held = [one.path for i, one in enumerate(standing.layout.inputs) if near[standing.nx + i] and one.path in valves]
    if held:
        return f"Leave {listed(held)} out of the inputs: a valve then goes where the load rests."
    if sum(smoothed(standing, place) for place in places) >= max(abs(standing.needed[place]) for place in places):
        return "Give it friction that sticks (bristle_stiffness), or close what leaks."
    if lost and np.any(nearest_inputs(standing, group)):
        return f"Close that way, or put a counterbalance valve or a pilot check at '{lost[0].port}'."
    return "Close what leaks, or give it a valve that can hold the load."


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
    kind = KINDS.index(friction)
    elements = range(tables.first[kind], tables.first[kind + 1])
    return float(sum(tables.number[i, 0] for i in elements if tables.index[i, ROW] == row))


def capital(sentence: str) -> str:
    """A sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def listed(names: list[str]) -> str:
    """Names in quotes, the first few."""
    shown = ", ".join(f"'{name}'" for name in names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} others" if len(names) > SHOWN else "")
