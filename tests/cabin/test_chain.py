# SPDX-License-Identifier: BSD-3-Clause
"""Working joints of the complete machines, by hand from their descriptions."""

import pytest

from knuckleboom import catalogue
from knuckleboom.cabin.chain import Chain

HEAD = ["rotator_bearing", "head_hinge", "grip_left_hinge", "grip_right_hinge"]
WORKING = {
    "excavator": ["slewing", "boom_pin", "stick_pin", "bucket_pin"],
    "concrete-sprayer": [
        "slew", "boom_hinge", "telescope_1_slide", "telescope_2_slide", "head_hinge", "swing_bearing", "lance_slide",
        "nozzle_hinge", "wobble",
    ],
    "harvester-25": ["articulation", "slew", "boom_hinge", "jib_hinge", "telescope_slide", *HEAD],
    "harvester-30": [
        "articulation", "slew", "boom_hinge", "jib_hinge", "telescope_slide", *HEAD, "saw_hinge", "log_slide",
    ],
    "mobile-crane": ["slew", "boom_hinge", "telescope_1_slide", "hoist"],
    "forwarder-crane": [
        "slew", "boom_hinge", "jib_hinge", "telescope_1_slide", "rotator_bearing", "arm_left_pin", "arm_right_pin",
    ],
    "mine-loader": ["articulation", "boom_hinge", "bucket_pin"],
    "four-bar": [],
}  # fmt: skip


@pytest.mark.parametrize("name", WORKING)
def test_working_joints(name: str) -> None:
    assert Chain.of(catalogue.NAMES[name]().machine).working_joints() == WORKING[name]


def test_what_a_joint_carries() -> None:
    chain = Chain.of(catalogue.NAMES["excavator"]().machine)
    assert set(chain.beyond["stick_pin"]) == {"stick_arm", "rocker", "link", "bucket_shell"}
    assert chain.mass_beyond("stick_pin") == 830.0 + 60.0 + 70.0 + 790.0
    assert chain.between("boom_arm", "rocker") == ["rocker_pin", "stick_pin"]
    assert chain.between("rocker", "bucket_shell") == ["rocker_pin", "bucket_pin"]
    assert chain.between("rocker", "rocker") == []
