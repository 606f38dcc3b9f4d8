# SPDX-License-Identifier: BSD-3-Clause
"""Reactions in joints, against Newton and Euler for the bodies they carry (closed form), and for different cuts.

Which joint of a loop is cut is our own choice: the reactions must not depend on it (second formulation).
"""

import numpy as np
import pytest

import knuckleboom as kb

G = np.array([0.0, 0.0, 9.81])


def swung(reverse=False):
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    load = m.body("load", mass=1.5, com=(0.1, 0.05, 0), inertia=(0.02, 0.03, 0.04))
    ends = (rod, m.ground) if reverse else (m.ground, rod)
    m.revolute("foot", *ends, axis="y", speed=-2.0 if reverse else 2.0)
    m.fixed("weld", rod.at(1, 0, 0), load)
    m.spring("spring", m.ground.at(0.3, 0.2, 1.0), load.at(0.2, 0, 0), stiffness=300.0, rest=0.8)
    return m


def spring_on_load(run):
    """Force of the spring on the load and its moment about the load's origin."""
    at = run["load.position"].values + rotated(run, (0.2, 0.0, 0.0))
    along = at - np.array([0.3, 0.2, 1.0])
    force = run["spring.force"].values[:, None] * along / np.linalg.norm(along, axis=1)[:, None]
    return force, np.cross(at - run["load.position"].values, force)


def rotated(run, vector):
    """A vector of the load's axes in the world: it turns about y by the angle of the rod."""
    theta = angle_of(run)
    x, y, z = vector
    return np.stack([np.cos(theta) * x + np.sin(theta) * z, y + 0 * theta, -np.sin(theta) * x + np.cos(theta) * z], 1)


def angle_of(run):
    w, _, y, _ = run["rod.orientation"].values.T
    return 2.0 * np.arctan2(y, w)


@pytest.mark.parametrize("reverse", [False, True], ids=["from a to b", "from b to a"])
def test_weld_and_hinge(reverse):
    run = kb.simulate(swung(reverse), "0.5 s", step="0.5 ms", record="10 ms")
    sign = -1.0 if reverse else 1.0
    omega = sign * run["foot.angle_rate"].values[:, None]
    alpha = sign * run["foot.angle_acceleration"].values[:, None]
    axis = np.array([[0.0, 1.0, 0.0]])

    def acceleration(arm):
        return alpha * np.cross(axis, arm) - omega**2 * (arm - axis * arm[:, 1:2])

    centre = rotated(run, (1.1, 0.05, 0.0))
    spring, moment = spring_on_load(run)
    weld = 1.5 * (acceleration(centre) + G) - spring
    assert run["weld.reaction_force"].values == pytest.approx(weld, abs=1e-9)

    # Euler about the load's own centre of mass; its axes turn with the rod about y, a principal axis of this inertia
    euler = 0.03 * alpha * axis
    arm = centre - rotated(run, (1.0, 0.0, 0.0))
    about_weld = euler + np.cross(arm, 1.5 * (acceleration(centre) + G)) - moment
    assert run["weld.reaction_moment"].values == pytest.approx(about_weld, abs=1e-9)

    foot = weld + 2.0 * (acceleration(rotated(run, (0.5, 0.0, 0.0))) + G)
    assert run["foot.reaction_force"].values == pytest.approx(sign * foot, abs=1e-9)
    # the hinge turns freely: nothing about its axis
    assert np.abs(run["foot.reaction_moment"].values[:, 1]).max() < 1e-9


def loop(cut):
    """A spatial four-bar (revolute, spherical, universal, revolute) without redundant rows, one joint cut."""
    m = kb.Machine("loop")
    crank = m.body("crank", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02))
    rod = m.body("rod", mass=2.0, com=(0.4, 0.02, 0), inertia=(0.02, 0.1, 0.1))
    rocker = m.body("rocker", mass=1.5, com=(0, 0, 0.2), inertia=(0.05, 0.05, 0.01))
    m.revolute("main", m.ground, crank, axis="z", start=0.4, speed=3.0, cut=cut == "main")
    m.spherical("ball", crank.at(0.2, 0, 0), rod, cut=cut == "ball")
    m.universal("cross", rod.at(0.8, 0, 0), rocker.at(0, 0, 0.5), axis="y", second_axis="z", cut=cut == "cross")
    m.revolute("foot", m.ground.at(0.9, 0.1, -0.4), rocker, axis="y", cut=cut == "foot")
    return m


def test_reactions_do_not_depend_on_the_cut():
    runs = {cut: kb.simulate(loop(cut), "0.2 s", step="0.2 ms", record="20 ms") for cut in ("ball", "cross")}

    for joint in ("main", "ball", "cross", "foot"):
        for what in ("reaction_force", "reaction_moment"):
            one, other = (runs[cut][f"{joint}.{what}"].values for cut in runs)
            assert one == pytest.approx(other, rel=1e-6, abs=1e-6 * np.abs(one).max() + 1e-6), (joint, what)
    assert np.abs(runs["ball"]["ball.reaction_moment"].values).max() < 1e-6
