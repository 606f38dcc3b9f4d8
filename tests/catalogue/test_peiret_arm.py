# SPDX-License-Identifier: BSD-3-Clause
"""Peiret's arm as described: at rest at the start in every variant, its levers move what they should."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.peiret_arm import ROD_SIDE, peiret_arm


@pytest.mark.parametrize("choice", [{}, {"damping": 0.0}, {"outer_mass": 15.0, "dead_volume": 2e-5}], ids=str)
def test_starts_at_rest(choice):
    machine = peiret_arm(**choice).machine
    planned = kb.build(machine)
    assert planned.dof == 2
    assert np.abs(planned.accelerations()).max() < 1e-10
    run = kb.simulate(machine, "0.2 s", step="1 ms", coupling="unified")
    assert np.ptp(run["pin.angle"].values) < 1e-12 and np.ptp(run["hinge.angle"].values) < 1e-12
    assert run["lift.b.pressure"].values == pytest.approx(ROD_SIDE, rel=1e-9)


def test_what_may_be_chosen_arrives():
    machine = peiret_arm(damping=10.0, outer_mass=15.0, dead_volume=2e-5).machine
    lift, fold = machine.parts["lift"], machine.parts["fold"]
    assert (lift.viscous, fold.viscous, lift.dead_a, fold.dead_b) == (10.0, 10.0, 2e-5, 2e-5)
    assert machine.parts["outer"].mass == 15.0


@pytest.mark.parametrize(("valve", "joint", "sign"), [("lift_valve", "pin", 1.0), ("fold_valve", "hinge", -1.0)])
def test_levers(valve, joint, sign):
    """Extending lifts the inner link, and folds the outer one inwards."""
    run = kb.simulate(peiret_arm().machine, "0.3 s", step="1 ms", coupling="unified", inputs={valve: 0.5})
    turned = run[f"{joint}.angle"].values
    assert sign * (turned[-1] - turned[0]) > 0.01
