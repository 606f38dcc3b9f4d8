# SPDX-License-Identifier: BSD-3-Clause
"""Which contacts may touch each other, with what numbers, and in which methods."""

import math

import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError
from knuckleboom.plan.contact_step import pair_speeds


def chain():
    """Three links in a row, one of them with a bolted lug, and a loose ball."""
    m = kb.Machine("chain")
    m.terrain("floor")
    bodies = {name: m.body(name, mass=2.0, inertia=(0.1, 0.1, 0.1)) for name in ("one", "two", "three", "lug", "ball")}
    m.revolute("foot", m.ground.at(0, 0, 2), bodies["one"], axis="y")
    m.revolute("knee", bodies["one"].at(1, 0, 0), bodies["two"], axis="y")
    m.revolute("wrist", bodies["two"].at(1, 0, 0), bodies["three"], axis="y")
    m.fixed("bolt", bodies["two"].at(0.5, 0, 0), bodies["lug"])
    m.free("loose", m.ground, bodies["ball"], start=(0, 0, 1, 0, 0, 0))
    return m, bodies


def pairs_of(machine, **words):
    return {frozenset(one.parts) for one in kb.build(machine, **words).layout.network.pairings}


def named(*names):
    return {frozenset(pair.split()) for pair in names}


@pytest.mark.parametrize("coordinates", ["relative", "reference-point"])
def test_any_two_touch_but_those_of_one_body_and_of_neighbours(coordinates):
    m, bodies = chain()
    for name, body in bodies.items():
        m.contact(f"{name}_skin", body, sphere=0.1)
    m.contact("ball_cap", bodies["ball"].at(0, 0, 0.1), box=(0.1, 0.1, 0.1))

    wanted = named("one_skin three_skin", "one_skin ball_skin", "two_skin ball_skin", "three_skin ball_skin")
    wanted |= named("lug_skin ball_skin", "one_skin ball_cap", "two_skin ball_cap", "three_skin ball_cap")
    wanted |= named("lug_skin ball_cap")
    assert pairs_of(m, coupling="realtime", coordinates=coordinates) == wanted


def test_against_says_what_a_contact_touches():
    m, bodies = chain()
    m.contact("one_skin", bodies["one"], sphere=0.1)
    m.contact("two_skin", bodies["two"], sphere=0.1, against="one_skin")
    m.contact("three_skin", bodies["three"], sphere=0.1)
    m.contact("ball_skin", bodies["ball"], sphere=0.1, against=[])

    assert pairs_of(m) == named("one_skin two_skin", "one_skin three_skin")


def test_shapes_that_touch_the_ground_only_are_in_no_pair():
    m, bodies = chain()
    m.contact("one_skin", bodies["one"], cylinder=(0.1, 0.2))
    m.contact("three_skin", bodies["three"], sphere=0.1)
    m.contact("ball_skin", bodies["ball"], hull=[(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)])

    assert pairs_of(m) == set()


def two(**more):
    m = kb.Machine("two")
    for name, place in (("low", 0), ("high", 1)):
        body = m.body(name, mass=3.0, inertia=(1, 1, 1))
        m.free(f"{name}_free", m.ground, body, start=(0, 0, place, 0, 0, 0))
        m.contact(f"{name}_skin", body, sphere=0.2, **{key: value[place] for key, value in more.items()})
    return m


def test_numbers_are_means_and_springs_in_series():
    machine = two(
        stiffness=(1e5, 3e5), friction=(0.2, 0.8), breakaway=(0.3, 0.9), stribeck_speed=(0.01, 0.04),
        bend=(1e-3, 4e-3), patch=(0.01, 0.02), restitution=(0.36, 1.0), impact_speed=(1.0, 4.0),
    )  # fmt: skip

    line = kb.build(machine, coupling="realtime").plan.pairs.number[0]

    friction, breakaway = math.sqrt(0.16), math.sqrt(0.27)
    e, v = 0.6, 2.0
    a = line[1]
    assert line[0] == pytest.approx(0.75e5)
    assert a * v * (1 + e) == pytest.approx(math.log((1 + a * v) / (1 - a * e * v)))
    assert line[2:6].tolist() == pytest.approx([friction, breakaway, 0.02, breakaway / 2e-3])
    assert line[9] == pytest.approx(0.01)


def test_materials_set_what_is_not_given():
    line = kb.build(two(material=("steel", "wood")), coupling="realtime").plan.pairs.number[0]

    assert line[2:4].tolist() == pytest.approx([0.4, 0.55])


def test_without_stiffness_a_pair_is_half_as_stiff_as_a_shape():
    line = kb.build(two(), coupling="realtime").plan.pairs.number[0]

    assert line[0] == pytest.approx(0.5 * 6.0 * 9.81 / 1e-3)


