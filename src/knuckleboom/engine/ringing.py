# SPDX-License-Identifier: BSD-3-Clause
"""Oscillation detector: the trapezoidal rule hardly damps what is much faster than a step; it alternates at every step.

The bend of a strain is its second difference over three steps' ends. Where it changed sign three times in a row, the
pressure is off by dp/de·|bend|/4 to either side. The largest such pressure of a run is kept, with its place and time,
and is in its results. Tested in tests/engine/test_ringing.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill, fill_rows


@kernel
def forget(newton):
    """Begin anew: after a jump nothing rings yet. Writes newton."""
    fill(0.0, newton.way)
    fill_rows(0.0, newton.bend)


@kernel
def listen(x0, x, stiffness, time, newton):
    """Take the strains before and after a step; stiffness is dp/de of each. Writes newton."""
    way, bend, ringing = newton.way, newton.bend, newton.ringing
    for i in range(way.shape[0]):
        step = x[i] - x0[i]
        turn = step - way[i] if way[i] != 0.0 else 0.0
        if turn * bend[0, i] < 0.0 and bend[0, i] * bend[1, i] < 0.0:
            # a quarter of the second difference: the smallest, so that a single blow after silence does not count
            size = 0.25 * stiffness[i] * min(abs(turn), abs(bend[0, i]), abs(bend[1, i]))
            if size > ringing[0]:
                ringing[0] = size
                ringing[1] = float(i)
                ringing[2] = time
        way[i] = step
        bend[1, i] = bend[0, i]
        bend[0, i] = turn
