# SPDX-License-Identifier: BSD-3-Clause
"""From the record of a run to its Results: what follows from it, what the run was, and whether to doubt it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.control.controller import Controller
from knuckleboom.methods import DAMPED, WORDS, Method
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.results.cavitation import tension
from knuckleboom.results.cited import cited_in
from knuckleboom.simulation.audit import add_totals, energy, make_ledger
from knuckleboom.simulation.cavitation import torn_volumes
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.simulation.provenance import provenance
from knuckleboom.units import format_si

Array = NDArray[np.float64]
DOUBTFUL = 0.01
"""Part of the work done by which the energy may not add up, and of a pressure by which it may ring, without a word."""
ROUNDING = 1e-9
"""Part of the stored energy below which what lacks is rounding: a machine that stands still does no work."""


def make_results(planned: Planned, controllers: Sequence[Controller], record: Array, run: dict[str, Any]) -> Results:
    """Results of what was recorded; `run` says what is not of the machine or the method."""
    ledger = make_ledger(planned)
    names, extended = add_totals(*add_cut_joints(planned, planned.names, record), ledger)
    words = {"machine": planned.machine.name, **used_words(planned.method)}
    made_of = provenance(planned)
    made_of["sources"] += [source for item in controllers for source in block_sources(item)]
    torn = torn_volumes(planned, names, extended)
    told = newtons(planned) | corrections(planned)
    return Results(names, extended, words | run | told | {"cavitation": torn, "ledger": ledger, **made_of})


def used_words(method: Method) -> dict[str, Any]:
    """The words and numbers of a method that it has."""
    numbers = {"power_step": method.power_step if method.power_integrator else None}
    numbers["spectral_radius"] = method.spectral_radius if method.integrator == DAMPED else None
    numbers["penalty"] = method.penalty if method.enforcement != "lagrange" else None
    words: dict[str, Any] = {word: getattr(method, word) for word in WORDS if getattr(method, word)}
    return words | {word: number for word, number in numbers.items() if number is not None}


def newtons(planned: Planned) -> dict[str, Any]:
    """What implicit steps tell: iterations a step, and the largest pressure that rang [Pa], where and when."""
    if not planned.work.newton:
        return {}
    iterations, steps = planned.work.newton.count
    size, node, time = planned.work.newton.ringing
    told: dict[str, Any] = {"iterations": float(iterations / max(steps, 1.0))}
    if planned.layout.nvolume:
        told["ringing"] = {"pressure": float(size), "port": planned.layout.nodes[int(node)].port, "time": float(time)}
    return told


def corrections(planned: Planned) -> dict[str, int]:
    """What linearly implicit steps tell: how many had their oil made again, were made in parts or were left though in
    doubt, and the most Newton iterations of the oil in one.
    """
    if planned.method.coupling != "realtime":
        return {}
    names = ("corrected_steps", "halved_steps", "unresolved_steps", "most_oil_iterations")
    return dict(zip(names, planned.work.implicit.count.astype(int).tolist(), strict=True))


def block_sources(item: Controller) -> Iterator[list[str]]:
    """What the card of a ready block cites, as pairs like those of provenance.py."""
    module = str(getattr(item.function, "__module__", ""))
    if module.startswith("knuckleboom."):
        for key in cited_in(sys.modules[module].__doc__ or ""):
            yield [f"controller {item.name}", key]


def doubt(results: Results) -> str:
    """Sentences when the energy does not add up, pressures ring, oil pulls or a start at rest creeps: it must not pass
    unseen.
    """
    begun = results.meta.get("start", {})
    creeps = [note for note in begun.get("notes", ()) if any(f"'{part}' creeps" in note for part in begun["creep"])]
    return " ".join(filter(None, [lost_energy(results), heard(results), tension(results), *creeps]))


def heard(results: Results) -> str:
    """A sentence when a pressure changes sides at every step."""
    ringing = results.meta.get("ringing")
    if not ringing or not len(results.time):
        return ""
    largest = float(np.max(results[f"{ringing['port']}.pressure"].values))
    if ringing["pressure"] < DOUBTFUL * largest:
        return ""
    size = format_si(ringing["pressure"], "Pa")
    where = f"The pressure at '{ringing['port']}' rings by {size} around t = {ringing['time']:.4g} s"
    return f"{where}: the step is long for it, try a smaller one or coupling realtime."


def lost_energy(results: Results) -> str:
    """A sentence when the energy does not add up."""
    if results.meta.get("tuned"):
        return ""  # a changed parameter brings or takes energy
    audit = energy(results) if len(results.time) > 1 else None
    residual = None if audit is None else audit.relative_residual
    if audit is None or residual is None or residual < DOUBTFUL or abs(audit.residual) < ROUNDING * audit.largest:
        return ""
    step = f"{1e3 * results.meta['step']:g} ms"
    rule = f"The energy does not add up by {residual:.1%} of the work done"
    return f"{rule}: the step ({step}) is too large, try a smaller one."
