# SPDX-License-Identifier: BSD-3-Clause
"""N four-bar mechanism: parallelograms in a row that pass through poses where all bars lie on one line.

IFToMM multibody benchmark A02 [Gonzalez 2006], an extension of the two four-bars of [Bayo 1994]: N + 1 cranks one metre
apart, N couplers between their ends, all bars 1 m long with 1 kg uniformly distributed, gravity 9.81 m/s². At the start
the cranks stand upright and the end of the first, B0, moves along +x at 1 m/s. When the bars are horizontal, which
they are twice a turn, the degrees of freedom are N + 1 for an instant instead of 1. The benchmark's first publication
has N = 40 and 20 s; the library's present one, and ours, N = 2 and 10 s (benchmark's bound on the energy: 0.1 J).

All cranks turn alike, so that the exact solution is that of one rotating pendulum:

    ½·(N + (N + 1)/3)·m·l²·θ̇² + (N + (N + 1)/2)·m·g·l·sin θ = constant

Axes: x along the row, z up; hinges turn about −y, the cranks start at 90° and turn backwards. Each coupler's far pin is
a cut joint. Which enforcement gets through, and which does not, is in the docstring of the test.
Validated by: validation/literature/test_n_four_bar.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.solids import slender
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

LENGTH, MASS = 1.0, 1.0  # m, kg
SPEED = 1.0  # of B0 along x, m/s
LOOPS = 2
THICK = 0.06  # m, for the eye only


def n_four_bar(loops: int = LOOPS) -> Case:
    """Return a row of `loops` parallelograms, upright and pushed."""
    m = Machine("n-four-bar")
    upright, rate = math.radians(90.0), -SPEED / LENGTH
    cranks = [_bar(m, f"crank_{index}", "orange" if index == 0 else "steelblue") for index in range(loops + 1)]
    cranks[0].point("B0", (LENGTH, 0.0, 0.0))
    for index, crank in enumerate(cranks):
        foot = m.ground.at(index * LENGTH, 0.0, 0.0)
        m.revolute(f"foot_{index}", foot, crank, axis="-y", start=upright, speed=rate)
    for index in range(loops):
        coupler = _bar(m, f"coupler_{index}", "grey")
        near, far = (cranks[index + side].at(LENGTH, 0.0, 0.0) for side in (0, 1))
        m.revolute(f"near_{index}", near, coupler, axis="-y", start=-upright, speed=-rate)
        m.revolute(f"far_{index}", coupler.at(LENGTH, 0.0, 0.0), far, axis="-y", cut=True)
    m.cite = "gonzalez2006"
    return m.case(
        "published",
        duration=10.0,
        step=1e-3,
        meaning=f"{loops} parallelograms in a row, through singular poses, IFToMM benchmark A02; no losses",
    )


def _bar(m: Machine, name: str, colour: str) -> Handle:
    """A uniform slender bar along x from its first pin."""
    bar = m.body(name, mass=MASS, com=(0.5 * LENGTH, 0.0, 0.0), inertia=slender(MASS, LENGTH))
    bar.shape("box", size=(LENGTH, THICK, THICK), at=(0.5 * LENGTH, 0.0, 0.0), colour=colour)
    return bar
