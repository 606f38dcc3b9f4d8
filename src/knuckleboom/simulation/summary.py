# SPDX-License-Identifier: BSD-3-Clause
"""From the record of a run to its Results: what follows from it, what the run was, and whether to doubt it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.control.controller import Controller
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.results.cited import cited_in
from knuckleboom.simulation.audit import add_totals, energy, make_ledger
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.simulation.provenance import provenance

Array = NDArray[np.float64]
DOUBTFUL = 0.01
"""Part of the work done by which the energy may not add up without a warning."""
ROUNDING = 1e-9
"""Part of the stored energy below which what lacks is rounding: a machine that stands still does no work."""


def make_results(planned: Planned, controllers: Sequence[Controller], record: Array, run: dict[str, Any]) -> Results:
    """Results of what was recorded; `run` says what is not of the machine or the method."""
    ledger = make_ledger(planned)
    names, extended = add_totals(*add_cut_joints(planned, planned.names, record), ledger)
    method = planned.method
    words = {
        "machine": planned.machine.name,
        "coordinates": "relative",
        "coupling": method.coupling,
        "integrator": method.integrator,
        "enforcement": method.enforcement,
        "factorisation": method.factorisation,
    }
    made_of = provenance(planned)
    made_of["sources"] += [source for item in controllers for source in block_sources(item)]
    return Results(names, extended, words | run | {"ledger": ledger, **made_of})


def block_sources(item: Controller) -> Iterator[list[str]]:
    """What the card of a ready block cites, as pairs like those of provenance.py."""
    module = str(getattr(item.function, "__module__", ""))
    if module.startswith("knuckleboom."):
        for key in cited_in(sys.modules[module].__doc__ or ""):
            yield [f"controller {item.name}", key]


def doubt(results: Results) -> str:
    """A sentence when the energy does not add up, so that a step that is too large does not pass for a result."""
    if results.meta.get("tuned"):
        return ""  # a changed parameter brings or takes energy
    audit = energy(results) if len(results.time) > 1 else None
    residual = None if audit is None else audit.relative_residual
    if audit is None or residual is None or residual < DOUBTFUL or abs(audit.residual) < ROUNDING * audit.largest:
        return ""
    step = f"{1e3 * results.meta['step']:g} ms"
    rule = f"The energy does not add up by {residual:.1%} of the work done"
    return f"{rule}: the step ({step}) is too large, try a smaller one."
