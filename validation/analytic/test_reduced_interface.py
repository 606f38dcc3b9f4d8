# SPDX-License-Identifier: BSD-3-Clause
"""Reduced interface of a mechanism [Peiret 2018, eqs 2-6, corrected]: w of the reduced model is that of the full step.

Rank on the ladder: second formulation. Eq. (1) is solved whole, with multipliers as unknowns, and the reduced terms are
made of the Schur complement of its loops; both in plain NumPy (``references/cosimulation.py``). With a constant force
λ both must give the same w⁺ = A_i v⁺: 1e-12 of the largest w, 200 random machines, a third of them with a row that
its loops block (Y = 0 there), a third with redundant loops that only their compliance keeps solvable.
"""

import numpy as np
import pytest

from references.cosimulation import full_step, reduced_terms

KINDS = ("plain", "blocked", "redundant")


def random_machine(number: int) -> dict:
    """Matrices and vectors of one random machine; ``kind`` goes in turn."""
    rng = np.random.default_rng(number)
    kind = KINDS[number % len(KINDS)]
    n = int(rng.integers(4, 11))
    loops, rows = int(rng.integers(1, n - 2)), int(rng.integers(1, 4))
    root = rng.normal(size=(n, n))
    A_c, A_i = rng.normal(size=(loops, n)), rng.normal(size=(rows, n))
    C_c = np.zeros(loops)
    if kind == "blocked":
        A_i[0] = rng.normal(size=loops) @ A_c
    if kind == "redundant":
        A_c = np.vstack([A_c, rng.normal(size=(2, loops)) @ A_c])
        C_c = 10.0 ** rng.uniform(-4.0, -1.0, len(A_c))
    return {
        "kind": kind,
        "system": (root @ root.T + n * np.eye(n), A_c, C_c, rng.normal(size=len(A_c)), A_i),
        "motion": (rng.normal(size=n), 10.0 * rng.normal(size=n)),
        "lam": 10.0 * rng.normal(size=rows),
        "h": 10.0 ** rng.uniform(-3.0, -1.0),
    }


@pytest.mark.parametrize("block", range(4))
def test_reduced_is_the_full_step(block):
    """w⁰ + h (a + Y λ) = A_i v⁺ to 1e-12."""
    for number in range(50 * block, 50 * block + 50):
        case = random_machine(number)
        A_i, lam, h = case["system"][4], case["lam"], case["h"]
        w0, a, Y = reduced_terms(*case["system"], *case["motion"])

        whole = A_i @ full_step(*case["system"], *case["motion"], lam, h)[0]

        assert w0 + h * (a + Y @ lam) == pytest.approx(whole, abs=1e-12 * max(1.0, np.abs(whole).max())), number


def test_full_step_fulfils_its_equations():
    """Momentum and loops of eq. (1) are fulfilled, so that the comparison is with that equation."""
    for number in range(50):
        case = random_machine(number)
        M, A_c, C_c, d_c, A_i = case["system"]
        v, f0 = case["motion"]
        after, P = full_step(*case["system"], v, f0, case["lam"], case["h"])
        assert A_c @ after + C_c * P + d_c == pytest.approx(np.zeros(len(d_c)), abs=1e-10)
        change = M @ (after - v) - A_c.T @ P
        assert change == pytest.approx(case["h"] * (f0 + A_i.T @ case["lam"]), abs=1e-10)


def test_blocked_rows_take_no_force():
    """A row that the loops hold has Y = 0 and a = 0 to rounding, so that eq. (3) has nothing to invert."""
    for number in range(1, 60, len(KINDS)):
        case = random_machine(number)
        assert case["kind"] == "blocked"
        _, a, Y = reduced_terms(*case["system"], *case["motion"])
        assert Y[0] == pytest.approx(np.zeros(len(Y)), abs=1e-12)
        assert a[0] == pytest.approx(0.0, abs=1e-11)


def test_effective_mass_is_symmetric_and_not_negative():
    """Y = Yᵀ with eigenvalues ≥ 0: a force along a row never moves it the other way."""
    for number in range(60):
        case = random_machine(number)
        Y = reduced_terms(*case["system"], *case["motion"])[2]
        assert pytest.approx(Y.T, abs=1e-12) == Y
        assert np.linalg.eigvalsh(0.5 * (Y + Y.T)).min() > -1e-12


def test_offset_of_the_loops_belongs_to_the_start():
    """As printed, w⁰ = A_i Π v lacks d_c; the deficit is A_i M⁻¹A_cᵀ S⁻¹d_c, of the size of d_c itself."""
    worst = 0.0
    for number in range(0, 60, len(KINDS)):
        case = random_machine(number)
        M, A_c, C_c, d_c, A_i = case["system"]
        w0 = reduced_terms(*case["system"], *case["motion"])[0]
        printed = reduced_terms(M, A_c, C_c, 0.0 * d_c, A_i, *case["motion"])[0]
        missing = A_i @ np.linalg.solve(M, A_c.T) @ np.linalg.solve(A_c @ np.linalg.solve(M, A_c.T) + np.diag(C_c), d_c)
        assert printed - w0 == pytest.approx(missing, abs=1e-10)
        worst = max(worst, float(np.abs(missing).max()))
    assert worst > 0.5
