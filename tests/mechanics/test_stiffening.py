# SPDX-License-Identifier: BSD-3-Clause
"""Rows added to the mass change nothing: a machine of thin rods moves as in joint coordinates, which need none."""

import numpy as np
import pytest

import knuckleboom as kb

METHODS = (
    {},
    {"factorisation": "dense"},
    {"enforcement": "augmented"},
    {"coupling": "realtime"},
    {"coupling": "unified"},
    {"coupling": "unified", "factorisation": "dense"},
)


def thin_rods():
    """Three rods without inertia about their own axis, in space: pins across, a ball and a universal joint."""
    m = kb.Machine("thin rods")
    inertia = (0.0, 0.1, 0.1)
    a, b, c = (m.body(name, mass=1.0, com=(0.5, 0, 0), inertia=inertia) for name in "abc")
    m.revolute("foot", m.ground, a, axis="y", start=0.3, speed=1.0)
    m.revolute("knee", a.at(1, 0, 0), b, axis="z", start=0.7, speed=-2.0)
    m.universal("wrist", b.at(1, 0, 0), c, axis="y", second_axis="z", start=(0.2, 0.4), speed=(1.0, 0.5))
    m.joint_spring("hold", "knee", stiffness=20.0, damping=0.1)
    return m


@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
@pytest.mark.parametrize("words", METHODS, ids=lambda words: "-".join(words.values()) or "explicit")
def test_thin_rods_move_as_in_joint_coordinates(words, coordinates):
    machine = thin_rods()
    exact = kb.simulate(machine, "0.1 s", step="0.1 ms", record="0.1 s")
    run = kb.simulate(machine, "0.1 s", step="0.5 ms", record="0.1 s", coordinates=coordinates, **words)
    planned = kb.build(machine, coordinates=coordinates, **words)

    assert len(planned.plan.stiffened.row) == planned.loop_equations, "all rows touch a thin rod"
    way = np.abs(exact["c.position"].values[-1] - exact["c.position"].values[0]).max()
    assert run["c.position"].values[-1] == pytest.approx(exact["c.position"].values[-1], abs=2e-5 * way)
