# SPDX-License-Identifier: BSD-3-Clause
"""Materials: the page lists all pairs; what is given goes before them; areas are relative to the rest of a terrain."""

from pathlib import Path

import pytest

import knuckleboom as kb
from knuckleboom.interface.materials import PAIRS, pair_of, partners
from knuckleboom.interface.parts.contact import Contact

PAGE = (Path(__file__).parents[2] / "docs" / "contact.md").read_text(encoding="utf-8")


def test_the_page_lists_all_pairs():
    for (one, other), pair in PAIRS.items():
        assert f"| {one}, {other} | {pair.friction:g} | {pair.breakaway:g} | {pair.restitution:g} |" in PAGE
        assert 0.0 < pair.friction <= pair.breakaway <= 1.0
        assert pair_of(other, one) == pair
    assert partners("ice") == ["steel", "rubber"]
    assert "steel" in partners("steel")


def test_what_is_given_goes_before_materials():
    ice = PAIRS["steel", "ice"]
    plain = {"name": "c", "at": "body", "sphere": 0.1}

    assert Contact(**plain, material="steel").pair_with("ice") == ice
    assert Contact(**plain).pair_with("ice") == (0.5, 0.5, 0.3)
    assert Contact(**plain, material="steel", friction=0.2).pair_with("ice") == (0.2, 0.2, ice.restitution)
    assert Contact(**plain, material="steel", restitution=0.7).pair_with("ice")[2] == 0.7
    assert Contact(**plain, material="steel", breakaway=0.3).pair_with("ice")[:2] == (ice.friction, 0.3)


@pytest.mark.parametrize(("friction", "share"), [(None, 0.03 / 0.45), (0.4, 1.0), (0.0, 1.0)])
def test_areas_are_beside_the_rest_of_a_terrain(friction, share):
    m = kb.Machine("m")
    body = m.body("body", mass=1.0, inertia=(1, 1, 1))
    m.free("f", m.ground, body, start=(0, 0, 1, 0, 0, 0))
    areas = [{"corners": [(0, 0), (1, 1)], "material": "ice", "friction_factor": 0.5, "stiffness_factor": 3.0}]
    m.terrain("floor", material="concrete", areas=areas)
    m.contact("foot", body, sphere=0.1, material="steel", stiffness=1e4, friction=friction)

    law = kb.build(m).plan.touch.law

    assert law[:, 0] == pytest.approx([1.0, 0.5 * share])
    assert law[:, 1].tolist() == [1e4, 3e4]


def test_a_group_touches_the_ground_of_the_outer_machine():
    inner = kb.Machine("inner")
    body = inner.body("body", mass=1.0, inertia=(1, 1, 1))
    inner.free("f", inner.ground, body, start=(0, 0, 1, 0, 0, 0))
    inner.terrain("floor", at=(0, 0, -5))
    inner.contact("foot", body, sphere=0.1, touching="floor")
    m = kb.Machine("m")
    m.terrain("floor")
    m.add("one", inner)

    assert [part.name for part in m.parts.values()] == ["floor", "one.body", "one.f", "one.foot"]
    assert kb.build(m).layout.network.touches[0].ground == "floor"
