# SPDX-License-Identifier: BSD-3-Clause
"""Cases as data: made in Python, read from files, written and read again, and what is refused.

Nothing is run here; tests/simulate/test_cases.py does. Wrong cases of files are in tests/errors/case_*.
"""

import warnings
from pathlib import Path

import pytest

import knuckleboom as kb
from knuckleboom.machine import Machine, json_schema
from knuckleboom.machine.case_controllers import GivenController
from knuckleboom.machine.reader import examine
from machine.test_schema import fits

CASES = """
cases:
  empty:
  lift:
    meaning: lifts the load
    duration: 8 s
    step: 2 ms
    record: 10 ms
    start: equilibrium
    inputs: {push: {ramps: {1: 0, 1.2 s: 0.5 kN}}, pull: 3 N}
    controllers:
      level: {kind: pid, reads: rail.travel, setpoint: {steps: {0: 0, 1 s: 0.5 m}}, every: 10 ms, kp: 3}
      own: {kind: function, function: "math:sin", reads: rail.travel, writes: pull, every: 1 ms}
    stop: rail.travel > 2 m
    method: {coupling: realtime}
    measured: lift.csv
"""


def cart() -> Machine:
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=2.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")
    machine.force("pull", body, direction="x")
    return machine


def text() -> str:
    return cart().to_yaml() + CASES


def test_a_case_of_a_file_has_what_the_file_says():
    lift = Machine.from_yaml(text()).cases["lift"]

    assert (lift.meaning, lift.duration, lift.step, lift.record) == ("lifts the load", 8.0, 2e-3, 10e-3)
    assert lift.start == "equilibrium" and lift.stop == ("rail.travel > 2 m",) and lift.measured == "lift.csv"
    assert lift.inputs == {"push": kb.ramps({1: 0, 1.2: "0.5 kN"}), "pull": "3 N"}
    assert lift.method == {"coupling": "realtime"}
    level, own = lift.controllers
    assert level.settings["setpoint"] == kb.steps({0: 0, 1: "0.5 m"})
    assert own == GivenController(
        "own", "function", {"reads": "rail.travel", "writes": "pull", "every": "1 ms"}, "math", "sin"
    )
    assert lift.imports == ["math:sin"]


def test_what_a_case_leaves_out_has_its_default():
    machine = Machine.from_yaml(text())

    empty = machine.cases["empty"]
    assert (empty.duration, empty.step, empty.record, empty.start) == (10.0, 1e-3, None, None)
    assert not empty.inputs and not empty.controllers and not empty.method and empty.machine is machine


def test_files_keep_cases():
    machine = Machine.from_yaml(text())

    again = Machine.from_yaml(machine.to_yaml())

    assert again == machine and again.to_yaml() == machine.to_yaml()
    other = Machine.from_yaml(text().replace("0.5 kN", "0.6 kN"))
    assert other != machine


def test_python_and_file_are_the_same_machine():
    machine = cart()
    machine.case("empty")
    machine.case(
        "lift", meaning="lifts the load", duration="8 s", step="2 ms", record="10 ms", start="equilibrium",
        inputs={"push": kb.ramps({1: 0, 1.2: "0.5 kN"}), "pull": "3 N"}, stop="rail.travel > 2 m",
        controllers={
            "level": {"kind": "pid", "reads": "rail.travel", "setpoint": kb.steps({0: 0, 1: "0.5 m"}),
                      "every": "10 ms", "kp": 3},
            "own": {"kind": "function", "function": "math:sin", "reads": "rail.travel", "writes": "pull",
                    "every": "1 ms"},
        },
        method={"coupling": "realtime"}, measured="lift.csv",
    )  # fmt: skip

    assert Machine.from_yaml(text()) == machine


def test_ready_controllers_of_python_are_written():
    machine = cart()
    level = kb.pid("level", reads="rail.travel", setpoint="1 m", every="10 ms", kp=3.0, limits=(-1, 1))
    machine.case("hold", controllers=[level, kb.low_pass("smooth", reads="rail.travel", every=0.01, time_constant=0.1)])

    hold = Machine.from_yaml(machine.to_yaml()).cases["hold"]

    assert [item.kind for item in hold.controllers] == ["pid", "low_pass"]
    assert hold.controllers[0].settings["limits"] == [-1, 1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"inputs": {"push": lambda time: 0.0}}, "its input 'push' is a function of Python's"),
        ({"stop": lambda now: False}, "its stop condition is a function of Python's"),
        (
            {"controllers": [kb.Controller(print, name="own", reads=[], signals={"x": "1"}, every=1)]},
            "its controller 'own' is a function of Python's",
        ),
    ],
)
def test_what_no_file_can_hold_is_left_out_with_a_warning(settings, said):
    machine = cart()
    machine.case("free", **settings)
    machine.case("other", duration=1.0)

    with pytest.warns(UserWarning, match=f"case 'free' is not written: {said}, which no file can hold."):
        again = Machine.from_yaml(machine.to_yaml())

    assert list(again.cases) == ["other"]


