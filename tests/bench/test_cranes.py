# SPDX-License-Identifier: BSD-3-Clause
"""bench cranes: cranes that stand, a reference that has converged, and failures that are counted."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import cranes


def test_a_seed_is_a_crane_of_three_links_or_more_held_by_counterbalance_valves():
    seen = set()
    for seed in range(1, 21):
        machine, levers = cranes.crane(seed)
        links = sum(name.startswith("link_") for name in machine.parts)
        held = {name.split("_holding_")[0] for name in machine.parts if "_holding_" in name}
        assert 3 <= links <= 5 and held == {f"cylinder_{number}" for number in range(links)}
        assert machine.to_yaml() == cranes.crane(seed)[0].to_yaml() and levers(2.5) == cranes.crane(seed)[1](2.5)
        seen |= {links, "slew" in machine.parts, "shuttle_0" in machine.parts}
    assert seen >= {3, 4, 5, True, False}


@pytest.mark.filterwarnings("ignore:The energy does not add up")  # of hardly any work
@pytest.mark.parametrize("seed", [1, 2, 6])
def test_a_crane_stands_with_its_levers_at_rest(seed):
    machine, _ = cranes.crane(seed)
    run = kb.simulate(machine, "0.3 s", step="1 ms", record="10 ms", coupling="realtime")
    for joint in cranes.joints(machine):
        assert np.ptp(run[f"{joint}.angle"].values) < 5e-3, joint


def test_numbers_of_a_crane():
    data = cranes.measure(count=1, first=2, seconds=0.5)
    (row,) = data["cranes"]

    assert row["status"] == "done" and row["message"] == "" and row["realtime_of"].startswith("pin_")
    assert row["reference_mrad"] < 0.1 * row["realtime_mrad"] < 0.1 and row["unified_mrad"] < 1.0
    assert data["realtime"]["median_mrad"] == data["realtime"]["worst_mrad"] == row["realtime_mrad"]
    assert data["realtime"]["worst_seed"] == 2 and data["realtime"]["counted"] == 1


def test_what_fails_or_has_no_converged_reference_is_listed(monkeypatch):
    real, failing = kb.simulate, set()

    def simulate(machine, seconds, *, step, coupling, **options):
        if (coupling, step) in failing:
            raise kb.SimulationError("Newton found no end")
        return real(machine, seconds, step=step, coupling=coupling, **options)

    monkeypatch.setattr(kb, "simulate", simulate)
    failing.add(("unified", cranes.STEP))
    data = cranes.measure(count=1, first=2, seconds=0.05)
    assert data["unified"]["failed"] == [2] and data["unified"]["worst_mrad"] is None
    assert data["realtime"]["counted"] == 1 and "unified at 1 ms: Newton" in data["cranes"][0]["message"]

    monkeypatch.setattr(cranes, "CONVERGED", -1.0)
    data = cranes.measure(count=1, first=2, seconds=0.05)
    assert data["not_converged"] == [2] and data["realtime"]["counted"] == 0
    assert data["cranes"][0]["realtime_mrad"] >= 0.0

    failing.add(("unified", cranes.REFERENCE))
    data = cranes.measure(count=1, first=2, seconds=0.05)
    assert data["no_reference"] == [2] and data["cranes"][0]["reference_mrad"] is None


def test_ctrl_c_keeps_what_was_done(monkeypatch):
    rows = iter([{"seed": 5, "status": "done", "realtime_mrad": 2.0, "unified_mrad": 1.0}])

    def measured(seed, seconds, progress):
        if row := next(rows, None):
            return row
        raise KeyboardInterrupt

    monkeypatch.setattr(cranes, "measure_crane", measured)
    data = cranes.measure(count=3, first=5)
    assert data["status"] == "interrupted" and data["not_run"] == [6, 7]
    assert data["realtime"]["worst_mrad"] == 2.0 and data["unified"]["median_mrad"] == 1.0
