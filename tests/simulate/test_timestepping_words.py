# SPDX-License-Identifier: BSD-3-Clause
"""What coupling `timestepping` refuses, and the sentence for rows that do not settle."""

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
