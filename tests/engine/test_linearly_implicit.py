# SPDX-License-Identifier: BSD-3-Clause
"""Linearly implicit methods: conditions of tableaux, damping, and order on machines, with slopes right and wrong.

Conditions and R(∞) are worked out here from the k-form, the tableau files hold the u-form. This file is also the
program that a second process runs with NUMBA_DISABLE_JIT=1, where slopes of the tangent can be multiplied by anything.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb
from engine.linear_steps import balls, crane, driven, four_bar, geared, k_form, naya_rod, pendulum, run
from knuckleboom.engine import run as engine_run
from knuckleboom.engine.run import INTEGRATORS
from knuckleboom.interface import coupling
from plain_python import answers_of

METHODS = ("fw2", "lim", "lie")

# --- tableaux ---------------------------------------------------------------------------------------------------------

PRINTED = {
    "alpha31": 2.0 / 3.0 - 0.615, "alpha32": 0.615, "gamma21": 0.1855, "gamma31": 0.5198849586702607,
    "gamma32": -0.4034762920035942, "b": (1.753, -1.503, 0.75),
}  # fmt: skip
"""FW2 in k-form, as the study on the real-time step prints it."""

SLOPES = (0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
DAMPING = {
    "lie": (-1.00, -0.43, -0.25, -0.11, 0.0, 0.09, 0.20, 0.33, 0.50, 0.67, 0.80),
    "lim": (10.7, 3.1, 1.6, 0.61, 0.0, -0.39, -0.73, -0.96, -0.96, -0.63, -0.13),
    "fw2": (1.9, 0.46, 0.20, 0.07, 0.0, -0.03, -0.03, 0.01, 0.14, 0.34, 0.57),
}
"""R(∞) where the matrix has c times the true slope, for the c of SLOPES: the table of the study, §3."""


@pytest.mark.parametrize("name", METHODS)
class TestEveryTableau:
    def test_conditions_of_order_two_hold_for_any_tangent(self, name):
        alpha, Gamma, b = k_form(INTEGRATORS[name])

        assert b.sum() == pytest.approx(1.0, abs=1e-13)
        if INTEGRATORS[name].ORDER == 2:
            assert b @ alpha.sum(axis=1) == pytest.approx(0.5, abs=1e-13)
            assert b @ Gamma.sum(axis=1) == pytest.approx(0.0, abs=1e-13), "no part of the tangent is left"

    def test_diagonal_is_one_number_and_stages_come_in_order(self, name):
        alpha, Gamma, _ = k_form(INTEGRATORS[name])

        assert np.diag(Gamma) == pytest.approx(INTEGRATORS[name].GAMMA)
        assert np.triu(alpha) == pytest.approx(0.0, abs=1e-15) and np.triu(Gamma, 1) == pytest.approx(0.0, abs=1e-15)

    def test_nodes_weights_and_stages_to_evaluate_follow_from_the_tableau(self, name):
        method = INTEGRATORS[name]
        alpha, _, b = k_form(method)
        folded = np.zeros(len(b))
        for i, fresh in enumerate(method.FRESH):
            folded[i if fresh else 0] += b[i]

        assert alpha.sum(axis=1) == pytest.approx(np.array(method.NODES), abs=1e-13)
        assert folded == pytest.approx(np.array(method.WEIGHTS), abs=1e-13)
        assert all(fresh or not any(row) for row, fresh in zip(method.A, method.FRESH, strict=True)), (
            "repeats the start"
        )
        assert np.sum(method.WEIGHTS) == pytest.approx(1.0, abs=1e-13)
        if method.ORDER == 2:
            assert np.dot(method.WEIGHTS, method.NODES) == pytest.approx(0.5, abs=1e-13)

    def test_l_stable(self, name):
        """|R| ≤ 1 on a grid over the left half plane that reaches from 1e-3 to 1e6, the imaginary axis included."""
        size = np.logspace(-3, 6, 181)
        angle = np.linspace(0.5 * np.pi, np.pi, 91)
        z = (size[:, None] * np.exp(1j * angle[None, :])).ravel()
        z.real = np.minimum(z.real, 0.0)

        assert np.abs(growth(INTEGRATORS[name], z, 1.0)).max() <= 1.0 + 1e-12
        assert abs(growth_at_infinity(INTEGRATORS[name], 1.0)) < 1e-12

    @pytest.mark.parametrize("number", range(len(SLOPES)), ids=[f"c={c}" for c in SLOPES])
    def test_damping_where_the_matrix_has_another_slope(self, name, number):
        c, printed = SLOPES[number], DAMPING[name][number]
        exact = growth_at_infinity(INTEGRATORS[name], c)

        assert exact == pytest.approx(printed, abs=0.051 if abs(printed) >= 1.05 else 0.0051)
        assert growth(INTEGRATORS[name], np.array([-1e9]), c)[0] == pytest.approx(exact, abs=1e-6), "limit of R(z; c)"


def test_fw2_has_the_printed_digits_and_a_small_third_order_defect():
    alpha, Gamma, b = k_form(INTEGRATORS["fw2"])

    assert alpha[2, :2] == pytest.approx((PRINTED["alpha31"], PRINTED["alpha32"]), abs=1e-14)
    assert Gamma[1, 0] == pytest.approx(PRINTED["gamma21"], abs=1e-14)
    assert Gamma[2, :2] == pytest.approx((PRINTED["gamma31"], PRINTED["gamma32"]), abs=1e-14)
    assert b == pytest.approx(PRINTED["b"], abs=1e-13)
    assert b @ alpha.sum(axis=1) ** 2 == pytest.approx(1.0 / 3.0, abs=1e-13)


def test_fw2_is_the_one_whose_damping_is_flat_on_the_safe_side():
    """From the true slope to three times it, as secants are: a stiff part is damped to a third in every step."""
    stretch = np.linspace(1.0, 3.0, 41)

    assert max(abs(growth_at_infinity(INTEGRATORS["fw2"], c)) for c in stretch) < 0.35
    assert max(abs(growth_at_infinity(INTEGRATORS["lim"], c)) for c in stretch) > 0.95


def growth(method, z, c):
    """R(z; c) of y' = λ y with z = h λ and c λ in the matrix, by the u-form as the engine uses it."""
    A, C, count, tau = np.array(method.A), np.array(method.C), len(method.M), method.GAMMA
    u = np.zeros((count, len(z)), complex)
    for i in range(count):
        # u = τ (rate + c λ u), times h; stages to come are still zero
        u[i] = tau * (z * (1.0 + A[i] @ u) + C[i] @ u) / (1.0 - tau * c * z)
    return 1.0 + np.array(method.M) @ u


