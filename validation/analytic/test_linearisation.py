# SPDX-License-Identifier: BSD-3-Clause
"""Eigenmodes and state-space matrices against closed forms: trees, loops, oil, a spinning top, a conical pendulum.

Rank: closed form. Tolerance 1e-8: the differences' own estimate is 1e-10 of an entry; frequencies are square roots.
"""

import itertools
import math

import numpy as np
import pytest
import scipy.linalg

import knuckleboom as kb
from analytic.models import four_bar, link
from analytic.test_heavy_top import ALONG, ARM, MASS, A, G, top
from analytic.test_hydraulic_spring import locked
from references.linkages import FourBar

CLOSE = {"rel": 1e-8}


def test_pendulum_with_torsion_damper():
    """I φ̈ + c φ̇ + m g l φ = 0: ω² = m g l/I, ζ = c/(2 I ω)."""
    mass, arm, about, damping = 2.0, 0.5, 0.17, 0.3
    machine = kb.Machine("pendulum")
    rod = machine.body("rod", mass=mass, com=(arm, 0, 0), inertia=(0.01, about, about))
    machine.revolute("foot", machine.ground, rod, axis="y", start="90 deg")
    machine.joint_spring("damper", "foot", stiffness=0.0, damping=damping)
    inertia = about + mass * arm**2
    omega = math.sqrt(mass * G * arm / inertia)

    (mode,) = kb.modes(machine)

    assert mode.frequency == pytest.approx(omega / (2.0 * math.pi), **CLOSE)
    assert mode.damping == pytest.approx(damping / (2.0 * inertia * omega), **CLOSE)
    assert mode.time == pytest.approx(2.0 * inertia / damping, **CLOSE)
    (undamped,) = kb.modes(machine, damped=False)
    assert undamped.frequency == pytest.approx(mode.frequency, **CLOSE)
    assert undamped.damping == 0.0


def test_double_pendulum():
    """Two uniform rods: M and K of small absolute angles."""
    mass, length = 1.3, 0.7
    machine = kb.Machine("double pendulum", gravity=(0.0, -G, 0.0))
    upper, lower = (link(machine, name, mass, length) for name in ("upper", "lower"))
    machine.revolute("shoulder", machine.ground, upper, start=-math.pi / 2.0)
    machine.revolute("elbow", upper.at(length, 0, 0), lower)
    M = mass * length**2 * np.array([[4.0 / 3.0, 0.5], [0.5, 1.0 / 3.0]])
    K = mass * G * length * np.diag([1.5, 0.5])
    squares, shapes = scipy.linalg.eigh(K, M)

    modes = kb.modes(machine)

    assert modes.frequencies == pytest.approx(np.sqrt(squares) / (2.0 * math.pi), **CLOSE)
    for mode, shape in zip(modes, shapes.T, strict=True):
        relative = mode.shape["elbow.angle"] / mode.shape["shoulder.angle"]
        assert relative == pytest.approx(shape[1] / shape[0] - 1.0, **CLOSE)


@pytest.mark.parametrize("count", [1, 4])
def test_chain_of_masses(count):
    """n masses between n + 1 springs: ω_j = 2 √(k/m) sin(jπ/(2n + 2)), with dampers β k: ζ_j = β ω_j/2."""
    mass, stiffness, beta = 3.0, 700.0, 4e-3
    machine = kb.Machine("chain")
    places = [machine.ground]
    for number in range(1, count + 1):
        body = machine.body(f"m{number}", mass=mass, inertia=(1.0, 1.0, 1.0))
        machine.prismatic(f"s{number}", machine.ground, body, axis="x", start=float(number))
        places.append(body)
    places.append(machine.ground.at(count + 1.0, 0, 0))
    for number, (a, b) in enumerate(itertools.pairwise(places)):
        machine.spring(f"k{number}", a, b, stiffness=stiffness, damping=beta * stiffness)
    j = np.arange(1, count + 1)
    omega = 2.0 * math.sqrt(stiffness / mass) * np.sin(j * math.pi / (2.0 * count + 2.0))

    modes = kb.modes(machine)

    assert modes.frequencies == pytest.approx(omega / (2.0 * math.pi), **CLOSE)
    assert [mode.damping for mode in modes] == pytest.approx(0.5 * beta * omega, **CLOSE)


