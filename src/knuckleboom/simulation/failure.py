# SPDX-License-Identifier: BSD-3-Clause
"""A status and an index become a sentence with names, what changed most, what to try, and what was kept.

Golden texts are in tests/simulate/test_failure.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knuckleboom.engine.theta import HALVINGS
from knuckleboom.engine.timestepping import MOST_PARTS
from knuckleboom.layout import EMPTY, NOT_CONVERGED, NOT_FINITE, SINGULAR, UNSETTLED
from knuckleboom.machine.rules.values import inertias_as_given
from knuckleboom.methods import COSIMULATED, GRADIENTS
from knuckleboom.plan import Planned
from knuckleboom.plan.impulses import met_paths
from knuckleboom.results import Results
from knuckleboom.simulation.advice import advise, is_coarse
from knuckleboom.simulation.control import ControlFault
from knuckleboom.simulation.elsewhere import HalfFault
from knuckleboom.simulation.inputs import InputFault
from knuckleboom.simulation.owners import owner_of_coordinate, owner_of_equation, owner_of_velocity
from knuckleboom.simulation.run_warnings import failing_part, shown_part
from knuckleboom.simulation.unsettled import what_is_open, worst_equation
from knuckleboom.units import format_si

SMALL_PART = 0.05
"""A volume below this part of its largest is nearly empty."""
STANDS_OUT = 2.0
"""A flow this many times its mean stands out."""

Fault = InputFault | ControlFault | HalfFault
"""What somebody else's code did wrong."""


class Cause(NamedTuple):
    """What went wrong as a sentence, what to try, and the path of the quantity that shows it."""

    rule: str
    remedy: str
    path: str = ""


def wild_pressure(planned: Planned) -> int:
    """The first volume whose pressure or its rate was not finite in the last evaluation, −1 if none."""
    count = planned.layout.nvolume
    oil = planned.work.oil
    wild = np.flatnonzero(~(np.isfinite(oil.p[:count]) & np.isfinite(oil.x_dot[:count])))
    return int(wild[0]) if len(wild) else -1


def not_finite(planned: Planned, index: int, results: Results) -> Cause:
    """A number of the state (counted over q, v and x) that left all bounds; oil, which is stiffer, is named first."""
    nq, nv, layout = planned.topology.nq, planned.topology.nv, planned.layout
    node = wild_pressure(planned)
    if nq + nv <= index < nq + nv + layout.nvolume:
        node = index - nq - nv
    what, path = f"the motion of {owner_of_coordinate(planned, index)}", ""
    if node >= 0:
        path = f"{layout.nodes[node].port}.pressure"
        what = f"pressure at '{layout.nodes[node].port}'"
    elif index >= nq + nv + layout.nvolume:
        lag = layout.lags[index - nq - nv - layout.nvolume]
        what, path = f"{lag.name} of '{lag.part}'", f"{lag.part}.{lag.name}"
    elif index >= nq:
        what = f"the motion of {owner_of_velocity(planned, index - nq)}"
    remedy = advise(results)
    if node >= 0 and nearly_empty(results, layout.nodes[node].port):
        remedy += ", or a larger dead volume or stiffer end stop: hardly any oil was left there"
    return Cause(f"{what} is no longer finite.", remedy, path)


def nearly_empty(results: Results, port: str) -> bool:
    """Whether the oil volume at a port had shrunk to a small part of what it was."""
    if f"{port}.volume" not in results or not len(results.time):
        return False
    volume = results[f"{port}.volume"].values
    return bool(volume[-1] < SMALL_PART * volume.max())


def pivot(planned: Planned, slot: int) -> float:
    """The pivot at which the factorisation stopped."""
    order, system = planned.layout.elimination, planned.work.system
    if planned.method.factorisation != "dense" or planned.method.enforcement == "index3":
        return float(system.L[order.address(slot, slot)])
    joint = np.flatnonzero(order.velocity_slot == slot)
    if len(joint):
        return float(system.dense_M[joint[0], joint[0]])
    return float(system.dense_schur[(order.loop_slot == slot).argmax(), (order.loop_slot == slot).argmax()])


