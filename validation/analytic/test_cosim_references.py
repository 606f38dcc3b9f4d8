# SPDX-License-Identifier: BSD-3-Clause
"""The references of the co-simulation machines, each by a second route: another integrator, energy, equilibrium.

Rank on the ladder: closed form where there is one, otherwise a second formulation. These tests do not run the
simulator. Tolerances: 1e-11 m or rad and 1 Pa for two integrators at rtol 1e-10; 1e-7 of the power for energy, which
is what central differences of 1e-6 s leave.
"""

import numpy as np
import pytest

from knuckleboom.bench.references import cosim_arm, peiret_arm


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


@pytest.mark.slow
def test_peiret_arm_by_two_integrators():
    radau, explicit = peiret_arm.solve(), peiret_arm.solve(method="DOP853")
    for name, tolerance in (("theta1", 1e-11), ("theta2", 1e-11), ("p1a", 1.0), ("p1b", 1.0), ("p2a", 1.0)):
        assert radau[name] == pytest.approx(explicit[name], abs=tolerance), name


@pytest.mark.parametrize("arm", [peiret_arm.Arm(), peiret_arm.Arm(1e5, 15.0, 2e-5)])
def test_peiret_arm_starts_at_rest(arm):
    assert arm.rates(arm.start(), (0.0, 0.0)) == pytest.approx(np.zeros(8), abs=1e-12)


def peiret_energy(theta, omega, mass):
    """Kinetic and potential energy of both links, each as three masses by their velocities and heights, J."""
    turn = np.exp(1j * theta)
    total = 0.0
    for node, weight in zip(*np.polynomial.legendre.leggauss(3), strict=True):
        along, share = 0.5 * (1.0 + node), 0.5 * weight
        for arms, m in (((2.5 * along, 0.0), 300.0 * share), ((2.5, 1.5 * along), mass * share)):
            x = sum(arm * direction for arm, direction in zip(arms, turn, strict=True))
            v = sum(1j * arm * w * direction for arm, w, direction in zip(arms, omega, turn, strict=True))
            total += 0.5 * m * abs(v) ** 2 + m * 9.81 * x.imag
    return total


def test_peiret_arm_gains_what_its_cylinders_give():
    """dE/dt = Σ f ṡ at random states, with ṡ from differences of the distances of the pins."""
    rng, arm = np.random.default_rng(2), peiret_arm.Arm(outer_mass=60.0)
    areas = np.array([peiret_arm.AREAS_A, peiret_arm.AREAS_B]).T
    for _ in range(20):
        y = np.concatenate([rng.uniform(0.2, 1.0, 1), rng.uniform(-1.5, -0.5, 1), rng.uniform(-1, 1, 2),
                            rng.uniform(2e6, 2e7, 4)])  # fmt: skip
        rates = arm.rates(y, (0.3, -0.5))
        ahead, behind = (y + side * 1e-6 * rates for side in (1.0, -1.0))
        gain = (peiret_energy(ahead[:2], ahead[2:4], 60.0) - peiret_energy(behind[:2], behind[2:4], 60.0)) / 2e-6
        sdot = (peiret_arm.lengths(*ahead[:2])[0] - peiret_arm.lengths(*behind[:2])[0]) / 2e-6
        forces = (y[4:].reshape(2, 2) * areas) @ (1.0, -1.0) - 101325.0 * (areas @ (1.0, -1.0)) - 3000.0 * sdot
        assert gain == pytest.approx(float(forces @ sdot), rel=1e-6, abs=1e-2)


def test_peiret_arm_keeps_its_oil():
    """Shut valves: V ṗ/β + V̇ = 0 in every chamber, V from the pins' distance; a second route to the rates of oil."""
    arm, y = peiret_arm.Arm(), peiret_arm.Arm().start()
    y[2:4] = 0.3, -0.7
    rates = arm.rates(y, (0.0, 0.0))
    moved = [peiret_arm.lengths(*(y[:2] + side * 1e-6 * y[2:4]))[0] for side in (1.0, -1.0)]
    for one in range(2):
        for chamber, (area, empty) in enumerate(
            ((peiret_arm.AREAS_A[one], peiret_arm.CLOSED[one]),
             (-peiret_arm.AREAS_B[one], peiret_arm.CLOSED[one] + peiret_arm.STROKE))
        ):  # fmt: skip
            volumes = [1e-4 + area * (s[one] - empty) for s in moved]
            compressed = 0.5 * sum(volumes) * rates[4 + 2 * one + chamber] / 1.4e9
            assert compressed == pytest.approx(-(volumes[0] - volumes[1]) / 2e-6, rel=1e-7)
