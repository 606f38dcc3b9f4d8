# SPDX-License-Identifier: BSD-3-Clause
"""Applied forces, torques and joint efforts, and how inputs drive them.

Rank: closed form. Polynomials of second degree are exact for RK4: 1e-10 is rounding. A function of time is summed by
Simpson's rule, a table by its area. When inputs act in all couplings: test_input_timing.py. A force in world axes acts
on a pendulum as gravity does (elliptic functions).
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb
from references import pendulum, signals

MASS, STEP = 2.0, 1e-3


def slide(axis="x"):
    machine = kb.Machine("driven", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis=axis)
    return machine, block


def test_constant_world_force_and_its_component():
    """Only the component along the slide counts: a = F cos 60°/m; the direction is taken as a unit vector."""
    machine, block = slide()
    machine.force("push", block, direction=(1.0, math.sqrt(3.0), 0.0), value=6.0)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    assert run["slide.travel"].values == pytest.approx(0.5 * 3.0 / MASS * run.time**2, abs=1e-10)
    assert run.energy().applied["push"] == pytest.approx(3.0 * run["slide.travel"].values[-1], rel=1e-9)
    assert abs(run.energy().residual) < 1e-10


def test_body_force_turns_with_the_body():
    """A tangential force fixed in a hinged body is a constant torque F r: angle ½ F r t²/(I + m c²), over several
    turns.
    """
    machine = kb.Machine("thruster", gravity=(0.0, 0.0, 0.0))
    arm = machine.body("arm", mass=MASS, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.15))
    machine.revolute("pin", machine.ground, arm)
    machine.force("thrust", arm.at(0.6, 0.0, 0.0), direction=(0, 1, 0), frame="body", value=20.0)
    run = kb.simulate(machine, 2.0, step=STEP, record=1e-2)
    assert run["pin.angle"].values == pytest.approx(
        0.5 * 12.0 / (0.15 + MASS * 0.09) * run.time**2, rel=1e-11, abs=1e-10
    )


def test_world_force_is_like_gravity():
    """A constant world force at the centre of mass of a pendulum: the same elliptic motion, g replaced by F/m."""
    force, arm, duration, amplitude = 30.0, 0.5, 2.0, math.radians(120.0)
    machine = kb.Machine("pulled", gravity=(0.0, 0.0, 0.0))
    bob = machine.body("bob", mass=MASS, com=(0.0, 0.0, -arm), inertia=(0.1, 0.1, 0.1))
    machine.revolute("pin", machine.ground, bob, axis="y", start=amplitude)
    machine.force("pull", bob.at(0.0, 0.0, -arm), direction=(0, 0, -1), value=force)
    run = kb.simulate(machine, duration, step=STEP, record=1e-2)
    omega = math.sqrt(force * arm / (0.1 + MASS * arm**2))
    bound = 5.0 * signals.rk4_error(2.0 * omega, STEP, duration) + 1e-11
    assert run["pin.angle"].values == pytest.approx(pendulum.angle(run.time, amplitude, omega), abs=bound)


@pytest.mark.parametrize("frame", ["world", "body"])
def test_torque(frame):
    """A torque about the body's own axis of rotation: ½ τ t²/I; about a free body's principal axis the frames agree."""
    machine = kb.Machine("spun", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, inertia=(0.1, 0.2, 0.25))
    machine.free("base", machine.ground, body)
    machine.torque("motor", body, axis="z", frame=frame, value=1.5)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    angle = 0.5 * 1.5 / 0.25 * run.time**2
    turn = signals.rotation(run["body.orientation"].values)
    assert turn[:, 0, 0] == pytest.approx(np.cos(angle), abs=1e-10)
    assert turn[:, 1, 0] == pytest.approx(np.sin(angle), abs=1e-10)
    assert run["body.angular_velocity"].values[:, 2] == pytest.approx(6.0 * run.time, abs=1e-10)
    assert run["body.position"].values == pytest.approx(0.0, abs=1e-12)


def tumbling(frame, torque):
    machine = kb.Machine("tumbling", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, inertia=(0.1, 0.2, 0.25))
    machine.free("base", machine.ground, body, speed=(0.0, 0.0, 0.0, 1.0, -2.0, 3.0))
    machine.torque("motor", body, axis=tuple(torque), frame=frame, value=float(np.linalg.norm(torque)))
    run = kb.simulate(machine, 1.0, step=2.5e-4, record=1e-2)
    turn = signals.rotation(run["body.orientation"].values)
    return run.time, turn, np.einsum("nji,nj->ni", turn, run["body.angular_velocity"].values)


def test_world_torque_on_a_tumbling_body():
    """dL/dt = τ: angular momentum in the world grows along a straight line, whatever the motion (RK4's error at 10
    rad/s).
    """
    torque, inertia = np.array([0.3, 0.5, -0.4]), np.array([0.1, 0.2, 0.25])
    time, turn, omega = tumbling("world", torque)
    momentum = np.einsum("nij,nj->ni", turn, omega * inertia)
    start = inertia * np.array([1.0, -2.0, 3.0])
    bound = 50.0 * signals.rk4_error(10.0, 2.5e-4, 1.0) + 1e-10
    assert momentum == pytest.approx(start + np.outer(time, torque), abs=bound)


def test_body_torque_on_a_tumbling_body():
    """Euler's equations with a constant torque in body axes, by SciPy at 1e-12."""
    torque, inertia = np.array([0.3, 0.5, -0.4]), np.array([0.1, 0.2, 0.25])
    time, _, omega = tumbling("body", torque)
    done = solve_ivp(
        lambda _, w: (torque - np.cross(w, inertia * w)) / inertia,
        (0.0, 1.0),
        [1.0, -2.0, 3.0],
        method="DOP853",
        t_eval=time,
        rtol=1e-12,
        atol=1e-13,
    )
    bound = 50.0 * signals.rk4_error(10.0, 2.5e-4, 1.0) + 1e-10
    assert omega == pytest.approx(done.y.T, abs=10.0 * bound)


