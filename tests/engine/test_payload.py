# SPDX-License-Identifier: BSD-3-Clause
"""Payloads in implicit steps: Newton's correction is that of differences, also in the masses themselves; what linearly
implicit steps add to L is what a mass more of τ ṁ adds to M.

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
    m.payload("grows", place, mass=2.0, most=30.0, box=(0.2, 0.3, 0.5), falling_from=3.0)
    m.payload("shrinks", two.at(0.1, -0.1, 0.2), mass=4.0, most=30.0, box=(0.2, 0.3, 0.5))
    m.payload("point", one.at(0.3, 0.1, 0.2), mass=1.0, most=30.0, time_constant=0.02)
    return m


def flyer():
    m = kb.Machine("flyer")
    body = m.body("flyer", mass=0.7, com=(0.1, 0.05, -0.2), inertia=(0.01, 0.02, 0.015))
    m.free("fly", m.ground, body, start=(0.3, 0.2, 1.0, 0.2, 0.1, 0.4), speed=(1.0, 2.0, 0.5, 1.0, -2.0, 0.3))
    m.payload("grows", body.at(0.2, 0, 0.1), mass=0.5, most=30.0, box=(0.2, 0.3, 0.5), falling_from=1.0)
    return m


MACHINES = {"arm": arm, "flyer": flyer}
INPUTS = {"grows": 9.0, "shrinks": 1.0, "point": 1.5}
COORDINATES = ("relative", "reference-point")
CASES = [(name, method) for name in MACHINES for method in METHODS]


def of_newton(name, method):
    """Newton's correction both ways."""
    planned = kb.build(MACHINES[name](), coupling="unified", **METHODS[method])
    planned.work.state.u[:] = [INPUTS[signal.path] for signal in planned.layout.inputs]
    return corrections(planned, np.random.default_rng(5))


def of_mass(name, coordinates):
    """What a linearly implicit step adds to M, and takes from a momentum: ours, and of payloads that are heavier."""
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics import payload
    from knuckleboom.mechanics.stages import SYSTEM
    from knuckleboom.plan import assembly

    planned = kb.build(MACHINES[name](), coupling="realtime", coordinates=coordinates)
    plan, work, tau = planned.plan, planned.work, 3e-3
    work.state.u[:] = [INPUTS[signal.path] for signal in planned.layout.inputs]
    assert evaluate(plan, work, SYSTEM) == 0
    before, rates = assembly.mass_matrix(plan, work), work.oil.x_dot.copy()
    payload.add_to_mass(plan, work, tau)
    ours = assembly.mass_matrix(plan, work) - before
    v = np.random.default_rng(3).normal(size=len(work.state.v))
    taken = np.zeros(len(v))
    payload.take_from_momentum(plan, work.tangent, v, taken)

    work.state.x += tau * np.maximum(rates, 0.0)
    assert evaluate(plan, work, SYSTEM) == 0
    wanted = assembly.mass_matrix(plan, work) - before
    return {"mass": (ours.tolist(), wanted.tolist()), "momentum": (taken.tolist(), (-wanted @ v).tolist())}


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), CASES)
def test_newtons_correction_is_that_of_the_differenced_jacobian(plain, name, method):
    assert worst(plain[f"{name}, {method}"]) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("name", MACHINES)
def test_what_is_added_to_the_mass_is_that_of_heavier_payloads(plain, name, coordinates):
    for ours, wanted in plain[f"{name}, {coordinates}, mass"].values():
        assert np.abs(wanted).max() > 1e-3
        np.testing.assert_allclose(ours, wanted, atol=1e-12 * np.abs(wanted).max())


if __name__ == "__main__":
    answers = {f"{name}, {method}": of_newton(name, method) for name, method in CASES}
    answers |= {f"{name}, {how}, mass": of_mass(name, how) for name in MACHINES for how in COORDINATES}
    print(json.dumps(answers))
