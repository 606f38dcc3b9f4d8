# SPDX-License-Identifier: BSD-3-Clause
"""Mass of a whole machine against sums by hand: turned bodies, point masses, and a loop."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.analysis.mass import machine_mass


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_two_bodies_by_hand(coordinates):
    m = kb.Machine("two")
    # a bar of 2 m that stands upright, its centre at half height, with 3 kg at its top
    top = {"top": {"mass": 3.0, "at": (2, 0, 0)}}
    bar = m.body("bar", mass=6.0, com=(1, 0, 0), inertia=(0.5, 2, 2), point_masses=top)
    m.revolute("foot", m.ground, bar, axis="-y", start="90 deg")
    block = m.body("block", mass=9.0, inertia=(1, 2, 3))
    m.prismatic("slide", m.ground.at(4, 0, 0), block, axis="x", start="1 m")

    mass = machine_mass(kb.build(m, coordinates=coordinates))

    assert mass.total == pytest.approx(18.0)
    assert mass.centre == pytest.approx([2.5, 0.0, 12.0 / 18.0])
    # bar along z: its small moment about z; each part moved by its distance from the centre
    parts = [(6.0, (0, 0, 1), (2, 2, 0.5)), (3.0, (0, 0, 2), (0, 0, 0)), (9.0, (5, 0, 0), (1, 2, 3))]
    expected = np.zeros((3, 3))
    for size, place, own in parts:
        d = np.array(place) - mass.centre
        expected += np.diag(own) + size * (d @ d * np.eye(3) - np.outer(d, d))
    assert mass.inertia == pytest.approx(expected, abs=1e-9)


def test_bodies_that_share_a_link():
    m = kb.Machine("welded")
    arm = m.body("arm", mass=2.0, com=(1, 0, 0), inertia=(0, 0.1, 0.1))
    m.revolute("foot", m.ground, arm, axis="z", start="90 deg")
    tool = m.body("tool", mass=2.0, inertia=(0.2, 0.1, 0.1))
    m.fixed("weld", arm.at(3, 0, 0), tool)

    mass = machine_mass(kb.build(m))

    assert mass.total == pytest.approx(4.0) and mass.centre == pytest.approx([0.0, 2.0, 0.0])
    assert np.diag(mass.inertia) == pytest.approx([4.0 + 0.2, 0.2, 4.0 + 0.2])


def test_payloads_are_part_of_it():
    m = kb.Machine("arm")
    arm = m.body("arm", mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.2, 0.2))
    m.revolute("foot", m.ground, arm, axis="-y", start=0.3)
    heavy = kb.Machine("heavy")
    one = heavy.body("arm", mass=2.0, com=(0.5, 0, 0), inertia=(0.1, 0.2, 0.2))
    box = heavy.body("box", mass=3.0, inertia=tuple(3.0 / 12 * (a * a + b * b) for a, b in ((2, 1), (3, 1), (3, 2))))
    heavy.revolute("foot", heavy.ground, one, axis="-y", start=0.3)
    heavy.fixed("bolts", one.at(1, 0, 0.1), box)
    m.payload("it", arm.at(1, 0, 0.1), mass=3.0, most=5.0, box=(3, 2, 1))

    found, wanted = machine_mass(kb.build(m)), machine_mass(kb.build(heavy))

    assert found.total == pytest.approx(5.0)
    assert found.centre == pytest.approx(wanted.centre)
    assert found.inertia == pytest.approx(wanted.inertia)
