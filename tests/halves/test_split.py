# SPDX-License-Identifier: BSD-3-Clause
"""A machine in two processes is the machine in one: same bits, whatever the scheme; the audits of both halves add up.

The arm's mechanics runs in this process, its oil by our own kernels in a second one, over TCP. Rank of evidence: second
way through our own code; against SciPy's oil in test_example.py.
"""

import threading

import numpy as np
import pytest

import knuckleboom as kb
from halves.programs import ended, program

OIL = """
import sys
import numpy as np
import knuckleboom as kb

port, file, step, words = int(sys.argv[1]), sys.argv[2], sys.argv[3], eval(sys.argv[4])
arm = kb.catalogue.machine("peiret-arm")
with kb.OtherHalf(port, connect=True, patience="60 s") as half:
    run = kb.simulate(arm, "0.4 s", step=step, mechanics=half, inputs=arm.cases["free"].inputs, **words)
np.savez(file, **{path: run[path].values for path in run.names.paths if run[path].values.ndim == 1})
"""
SHARED = ("lift.length", "lift.speed", "fold.length", "fold.speed")
OF_OIL = (*SHARED, "lift.a.pressure", "fold.b.pressure", "lift.force", "lift_valve.PA.flow")
OF_MECHANICS = (*SHARED, "pin.angle", "hinge.angle_rate", "outer.tip.position", "energy.exchanged")
REDUCED = {"integrator": "trapezoidal", "power_step": "0.2 ms"}
HELD = {"integrator": "semi-implicit-euler", "power_integrator": "rk4", "power_step": "0.05 ms"}


def in_two(tmp_path, step, words):
    """The arm's mechanics here, its oil there: results of both."""
    arm = kb.catalogue.machine("peiret-arm")
    with kb.OtherHalf(0, patience="60 s") as half, program(OIL, half.port, tmp_path / "oil.npz", step, words) as oil:
        here = kb.simulate(arm, "0.4 s", step=step, power=half, **words)
        code, said = ended(oil)
        assert code == 0, said
    return here, np.load(tmp_path / "oil.npz")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("10 ms", REDUCED),
        ("5 ms", {**REDUCED, "integrator": "lie", "power_integrator": "lie"}),
        ("0.5 ms", {**REDUCED, "order": "jacobi"}),
        ("5 ms", {**REDUCED, "handed": "end", "integrator": "semi-implicit-euler", "course": "published"}),
        ("0.1 ms", {**HELD, "course": "hold"}),
        ("0.1 ms", {**HELD, "course": "quadratic", "handed": "end"}),
        ("0.1 ms", {**HELD, "course": "linear", "order": "jacobi"}),
    ],
    ids=lambda given: " ".join(given.values()) if isinstance(given, dict) else given,
)
@pytest.mark.filterwarnings("ignore:.*energy:RuntimeWarning")
def test_two_processes_give_the_bits_of_one(tmp_path, step, words):
    arm = kb.catalogue.machine("peiret-arm")
    words = {**words, "coupling": "cosimulated"}
    one = kb.simulate(arm, "0.4 s", step=step, inputs=arm.cases["free"].inputs, **words)

    here, there = in_two(tmp_path, step, words)

    assert here.status == one.status == "done" and len(here.time) == len(one.time) > 30
    for path in OF_MECHANICS:
        np.testing.assert_array_equal(here[path].values, one[path].values, err_msg=path)
    for path in OF_OIL:
        np.testing.assert_array_equal(there[path], one[path].values, err_msg=path)


def test_audits_of_both_halves_are_those_of_the_whole(tmp_path):
    arm = kb.catalogue.machine("peiret-arm")
    words = {**REDUCED, "coupling": "cosimulated"}
    one = kb.simulate(arm, "0.4 s", step="1 ms", inputs=arm.cases["free"].inputs, **words)

    here, there = in_two(tmp_path, "1 ms", words)

    got, given = here["energy.applied"].values, there["energy.applied"]
    np.testing.assert_allclose(got, -given, atol=1e-9 * abs(got).max())
    work = one["lift.work"].values + one["fold.work"].values
    np.testing.assert_allclose(got, work - work[0], atol=1e-9 * abs(got).max())
    # of each half the residual vanishes with the step, that of the oil alone with the oil's
    assert here.energy().relative_residual < 2e-3
    assert abs(there["energy.residual"]).max() < 1e-4 * there["energy.supplied"][-1]


def test_the_push_has_the_force_that_was_handed(tmp_path):
    words = {**REDUCED, "coupling": "cosimulated"}
    here, there = in_two(tmp_path, "10 ms", words)
    begins = 0.25 * np.pi * 0.08**2 * (there["lift.a.pressure"][0] - 101325.0)
    begins -= 0.25 * np.pi * (0.08**2 - 0.045**2) * (there["lift.b.pressure"][0] - 101325.0)

    assert here["lift.force"].values[0] == pytest.approx(begins, rel=1e-12)
    np.testing.assert_array_equal(here["lift.force"].values, here["lift.input"].values)


def test_at_rest_rounding_fails_neither_half():
    arm = kb.catalogue.machine("peiret-arm")
    runs = {}

    def oil(port):
        with kb.OtherHalf(port, connect=True, patience="60 s") as half:
            runs["oil"] = kb.simulate(arm, "1 s", step="10 ms", mechanics=half)

    with kb.OtherHalf(0, patience="60 s") as half:
        thread = threading.Thread(target=oil, args=(half.port,))
        thread.start()
        runs["arm"] = kb.simulate(arm, "1 s", step="10 ms", power=half)
        thread.join(60.0)
    elsewhere = {"oil": "mechanics", "arm": "power"}
    for name, run in runs.items():
        assert run.warnings == [] and run.meta["elsewhere"]["computes"] == elsewhere[name]
        assert np.ptp(run["lift.length"].values) < 1e-12
