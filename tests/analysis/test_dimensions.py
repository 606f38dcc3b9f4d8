# SPDX-License-Identifier: BSD-3-Clause
"""Size of a machine and lengths of its cylinders against numbers by hand."""

import pytest

import knuckleboom as kb
from knuckleboom.analysis.dimensions import cylinder_lengths, extents


@pytest.mark.parametrize("coordinates", ["relative", "reference-point", "natural"])
def test_a_bar_and_a_block(coordinates):
    m = kb.Machine("two")
    # a bar that stands upright, with 3 kg at its top, 2 m high
    top = {"top": {"mass": 3.0, "at": (2, 0, 0)}}
    bar = m.body("bar", mass=6.0, com=(1, 0, 0), inertia=(0.5, 2, 2), point_masses=top)
    m.revolute("foot", m.ground, bar, axis="-y", start="90 deg")
    block = m.body("block", mass=9.0, inertia=(1, 2, 3))
    block.point("side", (0, -0.5, 0))
    m.prismatic("slide", m.ground.at(4, 0, 0), block, axis="x", start="1 m")
    m.ground.point("horizon", (1000, 0, 0))

    low, high = extents(kb.build(m, coordinates=coordinates))

    assert low == pytest.approx([0, -0.5, 0], abs=1e-9) and high == pytest.approx([5, 0, 2], abs=1e-9)


def test_a_machine_without_bodies_has_no_size():
    m = kb.Machine("oil only")
    oil = m.oil(kb.fluids.mineral_oil())
    oil.restrictor("hole", oil.pressure("high", "10 bar"), oil.tank("tank"), area="1 mm2")
    assert [list(end) for end in extents(kb.build(m))] == [[0, 0, 0], [0, 0, 0]]
    assert cylinder_lengths(kb.build(m)) == []


def test_lengths_of_a_cylinder_with_and_without_a_closed_length():
    """Without `closed` it starts half way out."""
    for closed, ends in ((None, (0.3, 0.7)), ("0.45 m", (0.45, 0.85))):
        m = kb.Machine("ram")
        m.prismatic("slide", m.ground, m.body("load", mass=10.0, inertia=(1, 1, 1)), axis="x", start=0.5)
        oil = m.oil(kb.fluids.mineral_oil())
        words = {} if closed is None else {"closed": closed}
        m.cylinder("lift", m.ground, "load", bore="50 mm", rod="30 mm", stroke="0.4 m", oil=oil, **words)
        [found] = cylinder_lengths(kb.build(m))
        assert found.name == "lift"
        assert (found.start, found.shortest, found.longest) == pytest.approx((0.5, *ends))
