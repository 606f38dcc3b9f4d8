# SPDX-License-Identifier: BSD-3-Clause
"""How our numbers and another program's are put side by side."""

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.peers.tree import Columns
from knuckleboom.interface.parts import Effort
from knuckleboom.plan import Planned

TOLERANCE = 1e-8
"""Of the largest entry. Rounding in two factorisations of a matrix with a condition of up to 1e6 leaves about 1e-10."""


def columns_of(planned: Planned) -> Columns:
    """Where each tree joint's coordinates stand in our q and v."""
    found = {name: planned.joint_columns(name) for name in planned.topology.tree}
    return {name: (np.array(q, dtype=np.intp), np.array(v, dtype=np.intp)) for name, (q, v) in found.items()}


def efforts_of(planned: Planned) -> NDArray[np.float64]:
    """The machine's effort parts as one vector in our order."""
    efforts = np.zeros(planned.topology.nv)
    for part in planned.machine.of(Effort):
        efforts[planned.joint_columns(part.joint)[1][part.coordinate]] += part.value
    return efforts


def relative(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> float:
    """Largest difference over the largest entry."""
    return float(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
