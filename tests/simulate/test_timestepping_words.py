# SPDX-License-Identifier: BSD-3-Clause
"""What coupling `timestepping` refuses, and the sentences for friction that yields and rows that do not settle."""

import pytest

import knuckleboom as kb
from knuckleboom import methods
from knuckleboom.errors import MachineError
from knuckleboom.plan.impulses import MOST_ROWS


def crate(**contact):
    m = kb.Machine("crate")
    body = m.body("crate", mass=10.0, inertia=(1.0, 1.0, 1.0))
    m.free("flight", m.ground, body, start=(0, 0, 0.5, 0, 0, 0))
    m.terrain("floor")
    m.contact("foot", body, box=(1.0, 1.0, 1.0), **contact)
    return m


@pytest.mark.parametrize(
    ("contact", "words"),
    [
        ({"restitution": 1.2}, "contact 'foot': restitution is 1.2"),
        ({"friction": -0.1}, "contact 'foot': friction is -0.1"),
    ],
)
def test_numbers_of_a_contact_that_cannot_be(contact, words):
    with pytest.raises(MachineError, match=words):
        kb.simulate(crate(**contact), 1.0, coupling="timestepping")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"step": 0.0}, "step is 0 s"),
        ({"step": "1 ms", "solver": "pivot"}, "There is no solver 'pivot'"),
        ({"step": "1 ms", "coordinates": "natural"}, "coupling 'timestepping' does not go with coordinates 'natural'"),
        ({"step": "1 ms", "enforcement": "augmented"}, "does not go with enforcement 'augmented'"),
    ],
)
def test_words_that_do_not_go_with_it(words, sentence):
    with pytest.raises(MachineError, match=sentence):
        kb.simulate(crate(), 1.0, **({"coupling": "timestepping"} | words))


def test_other_couplings_have_no_solver():
    with pytest.raises(MachineError, match="coupling 'realtime' does not go with solver 'lemke'"):
        methods.Method.choose(coupling="realtime", solver="lemke")


def test_more_rows_than_there_is_room_for_are_refused():
    m = kb.Machine("pile")
    for k in range(16):
        body = m.body(f"box{k}", mass=10.0, inertia=(1.0, 1.0, 1.0))
        m.free(f"flight{k}", m.ground, body, start=(0, 0, k, 0, 0, 0))
        m.contact(f"skin{k}", body, box=(0.5, 0.5, 0.5))

    with pytest.raises(MachineError, match=rf"may have \d+ rows, but coupling timestepping has room for {MOST_ROWS}"):
        kb.build(m, coupling="timestepping")


def test_more_stops_than_there_is_room_for_are_refused_too():
    m = kb.Machine("comb")
    for k in range(MOST_ROWS // 2 + 1):
        tooth = m.body(f"tooth{k}", mass=1.0, inertia=(1.0, 1.0, 1.0))
        m.prismatic(f"rail{k}", m.ground, tooth, axis="x")
        m.joint_stop(f"end{k}", joint=f"rail{k}", lower=-1.0, upper=1.0, stiffness=1e6)

    with pytest.raises(MachineError, match=rf"'end0'.* may have {MOST_ROWS + 2} rows"):
        kb.build(m, coupling="timestepping")


def two_boxes(stiffness, mass, **contact):
    """A heavy one on a light one, which `projected` has trouble with."""
    m = kb.Machine("stack")
    m.terrain("floor")
    for k, (own, spin) in enumerate(((1.0, 0.0), (mass, 1.0))):
        body = m.body(f"box{k}", mass=own, inertia=(own, own, own))
        start, speed = (0.01 * k, 0, 0.5 + k, 0.01 * k, 0.02, 0), (spin, 0, 0, 0, 0, spin)
        m.free(f"way{k}", m.ground, body, start=start, speed=speed)
        m.contact(f"skin{k}", body, box=(1.0, 1.0, 1.0), stiffness=stiffness, **contact)
    return m


def test_friction_that_yields_is_counted_and_warned_of():
    sim = kb.Simulation(
        two_boxes(1e10, 1e3, friction=0.9, restitution=0.5), step="1 ms", coupling="timestepping", solver="projected"
    )
    sim.run_for("0.3 s")
    results = sim.results()

    count = results.meta["yielding_steps"]
    assert count > 0
    [said] = [sentence for sentence in results.warnings if "friction" in sentence]
    assert said.startswith(f"In {count} of 300 steps friction of contacts yielded by 0.1 to 10 %")
    assert "try a smaller step, such as 0.2 ms" in said


def test_rows_that_do_not_settle_end_a_run_with_the_name_of_one():
    machine = two_boxes(1e12, 1e5, friction=1.5, restitution=1e-6)

    with pytest.raises(kb.SimulationError) as caught:
        kb.simulate(machine, "0.3 s", step="1 ms", coupling="timestepping", solver="projected")

    assert "no impulses were found with which 'skin0' and all others hold, also in 8 parts." in str(caught.value)
    assert "or less friction there, which may jam" in str(caught.value)
