# SPDX-License-Identifier: BSD-3-Clause
"""Amplification matrices of co-simulation (``references/cosimulation.py``), checked by closed forms.

Rank on the ladder: closed form for limits of H, for what is conserved, and for the eigenvalues e^{μH} to which every
scheme tends; equality of schemes that are the same by definition. With Ω = (ωH)², ω² = k_oil/m, no spring, no leakage
and no damping, hydraulics first, the end force handed and q⁺ = q + H v⁺, the integral Σ b_i v_{k−i} of the course gives

    (z − 1)² z + Ω Σ b_i z^{2−i} = 0

whose root leaves the circle at z = −1: Ω = 4/(b_0 − b_1 + b_2). The tolerance 1e-9 of the radius moves a limit by 1e-9
over the slope of the radius, 1e-6 of it and less.
"""

import numpy as np
import pytest

from references.cosimulation import (
    STATES,
    Oscillator,
    Scheme,
    every_scheme,
    limit,
    macro_step,
    multipliers,
    radius,
)

BALANCES = ("carried", "staggered", "none")
FREE = Oscillator(1.0)
DAMPED = Oscillator(2.0, spring=30.0, damping=0.7, area=0.1, volume=0.3, bulk=4000.0, leak=1e-5, rubbing=0.4)


@pytest.mark.parametrize(
    ("course", "mechanics", "balance", "exact"),
    [
        ("hold", "semi-implicit-euler", "none", 2.0),
        ("hold", "semi-implicit-euler", "carried", 2.0 / np.sqrt(3.0)),
        ("hold", "semi-implicit-euler", "staggered", np.sqrt(2.0)),
        ("hold", "trapezoidal", "carried", np.sqrt(2.0)),
        ("linear", "semi-implicit-euler", "none", np.sqrt(2.0)),
        ("linear", "trapezoidal", "none", np.sqrt(2.0)),
        ("quadratic", "semi-implicit-euler", "none", np.sqrt(12.0 / 11.0)),
    ],
)
def test_power_first_without_damping(course, mechanics, balance, exact):
    """b = 1; 2, −1 (carried); 3/2, −1/2 (staggered, linear); 23/12, −16/12, 5/12 (quadratic: Adams-Bashforth)."""
    found = limit(Scheme("power-first", course, "end", mechanics, "rk4", balance=balance), FREE)
    assert found.step == pytest.approx(exact, rel=1e-6)
    assert not found.never


@pytest.mark.parametrize("power", ["euler", "rk4", "trapezoidal", "lie"])
def test_parallel_lives_on_damping(power):
    """Both sides from the exchange at t: z² − (2 − cH/m) z + 1 − cH/m + Ω has |z| ≤ 1 up to H = c/k_oil."""
    found = limit(Scheme("jacobi", "hold", "end", power=power, balance="none"), Oscillator(1.0, damping=0.1))
    assert found.step == pytest.approx(0.1, rel=1e-6)
    assert limit(Scheme("jacobi", "hold", "end", power=power, balance="none"), FREE).never


def test_parallel_is_explicit_euler():
    """Without damping its radius is √(1 + Ω) at every step, so that the limit is 0 and says so."""
    scheme = Scheme("jacobi", "hold", "end", balance="none")
    for H in (0.01, 0.1, 1.0):
        assert radius(scheme, FREE, H) == pytest.approx(np.sqrt(1.0 + H * H), rel=1e-12)
    assert limit(scheme, FREE).step == 0.0
    assert limit(scheme, FREE).never


@pytest.mark.parametrize("interface", ["force-displacement", "pressure-displacement"])
@pytest.mark.parametrize("balance", BALANCES)
def test_every_scheme_tends_to_the_equations(balance, interface):
    """The eigenvalues of one step are e^{μH} to O(H²) of the motion: a quarter at half the step, for all 240."""
    steps, exact = (2e-5, 1e-5), DAMPED.roots()
    for scheme in every_scheme(3, interface, balance):
        errors = []
        for H in steps:
            found = multipliers(scheme, DAMPED, H)
            errors.append(max(np.abs(found - np.exp(root * H)).min() for root in exact))
        assert errors[0] < 5.0 * (np.abs(exact).max() * steps[0]) ** 2, scheme
        assert errors[1] < 0.3 * errors[0] + 1e-11, scheme


@pytest.mark.parametrize("balance", ["carried", "staggered"])
def test_balance_of_oil(balance):
    """Without leakage p − κ (q − e) is conserved, κ = βA/V, e what is carried; staggered it is q − ½H v − e.

    So A Δs = ∫A w to one macro step's remainder over any number of steps: a left eigenvector of 1, to rounding.
    """
    closed = Oscillator(2.0, spring=30.0, damping=0.7, area=0.1, volume=0.3, bulk=4000.0, rubbing=0.4)
    H, kappa = 0.02, closed.bulk * closed.area / closed.volume
    half = 0.5 * H if balance == "staggered" else 0.0
    kept = np.array([kappa, -kappa * half, -1.0, 0.0, 0.0, 0.0, -kappa])
    for scheme in every_scheme(4, balance=balance):
        step = macro_step(scheme, closed, H)
        assert kept @ step == pytest.approx(kept, abs=1e-11 * np.abs(step).max() * kappa), scheme


