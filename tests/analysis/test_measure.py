# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison measures of a run: violations against full matrices, evaluations against what integrators do."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis import measure
from knuckleboom.methods import choices
from knuckleboom.simulation.whole import WholeRun


def four_bar(**words):
    m = kb.Machine("four-bar")
    bodies = [m.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)) for name in ("a", "b", "c")]
    m.revolute("foot", m.ground, bodies[0], axis="y", start="-80 deg", speed="100 deg/s")
    m.revolute("knee", bodies[0].at(1, 0, 0), bodies[1], axis="y", start="80 deg")
    m.revolute("hip", bodies[1].at(1, 0, 0), bodies[2], axis="y", start="80 deg")
    m.revolute("end", bodies[2].at(1, 0, 0), m.ground.at(1, 0, 0), axis="y", cut=True)
    return WholeRun(m, "0.1 s", step="2 ms", record="10 ms", **words)


@pytest.mark.parametrize("coordinates", choices("coordinates"))
@pytest.mark.parametrize("coupling", ["explicit", "unified", "realtime"])
def test_violations_are_those_of_the_full_equations(coupling, coordinates):
    run = four_bar(coupling=coupling, coordinates=coordinates)
    seen = []

    def look():
        planned, work = run.planned, run.planned.work
        found = measure.violations(planned)
        v_dot = (work.state.true_v if coupling == "unified" else work.system.v_dot).copy()
        n = planned.loop_equations
        bias = work.rows.bias[:n].copy()
        w = planned.jacobian() @ work.state.v
        seen.append(found)
        assert found[1] == pytest.approx(np.abs(w).max(), abs=1e-12)
        assert found[2] == pytest.approx(np.abs(planned.jacobian() @ v_dot + bias).max(), abs=1e-10)

    gaps = measure.Violations(run.planned)
    run.recorded(look, 5)
    run.recorded(gaps, 5)

    assert len(seen) == 5
    assert gaps.worst == pytest.approx(np.max(seen, axis=0))


def test_evaluations():
    for integrator, count in (("rk4", 4.0), ("semi-implicit-euler", 1.0)):
        assert measure.evaluations(four_bar(integrator=integrator)) == count
    assert measure.evaluations(four_bar(integrator="fw2")) == 2.0
    assert measure.evaluations(four_bar(integrator="lie")) == 1.0


def test_runs_are_compared_by_name_where_their_times_meet():
    run = four_bar()
    fine = measure.look(run.planned.machine, run.recorded())
    run.lay_out("0.1 s", step="2 ms", record="20 ms")
    coarse = measure.look(run.planned.machine, run.recorded())

    assert len(fine.time) == 11 and len(coarse.time) == 6
    assert coarse.distance(fine) == (0.0, None)
    shifted = measure.Seen(coarse.time, {name: place + [0.0, 3.0, 4.0] for name, place in coarse.places.items()}, {})
    assert shifted.distance(fine)[0] == pytest.approx(5.0)
    assert fine.travel == pytest.approx(max(measure.farthest(place, place[0]) for place in fine.places.values()))


def test_a_vector_turns_with_its_body():
    quarter = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])  # about z

    assert measure.turned(quarter, np.array([1.0, 2.0, 3.0])) == pytest.approx(np.array([[-2.0, 1.0, 3.0]]))


def test_cost_is_positive_and_weighed_by_iterations(monkeypatch):
    run = four_bar(coupling="unified")
    monkeypatch.setattr(measure, "timed", lambda run, steps: (2e-3 * steps, 1.5))

    assert measure.cost_of(run, 3.0) == pytest.approx(4e-3)
    assert measure.cost_of(run, None) == pytest.approx(2e-3)
