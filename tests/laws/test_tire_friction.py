# SPDX-License-Identifier: BSD-3-Clause
"""Friction of a tire: convection against its closed form and against bristles along the patch, steady forces, slopes,
and the published lumped form.

Rank: closed form; bristles along the patch [Canudas de Wit 2003] integrated by SciPy.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from kernel_call import callable_kernel
from knuckleboom.laws.tire_convection import tire_convection, tire_convection_slopes
from knuckleboom.laws.tire_friction import tire_friction
from knuckleboom.laws.tire_friction_change import tire_friction_change, tire_published_change
from knuckleboom.laws.tire_published import tire_published

convection, friction, published = map(callable_kernel, (tire_convection, tire_friction, tire_published))
convection_slopes, change, published_change = map(
    callable_kernel, (tire_convection_slopes, tire_friction_change, tire_published_change)
)
PATCH, HOLD = 0.45, 0.2
NUMBERS = {
    "coulomb_1": 0.6, "coulomb_2": 0.5, "breakaway": 1.25, "stribeck": 2.0, "stiffness_1": 100.0, "stiffness_2": 60.0,
    "damping": 0.5, "viscous": 0.002, "patch": PATCH, "hold_speed": HOLD,
}  # fmt: skip
LUMPED = tuple(value for name, value in NUMBERS.items() if name not in ("patch", "hold_speed"))


def exact(x):
    """κ L: (1 − e⁻ˣ)/(1 − (1 − e⁻ˣ)/x), which is 2 at 0."""
    if x < 1e-3:
        return 2.0 - x / 3.0  # the rest of the series is below 1e-7
    part = -math.expm1(-x)
    return part / (1.0 - part / x)


@given(st.floats(-3.0, 4.5))
def test_convection_is_the_closed_form_to_four_digits(power):
    x, u = 10.0**power, 20.0 * HOLD  # fades by 6e-6 there

    assert convection(x * u / PATCH, u, PATCH, HOLD) * PATCH / u == pytest.approx(exact(x), rel=5e-4)


@given(st.floats(0.0, 10.0), st.floats(0.0, 1e3))
def test_convection_fades_with_the_fourth_power_of_speed(u, c):
    share = (u / HOLD) ** 4 / (1.0 + (u / HOLD) ** 4)

    assert share * u / PATCH * 0.999 <= convection(c, u, PATCH, HOLD) <= share * u / PATCH * 2.001


def rates(z1, z2, w1, w2, u):
    """ż of both directions."""
    return friction(w1, w2, u, z1, z2, *NUMBERS.values())[3]


def steady(w1, w2, u):
    """λ/N when the bends do not change: each direction has its own bend, by bisection."""
    z1, z2 = 0.0, 0.0
    for _ in range(60):
        z1 = brentq(lambda z, other=z2: rates(z, other, w1, w2, u)[0], -1.0, 1.0, xtol=1e-15)
        z2 = brentq(lambda z, other=z1: rates(other, z, w1, w2, u)[1], -1.0, 1.0, xtol=1e-15)
    return friction(w1, w2, u, z1, z2, *NUMBERS.values())[0]


def along_the_patch(w1, w2, u):
    """The same of bristles along the patch: z(ξ) = w/c (1 − e^(−c ξ/u)), summed up by quadrature."""
    v = math.hypot(w1, w2)
    rise = 1.0 + 0.25 * math.exp(-((v / 2.0) ** 2))
    mu = 0.6 * rise, 0.5 * rise
    m = math.hypot(mu[0] * w1, mu[1] * w2)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    xi = 0.5 * PATCH * (nodes + 1.0)
    found = []
    for w, mu_i, stiffness in ((w1, mu[0], 100.0), (w2, mu[1], 60.0)):
        c = stiffness * m / mu_i**2
        bend = w / c * -np.expm1(-c * xi / u)
        found.append(-(stiffness * np.sum(0.5 * weights * bend) + 0.002 * w))
    return found


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 1.5, 2.5])
@pytest.mark.parametrize("slip", [0.002, 0.01, 0.03, 0.1, 0.3, 1.0])
def test_steady_rolling_is_that_of_bristles_along_the_patch(slip, angle):
    u = 5.0
    w1, w2 = slip * u * math.cos(angle), slip * u * math.sin(angle)

    assert steady(w1, w2, u) == pytest.approx(along_the_patch(w1, w2, u), abs=6e-4)


def test_small_slip_is_half_the_stiffness_times_the_patch():
    s, u = 1e-4, 10.0

    assert steady(s * u, 0.0, u)[0] == pytest.approx(-(0.5 * 100.0 * PATCH * s), rel=5e-3)
    assert steady(0.0, s * u, u)[1] == pytest.approx(-(0.5 * 60.0 * PATCH * s), rel=5e-3)


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.2, math.pi / 2, 3.0])
def test_a_locked_wheel_slides_on_the_ellipse(angle):
    v = 3.0
    w1, w2 = v * math.cos(angle), v * math.sin(angle)
    force = steady(w1, w2, 0.0)

    rise = 1.0 + 0.25 * math.exp(-((v / 2.0) ** 2))
    own = force[0] + 0.002 * w1, force[1] + 0.002 * w2
    assert (own[0] / (0.6 * rise)) ** 2 + (own[1] / (0.5 * rise)) ** 2 == pytest.approx(1.0, rel=1e-9)
    assert own[0] * w1 <= 0.0 and own[1] * w2 <= 0.0


bends, slips, rolls = st.floats(-5e-3, 5e-3), st.floats(-2.0, 2.0), st.floats(0.0, 10.0)


@given(slips, slips, rolls, bends, bends)
def test_slopes_by_bend_are_differences_where_it_does_not_hold(w1, w2, u, z1, z2):
    """∂λ/∂z and −∂ż/∂z = c with c as it is: so exact where hold is 1, at 50 times its speed."""
    u += 10.0
    force, _, by_z, rate, c, _ = friction(w1, w2, u, z1, z2, *NUMBERS.values())
    h = 1e-7
    more = friction(w1, w2, u, z1 + h, z2 + h, *NUMBERS.values())
    for k in range(2):
        assert (more[0][k] - force[k]) / h == pytest.approx(by_z[k], rel=1e-4, abs=1e-4)
        assert (more[3][k] - rate[k]) / h == pytest.approx(-c[k], rel=1e-4, abs=1e-4)


def differenced(law, at, way, numbers, h):
    """Changes of λ/N and ż along a way, by central differences of order 4, together."""
    def by(f):
        one, other = (law(*(a + sign * f * h * d for a, d in zip(at, way, strict=True)), *numbers) for sign in (1, -1))
        return np.array([*one[0], *one[3]]) - [*other[0], *other[3]]

    return (8.0 * by(1.0) - by(2.0)) / (12.0 * h)


ways = st.tuples(*[st.floats(-1.0, 1.0)] * 5)


@given(slips, slips, st.floats(0.02, 10.0), bends, bends, ways)
def test_the_exact_change_is_that_of_differences(w1, w2, u, z1, z2, way):
    assume(math.hypot(w1, w2) > 0.02)  # |w| has a corner
    scaled = np.array(way) * (1.0, 1.0, 1.0, 1e-2, 1e-2)
    ours = np.ravel(change(w1, w2, u, z1, z2, *scaled, *NUMBERS.values()))
    found = differenced(friction, (w1, w2, u, z1, z2), scaled, NUMBERS.values(), 1e-5)

    np.testing.assert_allclose(ours, found, atol=1e-6 * max(1.0, np.abs(found).max()))


@given(slips, slips, bends, bends, ways)
def test_the_exact_change_of_the_published_law_is_that_of_differences(w1, w2, z1, z2, way):
    assume(math.hypot(w1, w2) > 0.02)
    scaled = np.array(way[:4]) * (1.0, 1.0, 1e-2, 1e-2)
    ours = np.ravel(published_change(w1, w2, z1, z2, *scaled, *LUMPED))
    found = differenced(published, (w1, w2, z1, z2), scaled, LUMPED, 1e-5)

    np.testing.assert_allclose(ours, found, atol=1e-6 * max(1.0, np.abs(found).max()))


@given(st.floats(0.05, 10.0), st.floats(0.0, 300.0))
def test_slopes_of_convection_are_differences(u, c):
    h = 1e-6
    by_c, by_u = convection_slopes(c, u, PATCH, HOLD)

    assert by_c == pytest.approx((convection(c + h, u, PATCH, HOLD) - convection(c, u, PATCH, HOLD)) / h, abs=1e-4)
    both = convection(c, u + h, PATCH, HOLD) - convection(c, u - h, PATCH, HOLD)
    assert by_u == pytest.approx(both / (2 * h), rel=1e-5, abs=1e-4)


def test_at_rest_the_change_is_finite():
    for law, at in ((change, 5), (published_change, 4)):
        numbers = NUMBERS.values() if at == 5 else LUMPED
        assert np.isfinite(law(*[0.0] * at, *[1.0] * at, *numbers)).all()


@given(slips, slips, rolls, bends, bends)
def test_what_follows_slip_is_between_none_and_all(w1, w2, u, z1, z2):
    _, by_w, _, _, c, follow = friction(w1, w2, u, z1, z2, *NUMBERS.values())

    assert all(0.0 <= one <= 1.0 for one in follow)
    assert all(one <= 0.0 for one in by_w) and all(one >= 0.0 for one in c)


@given(slips, slips, rolls, bends, bends)
def test_it_takes_energy(w1, w2, u, z1, z2):
    """−λ·w − ψ̇ ≥ 0 within the limit of the bends, as σ₁ φ v ≤ 4 μ."""
    assume(math.hypot(100.0 * z1 / 0.6, 60.0 * z2 / 0.5) <= 1.0)
    force, _, _, rate, _, _ = friction(w1, w2, u, z1, z2, *NUMBERS.values())

    stored = 100.0 * z1 * rate[0] + 60.0 * z2 * rate[1]
    assert -(force[0] * w1 + force[1] * w2) - stored >= -1e-12


def test_bends_are_held_at_standstill_and_when_it_rocks():
    for u in (0.0, 0.1 * HOLD):
        _, _, _, rate, c, _ = friction(1e-3, 0.0, u, 3e-3, 0.0, *NUMBERS.values())
        assert rate[0] == pytest.approx(1e-3, rel=2e-3)
        assert c[0] < 1e-4 * HOLD / 3e-3


# --- the published form -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("v", [1e-3, 0.1, 2.0, 5.0])
def test_published_steady_force_is_its_stribeck_curve_whatever_the_rolling(v):
    g = 0.6 + 0.15 * math.exp(-math.sqrt(v / 2.0))

    force, _, _, rate, _, _ = published(v, 0.0, g / 100.0, 0.0, *LUMPED)

    assert rate[0] == pytest.approx(0.0, abs=1e-12)
    assert force[0] == pytest.approx(-(g + 0.002 * v), rel=1e-12)


def test_published_bends_follow_the_equation():
    z, v = 2e-3, 0.4
    g = 0.6 + 0.15 * math.exp(-math.sqrt(v / 2.0))

    force, _, _, rate, _, _ = published(-v, 0.0, z, 0.0, *LUMPED)

    assert rate[0] == pytest.approx(-v - 100.0 * v * z / g, rel=1e-12)
    assert force[0] == pytest.approx(-(100.0 * z + 0.5 * rate[0] - 0.002 * v), rel=1e-12)
