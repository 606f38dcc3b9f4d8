# SPDX-License-Identifier: BSD-3-Clause
"""examples/arm_hydraulics.py as the oil of `peiret-arm`: a user's own code in SciPy, against the machine in one piece.

The reference is `unified` at 0.1 ms in one process, whose own error is below 1e-7 rad. Rank of evidence: independent
formulation. Lightly damped, with exchanges of 10 ms: reduced is right where hold, linear and quadratic are lost.
"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from halves.programs import ended, program

EXAMPLE = Path(__file__).parents[2] / "examples" / "arm_hydraulics.py"
ANGLES = ("pin.angle", "hinge.angle")


@pytest.fixture(scope="module")
def arm():
    return kb.catalogue.machine("peiret-arm")


@pytest.fixture(scope="module")
def exact(arm):
    return kb.simulate(arm, "1.5 s", step="0.1 ms", record="5 ms", inputs=arm.cases["free"].inputs, coupling="unified")


OIL = f"""
import sys
sys.path.insert(0, {str(EXAMPLE.parent)!r})
import numpy as np
from arm_hydraulics import PowerHalf, own_oil

with PowerHalf(int(sys.argv[1])) as half:
    np.save(sys.argv[2], own_oil(half))
"""


def in_two(arm, folder, seconds, **words):
    """A run with the example's oil in a process of its own: the results, and its pressures by time."""
    with kb.OtherHalf(0, patience="2 s") as half, program(OIL, half.port, folder / "oil.npy") as oil:
        try:
            run = kb.simulate(arm, seconds, record="10 ms", power=half, **words)
        except kb.SimulationError as error:
            return error.results, None
        code, said = ended(oil)
        assert code == 0, said
    return run, np.load(folder / "oil.npy")


def angle_error(run, exact):
    return max(np.abs(run[path].values - [exact[path].at(t) for t in run.time]).max() for path in ANGLES)


@pytest.mark.parametrize(("step", "most"), [("10 ms", 2e-5), ("5 ms", 5e-6)])
def test_reduced_with_scipys_oil_is_the_machine(tmp_path, arm, exact, step, most):
    run, record = in_two(arm, tmp_path, 1.5, step=step)

    assert run.status == "done"
    assert angle_error(run, exact) < most
    for column, path in enumerate(("lift.a", "lift.b", "fold.a", "fold.b"), start=1):
        off = record[:, column] - [exact[f"{path}.pressure"].at(t) for t in record[:, 0]]
        assert np.abs(off).max() < 0.1e5


@pytest.mark.parametrize("course", ["hold", "linear", "quadratic"])
def test_held_and_extrapolated_rates_are_lost_at_that_step(tmp_path, arm, exact, course):
    run, _ = in_two(arm, tmp_path, 1.5, step="10 ms", course=course)

    assert run.status == "failed"
    assert angle_error(run, exact) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("course", "order"),
    [("hold", "power-first"), ("hold", "jacobi"), ("linear", "power-first"), ("quadratic", "power-first")],
)
@pytest.mark.filterwarnings("ignore:The energy:RuntimeWarning")
def test_they_converge(tmp_path, arm, exact, course, order):
    words = {"course": course, "order": order, "integrator": "semi-implicit-euler"}
    far, near = (
        angle_error(in_two(arm, tmp_path, 0.24, step=step, **words)[0], exact) for step in ("0.2 ms", "0.1 ms")
    )

    assert near < 1e-4 and near < 0.7 * far


@pytest.mark.slow
def test_as_programs_of_their_own():
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--run"], capture_output=True, text=True, timeout=240, check=False
    )

    assert done.returncode == 0, done.stderr
    said = re.fullmatch(
        r"300 exchanges, highest pressure 202\.1 bar\nlift 1\.1\d+ m, fold 1\.\d+ m after 3 s\n", done.stdout
    )
    assert said, done.stdout
