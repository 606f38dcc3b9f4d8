# SPDX-License-Identifier: BSD-3-Clause
"""Controllers, stop conditions, outputs and gears read joints by name in every set of coordinates."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.methods import choices


def arm():
    """An arm on a motor, and a sleeve that slides and turns on it."""
    m = kb.Machine("arm")
    beam = m.body("beam", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
    sleeve = m.body("sleeve", mass=0.5, com=(0, 0.05, 0), inertia=(0.01, 0.01, 0.02))
    m.revolute("hinge", m.ground, beam, axis="y", start=0.2, speed=4.0)
    m.cylindrical("guide", beam.at(0.5, 0, 0), sleeve, axis="x", start=(0.1, 1.0), speed=(0.1, 20.0))
    m.effort("motor", "hinge")
    m.joint_spring("spring", "guide", stiffness=50.0, damping=1.0)
    return m


def simulated(coordinates, **words):
    hold = kb.pid("hold", reads="hinge.angle", writes="motor", setpoint=0.5, kp=60.0, kd=8.0, every="2 ms")
    return kb.simulate(arm(), "0.5 s", step="1 ms", controllers=[hold], coordinates=coordinates, **words)


@pytest.mark.parametrize("coordinates", choices("coordinates")[1:])
def test_a_controller_reads_a_joint(coordinates):
    one, other = simulated("relative"), simulated(coordinates)

    assert abs(one["hinge.angle"].values[-1] - one["hinge.angle"].values[0]) > 0.05, "it moves"
    for path in ("hinge.angle", "hinge.angle_rate", "guide.travel", "guide.angle", "motor.torque"):
        x, y = one[path].values, other[path].values
        assert np.abs(x - y).max() < 1e-6 * (1.0 + np.abs(x).max()), path
    assert one["guide.angle"].values[-1] > 2.0 * np.pi, "an angle goes on over whole turns"


@pytest.mark.parametrize("coordinates", choices("coordinates"))
def test_a_stop_condition_and_an_output_read_a_joint(coordinates):
    words = {"step": "1 ms", "record": "1 ms", "stop": "guide.angle > 3", "outputs": ["guide.angle"]}
    sim = kb.Simulation(arm(), coordinates=coordinates, **words)
    sim.run_for("1 s")

    assert sim.status == "stopped"
    assert sim.outputs["guide.angle"] == pytest.approx(3.0, abs=0.05)


@pytest.mark.parametrize("coordinates", choices("coordinates")[1:])
def test_a_gear_on_the_travel_of_a_free_joint(coordinates):
    """Only such a gear needs it as a row; sled and float move as one: 5 N on 1 kg and 2² kg."""
    m = kb.Machine("geared", gravity=(0, 0, 0))
    sled, float_ = (m.body(name, mass=1.0, inertia=(1, 1, 1)) for name in ("sled", "float"))
    m.prismatic("slide", m.ground, sled, axis="x")
    m.free("loose", m.ground, float_)
    m.gear("gear", "slide", "loose", ratio=2.0)
    m.effort("push", "slide", 0, 5.0)
    run = kb.simulate(m, "10 ms", step="1 ms", coordinates=coordinates)

    assert run["float.position"].values[-1] == pytest.approx([1e-4, 0.0, 0.0], abs=1e-12)
    assert run["sled.position"].values[-1] == pytest.approx([5e-5, 0.0, 0.0], abs=1e-12)
