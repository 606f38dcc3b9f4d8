# SPDX-License-Identifier: BSD-3-Clause
"""Motion of a mechanism with one degree of freedom s, from its kinetic and potential energy alone.

    T = ½·J(s)·ṡ²,   V(s)          J·s̈ + ½·J′·ṡ² + V′ = 0

J′ and V′ are taken by a complex step, f′(s) = Im f(s + ih)/h, which has no rounding error [Squire 1998]; so J and V
must be written with analytic functions. Integrated by DOP853 at 1e-12; a torque that does work M·s is −M·s in V.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
Energies = Callable[[complex], tuple[complex, complex]]

STEP = 1e-30  # of the complex step: its square vanishes
TOLERANCE = 1e-12


def motion(energies: Energies, start: float, speed: float, times: Array) -> tuple[Array, Array]:
    """Return s and ṡ at increasing times from 0; energies(s) gives J and V."""

    def rates(_: float, state: Array) -> list[float]:
        inertia, potential = energies(complex(state[0], STEP))
        pull = 0.5 * inertia.imag / STEP * state[1] ** 2 + potential.imag / STEP
        return [state[1], -pull / inertia.real]

    done = solve_ivp(
        rates, (0.0, float(times[-1])), [start, speed], method="DOP853", t_eval=times, rtol=TOLERANCE, atol=TOLERANCE
    )
    return done.y[0], done.y[1]