def singular(planned: Planned, slot: int, results: Results) -> Cause:
    """A pivot that is not positive: something that moves no mass, a run that diverged, or no number.

    Those of loops are lifted instead.
    """
    if in_newton(planned, slot):
        nv = planned.topology.nv
        what = owner_of_velocity(planned, slot) if slot < nv else owner_of_equation(planned, slot - nv)
        return Cause(f"Newton's matrix became singular at {what}.", advise(results))
    order = planned.layout.elimination
    loops = np.flatnonzero(order.loop_slot == slot)
    velocities = np.flatnonzero(order.velocity_slot == slot)
    if not np.isfinite(pivot(planned, slot)):
        system = planned.plan.system
        velocity = velocities[0] if len(velocities) else system.path_dof[system.path_first[loops[0]]]
        return not_finite(planned, planned.topology.nq + int(velocity), results)
    if planned.method.factorisation == GRADIENTS and pivot(planned, slot) > 0.0:
        return too_stiff(planned, results)
    what = owner_of_velocity(planned, int(velocities[0]))
    if given := [f"'{note.part}'" for note in inertias_as_given(planned.machine)]:
        return impossible_inertia(what, " and ".join(given), results)
    if len(results.time):
        # with the first record the equations were solved at the start: what moves has mass
        rule = f"the equations of motion could not be solved at {what}. At the start they could: the motion diverged."
        remedy = f"{advise(results)}; if that changes nothing, inertia about every axis for the bodies there"
        return Cause(rule, remedy)
    if what.startswith("joint"):
        remedy = f"mass, and inertia about the axis of {what.removeprefix('joint ')}, on the bodies that it carries"
        return Cause(f"{what} moves no mass.", remedy)
    remedy = f"mass, and inertia about every axis, for it, or coordinates relative (now {planned.method.coordinates})"
    return Cause(f"{what} can move without moving any mass.", remedy)


def impossible_inertia(what: str, bodies: str, results: Results) -> Cause:
    """A pivot that is not positive in a machine with bodies whose inertia, taken as given, no mass could have."""
    rule = f"the equations of motion could not be solved at {what}: no mass could have the inertia of {bodies}."
    remedy = f"an inertia of {bodies} with positive moments, none larger than the sum of the other two"
    return Cause(rule, f"{remedy}, or {advise(results)}" if len(results.time) else remedy)


def in_newton(planned: Planned, slot: int) -> bool:
    """Whether Newton's matrix was singular: then the matrix of the accelerations was not, with which a step begins."""
    order = planned.layout.elimination
    return planned.method.enforcement == "index3" and pivot(planned, slot) * order.sign[slot] > 0.0


def too_stiff(planned: Planned, results: Results) -> Cause:
    """Conjugate gradients that do not end, or whose blocks lose all digits of the mass beside the penalty; or forces
    and equations that are no numbers any more.
    """
    system, table = planned.work.system, planned.plan.system
    finite = np.isfinite(system.effort - system.bias)
    finite[table.path_dof[~np.isfinite(system.phi)].astype(np.intp)] = False
    if not finite.all():
        return not_finite(planned, planned.topology.nq + int(finite.argmin()), results)
    remedy = f"factorisation sparse, or a penalty smaller than {planned.method.penalty:g}"
    return Cause(f"{GRADIENTS} found no accelerations: the penalty is too large for them.", remedy)


def not_converged(planned: Planned, results: Results) -> Cause:
    """A step that Newton gave up, also in parts: the worst equation, or what did not settle; or conjugate gradients."""
    if planned.method.factorisation == GRADIENTS:
        return too_stiff(planned, results)
    if planned.method.coupling == COSIMULATED.coupling:
        return unsettled_exchange(planned, results)
    parts = 2**HALVINGS
    found = what_is_open(planned, float(results.meta["step"]) / parts)
    rule = f"Newton's iteration found no end of the step, not even in {parts} parts: {found}."
    remedy = advise(results)
    if "realtime" not in remedy:
        remedy += ", or coupling realtime, which does not iterate"
    if planned.layout.loops.driven:
        drivers = " and ".join(f"'{row.part}'" for row in planned.layout.loops.driven)
        remedy = f"motions of {drivers} that the mechanism can follow without a dead centre, or {advise(results)}"
    return Cause(rule, remedy)


def unsettled_exchange(planned: Planned, results: Results) -> Cause:
    """An exchange of `cosimulated` in which a side that iterates gave up."""
    method, sides, words = planned.method, [], []
    if method.integrator == "trapezoidal":
        sides, words = ["the mechanics"], ["integrator lie"]
    if method.power_integrator == "trapezoidal" and planned.layout.nvolume:
        sides, words = [*sides, "the oil"], [*words, "power_integrator lie"]
    verb = "do" if len(words) > 1 else "does"
    rule = f"an exchange found no end: the iteration of {' or that of '.join(sides)} did not settle."
    return Cause(rule, f"{advise(results)}, or {' with '.join(words)}, which {verb} not iterate")


def unsettled_rows(planned: Planned, met: int, results: Results) -> Cause:
    """A step of `timestepping` whose impulses were not found, also in parts."""
    path = met_paths(planned.layout.network, planned.layout.limits)[met]
    rule = f"no impulses were found with which '{path}' and all others hold, also in {MOST_PARTS} parts."
    shown = f"{path}.normal_force"
    return Cause(rule, f"{advise(results)}, or less friction there, which may jam", shown if shown in results else "")


