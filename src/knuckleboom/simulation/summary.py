# SPDX-License-Identifier: BSD-3-Clause
"""From the record of a run to its Results: what follows from it, what the run was, and whether to doubt it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.simulation.audit import add_totals, energy, make_ledger
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.simulation.provenance import provenance

Array = NDArray[np.float64]
DOUBTFUL = 0.01
"""Part of the work done by which the energy may not add up without a warning."""


def make_results(planned: Planned, record: Array, run: dict[str, Any]) -> Results:
    """Results of what was recorded; `run` says what is not of the machine or the method."""
    ledger = make_ledger(planned)
    names, extended = add_totals(*add_cut_joints(planned, planned.names, record), ledger)
    method = planned.method
    words = {
        "machine": planned.machine.name,
        "coordinates": "relative",
        "coupling": "explicit",
        "integrator": method.integrator,
        "enforcement": method.enforcement,
        "factorisation": method.factorisation,
    }
    return Results(names, extended, words | run | {"ledger": ledger, **provenance(planned)})


def doubt(results: Results) -> str:
    """A sentence when the energy does not add up, so that a step that is too large does not pass for a result."""
    if results.meta.get("tuned"):
        return ""  # a changed parameter brings or takes energy
    residual = energy(results).relative_residual if len(results.time) > 1 else None
    if residual is None or residual < DOUBTFUL:
        return ""
    step = f"{1e3 * results.meta['step']:g} ms"
    rule = f"The energy does not add up by {residual:.1%} of the work done"
    return f"{rule}: the step ({step}) is too large, try a smaller one."
