# SPDX-License-Identifier: BSD-3-Clause
"""Words, axis and direction of levers: said in Python and in files, kept by both, and taken along by groups.

Wrong ones of files are in tests/errors/lever_*.
"""

import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError
from knuckleboom.machine.rules.recorder import input_names
from knuckleboom.plan import build
from machine.example import lifting_boom

SAID = {"what": "boom", "plus": "up", "minus": "down", "axis": "right fore-aft", "back": "plus"}


def test_by_handle_and_by_name() -> None:
    machine = lifting_boom()
    lever = machine.lever(machine["spool"], **SAID)
    assert machine.levers == {"spool": lever}
    assert (lever.what, lever.plus, lever.minus, lever.axis, lever.back) == tuple(SAID.values())
    assert machine.check() == []
    assert machine.lever("spool", what="arm") == machine.levers["spool"]
    assert machine.levers["spool"].axis is None


def test_round_trip() -> None:
    machine = lifting_boom()
    machine.lever("spool", **SAID)
    text = machine.to_yaml()
    assert "levers:\n  spool:\n    what: boom\n" in text
    again = kb.Machine.from_yaml(text)
    assert again == machine and again.to_yaml() == text
    assert kb.Machine.from_yaml(text.replace("what: boom", "what: arm")) != machine


def test_a_lever_without_words_is_one() -> None:
    text = lifting_boom().to_yaml() + "levers: {spool: }\n"
    assert list(kb.Machine.from_yaml(text).levers) == ["spool"]


def test_groups_take_levers_along_and_the_outer_machine_goes_first() -> None:
    inner, outer = lifting_boom(), kb.Machine("outer")
    inner.lever("spool", **SAID)
    outer.lever("two.spool", axis="left fore-aft")
    outer.add("one", inner)
    outer.add("two", inner, at=(0, 3, 0))
    assert outer.levers["one.spool"].what == "boom"
    assert outer.levers["two.spool"].axis == "left fore-aft"
    assert outer.check() == []


def test_two_groups_want_one_axis() -> None:
    inner, outer = lifting_boom(), kb.Machine("outer")
    inner.lever("spool", **SAID)
    outer.add("one", inner)
    outer.add("two", inner, at=(0, 3, 0))
    (problem,) = outer.check()
    assert problem.rule == ("lever 'two.spool': its axis is 'right fore-aft', which lever 'one.spool' has already.")


def test_mistakes_in_python() -> None:
    machine = lifting_boom()
    with pytest.raises(MachineError) as caught:
        machine.lever("spool", axis="right", plus=3)
    assert [problem.field for problem in caught.value.problems] == ["plus", "axis"]
    assert "it must be 'left fore-aft', 'left sideways'" in caught.value.problems[1].rule
    assert machine.levers == {}
    machine.lever("lift", what="boom")
    (problem,) = machine.check()
    assert problem.rule == "lever 'lift': there is no such input."


@pytest.mark.parametrize("name", ["excavator", "concrete-sprayer", "andrews", "four-bar", "rahikainen-crane"])
def test_inputs_found_without_a_plan_are_those_of_the_plan(name: str) -> None:
    machine = kb.catalogue.machine(name)
    assert sorted(input_names(machine)) == sorted(signal.path for signal in build(machine).layout.inputs)