@pytest.mark.parametrize("load", [0.0, 9000.0], ids=["free", "loaded"])
def test_hydraulic_spring(load):
    """A piston locked in oil: ω² = (β_a A_a²/V_a + β_b A_b²/V_b)/m; the two trapped amounts of oil are free."""
    machine, exact = locked(0.0, load)

    modes = kb.modes(machine)

    assert [mode.kind for mode in modes] == ["free", "free", "oscillation"]
    assert modes[2].frequency == pytest.approx(exact.small_frequency() / (2.0 * math.pi), **CLOSE)
    (undamped,) = kb.modes(machine, damped=False)
    assert undamped.frequency == pytest.approx(modes[2].frequency, **CLOSE)
    assert set(modes[2].parts) == {"slide", "ram.a", "ram.b"}


@pytest.mark.parametrize("cut", [None, "foot", "main"])
def test_parallelogram_with_torsion_spring(cut):
    """Equal cranks: the coupler only translates. J = 2 m a²/3 + m_c a², V = k φ²/2 + g (m + m_c) a sin θ per crank."""
    a, d, stiffness = 0.3, 0.8, 60.0
    model = FourBar(a=a, b=d, c=a, d=d, m_crank=1.1, m_coupler=2.0, m_rocker=1.1)
    theta = 1.2
    machine = four_bar(model, theta, 0.0, cut)
    # held in equilibrium by the spring on the knee: its angle is −θ, so its rest is chosen
    weight = model.g * (model.m_crank + model.m_coupler) * a
    machine.joint_spring("coil", "knee", stiffness=stiffness, rest=-theta - weight * math.cos(theta) / stiffness)
    inertia = 2.0 * model.m_crank * a**2 / 3.0 + model.m_coupler * a**2
    square = (stiffness - weight * math.sin(theta)) / inertia

    linear = kb.linearise(machine, outputs=["knee.angle", "foot.angle"])

    assert linear.at_rest
    assert linear.modes().frequencies == pytest.approx([math.sqrt(square) / (2.0 * math.pi)], **CLOSE)
    (state,) = linear.states[:1]
    for path, ratio in (("knee.angle", -1.0), ("foot.angle", 1.0)):
        expected = ratio if state == "main.angle" else ratio * {"knee.angle": -1.0}.get(state, 1.0)
        assert float(linear.C.sel(output=path, state=state)) == pytest.approx(expected, **CLOSE)


def test_free_body_has_six_free_motions():
    """Twelve zero eigenvalues: position and speed of six free motions."""
    machine = kb.Machine("free", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=2.0, com=(0.1, 0.2, 0.0), inertia=(1.0, 2.0, 2.5))
    machine.free("float", machine.ground, body, start=(0.3, 0.0, 0.1, 0.4, -0.2, 0.9))

    modes = kb.modes(machine)

    assert [mode.kind for mode in modes] == ["free"] * 12


@pytest.mark.parametrize("spin", [60.0, 200.0])
def test_sleeping_top(spin):
    """Upright, spinning: A Ω² − C s Ω + m g l = 0 in the world, so s − Ω seen from the body [Goldstein 2002, §5.7]."""
    root = math.sqrt((ALONG * spin) ** 2 - 4.0 * A * MASS * G * ARM)
    turning = np.array([(ALONG * spin + sign * root) / (2.0 * A) for sign in (-1.0, 1.0)])
    expected = np.sort(np.abs(spin - turning)) / (2.0 * math.pi)

    modes = kb.modes(top(0.0, (0.0, 0.0, spin)))

    assert modes.frequencies == pytest.approx(expected, **CLOSE)
    assert all(abs(mode.damping) < 1e-9 for mode in modes if mode.kind == "oscillation")


def test_slow_top_falls():
    """Below C² s² = 4 A m g l the upright top is unstable: Re λ = √(4 A m g l − C² s²)/(2 A)."""
    spin = 20.0
    rate = math.sqrt(4.0 * A * MASS * G * ARM - (ALONG * spin) ** 2) / (2.0 * A)

    modes = kb.modes(top(0.0, (0.0, 0.0, spin)))

    assert not modes.stable
    assert max(mode.eigenvalue.real for mode in modes) == pytest.approx(rate, **CLOSE)


