# SPDX-License-Identifier: BSD-3-Clause
"""Names of parts as an operator says them."""

import pytest

from cabin.lines import planned
from knuckleboom.cabin.titles import called, chamber, moved, without


@pytest.mark.parametrize(
    ("machine", "part", "said"),
    [
        ("excavator", "boom_left", "boom cylinder"),
        ("excavator", "boom_right", "boom cylinder"),
        ("excavator", "bucket_cylinder", "bucket cylinder"),
        ("excavator", "slew_motor", "slew motor"),
        ("excavator", "slew_gallery", "slew gallery"),
        ("concrete-sprayer", "telescope_1_ram", "telescope 1 cylinder"),
        ("harvester-25", "grip_left_cylinder", "grip cylinder"),
        ("mine-loader", "steering_left", "steering left"),  # a junction: only cylinders are one for both sides
    ],
)
def test_called(machine: str, part: str, said: str) -> None:
    assert called(planned(machine)[0].machine, part) == said


def test_chambers_and_joints() -> None:
    excavator, harvester = planned("excavator")[0].machine, planned("harvester-25")[0].machine
    assert [chamber(excavator, "bucket_cylinder", port) for port in "ab"] == ["bucket bore", "bucket rod"]
    assert chamber(excavator, "boom_left", "a") == "boom left bore"
    assert chamber(excavator, "slew_motor", "b") == "slew B"
    assert moved(harvester, "grip_left_hinge") == "grip"


def test_a_name_never_becomes_nothing() -> None:
    assert without("cylinder", ("cylinder",)) == "cylinder"
    assert without("relief_valve", ("relief", "valve")) == "relief valve"
