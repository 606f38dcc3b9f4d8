# SPDX-License-Identifier: BSD-3-Clause
"""Contacts in a plan: h √(k/m) by closed forms, what a check and a run say of it, and methods that have none."""

import math

import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError
from knuckleboom.interface.parts.contact import damping_of
from knuckleboom.plan.contact_step import contact_speeds


def crate(**contact):
    m = kb.Machine("crate")
    body = m.body("crate", mass=12.0, inertia=(1.25, 2.0, 1.75))  # of a box of 1 m, 0.5 m and 1 m
    m.free("float", m.ground, body, start=(0, 0, 0.6, 0, 0, 0))
    m.terrain("floor")
    m.contact("face", body, **({"box": (1.0, 0.5, 1.0)} | contact))
    return m


def test_a_sphere_feels_the_mass_of_its_body():
    (found,) = contact_speeds(kb.build(crate(box=None, sphere=0.5, stiffness=1e5)))

    assert (found.name, found.mass) == ("face", pytest.approx(12.0))
    assert found.frequency == pytest.approx(math.sqrt(1e5 / 12.0))


def test_a_box_rocks_faster_than_it_bounces():
    (found,) = contact_speeds(kb.build(crate(stiffness=1e5)))

    # four springs: bounce 4/m, rocking 4 x²/I_y and 4 y²/I_x
    assert found.mass == pytest.approx(1.0 / max(4 / 12.0, 4 * 0.25 / 2.0, 4 * 0.0625 / 1.25))


def test_coordinates_feel_the_same_mass():
    one, other = (contact_speeds(kb.build(crate(), coordinates=name))[0] for name in ("relative", "reference-point"))

    assert one.frequency == pytest.approx(other.frequency, rel=1e-12)


def test_without_stiffness_the_machine_stands_at_the_depth():
    (found,) = contact_speeds(kb.build(crate(depth="2 mm")))

    assert 4 * found.stiffness * 2e-3 == pytest.approx(12.0 * 9.81)


@pytest.mark.parametrize(("e", "product"), [(0.9, 0.166), (0.7, 0.635), (0.5, 1.433), (0.3, 3.087), (0.1, 9.998)])
def test_damping_is_that_of_the_restitution(e, product):
    assert damping_of(e) == pytest.approx(product, abs=1e-3)
    assert damping_of(1.0) == 0.0


def test_a_fast_contact_is_a_note_and_a_warning():
    planned = kb.build(crate(stiffness=1e8))
    assert any("h·√(k/m) is 7.1 at a step of 1 ms" in note.rule for note in planned.notes())
    assert not kb.build(crate()).notes()

    with pytest.warns(RuntimeWarning, match="Contact 'face' is fast for steps of 1 ms"):
        kb.simulate(crate(stiffness=1e8), 0.002, step=1e-3, coupling="realtime")


@pytest.mark.parametrize(
    "words", [{"coupling": "cosimulated"}, {"coupling": "realtime", "coordinates": "natural"}], ids=lambda w: str(w)
)
def test_methods_without_contact_say_so(words):
    with pytest.raises(MachineError, match=r"contact 'face': coupling .* has no contact"):
        kb.build(crate(), **words)


def test_a_parameter_changes_while_it_runs():
    sim = kb.Simulation(crate(stiffness=1e5), step=1e-3, coupling="realtime")
    sim.step(n=10)
    sim.tune("face.stiffness", 2e5)
    sim.step(n=10)

    assert sim.planned.plan.touch.law[0, 1] == 2e5


def test_a_contact_that_starts_deep_in_the_ground_is_refused():
    m = crate(box=None, sphere=0.5)
    m.assign("float", {"start": (0, 0, 0.2, 0, 0, 0)})

    with pytest.raises(MachineError) as caught:
        kb.build(m)
    assert str(caught.value).splitlines()[2:] == [
        "1. contact 'face': it starts 0.3 m deep in terrain 'floor'; at most 0.25 m is allowed, 0.5 of its size.",
        "   Start its body 0.3 m further out, or move the terrain.",
    ]


def test_contacts_say_which_terrain_they_touch():
    m = crate()
    m.terrain("wall", normal="-x", at=(3, 0, 0))

    assert [(one.part, one.name, one.other) for one in contact_speeds(kb.build(m))] == [
        ("face", "face.floor", "floor"), ("face", "face.wall", "wall"),
    ]  # fmt: skip
