# SPDX-License-Identifier: BSD-3-Clause
"""Springs and dampers between points and in joints: eigenfrequency, damped decay, two-mass modes, a swinging body.

Rank: closed form; the swinging body is a second formulation (Newton-Euler in the plane, SciPy at 1e-12). Tolerance:
RK4's phase error at the fastest rate times amplitude, times 5 (for linear problems the error constant is exact, for
the non-linear one the rate is that of its fastest motion); plus 1e-12 for rounding.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb
from references import signals

MASS, STIFFNESS, REST, PULL = 2.5, 400.0, 0.3, 0.12
OMEGA = math.sqrt(STIFFNESS / MASS)
STEP, DURATION = 1e-3, 1.5


def limit(rate=OMEGA, amplitude=PULL):
    return 5.0 * amplitude * signals.rk4_error(rate, STEP, DURATION) + 1e-12


def on_slide(start, speed=0.0, gravity=(0.0, 0.0, 0.0), axis="x"):
    machine = kb.Machine("oscillator", gravity=gravity)
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis=axis, start=start, speed=speed)
    return machine, block


def damped(time, zeta, x0, v0, omega=OMEGA):
    """Free motion of ẍ + 2ζωẋ + ω²x = 0, from the two complex roots."""
    roots = np.roots([1.0, 2.0 * zeta * omega, omega**2]).astype(complex)
    weights = np.linalg.solve(np.array([[1.0, 1.0], roots]), [x0, v0])
    return np.real(np.exp(np.outer(time, roots)) @ weights)


def test_point_spring_eigenfrequency():
    """x = rest + pull cos ωt; frequency from the crossings, ω = √(k/m)."""
    machine, block = on_slide(REST + PULL)
    machine.spring("spring", machine.ground, block, stiffness=STIFFNESS, rest=REST)
    run = kb.simulate(machine, DURATION, step=STEP, record=STEP)

    travel, rate = run["slide.travel"], run["slide.travel_rate"].values
    passes = signals.rising(travel.time, travel.values, rate, REST)

    assert travel.values == pytest.approx(REST + PULL * np.cos(OMEGA * travel.time), abs=limit())
    assert 2.0 * math.pi * (len(passes) - 1) / (passes[-1] - passes[0]) == pytest.approx(OMEGA, rel=1e-8)
    assert run["energy.elastic"].values == pytest.approx(
        0.5 * STIFFNESS * (travel.values - REST) ** 2, abs=1e-12 * STIFFNESS
    )
    assert abs(run.energy().residual) < 1e-7 * 0.5 * STIFFNESS * PULL**2


@pytest.mark.parametrize("axis", ["z", "-z"])
def test_hanging_mass_swings_about_its_static_sag(axis):
    """Gravity shifts the rest point by m g/k and leaves ω alone; the slide's axis may point either way."""
    machine, block = on_slide(-0.5 if axis == "z" else 0.5, gravity=(0.0, 0.0, -9.81), axis=axis)
    machine.spring("spring", machine.ground, block, stiffness=STIFFNESS, rest=REST)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    middle = -(REST + MASS * 9.81 / STIFFNESS)
    exact = middle + (-0.5 - middle) * np.cos(OMEGA * run.time)
    assert run["block.position"].values[:, 2] == pytest.approx(exact, abs=limit(amplitude=0.2))


@pytest.mark.parametrize("zeta", [0.05, 0.3, 1.5])
@pytest.mark.parametrize("kind", ["point", "joint", "separate damper"])
def test_damped_decay(kind, zeta):
    """Under- and over-damped decay; damping inside the springs and as a part of its own give the same."""
    damping = 2.0 * zeta * OMEGA * MASS
    machine, block = on_slide(REST + PULL, speed=0.4)
    if kind == "point":
        machine.spring("spring", machine.ground, block, stiffness=STIFFNESS, rest=REST, damping=damping)
    elif kind == "joint":
        machine.joint_spring("spring", "slide", stiffness=STIFFNESS, rest=REST, damping=damping)
    else:
        machine.spring("spring", machine.ground, block, stiffness=STIFFNESS, rest=REST)
        machine.damper("damper", machine.ground, block, damping=damping)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    fastest = OMEGA * (zeta + math.sqrt(max(zeta**2 - 1.0, 0.0)) if zeta > 1.0 else 1.0)
    assert run["slide.travel"].values - REST == pytest.approx(
        damped(run.time, zeta, PULL, 0.4), abs=limit(fastest, PULL + 0.4 / OMEGA)
    )
    # what the damper ate is what the motion lost
    assert abs(run.energy().residual) < 1e-7 * 0.5 * STIFFNESS * PULL**2