def empty(planned: Planned, node: int, results: Results) -> Cause:
    """A chamber whose piston went beyond its end."""
    layout, port = planned.layout, planned.layout.nodes[node].port
    remedy = "a larger dead volume, a stiffer end stop, or a closed length and stroke that fit"
    if is_coarse(results):
        remedy = f"{advise(results)}; if that changes nothing, {remedy}"
    rule, path = f"no oil volume is left at '{port}'.", f"{port}.pressure"
    for number, chamber in enumerate(layout.chambers):
        stops = [i for i, f in enumerate(layout.forces) if f.part == chamber.part and f.element == "stop"]
        if chamber.port == port and stops:
            at = float(planned.work.rows.s[planned.plan.forces.chamber_index[number, 0]])
            if not np.isfinite(at):
                return Cause(f"the length of '{chamber.part}' is no longer finite.", advise(results), path)
            length = format_si(at, "m")
            low, high = (float(end) for end in planned.plan.forces.number[stops[0], :2])
            reach = f"{format_si(low, 'm')} to {format_si(high, 'm')}"
            if not 2.0 * low - high <= at <= 2.0 * high - low:
                remedy = advise(results)  # a whole stroke beyond its end: the run diverged
            rule = f"no oil is left at '{port}': '{chamber.part}' is {length} long and made for {reach}."
    return Cause(rule, remedy, path)


def ran_away(planned: Planned, status: int, fault: int) -> bool:
    """Whether Newton's iteration opened loops so far that its matrix or the state is no number any more."""
    if planned.method.enforcement != "index3" or status not in (SINGULAR, NOT_FINITE):
        return False
    return (status == NOT_FINITE or in_newton(planned, fault)) and worst_equation(planned)[0] >= 0


def explain(planned: Planned, status: int, results: Results) -> str:
    """The text of a SimulationError."""
    fault, time = int(planned.work.state.fault[0]), float(planned.work.state.time[0])
    if status == NOT_CONVERGED or ran_away(planned, status, fault):
        cause = not_converged(planned, results)
    elif status == NOT_FINITE:
        cause = not_finite(planned, fault, results)
    elif status == SINGULAR:
        cause = singular(planned, fault, results)
    elif status == UNSETTLED:
        cause = unsettled_rows(planned, fault, results)
    elif status == EMPTY:
        cause = empty(planned, fault, results)
    else:
        cause = Cause(f"the engine gave status {status}.", advise(results))
    largest = largest_flow(planned, results) if status == NOT_FINITE else ""
    return compose(time, cause, results, largest)


def wrong_energy(results: Results) -> str:
    """The text for a run that came to its end with energy that does not add up."""
    part = shown_part(failing_part(results))
    rule = f"Simulation failed: its energy does not add up by {part} of the work done, so that its results are wrong."
    return "\n".join([rule, *last_lines(advise(results), results)])


def explain_fault(fault: Fault, results: Results) -> str:
    """The text for a function of the user, or a half in another process, that failed."""
    remedy = f"a function that gives a finite number at every time from 0 s to {results.meta['duration']:g} s"
    if isinstance(fault, ControlFault):
        remedy = "calling it by hand with the numbers of the last record"
    elif fault.remedy:
        remedy = fault.remedy
    return compose(fault.time, Cause(str(fault), remedy), results)


def compose(time: float, cause: Cause, results: Results, largest: str = "") -> str:
    """The lines of the text."""
    lines = [f"Simulation stopped at t = {time:.6g} s: {cause.rule}"]
    if cause.path and len(results.time):
        quantity = results[cause.path]
        last = format_si(float(quantity.values[-1]), quantity.unit)
        lines.append(f"  last record       {last} at t = {results.time[-1]:.6g} s")
    if largest:
        lines.append(f"  largest change    {largest}")
    return "\n".join([*lines, *last_lines(cause.remedy, results)])


def last_lines(remedy: str, results: Results) -> list[str]:
    """What to try, and what was kept."""
    kept = f"results up to t = {results.time[-1]:.6g} s" if len(results.time) else "nothing was recorded yet"
    return [f"  try               {remedy}", f"  kept              {kept}"]


def largest_flow(planned: Planned, results: Results) -> str:
    """The branch whose flow stands out most against its mean, if one does."""
    best, text = STANDS_OUT, ""
    for branch, flow in zip(planned.layout.branches, planned.work.oil.Q, strict=True):
        path = f"{branch.part}.flow" if branch.name == "flow" else f"{branch.part}.{branch.name}.flow"
        mean = float(np.mean(np.abs(results[path].values))) if len(results.time) else 0.0
        if np.isfinite(flow) and mean > 0.0 and abs(flow) / mean > best:
            best = abs(flow) / mean
            text = f"'{path}' ({format_si(float(flow), 'm^3/s')}, {best:.0f}x its mean)"
    return text
