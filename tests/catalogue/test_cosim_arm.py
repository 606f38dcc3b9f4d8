# SPDX-License-Identifier: BSD-3-Clause
"""The manipulator of the co-simulation benchmarks as described: its equilibrium, masses, laws; and Naya's rod in it."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import cosim_arm as reference
from knuckleboom.catalogue import cosim_arm as catalogue
from knuckleboom.catalogue.cosim_arm import cosim_arm


def test_starts_in_equilibrium():
    planned = kb.build(cosim_arm().machine)
    assert planned.dof == 2
    assert np.abs(planned.accelerations()).max() < 1e-8


def test_its_equilibrium_is_that_of_the_reference():
    p1, p2, kappa = reference.equilibrium()
    assert catalogue.equilibrium() == pytest.approx((kappa, p1, p2), rel=1e-14)


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_the_massless_link_needs_nothing_approximate(coordinates):
    """A point mass has no inertia about itself; every set of coordinates has the same accelerations in a bent pose."""
    planned = kb.build(cosim_arm().machine, coordinates=coordinates)
    run = kb.simulate(cosim_arm().machine, "1 ms", step="0.1 ms", coordinates=coordinates, inputs={"valve": 0.4})
    plain = kb.simulate(cosim_arm().machine, "1 ms", step="0.1 ms", inputs={"valve": 0.4})
    assert planned.dof == 2
    assert run["rod.tip.acceleration"].values == pytest.approx(plain["rod.tip.acceleration"].values, abs=1e-9)
    assert run["link.tip.acceleration"].values == pytest.approx(plain["link.tip.acceleration"].values, abs=1e-9)


def test_masses_about_the_hinges():
    """m/3 + m_p + m_h at 1 m, m_h at 0.5 m, by relative angles with θ₁ − θ₂ = 120°."""
    mass = kb.build(cosim_arm().machine).mass_matrix()
    outer, coupled = 100.0 * 0.25, 100.0 * 0.5 * math.cos(math.radians(120.0))
    inner = 200.0 / 3.0 + 350.0
    exact = [[inner + 2.0 * coupled + outer, coupled + outer], [coupled + outer, outer]]
    assert mass == pytest.approx(np.array(exact), abs=1e-10)


@pytest.mark.parametrize("time", np.linspace(0.0, 10.0, 101))
def test_laws_are_those_of_the_reference(time):
    """Typed twice: max/min here, branches there."""
    law = catalogue.steps()
    assert np.interp(time, law.times, law.values) == pytest.approx(reference.step_law(time), abs=1e-14)
    assert catalogue.sine(time) == pytest.approx(reference.sine_law(time), abs=1e-14)


def test_less_kappa_lifts():
    run = kb.simulate(cosim_arm().machine, "0.2 s", step="1 ms", inputs={"valve": 0.44}, coupling="unified")
    assert run["pin.angle"].values[-1] > math.radians(30.0) + 1e-3