def test_damper_alone():
    """v = v₀ exp(−ct/m), x = v₀ m/c (1 − exp(−ct/m))."""
    damping, speed = 8.0, 0.7
    machine, block = on_slide(1.0, speed=speed)
    machine.damper("damper", machine.ground, block, damping=damping)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    decay = np.exp(-damping * run.time / MASS)
    assert run["slide.travel_rate"].values == pytest.approx(speed * decay, abs=limit(damping / MASS, speed))
    assert run["slide.travel"].values == pytest.approx(1.0 + speed * MASS / damping * (1.0 - decay), abs=limit())


def test_torsion_spring_in_a_revolute_joint():
    """φ = rest + pull cos ωt with ω² = k/(I + m c²), no gravity, about an axis off the centre of mass."""
    machine = kb.Machine("torsion", gravity=(0.0, 0.0, 0.0))
    disc = machine.body("disc", mass=MASS, com=(0.2, 0.0, 0.0), inertia=(0.1, 0.1, 0.15))
    machine.revolute("pin", machine.ground, disc, start=1.0)
    machine.joint_spring("spring", "pin", stiffness=30.0, rest=0.25)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    omega = math.sqrt(30.0 / (0.15 + MASS * 0.2**2))
    assert run["pin.angle"].values == pytest.approx(0.25 + 0.75 * np.cos(omega * run.time), abs=limit(omega, 0.75))


@pytest.mark.parametrize("mode", [0, 1], ids=["in phase", "against"])
@pytest.mark.parametrize("chain", [False, True], ids=["both from ground", "one on the other"])
def test_two_masses_keep_their_modes(mode, chain):
    """Ground - spring - m₁ - spring - m₂ released in an eigenvector stays in it and follows cos ωt."""
    m1, m2, k1, k2, rest = 2.0, 1.0, 300.0, 200.0, 0.5
    squares, shapes = np.linalg.eig(np.linalg.solve(np.diag([m1, m2]), np.array([[k1 + k2, -k2], [-k2, k2]])))
    omega, shape = math.sqrt(squares[mode]), 0.1 * shapes[:, mode] / np.abs(shapes[:, mode]).max()

    machine = kb.Machine("two masses", gravity=(0.0, 0.0, 0.0))
    one = machine.body("one", mass=m1, inertia=(0.1, 0.1, 0.1))
    two = machine.body("two", mass=m2, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("first", machine.ground, one, axis="x", start=rest + shape[0])
    if chain:
        machine.prismatic("second", one, two, axis="x", start=rest + shape[1] - shape[0])
    else:
        machine.prismatic("second", machine.ground, two, axis="x", start=2.0 * rest + shape[1])
    machine.spring("near", machine.ground, one, stiffness=k1, rest=rest)
    machine.spring("far", one, two, stiffness=k2, rest=rest)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)

    exact = np.outer(np.cos(omega * run.time), shape)
    assert run["one.position"].values[:, 0] - rest == pytest.approx(exact[:, 0], abs=limit(omega, 0.1))
    assert run["two.position"].values[:, 0] - 2.0 * rest == pytest.approx(exact[:, 1], abs=limit(omega, 0.1))


