# SPDX-License-Identifier: BSD-3-Clause
"""Every field of Work has an owner that writes it, and an evaluation reads nothing that an earlier one left.

Work is filled with NaN before one evaluation: what an evaluation owns is finite after it, and the same to the last bit
as without the NaN.
"""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from bench_machine import bench
from knuckleboom.engine.run import evaluate_many
from knuckleboom.layout import OK, STATE, WORK_FIELDS, flatten
from knuckleboom.mechanics.rows.contract import VELOCITIES
from knuckleboom.mechanics.rows.description import declared

OWNERS = {name: owner for name, _, _, owner, _ in WORK_FIELDS}
NOT_OF_AN_EVALUATION = {name for name, owner in OWNERS.items() if owner.startswith("engine.")} | {
    "rows.stored",
    "oil.energy",
    "motion.body_inertia",
    "motion.body_wrench",
    "touch.dropped",
    *(name for name in OWNERS if name.startswith("pairs.")),
}
"""The state and the integrator's own fields; elastic energies, reactions and counts are only needed for the record, and
of pairs those are filled that are near each other."""
GIVEN = ("pairs.mode",)
"""What the run loop says of the step."""
GROUND = ("motion.R_WL", "motion.V_WL", "motion.A_WL")
"""Link 0 does not move: its line is written once, when Work is made."""


def machine_with_oil():
    return kb.catalogue.NAMES["naya-rod"]().machine


def machine_with_loops():
    return kb.catalogue.NAMES["harvester-30"]().machine


def machine_of_rows():
    m = kb.Machine("rows")
    one = m.body("one", mass=1.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.0, 1.0))
    two = m.body("two", mass=1.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.0, 1.0))
    m.spherical("ball", m.ground, one)
    m.cylindrical("sleeve", one.at(1, 0, 0), two, axis="x")
    m.rod("rod", m.ground.at(0, 1, 0), two)
    m.gear("gear", "sleeve", "sleeve", ratio=0.1, coordinate_b=1)
    m.damper("damper", m.ground.at(0, 0, 2), two, damping=10.0)
    m.effort("effort", "ball", 1, 2.0)
    m.length_servo("servo", m.ground.at(0, 0, -2), two, gain=10.0)
    m.force("force", two, "x", value=1.0)
    m.torque("torque", two, "x", frame="body", value=1.0)
    m.payload("payload", two, mass=0.5, most=2.0, falling_from=1.0)
    return m


def machine_with_moving_oil():
    return kb.catalogue.NAMES["ylinen-boom"]().machine


MACHINES = [machine_with_oil, machine_with_loops, machine_of_rows, machine_with_moving_oil, bench]


def poisoned(planned):
    """NaN, or an index that nothing has, in everything that is neither state nor the ground."""
    for name, array in flatten(planned.work).items():
        if name.startswith("state.") or name in GIVEN:
            continue
        array[(slice(1, None) if name in GROUND else ...)] = np.nan if array.dtype == np.float64 else -1_000_000


def without_wrench(planned):
    """Rows of coordinates and gears have no wrench."""
    return np.array([declared(row).entries == VELOCITIES for row in planned.layout.rows], bool)


@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
@pytest.mark.parametrize("make", MACHINES)
def test_after_one_evaluation_everything_it_owns_is_finite(make, factorisation):
    planned = kb.build(make(), coupling="explicit", factorisation=factorisation)
    poisoned(planned)

    assert evaluate_many(planned.plan, planned.work, 1) == OK

    arrays = flatten(planned.work)
    assert np.isnan(arrays["rows.W"][without_wrench(planned)]).all()
    arrays["rows.W"] = arrays["rows.W"][~without_wrench(planned)]
    for name in ("system.dense_M", "system.dense_schur"):
        arrays[name] = np.tril(arrays[name])  # the upper half is not used
    left = [name for name in arrays if name not in NOT_OF_AN_EVALUATION and not np.isfinite(arrays[name]).all()]
    assert left == []


@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
@pytest.mark.parametrize("make", MACHINES)
def test_an_evaluation_reads_nothing_that_an_earlier_one_left(make, factorisation):
    planned = kb.build(make(), coupling="explicit", factorisation=factorisation)
    evaluate_many(planned.plan, planned.work, 2)
    kept = {name: array.copy() for name, array in flatten(planned.work).items()}
    poisoned(planned)
    evaluate_many(planned.plan, planned.work, 1)

    for name in ("system.v_dot", "system.multiplier", "oil.x_dot", "oil.power", "rows.force", "rows.w"):
        assert np.array_equal(flatten(planned.work)[name], kept[name]), name


@pytest.mark.parametrize("make", MACHINES)
def test_an_evaluation_does_not_touch_the_state(make):
    planned = kb.build(make(), coupling="explicit")
    before = planned.snapshot()
    evaluate_many(planned.plan, planned.work, 3)

    assert before.keys() == {*STATE, "z"}
    for name, values in planned.snapshot().items():
        assert np.array_equal(values, before[name]), name


def test_fresh_work_is_not_a_number_where_nobody_has_written():
    planned = kb.build(machine_with_oil(), coupling="explicit")

    for name in ("oil.Q", "oil.x_dot", "system.v_dot", "system.bias", "stage.q0", "rows.force"):
        assert np.isnan(flatten(planned.work)[name]).all(), name
