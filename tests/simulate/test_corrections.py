# SPDX-License-Identifier: BSD-3-Clause
"""Corrected and halved steps are counted as they are made, whole or step by step, and told with the results."""

import pytest

import knuckleboom as kb
from knuckleboom.bench.levers import throws
from knuckleboom.simulation.summary import corrections
from knuckleboom.simulation.whole import WholeRun

STEPS = ("corrected_steps", "halved_steps", "unresolved_steps")
TOLD = (*STEPS, "most_oil_iterations")
MACHINE = "harvester-30"


def slammed(seconds):
    """A harvester and its levers, thrown from end to end."""
    machine = kb.catalogue.NAMES[MACHINE]().machine
    return machine, {name: kb.steps(values) for name, values in throws(machine, MACHINE, seconds, 11).items()}


def told(run):
    return {name: run.meta[name] for name in TOLD}


def test_slammed_levers_need_corrections_and_larger_steps_more_of_them():
    machine, inputs = slammed(1.0)
    runs = [kb.simulate(machine, 1.0, step=step, inputs=inputs, coupling="realtime") for step in ("1 ms", "5 ms")]

    fine, coarse = ({name: run.meta[name] / run.meta["steps"] for name in STEPS} for run in runs)
    assert all(type(value) is int for run in runs for value in told(run).values())
    assert 0.0 < fine["corrected_steps"] < 0.1 < coarse["corrected_steps"] < 1.0
    assert coarse["halved_steps"] > fine["halved_steps"] and runs[1].meta["most_oil_iterations"] > 2


def test_counts_are_those_of_the_single_steps():
    """Every step tells its iterations of the oil: only one whose oil was made again has some, and all of these do,
    but for the halves of a step that were fine after all.
    """
    machine, inputs = slammed(0.5)
    run = WholeRun(machine, 0.5, step="5 ms", inputs=inputs, coupling="realtime")
    spent = run.planned.work.tableau.spent
    seen = []
    run.each(lambda: 0, before=lambda k: seen.append(float(spent[0])))
    seen = [*seen[1:], float(spent[0])]
    counted = corrections(run.planned)
    again = counted["corrected_steps"] + counted["unresolved_steps"]

    assert counted["halved_steps"] > 0 and counted["most_oil_iterations"] == max(seen)
    assert again <= sum(one > 0.0 for one in seen) <= again + counted["halved_steps"]
    assert told(run.recorded()) == counted == told(
        kb.simulate(machine, 0.5, step="5 ms", inputs=inputs, coupling="realtime")
    )  # fmt: skip


def test_a_record_that_begins_anew_counts_anew():
    machine, _ = slammed(0.1)
    sim = kb.Simulation(machine, step="5 ms", coupling="realtime")
    sim.step({"lift_valve": 1.0, "fold_valve": -1.0}, n=20)
    first, half = told(sim.results()), sim.snapshot()
    sim.step({"lift_valve": -1.0, "fold_valve": 1.0}, n=20)
    whole = told(sim.results())
    sim.restore(half)
    sim.step({"lift_valve": -1.0, "fold_valve": 1.0}, n=20)
    second = told(sim.results())

    assert first["corrected_steps"] > 0 and second["corrected_steps"] > 0
    assert all(whole[name] == first[name] + second[name] for name in STEPS)
    assert whole["most_oil_iterations"] == max(first["most_oil_iterations"], second["most_oil_iterations"])
    sim.reset()
    assert set(told(sim.results()).values()) == {0}


def test_a_machine_at_rest_needs_none():
    excavator = kb.catalogue.NAMES["excavator"]().machine
    run = kb.simulate(excavator, 0.2, step="1 ms", coupling="realtime", start="equilibrium")
    assert told(run) == dict.fromkeys(TOLD, 0)


@pytest.mark.parametrize("coupling", ["explicit", "unified", "cointegrated", "cosimulated", "kinematic"])
def test_other_couplings_have_none(coupling):
    case = kb.catalogue.NAMES["naya-rod"]()
    length = kb.Simulation(case.machine)["lift.length"]
    inputs = {"lift": length} if coupling == "kinematic" else {}
    run = kb.simulate(case.machine, "2 ms", step="0.2 ms", inputs=inputs, coupling=coupling)
    assert not set(TOLD) & set(run.meta)


@pytest.mark.slow
def test_files_keep_them(tmp_path):
    machine, inputs = slammed(0.2)
    run = kb.simulate(machine, 0.2, step="5 ms", inputs=inputs, coupling="realtime")
    back = kb.load(run.to_netcdf(tmp_path / "run.nc"))
    assert told(back) == told(run) and all(type(value) is int for value in told(back).values())
    assert back.meta["corrected_steps"] > 0
