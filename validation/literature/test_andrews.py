# SPDX-License-Identifier: BSD-3-Clause
"""Andrews' squeezing mechanism: seven angles at 0.03 s, against the IVP test set and against a solution of our own.

The test set prints 16 digits, computed by PSIDE at a tolerance of 1e-14 [Mazzia 2008, problem andrews]: a table. The
second route is bench/references/andrews.py: one coordinate, loops closed by circles, equations of motion from energy
alone, DOP853 at 1e-12; it shares no equation with the test set and reproduces its digits to 2e-9. Ranks: closed form of
the positions and independent formulation of the motion; table. Tolerance: six digits are asked for; RK4 at 10 µs has
eight, and its error falls by 16 per halving of the step.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import andrews as reference
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.andrews import ANGLES, REFERENCE
from literature.mechanisms import attempts, outcome


@pytest.fixture(scope="module")
def run():
    case = NAMES["andrews"]()
    return kb.simulate(case.machine, case.duration, step=case.step, record=case.duration / 100)


def test_own_reference_has_the_printed_digits():
    found = reference.angles(np.array([0.0, 0.03]))
    assert {name: found[name][-1] for name in ANGLES} == pytest.approx(REFERENCE, abs=5e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_final_angles(run, angle):
    assert run[f"{angle}.angle"].values[-1] == pytest.approx(REFERENCE[angle], rel=1e-7)


def test_angles_over_time(run):
    found = reference.angles(np.asarray(run.time))
    for name in ANGLES:
        assert run[f"{name}.angle"].values == pytest.approx(found[name], abs=5e-7)


def test_starts_closed():
    """The printed start angles close all three loops to rounding: assembly has nothing to move."""
    case = NAMES["andrews"]()
    first = kb.simulate(case.machine, 2 * case.step, step=case.step)
    for pin in ("E_K3", "E_K4", "E_K6"):
        assert np.abs(first[f"{pin}.residual"].values[0]).max() < 1e-16


def test_order():
    """Half the step, a sixteenth of the error."""
    case, errors = NAMES["andrews"](), []
    for step in (2e-5, 1e-5):
        beta = kb.simulate(case.machine, case.duration, step=step)["beta.angle"].values[-1]
        errors.append(abs(beta - reference.angles(np.array([0.0, 0.03]))["beta"][-1]))
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.25)


def test_pin_and_energy():
    result = outcome("andrews")
    assert result["position_error"] < 1e-10
    assert result["energy_drift"] < 1e-8  # J; the torque did 0.5 J of work
    assert result["final"].keys() == REFERENCE.keys()


def test_every_enforcement():
    for row in attempts("andrews").values():
        assert row["status"] == "done" and row["position_error"] < 1e-10
