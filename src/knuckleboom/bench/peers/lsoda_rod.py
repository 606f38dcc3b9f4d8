# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod solved by LSODA of SciPy, with its equations compiled by Numba: what a general solver of our day costs.

The equations are those of bench/references/naya_rod.py, four states written by hand for this one machine. LSODA picks
its steps and its method (Adams or BDF) itself and starts anew at each jump of the spool. `odeint` runs the loop over
steps in compiled code and calls back only for the equations; `solve_ivp` is the same solver with the loop in Python.
One number sets all tolerances: rtol = tolerance/10 and atol = tolerance·(1 rad, 1 rad/s, 1e8 Pa, 1e8 Pa), which is near
the best mix found by hand.
"""

from __future__ import annotations

import numba
import numpy as np
from scipy.integrate import odeint, solve_ivp

from knuckleboom.bench.references.naya_rod import JUMPS, Array, equilibrium, rates, start

RELATIVE = 0.1
SCALE = np.array([1.0, 1.0, 1e8, 1e8])


@numba.njit
def fill(y: Array, time: float, kappa: float, out: Array) -> Array:
    """The rates in an array that exists already."""
    out[0], out[1], out[2], out[3] = rates(y, kappa, False, 0.0)
    return out


@numba.njit
def fill_in_time(time: float, y: Array, kappa: float, out: Array) -> Array:
    """The same in the order of solve_ivp, which keeps what it gets."""
    fill(y, time, kappa, out)
    return out.copy()


class LsodaRod:
    """The rod at one tolerance."""

    def __init__(self, tolerance: float, *, loop: str = "odeint") -> None:
        self.name = f"SciPy LSODA ({loop})"
        self.loop, self.out = loop, np.empty(4)
        self.rtol, self.atol = RELATIVE * tolerance, tolerance * SCALE
        self.setting = f"four states by hand, rates by Numba, rtol {self.rtol:.2g}, pressures to {self.atol[3]:.2g} Pa"

    def run(self) -> None:
        """The 10 s, keeping nothing but the end."""
        self._pieces(None)

    def angles(self, interval: float) -> Array:
        """θ over the 10 s at a fixed interval."""
        return self._pieces(interval)

    def _pieces(self, interval: float | None) -> Array:
        _, _, kappa0 = equilibrium()
        y, kept = start(), []
        for begin, end, change in JUMPS:
            count = 1 if interval is None else round((end - begin) / interval)
            states = self._piece(y, np.linspace(begin, end, count + 1), kappa0 + change)
            y = states[-1]
            kept.append(states[1:, 0])
        return np.concatenate([start()[:1], *kept])

    def _piece(self, y: Array, times: Array, kappa: float) -> Array:
        if self.loop == "odeint":
            states: Array = odeint(fill, y, times, args=(kappa, self.out), rtol=self.rtol, atol=self.atol, mxstep=10000)
            return states
        done = solve_ivp(
            fill_in_time, (times[0], times[-1]), y, "LSODA", times, args=(kappa, self.out), rtol=self.rtol,
            atol=self.atol,
        )  # fmt: skip
        return np.asarray(done.y.T)