def growth_at_infinity(method, c):
    """R(∞; c) from the k-form: 0 = y + (α + c Γ) K, R = 1 + b K."""
    alpha, Gamma, b = k_form(method)
    return 1.0 - b @ np.linalg.solve(alpha + c * Gamma, np.ones(len(b)))


# --- order on machines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["fw2", "lim"])
@pytest.mark.parametrize("rate, late", [(1e-3, 1e-3), (0.1, 0.01), (5.0, 0.13), (1e3, 5e-3), (1e9, 1e-8)])
def test_a_ramp_is_followed_in_time_however_stiff(method, rate, late):
    """y' = rate (t − y) follows t by 1/rate behind [closed form]; delay in steps beyond that, with steps of 1."""
    table, y = INTEGRATORS[method], -1.0 / rate
    for step in range(200):
        u, first = np.zeros(table.STAGES), 0.0
        for i in range(table.STAGES):
            if table.FRESH[i]:
                first = rate * (step + table.INPUTS[i] - y - np.dot(table.A[i], u))
            known = first + np.dot(table.C[i], u)
            u[i] = table.GAMMA * known / (1.0 + table.GAMMA * rate)
        y += np.dot(table.M, u)
    assert abs(y + 1.0 / rate - 200.0) < late


CASES = {
    # machine, duration, largest step, levers; steps are halved twice
    "pendulum": (pendulum, 0.4, 0.01, {}),
    "balls": (balls, 0.2, 0.005, {}),
    "four-bar": (four_bar, 0.2, 0.005, {}),
    "geared": (geared, 0.2, 0.005, {}),
    "driven": (driven, 0.2, 0.005, {}),
    "crane": (crane, 0.04, 0.4e-3, {"valve": {0.0: 0.5}}),
    "naya-rod": (naya_rod, 0.02, 0.2e-3, {"valve": {0.0: 0.5}}),
}
INTEGRALS = ("work", ".loss", ".swept", ".supplied")
"""How the paths of energy integrals end."""


def errors(name, method):
    """Errors of the state at the end and of all energies, at three steps, against rk4 at a twentieth of the least."""
    make, duration, step, levers = CASES[name]
    reference = run(make(), duration, step / 80.0, "rk4", levers, record=step)
    found = []
    for part in (1, 2, 4):
        ended = run(make(), duration, step / part, method, levers, record=step)
        found.append((scaled(ended, reference), worked(ended, reference)))
    return np.array(found).T


def scaled(ended, reference):
    """Largest error of q and v, and of x by the pressures it makes."""
    nx = len(reference.planned.work.state.x)
    difference = np.abs(ended.state - reference.state)
    size = np.abs(reference.state)
    motion = difference[: len(difference) - nx].max()
    return max(motion, (difference[len(difference) - nx :] / (size[len(size) - nx :] + 1e-3)).max(initial=0.0))


def worked(ended, reference):
    """Largest error of an energy integral over the run, by the largest of them: at its end one may just cross zero."""
    paths = [path for path in reference.planned.names.paths if path.endswith(INTEGRALS)]
    assert len(paths) == len(reference.planned.work.state.energy)
    apart = max(np.abs(ended[path] - reference[path]).max() for path in paths)
    return apart / max(np.abs(reference[path]).max() for path in paths)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_observed_order_on_machines(name, method):
    state, energy = errors(name, method)
    order = INTEGRATORS[method].ORDER

    # an error that falls faster than it must is no fault: with oil the steps are not far below the stiffest times
    assert np.log2(state[1] / state[2]) > order - 0.25, state
    assert np.log2(energy[1] / energy[2]) > order - 0.25, energy
    assert np.log2(state[0] / state[2]) < 2.0 * (order + 1.3), state


