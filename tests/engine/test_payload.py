# SPDX-License-Identifier: BSD-3-Clause
"""Payloads in implicit steps: Newton's correction is that of differences, also in the masses themselves.

A spinning body and an arm of two with three payloads, of which one grows, one shrinks and one is a point. The kernels
run as plain Python, in a process of their own with NUMBA_DISABLE_JIT=1.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.newton_corrections import corrections, worst
from plain_python import answers_of

METHODS = {
    "relative": {},
    "relative, sparse, damped": {"factorisation": "sparse", "integrator": "generalised-alpha"},
    "reference-point": {"coordinates": "reference-point"},
    "reference-point, dense, damped": {"coordinates": "reference-point", "factorisation": "dense"},
}


def arm():
    m = kb.Machine("arm")
    one = m.body("one", mass=3.0, com=(0.2, 0.0, 0.03), inertia=(0.05, 0.06, 0.08))
    two = m.body("two", mass=2.0, com=(0.3, 0.1, 0.0), inertia=(0.02, 0.05, 0.05))
    m.spherical("foot", m.ground.at(0, 0, 0.2), one, start=(0.1, 0.3, 0.2), speed=(0.5, -0.4, 0.6))
    m.revolute("knee", one.at(0.5, 0, 0), two, axis="y", start=0.2, speed=0.7)
    place = {"body": "two", "at": (0.4, 0.05, 0.1), "rpy": (0.3, 0.2, -0.5)}
    m.payload("grows", place, mass=2.0, most=30.0, box=(0.2, 0.3, 0.5))
    m.payload("shrinks", two.at(0.1, -0.1, 0.2), mass=4.0, most=30.0, box=(0.2, 0.3, 0.5))
    m.payload("point", one.at(0.3, 0.1, 0.2), mass=1.0, most=30.0, time_constant=0.02)
    return m


def flyer():
    m = kb.Machine("flyer")
    body = m.body("flyer", mass=0.7, com=(0.1, 0.05, -0.2), inertia=(0.01, 0.02, 0.015))
    m.free("fly", m.ground, body, start=(0.3, 0.2, 1.0, 0.2, 0.1, 0.4), speed=(1.0, 2.0, 0.5, 1.0, -2.0, 0.3))
    m.payload("grows", body.at(0.2, 0, 0.1), mass=0.5, most=30.0, box=(0.2, 0.3, 0.5))
    return m


MACHINES = {"arm": arm, "flyer": flyer}
INPUTS = {"grows": 9.0, "shrinks": 1.0, "point": 1.5}
CASES = [(name, method) for name in MACHINES for method in METHODS]


def of_newton(name, method):
    """Newton's correction both ways."""
    planned = kb.build(MACHINES[name](), coupling="unified", **METHODS[method])
    planned.work.state.u[:] = [INPUTS[signal.path] for signal in planned.layout.inputs]
    return corrections(planned, np.random.default_rng(5))


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), CASES)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    assert worst(plain[f"{name}, {method}"]) < 1e-8


if __name__ == "__main__":
    print(json.dumps({f"{name}, {method}": of_newton(name, method) for name, method in CASES}))
