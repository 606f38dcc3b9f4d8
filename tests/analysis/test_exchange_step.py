# SPDX-License-Identifier: BSD-3-Clause
"""The largest stable exchange that `compare` finds by the energy of exchanges, against the step at which errors against
the reference explode.

Rank: a second criterion in our own code, which needs the converged run that the first one does without. Errors have
exploded where a place is off by a tenth of the motion, or a pressure by the largest pressure, or the run ends early.
Both limits are found to a factor of 1.25 by `compare`, and may lie another factor of 1.25 apart: just below the
explosion errors grow by twenty times where the step doubles.
"""

import math

import pytest

import knuckleboom as kb
from knuckleboom.analysis import measure
from knuckleboom.analysis.compare import FINE
from knuckleboom.analysis.trial import Trial
from knuckleboom.bench.machines import held
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.methods import COSIMULATED
from knuckleboom.results.comparison import MethodName
from knuckleboom.results.step_limits import EXCHANGED_WITHIN, is_quiet, limit_of

pytestmark = pytest.mark.slow

ONE = ["cosimulated", "trapezoidal", "relative", "lagrange"]
MOTION = 0.1
"""Part of the motion by which a place of a run that exploded is off."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Costs that are only there, not good."""
    monkeypatch.setattr(measure, "PIECE", 1e-4)


def compared(name, duration, viscous=None, **words):
    """A comparison of the steps of one scheme, on a machine that is held, with other friction in its cylinders."""
    case = kb.catalogue.NAMES[name]()
    machine = held(case.machine)
    for ram in machine.of(Ram) if viscous else ():
        machine[ram.name].viscous = viscous
    return kb.compare(machine, duration, case=case, only=ONE, method=words, within="1 h")


def is_sane(found):
    """Whether the errors of a run are those of a run that has not exploded."""
    return lambda row: (
        row.done and row.position_error < MOTION * found.travel and (row.pressure_error_percent or 0.0) < 100.0
    )


@pytest.mark.parametrize(
    ("name", "duration", "viscous", "words", "between"),
    [
        ("peiret-arm", 3.0, 1e3, {"course": "hold"}, (0.6e-3, 0.9e-3)),
        ("peiret-arm", 3.0, 1e3, {"course": "linear"}, (1.5e-3, 3e-3)),
        ("peiret-arm", 3.0, 1e5, {"course": "hold"}, (5e-3, 8e-3)),
        ("cosim-arm", 3.2, 1e5, {"course": "hold"}, (30e-3, 40e-3)),
        ("cosim-arm", 3.2, 1e5, {"course": "linear"}, (10e-3, 15e-3)),
        ("excavator", 2.0, None, {"course": "hold"}, (2e-3, 5e-3)),
    ],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else None,
)
def test_energy_finds_where_errors_explode(name, duration, viscous, words, between):
    found = compared(name, duration, viscous, **words)
    step = found.cosimulated_step
    by_errors = limit_of(found.rows, is_sane(found))

    assert found.reference.converged and step.unstable_above and by_errors.bounded
    assert between[0] <= step.stable <= between[1]
    assert 1.0 / FINE**2 < step.stable / by_errors.step < FINE**2
    above = min(row.step for row in found.rows if row.step > step.stable)
    assert above <= FINE * step.stable * (1.0 + 1e-9) or not between_steps(step.stable, above, found.grid)
    assert f"stable up to H = {1e3 * step.stable:.4g} ms (energy of exchanges " in found.advice


def between_steps(low, high, grid):
    """Whether a step between two others meets the grid near their middle."""
    middle = math.sqrt(low * high)
    near = grid / round(grid / middle) if middle < grid else grid * round(middle / grid)
    return low * (1.0 + 1e-9) < near < high * (1.0 - 1e-9)


@pytest.mark.parametrize(
    ("name", "duration", "viscous", "least"),
    [("peiret-arm", 3.0, 1e3, 40e-3), ("cosim-arm", 3.2, 1e3, 40e-3), ("excavator", 2.0, None, 20e-3)],
)
def test_the_reduced_model_is_stable_far_beyond(name, duration, viscous, least):
    found = compared(name, duration, viscous)
    step = found.cosimulated_step

    assert step.stable >= least and step.exchanged_percent < 100.0 * EXCHANGED_WITHIN
    assert all(is_sane(found)(row) for row in found.rows if row.step <= step.stable)
    assert step.accurate.enough and step.accurate.step >= 1e-3


def test_all_that_is_asked_for_is_run_for_the_other_methods_too():
    """The three integrators in all coordinates; only what stands for `cosimulated` is looked at more finely."""
    case = kb.catalogue.NAMES["peiret-arm"]()
    found = kb.compare(case.machine, "0.4 s", case=case, only=["cosimulated"], steps=["5 ms", "2.5 ms"], within="1 h")
    methods = {row.method for row in found.rows}

    assert {(one.coordinates, one.integrator, one.enforcement) for one in methods} == {
        (coordinates, integrator, enforcement)
        for coordinates in COSIMULATED.coordinates
        for integrator in COSIMULATED.integrator
        for enforcement in COSIMULATED.enforcement
    }
    assert found.default_cosimulated == MethodName("relative", "cosimulated", "trapezoidal", "lagrange", "sparse")
    usual = [row for row in found.rows if row.method == found.default_cosimulated]
    assert {5e-3, 2.5e-3} < {row.step for row in usual}
    assert all(row.exchanged_percent is not None and row.evaluations_per_step >= 1.0 for row in usual if row.done)
    assert all(row.iterations is None for row in found.rows if row.method.integrator != "trapezoidal")
    assert all(is_quiet(row) for row in usual if row.step <= 5e-3)


def test_words_choose_the_line_of_the_table_that_they_go_with():
    case = kb.catalogue.NAMES["naya-rod"]()
    method = MethodName("relative", "cosimulated", "trapezoidal", "lagrange", "sparse")
    for words in ({"order": "mechanics-first"}, {"order": "jacobi", "course": "linear"}, {"power_step": 2.5e-4}):
        trial = Trial(case.machine, 0.1, (0.005,), 0.005, case.inputs, words)
        planned = trial.run(method, 0.005, 0.005, case.inputs).planned
        assert {word: getattr(planned.method, word) for word in words} == words
        realtime = trial.run(method._replace(coupling="realtime", integrator="fw2"), 0.005, 0.005, case.inputs)
        assert realtime.planned.method.order == "" and realtime.planned.method.power_step == 0.0


def test_ctrl_c_keeps_what_is_known_of_the_exchanges(monkeypatch):
    from knuckleboom.analysis.compare import Candidate

    real, runs = Candidate.go, []

    def pressed(self, step, *rest):
        runs.append(step)
        if len(runs) > 3:
            raise KeyboardInterrupt
        return real(self, step, *rest)

    monkeypatch.setattr(Candidate, "go", pressed)
    case = kb.catalogue.NAMES["peiret-arm"]()
    kept = kb.compare(case.machine, "0.4 s", case=case, only=ONE, within="1 h")

    assert kept.status == "interrupted" and len(kept.rows) == 3
    assert kept.advice.startswith("Interrupted; of what was run until then:")
    assert "stable up to H = 10 ms at least" in kept.advice
