# SPDX-License-Identifier: BSD-3-Clause
"""Newton's tangent is exact for every kind of part: its correction is that of a Jacobian made by differences.

Each part stands in its standard machine, in two states: with everything at different pressures and moving, and level,
with no pressure difference anywhere and all spools in their centre. The kernels run as plain Python, all in one process
of its own with NUMBA_DISABLE_JIT=1: this file is also that program.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from knuckleboom import catalogue  # noqa: F401  # registers kinds of its own
from knuckleboom.kernels import plain
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.plan.network import STRAINS
from parts.standard import STANDARD
from plain_python import answers_of

REFUSED = "tire"
"""What coupling unified refuses."""
OURS = [
    name for name, kind in all_kinds().items() if kind.__module__.startswith("knuckleboom.") and name != REFUSED
]
STATES = ("moving", "level")
INFINITE = "naya_valve"
"""Its slope is infinite where there is no pressure drop, as its card says."""


def moving(planned, random):
    """Pressures of all sizes, spools and other states that follow somewhere, flows of some l/min."""
    state, layout = planned.work.state, planned.layout
    state.x[: layout.nvolume] *= random.uniform(0.3, 1.3, layout.nvolume)
    for number, lag in enumerate(layout.lags):
        size = {"m^3/s": 1e-4, "Pa": 1e6}.get(lag.unit, 1e-5 if lag.name == "bristle" else 0.5)
        state.x[layout.nvolume + number] = size * random.uniform(0.3, 1.0)


def level(planned, random):
    """Every pressure that of the tank, every spool and input 0; payloads have a mass, as at 0 is a corner."""
    state, table, layout = planned.work.state, planned.plan.oil, planned.layout
    pressure = 101325.0
    for kind, strain in STRAINS.items():
        columns = range(1, len(inspect.signature(plain(strain)).parameters))  # those after the pressure
        for i in range(table.node_first[kind], table.node_first[kind + 1]):
            state.x[i] = plain(strain)(pressure, *table.node_number[i, columns])
    state.x[layout.nvolume :] = [{"Pa": pressure, "kg": 1.0}.get(lag.unit, 0.0) for lag in layout.lags]
    for number, signal in enumerate(layout.inputs):
        state.u[number] = pressure if signal.unit == "Pa" else 0.0


def of_part(kind, name):
    """Corrections of the standard machine of a kind in one of the states."""
    random = np.random.default_rng(7)
    planned = kb.build(STANDARD[kind]().machine, coupling="unified")
    {"moving": moving, "level": level}[name](planned, random)
    return worst(corrections(planned, random, spread=0.01 if name == "moving" else 0.0))


@pytest.fixture(scope="module")
def errors():
    return answers_of(__file__)


@pytest.mark.parametrize("kind", OURS)
def test_correction_is_that_of_differences_while_moving(errors, kind):
    assert errors[f"{kind}, moving"] < 1e-7


@pytest.mark.parametrize("kind", [kind for kind in OURS if kind != INFINITE])
def test_correction_is_that_of_differences_without_a_pressure_drop_and_in_the_centre(errors, kind):
    assert errors[f"{kind}, level"] < 1e-7


if __name__ == "__main__":
    print(json.dumps({f"{kind}, {state}": of_part(kind, state) for kind in OURS for state in STATES}))