def test_efforts_on_a_free_joint():
    """Coordinates 0..2 push along a's axes, 3..5 turn about b's axes: here one of each, about a principal axis."""
    machine = kb.Machine("free", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, inertia=(0.1, 0.2, 0.25))
    turned = machine.ground.at((0.0, 0.0, 0.0), rpy=(0.0, 0.0, "90 deg"))
    machine.free("base", turned, body)
    machine.effort("push", "base", coordinate=0, value=4.0)
    machine.effort("spin", "base", coordinate=5, value=1.5)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    # a's x-axis is the world's y
    exact = np.stack([0.0 * run.time, run.time**2, 0.0 * run.time], axis=-1)
    assert run["body.position"].values == pytest.approx(exact, abs=1e-10)
    assert run["body.angular_velocity"].values[:, 2] == pytest.approx(6.0 * run.time, abs=1e-10)


def test_effort_on_a_spherical_joint():
    """A torque about the body's own symmetry axis: ω₃ = τ t/C, exactly linear for a symmetric body without gravity."""
    machine = kb.Machine("ball", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, com=(0.0, 0.0, 0.2), inertia=(0.1, 0.1, 0.15))
    machine.spherical("ball", machine.ground, body, start=(0.3, -0.4, 0.2), speed=(0.5, 0.0, 1.0))
    machine.effort("spin", "ball", coordinate=2, value=0.6)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    turn = signals.rotation(run["body.orientation"].values)
    spin = np.einsum("nj,nj->n", turn[:, :, 2], run["body.angular_velocity"].values)
    assert spin == pytest.approx(1.0 + 4.0 * run.time, abs=1e-10)


def test_eccentric_force_on_a_free_body_moves_and_turns_it():
    """A world force through a point off the centre: the centre of mass moves as if hit there, in a straight line."""
    machine = kb.Machine("pushed", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=MASS, com=(0.1, 0.0, 0.0), inertia=(0.1, 0.2, 0.25))
    body.point("centre", (0.1, 0.0, 0.0))
    machine.free("base", machine.ground, body)
    machine.force("push", body.at(0.4, 0.3, 0.2), direction=(0, 0, 1), value=3.0)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    exact = np.stack([0.1 + 0.0 * run.time, 0.0 * run.time, 0.75 * run.time**2], axis=-1)
    assert run["body.centre.position"].values == pytest.approx(exact, abs=1e-9)


