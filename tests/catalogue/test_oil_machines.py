# SPDX-License-Identifier: BSD-3-Clause
"""Machines with oil as described: equal to their YAML files, at rest at the start, found at rest by kb.equilibrium."""

from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom import catalogue
from knuckleboom.catalogue import NAMES, crane_one_cylinder, rahikainen_crane, ylinen_boom, ylinen_cylinder

FOLDER = Path(catalogue.__file__).parent
MACHINES = ("ylinen-cylinder", "ylinen-boom", "rahikainen-crane", "crane-one-cylinder")
HELD = {
    "ylinen-cylinder": ylinen_cylinder.holding_pressure,
    "ylinen-boom": ylinen_boom.holding_pressure,
    "rahikainen-crane": lambda: rahikainen_crane.holding_pressures()[0],
    "crane-one-cylinder": crane_one_cylinder.holding_pressure,
}
WATCHED = 0.05  # s


@pytest.mark.parametrize("name", MACHINES)
def test_same_machine_as_the_file(name):
    assert kb.read(FOLDER / f"{name.replace('-', '_')}.yaml") == NAMES[name]().machine


@pytest.mark.parametrize("name", MACHINES)
def test_starts_at_rest(name):
    """The pressures of the closed form carry the load: hardly a force is left, of 20 kN."""
    planned = kb.build(NAMES[name]().machine)
    assert np.abs(planned.accelerations()).max() < 1e-6


@pytest.mark.parametrize("name", MACHINES)
def test_equilibrium_is_the_closed_form(name):
    state = kb.equilibrium(NAMES[name]().machine)
    assert state["lift.a.pressure"] == pytest.approx(HELD[name](), rel=1e-6)
    assert state.stability == "stable"


@pytest.mark.slow
@pytest.mark.parametrize("name", ("naya-rod", "harvester-30", *MACHINES))
def test_pressures_do_not_drift_after_equilibrium(name):
    """Below 1 Pa/s in every volume, inputs held where the equilibrium put them."""
    run = kb.simulate(NAMES[name]().machine, WATCHED, step=1e-3, coupling="unified", start="equilibrium")
    pressures = [one.values for one in run.find("*.pressure")]
    assert max(float(np.ptp(values)) for values in pressures) < 1.0 * WATCHED


@pytest.mark.slow
def test_the_crane_lifts_holds_and_lowers():
    """Lever up, middle, down: the counterbalance valve holds between, and nothing cavitates while lifting."""
    case = NAMES["crane-one-cylinder"]()
    run = kb.simulate(case.machine, case.duration, step=1e-3, record=1e-2, inputs=case.inputs, coupling="realtime")

    def length(time):
        return run["lift.length"].at(time)

    assert length(0.5) == pytest.approx(length(0.0), abs=1e-5)
    assert 0.05 < length(2.5) - length(0.5) < 0.2
    # held: 1 s in the middle position, after the spool and the load came to rest
    assert length(3.4) == pytest.approx(length(3.0), abs=1e-3)
    assert run["bore_hose.pressure"].at(3.4) == pytest.approx(crane_one_cylinder.TANK, rel=0.01)
    assert -0.2 < length(5.5) - length(3.5) < -0.05
    assert all(one.values.min() > 0.0 for one in run.find("*.pressure"))
    # the pump keeps its margin above the sensed load while it delivers
    margin = run["supply.pressure"].at(2.0) - run["sensing.pressure"].at(2.0)
    assert 16e5 <= margin <= 20e5
