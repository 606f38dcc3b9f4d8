# SPDX-License-Identifier: BSD-3-Clause
"""CSV export: chosen signals, units and times; what is written is read back as measured data and as inputs."""

import math

import numpy as np
import pytest

from knuckleboom import units
from knuckleboom.machine.csv_file import all_columns, read_column, read_lines
from knuckleboom.names import Names
from knuckleboom.report.measured import read_measured
from knuckleboom.results import ExportError, Results
from results.made_up_run import META, made_up_run


def table(path):
    """Return headings and numbers of a file."""
    lines = [fields for _, fields in read_lines(path)]
    return lines[0], np.array(lines[1:], dtype=float)


def test_signals_units_and_times_are_chosen(tmp_path):
    words = {"signals": ["lift.*.pressure", "boom.tip.position.z", "foot.angle"], "units": "human", "every": "25 ms"}
    path = made_up_run().to_csv(tmp_path / "out.csv", **words)
    headings, numbers = table(path)

    assert headings == [
        "time [s]", "lift.a.pressure [bar]", "lift.b.pressure [bar]", "boom.tip.position.z [mm]", "foot.angle [deg]"
    ]  # fmt: skip
    t = 0.025 * np.arange(41)
    np.testing.assert_allclose(numbers[:, 0], t, atol=1e-15)
    np.testing.assert_allclose(numbers[:, 1], 76.0 + t, rtol=1e-11)
    # every second time lies in the middle of two records: the error of a chord is h²/8 times the curvature
    np.testing.assert_allclose(numbers[:, 4], np.degrees(np.sin(t)), atol=math.degrees(0.01**2 / 8) + 1e-9)
    assert path.read_text().splitlines()[0] == "# Pressures in bar are absolute: 0 is vacuum."


def test_a_gauge_unit_counts_from_the_atmosphere_and_says_so(tmp_path):
    path = made_up_run().to_csv(tmp_path / "out.csv", "lift.a.pressure, spool.PA.flow", "human, barg", "1 s")
    headings, numbers = table(path)
    assert headings == ["time [s]", "lift.a.pressure [barg]", "spool.PA.flow [l/min]"]
    assert numbers[0, 1] == pytest.approx(76.0 - 1.01325) and numbers[1, 2] == pytest.approx(60.0)
    first = path.read_text().splitlines()[0]
    assert first == "# Pressures in barg count from the standard atmosphere, 1.01325 bar."


def test_a_difference_of_pressures_has_no_gauge_form(tmp_path):
    names = Names()
    names.add("filter.difference", "Pa", "pressure at a less that at b", 1)
    names.add("supply.input", "Pa", "pressure of the source", 2)
    run = Results(names, np.array([[0.0, 1e5, 1e5]]), META)
    headings, numbers = table(run.to_csv(tmp_path / "out.csv", units="human, barg"))
    assert headings[1:] == ["filter.difference [bar]", "supply.input [barg]"]
    assert numbers[0, 1:] == pytest.approx([1.0, -0.01325])


def test_measured_data_of_an_export_agree_with_the_run(tmp_path):
    run = made_up_run()
    found = read_measured(run.to_csv(tmp_path / "out.csv", units="human", every=0.01), run)
    assert len(found) == run.names.width - 1
    for one in found:
        assert one.compared == 101 and one.largest == pytest.approx(0.0, abs=1e-10 * max(1.0, abs(one.values).max()))


def test_inputs_of_an_export_are_inputs_again(tmp_path):
    names = Names()
    names.add("boom.input", "1", "spool command, -1 to 1", 1)
    names.add("pump.speed", "rad/s", "speed of the shaft", 2)
    t = np.linspace(0.0, 1.0, 11)
    run = Results(names, np.column_stack((t, 0.1 * t, 150.0 + t)), META)
    columns = all_columns(str(run.to_csv(tmp_path / "out.csv", units="human, ms, rpm")))

    assert list(columns) == ["boom", "pump.speed"]
    assert table(tmp_path / "out.csv")[0] == ["time [ms]", "boom.input [1]", "pump.speed [rpm]"]
    for name, unit, expected in (("boom", "1", 0.1 * t), ("pump.speed", "rad/s", 150.0 + t)):
        read = read_column(columns[name], name, unit)
        np.testing.assert_allclose(read.times, t, atol=1e-12)
        np.testing.assert_allclose(read.values, expected, rtol=1e-11)


def test_everything_that_does_not_fit_is_said_at_once(tmp_path):
    with pytest.raises(ExportError) as caught:
        made_up_run().to_csv(tmp_path / "out.csv", "lift.a.presure, foot.angle", "human, furlong, bar")
    assert str(caught.value) == (
        "No recorded quantity matches 'lift.a.presure'. Closest names: 'lift.a.pressure', 'lift.b.pressure'.\n"
        "units: 'furlong' is neither SI, nor human, nor a unit of what is chosen (rad).\n"
        "units: 'bar' is neither SI, nor human, nor a unit of what is chosen (rad)."
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("humn", "'human'"), ("Human", "'human'"), ("si", "'psig', 'SI'"), ("l/mn", "'l/min'"),
        ("barr", "'bar', 'barg', 'mbarg', 'bar(g)'"),
    ],
)  # fmt: skip
def test_misspelt_units_are_answered_with_the_closest_names(tmp_path, word, near):
    with pytest.raises(ExportError) as caught:
        made_up_run().to_csv(tmp_path / "out.csv", ["lift.*.pressure", "*.flow"], word)
    assert str(caught.value) == (
        f"units: '{word}' is neither SI, nor human, nor a unit of what is chosen (Pa, m^3/s). Closest names: {near}."
    )


@pytest.mark.parametrize("every", ["10 bar", "-1 ms", 0.0, "soon", True, [1.0]])
def test_a_sample_time_that_is_none_is_refused(tmp_path, every):
    with pytest.raises(ExportError, match=r"^every: "):
        made_up_run().to_csv(tmp_path / "out.csv", every=every)


def test_a_sample_time_that_would_fill_the_memory_is_refused(tmp_path):
    with pytest.raises(ExportError) as caught:
        made_up_run().to_csv(tmp_path / "out.csv", "foot.angle", every="1 ns")
    made = "every: 1e-09 s would make 1000000001 lines of 2 numbers"
    assert str(caught.value) == f"{made}; give a longer time or fewer signals."
    assert not list(tmp_path.iterdir())


def test_every_human_unit_is_read_by_our_reader():
    for unit, (written, factor) in units.READ_IN.items():
        assert units.factor(units.canonical(written), unit) == pytest.approx(1.0 / factor)
