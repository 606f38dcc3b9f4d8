# SPDX-License-Identifier: BSD-3-Clause
"""kb.compare: what it finds on machines small enough to know the answer, what it runs, leaves out and keeps.

The pendulum's error is known by a second route: a run of its own against one with steps ten times smaller. Costs are
never compared here: nothing in the suite is timed.
"""

import itertools

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis import compare as comparing
from knuckleboom.analysis import measure
from knuckleboom.analysis.compare import Budget, Candidate, shortened
from knuckleboom.analysis.trial import Trial, all_of, read_only, read_steps
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.methods import GRADIENTS, TABLE, choices
from knuckleboom.results.comparison import MethodName

pytestmark = pytest.mark.slow

LONG = "1 h"  # of processor time: nothing is left out for want of it


def pendulum():
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    m.revolute("foot", m.ground, rod, axis="y")
    return m


@pytest.fixture(scope="module", autouse=True)
def quick():
    """Costs that are only there, not good."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "PIECE", 1e-4)
        yield


@pytest.fixture(scope="module")
def swinging():
    return kb.compare(pendulum(), "0.5 s", steps=["5 ms", "2.5 ms"], within=LONG)


@pytest.fixture(scope="module")
def rod():
    case = kb.catalogue.NAMES["naya-rod"]()
    kappa = case.inputs["valve"].values[0]
    valve = {"valve": {0.0: kappa, 0.05: kappa - 0.01}}
    return kb.compare(case.machine, "0.2 s", steps=["5 ms", "2.5 ms"], inputs=valve, within=LONG)


def of(comparison, coupling, integrator, coordinates="relative"):
    """The runs of a method with its default enforcement and factorisation, the largest step first."""
    row = next(row for row in TABLE if row.coupling == coupling and coordinates in row.coordinates)
    method = MethodName(coordinates, coupling, integrator, row.enforcement[0], row.factorisation[0])
    return [row for row in comparison.rows if row.method == method]


def given(comparison, *method):
    """Of these the steps that were asked for."""
    return [row for row in of(comparison, *method) if row.step <= comparison.longest]


def every_method():
    return {method for row in TABLE for method in all_of(row)}


def test_the_error_is_that_of_the_centre_of_mass(swinging):
    exact = kb.simulate(pendulum(), "0.5 s", step="0.1 ms", record="5 ms")
    angle = kb.simulate(pendulum(), "0.5 s", step="5 ms", record="5 ms", integrator="semi-implicit-euler")
    # a chord of the circle on which the centre of mass goes, 0.5 m from the pin
    apart = np.sin(0.5 * (angle["foot.angle"].values - exact["foot.angle"].values))

    row = given(swinging, "explicit", "semi-implicit-euler")[0]

    assert row.step == 0.005
    assert row.position_error == pytest.approx(np.abs(apart).max(), rel=1e-6)


def test_every_method_of_the_table_is_run_or_listed_with_the_reason(swinging, rod):
    for comparison in (swinging, rod):
        run, left_out = {row.method for row in comparison.rows}, {one.method for one in comparison.not_run}
        assert run | left_out == every_method()
        assert not run & left_out
    assert not rod.not_run
    untouched, without_oil = "nothing touches, stops or rubs in the machine", "the machine has no oil"
    reasons = dict.fromkeys(("cointegrated", "cosimulated", "kinematic"), without_oil) | {"timestepping": untouched}
    assert {(one.method.coupling, one.step, one.reason) for one in swinging.not_run} == {
        (coupling, None, reason) for coupling, reason in reasons.items()
    }


def test_without_oil_there_are_no_pressures(swinging):
    assert all(row.pressure_error_percent is None for row in swinging.rows)
    assert all(row.done for row in swinging.rows if row.step <= swinging.longest)
    assert swinging.reference.pressure_difference_percent is None
    assert swinging.reference.converged


@pytest.mark.parametrize("coordinates", choices("coordinates"))
@pytest.mark.parametrize(
    ("coupling", "integrator", "order"),
    [
        ("explicit", "rk4", 4),
        ("explicit", "semi-implicit-euler", 1),
        ("unified", "trapezoidal", 2),
        ("realtime", "fw2", 2),
    ],
)
def test_errors_fall_with_the_order_of_the_method(swinging, coupling, integrator, order, coordinates):
    coarse, fine = given(swinging, coupling, integrator, coordinates)[:2]

    assert np.log2(coarse.position_error / fine.position_error) == pytest.approx(order, abs=0.25)


def test_steps_that_are_too_large_fail_with_the_reason_and_smaller_ones_are_tried(rod):
    rows = of(rod, "explicit", "rk4")

    assert rows[0].status == "failed"
    assert "is no longer finite" in rows[0].reason and rows[0].position_error is None
    assert rows[-1].done and rows[-1].step < 0.0025
    assert rod.error(rows[-1]) < 0.005 < min(rod.error(row) for row in rows[:-1])


def test_implicit_couplings_are_close_at_large_steps(rod):
    for coupling, integrator in (("unified", "trapezoidal"), ("realtime", "fw2")):
        rows = given(rod, coupling, integrator)
        assert [row.step for row in rows[:2]] == [0.005, 0.0025]
        assert all(row.position_error < 1e-4 and row.pressure_error_percent < 0.5 for row in rows)
    assert all(row.iterations >= 1.0 for row in of(rod, "unified", "trapezoidal"))
    assert all(row.iterations is None for row in of(rod, "realtime", "fw2"))


def test_larger_steps_show_where_a_method_is_stable(rod):
    explicit, unified = (
        of(rod, *words)[0].method.formulation for words in (("explicit", "rk4"), ("unified", "trapezoidal"))
    )

    assert rod.stability(unified).step == 0.02 and not rod.stability(unified).bounded  # ten steps must be left
    assert rod.stability(explicit).step == of(rod, "explicit", "rk4")[-1].step and rod.stability(explicit).bounded
    # they are not advised: nobody asked for them
    assert rod.realtime.step <= 0.005 and rod.accurate.step <= 0.005


def test_the_size_of_constraint_violations(swinging):
    relative = [row for row in swinging.rows if row.method.coordinates == "relative"]
    index3 = of(swinging, "unified", "trapezoidal", "reference-point")
    lagrange = of(swinging, "explicit", "rk4", "reference-point")

    assert all(row.constraint_error is None and row.constraint_acceleration_error is None for row in relative)
    assert all(row.constraint_error < 1e-9 and row.constraint_rate_error < 1e-9 for row in index3)
    # an explicit method drifts at the level of positions, not beyond what it is pulled back by
    assert all(0.0 < row.constraint_error < 1e-3 for row in lagrange)


def test_factorisations_share_the_errors_and_are_timed_apart(swinging):
    methods = itertools.groupby(sorted(swinging.rows, key=lambda row: (row.method.formulation, row.step)),
                             key=lambda row: (row.method.formulation, row.step))  # fmt: skip
    several = [rows for rows in (list(group) for _, group in methods) if len(rows) > 1]

    assert several
    for rows in several:
        assert len({row.method.factorisation for row in rows}) == len(rows)
        assert len({(row.position_error, row.errors_with) for row in rows}) == 1
        assert all(row.cpu_per_s > 0.0 for row in rows)


def test_cylinders_that_follow_the_reference_are_where_it_is(rod):
    rows = given(rod, "kinematic", "trapezoidal")

    assert all(row.position_error < 1e-8 and row.pressure_error_percent is None for row in rows)


def test_only_some_methods():
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms"], only=["relative", "realtime", "explicit"], within=LONG)

    assert {row.method.coordinates for row in found.rows} == {"relative"}
    assert {row.method.coupling for row in found.rows} == {"explicit", "realtime"}
    assert not found.not_run
    with pytest.raises(MachineError, match="No method has all of the words conjugate-gradients, lagrange"):
        kb.compare(pendulum(), "0.1 s", only=["lagrange", "conjugate-gradients"])
    assert read_only(["dense", "rk4"]) == {"factorisation": {"dense"}, "integrator": {"rk4"}}
    with pytest.raises(MachineError, match="No method has the word 'realtim'") as refused:
        kb.compare(pendulum(), "0.1 s", only=["realtim"])
    assert "'realtime'" in str(refused.value)


def test_words_reach_the_methods_that_they_go_with():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"jumps": "published", "power_integrator": "rk4", "factorisation": "dense", "enforcement": "penalty"}
    trial = Trial(case.machine, 0.1, (0.005,), 0.005, case.inputs, words)
    methods = [MethodName("relative", "cointegrated", "trapezoidal", "index3", "dense"),
            MethodName("relative", "explicit", "rk4", "lagrange", "sparse")]  # fmt: skip

    apart, explicit = (trial.run(method, 0.005, 0.005, case.inputs).planned.method for method in methods)

    assert (apart.jumps, apart.power_integrator) == ("published", "rk4")
    assert (explicit.jumps, explicit.power_integrator) == ("", "")
    assert (explicit.enforcement, explicit.factorisation) == ("lagrange", "sparse")  # these are compared
    assert trial.wanted("explicit", "rk4") == MethodName("relative", "explicit", "rk4", "penalty", "dense")
    assert trial.wanted("realtime", "fw2")[1:4] == ("realtime", "fw2", "penalty")


def test_words_that_there_are_not_are_refused_before_anything_runs():
    with pytest.raises(MachineError) as refused:
        kb.compare(pendulum(), "0.5 s", method={"enforcement": "agumented", "jump": "published"})

    text = str(refused.value)
    assert "There is no enforcement 'agumented'." in text and "'augmented'" in text
    assert "A method has no 'jump'." in text and "'jumps'" in text


def test_the_reference_says_how_well_it_is_converged(rod):
    assert rod.reference.method.coupling == "explicit" and rod.reference.converged
    assert rod.reference.position_difference <= 1e-8
    assert "halving its step moved it by" in str(rod)


def test_methods_that_do_not_suit_a_machine_say_why(monkeypatch):
    real = Trial.run

    def choosy(self, method, *rest):
        if method.coordinates == "natural":
            raise MachineError([Problem("'foot' cannot be had so.", part="foot")], "pendulum")
        return real(self, method, *rest)

    monkeypatch.setattr(Trial, "run", choosy)
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms"], only=["explicit", "lagrange"], within=LONG)

    refused = [row for row in found.rows if row.status == "refused"]
    assert {row.method.coordinates for row in refused} == {"natural"}
    assert {row.reason for row in refused} == {"'foot' cannot be had so."}
    assert {row.method.factorisation for row in refused} == {"sparse", "dense"}


def test_plain_data(rod):
    data = rod.to_dict()

    assert len(data["runs"]) == len(rod.rows)
    assert rod.rows[data["realtime"]] is rod.realtime
    assert rod.realtime.method.coupling in ("explicit", "realtime") and rod.realtime.iterations is None
    assert rod.rows[data["accurate"]] is rod.accurate
    assert {tuple(one[word] for word in MethodName._fields) for one in data["methods"]} == every_method()
    for one in data["methods"]:
        assert one["best"] is None or data["runs"][one["best"]]["coupling"] == one["coupling"]


def test_pictures(rod, swinging):
    figure = rod.plot()
    columns = len({row.method.coordinates for row in rod.rows})
    labels = ["largest error of a place [mm]", "largest error of a pressure [% of the largest]"]
    assert len(figure.axes) == 2 * columns
    assert [ax.get_ylabel() for ax in figure.axes[::columns]] == labels
    assert all(ax.get_xscale() == ax.get_yscale() == "log" for ax in figure.axes)
    assert len(swinging.plot().axes) == columns
    assert "For real time take" in rod._repr_html_() and "<table" in rod._repr_html_()


def test_what_was_done_before_an_interruption_is_kept(monkeypatch):
    real = Candidate.go

    def pressed(self, step, *rest):
        if self.method.coupling == "unified":
            raise KeyboardInterrupt
        return real(self, step, *rest)

    monkeypatch.setattr(Candidate, "go", pressed)
    monkeypatch.setattr(Candidate, "predicted", lambda self, step: float(self.method.coupling == "unified"))
    kept = kb.compare(pendulum(), "0.1 s", steps=["10 ms"], within=LONG)

    assert kept.status == "interrupted"
    assert {row.method.coupling for row in kept.rows} == {"explicit", "realtime"}
    pending = {one.method for one in kept.not_run if one.reason == "interrupted"}
    assert {method.coupling for method in pending if method.factorisation != GRADIENTS} == {"unified"}
    assert pending | {row.method for row in kept.rows} | {one.method for one in kept.not_run} == every_method()
    assert "Not run, interrupted: " in str(kept)


def test_what_there_is_no_time_for_is_listed(monkeypatch):
    # the cheapest comes first: what is dear is left out, with all smaller steps that were asked for
    monkeypatch.setattr(Candidate, "predicted", lambda self, step: 1e9 if self.method.coupling == "unified" else 0.0)
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms", "5 ms"], only=["relative"], within=LONG)

    assert not [row for row in found.rows if row.method.coupling == "unified"]
    left_out = [one for one in found.not_run if one.method.coupling == "unified"]
    assert {one.step for one in left_out} == {0.01, 0.005}
    assert {one.reason for one in left_out} == {"not within 3600 s"}
    assert "Not run, not within 3600 s: unified (" in str(found)


def test_methods_that_take_too_long_to_plan_are_listed(monkeypatch):
    monkeypatch.setattr(comparing, "PLANS_SHARE", -1.0)
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms"], only=["relative", "explicit", "lagrange"], within=LONG)

    assert not found.rows and found.reference.converged
    assert {one.method.integrator for one in found.not_run} == {"rk4", "semi-implicit-euler"}
    assert {(one.step, one.reason) for one in found.not_run} == {(None, "not within 3600 s")}
    assert found.advice.startswith("Nothing is advised: there was no time to run any method")


def test_dense_matrices_that_are_too_large_are_listed(monkeypatch):
    monkeypatch.setattr(comparing, "DENSE_S", 1e9)
    words = ["explicit", "lagrange", "rk4", "reference-point"]
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms", "5 ms"], only=words, within=LONG)

    assert {row.method.factorisation for row in found.rows} == {"sparse"}
    (out,) = found.not_run
    assert out.method.factorisation == "dense" and out.step is None
    assert out.reason == "a dense matrix of 11 unknowns takes too long for 3600 s"


def test_a_duration_that_would_take_too_long_is_shortened():
    trial = Trial(pendulum(), 4.0, (0.01, 0.005, 0.002, 0.001), 0.01, {}, {})
    budget = Budget(3600.0)
    candidates = [Candidate(trial, [MethodName("relative", "explicit", "rk4", "lagrange", "sparse")], per_step=step)
                  for step in (1e-3, 1.0)]  # fmt: skip

    short = shortened(trial, candidates, budget)

    # 300 larger steps a second with the margin take 390 s: 0.7 h of processor time are enough for 6 s
    assert shortened(trial, candidates[:1], budget).duration == 4.0
    assert short.duration == 4.0
    candidates[1].per_step = 4.0
    short = shortened(trial, candidates, budget)
    assert short.duration == 1.0 and {one.trial.duration for one in candidates} == {1.0}
    candidates[1].per_step = 1e5
    assert shortened(trial, candidates, budget).duration == comparing.SHORTEST * 0.01


def test_another_reference_where_explicit_steps_do_not_last(monkeypatch):
    real = Trial.run

    def stiff(self, method, *rest):
        if method.coupling == "explicit":
            raise SimulationError("Simulation stopped at t = 0 s: it is no longer finite.")
        return real(self, method, *rest)

    monkeypatch.setattr(Trial, "run", stiff)
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms"], only=["relative"], within=LONG)

    assert {found.reference.method.coupling, found.reference.confirmed_by} == {"unified", "realtime"}
    assert found.reference.converged
    assert {row.status for row in found.rows if row.method.coupling == "explicit"} == {"failed"}


def test_nothing_to_compare_with_is_a_sentence(monkeypatch):
    def stiff(*_):
        raise SimulationError("Simulation stopped at t = 0 s: it is no longer finite.")

    monkeypatch.setattr(Trial, "run", stiff)
    with pytest.raises(kb.AnalysisError, match=r"'pendulum' has no reference: none of explicit \(rk4\), unified"):
        kb.compare(pendulum(), "0.1 s", steps=["10 ms"])


def test_progress_only_grows():
    told = []
    kb.compare(pendulum(), "0.1 s", steps=["10 ms"], only=["relative", "explicit"], within=LONG, progress=told.append)

    assert told == sorted(told) and told[0] > 0.0 and told[-1] == pytest.approx(1.0, abs=1e-6)


def test_steps_meet_on_a_grid():
    assert read_steps("1 s", ["10 ms", "5 ms", "2 ms", 1e-3]) == (1.0, (0.01, 0.005, 0.002, 0.001), 0.01)
    assert read_steps(1.0, ["3 ms", "2 ms"])[2] == 0.006
    with pytest.raises(MachineError, match=r"The steps 7 ms, 3 ms do not meet within 0\.02 s"):
        read_steps("20 ms", ["7 ms", "3 ms"])
    with pytest.raises(MachineError, match="There is no step to compare"):
        read_steps("1 s", [])


def test_looks_and_timing_leave_the_motion_as_it_is():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "1 ms", "record": "5 ms", "inputs": {"valve": {0.0: 0.46, 0.02: 0.45}}}
    for coupling in ("explicit", "unified", "realtime"):
        trial = Trial(case.machine, 0.05, (0.001,), 0.005, words["inputs"], {})
        method = trial.wanted(coupling, next(row for row in TABLE if row.coupling == coupling).integrator[0])
        run = trial.run(method._replace(coordinates="reference-point"), 1e-4, 0.005, words["inputs"])
        plain = run.recorded()
        measure.cost_of(run, None)
        watched = run.recorded(measure.Violations(run.planned), 7)
        for path in plain:
            assert np.array_equal(plain[path].values, watched[path].values, equal_nan=True), path
