# SPDX-License-Identifier: BSD-3-Clause
"""Inputs as data: forms of a file, written and read again; columns of CSV files in their units.

Rank: closed forms (np.interp by hand) and values written here.
"""

from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.machine import csv_file
from knuckleboom.machine.csv_file import MOST_BYTES, all_columns, read_column, read_columns, read_lines, read_whole
from knuckleboom.machine.over_time import CsvColumn, Steps, Table, read_form, write_form

HERE = Path()
FORMS = {
    "steps": ({"steps": {"0": 0, "2 s": "0.1 kN"}}, Steps((0.0, 2.0), (0.0, "0.1 kN"))),
    "a mapping is steps": ({"0": 0, "500 ms": 1}, Steps((0.0, 0.5), (0.0, 1.0))),
    "ramps": ({"ramps": {"1": 0, "1.5 s": 0.6}}, Table((1.0, 1.5), (0.0, 0.6))),
    "table": ({"table": {"times": [0, "2 s"], "values": [1, 2]}}, Table((0.0, 2.0), (1.0, 2.0))),
    "csv": ({"csv": "cycle.csv"}, CsvColumn("cycle.csv")),
    "a column": ({"csv": "cycle.csv", "column": "boom lever"}, CsvColumn("cycle.csv", "boom lever")),
    "a number": (3, 3.0),
    "a text": ("3 kN", "3 kN"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_a_file_is(form):
    given, expected = FORMS[form]

    assert read_form(given, HERE) == expected


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_is_read_again(form):
    value = read_form(FORMS[form][0], HERE)

    assert read_form(write_form(value, HERE), HERE) == value


def test_files_are_beside_the_machine_that_names_them(tmp_path):
    assert read_form({"csv": "cycle.csv"}, tmp_path).file == str(tmp_path / "cycle.csv")
    assert write_form(CsvColumn(str(tmp_path / "cycle.csv")), tmp_path / "sub") == {"csv": "../cycle.csv"}


def test_a_function_cannot_be_written():
    with pytest.raises(ValueError, match="is a function of Python's"):
        write_form(lambda time: 0.0, HERE)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"steps": 3}, "steps are written by time"),
        ({"table": [1, 2]}, "a table is written as"),
        ({"table": {"times": 1, "values": 2}}, "times and values of a table are lists"),
        ({"csv": 3}, "csv is the name of a file"),
        ({"steps": {"0": 1}, "column": "x"}, "'column' does not go with 'steps'"),
        ({"steps": {}}, "there is no time and no value"),
        ({"ramps": {"1": 0, "0": 1}}, "times must rise"),
        (float("inf"), "is not a finite number"),
        (True, "is not a finite number"),
    ],
)
def test_a_wrong_form_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        read_form(wrong, HERE)


def test_ramps_are_straight_lines():
    times = np.linspace(0.0, 3.0, 31)

    assert kb.ramps({1: 0.0, 2: 10.0}).sample(times, 0.0) == pytest.approx(np.clip(10.0 * (times - 1.0), 0.0, 10.0))


# --- CSV ---


def column(tmp_path, text, name="push", unit="N", column=""):
    (tmp_path / "cycle.csv").write_text(text, encoding="utf-8")
    return read_column(CsvColumn(str(tmp_path / "cycle.csv"), column), name, unit)


@pytest.mark.parametrize(
    "text",
    [
        "time [s],push [kN]\n0,1\n0.5,2\n",
        "time [ms];push [N]\n0;1000\n500;2000\n",
        "# remark\n\nt\tpush\n0\t1000,0\n0,5\t2000\n",
        "\ufefftime [s], other, push [kN]\n0, , 1\n0.5, 7, 2\n",
    ],
)
def test_a_column_is_read_in_its_units(tmp_path, text):
    assert column(tmp_path, text) == Table((0.0, 0.5), (1000.0, 2000.0))


def test_gauge_pressures_have_another_zero(tmp_path):
    read = column(tmp_path, "time [s],line [barg]\n0,0\n1,10\n", "line", "Pa")

    assert read.values == pytest.approx((101325.0, 1101325.0), rel=1e-12)


