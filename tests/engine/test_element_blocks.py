# SPDX-License-Identifier: BSD-3-Clause
"""Elements with several rows and states in steps: order 2 of `realtime` and `unified` with an element that has every
slope (coupled_rows.py) and a synchronous machine, against explicit steps that are converged to 1e-8.

The tangent of linearly implicit steps has the symmetric part of what rows do to each other, and nothing of the force
that is read: a W-method keeps its order all the same. Newton's exact tangent: tests/engine/test_theta.py. Plain Python.
"""

import json

import numpy as np
import pytest

import knuckleboom as kb
from engine.element_parts import use_parts
from engine.test_theta import elements
from plain_python import answers_of

DURATION = 0.016
STEPS = (4e-4, 2e-4, 1e-4)


def reached(coupling, step):
    """Coordinates, velocities and states at the end."""
    machine = elements()
    del machine.parts["patch"]  # its law has corners
    volts = {"rotor.voltage_d": 1.0, "rotor.voltage_q": 3.0}
    run = kb.simulate(machine, DURATION, step=step, record=DURATION, coupling=coupling, inputs=volts)
    paths = ("ja.angle", "ja.angle_rate", "rotor.current_d", "rotor.current_q", "coupled.first", "coupled.second")
    return [float(run[path].values[-1]) for path in paths]


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
def test_explicit_steps_are_converged(plain):
    assert np.abs(np.subtract(*plain["explicit"])).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("coupling", ["realtime", "unified"])
def test_order(plain, coupling):
    errors = np.abs(np.array(plain[coupling]) - plain["explicit"][1])
    assert (errors[:-1] / errors[1:] > 2.0**1.7).all()


if __name__ == "__main__":
    use_parts()
    answers = {coupling: [reached(coupling, step) for step in STEPS] for coupling in ("realtime", "unified")}
    print(json.dumps(answers | {"explicit": [reached("explicit", step) for step in (2e-5, 1e-5)]}))
