# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every part that a user can name, before it runs: documented fields, units, its own file, a card that
says where it is validated, a picture, the same part in a file, and oil that is kept.

Each stands in its standard machine, tests/parts/standard.py; how it runs is in test_every_part_runs.py.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pint
import pytest

import knuckleboom as kb
from knuckleboom import catalogue  # noqa: F401  # registers kinds of its own
from knuckleboom.describe import unit_of
from knuckleboom.drawing.draw import draw_mechanism
from knuckleboom.engine.run import evaluate_many
from knuckleboom.layout import OK
from knuckleboom.machine.kinds import all_kinds
from parts.standard import NAME, STANDARD

VALIDATION = Path(__file__).parents[2] / "validation"
HELPERS = [VALIDATION / "analytic" / name for name in ("models.py", "rigs.py")]
OURS = {name: kind for name, kind in all_kinds().items() if kind.__module__.startswith("knuckleboom.")}
WITHIN = ("oil", "joint_spring", "joint_friction", "joint_stop", "joint_servo", "effort", "force", "torque", "contact",
          "tire", "shaft", "shaft_of", "gear_stage", "shaft_spring", "engine_droop", "held_sum", "shape",
          "payload", "terrain")  # fmt: skip
"""Not in drawings: what fills all lines, what acts within a joint or on one body, and shafts, which have no place."""
REGISTRY = pint.UnitRegistry()


def test_every_kind_has_a_standard_machine():
    assert sorted(STANDARD) == sorted(OURS), "add a line to tests/parts/standard.py"


@pytest.mark.parametrize("kind", OURS)
class TestEveryPart:
    def test_has_a_card_and_a_meaning(self, kind):
        assert OURS[kind].__doc__
        assert inspect.getmodule(OURS[kind]).__doc__

    def test_says_what_each_field_is(self, kind):
        for name, info in OURS[kind].model_fields.items():
            assert info.description, name

    def test_units_of_its_fields_are_units(self, kind):
        for info in OURS[kind].model_fields.values():
            for unit in filter(None, unit_of(info).split(" or ")):
                assert REGISTRY.parse_units(unit) is not None

    def test_stands_in_a_file_of_its_name(self, kind):
        path = Path(inspect.getfile(OURS[kind]))
        if path.parent.name == "parts":
            assert path.stem == kind
        else:  # a published machine may bring a part of its own
            assert path.parent.name == "catalogue"

    def test_is_validated_where_its_card_says(self, kind):
        """By files that are there and have the part, on its own, by a helper of theirs or in a published machine."""
        names = re.findall(r"test_\w+\.py", inspect.getmodule(OURS[kind]).__doc__.partition("Validated by: ")[2])
        assert names, "the card has no line such as: Validated by: validation/analytic/test_orifice.py"
        paths = [path for name in names for path in VALIDATION.rglob(name)]
        assert {path.name for path in paths} == set(names)
        texts = [path.read_text(encoding="utf-8") for path in (*paths, *HELPERS)]
        assert any(re.search(rf"\b({kind}|{OURS[kind].__name__}|catalogue)\b", text) for text in texts)

    def test_is_the_same_in_yaml(self, kind):
        machine = STANDARD[kind]().machine
        again = kb.Machine.from_yaml(machine.to_yaml())

        assert again == machine
        assert isinstance(again.parts[NAME.get(kind, "it")], OURS[kind])

    def test_is_drawn(self, kind):
        """In the mechanism where it is a body, joins two or moves a joint; circuits are in test_every_symbol.py."""
        if OURS[kind].SYMBOL is None and kind not in WITHIN:
            assert re.search(rf"\b{NAME.get(kind, 'it')}\b", draw_mechanism(STANDARD[kind]().machine).svg)

    def test_oil_that_leaves_one_node_enters_another_and_stays_there(self, kind):
        planned = kb.build(STANDARD[kind]().machine)
        layout, work = planned.layout, planned.work
        work.state.x[: layout.nvolume] *= np.linspace(0.5, 1.2, layout.nvolume)
        work.state.x[layout.nvolume :] = 0.3  # spools, and a flow of 0.3 m³/s
        assert evaluate_many(planned.plan, work, 1) == OK

        flow, oil = np.abs(work.oil.Q).sum(), work.oil
        assert abs(oil.Q_net.sum()) <= 1e-15 * flow
        for number, node in enumerate(layout.nodes[: layout.nvolume]):
            into = sum(q for branch, q in zip(layout.branches, oil.Q, strict=True) if branch.b == node.port)
            out = sum(q for branch, q in zip(layout.branches, oil.Q, strict=True) if branch.a == node.port)
            # compressed, in walls that gave way, or making room
            kept = oil.x_dot[number] * oil.room[number] + oil.V_dot[number]
            assert kept == pytest.approx(into - out, abs=4e-15 * (flow + abs(oil.V_dot[number])))
