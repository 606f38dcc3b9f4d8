# SPDX-License-Identifier: BSD-3-Clause
"""The kinematic coupling: cylinders follow lengths, and the force that takes is that of inverse dynamics by hand."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.simulation.kinematic import followed_paths

REACH, MASS, GRAVITY = 0.5, 40.0, 9.81


def lift():
    """A block on a vertical slide, held by a cylinder below it."""
    m = kb.Machine("lift", gravity=(0.0, 0.0, -GRAVITY))
    block = m.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    m.prismatic("slide", m.ground, block, axis="z", start=REACH)
    oil = m.oil("oil", kb.fluids.mineral_oil())
    ram = m.cylinder("ram", m.ground, block, bore="50 mm", rod="30 mm", stroke="400 mm", oil=oil, pressure_a="3 bar")
    m.valve_4_3(
        "valve", P=oil.pressure("pump", "100 bar"), T=oil.tank("tank"), A=ram.a, B=ram.b, flow=("9 l/min", "9 bar")
    )
    return m


def test_force_of_a_motion_in_closed_form():
    """s = 0.5 + 0.1 sin 3t: the force is m (g + s̈)."""

    def motion(t):
        return REACH + 0.1 * np.sin(3 * t), 0.3 * np.cos(3 * t), -0.9 * np.sin(3 * t)

    run = kb.simulate(lift(), "1 s", step="2 ms", coupling="kinematic", inputs={"ram": motion})

    assert run.meta["coupling"] == "kinematic"
    assert run["ram.length"].values == pytest.approx(REACH + 0.1 * np.sin(3 * run.time), abs=1e-9)
    assert run["ram.force"].values == pytest.approx(MASS * (GRAVITY - 0.9 * np.sin(3 * run.time)), rel=1e-6)
    assert run["block.position"].values[:, 2] == pytest.approx(run["ram.length"].values, abs=1e-9)


def test_table_and_number_and_nothing():
    table = kb.table([0, 1], [REACH, REACH + 0.1])
    moved = kb.simulate(lift(), "1 s", step="5 ms", coupling="kinematic", inputs={"ram": table})
    still = kb.simulate(lift(), "0.1 s", step="5 ms", coupling="kinematic", inputs={"ram": REACH})
    left = kb.simulate(lift(), "0.1 s", step="5 ms", coupling="kinematic")

    assert moved["ram.length"].values[-1] == pytest.approx(REACH + 0.1, abs=1e-9)
    for run in (still, left):
        assert run["ram.force"].values == pytest.approx(MASS * GRAVITY, rel=1e-9)


def test_an_earlier_run_moves_all_cylinders_and_its_force_comes_back():
    case = kb.catalogue.NAMES["naya-rod"]()
    early = kb.simulate(case.machine, "1 s", step="0.1 ms", record="5 ms", inputs={"valve": 0.49})
    again = kb.simulate(case.machine, "1 s", step="5 ms", record="5 ms", coupling="kinematic", inputs=early)
    one = kb.simulate(
        case.machine, "1 s", step="5 ms", record="5 ms", coupling="kinematic", inputs={"lift": early["lift.length"]}
    )

    assert again["lift.length"].values == pytest.approx(early["lift.length"].values, abs=1e-9)
    late = again.time > 0.2  # after the valve's jump, which a spline cannot follow
    assert again["lift.force"].values[late] == pytest.approx(early["lift.force"].values[late], rel=2e-4)
    assert np.array_equal(one["lift.force"].values, again["lift.force"].values)


def test_there_is_no_oil():
    run = kb.simulate(lift(), "0.1 s", step="5 ms", coupling="kinematic", inputs={"valve": 0.3})
    assert not [path for path in run if "pressure" in path]


def test_a_motion_out_of_reach_is_named():
    with pytest.raises(kb.MachineError, match="driver 'ram' cannot begin at its start value"):
        kb.simulate(lift(), "0.1 s", coupling="kinematic", inputs={"ram": "-1 m"})


def slewing(**place):
    """A turntable, a shaft beside it, and a motor on what is given."""
    m = kb.Machine("turntable")
    table = m.body("table", mass=800.0, inertia=(300.0, 300.0, 500.0))
    m.revolute("ring", m.ground, table, axis="z")
    m.shaft_of("axle", "ring")
    m.shaft("crank", 2.0, speed=1.0)
    m.oil(kb.fluids.mineral_oil()).motor("slew", displacement="600 cm3/rev", pressure_a="100 bar",
                                       pressure_b="100 bar", **place)  # fmt: skip
    return m


@pytest.mark.parametrize("place", [{"joint": "ring"}, {"shaft": "axle"}], ids=["joint", "shaft_of"])
def test_torque_of_a_motor_in_closed_form(place):
    """φ = 0.1 t²: the torque is J φ̈, whether the motor is in the joint or on its shaft."""
    m = slewing(**place)
    assert followed_paths(m) == {"slew": "slew.angle"}

    def motion(t):
        return 0.1 * t**2, 0.2 * t, 0.2

    run = kb.simulate(m, "1 s", step="2 ms", coupling="kinematic", inputs={"slew": motion})

    assert run["ring.angle"].values == pytest.approx(0.1 * run.time**2, abs=1e-9)
    assert run["slew.torque"].values == pytest.approx(500.0 * 0.2, rel=1e-6)
    again = kb.simulate(m, "0.1 s", step="2 ms", coupling="kinematic", inputs=run)
    assert again["slew.angle"].values == pytest.approx(0.1 * again.time**2, abs=1e-6)


def test_a_motor_on_a_shaft_of_its_own_goes_with_the_oil():
    m = slewing(shaft="crank")
    assert followed_paths(m) == {}

    early = kb.simulate(m, "0.1 s", step="0.1 ms", record="2 ms")
    run = kb.simulate(m, "0.1 s", step="2 ms", coupling="kinematic", inputs=early)

    assert not [path for path in run if path.startswith("slew")]
    assert run["crank.speed"].values == pytest.approx(1.0, rel=1e-12)