def test_steps_act_exactly_when_declared():
    """A jump inside a step ends that step there: speed and travel are exact, though 0.1237 s is no multiple of 1 ms."""
    machine, _ = slide()
    machine.effort("push", "slide")
    inputs = {"push": kb.steps({0.0: 0.0, 0.1237: 8.0, 0.5: -4.0})}
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2, inputs=inputs)
    t = run.time
    first, second = np.clip(t - 0.1237, 0.0, None), np.clip(t - 0.5, 0.0, None)
    assert run["slide.travel_rate"].values == pytest.approx(4.0 * first - 6.0 * second, abs=1e-11)
    assert run["slide.travel"].values == pytest.approx(2.0 * first**2 - 3.0 * second**2, abs=1e-11)


def test_a_function_is_sampled_at_both_ends_and_in_the_middle_of_a_step():
    """v(n h) = h/(6m) Σ_{k<n} (F(kh) + 4 F(kh + h/2) + F(kh + h)), to rounding; that is ∫F dt/m within (ωh)⁴/2880."""
    machine, _ = slide()
    machine.effort("push", "slide")
    run = kb.simulate(machine, 0.5, step=STEP, record=STEP, inputs={"push": lambda t: 5.0 * math.sin(12.0 * t)})
    force = 5.0 * np.sin(12.0 * 0.5 * STEP * np.arange(1001))
    mean = (force[:-2:2] + 4.0 * force[1::2] + force[2::2]) / 6.0
    speed = np.concatenate([[0.0], np.cumsum(mean) * STEP / MASS])
    assert run["slide.travel_rate"].values == pytest.approx(speed, abs=1e-12)
    exact = 5.0 / 12.0 / MASS * (1.0 - np.cos(12.0 * run.time))
    assert run["slide.travel_rate"].values == pytest.approx(exact, abs=1e-11)


def test_a_table_is_linear_between_its_points():
    """The area under the table, whose corners lie on step ends."""
    machine, _ = slide()
    machine.effort("push", "slide")
    times, values = [0.0, 0.2, 0.3, 0.5], [0.0, 6.0, -2.0, -2.0]
    run = kb.simulate(machine, 0.5, step=STEP, record=STEP, inputs={"push": kb.table(times, values)})
    force = np.interp(STEP * np.arange(501), times, values)
    speed = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1])) * STEP / MASS])
    assert run["slide.travel_rate"].values == pytest.approx(speed, abs=1e-12)


def test_thrust_between_two_places_is_virtual_work():
    """A thrust between the ground and a crank: torque F·∂s/∂θ, s by the cosine rule; the work is F·Δs.

    s² = a² + b² − 2ab·cos θ, so F·a·b·sin θ/s is the torque about the pin and ω² = 2F·(s − s₀)/I without gravity.
    """
    force, base, crank, inertia, start = 40.0, 1.2, 0.5, 0.8, math.radians(50.0)
    machine = kb.Machine("crank", gravity=(0.0, 0.0, 0.0))
    arm = machine.body("arm", mass=MASS, inertia=(0.6, 0.6, inertia))
    machine.revolute("pin", machine.ground, arm, axis="z", start=start)
    machine.thrust("push", machine.ground.at(base, 0.0, 0.0), arm.at(crank, 0.0, 0.0), value=force)
    run = kb.simulate(machine, 0.4, step=STEP, record=1e-2)
    angle = run["pin.angle"].values
    length = np.sqrt(base**2 + crank**2 - 2.0 * base * crank * np.cos(angle))
    speed = np.sqrt(2.0 * force * (length - length[0]) / inertia)
    assert run["push.length"].values == pytest.approx(length, abs=1e-12)
    assert run["pin.angle_rate"].values == pytest.approx(speed, abs=1e-7)
    assert angle[-1] - start > 0.5
    assert run.energy().applied["push"] == pytest.approx(force * (length[-1] - length[0]), rel=1e-7)
