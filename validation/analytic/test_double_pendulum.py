# SPDX-License-Identifier: BSD-3-Clause
"""Double pendulum of two rigid links against Lagrange's equations by SciPy (DOP853, rtol 1e-12).

Rank: second formulation, independent of the code. Tolerance 1e-10 rad at a step of 0.1 ms: RK4's phase error is 1e-14
at the largest angular speed of 14 rad/s, times 1000 for higher harmonics and the growth of errors (43 over these 2
s).
"""

import numpy as np
import pytest

import knuckleboom as kb
from references.double_pendulum import DoublePendulum

MODEL = DoublePendulum()
START = (1.5, 2.5, 0.0, 0.0)


def simulate(axis, hanging, gravity, **options):
    machine = kb.Machine("double pendulum", gravity=gravity)
    hanging = np.array(hanging)
    upper = machine.body("upper", mass=MODEL.m1, com=tuple(MODEL.c1 * hanging), inertia=(MODEL.j1,) * 3)
    lower = machine.body("lower", mass=MODEL.m2, com=tuple(MODEL.c2 * hanging), inertia=(MODEL.j2,) * 3)
    machine.revolute("shoulder", machine.ground, upper, axis=axis, start=START[0])
    machine.revolute("elbow", upper.at(*(MODEL.l1 * hanging)), lower, axis=axis, start=START[1] - START[0])
    return kb.simulate(machine, 2.0, step=1e-4, record=2e-2, **options)


@pytest.mark.parametrize(
    ("axis", "hanging", "gravity"),
    [("y", (0, 0, -1), (0, 0, -9.81)), ("z", (1, 0, 0), (9.81, 0, 0)), ((1, 1, 0), (0, 0, -1), (0, 0, -9.81))],
    ids=["about y", "about z", "about a diagonal"],
)
@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
def test_angles_and_speeds(axis, hanging, gravity, factorisation):
    run = simulate(axis, hanging, gravity, factorisation=factorisation)
    exact = MODEL.solve(run.time, START)
    upper, bend = run["shoulder.angle"].values, run["elbow.angle"].values
    upper_rate, bend_rate = run["shoulder.angle_rate"].values, run["elbow.angle_rate"].values
    assert np.abs(upper - exact[0]).max() < 1e-10
    assert np.abs(upper + bend - exact[1]).max() < 1e-10
    # rates are larger by the largest frequency, about 14 rad/s, since errors grow in time
    assert np.abs(upper_rate - exact[2]).max() < 1.4e-9
    assert np.abs(upper_rate + bend_rate - exact[3]).max() < 1.4e-9


def test_accelerations():
    """Recorded accelerations satisfy Lagrange's equations at the recorded state: rounding only."""
    run = simulate("y", (0, 0, -1), (0, 0, -9.81))
    a, b = run["shoulder.angle"].values, run["elbow.angle"].values
    da, db = run["shoulder.angle_rate"].values, run["elbow.angle_rate"].values
    exact = np.array([MODEL.rates(0.0, y)[2:] for y in zip(a, a + b, da, da + db, strict=True)])
    assert run["shoulder.angle_acceleration"].values == pytest.approx(exact[:, 0], abs=1e-10)
    assert run["elbow.angle_acceleration"].values == pytest.approx(exact[:, 1] - exact[:, 0], abs=1e-10)
