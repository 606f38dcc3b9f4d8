# SPDX-License-Identifier: BSD-3-Clause
"""Planar joint: two travels in a plane and a turn about its normal.

Rank: closed form (thrown body with an offset centre of mass, sliding on an inclined plane). Tolerance: parabolas are
exact for RK4, 1e-10 is rounding; with an offset centre the coordinates contain harmonics of the spin, RK4's phase
error times 5.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals


def test_thrown_body_with_offset_centre_of_mass():
    """The centre of mass flies a parabola, the body spins evenly; x and y of its origin are neither."""
    com, spin, velocity = np.array([0.2, -0.15]), 6.0, np.array([1.0, 4.0])
    machine = kb.Machine("thrown", gravity=(0.0, -9.81, 0.0))
    body = machine.body("body", mass=2.0, com=(*com, 0.0), inertia=(0.1, 0.1, 0.15))
    # speed of the origin for a centre of mass at ``velocity``: v − ω × com
    origin = velocity - spin * np.array([-com[1], com[0]])
    machine.planar("plane", machine.ground, body, speed=(*origin, spin))
    run = kb.simulate(machine, 1.0, step=2.5e-4, record=1e-2)

    t, angle = run.time, spin * run.time
    centre = np.outer(t, velocity) + np.outer(0.5 * t**2, [0.0, -9.81]) + com
    turned = np.stack(
        [np.cos(angle) * com[0] - np.sin(angle) * com[1], np.sin(angle) * com[0] + np.cos(angle) * com[1]], axis=-1
    )
    bound = 5.0 * signals.rk4_error(spin, 2.5e-4, 1.0) + 1e-10
    assert run["plane.angle"].values == pytest.approx(angle, abs=bound)
    assert run["plane.x"].values == pytest.approx((centre - turned)[:, 0], abs=bound)
    assert run["plane.y"].values == pytest.approx((centre - turned)[:, 1], abs=bound)


def test_inclined_plane():
    """On a plane tilted by α about x a body slides with g sin α down its y-axis."""
    tilt = math.radians(25.0)
    machine = kb.Machine("incline", gravity=(0.0, 0.0, -9.81))
    body = machine.body("body", mass=2.0, inertia=(0.1, 0.1, 0.15))
    machine.planar(
        "plane",
        machine.ground.at((0.0, 0.0, 1.0), rpy=(tilt, 0.0, 0.0)),
        body,
        start=(0.1, 0.2, 0.3),
        speed=(0.5, 0, 2),
    )
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2)
    t = run.time
    slide = 0.2 - 0.5 * 9.81 * math.sin(tilt) * t**2
    assert run["plane.x"].values == pytest.approx(0.1 + 0.5 * t, abs=1e-10)
    assert run["plane.y"].values == pytest.approx(slide, abs=1e-10)
    assert run["plane.angle"].values == pytest.approx(0.3 + 2.0 * t, abs=1e-10)
    assert run["body.position"].values[:, 2] == pytest.approx(1.0 + slide * math.sin(tilt), abs=1e-10)


@pytest.mark.parametrize("axis", ["x", "y", (1.0, 1.0, 1.0)], ids=["x", "y", "diagonal"])
def test_other_normals(axis):
    """Whatever axes the plane has, motion stays in it, is straight, as fast as given; the turn is about the normal."""
    normal = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0)}.get(axis, axis) if isinstance(axis, str) else axis
    normal = np.array(normal) / np.linalg.norm(normal)
    machine = kb.Machine("plane", gravity=(0.0, 0.0, 0.0))
    body = machine.body("body", mass=2.0, inertia=(0.1, 0.1, 0.1))
    machine.planar("plane", machine.ground, body, axis=axis, speed=(0.3, 0.4, 2.0))
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2)
    position = run["body.position"].values
    assert position @ normal == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(position, axis=1) == pytest.approx(0.5 * run.time, abs=1e-12)
    assert run["body.angular_velocity"].values == pytest.approx(
        np.broadcast_to(2.0 * normal, position.shape), abs=1e-12
    )
