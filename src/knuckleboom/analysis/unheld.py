# SPDX-License-Identifier: BSD-3-Clause
"""Where the oil of an actuator without hold goes: its chambers at the pressures that the load needs, others rigid.

The chambers are pinned at these pressures, the rest of the oil comes to rest beside them, and the flow of each chamber
is followed to where it has its largest pressure drop: that is the valve, seal or opening which does not hold. Chambers
that pass no more than a negligible flow are left out. Tested in tests/analysis/test_unheld.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.resting_oil import NEGLIGIBLE_FLOW, Standing, metering_signal
from knuckleboom.analysis.resting_search import Rest, chambers_of
from knuckleboom.hydraulics.elements import flow_source, laminar
from knuckleboom.hydraulics.parts import Filter, LaminarRestrictor
from knuckleboom.hydraulics.parts.directional import Directional
from knuckleboom.hydraulics.parts.valve_4_3 import CENTRES
from knuckleboom.machine.elements import Branch
from knuckleboom.units import format_si

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

MATTERS = 0.2  # of the largest flow: smaller ones follow from it


class Loss(NamedTuple):
    """Oil that a chamber does not keep: its port, pressure in Pa, flow out of it in m³/s, and the branch it takes."""

    port: str
    pressure: float
    flow: float
    branch: Branch
    opening: float


def losses(standing: Standing, rest: Rest, group: int) -> list[Loss]:
    """What the chambers of a group lose or gain at the pressures that hold the load, largest flow first."""
    pinned = chambers_of(standing, group)
    X = rest.unloaded.copy()
    standing.residual(X)
    wanted = holding_pressures(standing, group)
    standing.at_pressures(X, wanted, np.abs(wanted - standing.pressures()))
    standing.pinned = pinned
    X, _ = standing.relax(X)
    standing.pinned = np.zeros_like(pinned)
    standing.residual(X)
    found = sorted(found_losses(standing, pinned), key=lambda loss: -abs(loss.flow))
    return [loss for loss in found if abs(loss.flow) >= MATTERS * abs(found[0].flow)]


def holding_pressures(standing: Standing, group: int) -> Array:
    """Pressures of all volumes at the state of the last residual, but a group's chambers as the load needs them.

    The side that the load presses on carries it; the other one stays as it is, or goes to ambient pressure.
    """
    oil, layout = standing.work.oil, standing.layout
    wanted, ambient = standing.pressures(), float(standing.plan.oil.ambient[0])
    place_of = {node.port: number for number, node in enumerate(layout.nodes)}
    for place in np.flatnonzero(standing.groups[group]).tolist():
        own, force = layout.rows[int(standing.rows[place])], float(standing.needed[place])
        chambers = [
            (place_of[one.port], float(oil.area[i]))
            for i, one in enumerate(layout.chambers)
            if one.row is own and place_of[one.port] < len(wanted)  # no source
        ]
        if not chambers:
            continue
        for lowered in (False, True):
            given = {number: ambient if lowered else float(wanted[number]) for number, _ in chambers}
            pushing = [(number, area) for number, area in chambers if area * force > 0.0] or chambers[:1]
            number, area = pushing[0]
            others = sum(other * (given[n] - ambient) for n, other in chambers if n != number)
            given[number] = ambient + (force - others) / area
            if given[number] >= ambient:
                break
        for number, pressure in given.items():
            wanted[number] = max(pressure, ambient)
    return wanted


def found_losses(standing: Standing, pinned: Mask) -> list[Loss]:
    """The losses of pinned volumes at the state of the last residual."""
    oil, layout, found = standing.work.oil, standing.layout, []
    for number in np.flatnonzero(pinned).tolist():
        flow = -float(oil.Q_net[number])
        if abs(flow) > NEGLIGIBLE_FLOW:
            branch = narrowest(standing, number, flow, pinned)
            if branch is not None:
                opening = float(oil.opening[standing.plan.oil.branch_index[branch, 4]]) if has_opening(
                    layout.branches[branch]) else 1.0  # fmt: skip
                pressure = float(oil.p[number])
                found.append(Loss(layout.nodes[number].port, pressure, flow, layout.branches[branch], opening))
    return found


def has_opening(branch: Branch) -> bool:
    """Whether a spool or an input opens a branch."""
    return branch.opening is not None and branch.opening.signal is not None


def narrowest(standing: Standing, start: int, flow: float, pinned: Mask) -> int | None:
    """The branch with the largest pressure drop on the way that most of the oil takes from or to a volume."""
    oil, index = standing.work.oil, np.asarray(standing.plan.oil.branch_index)
    sign, node, passed, best = 1.0 if flow > 0.0 else -1.0, start, {start}, None
    while True:
        # flow from a to b is positive; it leaves the node, or enters it where oil is gained
        leaving = {b: sign * float(oil.Q[b]) * (1.0 if index[b, 0] == node else -1.0)
                   for b in range(len(index)) if node in index[b, :2].tolist()}  # fmt: skip
        if not leaving or max(leaving.values()) <= 0.0:
            return best
        branch = max(leaving, key=lambda one: leaving[one])
        if standing.layout.branches[branch].kind == flow_source.KIND:
            return best if best is not None else branch
        drop = abs(float(oil.p[index[branch, 0]] - oil.p[index[branch, 1]]))
        if best is None or drop > abs(float(oil.p[index[best, 0]] - oil.p[index[best, 1]])):
            best = branch
        node = int(index[branch, 1] if index[branch, 0] == node else index[branch, 0])
        if node in passed or node >= standing.nvolume or pinned[node]:
            return best
        passed.add(node)


# in words


def sentence(standing: Standing, loss: Loss) -> str:
    """Where the oil goes: 'grip.a' loses 0.12 l/min at 87.0 bar through valve 4 3 'grip_lever', A to T: …"""
    flow = format_si(abs(loss.flow), "m^3/s")
    word = "loses" if loss.flow > 0.0 else "gains"
    return f"'{loss.port}' {word} {flow} at {format_si(loss.pressure, 'Pa')} {reason(standing, loss)}"


def creep_fix(standing: Standing, lost: list[Loss]) -> str:
    """What would hold a load that creeps, by where most of its oil goes."""
    if not lost:
        return "Put a counterbalance valve or a pilot-operated check there."
    part: Any = standing.mechanism.planned.machine.parts[lost[0].branch.part]
    if is_gap(part, lost[0].branch):
        return f"Give {part.KIND.replace('_', ' ')} '{part.name}' a smaller leak."
    closing = f"Give '{part.name}' leak: 0" if leaks_closed(part, lost[0]) else f"Close '{part.name}'"
    return f"{closing}, or put a counterbalance valve or a pilot-operated check at '{lost[0].port}'."


def is_gap(part: Any, branch: Branch) -> bool:
    """Whether a branch is a seal or gap inside a part."""
    return branch.kind == laminar.KIND and not isinstance(part, (LaminarRestrictor, Filter))


def leaks_closed(part: Any, loss: Loss) -> bool:
    """Whether a spool loses oil over an edge that is closed."""
    return isinstance(part, Directional) and loss.opening <= max(part.leak, 0.0) * 1.5


def reason(standing: Standing, loss: Loss) -> str:
    """Through what, and why that is open."""
    branch = loss.branch
    part: Any = standing.mechanism.planned.machine.parts[branch.part]
    named = f"{part.KIND.replace('_', ' ')} '{branch.part}'"
    if isinstance(part, Directional):
        signal = metering_signal(branch)
        value = dict(zip((one.path for one in standing.layout.inputs), standing.work.state.u, strict=True))
        at = float(value.get(signal.path, 0.0)) if signal is not None else 0.0
        where = f"through {named} from {branch.a} to {branch.b}"
        if leaks_closed(part, loss):
            return f"{where}, whose closed edge {branch.name} leaks (leak: {part.leak:g})"
        centre = getattr(part, "centre", "closed")
        if abs(at) < getattr(part, "centre_width", 0.0) and branch.name in CENTRES.get(centre, ()):
            return f"{where}: its centre position is {centre} and joins {' and '.join(branch.name)}"
        return f"{where}, whose edge {branch.name} is open by {100.0 * loss.opening:.3g} % at the input {at:.4g}"
    if is_gap(part, branch):
        seal = "rod seal" if branch.name.startswith("rod_leak") else "piston seal" if "cylinder" in part.KIND else "gap"
        return f"past the {seal} of {named}"
    setting = getattr(part, "setting", None)
    if setting is not None:
        return f"through {named}, which opens at {format_si(setting, 'Pa')}"
    return f"through {named}: no valve holds it"
