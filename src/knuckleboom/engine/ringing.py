# SPDX-License-Identifier: BSD-3-Clause
"""What rings: the trapezoidal rule hardly damps what is much faster than a step, it changes sides at every step.

The bend of a strain is its second difference over three steps' ends. Where it changes sign, the pressure may be off by
dp/de·|bend|/4 to either side. If that is more than a hundredth of the pressure, the next step is `loud`: it is made of
two of the implicit Euler rule, which damp it. Three changes in a row are no single event any more: the largest such
pressure of a run is kept, with its place and time, and told in its results. Tested in tests/engine/test_ringing.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill, fill_rows

LOUD = 0.01  # of the pressure
FAINT = 1e6  # Pa: lower pressures count as this


@kernel
def forget(state):
    """Begin anew: after a jump nothing rings yet. Writes state."""
    fill(0.0, state.way)
    fill_rows(0.0, state.bend)
    state.loud[0] = 0.0


@kernel
def listen(x0, x, stiffness, p, ringing, state):
    """Take the strains before and after a step; stiffness is dp/de of each, p the pressure. Writes ringing, state."""
    way, bend = state.way, state.bend
    state.loud[0] = 0.0
    for i in range(way.shape[0]):
        step = x[i] - x0[i]
        turn = step - way[i] if way[i] != 0.0 else 0.0
        if turn * bend[0, i] < 0.0:
            size = 0.25 * stiffness[i] * min(abs(turn), abs(bend[0, i]))  # a quarter of the second difference
            if size > LOUD * max(p[i], FAINT):
                state.loud[0] = 1.0
            if bend[0, i] * bend[1, i] < 0.0 and size > ringing[0]:
                ringing[0] = size
                ringing[1] = float(i)
                ringing[2] = state.time[0]
        way[i] = step
        bend[1, i] = bend[0, i]
        bend[0, i] = turn
