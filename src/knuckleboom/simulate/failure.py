# SPDX-License-Identifier: BSD-3-Clause
"""A status and an index become a sentence with names, what changed most, what to try, and what was kept."""

from __future__ import annotations

import numpy as np

from knuckleboom.layout import EMPTY, NOT_FINITE, SINGULAR
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.units import format_si


def owner_of_velocity(planned: Planned, velocity: int) -> str:
    """The joint a velocity belongs to."""
    for name, columns in planned.topology.tree.items():
        if velocity in columns.v:
            return name
    return ""


def owner_of_coordinate(planned: Planned, coordinate: int) -> str:
    """The joint a coordinate belongs to."""
    for name, columns in planned.topology.tree.items():
        if coordinate in columns.q:
            return name
    return ""


def describe_state(planned: Planned, index: int) -> tuple[str, str]:
    """What a number of the state is, and the path of the quantity that shows it."""
    nq, nv = planned.topology.nq, planned.topology.nv
    layout = planned.layout
    if index < nq:
        return f"the coordinate of joint '{owner_of_coordinate(planned, index)}'", ""
    if index < nq + nv:
        return f"the speed of joint '{owner_of_velocity(planned, index - nq)}'", ""
    state = index - nq - nv
    if state < layout.nvolume:
        port = layout.nodes[state].port
        return f"pressure at '{port}'", f"{port}.pressure"
    lag = layout.lags[state - layout.nvolume]
    return f"{lag.name} of '{lag.part}'", f"{lag.part}.{lag.name}"


def singular(planned: Planned, slot: int) -> tuple[str, str]:
    """A pivot of the wrong sign: a joint that moves nothing, or a loop without a direction to close."""
    order = planned.layout.elimination
    loops = np.flatnonzero(order.loop_slot == slot)
    if len(loops):
        part = planned.layout.loops.kept[int(loops[0])].part
        return f"'{part}' cannot close its loop here: the mechanism is in a singular position.", "enforcement 'penalty'"
    joint = owner_of_velocity(planned, int(np.flatnonzero(order.velocity_slot == slot)[0]))
    rule = f"joint '{joint}' moves no mass, or the state is no longer finite."
    return rule, "a body with mass and inertia behind it, or a smaller step"


def explain(planned: Planned, status: int, step: float, results: Results) -> str:
    """The text of a SimulationError."""
    fault, time = int(planned.work.state.fault[0]), float(planned.work.state.time[0])
    remedy = f"a smaller step (now {1e3 * step:g} ms)"
    path = ""
    if status == NOT_FINITE:
        what, path = describe_state(planned, fault)
        rule = f"{what} is no longer finite."
    elif status == SINGULAR:
        rule, remedy = singular(planned, fault)
    elif status == EMPTY:
        port = planned.layout.nodes[fault].port
        rule = f"no oil volume is left at '{port}'."
        remedy = "a larger dead volume, a stiffer end stop, or a stroke that fits the machine"
    else:
        rule = f"the engine gave status {status}."
    lines = [f"Simulation stopped at t = {time:.6g} s: {rule}"]
    if path and len(results.time):
        quantity = results[path]
        last = format_si(float(quantity.values[-1]), quantity.unit)
        lines.append(f"  last record       {last} at t = {results.time[-1]:.6g} s")
    largest = largest_flow(planned, results)
    if largest:
        lines.append(f"  largest change    {largest}")
    lines.append(f"  try               {remedy}")
    kept = f"results up to t = {results.time[-1]:.6g} s" if len(results.time) else "nothing was recorded yet"
    lines.append(f"  kept              {kept}")
    return "\n".join(lines)


def largest_flow(planned: Planned, results: Results) -> str:
    """The branch whose flow stands out most against its mean, if one does."""
    best, text = 2.0, ""  # twice its mean is where it begins to stand out
    for branch, flow in zip(planned.layout.branches, planned.work.oil.Q, strict=True):
        path = f"{branch.part}.flow" if branch.name == "flow" else f"{branch.part}.{branch.name}.flow"
        mean = float(np.mean(np.abs(results[path].values))) if len(results.time) else 0.0
        if np.isfinite(flow) and mean > 0.0 and abs(flow) / mean > best:
            best = abs(flow) / mean
            text = f"'{path}' ({format_si(float(flow), 'm^3/s')}, {best:.0f}x its mean)"
    return text
