# SPDX-License-Identifier: BSD-3-Clause
"""From the record of a run to its Results: what follows from it, what the run was, and what it warns of."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.control.controller import Controller
from knuckleboom.engine.timestepping import SO_FAR
from knuckleboom.methods import DAMPED, WORDS, Method
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.results.cited import cited_in
from knuckleboom.simulation.audit import Ledger, add_totals, make_ledger
from knuckleboom.simulation.cavitation import torn_volumes
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.simulation.provenance import provenance
from knuckleboom.simulation.run_warnings import find_warnings

Array = NDArray[np.float64]


def make_results(planned: Planned, controllers: Sequence[Controller], record: Array, run: dict[str, Any]) -> Results:
    """Results of what was recorded; `run` says what is not of the machine or the method."""
    names, extended, ledger = add_derived(planned, record)
    words = {"machine": planned.machine.name, **used_words(planned.method)}
    torn = torn_volumes(planned, names, extended)
    told = iterated(planned) | corrections(planned) | eased(planned)
    made_of = provenance(planned)
    made_of["sources"] += [source for item in controllers for source in block_sources(item)]
    results = Results(names, extended, words | run | told | {"cavitation": torn, "ledger": ledger, **made_of})
    results.meta["warnings"] = find_warnings(planned, results)
    return results


def add_derived(planned: Planned, record: Array) -> tuple[Names, Array, Ledger]:
    """Names and numbers of a record with what follows from it, cut joints and sums of energy, and the ledger of these.

    An empty record gives the names alone.
    """
    ledger = make_ledger(planned)
    return *add_totals(*add_cut_joints(planned, planned.names, record), ledger), ledger


def used_words(method: Method) -> dict[str, Any]:
    """The words and numbers of a method that it has."""
    numbers = {"power_step": method.power_step if method.power_integrator else None}
    numbers["spectral_radius"] = method.spectral_radius if method.integrator == DAMPED else None
    numbers["penalty"] = method.penalty if method.enforcement != "lagrange" else None
    words: dict[str, Any] = {word: getattr(method, word) for word in WORDS if getattr(method, word)}
    return words | {word: number for word, number in numbers.items() if number is not None}


def iterated(planned: Planned) -> dict[str, Any]:
    """What steps that iterate tell: iterations a step, and the largest pressure that rang [Pa], where and when."""
    if planned.iterations is None:
        return {}
    iterations, steps = planned.iterations
    told: dict[str, Any] = {"iterations": float(iterations / max(steps, 1.0))}
    if planned.work.newton and planned.layout.nvolume:
        size, node, time = planned.work.newton.ringing
        told["ringing"] = {"pressure": float(size), "port": planned.layout.nodes[int(node)].port, "time": float(time)}
    return told


def corrections(planned: Planned) -> dict[str, int]:
    """What linearly implicit steps tell: how many had their oil made again, were made in parts or were left though in
    doubt, and the most Newton iterations of the oil in one.
    """
    if not planned.work.tableau:
        return {}
    names = ("corrected_steps", "halved_steps", "unresolved_steps", "most_oil_iterations")
    return dict(zip(names, planned.work.tableau.count.astype(int).tolist(), strict=True))


def eased(planned: Planned) -> dict[str, int]:
    """What steps by impulses tell: in how many friction yielded, or impacts had less than their restitution."""
    if not planned.work.impulse:
        return {}
    names = ("yielding_steps", "weaker_impacts")
    return dict(zip(names, planned.work.impulse.eased[SO_FAR:].astype(int).tolist(), strict=True))


def block_sources(item: Controller) -> Iterator[list[str]]:
    """What the card of a ready block cites, as pairs like those of provenance.py."""
    module = str(getattr(item.function, "__module__", ""))
    if module.startswith("knuckleboom."):
        for key in cited_in(sys.modules[module].__doc__ or ""):
            yield [f"controller {item.name}", key]