def test_body_on_a_slanted_spring_and_damper():
    """A body in the plane hangs on a spring-damper at an eccentric point: direction and lever arm change all the
    time.
    """
    inertia, arm, damping = 0.12, np.array([0.15, 0.1]), 6.0
    start, anchor = (0.1, -0.6, 0.4), np.array([0.05, 0.2])
    machine = kb.Machine("swinging", gravity=(0.0, -9.81, 0.0))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, inertia))
    machine.planar("plane", machine.ground, block, start=start, speed=(0.5, 0.0, -1.0))
    machine.spring(
        "spring",
        machine.ground.at(*anchor, 0.0),
        block.at(*arm, 0.0),
        stiffness=STIFFNESS,
        rest=REST,
        damping=damping,
    )
    run = kb.simulate(machine, DURATION, step=2.5e-4, record=1e-2)

    def rates(_, y):
        x, v, phi, w = y[:2], y[3:5], y[2], y[5]
        lever = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]]) @ arm
        along = x + lever - anchor
        length = np.hypot(*along)
        along = along / length
        speed = along @ (v + w * np.array([-lever[1], lever[0]]))
        force = -(STIFFNESS * (length - REST) + damping * speed) * along
        torque = lever[0] * force[1] - lever[1] * force[0]
        return np.array([*v, w, force[0] / MASS, force[1] / MASS - 9.81, torque / inertia])

    done = solve_ivp(
        rates, (0.0, DURATION), [*start, 0.5, 0.0, -1.0], method="DOP853", t_eval=run.time, rtol=1e-12, atol=1e-13
    )
    # rocking at √(k·|arm|²/I) = 10 rad/s, bouncing at 13 rad/s; together they reach 20 rad/s
    bound = 5.0 * signals.rk4_error(20.0, 2.5e-4, DURATION) + 1e-10
    for label, exact in zip(("x", "y", "angle"), done.y, strict=False):
        assert run[f"plane.{label}"].values == pytest.approx(exact, abs=bound)
    assert run["spring.length"].values[0] == pytest.approx(
        np.hypot(*(np.array(start[:2]) + _turned(arm, start[2]) - anchor)), abs=1e-12
    )


def _turned(vector, angle):
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) @ vector


def test_preload_shifts_the_middle():
    """A constant force that presses apart moves the middle by preload/k and leaves ω alone."""
    machine, block = on_slide(REST + PULL)
    machine.spring("spring", machine.ground, block, stiffness=STIFFNESS, rest=REST, preload=20.0)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    middle = REST + 20.0 / STIFFNESS
    exact = middle + (REST + PULL - middle) * np.cos(OMEGA * run.time)
    assert run["slide.travel"].values == pytest.approx(exact, abs=limit())
    assert run["spring.force"].values == pytest.approx(
        20.0 - STIFFNESS * (run["slide.travel"].values - REST), abs=1e-9 * STIFFNESS
    )


def test_damper_between_two_masses():
    """The relative speed decays with the reduced mass, the common centre moves evenly."""
    m1, m2, damping, speed = 2.0, 3.0, 5.0, 0.6
    machine = kb.Machine("pair", gravity=(0.0, 0.0, 0.0))
    one = machine.body("one", mass=m1, inertia=(0.1, 0.1, 0.1))
    two = machine.body("two", mass=m2, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("first", machine.ground, one, axis="x", speed=speed)
    machine.prismatic("second", machine.ground, two, axis="x", start=2.0)
    machine.damper("damper", one, two, damping=damping)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)
    v1, v2 = run["first.travel_rate"].values, run["second.travel_rate"].values
    rate = damping * (1.0 / m1 + 1.0 / m2)
    assert v1 - v2 == pytest.approx(speed * np.exp(-rate * run.time), abs=limit(rate, speed))
    assert m1 * v1 + m2 * v2 == pytest.approx(m1 * speed, abs=1e-12)
    lost = 0.5 * m1 * m2 / (m1 + m2) * speed**2 * (1.0 - math.exp(-2.0 * rate * DURATION))
    assert run.energy().dissipated["damper"] == pytest.approx(lost, rel=1e-9)


def test_default_rest_length_is_the_start_length():
    """Without a rest length the spring starts unloaded: nothing moves (rounding only)."""
    machine, block = on_slide(0.7)
    machine.spring("spring", machine.ground.at(0.0, 0.4, 0.0), block, stiffness=STIFFNESS)
    run = kb.simulate(machine, 0.5, step=STEP, record=1e-2)
    assert run["slide.travel"].values == pytest.approx(0.7, abs=1e-12)
    assert run["spring.length"].values == pytest.approx(math.hypot(0.7, 0.4), abs=1e-12)
