# SPDX-License-Identifier: BSD-3-Clause
"""Cylindrical joint: travel along and turn about one axis, each on its own: a helix.

Rank: closed form. Constant force and torque give parabolas in both coordinates, exact for RK4: tolerance 1e-10 is
rounding.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb


@pytest.mark.parametrize("axis", ["z", "x", (1.0, -2.0, 2.0)], ids=["z", "x", "slanted"])
def test_free_helix(axis):
    """travel = v t + ½ (g·n) t², angle = w t + ½ (τ/I) t²; a point off the axis draws the helix."""
    direction = {"z": (0.0, 0.0, 1.0), "x": (1.0, 0.0, 0.0)}.get(axis, axis) if isinstance(axis, str) else axis
    direction = np.array(direction) / np.linalg.norm(direction)
    gravity, inertia, torque = np.array([0.0, 2.0, -9.81]), 0.3, 0.9
    machine = kb.Machine("helix", gravity=tuple(gravity))
    body = machine.body("body", mass=2.0, inertia=(inertia, inertia, inertia))
    body.point("edge", (0.2, 0.1, -0.3))
    machine.cylindrical("sleeve", machine.ground, body, axis=axis, start=(0.1, 0.2), speed=(0.5, 3.0))
    machine.effort("motor", "sleeve", coordinate=1, value=torque)
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2)

    t = run.time
    travel = 0.1 + 0.5 * t + 0.5 * (gravity @ direction) * t**2
    angle = 0.2 + 3.0 * t + 0.5 * torque / inertia * t**2
    assert run["sleeve.travel"].values == pytest.approx(travel, abs=1e-10)
    assert run["sleeve.angle"].values == pytest.approx(angle, abs=1e-10)

    # Rodrigues' formula for the point
    edge = np.array([0.2, 0.1, -0.3])
    across = np.cross(direction, edge)
    helix = (
        np.outer(travel + (1.0 - np.cos(angle)) * (direction @ edge), direction)
        + np.outer(np.cos(angle), edge)
        + np.outer(np.sin(angle), across)
    )
    assert run["body.edge.position"].values == pytest.approx(helix, abs=1e-10)


def test_offset_mass_swings_while_it_falls():
    """Gravity along the axis and no torque about it: an eccentric body spins evenly and falls freely."""
    machine = kb.Machine("helix", gravity=(0.0, 0.0, -9.81))
    body = machine.body("body", mass=2.0, com=(0.3, 0.0, 0.1), inertia=(0.1, 0.1, 0.1))
    machine.cylindrical("sleeve", machine.ground, body, speed=(1.0, math.pi))
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2)
    assert run["sleeve.travel"].values == pytest.approx(run.time - 0.5 * 9.81 * run.time**2, abs=1e-10)
    assert run["sleeve.angle"].values == pytest.approx(math.pi * run.time, abs=1e-10)