def test_a_contact_that_touches_nothing_has_no_pairs():
    m = two(against=((), ()))
    m.terrain("floor", at=(0, 0, -1))

    assert not kb.build(m, coupling="unified").layout.network.pairings


def test_a_parameter_of_a_pair_changes_while_it_runs():
    sim = kb.Simulation(two(stiffness=(1e5, 1e5)), step=1e-3, coupling="realtime")
    sim.step(n=10)
    sim.tune("low_skin.stiffness", 3e5)
    sim.step(n=10)

    assert sim.planned.plan.pairs.number[0, 0] == pytest.approx(0.75e5)


# --- at the start -----------------------------------------------------------------------------------------------------


def spaced(x, **shape):
    """Bodies of 2 and 6 kg, the second one x away."""
    m = kb.Machine("two")
    for name, mass, at in (("one", 2.0, 0.0), ("two", 6.0, x)):
        body = m.body(name, mass=mass, inertia=(0.1, 0.1, 0.1))
        m.free(f"{name}_free", m.ground, body, start=(at, 0, 0, 0, 0, 0))
        m.contact(f"{name}_skin", body, **shape, stiffness=2e5)
    return m


@pytest.mark.parametrize("x", [0.35, 5.0])
@pytest.mark.parametrize(("shape", "spots"), [({"sphere": 0.2}, 1), ({"box": (0.4, 0.4, 0.4)}, 4)])
def test_a_pair_feels_the_mass_of_both_wherever_they_are(shape, spots, x):
    (found,) = pair_speeds(kb.build(spaced(x, **shape)))

    assert (found.name, found.other) == ("one_skin.two_skin", "two_skin")
    assert found.mass == pytest.approx(2.0 * 6.0 / 8.0 / spots)
    assert found.frequency == pytest.approx(math.sqrt(1e5 / found.mass))  # both springs in series


def test_a_pair_that_is_fast_is_a_note():
    m = spaced(1.0, sphere=0.2)
    for name in ("one", "two"):
        m.assign(f"{name}_skin", {"stiffness": 1e8})

    (note,) = kb.build(m).notes()

    assert note.rule == (
        "contact 'one_skin': against 'two_skin' h·√(k/m) is 5.8 at a step of 1 ms, where a rebound is right up to 0.5."
    )
    assert note.fix == "Take a step of 0.087 ms, or a stiffness of both of 3.8e+05 N/m: a larger depth."


def test_bodies_that_start_deep_in_each_other_are_refused():
    with pytest.raises(MachineError) as caught:
        kb.build(spaced(0.25, sphere=0.2))

    assert str(caught.value).splitlines()[2:] == [
        "1. contact 'one_skin': it starts 0.15 m deep in contact 'two_skin'; at most 0.1 m is allowed, 0.5 of the "
        "smaller one's size.",
        "   Start one of their bodies 0.15 m further off, or give both against: []",
    ]


def test_materials_that_are_no_listed_pair_are_a_note():
    m = spaced(1.0, sphere=0.2)
    assert not kb.build(m).notes()
    m.assign("one_skin", {"material": "ice"})
    m.assign("two_skin", {"material": "snow", "friction": 0.32})

    planned = kb.build(m)
    (note,) = planned.notes()

    assert note.rule == (
        "contact 'one_skin': it is of ice and may touch contact 'two_skin', which is of snow; that pair is not listed, "
        "so friction is 0.4 and restitution 0.3."
    )  # of 0.5 and 0.32 the geometric mean
    assert note.fix == "Give both contacts friction and restitution; with ice these are listed: steel, rubber."


@pytest.mark.parametrize(
    ("one", "two", "notes"),
    [({"material": "steel"}, {"material": "steel"}, 0), ({}, {"material": "wood"}, 1),
     ({"material": "ice", "friction": 0.1, "restitution": 0.2}, {"friction": 0.1, "restitution": 0.2}, 0)],
    ids=["listed", "one alone", "numbers"],
)  # fmt: skip
def test_materials_that_set_nothing_or_are_listed_are_no_note(one, two, notes):
    m = spaced(1.0, sphere=0.2)
    m.assign("one_skin", one)
    m.assign("two_skin", two)

    assert len(kb.build(m).notes()) == notes


def test_many_pairs_of_the_same_materials_are_one_note():
    m = spaced(1.0, sphere=0.2)
    third = m.body("three", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.free("three_free", m.ground, third, start=(3, 0, 0, 0, 0, 0))
    m.contact("three_skin", third, sphere=0.2, stiffness=2e5, material="snow")
    m.assign("one_skin", {"material": "snow"})
    m.assign("two_skin", {"material": "ice"})

    assert [note.part for note in kb.build(m).notes()] == ["one_skin", "one_skin"]  # ice, and snow on snow