def test_another_column_may_be_named(tmp_path):
    assert column(tmp_path, "time,a lever\n0,1\n1,2\n", column="a lever").values == (1.0, 2.0)


def test_all_columns_are_inputs_by_their_heading(tmp_path):
    file = tmp_path / "cycle.csv"
    file.write_text("# remark\ntime [s], boom [1], slew\n0, 0, 0\n")

    columns = {"boom": CsvColumn(str(file), "boom", 2), "slew": CsvColumn(str(file), "slew", 2)}
    assert all_columns(str(file)) == columns


def test_a_problem_of_a_file_is_there_once_for_all_its_columns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text("time,boom,slew [bar]\n0,0,0\n1,x,1\n2,,1\n3,1\n")
    Path("good.csv").write_text("time,push\n0,0\n1,2\n")
    wanted = {"boom": "boom", "again": "boom", "slew": "slew", "stick": "stik"}
    columns = {name: (CsvColumn("bad.csv", column), "1") for name, column in wanted.items()}

    tables, problems = read_columns({**columns, "push": (CsvColumn("good.csv"), "N")})

    assert tables == {"push": Table((0.0, 1.0), (0.0, 2.0))}
    assert [(problem.part, problem.lines[0], problem.rule) for problem in problems] == [
        ("slew", 1, "'slew': 'bar' is a unit, but this is a plain number."),
        ("stick", 1, "there is no column 'stik' for input 'stick'."),
        ("boom", 3, "'x' in column 2 is not a number."),
        ("boom", 4, "'boom' has no number here."),
        ("boom", 5, "the number of fields is 2, but the heading has 3."),
    ]


def test_a_file_is_read_once_for_all_its_columns(tmp_path, monkeypatch):
    file = tmp_path / "cycle.csv"
    file.write_text("time,boom,slew\n0,0,1\n1,2,3\n")
    opened = []
    monkeypatch.setattr(csv_file, "read_lines", lambda source: opened.append(source) or read_lines(source))

    tables, problems = read_columns({name: (CsvColumn(str(file)), "1") for name in ("boom", "slew")})

    assert opened == [file] and problems == []
    assert {name: table.values for name, table in tables.items()} == {"boom": (0.0, 2.0), "slew": (1.0, 3.0)}


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "huge.csv"
    with file.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)  # sparse: it takes no room

    with pytest.raises(kb.MachineError, match="the file is larger than 200 MB"):
        read_column(CsvColumn(str(file)), "push", "N")


def test_a_field_of_endless_letters_is_refused_with_its_line(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text(f"time,push\n0,1\n1,{'1' * 200_000}\n")

    with pytest.raises(kb.MachineError) as caught:
        read_column(CsvColumn(str(file)), "push", "N")

    assert str(caught.value) == f"1 problem in {file}\n\n1. line 3  a field has more than 131072 letters."


@pytest.mark.parametrize(
    ("given", "said"),
    [((3,), "csv_column: 3 is not the name of a file."), (("a.csv", 3), "csv_column: 3 is not the name of a column.")],
)
def test_a_column_has_names(given, said):
    with pytest.raises(kb.MachineError) as caught:
        kb.csv_column(*given)

    assert said in str(caught.value)


def test_problems_beyond_twenty_are_counted(tmp_path):
    with pytest.raises(kb.MachineError) as caught:
        column(tmp_path, "time,push\n" + "".join(f"{number},x\n" for number in range(50)))

    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1].rule == "and 30 more problems of the same file."


def test_the_whole_file_has_times_in_seconds(tmp_path):
    from knuckleboom.machine.csv_file import Notes

    file = tmp_path / "a.csv"
    file.write_text("time [min],x\n0,1\n2,3\n")

    _, heading, rest, table = read_whole(file, Notes(file), "x")

    assert heading == ["time [min]", "x"] and [number for number, _ in rest] == [2, 3]
    assert table.tolist() == [[0.0, 1.0], [120.0, 3.0]]
