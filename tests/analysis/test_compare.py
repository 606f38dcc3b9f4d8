# SPDX-License-Identifier: BSD-3-Clause
"""kb.compare: what it finds on machines small enough to know the answer, what it says, keeps and draws.

The pendulum's error is known by a second route: a run of its own against one with steps ten times smaller. Costs are
never compared here: nothing in the suite is timed.
"""

from dataclasses import replace

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.compare import Trial, read_steps, turned
from knuckleboom.errors import MachineError, SimulationError
from knuckleboom.methods import TABLE
from knuckleboom.results import Comparison
from knuckleboom.results.comparison import Reference, Row


def pendulum():
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    m.revolute("foot", m.ground, rod, axis="y")
    return m


@pytest.fixture(scope="module")
def swinging():
    return kb.compare(pendulum(), "0.5 s", steps=["20 ms", "10 ms"])


@pytest.fixture(scope="module")
def rod():
    case = kb.catalogue.NAMES["naya-rod"]()
    kappa = case.inputs["valve"][0.0]
    valve = {"valve": {0.0: kappa, 0.05: kappa - 0.01}}
    return kb.compare(case.machine, "0.2 s", steps=["5 ms", "2.5 ms"], inputs=valve)


def of(comparison, coupling, integrator):
    return [row for row in comparison.rows if (row.coupling, row.integrator) == (coupling, integrator)]


def test_the_error_is_that_of_the_centre_of_mass(swinging):
    exact = kb.simulate(pendulum(), "0.5 s", step="0.1 ms", record="10 ms")
    angle = kb.simulate(pendulum(), "0.5 s", step="10 ms", record="10 ms", integrator="semi-implicit-euler")
    # a chord of the circle on which the centre of mass goes, 0.5 m from the pin
    apart = np.sin(0.5 * (angle["foot.angle"].values - exact["foot.angle"].values))

    row = of(swinging, "explicit", "semi-implicit-euler")[1]

    assert row.step == 0.01
    assert row.position_error == pytest.approx(np.abs(apart).max(), rel=1e-6)


def test_without_oil_there_are_no_pressures_and_no_couplings_that_need_them(swinging):
    couplings = {row.coupling for row in swinging.rows}

    assert couplings == {row.coupling for row in TABLE} - {"cointegrated", "kinematic"}
    assert all(row.done and row.pressure_error_percent is None for row in swinging.rows)
    assert swinging.reference.pressure_difference_percent is None
    assert swinging.reference.converged


@pytest.mark.parametrize(
    ("coupling", "integrator", "order"),
    [
        ("explicit", "rk4", 4),
        ("explicit", "semi-implicit-euler", 1),
        ("unified", "trapezoidal", 2),
        ("realtime", "fw2", 2),
    ],
)
def test_errors_fall_with_the_order_of_the_method(swinging, coupling, integrator, order):
    coarse, fine = of(swinging, coupling, integrator)[:2]

    assert np.log2(coarse.position_error / fine.position_error) == pytest.approx(order, abs=0.25)


def test_every_coupling_of_the_table_is_there(rod):
    tried = {(row.coupling, row.integrator) for row in rod.rows}

    assert tried == {(row.coupling, integrator) for row in TABLE for integrator in row.integrator}


def test_steps_that_are_too_large_fail_with_the_reason_and_smaller_ones_are_tried(rod):
    rows = of(rod, "explicit", "rk4")

    assert rows[0].status == "failed"
    assert "is no longer finite" in rows[0].reason and rows[0].position_error is None
    assert rows[-1].done and rows[-1].step < 0.0025
    assert rod.error(rows[-1]) < 0.005 < min(rod.error(row) for row in rows[:-1])


