# SPDX-License-Identifier: BSD-3-Clause
"""Speed servos, on a joint's coordinate and between two places.

Rank: closed form. A mass under gain·(u − w) and a load F has w = (u − F/gain)·(1 − exp(−gain·t/m)); RK4 at a hundredth
of the time constant is exact to 1e-10. A servo that is much faster than the step is taken to its speed within a step:
what is left is R(−gain·h/m) of an L-stable method, which is below 10·m/(gain·h) for fw2 and lie and positive: nothing
rings. Length and angle of a crank follow from the cosine rule.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals

MASS, GRAVITY, SPEED, STEP = 2.0, 9.81, 0.3, 1e-3
STIFF = MASS / 1e-6
"""A gain with a time constant of 1 µs."""


def lifted(gain, gravity=GRAVITY):
    machine = kb.Machine("lifted", gravity=(0.0, 0.0, -gravity))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis="z")
    machine.joint_servo("drive", "slide", gain=gain)
    return machine


def crank(gain):
    """An arm on a pin; the servo from the ground to a point of it."""
    machine = kb.Machine("crank")
    arm = machine.body("arm", mass=MASS, com=(0.4, 0.0, 0.0), inertia=(0.1, 0.3, 0.3))
    machine.revolute("pin", machine.ground, arm, axis="y", start="-50 deg")
    machine.length_servo("drive", machine.ground.at(1.2, 0.0, 0.0), arm.at(0.5, 0.0, 0.0), gain=gain)
    return machine


@pytest.mark.parametrize("gravity", [0.0, GRAVITY])
def test_a_mass_comes_to_its_speed_and_sags_by_its_load(gravity):
    gain, duration = 20.0, 2.0
    run = kb.simulate(lifted(gain, gravity), duration, step=STEP, record=1e-2, inputs={"drive": SPEED})
    steady = SPEED - MASS * gravity / gain
    speed = steady * (1.0 - np.exp(-gain / MASS * run.time))
    assert run["drive.speed"].values == pytest.approx(speed, abs=1e-10)
    assert run["drive.force"].values == pytest.approx(gain * (SPEED - speed), abs=1e-9)
    # what it brings is there again: ½ m w² + m g s
    way = steady * (duration - MASS / gain * (1.0 - math.exp(-gain / MASS * duration)))
    work = 0.5 * MASS * speed[-1] ** 2 + MASS * gravity * way
    assert run.energy().applied == {"drive": pytest.approx(work, rel=1e-9)}
    assert run.energy().dissipated == {}
    assert abs(run.energy().residual) < 1e-9 * abs(work)


def test_it_turns_a_ball_about_its_own_axis():
    """The spin of a symmetric body on a spherical joint, whatever else it does: ω₃ = u·(1 − exp(−gain·t/C))."""
    machine = kb.Machine("ball", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, com=(0.0, 0.0, 0.2), inertia=(0.1, 0.1, 0.15))
    machine.spherical("ball", machine.ground, body, start=(0.3, -0.4, 0.2), speed=(0.5, 0.0, 0.0))
    machine.joint_servo("spin", "ball", gain=1.5, coordinate=2, value="2 rad/s")
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    turn = signals.rotation(run["body.orientation"].values)
    spin = np.einsum("nj,nj->n", turn[:, :, 2], run["body.angular_velocity"].values)
    assert spin == pytest.approx(2.0 * (1.0 - np.exp(-10.0 * run.time)), abs=1e-9)


@pytest.mark.parametrize("integrator", ["fw2", "lie"])
def test_a_stiff_servo_follows_a_jump_within_a_step_and_does_not_ring(integrator):
    """What is left of a jump is R, then R², and so on, above the sag F/gain."""
    inputs = {"drive": kb.steps({0.0: SPEED, 0.02: -0.2})}
    words = {"coupling": "realtime", "integrator": integrator, "step": STEP, "record": STEP}
    run = kb.simulate(lifted(STIFF), 0.5, inputs=inputs, **words)
    speed, force, left = run["drive.speed"].values, run["drive.force"].values, 10.0 * MASS / STIFF / STEP
    for first, before, wanted in ((0, 0.0, SPEED), (20, SPEED, -0.2)):
        lacks = (speed[first + 1 : first + 4] - (wanted - MASS * GRAVITY / STIFF)) / (before - wanted)
        assert (lacks > -1e-9).all()  # the sag before the jump was 1e-5 of it
        assert lacks[0] < left and lacks[1] < left**2 and lacks[2] < 2.0 * left**3
    assert force[[15, -1]] == pytest.approx(MASS * GRAVITY, rel=1e-9)
    # a speed that is wanted at the start of a step is there all along it, but for its first microseconds
    assert run["slide.travel"].values[20] == pytest.approx(0.02 * SPEED, rel=2e-4)
    # impulse times mean speed, see interface/mean_power.py: only what the weight does meanwhile is lost, m·g·h·Δu/2
    assert abs(run.energy().residual) < 0.5 * MASS * GRAVITY * STEP * (SPEED + 0.5)


def test_lim_follows_a_jump_as_soon_but_swings_over():
    """Its R(∞) is 0 as well, reached from the other side."""
    words = {"coupling": "realtime", "integrator": "lim", "step": STEP, "record": STEP}
    run = kb.simulate(lifted(STIFF), 0.02, inputs={"drive": SPEED}, **words)
    lacks = 1.0 - (run["drive.speed"].values[1:4] + MASS * GRAVITY / STIFF) / SPEED
    left = 10.0 * MASS / STIFF / STEP
    assert abs(lacks[0]) < left and abs(lacks[1]) < left**2 and abs(lacks[2]) < 2.0 * left**3
    assert lacks[0] < 0.0


def test_unified_holds_the_speed_and_rings_less_than_it_sags():
    """The trapezoidal rule keeps what the implicit Euler steps of a jump leave: it changes sides, but never grows."""
    inputs = {"drive": kb.steps({0.0: SPEED, 0.02: -0.2})}
    run = kb.simulate(lifted(STIFF), 0.5, step=STEP, record=STEP, inputs=inputs, coupling="unified")
    sag = MASS * GRAVITY / STIFF
    for first, last, wanted in ((1, 21, SPEED), (21, 501, -0.2)):
        off = np.abs(run["drive.speed"].values[first:last] - (wanted - sag))
        assert off[0] < sag and (np.diff(off) < 1e-3 * off[0]).all()
    assert abs(run.energy().residual) < 0.5 * MASS * GRAVITY * STEP * (SPEED + 0.5)


def test_the_force_of_a_stiff_servo_is_that_of_its_load():
    """λ·ṡ = dT/dt + dV/dt with θ(t) by the cosine rule, once the start is forgotten.

    The force is the gain times a difference of speeds, so that their error shows: 0.6 % at 1 ms, of an order near 2.
    """
    inertia, errors = 0.3 + MASS * 0.4**2, []
    for step in (1e-3, 5e-4):
        run = kb.simulate(crank(1e6), 1.0, step=step, record=1e-2, inputs={"drive": 0.25}, coupling="realtime")
        length = run["drive.length"].values[0] + 0.25 * run.time
        # s² = a² + b² − 2ab·cos θ, twice differentiated; θ < 0, and the arm's mass is at height −0.4·sin θ
        angle = -np.arccos((1.2**2 + 0.5**2 - length**2) / (2.0 * 1.2 * 0.5))
        rate = length * 0.25 / (1.2 * 0.5 * np.sin(angle))
        change = (0.25**2 - 1.2 * 0.5 * np.cos(angle) * rate**2) / (1.2 * 0.5 * np.sin(angle))
        load = rate * (inertia * change - MASS * GRAVITY * 0.4 * np.cos(angle)) / 0.25
        errors.append(np.abs(run["drive.force"].values - load)[1:].max())
    assert errors[0] < 0.01 * np.abs(load).max()
    assert errors[0] / errors[1] > 3.0


@pytest.mark.parametrize(("coupling", "lost"), [("realtime", 1e-6), ("unified", 3e-3)])
def test_a_length_is_driven_and_a_crank_turns_with_it(coupling, lost):
    """s = s₀ + u·t, θ by the cosine rule; both within sag and the first step, where speeds begin: 1e-4 of the way.

    Of its work 2e-3 are lost in the first step, as the row turns while its speed jumps, and hardly anything later; of
    unified's 3e-3, as Newton's last correction of the speeds is not seen by the force.
    """
    run = kb.simulate(crank(1e6), 1.0, step=STEP, record=1e-2, inputs={"drive": 0.25}, coupling=coupling)
    length, angle = run["drive.length"].values, run["pin.angle"].values
    assert np.ptp(length) > 0.2
    assert length == pytest.approx(length[0] + 0.25 * run.time, abs=5e-5)
    assert np.cos(angle) == pytest.approx((1.2**2 + 0.5**2 - length**2) / (2.0 * 1.2 * 0.5), abs=1e-9)
    residual, work = run["energy.residual"].values, run.energy().applied["drive"]
    assert work > 1.0 and abs(residual[1]) < 2e-3 * work
    assert np.ptp(residual[1:]) < lost * work


def test_its_input_is_there_for_linear_control():
    """ẇ = gain/m·(u − w)."""
    linear = kb.linearise(lifted(20.0), inputs=["drive"])
    assert linear.A.values == pytest.approx(np.array([[0.0, 1.0], [0.0, -10.0]]), abs=1e-8)
    assert linear.B.values[:, 0] == pytest.approx([0.0, 10.0], abs=1e-8)


def test_the_force_that_a_motion_takes_is_its_own():
    """m·(a + g), whatever speed it wants."""
    found = kb.inverse_dynamics(lifted(20.0), {"slide": (0.1, 0.4, 1.5)}, actuators=["drive"], inputs={"drive": 7.0})
    assert float(found["drive"]) == pytest.approx(MASS * (1.5 + GRAVITY), rel=1e-12)
