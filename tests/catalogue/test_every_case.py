# SPDX-License-Identifier: BSD-3-Clause
"""Every machine of the catalogue: without fault, the same in YAML, with inputs and a source that exist."""

import re
from pathlib import Path

import pytest

import knuckleboom as kb
from knuckleboom.catalogue import NAMES

BIBLIOGRAPHY = Path(__file__).parents[2] / "src" / "knuckleboom" / "references.bib"


@pytest.mark.parametrize("name", NAMES)
class TestEveryCase:
    def test_named_as_listed(self, name):
        assert NAMES[name]().machine.name == name

    def test_has_no_problems(self, name):
        assert NAMES[name]().machine.check() == []

    def test_is_the_same_in_yaml(self, name):
        machine = NAMES[name]().machine
        assert kb.Machine.from_yaml(machine.to_yaml()) == machine

    def test_runs_its_first_steps(self, name):
        case = NAMES[name]()
        run = kb.simulate(case.machine, 20 * case.step, step=case.step, inputs=case.inputs, **case.method)
        assert run.status == "done"

    def test_says_what_it_is_and_where_it_is_from(self, name):
        case = NAMES[name]()
        assert case.meaning and case.duration > case.step > 0.0
        cite = case.machine.cite
        assert not cite or re.search(rf"^@\w+{{{cite},", BIBLIOGRAPHY.read_text(), flags=re.MULTILINE)

    def test_every_body_can_be_seen(self, name):
        machine = NAMES[name]().machine
        assert {body.name for body in machine.bodies()} - {"ground"} <= set(machine.appearance)