def test_files_of_a_case_stay_where_they_are(tmp_path):
    (tmp_path / "sub").mkdir()
    machine = cart()
    machine.case("lift", csv=str(tmp_path / "cycle.csv"), inputs={"push": kb.csv_column(tmp_path / "a.csv")})

    kb.write(machine, tmp_path / "sub" / "cart.yaml")
    lift = kb.read(tmp_path / "sub" / "cart.yaml").cases["lift"]

    assert "csv: ../cycle.csv" in (tmp_path / "sub" / "cart.yaml").read_text()
    assert Path(lift.csv).resolve() == (tmp_path / "cycle.csv").resolve()
    assert Path(lift.inputs["push"].file).resolve() == (tmp_path / "a.csv").resolve()


# --- groups ---


def test_cases_of_a_group_stay_with_its_own_file(tmp_path):
    """They are of the whole machine of that file; wrong ones do not keep it from being taken as a group, either."""
    spoilt = text().replace("lift.csv", "lift.csv\n    duraton: 3 s")
    (tmp_path / "cart.yaml").write_text(spoilt)
    (tmp_path / "train.yaml").write_text(
        "knuckleboom: 1\ngroups: {first: {file: cart.yaml}}\ncases: {go: {inputs: {first.push: 1 N}}}\n"
    )

    train = kb.read(tmp_path / "train.yaml")

    assert list(train.cases) == ["go"] and "first.push" in train.parts
    assert examine(tmp_path / "cart.yaml")[1][0].rule == "case 'lift': 'duraton' is not a setting of case."


def test_cases_of_a_machine_that_is_added_stay_with_it():
    train = kb.Machine("train")
    train.add("first", Machine.from_yaml(text()))

    assert train.cases == {}


# --- what is refused ---


def test_an_unknown_case_is_answered_with_the_closest():
    with pytest.raises(kb.MachineError) as caught:
        Machine.from_yaml(text()).find_case("lit")

    assert str(caught.value) == (
        "1 problem in machine 'cart'\n\n1. There is no case 'lit'.\n   Its cases are empty, lift.\n"
        "   Closest names: 'lift'."
    )


def test_a_name_is_used_once():
    machine = cart()
    machine.case("lift")

    with pytest.raises(kb.MachineError, match="There is a case 'lift' already"):
        machine.case("lift")
    assert len(machine.cases) == 1


def test_all_problems_of_a_case_of_python_come_at_once():
    with pytest.raises(kb.MachineError) as caught:
        cart().case("lift", duration="-1 s", star="equilibrium", controllers={"a": {"kind": "pdi"}, "b": 3})

    rules = [problem.rule for problem in caught.value.problems]
    assert len(rules) == 4 and all(rule.startswith("case 'lift': ") for rule in rules)


def test_a_machine_is_planned_when_only_its_cases_are_wrong(tmp_path):
    file = tmp_path / "cart.yaml"
    file.write_text(text().replace("8 s", "8 bar"))
    machine, problems = examine(file)
    assert machine is not None and len(problems) == 1 and machine.cases["lift"].duration == 10.0
    file.write_text(text().replace("8 s", "8 bar").replace("mass: 2", "mass: -2"))
    machine, problems = examine(file)
    assert machine is None and len(problems) == 2


# --- schema ---

SCHEMA = json_schema()


def case_fits(**settings) -> bool:
    return fits(SCHEMA, {"knuckleboom": 1, "cases": {"lift": settings}}, SCHEMA)


def test_the_schema_has_cases():
    from knuckleboom.machine.yaml_tree import read_tree

    root, _ = read_tree(text())
    assert root is not None and fits(SCHEMA, root.plain(), SCHEMA)
    assert case_fits(inputs={"a": {"table": {"times": [0, "1 s"], "values": [1, 2]}}, "b": {"csv": "x.csv"}})
    assert "column" in str(SCHEMA["properties"]["cases"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"duraton": 1}, {"start": "rest"}, {"inputs": {"a": [1]}}, {"inputs": {"a": {"steps": 1}}}, {"stop": 3},
        {"controllers": {"a": {"kind": "pdi"}}}, {"controllers": {"a": {"kind": "pid", "reads": "x"}}},
        {"controllers": {"a": {"kind": "pid", "reads": "x", "setpoint": 1, "evry": 1}}}, {"method": {"couplng": "x"}},
        {"csv": 3}, {"inputs": {"a": {"csv": "x", "heading": "y"}}},
    ],
)  # fmt: skip
def test_the_schema_refuses(wrong):
    assert not case_fits(**wrong)


def test_reading_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Machine.from_yaml(text())