@pytest.mark.parametrize(
    "name, duration, step", [("bricard", 0.4, 2e-3), ("n-four-bar", 0.2, 1e-3), ("gyroscope", 0.05, 1e-4)]
)
def test_observed_order_on_mechanisms_of_the_literature(name, duration, step):
    """Redundant loops, singular poses, a fast top; with redundant loops the explicit reference iterates."""
    machine = kb.catalogue.NAMES[name]().machine
    enforcement = {"enforcement": "augmented"} if name == "bricard" else {}
    exact = run(machine, duration, step / 20.0, "rk4", **enforcement).state
    for method in ("fw2", "lim"):
        found = [np.abs(run(machine, duration, step / part, method).state - exact).max() for part in (2, 4)]
        assert np.log2(found[0] / found[1]) > 1.9, (method, found)


def test_pendulum_ends_where_scipy_says():
    """The pendulum's own equation, written out and integrated to 1e-12 by another program."""

    def slope(_, y):
        angle, speed = y
        c, s = np.cos(angle), np.sin(angle)
        x, z = 0.6 * c - 0.3, -0.6 * s - 0.8  # from the spring's foot to the arm; axis y turns x towards −z
        length = np.hypot(x, z)
        rate_x, rate_z = -0.6 * s * speed, -0.6 * c * speed
        pull = -300.0 * (length - 0.5) - 4.0 * (x * rate_x + z * rate_z) / length
        torque = pull * (x * -0.6 * s + z * -0.6 * c) / length + 2.0 * 9.81 * 0.5 * c
        return speed, (torque - 20.0 * (angle - 0.1) - 0.5 * speed) / (0.1 + 2.0 * 0.25)

    exact = solve_ivp(slope, (0.0, 0.4), (0.3, 1.0), rtol=1e-12, atol=1e-13, method="DOP853").y[:, -1]

    assert run(pendulum(), 0.4, 2e-4, "rk4").state == pytest.approx(exact, abs=1e-9), "the same pendulum"
    for method, bound in (("fw2", 3e-5), ("lim", 6e-5), ("lie", 0.15)):
        assert run(pendulum(), 0.4, 5e-4, method).state == pytest.approx(exact, abs=bound), method


# --- order with wrong slopes, in plain Python -------------------------------------------------------------------------

FACTORS = (1.0, 0.5, 2.0, 0.0)
WRONG = {"pendulum": (pendulum, 0.2, 0.01, {}), "crane": (crane, 0.01, 0.4e-3, {"valve": {0.0: 0.5}})}
"""Machines whose slopes are made wrong: rows only, and rows, oil and spool."""


def with_wrong_slopes(name, method, factor):
    """States at the end at three steps, all slopes of rows, oil and spools multiplied by a factor."""
    row_slopes, stiffnesses = coupling.row_slopes, coupling.stiffnesses

    def wrong_rows(table, forces, h, state, rows, by_s, by_w):
        row_slopes(table, forces, h, state, rows, by_s, by_w)
        by_s *= factor
        by_w *= factor

    def wrong_oil(table, h, x, oil, scratch, ahead, stiffness):
        stiffnesses(table, h, x, oil, scratch, ahead, stiffness)
        stiffness *= factor
        np.multiply(oil.opening_slope, factor, out=oil.opening_slope)

    make, duration, step, levers = WRONG[name]
    coupling.row_slopes, coupling.stiffnesses = wrong_rows, wrong_oil
    try:
        return [run(make(), duration, step / part, method, levers).state.tolist() for part in (1, 2, 4)]
    finally:
        coupling.row_slopes, coupling.stiffnesses = row_slopes, stiffnesses


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.slow
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", WRONG)
def test_order_holds_with_slopes_multiplied(plain, name, method, factor):
    make, duration, step, levers = WRONG[name]
    reference = run(make(), duration, step / 80.0, "rk4", levers)
    nx = len(reference.planned.work.state.x)
    size = np.abs(reference.state) + 1e-3
    size[: len(size) - nx] = 1.0
    found = [np.abs((np.array(end) - reference.state) / size).max() for end in plain[f"{name} {method} {factor}"]]

    assert np.log2(found[1] / found[2]) > INTEGRATORS[method].ORDER - 0.25, found


@pytest.mark.slow
def test_plain_python_takes_the_compiled_steps(plain):
    """The slopes as they are, so that the others can be believed."""
    for name, (make, duration, step, levers) in WRONG.items():
        for method in METHODS:
            compiled = run(make(), duration, step, method, levers).state
            assert plain[f"{name} {method} 1.0"][0] == pytest.approx(compiled, rel=1e-11, abs=1e-13)


if __name__ == "__main__":
    assert inspect.isfunction(engine_run.run_realtime), "the compiler is off"
    answers = {
        f"{name} {method} {factor}": with_wrong_slopes(name, method, factor)
        for name in WRONG
        for method in METHODS
        for factor in FACTORS
    }
    print(json.dumps(answers))
