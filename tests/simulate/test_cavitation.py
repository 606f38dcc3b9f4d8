# SPDX-License-Identifier: BSD-3-Clause
"""Torn oil is counted and told: a can that a pump empties, against the closed form of the cavitating law."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.results.cavitation import negative_pressures
from knuckleboom.simulation.cavitation import count

SIZE, FLOW = 1e-3, 1e-5  # m³, m³/s: the strain of the oil in the can falls by 1 % a second


def emptied(fluid, duration="0.2 s", start="3 bar", size="1 l"):
    """A can that is sucked empty at a constant flow."""
    machine = kb.Machine("sucked")
    oil = machine.oil(fluid)
    can, tank = oil.volume("can", size, pressure=start), oil.tank("tank", "1 bar")
    oil.flow_source("pump", can, tank, value=FLOW)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return kb.simulate(machine, duration, step="1 ms", coupling="unified")


def test_the_time_below_the_limit_is_that_of_the_law():
    """e falls at Q/V: p reaches half the ambient pressure at a known time, and stays below."""
    fluid = kb.fluids.mineral_oil()
    run = emptied(fluid)

    def strain(p):
        return (p - fluid.half**2 / p) / fluid.bulk

    limit = fluid.cavitates_below(101325.0)
    crossed = (strain(3e5) - strain(limit)) * SIZE / FLOW
    torn = run.cavitation["can"]

    assert 0.05 < crossed < 0.19
    assert torn["time"] == pytest.approx(0.2 - crossed, abs=2e-5)  # the bend of p over one record
    assert torn["episodes"] == 1 and torn["at"] == 0.2 and torn["below"] == limit
    assert torn["lowest"] == pytest.approx(run["can.pressure"].values.min(), rel=1e-15) and torn["lowest"] > 0.0
    assert list(negative_pressures(run)) == []
    assert run.warnings == [
        "The oil at 'can' cavitated once, for 76.7 ms: its pressure was below 0.507 bar, at the lowest 0.318 bar at "
        "t = 0.2 s. Feed that side: an anti-cavitation valve, more back pressure, or a slower motion."
    ]


def test_oil_that_is_not_torn_is_not_told():
    run = emptied(kb.fluids.mineral_oil(), duration="0.05 s")

    assert run.cavitation == {} and run.warnings == []


def test_oil_without_cavitation_that_pulls_is_doubted():
    run = emptied(kb.fluids.naya(), duration="0.1 s")

    assert run.cavitation["can"]["lowest"] < -1e6
    [warning] = run.warnings
    assert warning.startswith("The pressure at 'can' falls to -12") and " absolute at t = 0.1 s. " in warning
    assert warning.endswith("take a fluid of the law cavitating or air.")


def test_oil_with_air_counts_from_half_its_reference():
    oil = kb.fluids.with_air(kb.fluids.mineral_oil(), "1 %")
    run = emptied(oil, duration="2 s")

    assert run.cavitation["can"]["below"] == 0.5 * 101325.0
    assert 0.0 < run.cavitation["can"]["lowest"] < 0.5 * 101325.0


def test_it_is_kept_with_the_results(tmp_path):
    run = emptied(kb.fluids.mineral_oil())

    back = kb.load(run.to_netcdf(tmp_path / "run.nc"))

    assert back.cavitation == run.cavitation
    assert back.warnings == run.warnings != []


@pytest.mark.parametrize("often", [1, 3, 7])
def test_episodes_and_time_of_a_wave(often):
    """A cosine is below −½ for a third of its period."""
    time = np.linspace(0.0, 1.0, 20001)
    torn = count(time, np.cos(2.0 * math.pi * often * time), -0.5)

    assert torn["episodes"] == often
    assert torn["first"] == pytest.approx(1.0 / 3.0 / often, abs=1e-4)
    assert torn["time"] == pytest.approx(1.0 / 3.0, abs=1e-6)
    assert torn["lowest"] == pytest.approx(-1.0, abs=1e-6)


def test_a_pressure_that_starts_or_rests_at_the_limit():
    assert count(np.array([0.0, 1.0]), np.array([1.0, 1.0]), 1.0) == {}
    torn = count(np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 2.0, 1.0, 0.0]), 1.0)
    assert (torn["time"], torn["episodes"]) == (0.5 + 2.0, 2)
    assert count(np.array([0.0]), np.array([0.0]), 1.0)["episodes"] == 1
    assert count(np.zeros(0), np.zeros(0), 1.0) == {}


def dropped(**words):
    """A load that starts on a cylinder without pressure; the rod side is closed, too."""
    machine = kb.Machine("dropped")
    load = machine.body("load", mass=2000.0, inertia=(1, 1, 1))
    machine.prismatic("guide", machine.ground, load, axis="z", start=1.0)
    oil = machine.oil(kb.fluids.mineral_oil())
    machine.cylinder("lift", machine.ground, "load", oil=oil, bore="80 mm", rod="45 mm", stroke="1 m")
    sim = kb.Simulation(machine, step="1 ms", **words)
    sim.run_for("0.2 s")
    return sim.results()


def test_cavitation_of_the_first_drop_names_the_start_at_rest():
    run = dropped()
    assert 0.0 <= run.cavitation["lift.b"]["first"] <= 0.1
    [sentence] = [text for text in run.warnings if "'lift.b' cavitated" in text]
    assert (
        "It came at the start, where nothing carried the load yet: begin at rest, with --start equilibrium (in a case "
        'start: equilibrium, in Python start="equilibrium"). Else feed that side: an anti-cavitation valve' in sentence
    )
    assert not dropped(start="equilibrium").warnings


def test_cavitation_that_comes_later_or_elsewhere_does_not():
    """The can is no chamber of a cylinder: it is sucked empty within 2 ms all the same."""
    run = emptied(kb.fluids.mineral_oil(), size="1 cm3", duration="20 ms")
    assert run.cavitation["can"]["first"] < 0.1
    assert "equilibrium" not in run.warnings[0]
