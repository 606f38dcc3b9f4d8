# SPDX-License-Identifier: BSD-3-Clause
"""A sum of coordinates with coefficients is the gear that says the same: a second formulation in our own code.

Two arms on a gear, once by the row of the gear, once by a sum of two rows of coordinates; and a differential, whose
three shafts turn by 2 φ_c = φ_a + φ_b. Rounding alone tells them apart: 1e-9 of some rad after 400 steps.
"""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.mechanics.rows.description import new_row
from knuckleboom.plan import loops

METHODS = [("explicit", "0.5 ms"), ("realtime", "0.5 ms"), ("unified", "0.5 ms"), ("cosimulated", "0.5 ms")]
RATIO = 1.5


def arms(count):
    m = kb.Machine("arms")
    for k in range(count):
        arm = m.body(f"arm_{k}", mass=2.0 + k, com=(0.3, 0.1 * k, 0.0), inertia=(0.3, 0.3, 0.2 + 0.1 * k))
        m.revolute(f"pin_{k}", m.ground.at(float(k), 0, 0), arm, axis="y", start=0.3 * k)
        m.joint_spring(f"spring_{k}", f"pin_{k}", stiffness=20.0, damping=0.5)
    m.gear("gear", "pin_0", "pin_1", ratio=RATIO)
    return m


def sum_row(network, gear, weights):
    """Σ c_i φ_i, zero at the start."""
    network.part, terms = gear.name, []
    for k in range(len(weights)):
        terms.append(network.coordinate(f"pin_{k}", 0))
        terms[-1].title = f"shaft_{k}"
    start = network.topology.q_start
    offset = sum(weight * start[row.index[1]] for row, weight in zip(terms, weights, strict=True))
    words = {"label": "sum", "unit": "rad", "of": tuple(terms), "weights": weights}
    return new_row("row_sum", gear.name, (0, 0, 0, 0), {"offset": offset}, **words)


@pytest.mark.parametrize(("coupling", "step"), METHODS)
def test_two_coordinates_are_a_gear(coupling, step, monkeypatch):
    wanted = kb.simulate(arms(2), "0.2 s", coupling=coupling, step=step)
    monkeypatch.setattr(loops, "gear_row", lambda network, gear: sum_row(network, gear, (-RATIO, 1.0)))
    found = kb.simulate(arms(2), "0.2 s", coupling=coupling, step=step)

    for path in ("pin_0.angle", "pin_1.angle_rate", "pin_1.reaction_moment"):
        assert found[path].values == pytest.approx(wanted[path].values, rel=1e-9, abs=1e-9)
    assert np.ptp(wanted["pin_0.angle"].values) > 0.05, "it moves"


@pytest.mark.parametrize(("coupling", "step"), METHODS)
def test_three_coordinates_are_a_differential(coupling, step, monkeypatch):
    monkeypatch.setattr(loops, "gear_row", lambda network, gear: sum_row(network, gear, (1.0, 1.0, -2.0)))
    run = kb.simulate(arms(3), "0.2 s", coupling=coupling, step=step)
    one, other, both = (run[f"pin_{k}.angle"].values for k in range(3))
    drift = one + other - 2.0 * both

    assert np.ptp(one) > 0.05 and np.ptp(both) > 0.05, "it moves"
    assert drift == pytest.approx(np.full_like(drift, drift[0]), abs=1e-6)
    audit = run.energy()
    assert abs(audit.residual) < 1e-3 * audit.swing
