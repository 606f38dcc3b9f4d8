# SPDX-License-Identifier: BSD-3-Clause
"""Which way a valve lifts, compared with what a run of the machine does, and with how complete machines are driven.

Rank of evidence: second formulation in our own code (forward dynamics), and the patterns of cabin/controls.py, which
tests/cabin/test_controls.py checks against runs.
"""

import pytest

import knuckleboom as kb
from knuckleboom.analysis.lifting import lifting_signs
from knuckleboom.hydraulics.parts.directional import FourWay
from machine.example import lifting_boom

UP = {
    "excavator": {"boom": 1, "stick": -1, "bucket": -1},
    "mobile-crane": {"lift_valve": 1, "winch_valve": 1, "telescope_valve": 1},
    "mine-loader": {"lift": 1, "tilt": 1},
    "concrete-sprayer": {"lift_valve": 1, "tilt_valve": -1, "nozzle_valve": 1},
}


@pytest.mark.parametrize("name", UP)
def test_complete_machines(name: str) -> None:
    machine = kb.catalogue.machine(name)
    found = lifting_signs(machine, [valve.name for valve in machine.of(FourWay)])
    assert {valve: found.get(valve) for valve in UP[name]} == UP[name]
    assert not {"slew", "slew_valve", "steer", "swing_valve"} & set(found)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_run_goes_the_same_way(swapped: bool) -> None:
    machine = lifting_boom()
    if swapped:
        machine["spool"].change(A=machine["lift"].b, B=machine["lift"].a)
    (sign,) = lifting_signs(machine, ["spool"]).values()
    lifted, lowered = (
        kb.simulate(machine, "0.1 s", inputs={"spool": 0.5 * way})["foot.angle"].values for way in (sign, -sign)
    )
    assert sign == (-1 if swapped else 1)
    assert lifted[-1] < lifted[0] - 0.01 < lowered[-1]  # about +y the boom rises with a negative angle


def test_nothing_lifts_without_gravity_or_without_a_valve() -> None:
    machine = lifting_boom()
    assert lifting_signs(machine, ["pump", "nobody"]) == {}
    machine.gravity = (0, 0, 0)
    assert lifting_signs(machine, ["spool"]) == {}
