# SPDX-License-Identifier: BSD-3-Clause
"""What a run warns of: sentences that its results carry as `run.warnings`, made here and nowhere else.

Each kind of warning is one function from the planned machine and its results to sentences, and one line in `KINDS`.
A sentence names the part or port, says how much and when, and what to do. Warnings do not end a run. kb.simulate
issues all of them as one RuntimeWarning, `knuckleboom run` prints them, the report lists them, files keep them.
Tested in tests/simulate/test_run_warnings.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.interface.parts import EngineDroop
from knuckleboom.machine.shafts import moves_mechanism
from knuckleboom.plan import Planned
from knuckleboom.plan.contact_step import FAST, SOFTER, all_speeds
from knuckleboom.plan.impulses import TIMESTEPPING
from knuckleboom.results import Results
from knuckleboom.results.cavitation import cavitated_oil, negative_pressures
from knuckleboom.simulation.advice import NEAR, advise
from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.beyond import high_pressures, inputs_outside
from knuckleboom.simulation.start import HELD_AT_REST
from knuckleboom.units import format_si

DOUBTFUL = 0.01
"""Part of the work by which the energy may be off, and of a pressure by which it may oscillate, without a warning."""
FAILING = 0.05
"""Part of the work done from which on a run whose energy does not add up has failed."""
ROUNDING = 1e-9
"""Part of the stored energy below which the residual is rounding: a machine that stands still does no work."""


def find_warnings(planned: Planned, results: Results) -> list[str]:
    """Return every warning of a run, kind by kind; nothing is said of pressures that are known to be wrong."""
    stopped = results.status == "failed" and lost_part(results) > FAILING
    wrong = OF_PRESSURES if stopped or failing_part(results) else ()
    return [sentence for kind in KINDS if kind not in wrong for sentence in kind(planned, results)]


def lost_part(results: Results) -> float:
    """Part of the work done by which the energy does not add up; 0 where that says nothing."""
    if results.meta.get("tuned") or len(results.time) < 2:
        return 0.0  # a changed parameter brings or takes energy
    audit = energy(results)
    if audit.relative_residual is None or abs(audit.residual) < ROUNDING * max(audit.largest, carried(results)):
        return 0.0
    return audit.relative_residual


def carried(results: Results) -> float:
    """Largest force times value of a row through which two processes share the machine, J: a half at rest has no other
    energy that rounding could be seen beside.
    """
    found = 0.0
    for name in results.meta.get("elsewhere", {}).get("rows", ()):
        forces, values = ([path for path in (f"{name}.{word}" for word in words) if path in results]
                          for words in (("force", "torque"), ("length", "angle", "travel")))  # fmt: skip
        for force, value in zip(forces, values, strict=False):
            found = max(found, float(np.abs(results[force].values * results[value].values).max()))
    return found


def failing_part(results: Results) -> float:
    """The same where it is so large that the run has failed, else 0. What was in motion counts as work here: a mass
    that comes back from a stop as fast as it came has done none.
    """
    part = lost_part(results)
    if part <= max(FAILING, audit_error(results)):
        return 0.0
    audit = energy(results)
    moving = max(audit.row("kinetic")[:2])
    return part if abs(audit.residual) > FAILING * max(audit.work_done, moving) else 0.0


def audit_error(results: Results) -> float:
    """Part of the work by which the audit of n steps may be off itself: of the order 1/n², 1/n by a rule of order 1."""
    n = max(int(results.meta["steps"]), 1)
    return 2.0 / n if INTEGRATORS[results.meta["integrator"]].ORDER == 1 else 1.0 / n**2


def lost_energy(planned: Planned, results: Results) -> Iterator[str]:
    """The energy does not add up."""
    if lost_part(results) >= max(DOUBTFUL, audit_error(results)):
        rule = f"The energy does not add up by {shown_part(lost_part(results))} of the work done"
        yield f"{rule}: try {advise(results)}."


def shown_part(part: float) -> str:
    """A part in %, with a digit behind the point where that says something."""
    return f"{part:.1%}" if part < 1.0 else f"{part:,.0%}"


def long_steps(planned: Planned, results: Results) -> Iterator[str]:
    """Explicit steps are longer than what is stable, or near that."""
    found, step = results.meta.get("stable_step"), float(results.meta["step"])
    if found is None or step <= NEAR * found["step"]:
        return
    how = "longer than" if step > found["step"] else "near"
    rule = f"Explicit steps of {1e3 * step:g} ms are {how} the {1e3 * found['step']:.2g} ms"
    where = f"from which on {found['owner']} is unstable at t = {found['time']:.3g} s"
    yield f"{rule} {where}: try {advise(results)}."


def oscillation(planned: Planned, results: Results) -> Iterator[str]:
    """A pressure oscillates from step to step."""
    found = results.meta.get("ringing")
    if not found or not len(results.time):
        return
    largest = float(np.max(results[f"{found['port']}.pressure"].values))
    if found["pressure"] < DOUBTFUL * largest:
        return
    where = f"The pressure at '{found['port']}' oscillates by {format_si(found['pressure'], 'Pa')}"
    yield f"{where} around t = {found['time']:.4g} s: the step is long for it, try a smaller one or coupling realtime."


def cavitation(planned: Planned, results: Results) -> Iterator[str]:
    """Oil cavitated, or has a negative pressure where its law lets it."""
    yield from negative_pressures(results)
    chambers = planned.layout.chambers
    moving = {chamber.port for chamber in chambers if moves_mechanism(planned.machine, chamber)}
    yield from cavitated_oil(results, moving)


def creep(planned: Planned, results: Results) -> Iterator[str]:
    """What began at rest does not stand."""
    begun = results.meta.get("start", {})
    moving = [f"'{part}' creeps" for part in begun.get("creep", ())]
    moving += [HELD_AT_REST.format(path=path) for path in begun.get("moved", ())]
    yield from (note for note in begun.get("notes", ()) if any(text in note for text in moving))


def fast_contacts(planned: Planned, results: Results) -> Iterator[str]:
    """A contact, pair or tire is fast for the steps of the run, of which one by impulses does not ask."""
    step = float(results.meta["step"])
    for one in all_speeds(planned) if planned.method.coupling not in ("explicit", TIMESTEPPING) else ():
        if step * one.frequency > FAST:
            what = "Tire" if one.kind == "tire" else "Contact"
            said = f"{what} '{one.name}' is fast for steps of {1e3 * step:g} ms"
            fix = f"try {1e3 * 0.5 / one.frequency:.2g} ms, or {SOFTER[one.kind]}"
            yield f"{said}: h·√(k/m) is {step * one.frequency:.2g}, a rebound is right up to 0.5; {fix}."


def dropped_points(planned: Planned, results: Results) -> Iterator[str]:
    """More points of a contact touched than planned for."""
    for touch, (steps, most) in zip(planned.layout.network.touches, planned.work.touch.dropped, strict=True):
        if steps > 0.0:
            rule = f"Of contact '{touch.path}' more points touched than its capacity of {touch.spots}"
            every = len(touch.outline.features)
            left = f"up to {most:.0f} of {every}, the shallowest, were left out in {steps:.0f} steps"
            yield f"{rule}: {left}. Give it a larger capacity, or leave that out."


def yielding_steps(planned: Planned, results: Results) -> Iterator[str]:
    """Friction yielded so that the impulses of a step could be found."""
    count = results.meta.get("yielding_steps", 0)
    if count > 0:
        rule = f"In {count} of {results.meta['steps']} steps friction of contacts yielded by 0.1 to 10 %"
        yield f"{rule}, as no impulses were found with which it holds: try {advise(results)}."


def stalled_engines(planned: Planned, results: Results) -> Iterator[str]:
    """An engine fell to the speed at which it stops."""
    for engine in planned.machine.of(EngineDroop):
        path = f"{engine.shaft}.speed"  # the shaft of a joint has none
        if path not in results:
            continue
        low = np.flatnonzero(results[path].values <= engine.stall)
        if len(low):
            speed = f"{engine.stall * 30.0 / math.pi:.0f} rpm"
            said = f"Engine '{engine.name}' was down to {speed} at t = {results.time[low[0]]:.4g} s, where it stalls"
            yield f"{said}: take less load, a torque limit of its pumps, or a stronger engine."


def doubts(planned: Planned, results: Results) -> Iterator[str]:
    """What a check of the machine takes for a mistake."""
    for item in planned.doubts:
        yield f"{item.rule} {' '.join(item.fix.split())}"


KINDS: tuple[Callable[[Planned, Results], Iterator[str]], ...] = (
    lost_energy, long_steps, oscillation, high_pressures, inputs_outside, cavitation, creep, fast_contacts,
    dropped_points, yielding_steps, stalled_engines, doubts,
)  # fmt: skip
"""Every kind of warning, in the order in which they are reported."""
OF_PRESSURES = (high_pressures, cavitation)
"""Those that a run whose energy does not add up could only mislead with."""