def test_implicit_couplings_are_close_at_large_steps(rod):
    for coupling, integrator in (("unified", "trapezoidal"), ("realtime", "fw2")):
        rows = of(rod, coupling, integrator)
        assert [row.step for row in rows[:2]] == [0.005, 0.0025]
        assert all(row.position_error < 1e-4 and row.pressure_error_percent < 0.5 for row in rows)
    assert all(row.iterations >= 1.0 for row in of(rod, "unified", "trapezoidal"))
    assert all(row.iterations is None for row in of(rod, "realtime", "fw2"))


def test_cylinders_that_follow_the_reference_are_where_it_is(rod):
    rows = of(rod, "kinematic", "trapezoidal")

    assert all(row.position_error < 1e-8 and row.pressure_error_percent is None for row in rows)


def test_words_reach_the_couplings_that_they_go_with():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"jumps": "published", "power_integrator": "rk4", "factorisation": "dense"}
    trial = Trial(case.machine, 0.1, (0.005,), 0.005, case.inputs, words)

    apart, explicit = (
        trial.run(*method, 0.005, 0.005, case.inputs)._planned.method
        for method in (("cointegrated", "trapezoidal"), ("explicit", "rk4"))
    )

    assert (apart.jumps, apart.power_integrator) == ("published", "rk4")
    assert (explicit.jumps, explicit.power_integrator, explicit.factorisation) == ("", "", "dense")


def test_words_that_there_are_not_are_refused_before_anything_runs():
    with pytest.raises(MachineError) as refused:
        kb.compare(pendulum(), "0.5 s", method={"enforcement": "agumented", "jump": "published"})

    text = str(refused.value)
    assert "There is no enforcement 'agumented'." in text and "'augmented'" in text
    assert "A method has no 'jump'." in text and "'jumps'" in text


def test_the_reference_says_how_well_it_is_converged(rod):
    assert rod.reference.coupling == "explicit" and rod.reference.converged
    assert rod.reference.position_difference <= 1e-8
    assert "halving its step moved it by" in str(rod)


def test_the_table_names_everything(rod):
    text = str(rod)

    lines = text.splitlines()
    assert lines[0] == "naya-rod, 0.2 s; largest errors on a grid of 5 ms"
    assert len(lines) == 6 + len(rod.rows)
    assert all(row.coupling in line for row, line in zip(rod.rows, lines[3:], strict=False))
    assert lines[-1].startswith("For real time take ")
    assert max(len(line) for line in lines[:-2]) <= 120


def test_plain_data(rod):
    data = rod.to_dict()

    assert len(data["runs"]) == len(rod.rows)
    assert rod.rows[data["realtime"]] is rod.realtime
    assert rod.realtime.coupling in ("explicit", "realtime") and rod.realtime.iterations is None
    assert rod.rows[data["accurate"]] is rod.accurate


def test_pictures(rod, swinging, tmp_path):
    figure = rod.plot()
    assert [ax.get_ylabel() for ax in figure.axes] == [
        "largest error of a place [mm]",
        "largest error of a pressure [% of the largest]",
    ]
    assert all(ax.get_xscale() == ax.get_yscale() == "log" for ax in figure.axes)
    assert len(swinging.plot().axes) == 1
    assert "For real time take" in rod._repr_html_() and "<table" in rod._repr_html_()


def test_what_was_done_before_an_interruption_is_kept(monkeypatch):
    real = Trial.row

    def pressed(self, coupling, integrator, step, inputs, exact):
        if coupling == "realtime":
            raise KeyboardInterrupt
        return real(self, coupling, integrator, step, inputs, exact)

    monkeypatch.setattr(Trial, "row", pressed)
    kept = kb.compare(pendulum(), "0.1 s", steps=["10 ms"])

    assert kept.status == "interrupted"
    assert {row.coupling for row in kept.rows} == {"explicit", "unified"}
    assert "Interrupted: the methods that follow were not run." in str(kept)


