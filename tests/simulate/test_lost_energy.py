# SPDX-License-Identifier: BSD-3-Clause
"""A run whose energy does not add up has failed, or warns, and says which coupling and step to take.

Rank of evidence: remembered texts, read through; the numbers follow from the machine.
"""

import json
import warnings

import pytest

import knuckleboom as kb
from knuckleboom.cli import main
from knuckleboom.simulation.run_warnings import failing_part, lost_part


def fast_oscillator(stiffness="1 MN/m"):
    """1 kg on a spring without damping: ω = 1000/s, so that RK4 is stable up to 2.8 ms."""
    machine = kb.Machine("oscillator", gravity=(0, 0, 0))
    machine.prismatic("slide", machine.ground, machine.body("load", mass=1.0, inertia=(1, 1, 1)), start="1 mm")
    machine.joint_spring("spring", "slide", stiffness=stiffness, rest=0)
    return machine


def naya():
    return kb.catalogue.machine("naya-rod")


def test_explicit_steps_too_long_for_the_oil_fail():
    """1 ms is beyond the stable 0.6 ms, but the valve holds the pressures: the run comes to its end."""
    with pytest.raises(kb.SimulationError) as caught:
        kb.simulate(naya(), "1 s", case="published", step="0.75 ms")
    results = caught.value.results
    text = str(caught.value)
    assert text.startswith("Simulation failed: its energy does not add up by ")
    assert text.endswith(
        " of the work done, so that its results are wrong.\n"
        "  try               coupling realtime at 1 ms, or steps of 0.1 ms (now explicit at 0.75 ms)\n"
        "  kept              results up to t = 1 s"
    )
    assert results.status == "failed" and results.message == text
    assert results.time[-1] == 1.0 and failing_part(results) > 0.05


def test_in_the_shell_it_is_a_failure_that_keeps_its_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--for", "1s", "--step", "0.75ms", "--no-plots", "--json"]
    assert main(["run", "naya-rod", "--case", "published", *words]) == 1
    shown = capsys.readouterr()
    data = json.loads(shown.out)
    assert data["status"] == "failed" and data["message"] in shown.err
    assert "  try               coupling realtime at 1 ms, or steps of 0.1 ms (now explicit at 0.75 ms)\n" in shown.err
    assert f"  kept              results up to t = 1 s, in {data['results']}" in shown.err
    assert kb.load(data["results"]).time[-1] == 1.0
    assert kb.load(data["results"]).status == "failed"


def test_pressures_that_are_wrong_are_not_warned_of():
    """Explicit steps of 5 ms make pressures of 1900 bar and cavitation that the excavator has not."""
    case = kb.catalogue.NAMES["excavator"]()
    with pytest.raises(kb.SimulationError, match="its energy does not add up") as caught:
        kb.simulate(case.machine, "2 s", case=case, coupling="explicit", step="5 ms")
    results = caught.value.results
    assert results["boom_right.b.pressure"].values.max() > 700e5 and results.cavitation
    assert [text.split()[0] for text in results.warnings] == ["The", "Explicit"]
    assert results.warnings[0].startswith("The energy does not add up by ")


def test_the_advice_is_good():
    for words in ({"coupling": "realtime", "step": "1 ms"}, {"coupling": "explicit", "step": "0.1 ms"}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert kb.simulate(naya(), "1 s", case="published", **words).status == "done"


def test_damped_away_by_the_integrator():
    """At h ω = 1.4 RK4 takes 4 % of the amplitude in every step; at 0.5 it is 0.01 %, which is reported."""
    with pytest.raises(kb.SimulationError, match=r"a smaller step, such as 0\.2 ms"):
        kb.simulate(fast_oscillator(), "0.2 s", step="1.4 ms")
    with pytest.warns(RuntimeWarning, match=r"energy does not add up by 2\.1% of the work done: try a smaller step"):
        run = kb.simulate(fast_oscillator(), "0.1 s", step="0.5 ms")
    assert run.status == "done" and lost_part(run) == pytest.approx(0.021, abs=0.001)


def test_what_bounces_back_as_fast_as_it_came_has_done_no_work_but_moved():
    machine = kb.Machine("bounce", gravity=(0, 0, 0))
    ball = machine.body("ball", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, ball, axis="x", speed="1 m/s")
    machine.joint_stop("wall", "rail", upper="0.1 m", stiffness="90 kN/m", damping=0.0)
    run = kb.simulate(machine, "0.2 s", record="0.2 s", coupling="realtime")
    assert run["rail.travel_rate"].values[-1] == pytest.approx(-1.0, rel=0.01)
    assert run.status == "done" and failing_part(run) == 0.0


def test_a_run_of_n_steps_is_judged_from_a_part_1_over_n_squared_on():
    with pytest.warns(RuntimeWarning, match="^Explicit steps of 1.4 ms are near"):
        few = kb.simulate(fast_oscillator(), "4.2 ms", step="1.4 ms")
    assert few.status == "done" and 0.05 < lost_part(few) < 1.0 / 3.0**2
    with pytest.raises(kb.SimulationError, match="its energy does not add up"):
        kb.simulate(fast_oscillator(), "16.8 ms", step="1.4 ms")


def test_tuned_parameters_bring_energy():
    sim = kb.Simulation(fast_oscillator(), step="0.1 ms")
    sim.run_for("10 ms")
    sim.tune("spring.stiffness", "4 MN/m")
    sim.run_for("10 ms")
    assert lost_part(sim.results()) == 0.0


def test_what_touches_the_ground_is_advised_to_run_realtime():
    """Contacts are stiff: explicit steps that are short enough for them help nobody."""
    machine = kb.Machine("ball")
    ball = machine.body("ball", mass=1.0, inertia=(1, 1, 1))
    machine.terrain("floor")
    machine.free("flight", machine.ground, ball, start=(0, 0, 0.3, 0, 0, 0))
    machine.contact("skin", ball, sphere=0.1, stiffness="10 MN/m")
    with pytest.raises(kb.SimulationError, match=r"coupling realtime at 1 ms, or steps of .* \(now explicit at 2 ms\)"):
        kb.simulate(machine, "1 s", step="2 ms", coupling="explicit")
