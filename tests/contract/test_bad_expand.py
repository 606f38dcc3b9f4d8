# SPDX-License-Identifier: BSD-3-Clause
"""A part from outside whose `expand` is wrong is a problem that names the part, in a check and in a plan.

Whatever it does, `Machine.check` raises nothing, and the problem has the part, its kind and a whole sentence. The text
as `knuckleboom check` prints it: tests/errors/outside_parts. Rank: remembered values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import knuckleboom as kb
from knuckleboom.cli.commands.check import find_problems
from knuckleboom.describe import Net, Part, Port, param
from knuckleboom.machine import kinds
from knuckleboom.plan import build


class Bad(Part):
    """Does what a test wants."""

    a: Port = param("inlet")
    b: Port = param("outlet")
    how: str = param("what is wrong")

    def expand(self, net: Net) -> None:
        return WRONG[self.how][0](net, self.a, self.b)  # type: ignore[no-any-return]


class Portly(Part):
    """Has a port that it never writes."""

    PORTS = ("a",)


def yields(net: Any, a: str, b: str) -> Any:
    yield net.restrictor(a, b, area=1e-6)


def twice(net: Any, a: str, b: str) -> None:
    net.restrictor(a, b, area=1e-6)
    net.laminar(a, b, conductance=1e-12, name="flow")


WRONG: dict[str, tuple[Callable[[Any, str, str], Any], str]] = {
    "raises": (lambda net, a, b: 1 / 0, "ends with ZeroDivisionError: division by zero."),
    "raises without words": (lambda net, a, b: next(iter(())), "ends with StopIteration."),
    "assumes": (lambda net, a, b: {}["x"], "ends with KeyError: 'x'."),
    "unknown method": (lambda net, a, b: net.restrictr(a, b), "calls net.restrictr, which does not exist."),
    "unknown setting": (
        lambda net, a, b: net.restrictor(a, b, aera=1e-6),
        "ends with TypeError: net.restrictor() got an unexpected keyword argument 'aera'",
    ),
    "unknown attribute": (
        lambda net, a, b: net.input().value,
        "ends with AttributeError: 'NetSignal' object has no attribute 'value'.",
    ),
    "returns": (lambda net, a, b: [a, b], "returns a list, which nobody reads."),
    "yields": (yields, "returns a generator, which nobody reads."),
    "no size": (lambda net, a, b: net.restrictor(a, b), "ends with ValueError: a restrictor needs an area or a flow."),
    "no place": (
        lambda net, a, b: net.length(a, b), "ends with AttributeError: 'Port' object has no attribute 'body'."
    ),
    "no port": (
        lambda net, a, b: net.laminar(a, "pmp", conductance=1e-12), "writes to port 'pmp', which does not exist."
    ),
    "nothing for a port": (
        lambda net, a, b: net.laminar(a, None, conductance=1e-12), "writes to nothing, which is not the name of a port."
    ),
    "list for a port": (
        lambda net, a, b: net.laminar(a, [b], conductance=1e-12), "which is not the name of a port."
    ),
    "text for a number": (
        lambda net, a, b: net.laminar(a, b, conductance="big"), "a flow 'leak' with 'big' in place of a number."
    ),
    "no number": (
        lambda net, a, b: net.laminar(a, b, conductance=float("nan")), "a flow 'leak' with nan in place of a number."
    ),
    "one name twice": (twice, "writes 2 flows of the name 'flow'."),
    "no flow": (
        lambda net, a, b: net.reading("r", unit="W", meaning="", gains=[1.0] * 6, flow="x"),
        "writes a reading 'r' of a flow 'x', which it does not have.",
    ),
    "no row": (lambda net, a, b: net.push("row", 1.0), "on a row that net did not return."),
}  # fmt: skip


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_kinds", dict(kinds.all_kinds()))
    kb.register(Bad)
    kb.register(Portly)


def bench(how: str) -> kb.Machine:
    machine = kb.Machine("bench")
    oil = machine.oil(kb.fluids.mineral_oil())
    oil.bad("outsider", oil.pressure("pump", "10 bar"), oil.tank("tank"), how=how)
    return machine


@pytest.mark.parametrize("how", WRONG)
def test_what_is_wrong_is_a_sentence_with_the_name_of_the_part(how: str) -> None:
    (problem,) = bench(how).check()

    assert problem.rule.startswith("bad 'outsider': its expand ")
    assert WRONG[how][1] in problem.rule and problem.rule.endswith(".")
    assert (problem.part, problem.kind) == ("outsider", "bad")
    with pytest.raises(kb.MachineError, match="bad 'outsider': its expand "):
        build(bench(how))


@pytest.mark.parametrize("how", WRONG)
def test_notes_and_levers_leave_it_out(how: str) -> None:
    machine = bench(how)
    machine.lever("pump", what="supply")
    machine.notes()

    assert [problem.part for problem in machine.check()] == ["outsider"]


@pytest.mark.parametrize("how", WRONG)
def test_check_command(how: str, tmp_path: Any) -> None:
    path = tmp_path / "bench.yaml"
    path.write_text(bench(how).to_yaml(), encoding="utf-8")

    (problem,), _, text = find_problems(str(path))

    assert problem.lines is not None
    assert text.startswith("1 problem in ") and "bad 'outsider': its expand " in text


def test_line_and_closest_names() -> None:
    (problem,) = bench("unknown method").check()

    assert problem.closest[0] == "restrictor"
    assert problem.fix.endswith("of test_bad_expand.py, which has the kind bad.")


def test_a_port_that_nobody_writes() -> None:
    machine = kb.Machine("bench")
    machine.portly("outsider")

    (problem,) = machine.check()

    assert problem.rule == "portly 'outsider': its expand gives its own port 'outsider.a' no pressure."


def test_what_goes_wrong_in_the_plan_only_names_the_part_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kb.Machine, "check", lambda self: [])
    monkeypatch.setitem(WRONG, "planned", (lambda net, a, b: net.coordinate("no hinge", 0), ""))

    with pytest.raises(kb.MachineError, match="bad 'outsider': its expand ends with KeyError: 'no hinge'") as caught:
        build(bench("planned"))
    assert caught.value.__cause__ is not None
