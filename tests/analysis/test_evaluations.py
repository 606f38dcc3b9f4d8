# SPDX-License-Identifier: BSD-3-Clause
"""How often a machine is evaluated in a step, as a comparison says it, against the calls counted without the compiler.

What fills the rates anew at the start, before the first step, does not count.
"""

import json

import pytest

from plain_python import answers_of

COUPLINGS = ("explicit", "unified", "cointegrated", "realtime", "cosimulated")


def count(coupling, coordinates):
    """Evaluations per step: as counted, and as said."""
    import knuckleboom as kb
    from knuckleboom.analysis import measure
    from knuckleboom.engine import cosimulate, explicit, linearly_implicit, run, theta
    from knuckleboom.simulation.whole import WholeRun

    calls = []

    def counted(module, real):
        def call(plan, work, *goal):
            if module is not theta or goal:  # what fills the rates anew has none: it fills all
                calls.append(1)
            return real(plan, work, *goal)

        return call

    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "0.1 ms", "inputs": case.inputs, "coupling": coupling, "coordinates": coordinates}
    whole = WholeRun(case.machine, 5e-4, **words)
    modules = (explicit, run, theta, linearly_implicit, cosimulate)
    names = ("evaluate", "evaluate_all", "evaluate_alone")
    kept = [(module, name, getattr(module, name)) for module in modules for name in names if hasattr(module, name)]
    for module, name, real in kept:
        setattr(module, name, counted(module, real))
    whole.unrecorded()
    for module, name, real in kept:
        setattr(module, name, real)
    return len(calls) / whole.steps, measure.evaluations(whole)


@pytest.fixture(scope="module")
def answers():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["relative", "reference-point"])
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_evaluations_are_those_that_happen(answers, coupling, coordinates):
    counted, said = answers[f"{coupling} {coordinates}"]

    assert counted > 0.0 and said == pytest.approx(counted)


if __name__ == "__main__":
    names = [(coupling, coordinates) for coupling in COUPLINGS for coordinates in ("relative", "reference-point")]
    print(json.dumps({" ".join(name): count(*name) for name in names}))
