# SPDX-License-Identifier: BSD-3-Clause
"""Orders of rk4 and of index-3 steps in every set of coordinates: positions, velocities and multipliers.

Rank: closed form (a method of order p has p), by Richardson's h, h/2, h/4 on a slider-crank in space. The multipliers
are those that a step carries: after Newton's iteration alone they are of order 1, the projection of the accelerations
makes them of order 2 (docs/theory/index3.md). Tolerance: ±0.2, the ratio of differences is 2^p (1 + O(h)).
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.catalogue import NAMES
from references import signals

DURATION = 0.1

RULES = sorted({word for row in methods.TABLE if row.coupling == "unified" for word in row.integrator})


def ends(step, **words):
    """Positions, velocities and multipliers after DURATION, each for three steps."""
    found = []
    for divisor in (1, 2, 4):
        sim = kb.Simulation(NAMES["slider-crank"]().machine, step=step / divisor, record=DURATION, **words)
        sim.run_for(DURATION)
        multiplier = sim._planned.work.state.multiplier.copy()
        run = sim.results()
        bodies = ("crank", "rod", "slider")
        position, velocity = (
            np.concatenate([run[f"{body}.{what}"].values[-1] for body in bodies for what in kinds])
            for kinds in (("position", "orientation"), ("velocity", "angular_velocity"))
        )
        found.append((position, velocity, multiplier))
    return zip(*found, strict=True)


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
def test_rk4_is_of_order_4(coordinates):
    positions, velocities, _ = ends(5e-3, integrator="rk4", coordinates=coordinates)

    assert signals.observed_order(*positions) == pytest.approx(4.0, abs=0.2)
    assert signals.observed_order(*velocities) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("coordinates", methods.choices("coordinates"))
@pytest.mark.parametrize("integrator", RULES)
def test_index3_is_of_order_2_also_in_its_multipliers(integrator, coordinates):
    found = ends(1e-3, coupling="unified", integrator=integrator, jumps="published", coordinates=coordinates)

    orders = [signals.observed_order(*three) for three in found]
    assert orders == pytest.approx([2.0] * 3, abs=0.2)
