# SPDX-License-Identifier: BSD-3-Clause
"""The references of the co-simulation machines, each by a second route: another integrator, energy, equilibrium.

Rank on the ladder: closed form where there is one, otherwise a second formulation. These tests do not run the
simulator. Tolerances: 1e-11 m and 1 Pa for two integrators at rtol 1e-10; 1e-9 of the largest power for energy, which
is what central differences of 1e-6 s leave.
"""

import numpy as np
import pytest

from knuckleboom.bench.references import cosim_arm


@pytest.mark.parametrize("law", cosim_arm.LAWS)
def test_cosim_arm_by_two_integrators(law):
    radau, explicit = cosim_arm.solve(law), cosim_arm.solve(law, method="DOP853")
    for name, tolerance in (("s", 1e-11), ("theta2", 1e-10), ("p1", 1.0), ("p2", 1.0)):
        assert radau[name] == pytest.approx(explicit[name], abs=tolerance), name


def test_cosim_arm_starts_in_equilibrium():
    """All rates vanish at κ₀, to rounding of terms of 1e12 Pa/s; 8829 N hold (2(250 + 100) + 200) kg."""
    p1, p2, kappa = cosim_arm.equilibrium()
    assert (p2 - p1) * cosim_arm.PISTON == pytest.approx(900.0 * 9.81, rel=1e-14)
    rates = np.array(cosim_arm.rates(cosim_arm.start(), kappa))
    assert rates[:4] == pytest.approx(np.zeros(4), abs=1e-12)
    assert rates[4:] == pytest.approx(np.zeros(2), abs=1e-3)


def energy(theta_1, theta_2, omega_1, omega_2):
    """Kinetic and potential energy of masses by their velocities and heights, J; the rod as three of them (Gauss)."""

    def point(length, mass, with_link=0.0):
        x = length * np.exp(1j * theta_1) + with_link * np.exp(1j * theta_2)
        v = 1j * (length * omega_1 * np.exp(1j * theta_1) + with_link * omega_2 * np.exp(1j * theta_2))
        return 0.5 * mass * abs(v) ** 2 + mass * 9.81 * x.imag

    nodes, weights = np.polynomial.legendre.leggauss(3)
    rod = sum(point(0.5 * (1.0 + node), 100.0 * weight) for node, weight in zip(nodes, weights, strict=True))
    return rod + point(1.0, 250.0) + point(1.0, 100.0, with_link=0.5)


def test_cosim_arm_gains_what_its_cylinder_gives():
    """dE/dt = f ṡ at random states, E from point masses: a second formulation of the mechanics."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        y = np.array([*rng.uniform(0.2, 1.0, 1), *rng.uniform(-3.0, 3.0, 3), *rng.uniform(2e6, 5e6, 2)])
        rates = np.array(cosim_arm.rates(y, 0.45))
        ahead, behind = ((y + side * 1e-6 * rates)[:4] for side in (1.0, -1.0))
        gain = (energy(*ahead) - energy(*behind)) / 2e-6
        s = cosim_arm.length(y[0])
        sdot = np.sqrt(3.0) / 4.0 * np.sin(y[0]) / s * y[2]
        power = ((y[5] - y[4]) * cosim_arm.PISTON - cosim_arm.VISCOUS * sdot) * sdot
        assert gain == pytest.approx(power, rel=1e-7, abs=1e-3)