def test_conical_pendulum():
    """A ball on a spindle that turns freely (Watt's governor without its sleeve), ω² = g/(l cos θ): V_eff''/(m l²).

    With p = (J + m l² sin²θ) ω constant, V_eff = p²/(2 (J + m l² sin²θ)) − m g l cos θ. The steady turning is a motion,
    not a rest: its rate is the remainder.
    """
    mass, length, spindle, theta = 1.5, 0.4, 0.02, 0.7
    s, c = math.sin(theta), math.cos(theta)
    omega = math.sqrt(G / (length * c))
    machine = kb.Machine("governor", gravity=(0.0, 0.0, -G))
    shaft = machine.body("shaft", mass=1.0, inertia=(spindle, spindle, spindle))
    ball = machine.body("ball", mass=mass, com=(0, 0, -length), inertia=(1e-12, 1e-12, 1e-12))
    machine.revolute("spindle", machine.ground, shaft, axis="z", speed=omega)
    machine.revolute("hinge", shaft, ball, axis="y", start=theta)
    square = mass * length**2
    D = spindle + square * s**2
    p = D * omega
    curvature = -(p**2) * square * ((c**2 - s**2) / D**2 - 4.0 * square * s**2 * c**2 / D**3) + mass * G * length * c

    linear = kb.linearise(machine)

    (frequency,) = linear.modes().frequencies
    assert frequency == pytest.approx(math.sqrt(curvature / square) / (2.0 * math.pi), **CLOSE)
    assert float(linear.remainder.sel(rate="spindle.angle")) == pytest.approx(omega)
    assert float(linear.remainder.sel(rate="hinge.angle_rate")) == pytest.approx(0.0, abs=1e-10)


def test_governor_driven_at_constant_speed():
    """The spindle's speed is held: m l² θ̈ = m l² ω² sin θ cos θ − m g l sin θ rings at ω sin θ."""
    length, theta = 0.4, 0.7
    omega = math.sqrt(G / (length * math.cos(theta)))
    machine = kb.Machine("governor", gravity=(0.0, 0.0, -G))
    shaft = machine.body("shaft", mass=1.0, inertia=(0.02, 0.02, 0.02))
    ball = machine.body("ball", mass=1.5, com=(0, 0, -length), inertia=(1e-12, 1e-12, 1e-12))
    machine.revolute("spindle", machine.ground, shaft, axis="z")
    machine.revolute("hinge", shaft, ball, axis="y", start=theta)
    machine.driver("motor", joint="spindle", speed=omega)

    linear = kb.linearise(machine)

    assert linear.states == ["hinge.angle", "hinge.angle_rate"]
    assert linear.at_rest
    assert linear.modes().frequencies == pytest.approx([omega * math.sin(theta) / (2.0 * math.pi)], **CLOSE)


def test_matrices_of_a_driven_mass():
    """m ẍ = F − k x − c ẋ: all four matrices, with the spring's force as an output."""
    mass, stiffness, damping = 4.0, 90.0, 3.0
    machine = kb.Machine("driven")
    block = machine.body("block", mass=mass, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x")
    machine.joint_spring("coil", "slide", stiffness=stiffness, damping=damping)
    machine.force("push", block, direction="x")

    linear = kb.linearise(
        machine, inputs=["push"], outputs=["coil.force", "block.position", "slide.travel_acceleration"]
    )

    a, b = [-stiffness / mass, -damping / mass], 1.0 / mass
    assert linear.states == ["slide.travel", "slide.travel_rate"]
    assert linear.A.values == pytest.approx(np.array([[0.0, 1.0], a]), **CLOSE)
    assert linear.B.values == pytest.approx(np.array([[0.0], [b]]), **CLOSE)
    expected = np.array([[-stiffness, -damping], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0], a])
    assert linear.C.values == pytest.approx(expected, abs=1e-9)
    assert linear.D.values == pytest.approx(np.array([[0.0], [0.0], [0.0], [0.0], [b]]), abs=1e-12)
    assert linear.outputs[1:4] == ["block.position.x", "block.position.y", "block.position.z"]
    system = linear.to_scipy()
    assert np.sort_complex(np.linalg.eigvals(system.A)) == pytest.approx(
        np.sort_complex(np.roots([mass, damping, stiffness])), **CLOSE
    )


def test_linear_model_predicts_the_run():
    """Second route: a run with a small step of force and scipy's response of the linear model agree to second order."""
    from scipy.signal import lsim

    machine = four_bar(FourBar(), 1.0, 0.0)
    machine.joint_spring("coil", "main", stiffness=80.0, rest=1.0, damping=0.5)
    machine.effort("push", "main", 0, 0.0)
    state = kb.equilibrium(machine)
    linear = kb.linearise(machine, state, outputs=["foot.angle"])
    placed = kb.equilibrium(machine, inputs={"push": 1e-3})

    # statics: the gain at rest is −C A⁻¹ B + D
    gain = float((linear.D.values - linear.C.values @ np.linalg.solve(linear.A.values, linear.B.values)).squeeze())
    assert (placed["foot.angle"] - state["foot.angle"]) / 1e-3 == pytest.approx(gain, rel=1e-4)
    times = np.linspace(0.0, 60.0, 20001)
    _, response, _ = lsim(linear.to_scipy(), np.ones_like(times), times)
    assert response[-1] == pytest.approx(gain, rel=1e-6)