@pytest.mark.parametrize("course", ["hold", "reduced"])
def test_mechanics_first_without_looking_ahead_is_parallel(course):
    """With w held at w(t), or reduced from there, nothing of the mechanics' step reaches the power side."""
    for handed in ("end", "mean"):
        first, parallel = (
            macro_step(Scheme(order, course, handed, balance="none"), DAMPED, 0.01)
            for order in ("mechanics-first", "jacobi")
        )
        assert first == pytest.approx(parallel, rel=1e-14, abs=1e-14)


def test_mechanics_first_hold_has_the_published_rate():
    """With the balance, w held after the mechanics is Δs/H whatever was held: [Naya 2011, eq. 40] without iteration."""
    closed = Oscillator(2.0, spring=30.0, damping=0.7, area=0.1, volume=0.3, bulk=4000.0)
    step = macro_step(Scheme("mechanics-first", "hold", "end", power="euler"), closed, 0.02)
    travel = step[0] - np.eye(STATES)[0]
    kappa = closed.bulk * closed.area / closed.volume
    # what is carried stays zero, and p moves by κ Δs
    assert step[6] == pytest.approx(np.zeros(STATES), abs=1e-13)
    assert (step[2] - np.eye(STATES)[2])[:6] == pytest.approx(kappa * travel[:6], rel=1e-12, abs=1e-12)


def test_friction_of_the_cylinder_on_either_side():
    """Held w, hydraulics first, no balance: the friction is −r w(t) on both sides, and the steps are the same."""
    scheme = Scheme("power-first", "hold", "end", balance="none")
    other = Scheme("power-first", "hold", "end", balance="none", interface="pressure-displacement")
    first, second = (macro_step(one, DAMPED, 0.003) for one in (scheme, other))
    rows = [0, 1, 2, 3, 4, 6]
    assert first[rows] == pytest.approx(second[rows], rel=1e-12, abs=1e-12)


def test_neutral_eigenvalue_is_taken_out():
    """A free mass drifts, and a spring against tight oil rests anywhere: eigenvalue 1, which is no growth."""
    tight = Oscillator(2.0, spring=30.0, damping=0.7, area=0.1, volume=0.3, bulk=4000.0)
    for osc in (FREE, tight):
        for scheme in every_scheme(2):
            whole = np.linalg.eigvals(macro_step(scheme, osc, 1e-3) * osc.units() / osc.units()[:, None])
            rest = multipliers(scheme, osc, 1e-3)
            assert len(rest) == STATES - 1
            assert np.abs(whole - 1.0).min() < 1e-10
            assert np.abs(rest - 1.0).min() > 1e-6
            # the others are those of the whole
            for value in rest[np.abs(rest) > 0.1]:
                assert np.abs(whole - value).min() < 1e-8


def test_limit_is_where_stability_ends():
    """Just inside of every window it is stable, just outside it is not."""
    several = 0
    for order, course, handed, mechanics in (
        ("jacobi", "linear", "end", "semi-implicit-euler"),
        ("power-first", "reduced", "mean", "semi-implicit-euler"),
        ("power-first", "reduced", "mean", "trapezoidal"),
        ("mechanics-first", "linear", "end", "semi-implicit-euler"),
    ):
        scheme = Scheme(order, course, handed, mechanics, "rk4", micro=10)
        light = Oscillator(1.0, spring=0.2, damping=0.02, leak=0.002)
        found = limit(scheme, light, beyond=1.0)
        several += found.several
        assert found.step > 0.0
        for low, high in found.windows:
            if low > 0.0:
                assert radius(scheme, light, 0.9999 * low) > 1.0
                assert radius(scheme, light, 1.0001 * low) < 1.0
            if np.isfinite(high):
                assert radius(scheme, light, 0.9999 * high) < 1.0
                assert radius(scheme, light, 1.0001 * high) > 1.0
    assert several


def test_reduced_course_has_no_limit():
    """Hydraulics first, end force, linearly implicit oil: stable at all steps tried without any damping."""
    for balance in ("none", "staggered"):
        found = limit(Scheme("power-first", "reduced", "end", power="lie", balance=balance), FREE)
        assert found.step == np.inf


def test_wrong_words_are_refused():
    with pytest.raises(ValueError, match="order is 'gauss', must be one of jacobi, power-first, mechanics-first"):
        Scheme("gauss", "hold", "end")
    with pytest.raises(ValueError, match="micro is 0, must be 1 or more"):
        Scheme("jacobi", "hold", "end", micro=0)
