# SPDX-License-Identifier: BSD-3-Clause
"""The references themselves, each checked by a second route: another integrator, a conserved quantity, a known limit.

Rank on the ladder: closed form where there is one, otherwise a second formulation. These tests do not run the
simulator; they are the ground the other validations stand on. Tolerances are the tolerances asked of SciPy, times the
growth of errors.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from knuckleboom.bench.references import naya_rod
from references import double_pendulum, free_body, linkages, oil, pendulum, signals, universal


@pytest.mark.parametrize("degrees", [10.0, 90.0, 170.0])
def test_pendulum_against_its_equation(degrees):
    """Elliptic functions against θ̈ = −ω² sin θ by SciPy; 1e-9 is rtol 1e-12 grown over one period near the top."""
    omega, amplitude = 3.0, np.radians(degrees)
    time = np.linspace(0.0, pendulum.period(amplitude, omega), 200)
    done = solve_ivp(
        lambda _, y: [y[1], -(omega**2) * np.sin(y[0])],
        (0.0, time[-1]),
        [amplitude, 0.0],
        method="DOP853",
        t_eval=time,
        rtol=1e-12,
        atol=1e-13,
    )
    assert pendulum.angle(time, amplitude, omega) == pytest.approx(done.y[0], abs=1e-9)


def test_small_pendulum_period_is_the_harmonic_one():
    """T = (2π/ω)(1 + θ₀²/16 + 11 θ₀⁴/3072 + …): at 0.01 rad the series is exact to 1e-13."""
    series = 2.0 * np.pi / 3.0 * (1.0 + 0.01**2 / 16.0 + 11.0 * 0.01**4 / 3072.0)
    assert pendulum.period(0.01, 3.0) == pytest.approx(series, rel=1e-12)


def test_free_body_closed_form_against_euler_equations():
    """Jacobi functions against Euler's equations by SciPy (rtol 1e-12, disturbance grows by 1/0.05)."""
    inertia, start = (1.0, 2.0, 3.0), np.array([0.0, 5.0, 0.25])
    time = np.linspace(0.0, 1.2 * free_body.half_turn_time(inertia, 5.0, 0.25), 300)
    omega, quaternion = free_body.by_scipy(time, inertia, start)
    assert free_body.from_middle_axis(time, inertia, 5.0, 0.25) == pytest.approx(omega, abs=1e-9)

    # angular momentum in the world is constant, which checks the quaternions
    momentum = np.einsum("nij,nj->ni", signals.rotation(quaternion), omega * np.array(inertia))
    assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-9)


def test_double_pendulum_conserves_energy_and_agrees_between_integrators():
    """DOP853 against Radau (rtol 1e-12 both) and against energy: 1e-9 after growth over 2 s."""
    model = double_pendulum.DoublePendulum()
    time = np.linspace(0.0, 2.0, 101)
    first = model.solve(time, (1.5, 2.5, 0.0, 0.0))
    energy = model.energy(first)
    assert energy == pytest.approx(np.full_like(energy, energy[0]), abs=1e-9)
    assert model.solve(time[:26], (1.5, 2.5, 0.0, 0.0), method="Radau")[:, -1] == pytest.approx(first[:, 25], abs=1e-8)


def test_double_pendulum_small_modes():
    """Small swings follow the eigenfrequencies of the linear problem: initial accelerations are −M⁻¹K φ."""
    model = double_pendulum.DoublePendulum()
    mass = np.array([[model.j1 + model.m1 * model.c1**2 + model.m2 * model.l1**2, model.m2 * model.l1 * model.c2]])
    mass = np.vstack([mass, [mass[0, 1], model.j2 + model.m2 * model.c2**2]])
    stiff = model.g * np.diag([model.m1 * model.c1 + model.m2 * model.l1, model.m2 * model.c2])
    small = np.array([1e-6, -2e-6])
    assert model.rates(0.0, np.array([*small, 0, 0]))[2:] == pytest.approx(
        -np.linalg.solve(mass, stiff @ small), rel=1e-9
    )


@pytest.mark.parametrize("linkage", [linkages.SliderCrank(), linkages.FourBar()], ids=["slider-crank", "four-bar"])
def test_linkage_ratios_and_time(linkage):
    """Velocity ratios against central differences of the positions (1e-9 at step 1e-6 rad); time by two integrators."""
    theta, step = np.linspace(0.0, 2.0 * np.pi, 50), 1e-6
    if isinstance(linkage, linkages.SliderCrank):
        slope = (linkage.travel(theta + step) - linkage.travel(theta - step)) / (2.0 * step)
        assert linkage.travel_ratio(theta) == pytest.approx(slope, abs=1e-9)
    else:
        ahead, behind = linkage.angles(theta + step), linkage.angles(theta - step)
        for ratio, high, low in zip(linkage.ratios(theta), ahead, behind, strict=True):
            assert ratio == pytest.approx((high - low) / (2.0 * step), abs=1e-8)
        # the loop closes
        phi, psi = linkage.angles(theta)
        gap = linkage.a * np.exp(1j * theta) + linkage.b * np.exp(1j * phi) - linkage.d - linkage.c * np.exp(1j * psi)
        assert np.abs(gap).max() < 1e-14
    time = linkage.time(theta[1:], 0.0, 15.0)
    assert linkage.time(theta[1:], 0.0, 15.0, method="RK45") == pytest.approx(time, abs=1e-11)
    # quadrature of dt = dθ/θ̇ inverts to the motion of the energy equation
    assert np.all(np.diff(time) > 0.0)


