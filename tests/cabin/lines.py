# SPDX-License-Identifier: BSD-3-Clause
"""Complete machines of the catalogue with lines of their record, for tests of what the cabin shows."""

import warnings
from functools import cache
from typing import Any

import numpy as np

import knuckleboom as kb
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.plan import Planned, build

COMPLETE = (
    "excavator", "concrete-sprayer", "harvester-25", "harvester-30", "mobile-crane", "mine-loader", "forwarder-crane",
)  # fmt: skip


@cache
def planned(name: str) -> tuple[Case, Planned]:
    """A machine of the catalogue and its plan for real time."""
    case = NAMES[name]()
    return case, build(case.machine, **{"coupling": "realtime", **case.method})


def simulate(name: str, seconds: float, **inputs: Any) -> np.ndarray:
    """Run a machine with some inputs held; returns a record with a line every 10 ms."""
    case, plan = planned(name)
    words: dict[str, Any] = {"coupling": "realtime", **case.method}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a few steps of a machine that settles: shares mean nothing
        run = kb.simulate(case.machine, seconds, step=case.step, record=0.01, inputs=inputs, **words)
    return np.asarray(run.record[:, : plan.names.width])


@cache
def start(name: str) -> np.ndarray:
    """The first line of a machine's record."""
    return simulate(name, 0.01)[0]
