# SPDX-License-Identifier: BSD-3-Clause
"""A crane with the actuator of Rahikainen et al. (2020): `unified` and `realtime` at 1 ms against tiny explicit steps.

Parameters of oil, walls, cylinder and valve are theirs, the boom is ours (catalogue/rahikainen_crane.py), so that there
is no printed curve to compare with. Rank: second formulation in our own code; three couplings that share the laws but
neither their equations nor their steps. The reference is RK4 at 0.05 ms, within 1e-8 m and 50 Pa of 0.1 ms.

The boom moves by 50 mm and rings between 13 and 70 bar after each of four steps of the spool. Both methods have order
2, and their errors are those of a slightly wrong period of that ringing, which add up: seen at 1 ms are 9.6 µm and
0.21 bar (`unified`, trapezoidal) and 1.9 µm and 0.044 bar (`realtime`, fw2), a quarter of it at half the step. The
bounds are half as much again.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES

INTERVAL = 0.01  # s
PRESSURES = ("lift.a.pressure", "lift.b.pressure")
FINE = 5e-5  # s
BOUNDS = {"unified": (15e-6, 0.32e5), "realtime": (3e-6, 0.07e5)}  # m, Pa


def crane(coupling, step):
    case = NAMES["rahikainen-crane"]()
    words = {"record": INTERVAL, "inputs": case.inputs, "coupling": coupling}
    return kb.simulate(case.machine, case.duration, step=step, **words)


def apart(run, other):
    """Largest differences in length, m, and in a pressure, Pa."""
    length = float(np.abs(run["lift.length"].values - other["lift.length"].values).max())
    return length, max(float(np.abs(run[path].values - other[path].values).max()) for path in PRESSURES)


@pytest.fixture(scope="module")
def fine():
    return crane("explicit", FINE)


def test_the_reference_is_converged_and_moves(fine):
    length, pressure = apart(crane("explicit", 2.0 * FINE), fine)
    assert length < 1e-8 and pressure < 50.0
    assert np.ptp(fine["lift.length"].values) > 0.04
    assert np.ptp(fine["lift.a.pressure"].values) > 40e5


@pytest.mark.parametrize("coupling", BOUNDS)
def test_steps_of_1_ms(fine, coupling):
    length, pressure = apart(crane(coupling, 1e-3), fine)
    assert length < BOUNDS[coupling][0] and pressure < BOUNDS[coupling][1]

    half_length, half_pressure = apart(crane(coupling, 5e-4), fine)
    assert length / half_length == pytest.approx(4.0, rel=0.1)
    assert pressure / half_pressure == pytest.approx(4.0, rel=0.1)


def test_it_comes_to_rest_where_the_spool_is_closed(fine):
    """The valve has no overlap: what is left at the end is the creep of its leaking edges and a fading ring."""
    assert abs(fine["lift.speed"].at(4.0)) < 2e-3
