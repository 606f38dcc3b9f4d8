# SPDX-License-Identifier: BSD-3-Clause
"""Measured data: read in every usual form, compared by closed form, and every fault of a file said at once."""

import math

import numpy as np
import pytest

from knuckleboom.errors import MachineError
from knuckleboom.report.measured import read_measured, split
from results.made_up_run import made_up_run


@pytest.fixture
def read(tmp_path):
    def call(text, run=None):
        file = tmp_path / "data.csv"
        file.write_text(text, encoding="utf-8")
        return read_measured(file, run or made_up_run())

    return call


def problems(read, text):
    with pytest.raises(MachineError) as caught:
        read(text)
    return [
        (problem.lines[0] if problem.lines else None, problem.text(problem.file)) for problem in caught.value.problems
    ]


def test_differences_are_those_of_the_closed_form(read):
    # the run's pressure is 76 + t bar; measured is 0.5 bar more at 0.25 s and 1.5 bar less at 0.75 s
    (found,) = read("time [s],lift.a.pressure [bar]\n0.25,76.75\n0.75,75.25\n")

    assert (found.name, found.unit, found.compared) == ("lift.a.pressure", "bar", 2)
    assert found.values == pytest.approx([76.75, 75.25])
    assert found.rms == pytest.approx(math.sqrt((0.5**2 + 1.5**2) / 2))
    assert found.largest == pytest.approx(-1.5) and found.largest_at == 0.75


@pytest.mark.parametrize(
    "text",
    [
        "time [ms],lift.a.pressure [MPa]\n500,7.65\n",
        "time [s];lift.a.pressure [bar]\n0,5;76,5\n",
        "t\tlift.a.pressure[kPa]\n0.5\t7650\n",
        "time,lift.a.pressure\n# bare numbers are SI\n\n0.5,7.65e6\n",
        "\ufefftime [s], lift.a.pressure [barg]\r\n0.5, 75.48675\r\n",
    ],
)
def test_units_separators_and_remarks(read, text):
    (found,) = read(text)

    assert found.time == pytest.approx([0.5]) and found.values == pytest.approx([76.5])
    assert found.rms == pytest.approx(0.0, abs=1e-9)


def test_components_rows_and_missing_values(read):
    text = "time [s],boom.tip.position.x [mm],pin.residual[1] [m],foot.angle [deg]\n0.5,,-5e-10,\n1,1000,nan,10\n"
    tip, gap, angle = read(text)

    assert len(tip.values) == len(gap.values) == len(angle.values) == 1
    assert gap.rms == pytest.approx(0.0, abs=1e-12)
    assert angle.largest == pytest.approx(10.0 - math.degrees(math.sin(1.0)))


def test_a_csv_that_a_run_wrote_differs_by_nothing(tmp_path):
    run = made_up_run()
    found = read_measured(run.to_csv(tmp_path / "out.csv"), run)

    assert len(found) == 17 and max(one.rms for one in found) < 1e-9


def test_times_outside_of_the_run_are_shown_but_not_compared(read):
    (some,) = read("time [s],foot.angle [rad]\n0.5,0\n5,0\n")
    (none,) = read("time [s],foot.angle [rad]\n5,0\n")

    assert some.compared == 1 and len(some.values) == 2
    assert none.compared == 0 and none.rms is None


def test_everything_that_is_wrong_is_said_at_once_with_its_line(read):
    found = problems(
        read,
        "seconds,lift.a.presure [bar],foot.angle [bar],boom.tip.position [m],foot.angle [rad]\n"
        "0,1,2,3,4\n0.1,x,2,3,4\n0.1,1,2,3,4\n0.2,1,2\n,1,2,3,4\n0.3,inf,2,3,4\n",
    )
    said = "\n".join(text for _, text in found)

    assert [line for line, _ in found] == [1, 1, 1, 1, 1, 3, 4, 5, 6, 7]
    for words in (
        "the first column is 'seconds', not time", "no quantity 'lift.a.presure'", "'lift.a.pressure'",
        "'bar' is a unit of pressure, not of", "'boom.tip.position' has several components", "boom.tip.position.x",
        "'foot.angle' stands twice", "'x' in column 2 is not a number", "the number of fields is 3",
        "the time is missing", "'inf' in column 2 is not finite", "the time 0.1 does not come after 0.1",
    ):  # fmt: skip
        assert words in said


def test_many_problems_are_counted(read):
    found = problems(read, "time [s],foot.angle [rad]\n" + "".join(f"{k},x\n" for k in range(50)))

    assert len(found) == 21 and "and 30 more problems" in found[-1][1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no heading"),
        (b"# only a remark\n", "has no heading"),
        (b"time [s],foot.angle [rad]\n", "no line of numbers"),
        (b"time [s]\n1\n", "no column beside time"),
        (b"time [s],foot.angle [rad]\n\xff\xfe,1\n", "line 2 is not text in UTF-8"),
        (b"time [parsec],foot.angle [rad]\n1,1\n", "'parsec'"),
    ],
)
def test_files_that_are_no_data(tmp_path, content, words):
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(MachineError, match=words):
        read_measured(tmp_path / "data.csv", made_up_run())


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(MachineError, match="cannot be read: no such file"):
        read_measured(tmp_path / "nothing.csv", made_up_run())
    with pytest.raises(MachineError, match="it is a folder"):
        read_measured(tmp_path, made_up_run())


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("lift.a.pressure [bar]", ("lift.a.pressure", "bar")),
        ("lift.a.pressure[bar]", ("lift.a.pressure", "bar")),
        ("pin.residual[0] [1]", ("pin.residual[0]", "1")),
        ("pin.residual[0]", ("pin.residual[0]", "")),
        (" time ", ("time", "")),
        ("", ("", "")),
    ],
)
def test_headings(heading, expected):
    assert split(heading) == expected


def test_an_empty_run_compares_nothing(read):
    run = made_up_run()
    run.record = np.empty((0, run.record.shape[1]))
    (found,) = read("time [s],foot.angle [rad]\n0.5,0\n", run)

    assert found.compared == 0
