# SPDX-License-Identifier: BSD-3-Clause
"""Contact between bodies by impulses, coupling `timestepping`: stacks, blows and what two bodies do to each other.

    stack       ten boxes on each other stand; between them is the weight of all that is above
    blow        two balls in a line: v₁' − v₂' = −e (v₁ − v₂), m₁ v₁ + m₂ v₂ stays; the loss is m_r (1 − e²) Δv²/2
    block       that slides on a block that slides: each is braked by μ times what presses it, until both go alike

Rank: closed form. Impulses of a blow are within the impulses' own rounding. The stack stands on springs that give 1 mm
under its weight: its top sways by 1.5 mm, at 2 mm/s, and forces are within 2e-6 of the weights; 5 mm, 5 mm/s and 1e-4
are asserted.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

G, H = 9.81, 1e-3


def run(machine, span, **more):
    return kb.simulate(machine, span, step=H, record=H, coupling="timestepping", **more)


def stack(count, shift=0.0):
    m = kb.Machine("stack", gravity=(0.0, 0.0, -G))
    m.terrain("floor")
    for k in range(count):
        box = m.body(f"box{k}", mass=100.0, inertia=(4.0, 4.0, 4.0))
        m.free(f"flight{k}", m.ground, box, start=(shift * (k % 2), 0, 0.25 + 0.5 * k, 0, 0, 0))
        m.contact(f"skin{k}", box, box=(0.5, 0.5, 0.5), friction=0.5, restitution=0.1)
    return m


def test_ten_boxes_stand():
    results = run(stack(10, shift=0.02), 3.0)

    for k in range(9):
        force = results[f"skin{k}.skin{k + 1}.normal_force"].values[-1]
        assert force == pytest.approx((9 - k) * 100.0 * G, rel=1e-4)
    assert results["skin0.normal_force"].values[-1] == pytest.approx(10 * 100.0 * G, rel=1e-4)
    top = results["box9.position"].values[-1]
    assert top[:2] == pytest.approx([0.02, 0.0], abs=5e-3)
    assert max(np.abs(results[f"box{k}.velocity"].values[-1]).max() for k in range(10)) < 5e-3
    energy = sum(results[f"energy.{form}"].values for form in ("kinetic", "potential", "elastic"))
    assert np.diff(energy).max() < 1e-12 * energy[0]


@pytest.mark.parametrize("restitution", [1e-9, 0.5, 1.0])
def test_two_balls_that_meet(restitution):
    m = kb.Machine("balls", gravity=(0.0, 0.0, 0.0))
    masses, speeds = (2.0, 6.0), (3.0, -1.0)
    for k, (mass, speed) in enumerate(zip(masses, speeds, strict=True)):
        ball = m.body(f"ball{k}", mass=mass, inertia=(0.1, 0.1, 0.1))
        m.free(f"flight{k}", m.ground, ball, start=(0.4 * k, 0, 0, 0, 0, 0), speed=(speed, 0, 0, 0, 0, 0))
        m.contact(f"skin{k}", ball, sphere=0.1, restitution=restitution, friction=0.0)

    results = run(m, 0.1)

    after = [results[f"ball{k}.velocity"].values[-1, 0] for k in range(2)]
    mean = sum(m * v for m, v in zip(masses, speeds, strict=True)) / sum(masses)
    reduced, closing = masses[0] * masses[1] / sum(masses), speeds[0] - speeds[1]
    assert after[0] - after[1] == pytest.approx(-restitution * closing, abs=1e-7)
    assert sum(m * v for m, v in zip(masses, after, strict=True)) == pytest.approx(sum(masses) * mean, rel=1e-9)
    assert results["skin0.skin1.impulse"].values[-1] == pytest.approx(reduced * (1 + restitution) * closing, rel=1e-7)
    lost = 0.5 * reduced * (1 - restitution**2) * closing**2
    assert results["skin0.skin1.dissipated"].values[-1] == pytest.approx(lost, abs=1e-6)


def test_a_block_slides_on_a_block_until_both_go_alike():
    """Upper: −μ₁ g; lower: (μ₁ m₁ − μ₀ (m₀ + m₁)) g/m₀ while that is above 0, else it stays."""
    upper, lower, mu, floor, v = 10.0, 20.0, 0.5, 0.02, 2.0
    m = kb.Machine("blocks", gravity=(0.0, 0.0, -G))
    m.terrain("floor")
    for name, mass, height, speed, friction in (("lower", lower, 0.1, 0.0, floor), ("upper", upper, 0.3, v, mu)):
        block = m.body(name, mass=mass, inertia=(1e3, 1e3, 1e3))  # that nothing tips
        m.free(f"flight_{name}", m.ground, block, start=(0, 0, height, 0, 0, 0), speed=(speed, 0, 0, 0, 0, 0))
        size = (4.0, 0.5, 0.2) if name == "lower" else (0.2, 0.2, 0.2)
        m.contact(f"skin_{name}", block, box=size, friction=friction, stiffness=1e6)

    results = run(m, 0.2)

    between = math.sqrt(mu * floor)  # of two contacts the geometric mean
    drag = (between * upper - floor * (upper + lower)) * G / lower
    assert results["upper.velocity"].values[-1, 0] == pytest.approx(v - between * G * 0.2, rel=0.01)
    assert results["lower.velocity"].values[-1, 0] == pytest.approx(max(drag, 0.0) * 0.2, abs=0.01)