def test_universal_conserves_energy():
    """Total energy of the reference stays within 1e-9 of itself; it contains every term of the equations."""
    mass, length, inertia, gravity = 2.0, 0.4, (0.1, 0.5, 0.45), (0.0, 0.0, -9.81)
    time = np.linspace(0.0, 2.0, 101)
    q1, q2, v1, v2 = universal.solve(
        time, (0.3, -0.5, 2.0, 1.0), mass=mass, length=length, inertia=inertia, gravity=gravity
    )
    ix, iy, iz = inertia
    kinetic = 0.5 * (ix * np.sin(q2) ** 2 + iz * np.cos(q2) ** 2) * v1**2 + 0.5 * iy * v2**2
    total = kinetic + mass * 9.81 * length * -np.sin(q2)
    assert total == pytest.approx(np.full_like(total, total[0]), abs=1e-9)


def test_oil_strain_and_pressure_are_inverse_and_bulk_is_their_slope():
    """p(e(p)) = p to rounding; dp/de by central difference equals β(p) to 1e-7."""
    fluid, p = oil.NayaOil(), np.array([1e5, 3.3e6, 2.1e7])
    assert fluid.pressure(fluid.strain(p)) == pytest.approx(p, rel=1e-12)
    slope = 2e3 / (fluid.strain(p + 1e3) - fluid.strain(p - 1e3))
    assert slope == pytest.approx(fluid.bulk(p), rel=1e-7)


def test_discharge_time_against_its_equation():
    """Quadrature against ė = −k√Δp/V by SciPy; both at 1e-12."""
    fluid, k, volume = oil.NayaOil(), oil.orifice_constant(2e-7, 850.0), 2e-3
    time = oil.discharge_time(50e5, 200e5, 1e5, volume, k, fluid)
    done = solve_ivp(
        lambda _, e: [-k / volume * np.sqrt(fluid.pressure(e[0]) - 1e5)],
        (0.0, time),
        [fluid.strain(200e5)],
        method="DOP853",
        rtol=1e-12,
        atol=1e-15,
    )
    assert fluid.pressure(done.y[0, -1]) == pytest.approx(50e5, rel=1e-9)


def test_locked_piston_period_tends_to_small_frequency():
    """The quadrature goes to 2π/ω as the motion vanishes (difference ∝ amplitude²), and matches SciPy at finite
    speed.
    """
    a, b, amb = 3.117e-3, 2.155e-3, 1.01325e5
    p_b = (50e5 * a - amb * (a - b)) / b
    piston = oil.LockedPiston(500.0, a, b, 1.2e-3, 0.9e-3, 50e5, p_b, -amb * (a - b), oil.NayaOil())
    assert piston.period(1e-3) == pytest.approx(2.0 * np.pi / piston.small_frequency(), rel=1e-6)

    period = piston.period(0.2)
    done = solve_ivp(
        lambda _, y: [y[1], piston.net_force(y[0]) / 500.0],
        (0.0, period),
        [0.0, 0.2],
        method="DOP853",
        rtol=1e-12,
        atol=1e-15,
    )
    assert done.y[0, -1] == pytest.approx(0.0, abs=1e-10)


@pytest.mark.slow
def test_naya_rod_by_two_integrators():
    """Radau against DOP853, rtol 1e-10: s to 1e-9 m, pressures to 1e-6; it is the reference for 1e-6 m and 1e-4."""
    radau, explicit = naya_rod.solve("Radau"), naya_rod.solve("DOP853")
    assert radau["s"] == pytest.approx(explicit["s"], abs=1e-9)
    assert radau["p1"] == pytest.approx(explicit["p1"], rel=1e-6)
    assert radau["p2"] == pytest.approx(explicit["p2"], rel=1e-6)


def test_naya_rod_starts_in_equilibrium():
    """Eq. (32): all rates vanish at κ₀ (to rounding of terms of 1e12 Pa/s); s₀ = 0.5 m."""
    p1, p2, kappa = naya_rod.equilibrium()
    rates = np.array(naya_rod.rates(naya_rod.start(), kappa, True, 0.0))
    assert rates[:2] == pytest.approx(np.zeros(2), abs=1e-12)
    assert rates[2:] == pytest.approx(np.zeros(2), abs=1e-3)
    assert naya_rod.length(np.pi / 6.0) == pytest.approx(0.5, abs=1e-15)
