# SPDX-License-Identifier: BSD-3-Clause
"""Bristle friction: Stribeck curve, presliding stiffness, slopes, static band, and that it never makes energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from kernel_call import callable_kernel
from knuckleboom.laws.bristle import bristle, energy_bristle, sliding_force, static_band

law = callable_kernel(bristle)
sliding = callable_kernel(sliding_force)
band = callable_kernel(static_band)
energy = callable_kernel(energy_bristle)

FC, FS, WS, S0, S1, S2 = 210.0, 830.0, 1.2e-2, 5.8e6, 2.5e3, 330.0  # N, N, m/s, N/m, N·s/m, N·s/m
HOLD = 4e-3  # m/s
LUGRE, NUMBERS = (FC, FS, WS, S0, S1, S2, 0.0), (FC, FS, WS, S0, S1, S2, HOLD)
both = pytest.mark.parametrize("numbers", [pytest.param(LUGRE, id="LuGre"), pytest.param(NUMBERS, id="hold")])
LIMIT = 4.0 * math.sqrt(2.0 * math.e) * FC / WS  # N·s/m: the largest damping that is passive for sure
speeds = st.floats(-6.0, 0.5).map(lambda power: 10.0**power) | st.floats(-6.0, 0.5).map(lambda power: -(10.0**power))
bends = st.floats(-1.0, 1.0).map(lambda part: part * FS / S0)


@pytest.mark.slow
@both
@given(speeds)
def test_steady_sliding_follows_the_stribeck_curve(numbers, w):
    g = FC + (FS - FC) * math.exp(-((w / WS) ** 2))
    z = math.copysign(g / S0, w)

    force, _, _, z_dot, z_dot_z, _ = law(z, w, *numbers)

    assert z_dot == pytest.approx(0.0, abs=4e-16 * abs(w)) and z_dot_z < 0.0  # a state of rest, and a stable one
    assert force == pytest.approx(-math.copysign(g, w) - S2 * w, rel=1e-14)
    assert sliding(w, FC, FS, WS, S2) == pytest.approx(force, rel=1e-14)


def test_far_from_the_stribeck_speed_it_is_coulomb_and_viscous_friction():
    assert sliding(1.0, FC, FS, WS, S2) == -FC - S2
    assert sliding(-1e-9, FC, FS, WS, 0.0) == pytest.approx(FS, rel=1e-12)
    assert sliding(0.0, FC, FS, WS, S2) == 0.0


@pytest.mark.slow
@given(speeds, st.floats(0.0, 30.0))
def test_pulled_steadily_from_rest_it_bends_as_in_closed_form(w, ways):
    """z = g/σ₀·(1 − exp(−σ₀|x|/g)) after the way x, so ż = w·exp(−σ₀|x|/g): first a spring, then slip."""
    g = FC + (FS - FC) * math.exp(-((w / WS) ** 2))
    z = -math.copysign(g / S0, w) * math.expm1(-ways)

    assert law(z, w, *LUGRE)[3] == pytest.approx(w * math.exp(-ways), abs=4e-16 * abs(w))


@both
def test_small_motions_meet_a_spring(numbers):
    assert law(0.0, 0.0, *numbers)[1] == -S0


@given(bends, speeds)
def test_slopes_are_derivatives(z, w):
    h_z, h_w = 1e-6 * FS / S0, 1e-5 * min(abs(w), WS)
    by_z = (np.array(law(z + h_z, w, *LUGRE)) - law(z - h_z, w, *LUGRE)) / (2.0 * h_z)
    by_w = (np.array(law(z, w + h_w, *LUGRE)) - law(z, w - h_w, *LUGRE)) / (2.0 * h_w)

    force, force_z, force_w, z_dot, z_dot_z, z_dot_w = law(z, w, *LUGRE)

    # linear in z: rounding only; in w the third derivative times (1e-5)², and eps/1e-5 of the largest term
    rounding_z, rounding_w = 1e-15 * FS / h_z, 1e-15 * (FS + S1 * WS + S2 * abs(w)) / h_w
    assert force_z == pytest.approx(by_z[0], rel=1e-9, abs=4.0 * rounding_z + 1e-9 * S1 * abs(z_dot_z))
    assert z_dot_z == pytest.approx(by_z[3], rel=1e-8)
    assert force_w == pytest.approx(by_w[0], rel=1e-8, abs=rounding_w + 1e-8 * (S1 + S2))
    assert z_dot_w == pytest.approx(by_w[3], rel=1e-8, abs=1e-8 * (1.0 + FS / FC))


@given(bends, speeds)
def test_slopes_with_hold_are_derivatives(z, w):
    """Away from the two bends at which the curvature of the smooth step jumps."""
    g = FC + (FS - FC) * math.exp(-((w / WS) ** 2))
    assume(all(abs(S0 * abs(z) / g - corner) > 1e-4 for corner in (0.9, 1.0)))
    h_z, h_w = 1e-6 * g / S0, 1e-6 * min(abs(w), WS)
    by_z = (np.array(law(z + h_z, w, *NUMBERS)) - law(z - h_z, w, *NUMBERS)) / (2.0 * h_z)
    by_w = (np.array(law(z, w + h_w, *NUMBERS)) - law(z, w - h_w, *NUMBERS)) / (2.0 * h_w)

    _, force_z, force_w, z_dot, z_dot_z, z_dot_w = law(z, w, *NUMBERS)

    # rounding is eps/1e-6 of the largest term, the third derivative of S 12/0.1³ times (1e-6)²/6
    steep = (1.0 + FS / FC) * 1e-8
    assert z_dot_z == pytest.approx(by_z[3], rel=1e-8, abs=steep * abs(w) * S0 / g)
    assert force_z == pytest.approx(by_z[0], rel=1e-8, abs=steep * (S0 + S1 * abs(w) * S0 / g))
    assert z_dot_w == pytest.approx(by_w[3], rel=1e-8, abs=10.0 * steep)
    rounding = 1e-15 * (FS + S1 * WS + S2 * abs(w)) / h_w
    assert force_w == pytest.approx(by_w[0], rel=1e-8, abs=rounding + 10.0 * steep * (S1 + S2))


@both
@given(bends)
def test_at_rest_the_slope_is_the_mean_of_both_sides(numbers, z):
    below, at, above = (np.array(law(z, w, *numbers)) for w in (-1e-15, 0.0, 1e-15))

    assert at == pytest.approx((below + above) / 2.0, rel=1e-9, abs=1e-9)


@both
@given(bends)
def test_everything_within_the_static_band_rests(numbers, z):
    force, _, _, z_dot, _, _ = law(z, 0.0, *numbers)

    assert z_dot == 0.0
    assert band(force, FS, S0) == pytest.approx((z, 0.0), rel=1e-15)


@given(st.floats(1.0, 50.0))
def test_what_is_beyond_the_static_band_is_not_held(times):
    z, left = band(-times * FS, FS, S0)

    assert (z, left) == pytest.approx((FS / S0, -(times - 1.0) * FS), abs=1e-11 * FS)


@both
@given(bends, speeds, st.floats(0.0, 1.0))
def test_it_loses_energy_at_every_bend_and_speed(numbers, z, w, part):
    """−λ w − d(σ₀ z²/2)/dt ≥ 0 up to the damping of the card, also without viscous friction."""
    force, _, _, z_dot, _, _ = law(z, w, FC, FS, WS, S0, part * LIMIT, 0.0, numbers[-1])
    given_in, stored = -force * w, S0 * z * z_dot

    assert given_in - stored >= -1e-14 * (abs(given_in) + abs(stored) + abs(force * w))


def test_a_constant_damping_would_make_energy_at_speed():
    """What the fading is for: the same damping without it gives more than it takes."""
    w, z = 2.0, FC / S0 / 2.0
    _, _, _, z_dot, _, _ = law(z, w, FC, FS, WS, S0, 0.0, 0.0, 0.0)
    damping = 0.9 * LIMIT

    assert (S0 * z + damping * z_dot) * w - S0 * z * z_dot > 0.0  # at half the bend it does not yet
    z = 3.0 * FC / S0
    _, _, _, z_dot, _, _ = law(z, w, FC, FS, WS, S0, 0.0, 0.0, 0.0)
    assert (S0 * z + damping * z_dot) * w - S0 * z * z_dot < 0.0


@both
@pytest.mark.parametrize("amplitude", [0.3, 1.0, 5.0, 300.0])
@pytest.mark.parametrize("frequency", [0.1, 10.0])
def test_a_cycle_takes_energy(numbers, amplitude, frequency):
    """To and fro by some bends of F_s/σ₀: a cycle takes the area of its loop, and what stays bent."""
    reach, omega = amplitude * FS / S0, 2.0 * math.pi * frequency

    def rates(t, y):
        w = reach * omega * math.cos(omega * t)
        force, _, _, z_dot, _, _ = law(y[0], w, *numbers)
        return [z_dot, -force * w]

    run = solve_ivp(rates, (0.0, 1.0 / frequency), [0.0, 0.0], method="LSODA", rtol=1e-8, atol=1e-12)

    work, stored = run.y[1, -1], energy(run.y[0, -1], S0)
    assert work > stored >= 0.0


@both
@given(st.floats(-1e3, 1e3), st.floats(-1.0, 1.0))
def test_numbers_stay_finite_far_outside(numbers, w, z):
    assert np.isfinite(law(z, w, *numbers)).all()


@both
def test_nothing_bends_nothing_moves(numbers):
    at_rest = law(0.0, 0.0, *numbers)

    assert at_rest == (0.0, -S0, -(S1 + S2), 0.0, 0.0, 1.0)