def test_another_reference_where_explicit_steps_do_not_last(monkeypatch):
    real = Trial.run

    def stiff(self, coupling, *rest):
        if coupling == "explicit":
            raise SimulationError("Simulation stopped at t = 0 s: it is no longer finite.")
        return real(self, coupling, *rest)

    monkeypatch.setattr(Trial, "run", stiff)
    found = kb.compare(pendulum(), "0.1 s", steps=["10 ms"])

    assert found.reference.coupling == "unified"
    assert {row.status for row in found.rows if row.coupling == "explicit"} == {"failed"}


def test_nothing_to_compare_with_is_a_sentence(monkeypatch):
    def stiff(*_):
        raise SimulationError("Simulation stopped at t = 0 s: it is no longer finite.")

    monkeypatch.setattr(Trial, "run", stiff)
    with pytest.raises(kb.AnalysisError, match=r"'pendulum' has no reference: none of explicit \(rk4\), unified"):
        kb.compare(pendulum(), "0.1 s", steps=["10 ms"])


def test_steps_meet_on_a_grid():
    assert read_steps("1 s", ["10 ms", "5 ms", "2 ms", 1e-3]) == (1.0, (0.01, 0.005, 0.002, 0.001), 0.01)
    assert read_steps(1.0, ["3 ms", "2 ms"])[2] == 0.006
    with pytest.raises(MachineError, match=r"The steps 7 ms, 3 ms do not meet within 0\.02 s"):
        read_steps("20 ms", ["7 ms", "3 ms"])
    with pytest.raises(MachineError, match="There is no step to compare"):
        read_steps("1 s", [])


def test_a_vector_turns_with_its_body():
    quarter = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])  # about z

    assert turned(quarter, np.array([1.0, 2.0, 3.0])) == pytest.approx(np.array([[-2.0, 1.0, 3.0]]))


CHOSEN = (
    Row("explicit", "rk4", 1e-4, "done", cpu_per_s=0.05, position_error=1e-7, pressure_error_percent=1e-5),
    Row("unified", "trapezoidal", 5e-3, "done", "", 0.001, 1e-5, 0.02, iterations=1.2),
    Row("realtime", "fw2", 5e-3, "done", "", 0.002, 1e-4, 0.1),
    Row("realtime", "fw2", 2e-3, "done", "", 0.003, 2e-5, 0.03),
    Row("realtime", "lie", 5e-3, "done", "", 0.0015, 8e-3, 3.0),
    Row("kinematic", "trapezoidal", 5e-3, "done", "", 0.0005, 0.0),
)


def advised(*rows):
    reference = Reference("explicit", "rk4", 1e-5, 1e-9, 1e-6, True)
    return Comparison("crane", 1.0, 0.01, 1.0, reference, rows or CHOSEN)


def test_advice():
    comparison = advised()

    # good, of fixed cost, and of those that cost about as little the most accurate
    assert comparison.realtime is CHOSEN[3]
    assert comparison.accurate is CHOSEN[0]
    assert comparison.advice == (
        "For real time take realtime (fw2) at 2 ms: 330 times faster than the machine, every step costs the same, and "
        "it is 0.02 mm and 0.03 % of the largest pressure off. For accuracy take explicit (rk4) at 0.1 ms: the "
        "smallest error, 0.0001 mm and 1e-05 % of the largest pressure; 20 times faster than the machine."
    )


def test_advice_where_little_is_good():
    slow = replace(CHOSEN[0], cpu_per_s=3.0)
    failed = Row("realtime", "fw2", 5e-3, "failed", "stopped at t = 0 s")
    poor = CHOSEN[4]

    assert "fast enough for real time. For accuracy take explicit (rk4)" in advised(slow, failed).advice
    assert "3 times slower" in advised(slow, failed).advice
    assert "no smaller error was seen in real time" in advised(poor).advice
    assert advised(CHOSEN[0]).advice.endswith("It also has the smallest error seen.")
    assert advised(failed).advice == "No method ran to its end at these steps: try smaller ones."
    assert advised(failed).to_dict()["realtime"] is None
