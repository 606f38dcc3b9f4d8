# SPDX-License-Identifier: BSD-3-Clause
"""Static equilibrium against closed forms: springs and gravity, a hanging chain, a balanced beam, a toggle.

Rank: closed form; the chain's by its joint forces (two equations for H and V), which knows nothing of energy or of
coordinates. Newton ends at rounding: tolerance 1e-9.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

import knuckleboom as kb
from analytic.models import link

G = 9.81


def test_beam_on_a_torsion_spring():
    """k θ = m g l cos θ."""
    mass, arm, stiffness = 12.0, 0.8, 55.0
    machine = kb.Machine("beam")
    beam = machine.body("beam", mass=mass, com=(arm, 0, 0), inertia=(0.1, 3.0, 3.0))
    machine.revolute("foot", machine.ground, beam, axis="y")
    machine.joint_spring("coil", "foot", stiffness=stiffness)
    exact = brentq(lambda angle: stiffness * angle - mass * G * arm * math.cos(angle), 0.0, math.pi / 2, xtol=1e-15)

    state = kb.equilibrium(machine)

    assert state["foot.angle"] == pytest.approx(exact, rel=1e-9)
    assert state["coil.torque"] == pytest.approx(-mass * G * arm * math.cos(exact), rel=1e-9)
    assert state.stability == "stable"
    inertia = 3.0 + mass * arm**2
    assert state.stiffness == pytest.approx((stiffness + mass * G * arm * math.sin(exact)) / inertia, rel=1e-8)


@pytest.mark.parametrize("angle", [-60.0, 10.0, 45.0])
def test_beam_that_a_spring_balances_everywhere(angle):
    """A spring of no free length from height h to arm a carries the beam at every angle when k h a = m g l."""
    mass, arm, height, at = 12.0, 0.8, 0.5, 0.6
    machine = kb.Machine("balanced", gravity=(0.0, 0.0, -G))
    beam = machine.body("beam", mass=mass, com=(arm, 0, 0), inertia=(0.1, 3.0, 3.0))
    machine.revolute("foot", machine.ground, beam, axis="y", start=f"{angle} deg")
    stiffness = mass * G * arm / (height * at)
    machine.spring("coil", machine.ground.at(0, 0, height), beam.at(at, 0, 0), stiffness=stiffness, rest=0.0)

    state = kb.equilibrium(machine)

    assert state["foot.angle"] == pytest.approx(math.radians(angle), abs=1e-9)
    assert (state.stability, state.softest) == ("indifferent", "foot")


def hanging(count, length, mass, span, drop):
    """Angles of a chain of pinned rods: H and V at the left end carry it, tan φ_i = (V − (i + ½) m g)/H."""

    def angles(forces):
        horizontal, vertical = forces
        return np.arctan2((np.arange(count) + 0.5) * mass * G - vertical, horizontal)

    def gap(forces):
        phi = angles(forces)
        return [length * np.cos(phi).sum() - span, length * np.sin(phi).sum() - drop]

    return angles(fsolve(gap, (mass * G, 0.5 * count * mass * G), xtol=1e-14))


@pytest.mark.parametrize("drop", [0.0, -0.35])
def test_hanging_chain(drop):
    """Nine rods between two pins, started far away from where they hang."""
    count, length, mass, span = 9, 0.25, 0.6, 1.4
    machine = kb.Machine("chain", gravity=(0.0, -G, 0.0))
    place, joints = machine.ground, []
    for number in range(count):
        rod = link(machine, f"r{number}", mass, length)
        joints.append(f"j{number}")
        # a zig-zag: not closed, not hanging
        machine.revolute(joints[-1], place, rod, start=0.0 if number == 0 else 0.9 * (-1) ** number)
        place = rod.at(length, 0, 0)
    machine.revolute("end", place, machine.ground.at(span, drop, 0), cut=True)
    exact = hanging(count, length, mass, span, drop)

    state = kb.equilibrium(machine)

    found = np.cumsum([state[f"{joint}.angle"] for joint in joints])
    assert np.exp(1j * found) == pytest.approx(np.exp(1j * exact), abs=1e-9)
    assert state.stability == "stable"


def toggle(start):
    """A block between two leaning springs, no gravity: along its slide z, λ = −2 k z (1 − L/√(b² + z²))."""
    half, rest, stiffness, mass = 0.4, 0.5, 900.0, 2.0
    machine = kb.Machine("toggle", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=mass, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="z", start=start)
    for name, side in (("left", -half), ("right", half)):
        machine.spring(name, machine.ground.at(side, 0, 0), block, stiffness=stiffness, rest=rest)
    dead = 2.0 * stiffness * (1.0 - rest / half) / mass
    snapped = math.sqrt(rest**2 - half**2)
    return machine, dead, snapped, 2.0 * stiffness * (snapped / rest) ** 2 / mass


def test_toggle_at_its_dead_point():
    """K = 2 k (1 − L/b) < 0 at z = 0."""
    machine, dead, _, _ = toggle(0.0)
    state = kb.equilibrium(machine)
    assert state["slide.travel"] == 0.0
    assert (state.stability, state.softest) == ("unstable", "slide")
    assert state.stiffness == pytest.approx(dead, rel=1e-8)


@pytest.mark.parametrize("start", [1e-3, -1e-3, 0.2, -2.0])
def test_toggle_snaps_to_its_side(start):
    """Stable at ±√(L² − b²), where K = 2 k (z/L)²; started near the dead point it does not stay there."""
    machine, _, snapped, stiffness = toggle(start)
    state = kb.equilibrium(machine)
    assert state["slide.travel"] == pytest.approx(math.copysign(snapped, start), rel=1e-9)
    assert state.stability == "stable"
    assert state.stiffness == pytest.approx(stiffness, rel=1e-8)


def test_nearest_finds_the_dead_point():
    machine, _, _, _ = toggle(1e-2)
    state = kb.equilibrium(machine, nearest=True)
    assert state["slide.travel"] == pytest.approx(0.0, abs=1e-12)
    assert state.stability == "unstable"


def test_block_on_a_stop():
    """A block sinks by m g/k into a stop below it, whatever the start."""
    mass, stiffness = 50.0, 1e8
    machine = kb.Machine("stop", gravity=(0.0, 0.0, -G))
    block = machine.body("block", mass=mass, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="z", start=3.0)
    machine.joint_stop("floor", "slide", lower=0.5, stiffness=stiffness)

    state = kb.equilibrium(machine)

    assert state["slide.travel"] == pytest.approx(0.5 - mass * G / stiffness, abs=1e-12)
    assert state["floor.force"] == pytest.approx(mass * G, rel=1e-6)
