# SPDX-License-Identifier: BSD-3-Clause
"""A part that writes an element by its name, with wrong rows, columns or signals, is a problem that names the part and
the element. Only a plan has the declarations, so that `knuckleboom check` finds it when it plans the machine.

Rank: remembered values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import knuckleboom as kb
from knuckleboom.cli.commands.check import find_problems
from knuckleboom.describe import Net, Part, param
from knuckleboom.machine import kinds
from knuckleboom.net import FromStart
from knuckleboom.plan import build
from knuckleboom.plan.network import ELEMENTS

SPRING = {"stiffness": 100.0, "rest": 0.0, "damping": 1.0, "preload": 0.0}


class Springy(Part):
    """Writes an element on the joint `hinge`."""

    how: str = param("what it writes")

    def expand(self, net: Net) -> None:
        (WRONG | RIGHT)[self.how][0](net, net.coordinate("hinge", 0))


def but(name: str) -> dict[str, float]:
    """The columns of a spring without one."""
    return {column: value for column, value in SPRING.items() if column != name}


Written = tuple[Callable[[Any, Any], Any], str]
WRONG: dict[str, Written] = {
    "no element of that name": (
        lambda net, row: net.element("sprng", row, **SPRING),
        "there is no element 'sprng'; closest: spring",
    ),
    "no element of any such name": (
        lambda net, row: net.element("xyz", row),
        f"there is no element 'xyz'; closest: {', '.join(sorted(ELEMENTS))}",
    ),
    "no column of that name": (
        lambda net, row: net.element("spring", row, **SPRING, stifness=1.0),
        "element 'spring' has no 'stifness'; closest: stiffness",
    ),
    "no column of any such name": (
        lambda net, row: net.element("spring", row, **SPRING, xyz=1.0),
        "element 'spring' has no 'xyz'; closest: damping, preload, rest, stiffness",
    ),
    "column missing": (lambda net, row: net.element("spring", row, **but("rest")), "element 'spring' lacks 'rest'"),
    "nothing given": (lambda net, row: net.element("push", row), "element 'push' lacks 'value'"),
    "signal for a number": (
        lambda net, row: net.element("spring", row, **but("rest"), rest=net.input()),
        "'rest' of element 'spring' is a number, no signal",
    ),
    "number for a signal": (
        lambda net, row: net.element("servo", row, gain=10.0, wanted=1.0),
        "'wanted' of element 'servo' is a signal, no number",
    ),
    "too many rows": (
        lambda net, row: net.element("spring", row, net.coordinate("hinge", 0), **SPRING),
        "element 'spring' has 1 row, and is given 2",
    ),
    "no row": (lambda net, row: net.element("spring", **SPRING), "element 'spring' has 1 row, and is given 0"),
}  # fmt: skip
RIGHT: dict[str, Written] = {
    "spring": (lambda net, row: net.element("spring", row, **SPRING), "spring"),
    "spring that is relaxed at the start": (
        lambda net, row: net.element("spring", row, **but("rest"), rest=FromStart()), "spring",
    ),
    "push by a number": (lambda net, row: net.element("push", row, value=3.0), "push"),
    "push by a signal": (lambda net, row: net.element("push", row, value=net.input()), "push"),
    "servo": (lambda net, row: net.element("servo", row, gain=10.0, wanted=net.input()), "servo"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(Springy)


def bench(how: str) -> kb.Machine:
    machine = kb.Machine("bench")
    arm = machine.body("arm", mass=1.0, inertia=(1.0, 1.0, 1.0))
    machine.revolute("hinge", machine.ground, arm)
    machine.springy("outsider", how=how)
    return machine


@pytest.mark.parametrize("how", WRONG)
def test_a_plan_says_which_part_writes_which_element_wrongly(how: str) -> None:
    with pytest.raises(kb.MachineError) as caught:
        build(bench(how))

    (problem,) = caught.value.problems
    assert problem.rule == f"springy 'outsider': its expand ends with ValueError: {WRONG[how][1]}."
    assert (problem.part, problem.kind) == ("outsider", "springy")
    assert problem.fix.endswith("of test_bad_element.py, which has the kind springy.")


@pytest.mark.parametrize("how", WRONG)
def test_check_raises_nothing_and_leaves_elements_to_the_plan(how: str) -> None:
    machine = bench(how)

    assert machine.check() == []
    machine.notes()


@pytest.mark.parametrize("how", WRONG)
def test_check_command(how: str, tmp_path: Any) -> None:
    path = tmp_path / "bench.yaml"
    path.write_text(bench(how).to_yaml(), encoding="utf-8")

    (problem,), _, text = find_problems(str(path))

    assert problem.lines is not None
    assert text.startswith("1 problem in ") and WRONG[how][1] in text.replace("\n   ", "")


@pytest.mark.parametrize("how", RIGHT)
def test_an_element_is_written_by_its_name(how: str) -> None:
    (force,) = build(bench(how)).layout.forces

    assert (force.part, force.element) == ("outsider", RIGHT[how][1])


def test_a_row_of_nobody_is_found_whichever_it_is_of_an_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WRONG, "foreign", (lambda net, row: net.element("spring", row, "row", **SPRING), ""))

    (problem,) = bench("foreign").check()

    assert "on a row that net did not return." in problem.rule
