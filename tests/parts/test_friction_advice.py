# SPDX-License-Identifier: BSD-3-Clause
"""What is missing from friction at a joint is named with units for both kinds of coordinates."""

import pytest

import knuckleboom as kb


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"hold_speed": 0.0}, "Add bristle_stiffness: 1e7 N/m, or 1e5 N*m/rad at an angle"),
        ({"stribeck_speed": 0.1}, "Add breakaway: 500 N, or N*m at an angle"),
    ],
)
def test_units_of_a_joint_that_may_turn(given, advice):
    m = kb.Machine("door")
    leaf = m.body("leaf", mass=2.0, com=(0.5, 0.0, 0.0), inertia=(0.01, 0.1, 0.1))
    m.revolute("hinge", m.ground, leaf)

    with pytest.raises(kb.MachineError, match="has no effect without") as caught:
        m.joint_friction("rub", "hinge", coulomb="60 N*m", **given)
    assert advice in str(caught.value)
