# SPDX-License-Identifier: BSD-3-Clause
"""A machine added into another, twice: two times the same motion, each where it was put.

Rank: second formulation in our own code (the single machine, itself validated). Tolerance: groups that do not touch
are independent blocks of the equations; only the order of sums may differ: 1e-10.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar


def pendulum_with_oil():
    """A swinging arm held by a leaking cylinder: mechanics and oil in one group."""
    machine = kb.Machine("arm", gravity=(0.0, 0.0, -9.81))
    arm = machine.body("arm", mass=20.0, com=(0.5, 0, 0), inertia=(0.1, 2.0, 2.0))
    arm.point("tip", (1.0, 0.0, 0.0))
    machine.revolute("foot", machine.ground, arm, axis="y", start="-30 deg")
    oil = machine.oil(kb.fluids.naya())
    oil.cylinder(
        "lift",
        machine.ground.at(0.8, 0.0, -0.2),
        arm.at(0.5, 0.0, 0.0),
        bore="40 mm",
        rod="20 mm",
        stroke="400 mm",
        pressure_a="20 bar",
        pressure_b="20 bar",
        leak=1e-12,
        viscous=500.0,
    )
    return machine


def test_two_four_bars_move_as_one():
    alone = kb.simulate(four_bar(cut="tip"), 0.2, step=2e-4, record=5e-3)
    pair = kb.Machine("pair", gravity=(0.0, -9.81, 0.0))
    pair.add("left", four_bar(cut="tip"), onto=pair.ground, at=(0.0, 0.0, 1.0))
    pair.add("right", four_bar(cut="tip"), onto=pair.ground, at=(0.0, 0.0, -1.0))
    run = kb.simulate(pair, 0.2, step=2e-4, record=5e-3)
    for side, height in (("left", 1.0), ("right", -1.0)):
        assert run[f"{side}.main.angle"].values == pytest.approx(alone["main.angle"].values, abs=1e-10)
        offset = run[f"{side}.rocker.position"].values - alone["rocker.position"].values
        assert offset == pytest.approx(np.broadcast_to([0.0, 0.0, height], offset.shape), abs=1e-10)


def test_two_machines_with_oil():
    """The second is turned by 90° about the vertical: the same pressures, the tip turned with it."""
    alone = kb.simulate(pendulum_with_oil(), 0.2, step=1e-4, record=5e-3)
    pair = kb.Machine("pair", gravity=(0.0, 0.0, -9.81))
    pair.add("one", pendulum_with_oil(), onto=pair.ground)
    pair.add("two", pendulum_with_oil(), onto=pair.ground, at=(0.0, 3.0, 0.5), rpy=(0.0, 0.0, math.pi / 2.0))
    run = kb.simulate(pair, 0.2, step=1e-4, record=5e-3)
    for side in ("one", "two"):
        assert run[f"{side}.foot.angle"].values == pytest.approx(alone["foot.angle"].values, abs=1e-10)
        assert run[f"{side}.lift.a.pressure"].values == pytest.approx(alone["lift.a.pressure"].values, rel=1e-8)
    tip = alone["arm.tip.position"].values
    turned = np.stack([-tip[:, 1], tip[:, 0] + 3.0, tip[:, 2] + 0.5], axis=-1)
    assert run["two.arm.tip.position"].values == pytest.approx(turned, abs=1e-10)


def test_group_on_a_moving_body():
    """A pendulum added onto a slide at rest is that pendulum; onto a slide moving evenly it is the same one, carried
    along.
    """
    base = kb.Machine("bob", gravity=(0.0, 0.0, -9.81))
    bob = base.body("bob", mass=1.0, com=(0, 0, -0.5), inertia=(0.05, 0.05, 0.02))
    base.revolute("pin", base.ground, bob, axis="y", start=0.8)
    alone = kb.simulate(base, 1.0, step=1e-3, record=1e-2)

    carried = kb.Machine("carried", gravity=(0.0, 0.0, -9.81))
    # so heavy that the pendulum does not move it: reaction 30 N on 1e15 kg
    slide = carried.body("slide", mass=1e15, inertia=(1e15, 1e15, 1e15))
    carried.prismatic("rail", carried.ground, slide, axis="x", speed=2.0)
    carried.add("hung", base, onto=slide, at=(0.0, 0.0, 1.0))
    run = kb.simulate(carried, 1.0, step=1e-3, record=1e-2)
    assert run["hung.pin.angle"].values == pytest.approx(alone["pin.angle"].values, abs=1e-9)
    assert run["hung.bob.position"].values[:, 0] == pytest.approx(2.0 * run.time, abs=1e-9)
